// Which model repeats a GPU's bits? Reads files of vectors, compares every class with the table's model and with
// variations of it, one parameter at a time and then from the best again, and prints how many outputs agree, in all and
// by distribution.
//   fit-tensor-model [--scan] [--only NAME] [--show N] FILE…
// --extract OUT instead writes a small file with the most telling rows of every class and distribution (the golden
// vectors of TensorGoldenTest), --speed measures the table's models.
#include "test/unit/Simulator/Tensor/TensorVectors.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace tilec::sim;
using namespace tilec::sim::test;

namespace {

constexpr unsigned distributions = 16;
struct Score {
  std::array<unsigned, distributions> good{}, all{};

  void count(unsigned distribution, bool equal) {
    ++all[distribution % distributions];
    good[distribution % distributions] += equal;
  }
  [[nodiscard]] unsigned sum(const std::array<unsigned, distributions> &of) const {
    unsigned total = 0;
    for (unsigned x : of)
      total += x;
    return total;
  }
  [[nodiscard]] unsigned wrong() const { return sum(all) - sum(good); }
};

/// The model as a line.
std::string describe(const AccumulationModel &m) {
  char text[200];
  std::snprintf(text, sizeof text,
                "group %u interleave %u align %u %s, accumulator %s, result %u %s, least exponent %d", m.group,
                m.interleave, m.alignmentBits, m.truncate ? "trunc" : "floor", m.accumulatorInSum ? "in sum" : "added",
                m.resultBits, m.roundToNearest ? "RN" : "RZ", m.minimumExponent);
  return text;
}

Score compare(const VectorClass &of, const std::vector<UnpackedFragment> &fragments, const AccumulationModel &model,
              unsigned step, unsigned show) {
  Score score;
  std::vector<uint32_t> d(size_t(of.m) * of.n);
  for (size_t i = 0; i < fragments.size(); i += step) {
    const UnpackedFragment &f = fragments[i];
    multiplyAccumulate(model, OperandFormat(of.a), OperandFormat(of.b), of.m, of.n, of.rowLength(), f.a.data(),
                       f.b.data(), f.c.data(), d.data());
    for (size_t j = 0; j < d.size(); ++j) {
      score.count(of.fragments[i].distribution, d[j] == f.d[j]);
      if (d[j] == f.d[j] || !show)
        continue;
      --show;
      std::printf("    d%u fragment %zu (%zu, %zu): c %08x model %08x hardware %08x\n", of.fragments[i].distribution, i,
                  j / of.n, j % of.n, f.c[j], d[j], f.d[j]);
      for (unsigned p = 0; p < of.rowLength(); ++p) {
        Unpacked a = f.a[j / of.n * of.rowLength() + p], b = f.b[p * of.n + j % of.n];
        std::printf(" %d*%d^%d", a.significand, b.significand, a.exponent + b.exponent);
      }
      std::printf("\n");
    }
  }
  return score;
}

void print(const char *label, const Score &score) {
  std::printf("  %-10s %u of %u", label, score.sum(score.good), score.sum(score.all));
  if (score.wrong()) {
    std::printf("; wrong by distribution:");
    for (unsigned i = 0; i < distributions; ++i)
      if (score.good[i] != score.all[i])
        std::printf(" %u:%u", i, score.all[i] - score.good[i]);
  }
  std::printf("\n");
}

/// All values of one parameter.
std::vector<AccumulationModel> variations(const AccumulationModel &from, unsigned k) {
  std::vector<AccumulationModel> out;
  auto add = [&](auto change) {
    AccumulationModel made = from;
    change(made);
    if (made.group <= k && (!made.interleave || made.interleave * (k / made.group) <= k))
      out.push_back(made);
  };
  for (unsigned group = 2; group <= k; group *= 2)
    for (unsigned interleave : {0u, 1u, 2u, 4u, 8u})
      add([&](AccumulationModel &m) { m.group = group, m.interleave = interleave; });
  for (unsigned bits = 8; bits <= 34; ++bits)
    add([&](AccumulationModel &m) { m.alignmentBits = bits; });
  for (unsigned bits = 8; bits <= 34; ++bits)
    for (unsigned group = 4; group <= k; group *= 2)
      add([&](AccumulationModel &m) { m.alignmentBits = bits, m.group = group; });
  add([&](AccumulationModel &m) { m.truncate = !m.truncate; });
  add([&](AccumulationModel &m) { m.accumulatorInSum = !m.accumulatorInSum; });
  add([&](AccumulationModel &m) { m.roundToNearest = !m.roundToNearest; });
  for (unsigned bits = 10; bits <= (from.result == ResultFormat::F16 ? 10u : 23u); ++bits)
    for (int align = -1; align <= 1; ++align)
      add([&](AccumulationModel &m) { m.resultBits = bits, m.alignmentBits += unsigned(align); });
  for (int least : {-300, -160, -150, -149, -142, -140, -139, -136, -135, -134, -133, -132, -131, -130, -127, -126,
                    -125, -100, -60,  -50,  -40,  -30,  -29,  -28,  -27,  -26,  -25,  -24,  -16,  -15,  -14})
    add([&](AccumulationModel &m) { m.minimumExponent = least; });
  return out;
}

void fitFloat(const VectorClass &of, bool scan, unsigned show) {
  std::vector<UnpackedFragment> fragments;
  for (const VectorFragment &fragment : of.fragments)
    fragments.push_back(unpackFragment(of, fragment));
  AccumulationModel best = of.model(90);
  Score score = compare(of, fragments, best, 1, show);
  std::printf("%s: %s\n", of.name.c_str(), describe(best).c_str());
  print("table", score);
  if (!scan)
    return;
  if (!score.wrong()) {
    // What these vectors do not tell apart.
    for (const AccumulationModel &candidate : variations(best, of.rowLength()))
      if (describe(candidate) != describe(best) && !compare(of, fragments, candidate, 1, 0).wrong())
        std::printf("  as good:   %s\n", describe(candidate).c_str());
    return;
  }
  for (bool improved = true; improved && score.wrong();) {
    improved = false;
    for (const AccumulationModel &candidate : variations(best, of.rowLength())) {
      Score now = compare(of, fragments, candidate, 1, 0);
      if (now.wrong() < score.wrong())
        best = candidate, score = now, improved = true;
    }
  }
  std::printf("  best: %s\n", describe(best).c_str());
  print("best", score);
}

void fitOther(const VectorClass &of, unsigned show) {
  Score score;
  for (const VectorFragment &f : of.fragments) {
    std::vector<uint64_t> mine = simulatedOutputs(of, f, 90), theirs = hardwareOutputs(of, f);
    for (size_t i = 0; i < mine.size(); ++i) {
      score.count(f.distribution, mine[i] == theirs[i]);
      if (mine[i] != theirs[i] && show) {
        --show;
        std::printf("    d%u model %016llx hardware %016llx\n", f.distribution, (unsigned long long)mine[i],
                    (unsigned long long)theirs[i]);
      }
    }
  }
  std::printf("%s\n", of.name.c_str());
  print("exact", score);
}

/// For each row of each fragment: how much it tells. Each variation of the table's model is worth 1, spread over the
/// outputs in which it differs; so are zeros and, in f64, NaNs.
std::vector<std::vector<double>> tellingRows(const VectorClass &of) {
  std::vector<std::vector<double>> rows(of.fragments.size(), std::vector<double>(of.m));
  // `tells`: the outputs of a fragment, as a vector of bool.
  auto spread = [&](auto tells) {
    std::vector<std::vector<unsigned>> hits(rows.size(), std::vector<unsigned>(of.m));
    double all = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      std::vector<bool> telling = tells(i);
      for (size_t j = 0; j < telling.size(); ++j)
        hits[i][j / of.n] += telling[j], all += telling[j];
    }
    for (size_t i = 0; i < rows.size() && all > 0; ++i)
      for (size_t r = 0; r < of.m; ++r)
        rows[i][r] += hits[i][r] / all;
  };
  spread([&](size_t i) {
    std::vector<bool> out;
    for (uint64_t bits : hardwareOutputs(of, of.fragments[i])) {
      double value;
      std::memcpy(&value, &bits, sizeof value);
      out.push_back(bits == 0 || (of.c == VectorFormat::F64 && value != value));
    }
    return out;
  });
  if (!of.isFloat())
    return rows;
  std::vector<UnpackedFragment> fragments;
  for (const VectorFragment &fragment : of.fragments)
    fragments.push_back(unpackFragment(of, fragment));
  for (const AccumulationModel &model : variations(of.model(90), of.rowLength()))
    spread([&](size_t i) {
      const UnpackedFragment &f = fragments[i];
      std::vector<uint32_t> d(f.d.size());
      multiplyAccumulate(model, OperandFormat(of.a), OperandFormat(of.b), of.m, of.n, of.rowLength(), f.a.data(),
                         f.b.data(), f.c.data(), d.data());
      std::vector<bool> out;
      for (size_t j = 0; j < d.size(); ++j)
        out.push_back(d[j] != f.d[j]);
      return out;
    });
  return rows;
}

/// Of each distribution the fragment whose best rows tell most.
void extract(std::FILE *file, const VectorClass &of, unsigned count) {
  std::vector<std::vector<double>> telling = tellingRows(of);
  std::vector<ChosenRows> chosen;
  for (unsigned distribution = 0; distribution < distributions; ++distribution) {
    ChosenRows best;
    double most = 0;
    for (size_t i = 0; i < of.fragments.size(); ++i) {
      if (of.fragments[i].distribution != distribution)
        continue;
      std::vector<unsigned> rows(of.m);
      for (unsigned r = 0; r < of.m; ++r)
        rows[r] = r;
      std::sort(rows.begin(), rows.end(), [&](unsigned x, unsigned y) {
        return telling[i][x] != telling[i][y] ? telling[i][x] > telling[i][y] : x < y;
      });
      rows.resize(count);
      double sum = 0;
      for (unsigned r : rows)
        sum += telling[i][r];
      if (best.rows.empty() || sum > most)
        best = {i, rows}, most = sum;
    }
    if (!best.rows.empty())
      chosen.push_back(best);
  }
  appendVectors(file, of, chosen);
}

/// Multiply-adds a second of a class, unpacking not counted.
void measureSpeed(const VectorClass &of) {
  if (!of.isFloat())
    return;
  std::vector<UnpackedFragment> fragments;
  for (size_t i = 0; i < 64 && i < of.fragments.size(); ++i)
    if (of.fragments[i].distribution == 0)
      fragments.push_back(unpackFragment(of, of.fragments[i]));
  std::vector<uint32_t> d(size_t(of.m) * of.n);
  AccumulationModel model = of.model(90);
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  double seconds = 0, done = 0;
  while ((seconds = std::chrono::duration<double>(Clock::now() - start).count()) < 0.2)
    for (const UnpackedFragment &f : fragments) {
      multiplyAccumulate(model, OperandFormat(of.a), OperandFormat(of.b), of.m, of.n, of.rowLength(), f.a.data(),
                         f.b.data(), f.c.data(), d.data());
      done += double(d.size()) * of.rowLength();
    }
  std::printf("%-24s %.0f million multiply-adds a second\n", of.name.c_str(), done / seconds / 1e6);
}

} // namespace

int main(int argc, char **argv) {
  bool scan = false, speed = false;
  unsigned show = 0;
  const char *only = "";
  std::FILE *out = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--scan"))
      scan = true;
    else if (!std::strcmp(argv[i], "--speed"))
      speed = true;
    else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!std::strcmp(argv[i], "--show") && i + 1 < argc)
      show = unsigned(std::atoi(argv[++i]));
    else if (!std::strcmp(argv[i], "--extract") && i + 1 < argc) {
      out = std::fopen(argv[++i], "wb");
      if (!out)
        return std::perror(argv[i]), 1;
    } else
      for (const VectorClass &of : readVectors(argv[i])) {
        if (of.name.find(only) == std::string::npos)
          continue;
        if (out)
          extract(out, of, 4);
        else if (speed)
          measureSpeed(of);
        else
          of.isFloat() ? fitFloat(of, scan, show) : fitOther(of, show);
      }
  }
  if (out)
    std::fclose(out);
}

// Which model repeats a GPU's bits? Reads files of vectors, compares every class with the table's model and with variations of
// it, one parameter at a time and then from the best again, and prints how many outputs agree, in all and by distribution.
//   fit-tensor-model [--scan] [--only NAME] [--show N] FILE…
#include "test/unit/Simulator/TensorVectors.h"

#include <array>
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
  std::snprintf(text, sizeof text, "group %u interleave %u align %u %s, accumulator %s, result %u %s, least exponent %d", m.group,
                m.interleave, m.alignmentBits, m.truncate ? "trunc" : "floor", m.accumulatorInSum ? "in sum" : "added",
                m.resultBits, m.roundToNearest ? "RN" : "RZ", m.minimumExponent);
  return text;
}

bool isFloat(VectorFormat format) { return unsigned(format) <= unsigned(VectorFormat::E5M2); }

Score compare(const VectorClass &of, const std::vector<UnpackedFragment> &fragments, const AccumulationModel &model, unsigned step,
              unsigned show) {
  Score score;
  std::vector<uint32_t> d(size_t(of.m) * of.n);
  for (size_t i = 0; i < fragments.size(); i += step) {
    const UnpackedFragment &f = fragments[i];
    multiplyAccumulate(model, OperandFormat(of.a), OperandFormat(of.b), of.m, of.n, of.rowLength(), f.a.data(), f.b.data(),
                       f.c.data(), d.data());
    for (size_t j = 0; j < d.size(); ++j) {
      score.count(of.fragments[i].distribution, d[j] == f.d[j]);
      if (d[j] == f.d[j] || !show)
        continue;
      --show;
      std::printf("    d%u fragment %zu (%zu, %zu): c %08x model %08x hardware %08x\n", of.fragments[i].distribution, i, j / of.n,
                  j % of.n, f.c[j], d[j], f.d[j]);
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
  for (int least : {-300, -160, -150, -149, -142, -140, -139, -136, -135, -134, -133, -132, -131, -130, -127, -126, -125, -100, -60, -50, -40,
                    -30, -29, -28, -27, -26, -25, -24, -16, -15, -14})
    add([&](AccumulationModel &m) { m.minimumExponent = least; });
  return out;
}

void fitFloat(const VectorClass &of, bool scan, unsigned show) {
  std::vector<UnpackedFragment> fragments;
  for (const VectorFragment &fragment : of.fragments) {
    fragments.push_back(unpackFragment(of, fragment));
    if (of.name.find("_neg") != std::string::npos)
      for (Unpacked &x : fragments.back().a)
        x.significand = int16_t(-x.significand);
  }
  TensorInstruction instruction = of.wgmma ? TensorInstruction::Wgmma : of.sparse ? TensorInstruction::MmaSparse : TensorInstruction::Mma;
  AccumulationModel best = accumulationModel(90, instruction, OperandFormat(of.a), OperandFormat(of.b),
                                             of.c == VectorFormat::F16 ? ResultFormat::F16 : ResultFormat::F32, of.rowLength());
  Score score = compare(of, fragments, best, 1, show);
  std::printf("%s: %s\n", of.name.c_str(), describe(best).c_str());
  print("table", score);
  if (!scan || !score.wrong())
    return;
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

template <class T> std::vector<T> load(const uint8_t *from, size_t count) {
  std::vector<T> out(count);
  std::memcpy(out.data(), from, count * sizeof(T));
  return out;
}

/// B by rows instead of by columns.
template <class T> std::vector<T> byRows(const std::vector<T> &columns, unsigned n, unsigned k) {
  std::vector<T> out(columns.size());
  for (unsigned p = 0; p < k; ++p)
    for (unsigned j = 0; j < n; ++j)
      out[p * n + j] = columns[j * k + p];
  return out;
}

void fitOther(const VectorClass &of, unsigned show) {
  Score score;
  size_t outputs = size_t(of.m) * of.n, aCount = size_t(of.m) * of.k, bCount = size_t(of.n) * of.k;
  for (const VectorFragment &f : of.fragments) {
    if (of.c == VectorFormat::F64) {
      std::vector<double> d(outputs);
      multiplyAccumulateF64(of.m, of.n, of.k, load<double>(f.a, aCount).data(),
                            byRows(load<double>(f.b, bCount), of.n, of.k).data(), load<double>(f.c, outputs).data(), d.data());
      for (size_t i = 0; i < outputs; ++i) {
        uint64_t mine, theirs;
        std::memcpy(&mine, &d[i], 8), std::memcpy(&theirs, f.d + 8 * i, 8);
        score.count(f.distribution, mine == theirs);
        if (mine != theirs && show) {
          --show;
          std::printf("    d%u model %016llx hardware %016llx\n", f.distribution, (unsigned long long)mine,
                      (unsigned long long)theirs);
        }
      }
      continue;
    }
    std::vector<int16_t> a, b;
    for (size_t i = 0; i < aCount; ++i)
      a.push_back(of.a == VectorFormat::U8 ? f.a[i] : int8_t(f.a[i]));
    for (size_t i = 0; i < bCount; ++i)
      b.push_back(of.b == VectorFormat::U8 ? f.b[i] : int8_t(f.b[i]));
    std::vector<int32_t> d(outputs), theirs = load<int32_t>(f.d, outputs);
    multiplyAccumulateInteger(of.name.find("_sat") != std::string::npos, of.m, of.n, of.k, a.data(),
                              byRows(b, of.n, of.k).data(), load<int32_t>(f.c, outputs).data(), d.data());
    for (size_t i = 0; i < outputs; ++i)
      score.count(f.distribution, d[i] == theirs[i]);
  }
  std::printf("%s\n", of.name.c_str());
  print("exact", score);
}

} // namespace

int main(int argc, char **argv) {
  bool scan = false;
  unsigned show = 0;
  const char *only = "";
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--scan"))
      scan = true;
    else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!std::strcmp(argv[i], "--show") && i + 1 < argc)
      show = unsigned(std::atoi(argv[++i]));
    else
      for (const VectorClass &of : readVectors(argv[i]))
        if (of.name.find(only) != std::string::npos)
          isFloat(of.a) ? fitFloat(of, scan, show) : fitOther(of, show);
  }
}

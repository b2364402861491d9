/// A warp-level product as a kernel: registers come from a buffer, 32 words for each, and D goes back into it. The
/// reference multiplies plain matrices of small integers, exact in every format, with places taken element by element
/// from the formulas of the PTX ISA ("Matrix Fragments for mma.m8n8k4 …").
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_MATRIXCASE_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_MATRIXCASE_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace tilec::sim {

/// The bits of a small number in a format by the name that PTX gives it; exact.
inline uint64_t encode(const std::string &type, double value) {
  auto small = [&](int exponentBits, int fractionBits, int bias) -> uint64_t {
    uint64_t sign = value < 0 ? uint64_t(1) << (exponentBits + fractionBits) : 0;
    double magnitude = std::fabs(value);
    if (magnitude == 0)
      return 0;
    int exponent;
    double fraction = std::frexp(magnitude, &exponent) * 2; // [1, 2)
    int biased = exponent - 1 + bias;
    if (biased < 1)
      return sign | static_cast<uint64_t>(std::ldexp(magnitude, fractionBits + bias - 1));
    return sign | uint64_t(biased) << fractionBits | static_cast<uint64_t>(std::ldexp(fraction - 1, fractionBits));
  };
  auto bitsOf = [](auto number) {
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof number);
    return bits;
  };
  if (type == "f64")
    return bitsOf(value);
  if (type == "f32" || type == "tf32")
    return bitsOf(static_cast<float>(value));
  if (type == "f16")
    return small(5, 10, 15);
  if (type == "bf16")
    return small(8, 7, 127);
  if (type == "e4m3")
    return small(4, 3, 7);
  if (type == "e5m2")
    return small(5, 2, 15);
  if (type == "e3m2")
    return small(3, 2, 3);
  if (type == "e2m3")
    return small(2, 3, 1);
  if (type == "e2m1")
    return small(2, 1, 1);
  return static_cast<uint64_t>(static_cast<int64_t>(value)); // integers
}

inline unsigned bitsOfType(const std::string &type) {
  if (type == "f64")
    return 64;
  if (type == "f32" || type == "tf32" || type == "s32")
    return 32;
  if (type == "f16" || type == "bf16")
    return 16;
  if (type == "s4" || type == "u4")
    return 4;
  if (type == "b1")
    return 1;
  return 8;
}

struct MatrixCase {
  /// The instruction without operands; shape and types again for the reference.
  std::string instruction;
  unsigned m, n, k;
  std::string d, a, b, c;
  std::string target = "sm_90a";
  /// Bits of a factor in registers, where they are not those of its type (e2m1 packed: 4).
  unsigned factorBits = 0;
  bool sparse = false;
  unsigned selector = 0;
  /// Scales of A and B along K; bytes are of the format `scaleType`.
  unsigned scales = 0;
  std::string scaleType;
  std::string bitOperation;
  bool e2m1InMiddle = true;

  unsigned bits() const { return factorBits ? factorBits : bitsOfType(a); }
  unsigned kept() const { return sparse ? k / 2 : k; }
  unsigned regBits() const { return bits() == 64 ? 64 : 32; }
  unsigned regsA() const { return m * kept() * bits() / regBits() / 32; }
  unsigned regsB() const { return n * k * bits() / regBits() / 32; }
  unsigned regsC(const std::string &type) const {
    return m * n * (type == "f16" ? 16 : bitsOfType(type)) / (bitsOfType(type) == 64 ? 64 : 32) / 32;
  }
  unsigned wordsPerReg() const { return regBits() / 32; }

  /// Words of the buffer: A, B, C, metadata, two scales, D.
  unsigned wordsOf(unsigned regs) const { return regs * 32 * wordsPerReg(); }
  unsigned startB() const { return wordsOf(regsA()); }
  unsigned startC() const { return startB() + wordsOf(regsB()); }
  unsigned startExtra() const { return startC() + wordsOf(regsC(c)); }
  unsigned startD() const { return startExtra() + 96; }
  unsigned words() const { return startD() + wordsOf(regsC(d)); }

  std::string body() const {
    bool wide = regBits() == 64;
    std::string reg = wide ? "y" : "x", type = wide ? "f64" : "b32",
                text = ".reg .b32 x<80>;\n.reg .f64 y<40>;\n.reg .u64 z;\n";
    unsigned bytes = wide ? 8 : 4, next = 0;
    text += "mad.wide.u32 z, %t, " + std::to_string(bytes) + ", %buf;\n";
    auto load = [&](unsigned start, unsigned count) {
      std::string list = "{";
      for (unsigned r = 0; r < count; ++r, ++next) {
        std::string name = reg + std::to_string(next);
        text += "ld.global." + type + " " + name + ", [z+" + std::to_string(start * 4 + r * 32 * bytes) + "];\n";
        list += (r ? ", " : "") + name;
      }
      return list + "}";
    };
    std::string listA = load(0, regsA()), listB = load(startB(), regsB()), listC = load(startC(), regsC(c));
    for (unsigned i = 0; i < 3; ++i)
      text +=
          "ld.global.b32 x" + std::to_string(70 + i) + ", [%a+" + std::to_string((startExtra() + 32 * i) * 4) + "];\n";
    std::string listD = "{";
    unsigned first = next;
    for (unsigned r = 0; r < regsC(d); ++r, ++next)
      listD += (r ? ", " : "") + reg + std::to_string(next);
    listD += "}";
    text += instruction + " " + listD + ", " + listA + ", " + listB + ", " + listC;
    if (sparse)
      text += ", x70, " + std::to_string(selector);
    if (scales)
      text += ", x71, {" + std::to_string(byteOfScale()) + ", 1}, x72, {" + std::to_string(byteOfScale()) + ", 2}";
    text += ";\n";
    for (unsigned r = 0; r < regsC(d); ++r)
      text += "st.global." + type + " [z+" + std::to_string(startD() * 4 + r * 32 * bytes) + "], " + reg +
              std::to_string(first + r) + ";\n";
    return text;
  }
  unsigned byteOfScale() const { return scales == 1 ? 3 : scales == 2 ? 2 : 0; }

  /// \name Places
  /// @{
  unsigned perReg() const { return regBits() / bits(); }
  /// Row and stored column of element i of A in a lane.
  std::pair<unsigned, unsigned> placeOfA(unsigned lane, unsigned i) const {
    unsigned g = lane >> 2, t = lane % 4, e = perReg();
    if (m == 8)
      return {g, t * e + i};
    return {g + (i / e % 2 ? 8 : 0), t * e + i % e + (i < 2 * e ? 0 : i / (2 * e) * 4 * e)};
  }
  std::pair<unsigned, unsigned> placeOfB(unsigned lane, unsigned i) const {
    unsigned g = lane >> 2, t = lane % 4, e = perReg();
    return {t * e + i % e + i / e * 4 * e, g};
  }
  std::pair<unsigned, unsigned> placeOfC(unsigned lane, unsigned i) const {
    return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
  }
  /// @}

  static void put(std::vector<uint32_t> &words, size_t bit, unsigned count, uint64_t value) {
    for (unsigned i = 0; i < count; ++i)
      if (value >> i & 1)
        words[(bit + i) / 32] |= 1u << ((bit + i) % 32);
  }
  /// The bit at which element i of a lane lies, elements of `size` bits in registers of `width`.
  static size_t bitOf(unsigned start, unsigned lane, unsigned i, unsigned size, unsigned width) {
    unsigned e = width / size;
    return size_t(start) * 32 + size_t(i / e * 32 + lane) * width + i % e * size;
  }

  struct Data {
    std::vector<double> a, b, c;           // m x k with zeros where nothing is kept, k x n, m x n
    std::vector<uint32_t> words, expected; // of the buffer; of D
  };

  /// Numbers that every format holds: 0, ±1, ±2 and the like; sums stay exact.
  double pick(std::mt19937 &random, const std::string &type) const {
    if (type == "b1")
      return random() % 2;
    if (type == "u8" || type == "u4")
      return random() % 8;
    if (type == "s8" || type == "s4")
      return static_cast<int>(random() % 13) - 6;
    static const double values[] = {0, 0.5, 1, 1.5, 2, 3, -0.5, -1, -1.5, -2, -3};
    return values[random() % 11];
  }

  Data make(unsigned seed) const {
    std::mt19937 random(seed);
    Data data;
    data.a.assign(m * k, 0);
    data.b.resize(k * n);
    data.c.resize(m * n);
    data.words.assign(words(), 0);
    std::vector<double> stored(m * kept());
    for (double &value : stored)
      value = pick(random, a);
    for (double &value : data.b)
      value = pick(random, b);
    for (double &value : data.c)
      value = static_cast<int>(random() % 65) - 32;
    std::vector<unsigned> column(m * kept());
    if (sparse)
      fillMetadata(random, column, data.words);
    for (unsigned i = 0; i < m; ++i)
      for (unsigned e = 0; e < kept(); ++e)
        data.a[i * k + (sparse ? column[i * kept() + e] : e)] = stored[i * kept() + e];
    auto bitsOfFactor = [&](const std::string &type, double value) {
      uint64_t bits = encode(type, value);
      return type == "e2m1" && this->bits() == 8 ? bits << 2 : bits;
    };
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned i = 0; i < regsA() * perReg(); ++i) {
        auto [row, col] = placeOfA(lane, i);
        put(data.words, bitOf(0, lane, i, bits(), regBits()), bits(), bitsOfFactor(a, stored[row * kept() + col]));
      }
      for (unsigned i = 0; i < regsB() * perReg(); ++i) {
        auto [row, col] = placeOfB(lane, i);
        put(data.words, bitOf(startB(), lane, i, bits(), regBits()), bits(), bitsOfFactor(b, data.b[row * n + col]));
      }
      for (unsigned i = 0; i < m * n / 32; ++i) {
        auto [row, col] = placeOfC(lane, i);
        put(data.words, bitOf(startC(), lane, i, bitsOfType(c), regBits()), bitsOfType(c),
            encode(c, data.c[row * n + col]));
      }
    }
    std::vector<double> scaleA(m * 4, 1), scaleB(n * 4, 1);
    if (scales)
      fillScales(random, scaleA, scaleB, data.words);
    data.expected.assign(wordsOf(regsC(d)), 0);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < m * n / 32; ++i) {
        auto [row, col] = placeOfC(lane, i);
        double sum = data.c[row * n + col];
        for (unsigned e = 0; e < k; ++e) {
          double x = data.a[row * k + e], y = data.b[e * n + col];
          if (bitOperation == "xor")
            sum += x != y;
          else {
            unsigned block = scales ? e * scales / k : 0;
            sum += x * y * (scales ? scaleA[row * 4 + block] * scaleB[col * 4 + block] : 1);
          }
        }
        put(data.expected, bitOf(0, lane, i, bitsOfType(d), regBits()), bitsOfType(d), encode(d, sum));
      }
    return data;
  }

  void fillMetadata(std::mt19937 &random, std::vector<unsigned> &column, std::vector<uint32_t> &words) const {
    static const unsigned pairs[6] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
    unsigned chunk = bits() == 32 ? 2 : bits() == 4 ? 8 : 4, chunks = k / chunk;
    for (unsigned i = 0; i < m; ++i)
      for (unsigned q = 0; q < chunks; ++q) {
        unsigned nibble = bits() == 32 ? (random() % 2 ? 0xe : 0x4) : pairs[random() % 6];
        unsigned first = nibble & 3, second = nibble >> 2;
        unsigned *to = &column[i * kept() + q * chunk / 2];
        if (bits() == 32)
          to[0] = q * 2 + (nibble == 0xe);
        else if (bits() == 4)
          for (unsigned e = 0; e < 4; ++e)
            to[e] = q * 8 + (e < 2 ? first : second) * 2 + e % 2;
        else {
          to[0] = q * 4 + first;
          to[1] = q * 4 + second;
        }
        // The figures of the metadata layouts.
        unsigned thread, shift, g = i % 8, h = i / 8;
        if (chunks == 4) {
          thread = selector;
          shift = h * 16 + q * 4;
        } else if (chunks == 8 && bits() >= 16) {
          thread = 2 * selector + q / 4;
          shift = h * 16 + q % 4 * 4;
        } else if (chunks == 8) {
          thread = 2 * selector + h;
          shift = q * 4;
        } else {
          thread = h + q / 8 * 2;
          shift = q % 8 * 4;
        }
        words[startExtra() + g * 4 + thread] |= nibble << shift;
      }
  }

  void fillScales(std::mt19937 &random, std::vector<double> &scaleA, std::vector<double> &scaleB,
                  std::vector<uint32_t> &words) const {
    auto one = [&](unsigned word, unsigned byte) {
      int exponent = static_cast<int>(random() % 5) - 2;
      unsigned bits = scaleType == "ue8m0" ? 127 + exponent : (7 + exponent) << 3;
      words[word] |= bits << (8 * byte);
      return std::ldexp(1.0, exponent);
    };
    for (unsigned i = 0; i < m; ++i)
      for (unsigned s = 0; s < scales; ++s)
        scaleA[i * 4 + s] = one(startExtra() + 32 + i % 8 * 4 + 2 + i / 8, byteOfScale() + s);
    for (unsigned j = 0; j < n; ++j)
      for (unsigned s = 0; s < scales; ++s)
        scaleB[j * 4 + s] = one(startExtra() + 64 + j * 4 + 2, byteOfScale() + s);
  }
};

/// Every shape and type of mma.sync, as the ISA lists them, dense and sparse.
inline std::vector<MatrixCase> mmaCases() {
  std::vector<MatrixCase> cases;
  auto add = [&](unsigned m, unsigned n, unsigned k, const std::string &d, const std::string &a, const std::string &b,
                 const std::string &c, const std::string &extra = "", const std::string &bitOperation = "") {
    MatrixCase one{"mma.sync.aligned.m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k) +
                       ".row.col" + extra + "." + d + "." + a + "." + b + "." + c +
                       (bitOperation.empty() ? "" : "." + bitOperation + ".popc"),
                   m,
                   n,
                   k,
                   d,
                   a,
                   b,
                   c};
    one.bitOperation = bitOperation;
    cases.push_back(one);
    return cases.size() - 1;
  };
  for (const char *sum : {"f16", "f32"})
    for (unsigned k : {8, 16})
      add(16, 8, k, sum, "f16", "f16", sum);
  for (unsigned k : {8, 16})
    add(16, 8, k, "f32", "bf16", "bf16", "f32");
  for (unsigned k : {4, 8})
    add(16, 8, k, "f32", "tf32", "tf32", "f32");
  add(8, 8, 4, "f64", "f64", "f64", "f64");
  for (unsigned k : {4, 8, 16})
    add(16, 8, k, "f64", "f64", "f64", "f64");
  for (const char *a : {"e4m3", "e5m2"})
    for (const char *b : {"e4m3", "e5m2"})
      for (const char *sum : {"f16", "f32"})
        for (unsigned k : {16, 32})
          add(16, 8, k, sum, a, b, sum);
  for (const char *extra : {"", ".satfinite"}) {
    for (const char *a : {"s8", "u8"})
      for (const char *b : {"s8", "u8"}) {
        add(8, 8, 16, "s32", a, b, "s32", extra);
        for (unsigned k : {16, 32})
          add(16, 8, k, "s32", a, b, "s32", extra);
      }
    for (const char *a : {"s4", "u4"})
      for (const char *b : {"s4", "u4"}) {
        add(8, 8, 32, "s32", a, b, "s32", extra);
        for (unsigned k : {32, 64})
          add(16, 8, k, "s32", a, b, "s32", extra);
      }
  }
  for (const char *op : {"xor", "and"}) {
    add(8, 8, 128, "s32", "b1", "b1", "s32", "", op);
    for (unsigned k : {128, 256})
      add(16, 8, k, "s32", "b1", "b1", "s32", "", op);
  }
  auto addSparse = [&](unsigned k, const std::string &d, const std::string &a, const std::string &b,
                       unsigned selectors) {
    for (unsigned selector = 0; selector < selectors; ++selector) {
      MatrixCase one{"mma.sp::ordered_metadata.sync.aligned.m16n8k" + std::to_string(k) + ".row.col." + d + "." + a +
                         "." + b + "." + d,
                     16,
                     8,
                     k,
                     d,
                     a,
                     b,
                     d};
      one.sparse = true;
      one.selector = selector;
      cases.push_back(one);
    }
  };
  for (const char *sum : {"f16", "f32"}) {
    addSparse(16, sum, "f16", "f16", 4);
    addSparse(32, sum, "f16", "f16", 2);
  }
  addSparse(16, "f32", "bf16", "bf16", 4);
  addSparse(32, "f32", "bf16", "bf16", 2);
  addSparse(8, "f32", "tf32", "tf32", 4);
  addSparse(16, "f32", "tf32", "tf32", 2);
  addSparse(64, "f32", "e4m3", "e5m2", 1);
  for (const char *a : {"s8", "u8"}) {
    addSparse(32, "s32", a, "s8", 2);
    addSparse(64, "s32", a, "s8", 1);
  }
  for (const char *a : {"s4", "u4"}) {
    addSparse(64, "s32", a, "s4", 2);
    addSparse(128, "s32", a, "s4", 1);
  }
  // Kinds of sm_120a.
  const char *narrow[] = {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"};
  for (bool sparse : {false, true})
    for (unsigned i = 0; i < 5; ++i)
      for (int scaled = 0; scaled < 2; ++scaled) {
        unsigned k = sparse ? 64 : 32;
        std::string a = narrow[i], b = narrow[(i * 2 + 1) % 5];
        MatrixCase one{std::string(sparse ? "mma.sp::ordered_metadata" : "mma") + ".sync.aligned.m16n8k" +
                           std::to_string(k) +
                           ".row.col.kind::" + (scaled ? "mxf8f6f4.block_scale.scale_vec::1X" : "f8f6f4") + ".f32." +
                           a + "." + b + ".f32" + (scaled ? ".ue8m0" : ""),
                       16,
                       8,
                       k,
                       "f32",
                       a,
                       b,
                       "f32",
                       "sm_120a"};
        one.sparse = sparse;
        one.scales = scaled;
        one.scaleType = "ue8m0";
        cases.push_back(one);
      }
  for (bool sparse : {false, true})
    for (const char *text : {"mxf4 2 ue8m0", "mxf4nvf4 2 ue8m0", "mxf4nvf4 4 ue8m0", "mxf4nvf4 4 ue4m3"}) {
      std::string spec = text, kind = spec.substr(0, spec.find(' ')), type = spec.substr(spec.rfind(' ') + 1);
      unsigned scales = static_cast<unsigned>(spec[spec.find(' ') + 1] - '0'), k = sparse ? 128 : 64;
      MatrixCase one{std::string(sparse ? "mma.sp::ordered_metadata" : "mma") + ".sync.aligned.m16n8k" +
                         std::to_string(k) + ".row.col.kind::" + kind +
                         ".block_scale.scale_vec::" + std::to_string(scales) + "X.f32.e2m1.e2m1.f32." + type,
                     16,
                     8,
                     k,
                     "f32",
                     "e2m1",
                     "e2m1",
                     "f32",
                     "sm_120a"};
      one.factorBits = 4;
      one.sparse = sparse;
      one.scales = scales;
      one.scaleType = type;
      cases.push_back(one);
    }
  return cases;
}

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_MATRIXCASE_H

// wmma: load, multiply and store of every shape, type and layout against plain matrices.
#include "test/unit/Simulator/Execute/MatrixCase.h"
#include "test/unit/Simulator/Execute/MemoryKernel.h"

using namespace tilec::sim;

namespace {
struct WmmaCase {
  unsigned m, n, k;
  std::string d, a, c;
  bool aByRow, bByRow, cByRow;
  unsigned regsA, regsB, regsC;
  std::string bitOperation;
};
} // namespace

static void runCase(const WmmaCase &one, bool undefinedRow = false) {
  MatrixCase pick{"", 16, 8, 16, one.d, one.a, one.a, one.c};
  std::mt19937 random(3);
  unsigned bits = bitsOfType(one.a), bitsC = bitsOfType(one.c), bitsD = bitsOfType(one.d);
  auto stride = [](unsigned extent, unsigned bits) { return extent + (bits >= 8 ? 128 / bits : 0); };
  unsigned lengthA = one.aByRow ? one.k : one.m, lengthB = one.bByRow ? one.n : one.k,
           lengthC = one.cByRow ? one.n : one.m;
  unsigned strideA = stride(lengthA, bits), strideB = stride(lengthB, bits), strideC = stride(lengthC, bitsC),
           strideD = stride(lengthC, bitsD);
  constexpr unsigned startB = 1024, startC = 2048, startD = 3072;
  MemoryKernel kernel;
  kernel.buffer.assign(4096, 0);
  kernel.definedWords = 4096;
  std::vector<double> a(one.m * one.k), b(one.k * one.n), c(one.m * one.n);
  for (double &value : a)
    value = pick.pick(random, one.a);
  for (double &value : b)
    value = pick.pick(random, one.a);
  for (double &value : c)
    value = static_cast<int>(random() % 65) - 32;
  for (unsigned i = 0; i < one.m; ++i)
    for (unsigned e = 0; e < one.k; ++e)
      MatrixCase::put(kernel.buffer, size_t(one.aByRow ? i * strideA + e : e * strideA + i) * bits, bits,
                      encode(one.a, a[i * one.k + e]));
  for (unsigned e = 0; e < one.k; ++e)
    for (unsigned j = 0; j < one.n; ++j)
      MatrixCase::put(kernel.buffer, startB * 32 + size_t(one.bByRow ? e * strideB + j : j * strideB + e) * bits, bits,
                      encode(one.a, b[e * one.n + j]));
  for (unsigned i = 0; i < one.m; ++i)
    for (unsigned j = 0; j < one.n; ++j)
      MatrixCase::put(kernel.buffer, startC * 32 + size_t(one.cByRow ? i * strideC + j : j * strideC + i) * bitsC,
                      bitsC, encode(one.c, c[i * one.n + j]));
  std::string reg = bits == 64 ? "y" : "x";
  unsigned next = 0;
  auto list = [&](unsigned count) {
    std::string text = "{";
    for (unsigned r = 0; r < count; ++r)
      text += (r ? ", " : "") + reg + std::to_string(next++);
    return text + "}";
  };
  std::string shape = ".m" + std::to_string(one.m) + "n" + std::to_string(one.n) + "k" + std::to_string(one.k);
  unsigned regsD = one.regsC * bitsD / bitsC;
  std::string listA = list(one.regsA), listB = list(one.regsB), listC = list(one.regsC), listD = list(regsD);
  auto layout = [](bool byRow) { return std::string(byRow ? ".row" : ".col"); };
  std::string types =
      one.a == "f16" ? "." + one.d + "." + one.c : "." + one.d + "." + one.a + "." + one.a + "." + one.c;
  std::string body = ".reg .b32 x<60>;\n.reg .f64 y<10>;\n";
  body += "wmma.load.a.sync.aligned" + layout(one.aByRow) + shape + ".global." + one.a + " " + listA + ", [%buf], " +
          std::to_string(strideA) + ";\n";
  body += "wmma.load.b.sync.aligned" + layout(one.bByRow) + shape + ".global." + one.a + " " + listB +
          ", [%buf+4096], " + std::to_string(strideB) + ";\n";
  body += "wmma.load.c.sync.aligned" + layout(one.cByRow) + shape + ".global." + one.c + " " + listC +
          ", [%buf+8192], " + std::to_string(strideC) + ";\n";
  body += "wmma.mma" + (one.bitOperation.empty() ? "" : "." + one.bitOperation + ".popc") + ".sync.aligned" +
          layout(one.aByRow) + layout(one.bByRow) + shape + types + " " + listD + ", " + listA + ", " + listB + ", " +
          listC + ";\n";
  body += "wmma.store.d.sync.aligned" + layout(one.cByRow) + shape + ".global." + one.d + " [%buf+12288], " + listD +
          ", " + std::to_string(strideD) + ";\n";
  if (undefinedRow) // an undefined register: part of a row of A
    body = ".reg .b32 never;\n" +
           body.replace(body.find("wmma.mma"), 0, "setp.eq.u32 %p1, %t, 0;\n@%p1 mov.b32 x0, never;\n");
  ASSERT_EQ(kernel.run(body), "") << body;
  EXPECT_EQ(kernel.report(), "") << body;
  for (unsigned i = 0; i < one.m; ++i)
    for (unsigned j = 0; j < one.n; ++j) {
      double sum = c[i * one.n + j];
      for (unsigned e = 0; e < one.k; ++e)
        sum += one.bitOperation == "xor" ? a[i * one.k + e] != b[e * one.n + j] : a[i * one.k + e] * b[e * one.n + j];
      size_t bit = startD * 32 + size_t(one.cByRow ? i * strideD + j : j * strideD + i) * bitsD;
      if (undefinedRow) {
        EXPECT_EQ(!kernel.undefined->allDefined(bit / 8, bitsD / 8), i == 0) << i << " " << j;
        continue;
      }
      uint64_t found = 0;
      std::memcpy(&found, reinterpret_cast<const std::byte *>(kernel.buffer.data()) + bit / 8, bitsD / 8);
      ASSERT_EQ(found, encode(one.d, sum) & (bitsD == 64 ? ~uint64_t(0) : (uint64_t(1) << bitsD) - 1))
          << body << i << " " << j;
    }
}

TEST(Wmma, everyShapeTypeAndLayout) {
  static const unsigned shapes[3][2] = {{16, 16}, {8, 32}, {32, 8}};
  for (int layouts = 0; layouts < 8; ++layouts) {
    bool ra = layouts & 1, rb = layouts & 2, rc = layouts & 4;
    for (auto [m, n] : shapes) {
      ASSERT_NO_FATAL_FAILURE(runCase({m, n, 16, "f32", "f16", "f32", ra, rb, rc, 8, 8, 8, ""}));
      ASSERT_NO_FATAL_FAILURE(runCase({m, n, 16, "f16", "f16", "f16", ra, rb, rc, 8, 8, 4, ""}));
      ASSERT_NO_FATAL_FAILURE(runCase({m, n, 16, "f32", "f16", "f16", ra, rb, rc, 8, 8, 4, ""}));
      ASSERT_NO_FATAL_FAILURE(runCase({m, n, 16, "f32", "bf16", "f32", ra, rb, rc, m / 4, n / 4, 8, ""}));
      for (const char *type : {"s8", "u8"})
        ASSERT_NO_FATAL_FAILURE(runCase({m, n, 16, "s32", type, "s32", ra, rb, rc, m / 8, n / 8, 8, ""}));
    }
    ASSERT_NO_FATAL_FAILURE(runCase({16, 16, 8, "f32", "tf32", "f32", ra, rb, rc, 4, 4, 8, ""}));
    ASSERT_NO_FATAL_FAILURE(runCase({8, 8, 4, "f64", "f64", "f64", ra, rb, rc, 1, 1, 2, ""}));
    if (ra && !rb) {
      for (const char *type : {"s4", "u4"})
        ASSERT_NO_FATAL_FAILURE(runCase({8, 8, 32, "s32", type, "s32", ra, rb, rc, 1, 1, 2, ""}));
      for (const char *operation : {"xor", "and"})
        ASSERT_NO_FATAL_FAILURE(runCase({8, 8, 128, "s32", "b1", "s32", ra, rb, rc, 1, 1, 2, operation}));
    }
  }
}

TEST(Wmma, undefinedRow) { runCase({16, 16, 16, "f32", "bf16", "f32", true, false, true, 4, 4, 8, ""}, true); }

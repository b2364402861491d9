// The vectorised sums against their definition, and the definition against sums worked out by hand.
#include "lib/Simulator/Tensor/Model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace tilec::sim;

namespace {

uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// A factor in one of several styles, as bits of the format.
uint32_t randomBits(std::mt19937 &random, OperandFormat format, unsigned style) {
  unsigned bytes = elementBytes(format), width = 8 * bytes;
  uint32_t any = random(), all = bytes == 4 ? ~0u : (1u << width) - 1;
  if (style == 0)
    return any & all; // any bits, specials too
  if (format == OperandFormat::TF32 || format == OperandFormat::BF16) {
    uint32_t exponent = style == 1 ? 120 + random() % 16 : style == 2 ? random() % 3 : random() % 255;
    uint32_t word = (any & 0x807FFFFF) | exponent << 23;
    return format == OperandFormat::TF32 ? word : word >> 16;
  }
  if (format == OperandFormat::F16) {
    uint32_t exponent = style == 1 ? 10 + random() % 10 : style == 2 ? random() % 3 : random() % 31;
    return (any & 0x83FF) | exponent << 10;
  }
  return random() % 4 ? any & all & 0xBB : 0;
}

struct Problem {
  std::vector<Unpacked> a, b;
  std::vector<uint32_t> c;
};

Problem randomProblem(std::mt19937 &random, OperandFormat format, ResultFormat result, unsigned m, unsigned n,
                      unsigned k) {
  Problem made;
  unsigned style = random() % 4;
  auto factors = [&](size_t count) {
    std::vector<uint8_t> bytes(count * elementBytes(format));
    for (size_t i = 0; i < count; ++i) {
      uint32_t bits = randomBits(random, format, style);
      std::memcpy(bytes.data() + i * elementBytes(format), &bits, elementBytes(format));
    }
    std::vector<Unpacked> out(count);
    unpack(format, bytes.data(), count, out.data());
    return out;
  };
  made.a = factors(m * k);
  made.b = factors(k * n);
  for (unsigned i = 0; i < m * n; ++i) {
    uint32_t bits = random() % 3 ? randomBits(random, OperandFormat::TF32, style) | random() % 8192 : 0;
    made.c.push_back(result == ResultFormat::F32 ? bits
                     : random() % 3              ? randomBits(random, OperandFormat::F16, style)
                                                 : 0);
  }
  return made;
}

TEST(TensorModel, VectorisedSumsAreTheDefinition) {
  std::mt19937 random(1);
  const unsigned m = 16, n = 8;
  for (OperandFormat format : {OperandFormat::F16, OperandFormat::BF16, OperandFormat::TF32, OperandFormat::E4M3,
                               OperandFormat::E5M2, OperandFormat::E2M1})
    for (ResultFormat result : {ResultFormat::F32, ResultFormat::F16})
      for (TensorInstruction instruction : {TensorInstruction::Mma, TensorInstruction::WgmmaSparse})
        for (unsigned sm : {80u, 89u, 90u, 100u, 120u})
          for (unsigned repeat = 0; repeat < 40; ++repeat) {
            unsigned k = 32 / elementBytes(format);
            AccumulationModel model = accumulationModel(sm, instruction, format, format, result, k);
            Problem p = randomProblem(random, format, result, m, n, k);
            std::vector<uint32_t> fast(m * n), slow(m * n);
            multiplyAccumulate(model, format, format, m, n, k, p.a.data(), p.b.data(), p.c.data(), fast.data());
            multiplyAccumulateSlowly(model, format, format, m, n, k, p.a.data(), p.b.data(), p.c.data(), slow.data());
            ASSERT_EQ(fast, slow) << "sm " << sm << " format " << int(format) << " result " << int(result);
          }
}

/// The result of one row times one column, both in f16, on an sm_90.
uint32_t dot(std::vector<float> x, std::vector<float> y, float c, unsigned sm = 90) {
  const unsigned k = 16;
  x.resize(k), y.resize(k);
  std::vector<Unpacked> a(k), b(k);
  auto halves = [&](const std::vector<float> &from, std::vector<Unpacked> &to) {
    std::vector<uint32_t> words;
    for (float v : from)
      words.push_back(bitsOf(v)); // exact: TF32 has f16's fraction, and the exponents here are in its range
    unpack(OperandFormat::TF32, words.data(), k, to.data());
  };
  halves(x, a), halves(y, b);
  AccumulationModel model =
      accumulationModel(sm, TensorInstruction::Mma, OperandFormat::F16, OperandFormat::F16, ResultFormat::F32, k);
  uint32_t accumulator = bitsOf(c), out;
  multiplyAccumulate(model, OperandFormat::F16, OperandFormat::F16, 1, 1, k, a.data(), b.data(), &accumulator, &out);
  return out;
}

TEST(TensorModel, SumsAreCutNotRounded) {
  // 1 + 3 * 2^-25 is 1 + 0.75 ulp/2: cut to 1.
  EXPECT_EQ(dot({1, 0x1.8p-12f}, {1, 0x1p-12f}, 0), bitsOf(1.0f));
  EXPECT_EQ(dot({-1, -0x1.8p-12f}, {1, 0x1p-12f}, 0), bitsOf(-1.0f));
}

TEST(TensorModel, BitsBelowTheAlignmentAreLost) {
  // 1 - 1 + 2^-25: the least bit that sm_90 keeps; sm_80 keeps 24, and cuts.
  EXPECT_EQ(dot({1, -1, 0x1p-12f}, {1, 1, 0x1p-13f}, 0, 90), bitsOf(0x1p-25f));
  EXPECT_EQ(dot({1, -1, 0x1p-13f}, {1, 1, 0x1p-13f}, 0, 90), bitsOf(0.0f));
  EXPECT_EQ(dot({1, -1, 0x1p-12f}, {1, 1, 0x1p-13f}, 0, 80), bitsOf(0.0f));
  EXPECT_EQ(dot({1, -1, 0x1p-12f}, {1, 1, 0x1p-12f}, 0, 80), bitsOf(0x1p-24f));
}

TEST(TensorModel, TheAccumulatorIsAligned) {
  EXPECT_EQ(dot({1, 0x1p-12f}, {1, 0x1p-13f}, -1), bitsOf(0x1p-25f));
  EXPECT_EQ(dot({1, 0x1p-13f}, {1, 0x1p-13f}, -1), bitsOf(0.0f));
}

TEST(TensorModel, IntegersAreExactAndSaturateOnRequest) {
  std::vector<int16_t> a(32, 127), b(32 * 8, 127);
  std::vector<int32_t> c(8, INT32_MAX - 5), d(8);
  multiplyAccumulateInteger(true, 1, 8, 32, a.data(), b.data(), c.data(), d.data());
  EXPECT_EQ(d[3], INT32_MAX);
  multiplyAccumulateInteger(false, 1, 8, 32, a.data(), b.data(), c.data(), d.data());
  EXPECT_EQ(d[3], int32_t(uint32_t(INT32_MAX - 5) + 32u * 127 * 127));
}

} // namespace

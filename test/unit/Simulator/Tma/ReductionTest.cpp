#include "lib/Simulator/Tma/Reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tilec;
using namespace tilec::sim;
using R = BulkReduction;
using T = ptx::Type;

namespace {

TEST(Reduction, Integers) {
  EXPECT_EQ(reduceElement(R::Add, T::U32, 0xffffffff, 2), 1u);
  EXPECT_EQ(reduceElement(R::Min, T::S32, 0xffffffff, 2), 0xffffffffu);
  EXPECT_EQ(reduceElement(R::Min, T::U32, 0xffffffff, 2), 2u);
  EXPECT_EQ(reduceElement(R::Max, T::S64, ~uint64_t(0), 2), 2u);
  EXPECT_EQ(reduceElement(R::Max, T::U64, ~uint64_t(0), 2), ~uint64_t(0));
  EXPECT_EQ(reduceElement(R::Inc, T::U32, 5, 5), 0u);
  EXPECT_EQ(reduceElement(R::Inc, T::U32, 4, 5), 5u);
  EXPECT_EQ(reduceElement(R::Dec, T::U32, 0, 5), 5u);
  EXPECT_EQ(reduceElement(R::Dec, T::U32, 7, 5), 5u);
  EXPECT_EQ(reduceElement(R::Dec, T::U32, 3, 5), 2u);
  EXPECT_EQ(reduceElement(R::Xor, T::B64, 0xf0f0, 0xff00), 0x0ff0u);
}

TEST(Reduction, HalvesRoundToEvenAndKeepSubnormals) {
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x3c00, 0x3c00), 0x4000u);  // 1 + 1
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x6800, 0x3c00), 0x6800u);  // 2048 + 1: a tie, to even
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x6801, 0x3c00), 0x6802u);  // 2050 + 1: a tie, to even
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x0001, 0x0001), 0x0002u);  // subnormal
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x03ff, 0x0001), 0x0400u);  // to the least normal value
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x7bff, 0x7bff), 0x7c00u);  // overflow
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x7c00, 0xfc00), 0x7fffu);  // inf - inf
  EXPECT_EQ(reduceElement(R::Add, T::F16, 0x8000, 0x8000), 0x8000u);  // -0 + -0
  EXPECT_EQ(reduceElement(R::Add, T::BF16, 0x3f80, 0x3f80), 0x4000u); // 1 + 1
  EXPECT_EQ(reduceElement(R::Add, T::BF16, 0x4380, 0x3f80), 0x4380u); // 256 + 1: a tie, to even
  EXPECT_EQ(reduceElement(R::Add, T::BF16, 0x0001, 0x0001), 0x0002u);
  EXPECT_EQ(reduceElement(R::Add, T::BF16, 0x7f00, 0x0001), 0x7f00u);
}

TEST(Reduction, HalvesAgainstFloat) {
  // The sum of two bf16 values of near exponents is exact in float.
  for (uint32_t a = 0x3f00; a < 0x4100; a += 3)
    for (uint32_t b = 0xbf00; b < 0xc100; b += 7) {
      uint32_t aBits = a << 16, bBits = b << 16, sumBits;
      float x, y;
      std::memcpy(&x, &aBits, 4);
      std::memcpy(&y, &bBits, 4);
      float sum = x + y;
      std::memcpy(&sumBits, &sum, 4);
      uint32_t rounded = (sumBits + 0x7fff + ((sumBits >> 16) & 1)) >> 16;
      ASSERT_EQ(reduceElement(R::Add, T::BF16, a, b), rounded);
    }
}

TEST(Reduction, MinimumOfHalves) {
  EXPECT_EQ(reduceElement(R::Min, T::F16, 0x8000, 0x0000), 0x8000u);
  EXPECT_EQ(reduceElement(R::Max, T::F16, 0x8000, 0x0000), 0x0000u);
  EXPECT_EQ(reduceElement(R::Min, T::F16, 0x7e00, 0x3c00), 0x3c00u);
  EXPECT_EQ(reduceElement(R::Max, T::BF16, 0xbf80, 0xc000), 0xbf80u);
}

TEST(Reduction, FloatsKeepSubnormalsUnlessTold) {
  EXPECT_EQ(reduceElement(R::Add, T::F32, 0x00000001, 0x00000001), 2u);
  EXPECT_EQ(reduceElement(R::Add, T::F32, 0x00000001, 0x00000001, true), 0u);
  EXPECT_EQ(reduceElement(R::Add, T::F32, 0x80000001, 0x80000000, true), 0x80000000u);
  EXPECT_EQ(reduceElement(R::Add, T::F32, 0x3f800000, 0x40000000), 0x40400000u);
  EXPECT_EQ(reduceElement(R::Add, T::F64, 1, 1), 2u);
}

TEST(Reduction, DoublesKeepTheBitsOfNaN) {
  constexpr uint64_t signalling = 0x7ff0000000000001, quiet = 0xfff8000000000005;
  EXPECT_EQ(reduceElement(R::Add, T::F64, signalling, 0), signalling);
  EXPECT_EQ(reduceElement(R::Add, T::F64, 0, quiet), quiet);
  EXPECT_EQ(reduceElement(R::Add, T::F64, quiet, signalling), signalling);
}

TEST(Reduction, LegalCombinations) {
  EXPECT_TRUE(isLegalReduction(R::Add, T::U64, true));
  EXPECT_FALSE(isLegalReduction(R::Add, T::F32, true));
  EXPECT_TRUE(isLegalReduction(R::Add, T::F32, false));
  EXPECT_FALSE(isLegalReduction(R::Add, T::S64, false));
  EXPECT_TRUE(isLegalReduction(R::Min, T::BF16, false));
  EXPECT_FALSE(isLegalReduction(R::Min, T::F32, false));
  EXPECT_FALSE(isLegalReduction(R::Inc, T::S32, false));
  EXPECT_FALSE(isLegalReduction(R::And, T::B64, true));
}

} // namespace

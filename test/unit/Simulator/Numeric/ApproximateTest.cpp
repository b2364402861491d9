// The bounds and special values of the ISA, against the host's long double functions.
#include "lib/Simulator/Numeric/Approximate.h"

#include "lib/Simulator/Numeric/Rows.h"

#include "Operands.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>

using namespace tilec::sim;

namespace {

constexpr uint32_t inf = 0x7f800000, negativeInf = 0xff800000, nan = 0x7fffffff, one = 0x3f800000, zero = 0,
                   negativeZero = 0x80000000;

/// The distance in units of the last place of the correctly rounded result.
long double ulps(uint32_t result, long double truth) {
  float rounded = static_cast<float>(truth);
  if (std::isinf(rounded) || bitsOf(rounded) == result)
    return bitsOf(rounded) == result ? 0 : 100;
  float next = std::nextafter(std::fabs(rounded), INFINITY);
  return std::fabs(floatOf(result) - truth) / (static_cast<long double>(next) - std::fabs(rounded));
}

/// Calls `check` with every special value of f32 and with numbers of every exponent.
void forOperands(const std::function<void(uint32_t)> &check) {
  for (uint64_t value : specialValues(f32Format))
    check(uint32_t(value));
  std::mt19937 generator(1);
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (int i = 0; i < 400; ++i)
      check((generator() & 0x807fffff) | exponent << 23);
}

TEST(Approximate, ex2_within_2_ulp) {
  EXPECT_EQ(ex2Approx(negativeInf, false), zero);
  EXPECT_EQ(ex2Approx(negativeZero, false), one);
  EXPECT_EQ(ex2Approx(zero, true), one);
  EXPECT_EQ(ex2Approx(inf, false), inf);
  EXPECT_EQ(ex2Approx(0xffc00001, false), nan);
  EXPECT_EQ(ex2Approx(0x80000001, true), one);
  forOperands([](uint32_t a) {
    float x = floatOf(a);
    if (!std::isfinite(x))
      return;
    ASSERT_LE(ulps(ex2Approx(a, false), exp2l(x)), 2) << x;
    if (std::fabs(x) < 126)
      ASSERT_EQ(ex2Approx(a, true), ex2Approx(a, false));
  });
  for (int n = -149; n <= 127; ++n)
    EXPECT_EQ(ex2Approx(bitsOf(float(n)), false), bitsOf(std::ldexp(1.0f, n)));
  EXPECT_EQ(ex2Approx(bitsOf(-130.0f), true), zero);
}

TEST(Approximate, rows_give_the_bits_of_single_lanes) {
  std::vector<uint32_t> operands;
  forOperands([&](uint32_t a) { operands.push_back(a); });
  operands.resize(operands.size() / warpLanes * warpLanes);
  for (bool ftz : {false, true})
    for (size_t i = 0; i < operands.size(); i += warpLanes) {
      uint32_t power[warpLanes], reciprocal[warpLanes];
      ex2ApproxRow(ftz, power, &operands[i]);
      rcpApproxRow(ftz, reciprocal, &operands[i]);
      for (size_t lane = 0; lane < warpLanes; ++lane) {
        ASSERT_EQ(power[lane], ex2Approx(operands[i + lane], ftz)) << std::hex << operands[i + lane];
        ASSERT_EQ(reciprocal[lane], rcpApprox(operands[i + lane], ftz)) << std::hex << operands[i + lane];
      }
    }
}

TEST(Approximate, ex2_is_monotonic) {
  uint32_t last = 0;
  for (float x = -151.0f; x < 129.0f; x += 0.0009765625f * 3) {
    uint32_t result = ex2Approx(bitsOf(x), false);
    ASSERT_GE(result, last) << x;
    last = result;
  }
}

TEST(Approximate, lg2_within_its_bounds) {
  EXPECT_EQ(lg2Approx(negativeInf, false), nan);
  EXPECT_EQ(lg2Approx(0xbf800000, false), nan);
  EXPECT_EQ(lg2Approx(negativeZero, false), negativeInf);
  EXPECT_EQ(lg2Approx(zero, false), negativeInf);
  EXPECT_EQ(lg2Approx(inf, false), inf);
  EXPECT_EQ(lg2Approx(nan, false), nan);
  EXPECT_EQ(lg2Approx(0x00000001, true), negativeInf);
  EXPECT_EQ(lg2Approx(0x00000001, false), bitsOf(-149.0f));
  EXPECT_EQ(lg2Approx(one, false), zero);
  forOperands([](uint32_t a) {
    long double x = floatOf(a);
    if (!(x > 0) || std::isinf(x))
      return;
    long double truth = log2l(x), error = std::fabs(floatOf(lg2Approx(a, false)) - truth);
    ASSERT_LE(error, x > 0.5L && x < 2 ? 0x1p-22L : 0x1p-22L * std::fabs(truth)) << double(x);
  });
}

TEST(Approximate, sin_and_cos_within_their_bounds) {
  for (uint32_t a : {inf, negativeInf, nan}) {
    EXPECT_EQ(sinApprox(a, false), nan);
    EXPECT_EQ(cosApprox(a, false), nan);
  }
  EXPECT_EQ(sinApprox(zero, false), zero);
  EXPECT_EQ(sinApprox(negativeZero, false), negativeZero);
  EXPECT_EQ(sinApprox(0x80000001, true), negativeZero);
  EXPECT_EQ(cosApprox(zero, false), one);
  EXPECT_EQ(cosApprox(negativeZero, false), one);
  const long double pi = acosl(-1.0L);
  std::mt19937 generator(4);
  for (int i = 0; i < 200000; ++i) {
    long double range = i % 2 ? 2 * pi : 100 * pi;
    float x = static_cast<float>((generator() / 2147483648.0L - 1) * range);
    long double bound = i % 2 ? powl(2, -20.5L) : powl(2, -14.7L);
    ASSERT_LE(std::fabs(floatOf(sinApprox(bitsOf(x), false)) - sinl(x)), bound) << x;
    ASSERT_LE(std::fabs(floatOf(cosApprox(bitsOf(x), false)) - cosl(x)), bound) << x;
  }
  forOperands([](uint32_t a) {
    if (!std::isfinite(floatOf(a)))
      return;
    ASSERT_LE(std::fabs(floatOf(sinApprox(a, false))), 1.0f);
    ASSERT_LE(std::fabs(floatOf(cosApprox(a, false))), 1.0f);
  });
}

TEST(Approximate, tanh_within_its_bounds) {
  EXPECT_EQ(tanhApprox(negativeInf), bitsOf(-1.0f));
  EXPECT_EQ(tanhApprox(inf), one);
  EXPECT_EQ(tanhApprox(nan), nan);
  forOperands([](uint32_t a) {
    long double x = floatOf(a), truth = tanhl(x);
    if (!std::isfinite(floatOf(a)))
      return;
    if ((a & inf) == 0)
      ASSERT_EQ(tanhApprox(a), a);
    else
      ASSERT_LE(std::fabs(floatOf(tanhApprox(a)) - truth), 0x1p-11L * std::fabs(truth)) << double(x);
  });
  for (uint32_t code = 0; code < 0x10000; ++code) {
    long double x = decodeToDouble(f16Format, code), y = decodeToDouble(bf16Format, code);
    double f16 = decodeToDouble(f16Format, tanhApproxHalf(FloatType::F16, code));
    double bf16 = decodeToDouble(bf16Format, tanhApproxHalf(FloatType::BF16, code));
    ASSERT_TRUE(x != x ? f16 != f16 : std::fabs(f16 - tanhl(x)) <= powl(2, -10.987L)) << double(x);
    ASSERT_TRUE(y != y ? bf16 != bf16 : std::fabs(bf16 - tanhl(y)) <= 0x1p-8L) << double(y);
  }
  EXPECT_EQ(tanhApproxHalves(FloatType::F16, 0x80007c00), 0x80003c00u);
}

TEST(Approximate, ex2_of_every_half) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    long double x = decodeToDouble(f16Format, code), y = decodeToDouble(bf16Format, code);
    uint32_t f16 = ex2ApproxHalf(FloatType::F16, code), bf16 = ex2ApproxHalf(FloatType::BF16, code);
    if (x != x)
      ASSERT_EQ(f16, 0x7fffu);
    else if (x > -14 && x < 16)
      ASSERT_LE(std::fabs(decodeToDouble(f16Format, f16) / exp2l(x) - 1), powl(2, -9.9L)) << double(x);
    if (y != y)
      ASSERT_EQ(bf16, 0x7fffu);
    else if (y > -126 && y < 128 && exp2l(y) < 0x1.fep127L)
      ASSERT_LE(std::fabs(decodeToDouble(bf16Format, bf16) / exp2l(y) - 1), 0x1p-7L) << double(y);
    ASSERT_FALSE(bf16Format.isSubnormal(bf16));
  }
  EXPECT_EQ(ex2ApproxHalves(FloatType::F16, 0xfc007c00), 0x00007c00u);
  EXPECT_EQ(ex2ApproxHalves(FloatType::BF16, 0xff807f80), 0x00007f80u);
  EXPECT_EQ(ex2ApproxHalves(FloatType::BF16, 0x80010000), 0x3f803f80u);
}

TEST(Approximate, reciprocals_and_roots_within_their_bounds) {
  EXPECT_EQ(rcpApprox(negativeInf, false), negativeZero);
  EXPECT_EQ(rcpApprox(negativeZero, false), negativeInf);
  EXPECT_EQ(rcpApprox(0x00000001, true), inf);
  EXPECT_EQ(rcpApprox(bitsOf(0x1p127f), true), zero);
  EXPECT_EQ(rcpApprox(nan, false), nan);
  EXPECT_EQ(sqrtApprox(negativeZero, false), negativeZero);
  EXPECT_EQ(sqrtApprox(0x80800000, false), nan);
  EXPECT_EQ(sqrtApprox(0x80000001, true), negativeZero);
  EXPECT_EQ(sqrtApprox(inf, false), inf);
  EXPECT_EQ(rsqrtApprox(negativeZero, false), negativeInf);
  EXPECT_EQ(rsqrtApprox(zero, false), inf);
  EXPECT_EQ(rsqrtApprox(inf, false), zero);
  EXPECT_EQ(rsqrtApprox(negativeInf, false), nan);
  forOperands([](uint32_t a) {
    long double x = floatOf(a);
    if (!std::isfinite(floatOf(a)) || x == 0)
      return;
    ASSERT_LE(ulps(rcpApprox(a, false), 1 / x), 1) << double(x);
    if (x > 0) {
      ASSERT_LE(std::fabs(floatOf(sqrtApprox(a, false)) / sqrtl(x) - 1), 0x1p-23L);
      ASSERT_LE(std::fabs(floatOf(rsqrtApprox(a, false)) * sqrtl(x) - 1), powl(2, -22.9L));
    }
  });
}

TEST(Approximate, division_within_2_ulp) {
  EXPECT_EQ(divApprox(inf, bitsOf(0x1.8p126f), false), nan);
  EXPECT_EQ(divApprox(bitsOf(-1.0f), bitsOf(0x1.8p126f), false), negativeZero);
  EXPECT_EQ(divApprox(one, bitsOf(0x1p126f), true), bitsOf(0x1p-126f));
  EXPECT_EQ(divApprox(zero, zero, false), nan);
  EXPECT_EQ(divFull(one, bitsOf(3.0f), false), bitsOf(1.0f / 3.0f));
  EXPECT_EQ(divFull(bitsOf(0x1p-126f), bitsOf(2.0f), true), zero);
  RandomCodes random(f32Format, 8);
  for (int i = 0; i < 200000; ++i) {
    uint32_t a = uint32_t(random.next()), b = uint32_t(random.next());
    long double x = floatOf(a), y = floatOf(b);
    if (!std::isfinite(floatOf(a)) || !std::isfinite(floatOf(b)) || y == 0)
      continue;
    ASSERT_LE(ulps(divFull(a, b, false), x / y), 2);
    if (std::fabs(y) >= 0x1p-126L && std::fabs(y) <= 0x1p126L)
      ASSERT_LE(ulps(divApprox(a, b, false), x / y), 2) << double(x) << " / " << double(y);
  }
}

TEST(Approximate, f64_forms) {
  EXPECT_EQ(rcpApproxFtzF64(bitsOf(-INFINITY * 1.0)), 0x8000000000000000u);
  EXPECT_EQ(rcpApproxFtzF64(0x800fffffffffffff), 0xfff0000000000000u);
  EXPECT_EQ(rcpApproxFtzF64(0), 0x7ff0000000000000u);
  EXPECT_EQ(rcpApproxFtzF64(0xfff8000000000001), 0x7fffffff00000000u);
  EXPECT_EQ(rcpApproxFtzF64(bitsOf(4.0) | 0xffffffff), bitsOf(0.25)); // the lower word does not count
  EXPECT_EQ(rsqrtApproxFtzF64(bitsOf(-1.0)), 0x7fffffff00000000u);
  EXPECT_EQ(rsqrtApproxFtzF64(0x8000000000000001), 0xfff0000000000000u);
  EXPECT_EQ(rsqrtApproxF64(bitsOf(-1.0)), 0xfff8000000000000u);
  EXPECT_EQ(rsqrtApproxF64(0x8000000000000000), 0xfff0000000000000u);
  RandomCodes random(f64Format, 8);
  for (int i = 0; i < 100000; ++i) {
    uint64_t a = random.next() & 0x7fffffff00000000u;
    long double x = doubleOf(a);
    if (!std::isfinite(doubleOf(a)) || x < 0x1p-1020L || x > 0x1p1020L)
      continue;
    ASSERT_LE(std::fabs(doubleOf(rcpApproxFtzF64(a)) * x - 1), 0x1p-20L);
    ASSERT_LE(std::fabs(doubleOf(rsqrtApproxFtzF64(a)) * sqrtl(x) - 1), 0x1p-20L);
    ASSERT_LE(std::fabs(doubleOf(rsqrtApproxF64(a)) * sqrtl(x) - 1), 0x1p-52L);
    ASSERT_EQ(rcpApproxFtzF64(a) & 0xffffffff, 0u);
  }
}

} // namespace

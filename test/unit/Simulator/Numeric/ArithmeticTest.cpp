// The exact path against the host's own arithmetic in each of its rounding modes, which it sets around one operation.
#include "lib/Simulator/Numeric/Arithmetic.h"

#include "Operands.h"
#include "gtest/gtest.h"

#include <cfenv>
#include <cmath>

using namespace tilec::sim;

namespace {

const Rounding roundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up};
const FloatOp operations[] = {FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Fma,
                              FloatOp::Div, FloatOp::Rcp, FloatOp::Sqrt};

int hostRounding(Rounding rounding) {
  switch (rounding) {
  case Rounding::TowardZero:
    return FE_TOWARDZERO;
  case Rounding::Down:
    return FE_DOWNWARD;
  case Rounding::Up:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

/// The host's result; volatile keeps the operation between the two changes of mode.
template <typename Float> Float hostResult(FloatOp op, Rounding rounding, Float x, Float y, Float z) {
  volatile Float a = x, b = y, c = z, result = 0, one = 1;
  std::fesetround(hostRounding(rounding));
  switch (op) {
  case FloatOp::Add:
    result = a + b;
    break;
  case FloatOp::Sub:
    result = a - b;
    break;
  case FloatOp::Mul:
    result = a * b;
    break;
  case FloatOp::Fma:
    result = std::fma(Float(a), Float(b), Float(c));
    break;
  case FloatOp::Div:
    result = a / b;
    break;
  case FloatOp::Rcp:
    result = one / a;
    break;
  case FloatOp::Sqrt:
    result = std::sqrt(Float(a));
    break;
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

void checkF32(FloatOp op, Rounding rounding, uint32_t a, uint32_t b, uint32_t c) {
  float expected = hostResult(op, rounding, floatOf(a), floatOf(b), floatOf(c));
  uint32_t bits = expected != expected ? 0x7fffffff : bitsOf(expected);
  FloatMode mode;
  mode.rounding = rounding;
  ASSERT_EQ(evaluate(FloatType::F32, op, mode, a, b, c), bits)
      << std::hex << "op " << int(op) << " rounding " << int(rounding) << " of " << a << ' ' << b << ' ' << c;
}

void checkF64(FloatOp op, Rounding rounding, uint64_t a, uint64_t b, uint64_t c) {
  double expected = hostResult(op, rounding, doubleOf(a), doubleOf(b), doubleOf(c));
  FloatMode mode;
  mode.rounding = rounding;
  uint64_t result = evaluate(FloatType::F64, op, mode, a, b, c);
  if (expected != expected)
    ASSERT_TRUE(f64Format.isNan(result));
  else
    ASSERT_EQ(result, bitsOf(expected)) << std::hex << "op " << int(op) << " rounding " << int(rounding) << " of " << a
                                        << ' ' << b << ' ' << c;
}

template <typename Check> void checkAll(const FloatFormat &format, Check check) {
  std::vector<uint64_t> values = specialValues(format);
  RandomCodes random(format, 7);
  for (FloatOp op : operations) {
    for (Rounding rounding : roundings) {
      for (uint64_t a : values)
        for (uint64_t b : values) {
          uint64_t c = op == FloatOp::Fma ? values[(a + 3 * b) % values.size()] : 0;
          check(op, rounding, a, b, c);
          if (::testing::Test::HasFatalFailure())
            return;
        }
      for (int i = 0; i < 40000; ++i) {
        uint64_t a = random.next(), b = random.next(), c = random.next();
        // A third operand near the product, so that it cancels.
        if (i % 4 == 0)
          c = (a & ~((uint64_t(1) << (format.mantissaBits / 2)) - 1)) ^ format.signBit();
        check(op, rounding, a, b, c);
        if (::testing::Test::HasFatalFailure())
          return;
      }
    }
  }
}

TEST(Arithmetic, f32_equals_the_host_in_every_rounding) { checkAll(f32Format, checkF32); }
TEST(Arithmetic, f64_equals_the_host_in_every_rounding) { checkAll(f64Format, checkF64); }

TEST(Arithmetic, fma_of_f32_is_that_of_its_product_in_f64) {
  RandomCodes random(f32Format, 3);
  FloatMode mode;
  for (int i = 0; i < 200000; ++i) {
    // c cancels the rounded product, so only the product's low half is left: exact in f64.
    uint32_t a = uint32_t(random.next()), b = uint32_t(random.next());
    float product = floatOf(a) * floatOf(b);
    double rest = double(floatOf(a)) * floatOf(b) - product;
    if (!std::isfinite(product) || std::fabs(product) < 0x1p-80f)
      continue;
    ASSERT_EQ(evaluate(FloatType::F32, FloatOp::Fma, mode, a, b, bitsOf(-product)), bitsOf(float(rest)));
  }
}

TEST(Arithmetic, nan_results_are_canonical_except_in_f64) {
  FloatMode mode;
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Add, mode, 0xffc01234, 0), 0x7fffffffu);
  EXPECT_EQ(evaluate(FloatType::F16, FloatOp::Mul, mode, 0x7c00, 0), 0x7fffu);
  EXPECT_EQ(evaluate(FloatType::BF16, FloatOp::Sub, mode, 0x7f80, 0x7f80), 0x7fffu);
  EXPECT_EQ(evaluate(FloatType::F64, FloatOp::Add, mode, 0x7ff0000000000000, 0xfff0000000000000), 0xfff8000000000000u);
  EXPECT_EQ(evaluate(FloatType::F64, FloatOp::Add, mode, 0x3ff0000000000000, 0x7ff0000000000123), 0x7ff8000000000123u);
  EXPECT_EQ(evaluate(FloatType::F64, FloatOp::Fma, mode, 0xfff8000000000001, 0x7ff8000000000002, 0),
            0x7ff8000000000002u);
  EXPECT_EQ(evaluate(FloatType::F64, FloatOp::Fma, mode, 0xfff8000000000001, 0, 0x7ff8000000000003),
            0x7ff8000000000003u);
  EXPECT_EQ(evaluate(FloatType::F64, FloatOp::Div, mode, 0xfff8000000000001, 0x7ff8000000000002), 0xfff8000000000001u);
}

TEST(Arithmetic, ftz_sat_and_relu_act_on_results) {
  FloatMode ftz;
  ftz.ftz = true;
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Mul, ftz, 0x80800000, 0x3f000000), 0x80000000u); // a subnormal result
  // One that would round up to the smallest normal number.
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Mul, ftz, 0x3f7fffff, 0x80800000), 0x80000000u);
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Add, ftz, 0x807fffff, 0x80000001), 0x80000000u); // subnormal operands
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Rcp, ftz, 0x00000001, 0), 0x7f800000u);
  EXPECT_EQ(evaluate(FloatType::F16, FloatOp::Add, ftz, 0x0001, 0x3c00), 0x3c00u);
  FloatMode sat;
  sat.sat = true;
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Add, sat, 0x3f800000, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Add, sat, 0x7fc00000, 0), 0u);
  EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Mul, sat, 0xbf800000, 0x3f800000), 0u);
  FloatMode relu;
  relu.relu = true;
  EXPECT_EQ(evaluate(FloatType::F16, FloatOp::Fma, relu, 0xbc00, 0x3c00, 0), 0u);
  EXPECT_EQ(evaluate(FloatType::BF16, FloatOp::Fma, relu, 0xffff, 0x3c00, 0), 0x7fffu);
  FloatMode oob;
  oob.oob = true;
  EXPECT_EQ(evaluateHalves(FloatType::F16, FloatOp::Fma, oob, oobNan << 16 | 0x3c00, 0x3c003c00, 0x3c003c00), 0x4000u);
}

TEST(Arithmetic, mixed_precision_widens_and_rounds_once) {
  FloatMode up;
  up.rounding = Rounding::Up;
  EXPECT_EQ(evaluateMixed(FloatType::F16, FloatOp::Add, up, 0x0001, 0, 0x3f800000), 0x3f800001u);
  EXPECT_EQ(evaluateMixed(FloatType::BF16, FloatOp::Sub, {}, 0x4000, 0, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(evaluateMixed(FloatType::F16, FloatOp::Fma, {}, 0x4200, 0x4000, 0xc0a00000), 0x3f800000u); // 3 · 2 - 5
}

TEST(Arithmetic, zero_sums_take_the_sign_of_the_rounding) {
  for (Rounding rounding : roundings) {
    FloatMode mode;
    mode.rounding = rounding;
    uint64_t expected = rounding == Rounding::Down ? 0x80000000u : 0;
    EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Sub, mode, 0x3f800000, 0x3f800000), expected);
    EXPECT_EQ(evaluate(FloatType::F32, FloatOp::Fma, mode, 0x40000000, 0x3f800000, 0xc0000000), expected);
  }
}

TEST(Arithmetic, min_and_max_order_zeros_and_treat_nan_as_asked) {
  MinMaxMode min, max;
  max.isMax = true;
  EXPECT_EQ(minMax(FloatType::F32, min, 0, 0x80000000), 0x80000000u);
  EXPECT_EQ(minMax(FloatType::F32, max, 0x80000000, 0), 0u);
  EXPECT_EQ(minMax(FloatType::F32, min, 0x7fc00000, 0x40000000), 0x40000000u);
  EXPECT_EQ(minMax(FloatType::F32, min, 0xc0000000, 0x7fc00000), 0xc0000000u);
  EXPECT_EQ(minMax(FloatType::F16, max, 0x7e00, 0xfe00), 0x7fffu);
  MinMaxMode nan = min;
  nan.nan = true;
  EXPECT_EQ(minMax(FloatType::BF16, nan, 0x3f80, 0x7fc1), 0x7fffu);
  MinMaxMode xorsign = max;
  xorsign.abs = xorsign.xorsign = true;
  EXPECT_EQ(minMax(FloatType::F32, xorsign, 0xc0400000, 0x40000000), 0xc0400000u);
  EXPECT_EQ(minMax(FloatType::F32, xorsign, 0xc0400000, 0xc0000000), 0x40400000u);
  MinMaxMode ftz = max;
  ftz.ftz = true;
  EXPECT_EQ(minMax(FloatType::F32, ftz, 0x00000001, 0x80000005), 0u);
  EXPECT_EQ(minMax3(FloatType::F32, max, 0x3f800000, 0x40400000, 0x40000000), 0x40400000u);
  EXPECT_EQ(minMax(FloatType::F64, min, 0xbff0000000000000, 0x3ff0000000000000), 0xbff0000000000000u);
}

TEST(Arithmetic, comparisons_agree_with_the_host) {
  std::vector<uint64_t> values = specialValues(f32Format);
  for (uint64_t a : values)
    for (uint64_t b : values) {
      float x = floatOf(uint32_t(a)), y = floatOf(uint32_t(b));
      bool unordered = std::isnan(x) || std::isnan(y);
      auto holds = [&](FloatCompare comparison) { return compare(FloatType::F32, comparison, false, a, b); };
      ASSERT_EQ(holds(FloatCompare::Eq), x == y);
      ASSERT_EQ(holds(FloatCompare::Ne), x != y && !unordered);
      ASSERT_EQ(holds(FloatCompare::Lt), x < y);
      ASSERT_EQ(holds(FloatCompare::Le), x <= y);
      ASSERT_EQ(holds(FloatCompare::Gt), x > y);
      ASSERT_EQ(holds(FloatCompare::Ge), x >= y);
      ASSERT_EQ(holds(FloatCompare::Equ), x == y || unordered);
      ASSERT_EQ(holds(FloatCompare::Neu), x != y);
      ASSERT_EQ(holds(FloatCompare::Ltu), !(x >= y));
      ASSERT_EQ(holds(FloatCompare::Leu), !(x > y));
      ASSERT_EQ(holds(FloatCompare::Gtu), !(x <= y));
      ASSERT_EQ(holds(FloatCompare::Geu), !(x < y));
      ASSERT_EQ(holds(FloatCompare::Num), !unordered);
      ASSERT_EQ(holds(FloatCompare::Nan), unordered);
    }
  EXPECT_TRUE(compare(FloatType::F32, FloatCompare::Eq, true, 0x00000001, 0x80000001));
}

TEST(Arithmetic, signs_and_properties) {
  EXPECT_EQ(absolute(FloatType::F32, false, 0xc0000000), 0x40000000u);
  EXPECT_EQ(negated(FloatType::F16, true, 0x0001), 0x8000u);
  EXPECT_EQ(negated(FloatType::BF16, false, 0xffc0), 0x7fffu);
  EXPECT_EQ(absolute(FloatType::F64, false, 0xfff0000000000001), 0xfff8000000000001u);
  EXPECT_EQ(copySign(FloatType::F32, 0x80000000, 0x3f800000), 0xbf800000u);
  for (uint64_t a : specialValues(f64Format)) {
    double x = doubleOf(a);
    EXPECT_EQ(testProperty(FloatType::F64, TestProperty::Finite, a), std::isfinite(x));
    EXPECT_EQ(testProperty(FloatType::F64, TestProperty::Infinite, a), std::isinf(x));
    EXPECT_EQ(testProperty(FloatType::F64, TestProperty::Number, a), !std::isnan(x));
    EXPECT_EQ(testProperty(FloatType::F64, TestProperty::NotANumber, a), std::isnan(x));
    EXPECT_EQ(testProperty(FloatType::F64, TestProperty::Normal, a), std::isnormal(x) || x == 0);
    EXPECT_EQ(testProperty(FloatType::F64, TestProperty::Subnormal, a), std::fpclassify(x) == FP_SUBNORMAL);
  }
}

} // namespace

// exp, tanh and erf against the C library in double precision. The hardware's 2^x and 1/x are stood in for by correctly
// rounded ones, and by ones that are a whole unit in the last place off, either way.
#include "lib/Conversion/TileToNVVM/FloatFunctions.h"
#include "test/unit/Conversion/ScalarJit.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace mlir;
using namespace mlir::tile;

/// How far the stand-ins are off, in units in the last place of the exact result.
static int exp2Error = 0, reciprocalError = 0;

/// The nearest float; or the one farthest up or down that is still within a unit of the exact result.
static float moved(double exact, int units) {
  const double bound = exact + units * std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
  float value = float(bound);
  if (units > 0 && value > bound)
    value = std::nextafter(value, 0.0f);
  if (units < 0 && value < bound)
    value = std::nextafter(value, std::numeric_limits<float>::infinity());
  return value;
}
static float hardwareExp2(float x) { return x == 0 ? 1.0f : moved(std::exp2(double(x)), exp2Error); }
static float hardwareReciprocal(float x) { return moved(1.0 / double(x), reciprocalError); }

using Builder2 = Value (*)(ImplicitLocOpBuilder &, Value, const HardwareFunctions &);
using Function = float(float);

static Function *compile(ScalarJit &jit, Builder2 build) {
  jit.functions["hardware_exp2"] = hardwareExp2;
  jit.functions["hardware_reciprocal"] = hardwareReciprocal;
  return jit.compile<Function>(jit.f32, [&](ImplicitLocOpBuilder &b, ValueRange x) {
    auto exp2 = [&](Value y) { return ScalarJit::call(b, "hardware_exp2", y); };
    auto reciprocal = [&](Value y) { return ScalarJit::call(b, "hardware_reciprocal", y); };
    return build(b, x[0], HardwareFunctions{exp2, reciprocal});
  });
}

/// The distance in units in the last place of the exact result; subnormals share the smallest unit.
static double ulps(float found, double exact) {
  if (std::isinf(found) && std::fabs(exact) >= 0x1.ffffffp127)
    return 0;
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::fabs(double(found) - exact) / std::ldexp(1.0, exponent - 23);
}

/// The largest error over every `stride`th f32 between two; TILEC_EXHAUSTIVE tries all.
static double largestError(Function *function, double (*exact)(double), float low, float high, uint32_t stride) {
  if (std::getenv("TILEC_EXHAUSTIVE"))
    stride = 1;
  double largest = 0;
  float worst = 0;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += stride) {
    const auto pattern = uint32_t(bits);
    float x;
    std::memcpy(&x, &pattern, sizeof x);
    if (!(x >= low && x <= high))
      continue;
    const double error = ulps(function(x), exact(double(x)));
    if (error > largest) {
      largest = error;
      worst = x;
    }
  }
  std::printf("largest error %.3f at %a\n", largest, double(worst));
  return largest;
}

static constexpr uint32_t stride = 1009;

TEST(FloatFunctions, exp_adds_little_to_the_error_of_the_hardware) {
  ScalarJit jit;
  Function *exp = compile(jit, buildExp);
  for (int error : {-2, -1, 0, 1, 2}) {
    exp2Error = error;
    EXPECT_LE(largestError(exp, std::exp, -110, 90, stride), std::max(0.9, std::abs(error) + 0.5));
  }
  exp2Error = 0;
}

TEST(FloatFunctions, exp_of_special_values) {
  ScalarJit jit;
  Function *exp = compile(jit, buildExp);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(exp(0.0f), 1.0f);
  EXPECT_EQ(exp(-0.0f), 1.0f);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_EQ(exp(-infinity), 0.0f);
  EXPECT_EQ(exp(1e30f), infinity);
  EXPECT_EQ(exp(-1e30f), 0.0f);
  EXPECT_LT(exp(88.72283f), infinity);
  EXPECT_EQ(exp(88.72284f), infinity);
  EXPECT_EQ(exp(-103.97f), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(exp(-103.98f), 0.0f);
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<float>::quiet_NaN())));
}

/// Both functions: odd, ±1 far out, right at zero and with NaN, at most two units off.
static void checkSigmoidal(Builder2 build, double (*exact)(double)) {
  ScalarJit jit;
  Function *function = compile(jit, build);
  const float infinity = std::numeric_limits<float>::infinity();
  for (int error : {-1, 0, 1}) {
    exp2Error = error;
    reciprocalError = -error;
    EXPECT_LE(largestError(function, exact, -infinity, infinity, stride), 2.0);
  }
  exp2Error = reciprocalError = 0;
  EXPECT_EQ(function(infinity), 1.0f);
  EXPECT_EQ(function(-infinity), -1.0f);
  EXPECT_EQ(function(0.0f), 0.0f);
  EXPECT_FALSE(std::signbit(function(0.0f)));
  EXPECT_TRUE(std::signbit(function(-0.0f)));
  EXPECT_TRUE(std::isnan(function(std::numeric_limits<float>::quiet_NaN())));
}

TEST(FloatFunctions, tanh_is_within_two_units) { checkSigmoidal(buildTanh, std::tanh); }
TEST(FloatFunctions, erf_is_within_two_units) { checkSigmoidal(buildErf, std::erf); }

// exp, tanh and erf of an f32. The hardware's 2^x is good to about one unit in the last place only where its argument is;
// x·log2(e) of a large x is not. So exp splits off an integer n exactly with two fused multiply-adds and scales by 2^n
// itself. tanh and erf lose digits near zero if computed from 2^x, so below 1 they are polynomials, beyond it 1 minus
// something small, whose error then hardly counts. Both are computed and one is selected: a branch per element would
// cost more. The polynomials are minimax fits (Lawson's iteration on 2000 Chebyshev nodes in double precision).
#include "lib/Conversion/TileToNVVM/FloatFunctions.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"

using namespace mlir;
using namespace mlir::tile;
using FCmp = LLVM::FCmpPredicate;

/// log2(e) as the sum of two f32.
static constexpr double log2eHigh = 0x1.715476p+0, log2eLow = 0x1.4ae0c0p-26;

/// c[0] + c[1]·x + c[2]·x² + …
static Value horner(ScalarBuilder s, Value x, ArrayRef<double> coefficients) {
  Value sum = s.f32(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = s.fma(sum, x, s.f32(coefficient));
  return sum;
}

/// 2^n of an i32 between -126 and 127.
static Value powerOfTwo(ScalarBuilder s, Value n) { return s.fromBits(s.shl(s.add(n, s.i32(127)), 23)); }

Value tile::buildExp(ImplicitLocOpBuilder &b, Value x, const HardwareFunctions &hardware) {
  ScalarBuilder s(b);
  // Beyond these, results are 0 and infinity anyway; NaN stays.
  x = s.maximum(s.minimum(x, s.f32(89.0)), s.f32(-105.0));
  // Adding 1.5·2^23 leaves the nearest integer in the low bits of the sum. Example: x = 10 gives n = 14 and
  // fraction = 10·log2(e) - 14 = 0.4270.
  const double magic = 12582912.0;
  Value shifted = s.fma(x, s.f32(log2eHigh), s.f32(magic));
  Value n = s.sub(s.bits(shifted), s.i32(0x4b400000));
  Value negated = s.fsub(s.f32(magic), shifted);
  Value fraction = s.fma(x, s.f32(log2eHigh), negated);
  fraction = s.fma(x, s.f32(log2eLow), fraction);
  Value power = hardware.exp2(fraction);
  // n is from -151 to 128: two factors, of which only the last may round, to a subnormal, or overflow.
  Value half = s.ashr(n, 1);
  return s.fmul(s.fmul(power, powerOfTwo(s, half)), powerOfTwo(s, s.sub(n, half)));
}

Value tile::buildTanh(ImplicitLocOpBuilder &b, Value x, const HardwareFunctions &hardware) {
  ScalarBuilder s(b);
  // (tanh(x) - x) / x³ by x² from 0 to 1, error 2^-28 of tanh.
  static constexpr double nearZero[] = {-0x1.55553cp-2, 0x1.110be2p-3,  -0x1.b96222p-5, 0x1.60098cp-6,
                                        -0x1.0460b0p-7, 0x1.2da4c0p-9, -0x1.77dcb2p-12};
  Value square = s.fmul(x, x);
  Value small = s.fma(s.fmul(horner(s, square, nearZero), square), x, x);
  // 1 - 2 / (e^(2|x|) + 1); from 10 on it is 1.
  Value magnitude = s.fabs(x);
  Value bounded = s.minimum(magnitude, s.f32(10.0));
  Value power = hardware.exp2(s.fmul(bounded, s.f32(2 * log2eHigh)));
  Value large = s.fma(hardware.reciprocal(s.fadd(power, s.f32(1.0))), s.f32(-2.0), s.f32(1.0));
  return s.copysign(s.select(s.fcmp(FCmp::olt, magnitude, s.f32(1.0)), small, large), x);
}

Value tile::buildErf(ImplicitLocOpBuilder &b, Value x, const HardwareFunctions &hardware) {
  ScalarBuilder s(b);
  // erf(x) / x - 1 by x² from 0 to 1, error 2^-29 of erf.
  static constexpr double nearZero[] = {0x1.06eba8p-3, -0x1.81273ep-2,  0x1.ce2cf8p-4, -0x1.b7f90cp-6,
                                        0x1.5405b2p-8, -0x1.a3f6fcp-11, 0x1.496a28p-14};
  Value square = s.fmul(x, x);
  Value small = s.fma(horner(s, square, nearZero), x, x);
  // log2(1 - erf(x)) from 1 to 4, error 2^-29 of erf; from there on erf is 1.
  static constexpr double complement[] = {-0x1.0250e0p-11, -0x1.a0448ep+0, -0x1.d75f36p-1, -0x1.30a4bcp-3,
                                          0x1.021846p-5,   -0x1.16b286p-8, 0x1.19f382p-12};
  Value magnitude = s.fabs(x);
  Value power = hardware.exp2(horner(s, s.minimum(magnitude, s.f32(4.0)), complement));
  Value large = s.fsub(s.f32(1.0), power);
  return s.copysign(s.select(s.fcmp(FCmp::olt, magnitude, s.f32(1.0)), small, large), x);
}

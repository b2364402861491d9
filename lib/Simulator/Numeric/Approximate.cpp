// Functions of f64 first, by argument reduction and a series long enough that what is left out is below 2^-52; around
// them the special values and one rounding. Basic operations and sqrt only, so no libm decides a bit.
#include "lib/Simulator/Numeric/Approximate.h"

#include "lib/Simulator/Numeric/LaneMath.h"
#include "lib/Simulator/Numeric/RowLoops.h"
#include "lib/Simulator/Numeric/Rows.h"

#include <cmath>

namespace tilec::sim {

namespace {

constexpr double ln2 = 0x1.62e42fefa39efp-1;
constexpr double twoPi = 0x1.921fb54442d18p+2;
constexpr double inverseTwoPi = 0x1.45f306dc9c883p-3;
constexpr uint32_t infinityBits = 0x7f800000;
constexpr uint32_t nanBits = 0x7fffffff;

/// To the nearest integer, for |x| < 2^51.
double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// Coefficients c[0] + c[1] x + …
template <int count> double polynomial(const double (&c)[count], double x) {
  double sum = c[count - 1];
  for (int i = count - 2; i >= 0; --i)
    sum = sum * x + c[i];
  return sum;
}

// 1/1!, 1/2!, … of (e^y - 1)/y; for |y| ≤ 0.5 the first term left out is below 2^-55 of the sum.
constexpr double exponentialSeries[] = {
    1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,          1.0 / 5040,
    1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0, 1.0 / 87178291200.0};

/// e^y - 1 for |y| ≤ 0.5.
double exponentialMinusOne(double y) { return y * polynomial(exponentialSeries, y); }

/// 2^x for |x| < 1000. The integer part is read off the bits of the sum that rounds it, and added to the exponent.
double powerOfTwo(double x) {
  double shifted = x + 0x1.8p52;
  double whole = shifted - 0x1.8p52;
  double fraction = 1.0 + exponentialMinusOne((x - whole) * ln2);
  return doubleOf(bitsOf(fraction) + (bitsOf(shifted) << 52));
}

/// log2 of a positive normal number: with m in [√½, √2) and s = (m-1)/(m+1), ln m = 2 (s + s³/3 + …), |s| ≤ 0.172.
double logarithm(double x) {
  static constexpr double series[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                                      1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  constexpr double log2e = 0x1.71547652b82fep+0;
  uint64_t bits = bitsOf(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = doubleOf((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (mantissa > 0x1.6a09e667f3bcdp+0) {
    mantissa *= 0.5;
    ++exponent;
  }
  double s = (mantissa - 1.0) / (mantissa + 1.0);
  return exponent + 2.0 * log2e * s * polynomial(series, s * s);
}

constexpr double sineSeries[] = {1.0,          -1.0 / 6,        1.0 / 120,          -1.0 / 5040,
                                 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
constexpr double cosineSeries[] = {1.0,
                                   -1.0 / 2,
                                   1.0 / 24,
                                   -1.0 / 720,
                                   1.0 / 40320,
                                   -1.0 / 3628800,
                                   1.0 / 479001600,
                                   -1.0 / 87178291200.0,
                                   1.0 / 20922789888000.0};

/// sin(x + quarters·π/2) for finite x. Reduced by one product with 1/2π, so exact enough (2^-40) up to |x| = 2^10 and
/// only deterministic far outside, where the ISA promises nothing.
double sine(double x, int quarters) {
  double turns = x * inverseTwoPi;
  if (std::fabs(turns) >= 0x1p50)
    turns = 0.0;
  turns -= nearest(turns);
  double quarter = nearest(turns * 4.0);
  double angle = (turns - quarter * 0.25) * twoPi; // in [-π/4, π/4]
  double square = angle * angle;
  int which = (static_cast<int>(quarter) + quarters) & 3;
  double value = which & 1 ? polynomial(cosineSeries, square) : angle * polynomial(sineSeries, square);
  return which & 2 ? -value : value;
}

double hyperbolicTangent(double x) {
  double magnitude = std::fabs(x), value = 1.0;
  if (magnitude < 0.25) {
    double e = exponentialMinusOne(2.0 * magnitude);
    value = e / (e + 2.0);
  } else if (magnitude < 30.0) {
    value = 1.0 - 2.0 / (powerOfTwo(2.0 * magnitude / ln2) + 1.0);
  }
  return std::copysign(value, x);
}

/// 2^x where anything beyond ±200 may be infinite or zero, as in all formats narrower than f64. NaN gives some number.
double exponential(double x) {
  x = x < 200.0 ? x : 200.0;
  return powerOfTwo(x > -200.0 ? x : -200.0);
}

bool isNanF32(uint32_t a) { return (a & 0x7fffffff) > infinityBits; }

uint32_t flushed(uint32_t a, bool ftz) { return ftz ? flushF32<true>(a) : a; }

uint32_t rounded(double value, bool ftz) {
  uint32_t bits = flushed(bitsOf(static_cast<float>(value)), ftz);
  return value != value ? nanBits : bits;
}

template <bool ftz> TILEC_INLINE uint32_t ex2Lane(uint32_t a) {
  a = flushF32<ftz>(a);
  uint32_t result = rounded(exponential(floatOf(a)), ftz);
  return isNanF32(a) ? nanBits : result;
}
template <bool ftz> TILEC_INLINE void ex2Loop(uint32_t *d, const uint32_t *a) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i)
    d[i] = ex2Lane<ftz>(a[i]);
}
template <bool ftz> TILEC_INLINE void rcpLoop(uint32_t *d, const uint32_t *a) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i)
    d[i] = rounded(1.0 / floatOf(flushF32<ftz>(a[i])), ftz);
}
template <bool ftz> void plainEx2(uint32_t *d, const uint32_t *a) { ex2Loop<ftz>(d, a); }
template <bool ftz> TILEC_WITH_FMA void fastEx2(uint32_t *d, const uint32_t *a) { ex2Loop<ftz>(d, a); }
template <bool ftz> void plainRcp(uint32_t *d, const uint32_t *a) { rcpLoop<ftz>(d, a); }
template <bool ftz> TILEC_WITH_FMA void fastRcp(uint32_t *d, const uint32_t *a) { rcpLoop<ftz>(d, a); }

/// Evaluates on one half: `type` is F16 or BF16.
template <typename Function> uint32_t half(FloatType type, uint32_t a, Function function) {
  const FloatFormat &format = formatOf(type);
  return static_cast<uint32_t>(encodeDouble(format, function(decodeToDouble(format, a))));
}

/// The upper word of an f64 result, rounded to nearest, for the two .approx.ftz.f64 instructions.
uint64_t upperWord(double value) {
  constexpr uint64_t canonical = 0x7fffffff00000000ull;
  if (value != value)
    return canonical;
  uint64_t bits = f64Format.flush(bitsOf(value));
  if (!f64Format.isInfinity(bits))
    bits += 0x7fffffffull + (bits >> 32 & 1);
  return f64Format.flush(bits & ~0xffffffffull);
}

/// The operand of those: upper word, subnormals flushed.
double upperOperand(uint64_t a) { return doubleOf(f64Format.flush(a & ~0xffffffffull)); }

} // namespace

uint32_t ex2Approx(uint32_t a, bool ftz) { return ftz ? ex2Lane<true>(a) : ex2Lane<false>(a); }

void ex2ApproxRow(bool ftz, uint32_t *d, const uint32_t *a) {
  if (usesHostFma())
    return ftz ? fastEx2<true>(d, a) : fastEx2<false>(d, a);
  return ftz ? plainEx2<true>(d, a) : plainEx2<false>(d, a);
}

void rcpApproxRow(bool ftz, uint32_t *d, const uint32_t *a) {
  if (usesHostFma())
    return ftz ? fastRcp<true>(d, a) : fastRcp<false>(d, a);
  return ftz ? plainRcp<true>(d, a) : plainRcp<false>(d, a);
}

uint32_t lg2Approx(uint32_t a, bool ftz) {
  a = flushed(a, ftz);
  if ((a & 0x7fffffff) == 0)
    return infinityBits | 0x80000000;
  if (isNanF32(a) || a >> 31)
    return nanBits;
  if (a == infinityBits)
    return a;
  return rounded(logarithm(floatOf(a)), ftz);
}

uint32_t sinApprox(uint32_t a, bool ftz) {
  a = flushed(a, ftz);
  if ((a & infinityBits) == infinityBits)
    return nanBits;
  if ((a & 0x7fffffff) < 0x39000000) // |a| < 2^-13: sin a rounds to a or its neighbour; keeps signs and subnormals
    return rounded(floatOf(a) * (1.0 - static_cast<double>(floatOf(a)) * floatOf(a) / 6.0), ftz);
  return rounded(sine(floatOf(a), 0), ftz);
}

uint32_t cosApprox(uint32_t a, bool ftz) {
  if ((a & infinityBits) == infinityBits)
    return nanBits;
  return rounded(sine(floatOf(flushed(a, ftz)), 1), ftz);
}

uint32_t tanhApprox(uint32_t a) {
  if (isNanF32(a))
    return nanBits;
  if ((a & infinityBits) == 0)
    return a;
  return rounded(hyperbolicTangent(floatOf(a)), false);
}

uint32_t rcpApprox(uint32_t a, bool ftz) { return rounded(1.0 / floatOf(flushed(a, ftz)), ftz); }

uint32_t sqrtApprox(uint32_t a, bool ftz) {
  return rounded(std::sqrt(static_cast<double>(floatOf(flushed(a, ftz)))), ftz);
}

uint32_t rsqrtApprox(uint32_t a, bool ftz) {
  return rounded(1.0 / std::sqrt(static_cast<double>(floatOf(flushed(a, ftz)))), ftz);
}

uint32_t divApprox(uint32_t a, uint32_t b, bool ftz) {
  a = flushed(a, ftz);
  b = flushed(b, ftz);
  if (isNanF32(a) || isNanF32(b))
    return nanBits;
  uint32_t magnitude = b & 0x7fffffff;
  if (magnitude > 0x7e800000 && magnitude < infinityBits) // 2^126 < |b| < 2^128
    return (a & 0x7fffffff) == infinityBits ? nanBits : (a ^ b) & 0x80000000;
  float inverse = floatOf(rounded(1.0 / floatOf(b), ftz));
  return rounded(static_cast<double>(floatOf(a)) * inverse, ftz);
}

uint32_t divFull(uint32_t a, uint32_t b, bool ftz) {
  return rounded(static_cast<double>(floatOf(flushed(a, ftz))) / floatOf(flushed(b, ftz)), ftz);
}

uint64_t rcpApproxFtzF64(uint64_t a) { return upperWord(1.0 / upperOperand(a)); }

uint64_t rsqrtApproxFtzF64(uint64_t a) { return upperWord(1.0 / std::sqrt(upperOperand(a))); }

uint64_t rsqrtApproxF64(uint64_t a) {
  if (f64Format.isNan(a))
    return a | 0x0008000000000000ull;
  double value = 1.0 / std::sqrt(doubleOf(a));
  return value != value ? f64Format.canonicalNan : bitsOf(value);
}

uint32_t ex2ApproxHalf(FloatType type, uint32_t a) {
  a &= 0xffff;
  bool ftz = type == FloatType::BF16;
  const FloatFormat &format = formatOf(type);
  if (format.isNan(a))
    return static_cast<uint32_t>(format.canonicalNan);
  if (ftz)
    a = static_cast<uint32_t>(format.flush(a));
  uint32_t result = half(type, a, exponential);
  return ftz ? static_cast<uint32_t>(format.flush(result)) : result;
}

uint32_t tanhApproxHalf(FloatType type, uint32_t a) {
  a &= 0xffff;
  const FloatFormat &format = formatOf(type);
  if (format.isNan(a))
    return static_cast<uint32_t>(format.canonicalNan);
  return half(type, a, hyperbolicTangent);
}

uint32_t ex2ApproxHalves(FloatType type, uint32_t a) {
  return ex2ApproxHalf(type, a >> 16) << 16 | ex2ApproxHalf(type, a);
}

uint32_t tanhApproxHalves(FloatType type, uint32_t a) {
  return tanhApproxHalf(type, a >> 16) << 16 | tanhApproxHalf(type, a);
}

} // namespace tilec::sim

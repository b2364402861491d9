/// The frequent operations on one lane, inline and without branches, so that a loop over the lanes of a warp becomes
/// vector code. Each gives the bits that Arithmetic.h and Convert.h give. They use the host's arithmetic and so assume
/// its default environment: round to nearest even, subnormals honoured, and no contraction of a product and a sum (the
/// library's build passes -ffp-contract=off on to its users).
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_LANEMATH_H
#define TILEC_LIB_SIMULATOR_NUMERIC_LANEMATH_H

#include "lib/Simulator/Numeric/Arithmetic.h"

namespace tilec::sim {

/// What happens to a finished result: nothing, .sat, or .relu.
enum class Clamp : uint8_t { None, Sat, Relu };

/// .ftz on f32 bits.
template <bool ftz> inline uint32_t flushF32(uint32_t a) { return ftz && (a & 0x7f800000) == 0 ? a & 0x80000000 : a; }

/// The bits of an f32 result, with NaN canonical, flushed and clamped.
template <bool ftz, bool sat> inline uint32_t resultF32(float value) {
  if (sat) {
    float below = value < 1.0f ? value : 1.0f;
    uint32_t clamped = flushF32<ftz>(bitsOf(below));
    return value > 0.0f ? clamped : 0; // NaN compares false
  }
  uint32_t bits = value != value ? 0x7fffffffu : bitsOf(value);
  return flushF32<ftz>(bits);
}

/// add.rn.f32 and so on; see evaluate.
template <bool ftz, bool sat = false> inline uint32_t addF32(uint32_t a, uint32_t b) {
  return resultF32<ftz, sat>(floatOf(flushF32<ftz>(a)) + floatOf(flushF32<ftz>(b)));
}
template <bool ftz, bool sat = false> inline uint32_t subF32(uint32_t a, uint32_t b) {
  return resultF32<ftz, sat>(floatOf(flushF32<ftz>(a)) - floatOf(flushF32<ftz>(b)));
}
template <bool ftz, bool sat = false> inline uint32_t mulF32(uint32_t a, uint32_t b) {
  return resultF32<ftz, sat>(floatOf(flushF32<ftz>(a)) * floatOf(flushF32<ftz>(b)));
}

/// div.rn.f32, rcp.rn.f32 and sqrt.rn.f32.
template <bool ftz> inline uint32_t divF32(uint32_t a, uint32_t b) {
  return resultF32<ftz, false>(floatOf(flushF32<ftz>(a)) / floatOf(flushF32<ftz>(b)));
}
template <bool ftz> inline uint32_t rcpF32(uint32_t a) {
  return resultF32<ftz, false>(1.0f / floatOf(flushF32<ftz>(a)));
}
template <bool ftz> inline uint32_t sqrtF32(uint32_t a) {
  float value = floatOf(flushF32<ftz>(a));
  // Of a negative number the host's NaN, without the library call that would set errno.
  float root = __builtin_sqrtf(value < 0.0f ? 0.0f : value);
  return resultF32<ftz, false>(value < 0.0f ? __builtin_nanf("") : root);
}

/// a + b in f64, where an inexact sum is the neighbour of the true one that has an odd mantissa. Rounding that again to
/// a format of at most 51 bits gives what one rounding of the true sum gives.
inline double sumToOdd(double a, double b) {
  double sum = a + b;
  double other = sum - a;
  double error = (a - (sum - other)) + (b - other);
  uint64_t bits = bitsOf(sum);
  bool inexact = (error < 0.0) | (error > 0.0); // an infinite sum has a NaN error
  bool outward = (error > 0.0) == (sum > 0.0);
  uint64_t towards = outward ? bits + 1 : bits - 1;
  bool moves = inexact & ((bits & 1) == 0);
  return doubleOf(moves ? towards : bits);
}

/// `value` as f32 in the same sense.
inline float narrowToOdd(double value) {
  float near = static_cast<float>(value);
  double error = value - static_cast<double>(near);
  uint32_t bits = bitsOf(near);
  bool inexact = (error < 0.0) | (error > 0.0);
  bool outward = (error > 0.0) == (value > 0.0);
  uint32_t towards = outward ? bits + 1 : bits - 1;
  bool moves = inexact & ((bits & 1) == 0);
  return floatOf(moves ? towards : bits);
}

/// fma.rn.f32. With `hasFma` by the host's instruction, which the calling function must be compiled for (else it is a
/// slow call); without, in f64, where the product is exact.
template <bool hasFma, bool ftz, bool sat = false> inline uint32_t fmaF32(uint32_t a, uint32_t b, uint32_t c) {
  float x = floatOf(flushF32<ftz>(a)), y = floatOf(flushF32<ftz>(b)), z = floatOf(flushF32<ftz>(c));
  if (hasFma)
    return resultF32<ftz, sat>(__builtin_fmaf(x, y, z));
  return resultF32<ftz, sat>(static_cast<float>(sumToOdd(static_cast<double>(x) * y, z)));
}

/// min.f32 and max.f32; see minMax. A number goes before NaN unless `nan`.
template <bool isMax, bool ftz, bool nan> inline uint32_t minMaxF32(uint32_t a, uint32_t b) {
  a = flushF32<ftz>(a);
  b = flushF32<ftz>(b);
  bool aNan = (a & 0x7fffffff) > 0x7f800000, bNan = (b & 0x7fffffff) > 0x7f800000;
  int32_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  // Orders as the numbers do, -0 below +0.
  x ^= (x >> 31) & 0x7fffffff;
  y ^= (y >> 31) & 0x7fffffff;
  uint32_t chosen = (x < y) != isMax ? a : b;
  chosen = aNan ? b : chosen;
  chosen = bNan ? a : chosen;
  bool invalid = nan ? (aNan | bNan) : (aNan & bNan);
  return invalid ? 0x7fffffffu : chosen;
}

/// cvt.f32.f16; NaN gives the canonical NaN.
inline uint32_t f16ToF32(uint32_t a) {
  uint32_t magnitude = a & 0x7fff, sign = (a & 0x8000) << 16;
  uint32_t normal = (magnitude << 13) + (112u << 23); // 112: the difference of the biases
  uint32_t subnormal = bitsOf(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  uint32_t bits = magnitude < 0x0400 ? subnormal : normal;
  bits = magnitude == 0x7c00 ? 0x7f800000u : bits;
  return magnitude > 0x7c00 ? 0x7fffffffu : sign | bits;
}

/// cvt.rn.f16.f32.
inline uint32_t f32ToF16(uint32_t a) {
  uint32_t magnitude = a & 0x7fffffff, sign = (a >> 16) & 0x8000;
  // Normal: round away the 13 lowest bits; a carry runs into the exponent.
  uint32_t normal = (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  // Subnormal: adding 0.5 puts the unit of the sum at 2^-24, so the host rounds to f16's last place.
  uint32_t subnormal = bitsOf(floatOf(magnitude) + 0.5f) - 0x3f000000;
  uint32_t bits = magnitude < 0x38800000 ? subnormal : normal;
  bits = magnitude >= 0x47800000 ? 0x7c00u : bits;
  return magnitude > 0x7f800000 ? 0x7fffu : sign | bits;
}

/// cvt.f32.bf16; keeps a NaN's bits (see Convert.h).
inline uint32_t bf16ToF32(uint32_t a) { return a << 16; }

/// cvt.rn.bf16.f32.
inline uint32_t f32ToBf16(uint32_t a) {
  uint32_t bits = (a + 0x7fff + ((a >> 16) & 1)) >> 16;
  return (a & 0x7fffffff) > 0x7f800000 ? 0x7fffu : bits;
}

/// How one of the two 16-bit types reads, writes and flushes; the operations below are the same for both.
template <FloatType type> struct HalfLane {
  static constexpr bool isF16 = type == FloatType::F16;
  template <bool ftz> static uint32_t flush(uint32_t a) {
    return ftz && (a & (isF16 ? 0x7c00 : 0x7f80)) == 0 ? a & 0x8000 : a;
  }
  static float read(uint32_t a) { return floatOf(isF16 ? f16ToF32(a) : bf16ToF32(a)); }
  static uint32_t write(float value) { return isF16 ? f32ToF16(bitsOf(value)) : f32ToBf16(bitsOf(value)); }
  template <bool ftz, Clamp clamp> static uint32_t result(float value) {
    uint32_t bits = write(value);
    // What only the spacing of subnormal numbers rounds up to the smallest normal number is flushed too: what lies
    // below half a unit, of those of the next lower exponent, under it.
    if (ftz)
      bits = (value < 0.0f ? -value : value) < (isF16 ? 0x0.fffp-14f : 0x0.ff8p-126f) ? bits & 0x8000 : bits;
    constexpr uint32_t one = isF16 ? 0x3c00 : 0x3f80;
    bool positive = value > 0.0f, isNan = value != value;
    if (clamp == Clamp::Sat) {
      bits = bits > one ? one : bits;
      return positive ? bits : 0;
    }
    if (clamp == Clamp::Relu)
      return (positive | isNan) ? bits : 0;
    return bits;
  }
};

/// add, sub, mul and fma .rn of f16 and bf16 on the low 16 bits of the operands. The sum of two f16 or bf16 in f32 has
/// a single rounding's effect (24 ≥ 2p + 2 bits); products go through f64, where they are exact, and round to odd. The
/// f16 sum of fma needs no care in f64: it is inexact there only if the product, of 22 bits, is below 2^-30 of it, so
/// c, itself an f16, is the result either way.
template <FloatType type, FloatOp op, bool ftz, Clamp clamp>
inline uint32_t halfLane(uint32_t a, uint32_t b, uint32_t c) {
  using Half = HalfLane<type>;
  float x = Half::read(Half::template flush<ftz>(a & 0xffff)), y = Half::read(Half::template flush<ftz>(b & 0xffff));
  if (op == FloatOp::Add)
    return Half::template result<ftz, clamp>(x + y);
  if (op == FloatOp::Sub)
    return Half::template result<ftz, clamp>(x - y);
  if (op == FloatOp::Mul && Half::isF16) // 22 bits, at least 2^-48: exact in f32
    return Half::template result<ftz, clamp>(x * y);
  double product = static_cast<double>(x) * y;
  if (op == FloatOp::Mul)
    return Half::template result<ftz, clamp>(narrowToOdd(product));
  float z = Half::read(Half::template flush<ftz>(c & 0xffff));
  return Half::template result<ftz, clamp>(narrowToOdd(Half::isF16 ? product + z : sumToOdd(product, z)));
}

/// min and max of f16 and bf16 on the low 16 bits; see minMax.
template <FloatType type, bool isMax, bool ftz, bool nan> inline uint32_t minMaxHalf(uint32_t a, uint32_t b) {
  using Half = HalfLane<type>;
  constexpr uint32_t infinity = Half::isF16 ? 0x7c00 : 0x7f80;
  a = Half::template flush<ftz>(a & 0xffff);
  b = Half::template flush<ftz>(b & 0xffff);
  bool aNan = (a & 0x7fff) > infinity, bNan = (b & 0x7fff) > infinity;
  // Orders as the numbers do, -0 below +0.
  uint32_t x = a & 0x8000 ? 0xffff - a : a + 0x8000, y = b & 0x8000 ? 0xffff - b : b + 0x8000;
  uint32_t chosen = (x < y) != isMax ? a : b;
  chosen = aNan ? b : chosen;
  chosen = bNan ? a : chosen;
  bool invalid = nan ? (aNan | bNan) : (aNan & bNan);
  return invalid ? 0x7fffu : chosen;
}

/// cvt.rn.f32.s32 and cvt.rn.f32.u32.
inline uint32_t s32ToF32(uint32_t a) { return bitsOf(static_cast<float>(static_cast<int32_t>(a))); }
inline uint32_t u32ToF32(uint32_t a) { return bitsOf(static_cast<float>(a)); }

/// cvt.rzi.s32.f32: clamps, NaN gives 0.
inline uint32_t f32ToS32(uint32_t a) {
  float value = floatOf(a);
  bool high = value >= 0x1p31f, low = value < -0x1p31f, isNan = value != value;
  uint32_t inside = static_cast<uint32_t>(static_cast<int32_t>((high | low | isNan) ? 0.0f : value));
  return high ? 0x7fffffffu : low ? 0x80000000u : inside;
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_LANEMATH_H

/// f32 to a format of at most 19 bits for a whole row, with everything that follows the rounding: .relu, .satfinite.
/// What differs between formats are a few numbers, so one loop serves all of them. It gives what narrow() of
/// Numeric/Convert.h gives.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_CONVERSIONNARROW_H
#define TILEC_LIB_SIMULATOR_EXECUTE_CONVERSIONNARROW_H

#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Numeric/Convert.h"

namespace tilec::sim {

/// The conversion to one format under one mode; a function object for rows.
class NarrowRow {
public:
  /// Whether it can be used: to nearest even; with f32's exponents (bf16, tf32) also to nearest away and toward zero.
  /// Scales (ue8m0) have no sign and no zero, and go the exact way.
  static bool serves(const FloatFormat &format, ConvertMode mode) {
    if (mode.ftz || mode.sat || mode.toIntegral || format.isPowersOfTwo())
      return false;
    bool nearest = mode.rounding == Rounding::NearestEven;
    bool simple = mode.rounding == Rounding::NearestAway || mode.rounding == Rounding::TowardZero;
    return nearest || (simple && format.bias == f32Format.bias);
  }

  /// Requires serves(format, mode).
  NarrowRow(const FloatFormat &format, ConvertMode mode) {
    cut = 23u - static_cast<unsigned>(format.mantissaBits);
    rebias = static_cast<uint32_t>(f32Format.bias - format.bias) << 23;
    uint32_t half = 1u << (cut - 1);
    toEven = mode.rounding == Rounding::NearestEven;
    increment = toEven ? half - 1 : mode.rounding == Rounding::NearestAway ? half : 0;
    if (rebias) {
      firstNormal = static_cast<uint32_t>(1 - format.bias + f32Format.bias) << 23;
      // Its last place is the format's smallest number, so adding it rounds a subnormal.
      magic = static_cast<uint32_t>(1 - format.bias - format.mantissaBits + 23 + f32Format.bias) << 23;
    }
    storageShift = static_cast<unsigned>(format.storageShift);
    limit = static_cast<uint32_t>(mode.satfinite || !format.hasInfinity ? format.maxFinite() : format.infinity());
    nan = static_cast<uint32_t>(format.nanCodes == NanCodes::None ? format.maxFinite() : format.canonicalNan);
    if (storageShift && mode.rounding == Rounding::NearestAway) { // cvt.rna.tf32 truncates a NaN
      nan = 0;
      nanKeeps = ~0u << cut;
    }
    sign = static_cast<uint32_t>(format.signBit());
    keepsNegative = mode.relu ? 0 : ~0u;
  }

  /// One value, in the low bits.
  uint32_t one(uint32_t a) const {
    uint32_t magnitude = a & 0x7fffffffu;
    uint32_t normal = (magnitude - rebias + increment + (toEven & (magnitude >> cut))) >> cut;
    uint32_t subnormal = bitsOf(floatOf(magnitude) + floatOf(magic)) - magic;
    uint32_t bits = (magnitude < firstNormal ? subnormal : normal) << storageShift;
    bits = bits > limit ? limit : bits;
    bool negative = a >> 31;
    uint32_t whole = negative ? (bits | sign) & keepsNegative : bits;
    return magnitude > 0x7f800000u ? nan | (a & nanKeeps) : whole;
  }
  /// Each value of the row.
  void operator()(uint32_t *d, const uint32_t *a) const {
    NarrowRow self = *this;
    TILEC_SIM_LANES_INDEPENDENT
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = self.one(a[lane]);
  }
  /// Two rows, a in the part above b's `bits` bits.
  void pack(unsigned bits, uint32_t *d, const uint32_t *a, const uint32_t *b) const {
    NarrowRow self = *this;
    TILEC_SIM_LANES_INDEPENDENT
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = self.one(a[lane]) << bits | self.one(b[lane]);
  }

private:
  /// Mantissa bits that go, what is added before, and whether 1 more is added where the last bit that stays is set.
  unsigned cut = 0;
  uint32_t increment = 0, toEven = 0;
  /// The difference of the exponents' biases, f32's bits of the smallest normal number, and the number described above.
  uint32_t rebias = 0, firstNormal = 0, magic = 0;
  unsigned storageShift = 0;
  /// The bits of a NaN operand that stay.
  uint32_t nanKeeps = 0;
  /// Codes: the largest result, NaN, the sign; zero if negative results become +0.
  uint32_t limit = 0, nan = 0, sign = 0, keepsNegative = 0;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_CONVERSIONNARROW_H

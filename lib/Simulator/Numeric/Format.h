/// The floating-point formats of PTX as data, and the two maps between a code and the exact number that it stands for.
/// All other code of this folder is built on them: an operation decodes, computes exactly (with a sticky bit), and
/// encodes once, so every rounding happens in one place.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_FORMAT_H
#define TILEC_LIB_SIMULATOR_NUMERIC_FORMAT_H

#include <cstdint>
#include <cstring>

namespace tilec::sim {

/// Which codes of a format are NaN.
enum class NanCodes : uint8_t {
  None,    ///< every code is a number (f6, f4)
  Ieee,    ///< largest exponent with a mantissa that is not zero
  AllOnes, ///< only the code with all exponent and mantissa bits set (e4m3, ue8m0, ue4m3)
};

/// A binary floating-point format: sign, exponent, mantissa from the highest bit down. PTX ISA 9.0, section 5.2
/// "Types", and the OCP formats that it refers to.
struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  int bias;
  bool isSigned;
  bool hasInfinity;
  NanCodes nanCodes;
  /// Zero bits below the mantissa in a register: 13 for tf32, which lives in a 32-bit register, else 0.
  int storageShift;
  /// What an operation returns for NaN, as bits of the register. Zero for a format without NaN.
  uint64_t canonicalNan;

  /// Bits of a code, without the unused bits of tf32.
  constexpr int width() const { return exponentBits + mantissaBits + (isSigned ? 1 : 0); }
  /// The sign's bit in a register, or 0 for an unsigned format.
  constexpr uint64_t signBit() const { return isSigned ? uint64_t(1) << (width() - 1 + storageShift) : 0; }
  /// The code of +infinity; for a format without it, of the largest exponent and mantissa zero.
  constexpr uint64_t infinity() const { return ((uint64_t(1) << exponentBits) - 1) << (mantissaBits + storageShift); }
  /// MAX_NORM: the code of the largest finite number.
  constexpr uint64_t maxFinite() const {
    uint64_t allOnes = (uint64_t(1) << (exponentBits + mantissaBits)) - 1;
    if (hasInfinity)
      return (((infinity() >> storageShift) - 1)) << storageShift;
    return (nanCodes == NanCodes::AllOnes ? allOnes - 1 : allOnes) << storageShift;
  }
  /// ue8m0 has neither a zero nor subnormals: code 0 is 2^-127.
  constexpr bool isPowersOfTwo() const { return mantissaBits == 0; }
  /// The magnitude's bits.
  constexpr uint64_t magnitude(uint64_t bits) const {
    return bits & (((uint64_t(1) << (exponentBits + mantissaBits)) - 1) << storageShift);
  }
  constexpr bool isNan(uint64_t bits) const {
    uint64_t m = magnitude(bits) >> storageShift;
    if (nanCodes == NanCodes::Ieee)
      return m > (infinity() >> storageShift);
    return nanCodes == NanCodes::AllOnes && m == (uint64_t(1) << (exponentBits + mantissaBits)) - 1;
  }
  constexpr bool isInfinity(uint64_t bits) const { return hasInfinity && magnitude(bits) == infinity(); }
  constexpr bool isSubnormal(uint64_t bits) const {
    uint64_t m = magnitude(bits) >> storageShift;
    return !isPowersOfTwo() && m != 0 && (m >> mantissaBits) == 0;
  }
  /// Subnormals become zero of the same sign (.ftz).
  constexpr uint64_t flush(uint64_t bits) const { return isSubnormal(bits) ? bits & signBit() : bits; }
};

// NaN results. f32, f16, bf16: positive, all ones; the ISA says "unspecified" (9.7.3) or "canonical". f64: generated
// NaN 0xfff8000000000000, inputs' payloads are kept (see Arithmetic.h). To be compared with hardware: tf32's.
inline constexpr FloatFormat f64Format{11, 52, 1023, true, true, NanCodes::Ieee, 0, 0xfff8000000000000ull};
inline constexpr FloatFormat f32Format{8, 23, 127, true, true, NanCodes::Ieee, 0, 0x7fffffff};
inline constexpr FloatFormat f16Format{5, 10, 15, true, true, NanCodes::Ieee, 0, 0x7fff};
inline constexpr FloatFormat bf16Format{8, 7, 127, true, true, NanCodes::Ieee, 0, 0x7fff};
inline constexpr FloatFormat tf32Format{8, 10, 127, true, true, NanCodes::Ieee, 13, 0x7fffe000};
inline constexpr FloatFormat e4m3Format{4, 3, 7, true, false, NanCodes::AllOnes, 0, 0x7f};
inline constexpr FloatFormat e5m2Format{5, 2, 15, true, true, NanCodes::Ieee, 0, 0x7f};
inline constexpr FloatFormat e3m2Format{3, 2, 3, true, false, NanCodes::None, 0, 0};
inline constexpr FloatFormat e2m3Format{2, 3, 1, true, false, NanCodes::None, 0, 0};
inline constexpr FloatFormat e2m1Format{2, 1, 1, true, false, NanCodes::None, 0, 0};
inline constexpr FloatFormat ue8m0Format{8, 0, 127, false, false, NanCodes::AllOnes, 0, 0xff};
inline constexpr FloatFormat ue4m3Format{4, 3, 7, false, false, NanCodes::AllOnes, 0, 0x7f};

/// How a number between two codes is rounded: .rn .rna .rz .rm .rp .rs.
enum class Rounding : uint8_t { NearestEven, NearestAway, TowardZero, Down, Up, Stochastic };

/// Wide enough for the product of two f64 and for the guard bits of a sum.
using Significand = unsigned __int128;

/// A number before rounding: ±significand · 2^exponent. Bit 0 of the significand may stand for "and something below"
/// (a sticky bit); whoever sets it keeps at least two exact bits between it and the last bit of the result.
struct Exact {
  enum class Kind : uint8_t { Zero, Finite, Infinity, Nan };
  Kind kind = Kind::Zero;
  bool negative = false;
  int exponent = 0;
  Significand significand = 0;
};

/// The random operand of .rs, PTX ISA 9.7.9.21: the result is rounded away from zero if adding `bits` to the top
/// `width` bits of what is cut off carries out. To be compared with hardware: below the normal range, where more is cut
/// off, the random bits stay next to the last bit of the result.
struct RandomBits {
  uint32_t bits = 0;
  int width = 0;
};

/// The exact number that `bits` stand for. Bits outside the format are ignored.
Exact decode(const FloatFormat &format, uint64_t bits);

/// `value` rounded once to `format`. A number too large gives infinity or the largest finite number as IEEE 754 says
/// for the rounding; in a format without infinity NaN or, where there is none, the largest finite number. With
/// `satfinite` always the largest finite number, also for infinity. NaN gives the canonical NaN, or +MAX_NORM where
/// there is none. An unsigned format takes the magnitude; ue8m0 maps zero and all below 2^-127 to 2^-127.
uint64_t encode(const FloatFormat &format, const Exact &value, Rounding rounding, bool satfinite = false,
                RandomBits random = {});

/// The exact value of `bits`; all formats fit in f64. NaN gives a quiet NaN.
double decodeToDouble(const FloatFormat &format, uint64_t bits);

/// `value` rounded once to `format`, to nearest even unless said otherwise.
uint64_t encodeDouble(const FloatFormat &format, double value, Rounding rounding = Rounding::NearestEven,
                      bool satfinite = false);

/// Bits of a host float and back.
inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_FORMAT_H

// What a tensor core multiplies: small floating-point numbers, taken apart once so that the sums work on integers only.
#ifndef TILEC_LIB_SIMULATOR_TENSOR_OPERAND_H
#define TILEC_LIB_SIMULATOR_TENSOR_OPERAND_H

#include <cstddef>
#include <cstdint>

namespace tilec::sim {

/// Formats of the factors of a matrix multiply-accumulate (PTX ISA 9.0, "Matrix Data-types" of mma and wgmma, and
/// "Alternate Floating-Point Data Formats" for their bits). An element takes elementBytes() bytes in memory; the
/// formats of six and four bits lie in the low bits of a byte each, E2M1 two bits higher, in bits 2 to 5.
enum class OperandFormat : uint8_t { F16, BF16, TF32, E4M3, E5M2, E3M2, E2M3, E2M1 };

/// Bytes of an element as unpack() reads it: 4 for TF32, 2 for F16 and BF16, else 1.
[[nodiscard]] unsigned elementBytes(OperandFormat format);

/// Fraction bits of the format: 10 for F16 and TF32, 7 for BF16, 3 for E4M3, …
[[nodiscard]] unsigned fractionBits(OperandFormat format);

/// A number significand * 2^(exponent - fractionBits(format)). A normal number has its leading bit at 2^fractionBits; a
/// subnormal one keeps the exponent of the least normal number, as the hardware's aligner sees it. Zero, infinity and
/// NaN have exponents of their own, so that a sum of two exponents tells a product apart that is none of the ordinary
/// kind.
struct Unpacked {
  int16_t exponent;
  int16_t significand;

  /// Exponents that say what the number is; an infinity's significand is +1 or -1, the others' is 0.
  static constexpr int16_t zero = -8192, infinity = 8192, notANumber = 8193;
};

/// Takes `count` elements at `bits` apart. Of TF32 the low 13 bits are ignored (PTX leaves their effect undefined).
void unpack(OperandFormat format, const void *bits, size_t count, Unpacked *out);

/// Takes `count` elements of E2M1 apart that lie two to a byte, the lower four bits first (.kind::mxf4 and
/// .kind::mxf4nvf4).
void unpackNibbles(const void *bits, size_t count, Unpacked *out);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TENSOR_OPERAND_H

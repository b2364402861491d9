/// cvt and cvt.pack, PTX ISA 9.0 sections 9.7.9.21-9.7.9.22, on single register values.
///
/// To be compared with hardware, as the ISA leaves it open:
///  - NaN between floats of at most 32 bits gives the canonical NaN; f32 ↔ f64 keeps the payload, quiet; bf16 → f32
///    ("unspecified NaN") keeps the bits.
///  - ue8m0 takes the magnitude of a negative number, and maps zero to 2^-127.
///  - .rs to e2m1x4: see RandomBits in packFour.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_CONVERT_H
#define TILEC_LIB_SIMULATOR_NUMERIC_CONVERT_H

#include "lib/Simulator/Numeric/Format.h"

namespace tilec::sim {

/// The types of the plain cvt.
enum class NumberType : uint8_t { U8, U16, U32, U64, S8, S16, S32, S64, F16, BF16, F32, F64 };

/// Bits of a value of that type.
int numberBits(NumberType type);
bool isFloat(NumberType type);
bool isSigned(NumberType type);

/// The modifiers of cvt. `rounding` is .rn/.rz/.rm/.rp/.rna or, with `toIntegral`, .rni/.rzi/.rmi/.rpi.
struct ConvertMode {
  Rounding rounding = Rounding::NearestEven;
  bool toIntegral = false; ///< the rounding is an integer rounding; implied by an integer destination
  bool ftz = false;        ///< flushes f32 inputs and f32 results
  bool sat = false;        ///< integers: clamp to the range; floats: clamp to [0, 1], NaN gives +0
  bool relu = false;       ///< negative results become +0, NaN the canonical NaN
  bool satfinite = false;  ///< numbers too large, and infinity, become MAX_NORM of that sign
};

/// cvt.dtype.atype. Bits of `value` above the source type are ignored. The result is extended to 64 bits as the ISA
/// extends into wider registers: by the sign for signed integers, else by zeros. Float to integer clamps to the
/// destination's range; NaN gives 0, or 1 << (bits - 1) where the source is f64 or the destination has 64 bits.
uint64_t convert(NumberType to, NumberType from, uint64_t value, ConvertMode mode);

/// cvt to .f16, .bf16 or .tf32 from .f32 with .relu, .satfinite and .rna; `random` serves .rs. The result is the
/// register's bits.
uint32_t narrow(const FloatFormat &to, uint32_t value, ConvertMode mode, RandomBits random = {});

/// cvt to .f16x2, .bf16x2, .e4m3x2, .e5m2x2, .e3m2x2, .e2m3x2, .e2m1x2 or .ue8m0x2 from two .f32: `a` goes to the upper
/// part. Parts have 16 bits for f16 and bf16, 4 for e2m1, else 8 (six-bit codes are padded with zeros above). `random`
/// is the operand of .rs (f16x2: the 13 low bits of each half; bf16x2: 16 bits; the upper half serves a).
uint32_t packTwo(const FloatFormat &to, uint32_t a, uint32_t b, ConvertMode mode, uint32_t random = 0);

/// cvt.rs to .e4m3x4, .e5m2x4, .e3m2x4, .e2m3x4 or .e2m1x4 from four .f32, a in the highest part. f8 and f6: the upper
/// 16 bits of `random` serve a and b, the lower 16 e and f. e2m1: the upper byte of each 16-bit half serves a and b,
/// the lower byte e and f; we take the upper half's bytes for a and e, the lower half's for b and f (to be compared
/// with hardware: the ISA says it only in a figure).
uint32_t packFour(const FloatFormat &to, uint32_t a, uint32_t b, uint32_t e, uint32_t f, ConvertMode mode,
                  uint32_t random);

/// cvt to an f8x2, f6x2, f4x2 or ue8m0x2 type from .f16x2 or .bf16x2, halves in order.
uint32_t packHalves(const FloatFormat &to, const FloatFormat &from, uint32_t a, ConvertMode mode);

/// cvt to .f16x2 (from f8x2, f6x2, f4x2) or .bf16x2 (from ue8m0x2), parts in order. Exact, except for .relu.
uint32_t unpackTwo(const FloatFormat &to, const FloatFormat &from, uint32_t a, ConvertMode mode);

/// cvt.pack.sat: a and b, as s32, clamped to `bits`-bit integers (2, 4, 8 or 16, signed or not); b in the lowest bits,
/// a above, and above both the low bits of c.
uint32_t packIntegers(int bits, bool isSigned, uint32_t a, uint32_t b, uint32_t c);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_CONVERT_H

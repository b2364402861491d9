/// The arithmetic instructions on single values, for every type, rounding and modifier: the reference that the fast
/// rows of Rows.h must agree with, and what the rare forms run. Values travel as register bits.
///
/// What the ISA leaves open, as an H200 does it:
///  - f32, f16 and bf16 return the format's canonical NaN (0x7fffffff, 0x7fff, 0x7fff) for every NaN result.
///  - f64 keeps payloads (ISA 9.7.3): the first NaN operand in the order b, c, a (div: a, b), made quiet, is the
///    result; a NaN that the operation itself generates is 0xfff8000000000000.
///  - .ftz looks at the result after it is rounded to the format's precision with an unbounded exponent: of the results
///    that become the smallest normal number, those that only the spacing of subnormal numbers rounds up become zero.
///  - .relu turns -0 into +0; .sat too.
///  - .oob tests all three operands for the one encoding `oobNan`.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_ARITHMETIC_H
#define TILEC_LIB_SIMULATOR_NUMERIC_ARITHMETIC_H

#include "lib/Simulator/Numeric/Format.h"

namespace tilec::sim {

/// The types of arithmetic instructions.
enum class FloatType : uint8_t { F16, BF16, F32, F64 };

/// The format of a type's registers.
constexpr const FloatFormat &formatOf(FloatType type) {
  switch (type) {
  case FloatType::F16:
    return f16Format;
  case FloatType::BF16:
    return bf16Format;
  case FloatType::F32:
    return f32Format;
  case FloatType::F64:
    break;
  }
  return f64Format;
}

/// Instructions whose result is the exact one rounded once. Unary ones look only at a, binary ones at a and b.
enum class FloatOp : uint8_t { Add, Sub, Mul, Fma, Div, Rcp, Sqrt };

/// The modifiers of an arithmetic instruction. Which are legal together is the decoder's matter.
struct FloatMode {
  Rounding rounding = Rounding::NearestEven;
  bool ftz = false;  ///< subnormal inputs and results become zero of the same sign
  bool sat = false;  ///< clamp to [0, 1]; NaN gives +0
  bool relu = false; ///< clamp to at least +0; NaN gives the canonical NaN
  bool oob = false;  ///< +0 if an operand is the out-of-bounds NaN (fma.oob of f16 and bf16)
};

/// The NaN that a tensor copy with NaN fill writes out of bounds ("OOB NaN", PTX ISA 5.5 "Tensors"), for f16 and bf16.
/// The ISA does not state its bits. To be compared with hardware.
inline constexpr uint32_t oobNan = 0x7ff7;

/// PTX ISA 9.7.3.3-9.7.3.8, 9.7.3.13, 9.7.3.15 and 9.7.4.1-9.7.4.4: the instruction `op` on one value of `type`.
/// The result is zero-extended.
uint64_t evaluate(FloatType type, FloatOp op, FloatMode mode, uint64_t a, uint64_t b = 0, uint64_t c = 0);

/// evaluate on both halves of .f16x2 or .bf16x2.
uint32_t evaluateHalves(FloatType type, FloatOp op, FloatMode mode, uint32_t a, uint32_t b, uint32_t c = 0);

/// Mixed precision, PTX ISA 9.7.5: add and sub compute convert(a) ± c, fma convert(a) · convert(b) + c, where a and b
/// have type `operandType` (f16 or bf16) and c and the result are f32.
uint32_t evaluateMixed(FloatType operandType, FloatOp op, FloatMode mode, uint32_t a, uint32_t b, uint32_t c);

/// abs and neg, PTX ISA 9.7.3.9-9.7.3.10 and 9.7.4.5-9.7.4.6. f64: a NaN keeps its sign, made quiet. Other types:
/// NaN gives the canonical NaN.
uint64_t absolute(FloatType type, bool ftz, uint64_t a);
uint64_t negated(FloatType type, bool ftz, uint64_t a);

/// copysign, PTX ISA 9.7.3.2: b with the sign of a.
uint64_t copySign(FloatType type, uint64_t a, uint64_t b);

/// testp, PTX ISA 9.7.3.1; zeros count as normal.
enum class TestProperty : uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
/// Whether the value has the property.
bool testProperty(FloatType type, TestProperty property, uint64_t a);

/// The modifiers of min and max.
struct MinMaxMode {
  bool isMax = false;
  bool ftz = false;
  bool nan = false;     ///< .NaN: a NaN operand makes the result the canonical NaN
  bool abs = false;     ///< .abs: of the magnitudes
  bool xorsign = false; ///< .xorsign: the sign is the exclusive or of the operands' signs
};

/// min and max, PTX ISA 9.7.3.11-9.7.3.12 and 9.7.4.7-9.7.4.8: -0 is below +0; without .NaN one NaN operand is ignored.
/// Two NaN operands give the canonical NaN; for f64 the second, made quiet.
uint64_t minMax(FloatType type, MinMaxMode mode, uint64_t a, uint64_t b);
/// The form with three operands (f32): minMax(minMax(a, b), c).
uint64_t minMax3(FloatType type, MinMaxMode mode, uint64_t a, uint64_t b, uint64_t c);

/// The comparisons of set and setp on floats, PTX ISA 9.3.1: the first six are false, the "U" ones true, with a NaN.
enum class FloatCompare : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
/// Whether the comparison holds.
bool compare(FloatType type, FloatCompare comparison, bool ftz, uint64_t a, uint64_t b);

/// .sat and .relu on a finished result; see FloatMode.
uint64_t saturated(const FloatFormat &format, uint64_t bits);
uint64_t rectified(const FloatFormat &format, uint64_t bits);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_ARITHMETIC_H

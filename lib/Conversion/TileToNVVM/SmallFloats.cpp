// Floats of 8 bits and fewer have no arithmetic and, on the oldest targets, no conversion either. A format with M
// mantissa bits and exponent bias B lies in an f32's bits at a fixed shift of 23-M, with exponents 127-B too low:
//  - widening shifts the code there and multiplies by 2^(127-B), which sets normals and subnormals right at once;
//  - narrowing rounds the f32's bits as an integer (the carry into the exponent is what rounding wants) and subtracts
//  the
//    difference of biases. Below the smallest normal, the adder rounds: adding 2^(23 + e), with e the exponent of the
//    format's last bit, leaves the subnormal code in the sum's low bits.
// Codes ascend with magnitude, so overflow is a minimum with the code that stands for it.
#include "lib/Conversion/TileToNVVM/SmallFloats.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"

using namespace mlir;
using namespace mlir::tile;
using llvm::APFloat;
using Cmp = LLVM::ICmpPredicate;
using FCmp = LLVM::FCmpPredicate;

namespace {
/// The numbers that describe a format with sign, exponent and mantissa.
struct Format {
  explicit Format(const llvm::fltSemantics &s)
      : bits(APFloat::semanticsSizeInBits(s)), mantissa(APFloat::semanticsPrecision(s) - 1),
        bias(1 - APFloat::semanticsMinExponent(s)), hasInfinity(APFloat::semanticsHasInf(s)),
        hasNaN(APFloat::semanticsHasNaN(s)), largest(APFloat::getLargest(s).bitcastToAPInt().getZExtValue()) {}
  /// How far the mantissa moves to lie in an f32.
  [[nodiscard]] unsigned shift() const { return 23 - mantissa; }
  [[nodiscard]] unsigned signBit() const { return 1u << (bits - 1); }

  unsigned bits, mantissa;
  int bias;
  bool hasInfinity, hasNaN;
  /// The code of the largest finite number.
  unsigned largest;
};
} // namespace

static constexpr int64_t f32Magnitude = 0x7fffffff, f32Infinity = 0x7f800000;

/// The f32 bits of 2^exponent.
static int64_t powerOfTwo(int exponent) { return int64_t(exponent + 127) << 23; }

/// f8E8M0FNU: code e is 2^(e-127), 255 is NaN. Code 0 is the subnormal 2^-127, whose bits, like those that turn
/// infinity into NaN, are the mantissa's top bit.
static Value widenExponent(ScalarBuilder s, Value code) {
  Value e = s.zext(code, s.b.getI32Type());
  Value successor = s.bitAnd(s.add(e, s.i32(1)), s.i32(0xff));
  Value topBit = s.select(s.icmp(Cmp::ult, successor, s.i32(2)), s.i32(0x00400000), s.i32(0));
  return s.fromBits(s.bitOr(s.shl(e, 23), topBit));
}

Value tile::widenSmallFloat(ImplicitLocOpBuilder &b, Value code, const llvm::fltSemantics &from) {
  ScalarBuilder s(b);
  if (&from == &APFloat::Float8E8M0FNU())
    return widenExponent(s, code);
  const Format format(from);
  Value wide = s.zext(code, b.getI32Type());
  Value magnitude = s.bitAnd(wide, s.i32(format.signBit() - 1));
  Value sign = s.shl(s.bitAnd(wide, s.i32(format.signBit())), 32 - format.bits);
  Value shifted = s.fromBits(s.bitOr(s.shl(magnitude, format.shift()), sign));
  Value number = s.fmul(shifted, s.f32(std::ldexp(1.0, 127 - format.bias)));
  if (!format.hasNaN)
    return number;
  // Above the largest finite code: infinity (zero mantissa) becomes f32's, and any other is NaN.
  Value isSpecial = s.icmp(Cmp::ugt, magnitude, s.i32(format.largest));
  Value special = s.i32(0x7fc00000);
  if (format.hasInfinity)
    special = s.bitOr(s.shl(magnitude, format.shift()), s.bitOr(sign, s.i32(f32Infinity)));
  return s.select(isSpecial, s.fromBits(special), number);
}

Value tile::widenE4M3Pair(ImplicitLocOpBuilder &b, Value codes) {
  ScalarBuilder s(b);
  Type half2 = VectorType::get({2}, b.getF16Type());
  // As above, in both halves at once: f16 has one exponent bit more, and its bias is 8 higher.
  Value magnitude = s.lshr(s.bitAnd(codes, s.i32(0x7f007f00)), 1);
  // NaN, 0x3f80 here, is the largest: adding one to its last place carries into the exponent's top bit, which makes it
  // an f16 NaN and is clear in all others.
  Value carry = s.bitAnd(s.add(magnitude, s.i32(0x00800080)), s.i32(0x40004000));
  Value sign = s.bitAnd(codes, s.i32(int32_t(0x80008000)));
  Value halves = s.bitcast(s.bitOr(s.bitOr(magnitude, carry), sign), half2);
  const llvm::APFloat scale = b.getF16FloatAttr(256.0f).getValue();
  return s.fmul(halves, LLVM::ConstantOp::create(b, half2, DenseElementsAttr::get(cast<ShapedType>(half2), scale)));
}

Value tile::widenNarrowPair(ImplicitLocOpBuilder &b, Value codes, const llvm::fltSemantics &from) {
  ScalarBuilder s(b);
  const Format format(from);
  Type half2 = VectorType::get({2}, b.getF16Type());
  auto inBoth = [&](int64_t bits) { return s.i32(int32_t(bits << 8 | bits << 24)); };
  // As above: the mantissa ends at bit 8 and belongs where an f16's 10 bits begin, one left or right of there.
  Value magnitude = s.bitAnd(codes, inBoth(format.signBit() - 1));
  if (format.mantissa == 1)
    magnitude = s.shl(magnitude, 1);
  else if (format.mantissa == 3)
    magnitude = s.lshr(magnitude, 1);
  Value sign = s.shl(s.bitAnd(codes, inBoth(format.signBit())), 8 - format.bits);
  const llvm::APFloat scale = b.getF16FloatAttr(std::ldexp(1.0f, 15 - format.bias)).getValue();
  return s.fmul(s.bitcast(s.bitOr(magnitude, sign), half2),
                LLVM::ConstantOp::create(b, half2, DenseElementsAttr::get(cast<ShapedType>(half2), scale)));
}

/// The magnitude's code, rounded without regard to overflow; `magnitude` holds an f32's bits without the sign.
static Value roundMagnitude(ScalarBuilder s, Value magnitude, const Format &format) {
  const int minExponent = 1 - format.bias;
  // Normal: add just under half of the last bit, plus the last bit itself, so that ties go to even.
  Value lastBit = s.bitAnd(s.lshr(magnitude, format.shift()), s.i32(1));
  Value rounded = s.add(s.add(magnitude, s.i32((1 << (format.shift() - 1)) - 1)), lastBit);
  Value normal = s.sub(s.lshr(rounded, format.shift()), s.i32((127 - format.bias) << format.mantissa));
  // Subnormal: 2^e in units of the format's last bit.
  const int magicExponent = minExponent - int(format.mantissa) + 23;
  Value sum = s.fadd(s.fromBits(magnitude), s.f32(std::ldexp(1.0, magicExponent)));
  Value subnormal = s.sub(s.bits(sum), s.i32(powerOfTwo(magicExponent)));
  return s.select(s.icmp(Cmp::ult, magnitude, s.i32(powerOfTwo(minExponent))), subnormal, normal);
}

Value tile::narrowSmallFloat(ImplicitLocOpBuilder &b, Value value, const llvm::fltSemantics &to, bool saturate) {
  ScalarBuilder s(b);
  const Format format(to);
  Value bits = s.bits(value);
  Value magnitude = s.bitAnd(bits, s.i32(f32Magnitude));
  Value code = roundMagnitude(s, magnitude, format);
  const bool clamps = saturate || !format.hasNaN;
  // The code after the largest finite one stands for infinity, or for NaN where there is none.
  code = s.umin(code, s.i32(clamps ? format.largest : format.largest + 1));
  Value sign = s.bitAnd(s.lshr(bits, 32 - format.bits), s.i32(format.signBit()));
  Value isNaN = s.icmp(Cmp::ugt, magnitude, s.i32(f32Infinity));
  if (!format.hasNaN) // +largest, as the hardware has it
    sign = s.select(isNaN, s.i32(0), sign);
  else if (clamps || format.hasInfinity)
    code = s.select(isNaN, s.i32(format.signBit() - 1), code);
  return s.trunc(s.bitOr(code, sign), b.getI8Type());
}

Value tile::roundToOdd(ImplicitLocOpBuilder &b, Value value) {
  ScalarBuilder s(b);
  Value nearest = s.fptrunc(value, b.getF32Type());
  Value back = s.fpext(nearest, value.getType());
  Value bits = s.bits(nearest);
  // Inexact and even: the neighbour on the value's other side is odd. Infinity is even, so overflow gives the largest.
  Value grows = s.fcmp(FCmp::ogt, s.fabs(value), s.fabs(back));
  Value neighbour = s.add(bits, s.select(grows, s.i32(1), s.i32(-1)));
  Value isOdd = s.icmp(Cmp::ne, s.bitAnd(bits, s.i32(1)), s.i32(0));
  Value isExact = s.fcmp(FCmp::ueq, value, back);
  return s.fromBits(s.select(isExact, bits, s.select(isOdd, bits, neighbour)));
}

Value tile::collectSticky(ImplicitLocOpBuilder &b, Value value, bool isUnsigned) {
  ScalarBuilder s(b);
  Type type = value.getType();
  // i32 to 24 bits: of numbers from 2^24, the low 8 bits go; i64 to 53 bits: of numbers from 2^53, the low 11. In two's
  // complement, clearing bits and setting a sticky bit above them rounds to odd for negative numbers as well.
  const bool isLong = type.isInteger(64);
  const unsigned dropped = isLong ? 11 : 8;
  const int64_t bound = int64_t(1) << (isLong ? 53 : 24);
  const int64_t mask = (int64_t(1) << dropped) - 1;
  Value low = s.bitAnd(value, s.integer(type, mask));
  // Adding the mask carries into the sticky bit exactly where a low bit is set.
  Value carry = s.bitAnd(s.add(low, s.integer(type, mask)), s.integer(type, mask + 1));
  Value rounded = s.bitOr(s.bitAnd(value, s.integer(type, ~mask)), carry);
  Value isLarge = isUnsigned ? s.icmp(Cmp::uge, value, s.integer(type, bound))
                             : s.icmp(Cmp::ugt, s.add(value, s.integer(type, bound)), s.integer(type, 2 * bound));
  return s.select(isLarge, rounded, value);
}

Value tile::clampToFinite(ImplicitLocOpBuilder &b, Value value, const llvm::fltSemantics &to) {
  ScalarBuilder s(b);
  APFloat largest = APFloat::getLargest(to);
  bool losesInfo = false;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  // Ordered comparison: NaN stays.
  Value bound = s.real(value.getType(), largest.convertToDouble());
  return s.select(s.fcmp(FCmp::ogt, s.fabs(value), bound), s.copysign(bound, value), value);
}

#include "lib/Conversion/TileToNVVM/DotWidening.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"

using namespace mlir;
using namespace mlir::tile;
using llvm::APFloat;

/// Integers beside bf16 are too small by 2^16: then no sum over 128 of them leaves f32's range.
static constexpr unsigned missingOfIntegers = 16;

static const llvm::fltSemantics &semanticsOf(Type type) { return cast<FloatType>(type).getFloatSemantics(); }

static int biasOf(Type type) { return 1 - APFloat::semanticsMinExponent(semanticsOf(type)); }

static unsigned mantissaOf(Type type) { return APFloat::semanticsPrecision(semanticsOf(type)) - 1; }

/// `pattern` in each of the four bytes, or in both halves.
static int64_t bytes(uint32_t pattern) { return int32_t(pattern * 0x01010101u); }
static int64_t halves(uint32_t pattern) { return int32_t(pattern * 0x00010001u); }

DotWidening::DotWidening(Emitter &emitter, Type element, Type half)
    : emitter(emitter), element(element), half(half), pairType(VectorType::get({2}, half)), isHalf(half.isF16()) {
  const bool hasInstruction = isHalf && isa<Float8E4M3FNType>(element) && emitter.target.hasF8Cvt;
  if (isa<FloatType>(element) && !hasInstruction)
    missing = biasOf(half) - biasOf(element);
  else if (isa<IntegerType>(element) && !isHalf)
    missing = missingOfIntegers;
}

Value DotWidening::splat(int64_t bits) const {
  ScalarBuilder s(emitter.b);
  return s.bitcast(s.i32(halves(bits)), pairType);
}

Value DotWidening::powerOfTwo(int exponent) const {
  APFloat value(semanticsOf(half), 1);
  value = llvm::scalbn(value, exponent, APFloat::rmNearestTiesToEven);
  return splat(value.bitcastToAPInt().getZExtValue());
}

Value DotWidening::multiply(Value pair, Value factor) const {
  ScalarBuilder s(emitter.b);
  if (isHalf)
    return s.fmul(pair, factor);
  // Every target has the fused form for bf16, and adding -0 changes nothing.
  return emitter.intrinsic("llvm.nvvm.fma.rn.bf16x2", pairType, {pair, factor, splat(0x8000)});
}

WidePairs DotWidening::place(Value codes) const {
  return isa<FloatType>(element) ? placeFloats(codes) : placeIntegers(codes);
}

WidePairs DotWidening::widen(Value codes) const {
  WidePairs pairs = place(codes);
  if (missing)
    for (Value &pair : pairs)
      pair = multiply(pair, powerOfTwo(int(missing)));
  return pairs;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Value DotWidening::moveFields(Value pair) const {
  ScalarBuilder s(emitter.b);
  const unsigned bits = APFloat::semanticsSizeInBits(semanticsOf(element));
  // The mantissa's last bit is bit 8 and goes to where the wider mantissa has one more bit than the narrow one's.
  const int right = 8 - int(mantissaOf(half) - mantissaOf(element));
  const uint32_t magnitudeMask = ((1u << (bits - 1)) - 1) << 8;
  if (right == 0)
    return pair;
  if (bits < 8) {
    // All fields move down, and the sign, by adding the rest of the way, up to bit 15.
    Value moved = s.lshr(pair, right), sign = s.bitAnd(moved, s.i32(halves(1u << (7 + bits - right))));
    return s.add(moved, LLVM::MulOp::create(emitter.b, sign, s.i32((1 << (8 - bits + right)) - 1)));
  }
  Value magnitude = s.bitAnd(pair, s.i32(halves(magnitudeMask)));
  magnitude = s.lshr(magnitude, right);
  if (APFloat::semanticsHasNaN(semanticsOf(element))) {
    // The codes beyond the largest number have an exponent of all ones in the wider format too. Counting from them on
    // carries into the bit above the field; from there upwards, all exponent bits are set.
    const uint32_t first = APFloat::semanticsHasInf(semanticsOf(element)) ? 0x7c00 : 0x7f00;
    const uint32_t carryBit = 0x8000u >> right, step = carryBit - (first >> right);
    Value carry = s.bitAnd(s.add(magnitude, s.i32(halves(step))), s.i32(halves(carryBit)));
    const uint32_t factor = 0x8000u / carryBit - 1;
    if (factor > 1)
      carry = LLVM::MulOp::create(emitter.b, carry, s.i32(factor));
    magnitude = s.bitOr(magnitude, carry);
  }
  return s.bitOr(magnitude, s.bitAnd(pair, s.i32(halves(0x8000))));
}

WidePairs DotWidening::placeFloats(Value codes) const {
  ScalarBuilder s(emitter.b);
  if (missing == 0 && isa<Float8E4M3FNType>(element)) {
    auto convert = [&](Value pair) {
      return emitter.intrinsic("llvm.nvvm.e4m3x2.to.f16x2.rn", pairType, s.trunc(pair, emitter.b.getI16Type()));
    };
    return {convert(codes), convert(s.lshr(codes, 16))};
  }
  const unsigned bits = APFloat::semanticsSizeInBits(semanticsOf(element));
  const bool isDone = isHalf && isa<Float4E2M1FNType, Float6E3M2FNType>(element), isF4 = isa<Float4E2M1FNType>(element);
  if (isDone) {
    // The code's fields lie in the upper byte of f16: the sign goes to bit 7, by adding the rest of the way to where it
    // is, and the magnitude of f4 goes up by one bit in the same step.
    const uint32_t sign = 1u << (bits - 1), up = isF4 ? 2 : 1;
    Value way = LLVM::MulOp::create(emitter.b, s.bitAnd(codes, s.i32(bytes(sign))), s.i32(0x80 / sign - up));
    codes = s.add(isF4 ? s.shl(codes, 1) : codes, way);
  }
  Value zero = s.i32(0);
  // Bytes of the result, low first: zero, b0, zero, b1.
  WidePairs pairs{emitter.permuteBytes(codes, zero, 0x1404), emitter.permuteBytes(codes, zero, 0x3424)};
  for (Value &pair : pairs)
    pair = s.bitcast(isDone ? pair : moveFields(pair), pairType);
  return pairs;
}

Value DotWidening::broadcastE4M3(Value codes, unsigned byte) const {
  ScalarBuilder s(emitter.b);
  DotWidening scales(emitter, Float8E4M3FNType::get(emitter.b.getContext()), half);
  if (scales.missing == 0) {
    Value both = emitter.permuteBytes(codes, s.i32(0), 0x4400 | byte << 4 | byte);
    return emitter.intrinsic("llvm.nvvm.e4m3x2.to.f16x2.rn", pairType, s.trunc(both, emitter.b.getI16Type()));
  }
  Value both = emitter.permuteBytes(codes, s.i32(0), 0x0404 | byte << 12 | byte << 4);
  return multiply(s.bitcast(scales.moveFields(both), pairType), powerOfTwo(int(scales.missing)));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A small unsigned number u under the exponent whose last place is 1 reads as that power of two plus u.
WidePairs DotWidening::placeIntegers(Value codes) const {
  ScalarBuilder s(emitter.b);
  const unsigned bits = element.getIntOrFloatBitWidth();
  const uint32_t signBit = 1u << (bits - 1);
  auto subtract = [&](Value x, Value y) -> Value {
    if (isHalf)
      return s.fsub(x, y);
    return emitter.intrinsic("llvm.nvvm.fma.rn.bf16x2", pairType, {y, splat(0xbf80), x});
  };
  // 1024 in f16 (0x6400), 128 · 2^-16 in bf16 (0x3b00).
  Value exponent = s.i32(bytes(isHalf ? 0x64 : 0x43 - missingOfIntegers / 2));
  auto under = [&](Value low) {
    return WidePairs{s.bitcast(emitter.permuteBytes(low, exponent, 0x4140), pairType),
                     s.bitcast(emitter.permuteBytes(low, exponent, 0x4342), pairType)};
  };
  if (!isHalf && bits == 8) {
    // bf16 has room for seven bits there. The eighth, the sign's -128, is the last bit of the exponent: 128 or 256.
    WidePairs low = under(s.bitAnd(codes, s.i32(bytes(0x7f)))), high = under(s.bitAnd(codes, s.i32(bytes(0x80))));
    return {subtract(low[0], high[0]), subtract(low[1], high[1])};
  }
  // Two's complement with the sign bit turned is the number plus 2^(bits-1).
  WidePairs pairs = under(s.bitXor(codes, s.i32(bytes(signBit))));
  Value offset = isHalf ? splat(bits == 8 ? 0x6480 : 0x6408) : splat(0x4308 - (missingOfIntegers << 7));
  return {subtract(pairs[0], offset), subtract(pairs[1], offset)};
}

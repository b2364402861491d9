// tile.cast: every pair of element types, rounding once. Floats meet in f32 (f64 where a side is f64): narrower ones
// widen to it exactly, and from there one rounding leads to the result. Where the way there would round too (f64, wide
// integers), it rounds to odd or keeps a sticky bit, which leaves the final rounding as if it were the only one.
// Instructions that convert two elements at once are used on the packed words directly.
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "lib/Conversion/TileToNVVM/NumberCast.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "lib/Conversion/TileToNVVM/SmallFloats.h"

using namespace mlir;
using namespace mlir::tile;
using FCmp = LLVM::FCmpPredicate;

/// The two formats that newer targets convert in hardware.
static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// The floats narrower than a byte, which the newest targets convert in hardware.
static bool isNarrowFloat(Type type) { return isa<Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(type); }

/// Whether the target converts two codes of this type at once, to f16 and from f32.
static bool hasPairs(const Emitter &e, Type type) {
  return (isF8(type) && e.target.hasF8Cvt) || (isNarrowFloat(type) && e.target.hasNarrowFloatCvt);
}

/// Whether the target converts two f32 at once to this type.
static bool narrowsInPairs(const Emitter &e, Type to) { return to.isF16() || to.isBF16() || hasPairs(e, to); }

static const llvm::fltSemantics &semantics(Type type) { return cast<FloatType>(type).getFloatSemantics(); }

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The name in PTX of two codes.
static StringRef pairName(Type type) {
  return isa<Float8E4M3FNType>(type)   ? "e4m3x2"
         : isa<Float8E5M2Type>(type)   ? "e5m2x2"
         : isa<Float6E2M3FNType>(type) ? "e2m3x2"
         : isa<Float6E3M2FNType>(type) ? "e3m2x2"
                                       : "e2m1x2";
}

/// Two codes in an i16, one in each byte, as a vector of two f16.
static Value widenPair(Emitter &e, Value codes, Type from) {
  ScalarBuilder s(e.b);
  // Codes of four bits are to lie in one byte.
  if (isa<Float4E2M1FNType>(from))
    codes = s.bitAnd(s.bitOr(codes, s.lshr(codes, 4)), s.integer(codes.getType(), 0xff));
  return e.intrinsic(("llvm.nvvm." + pairName(from) + ".to.f16x2.rn").str(), VectorType::get({2}, e.b.getF16Type()),
                     codes);
}

/// Two f32 as codes of a format narrower than a byte, one in each byte of an i16; saturating, as these formats have no
/// infinity.
static Value narrowNarrowPair(Emitter &e, Value low, Value high, Type to) {
  ScalarBuilder s(e.b);
  Type i16 = e.b.getI16Type();
  Value codes = e.intrinsic(("llvm.nvvm.ff.to." + pairName(to) + ".rn.satfinite").str(), i16, {high, low});
  if (!isa<Float4E2M1FNType>(to))
    return codes;
  return s.bitOr(s.bitAnd(codes, s.integer(i16, 0x0f)), s.shl(s.bitAnd(codes, s.integer(i16, 0xf0)), 4));
}

/// The hardware's conversion always saturates: an operand or a result is set right where that is not asked for.
static Value narrowF8Pair(Emitter &e, Value low, Value high, Type to, bool saturate) {
  ScalarBuilder s(e.b);
  Type i16 = e.b.getI16Type();
  if (isa<Float8E4M3FNType>(to)) {
    // 464 is half way between 448, the largest, and the next step: it still rounds to 448.
    auto overflowToNaN = [&](Value value) {
      Value nan = s.real(value.getType(), std::numeric_limits<double>::quiet_NaN());
      return s.select(s.fcmp(FCmp::ogt, s.fabs(value), s.f32(464.0)), nan, value);
    };
    if (!saturate) {
      low = overflowToNaN(low);
      high = overflowToNaN(high);
    }
    return e.intrinsic("llvm.nvvm.ff.to.e4m3x2.rn", i16, {high, low});
  }
  Value codes = e.intrinsic("llvm.nvvm.ff.to.e5m2x2.rn", i16, {high, low});
  if (saturate)
    return codes;
  // Infinity's code follows that of the largest number, 57344; from half a step above that on, rounding leads there.
  auto increment = [&](Value value, int64_t one) {
    Value overflows = s.fcmp(FCmp::oge, s.fabs(value), s.f32(61440.0));
    return s.select(overflows, s.integer(i16, one), s.integer(i16, 0));
  };
  return s.add(codes, s.bitOr(increment(low, 0x001), increment(high, 0x100)));
}

/// Two f32 as one word: a vector of two 16-bit floats, or two codes in an i16.
static Value narrowPair(Emitter &e, Value low, Value high, Type to, bool saturate) {
  if (isNarrowFloat(to))
    return narrowNarrowPair(e, low, high, to);
  if (isF8(to))
    return narrowF8Pair(e, low, high, to, saturate);
  StringRef name = to.isBF16() ? "llvm.nvvm.ff2bf16x2.rn" : "llvm.nvvm.ff2f16x2.rn";
  return e.intrinsic(name, VectorType::get({2}, to), {high, low});
}

/// The values as f32, exactly, or f64 if they are that.
static SmallVector<Value> widen(Emitter &e, ArrayRef<Value> values, Type from) {
  ScalarBuilder s(e.b);
  return llvm::map_to_vector(values, [&](Value value) -> Value {
    if (from.isF64() || from.isF32())
      return value;
    if (from.isF16() || from.isBF16())
      return s.fpext(value, e.b.getF32Type());
    if (hasPairs(e, from)) {
      Value pair = widenPair(e, s.zext(value, e.b.getI16Type()), from);
      Value half = LLVM::ExtractElementOp::create(e.b, pair, e.i32(0));
      return s.fpext(half, e.b.getF32Type());
    }
    return widenSmallFloat(e.b, value, semantics(from));
  });
}

/// What narrowing to `to` starts from: f32 with overflow and earlier rounding seen to, or f64 where that converts
/// directly.
static SmallVector<Value> prepareNarrowing(Emitter &e, ArrayRef<Value> values, Type from, Type to, bool saturate) {
  ScalarBuilder s(e.b);
  SmallVector<Value> wide = widen(e, values, from);
  const bool isExact = llvm::APFloat::isRepresentableBy(semantics(from), semantics(to));
  const bool clamps = saturate && !isExact && !isStorageFloat(to);
  const bool roundsToOdd = from.isF64() && (to.isBF16() || isStorageFloat(to));
  for (Value &value : wide) {
    if (clamps)
      value = clampToFinite(e.b, value, semantics(to));
    if (roundsToOdd)
      value = roundToOdd(e.b, value);
  }
  return wide;
}

/// One f32 or f64, prepared, in the final type.
static Value narrow(Emitter &e, Value value, Type to, bool saturate) {
  ScalarBuilder s(e.b);
  if (!isStorageFloat(to))
    return to.getIntOrFloatBitWidth() > value.getType().getIntOrFloatBitWidth() ? s.fpext(value, to)
                                                                                : s.fptrunc(value, to);
  if (hasPairs(e, to))
    return s.trunc(narrowPair(e, value, s.f32(0.0), to, saturate), e.b.getI8Type());
  return narrowSmallFloat(e.b, value, semantics(to), saturate);
}

SmallVector<Value> Emitter::castFloats(ArrayRef<Value> values, Type from, Type to, bool saturate) {
  if (from == to)
    return SmallVector<Value>(values);
  ScalarBuilder s(b);
  SmallVector<Value> wide = prepareNarrowing(*this, values, from, to, saturate), result;
  size_t i = 0;
  if (narrowsInPairs(*this, to) && !wide.empty() && wide.front().getType().isF32())
    for (; i + 1 < wide.size(); i += 2) {
      Value pair = narrowPair(*this, wide[i], wide[i + 1], to, saturate);
      pair = s.bitcast(pair, VectorType::get({2}, elementType(to)));
      result.push_back(LLVM::ExtractElementOp::create(b, pair, i32(0)));
      result.push_back(LLVM::ExtractElementOp::create(b, pair, i32(1)));
    }
  for (; i < wide.size(); ++i)
    result.push_back(narrow(*this, wide[i], to, saturate));
  return result;
}

/// The elements of a word of four codes as two words of two f16, without conversion instructions.
static void widenWord(Emitter &e, Value word, Type from, SmallVectorImpl<Value> &halves) {
  ScalarBuilder s(e.b);
  Type i32 = e.b.getI32Type();
  Value codes = s.bitcast(word, i32);
  // Bytes of the result, low first: zero, b0, zero, b1.
  for (int64_t selector : {0x1404, 0x3424}) {
    Value pair = e.permuteBytes(codes, s.i32(0), selector);
    halves.push_back(isNarrowFloat(from)          ? widenNarrowPair(e.b, pair, semantics(from))
                     : isa<Float8E5M2Type>(from) ? s.bitcast(pair, VectorType::get({2}, e.b.getF16Type()))
                                                 : widenE4M3Pair(e.b, pair));
  }
}

/// Whether the codes in these words are best widened to f16 in pairs.
static bool widensInPairs(const Emitter &e, const Fragment &source, Type from) {
  return (isF8(from) || isNarrowFloat(from)) && (hasPairs(e, from) ? source.lanes % 2 == 0 : source.lanes == 4);
}

/// The elements of a fragment of codes, as f16 and packed in pairs.
static SmallVector<Value> widenWords(Emitter &e, const Fragment &source, Type from) {
  ScalarBuilder s(e.b);
  Type i16 = e.b.getI16Type();
  SmallVector<Value> halves;
  for (Value word : source.words) {
    if (!hasPairs(e, from)) {
      widenWord(e, word, from, halves);
      continue;
    }
    if (source.lanes == 2) {
      halves.push_back(widenPair(e, s.bitcast(word, i16), from));
      continue;
    }
    Value pairs = s.bitcast(word, VectorType::get({source.lanes / 2}, i16));
    for (unsigned i = 0; i < source.lanes / 2; ++i)
      halves.push_back(widenPair(e, LLVM::ExtractElementOp::create(e.b, pairs, e.i32(i)), from));
  }
  return halves;
}

/// Words of `lanes` elements from f32 values, two by two; `lanes` is even.
static Fragment narrowToWords(Emitter &e, ArrayRef<Value> wide, Type to, unsigned lanes, bool saturate) {
  ScalarBuilder s(e.b);
  Fragment result;
  result.lanes = lanes;
  Type word = e.wordType(e.elementType(to), lanes);
  Type pairBits = e.b.getIntegerType(2 * e.elementType(to).getIntOrFloatBitWidth());
  for (size_t i = 0; i < wide.size(); i += lanes) {
    if (lanes == 2) {
      result.words.push_back(s.bitcast(narrowPair(e, wide[i], wide[i + 1], to, saturate), word));
      continue;
    }
    Value pairs = LLVM::PoisonOp::create(e.b, VectorType::get({lanes / 2}, pairBits));
    for (unsigned j = 0; j < lanes / 2; ++j) {
      Value pair = s.bitcast(narrowPair(e, wide[i + 2 * j], wide[i + 2 * j + 1], to, saturate), pairBits);
      pairs = LLVM::InsertElementOp::create(e.b, pairs, pair, e.i32(j));
    }
    result.words.push_back(s.bitcast(pairs, word));
  }
  return result;
}

static Fragment castFloatTile(Emitter &e, Fragment source, Type from, Type to, unsigned lanes, bool saturate) {
  if (widensInPairs(e, source, from)) {
    source = Fragment{widenWords(e, source, from), 2};
    from = e.b.getF16Type();
    if (to.isF16() && lanes == 2)
      return source;
  }
  SmallVector<Value> values = e.elements(source);
  if (lanes % 2 == 0 && narrowsInPairs(e, to) && from != to && !(from.isF64() && to.isF16()))
    return narrowToWords(e, prepareNarrowing(e, values, from, to, saturate), to, lanes, saturate);
  return e.pack(e.castFloats(values, from, to, saturate), lanes);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A value of element type i1, as the i1 that says whether it is 1.
static Value isOne(Emitter &e, Value value) {
  ScalarBuilder s(e.b);
  if (value.getType().isInteger(1))
    return value;
  return s.icmp(LLVM::ICmpPredicate::ne, value, s.integer(value.getType(), 0));
}

/// Words of i4 codes, packed integers of any width, as bytes with these codes' sign.
static Value extendNibbles(Emitter &e, Value codes) {
  ScalarBuilder s(e.b);
  Type type = codes.getType();
  const unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  int64_t signs = 0;
  for (unsigned i = 0; i < bytes; ++i)
    signs |= int64_t(8) << (8 * i);
  // Sign bit 0x08 times 0x1e is 0xf0, within the byte.
  Value upper = LLVM::MulOp::create(e.b, s.bitAnd(codes, s.integer(type, signs)), s.integer(type, 0x1e));
  return s.bitOr(codes, upper);
}

std::pair<Value, IntegerType> tile::integerNumber(Emitter &e, Value value, IntegerType type, bool isUnsigned) {
  if (type.getWidth() != 4)
    return {value, type};
  return {isUnsigned ? value : extendNibbles(e, value), e.b.getI8Type()};
}

/// The same for all words of a fragment.
static Fragment extendNibbles(Emitter &e, Fragment fragment) {
  ScalarBuilder s(e.b);
  for (Value &word : fragment.words) {
    Type type = word.getType();
    word = s.bitcast(extendNibbles(e, s.bitcast(word, e.b.getIntegerType(8 * fragment.lanes))), type);
  }
  return fragment;
}

/// An i1 in the form that elements of type i1 have.
static Value fromCondition(Emitter &e, Value condition) {
  Type type = e.elementType(e.b.getI1Type());
  return type == condition.getType() ? condition : Value(LLVM::ZExtOp::create(e.b, type, condition));
}

/// The constant 1 or 0 of a float type; a code for storage floats.
static Value floatOf(Emitter &e, Type type, unsigned value) {
  if (!isStorageFloat(type))
    return e.floatConstant(type, value);
  return e.constant(e.b.getI8Type(), llvm::APFloat(semantics(type), value).bitcastToAPInt().getZExtValue());
}

Value tile::castInteger(Emitter &e, Value value, IntegerType from, IntegerType to, bool isUnsigned, bool saturate) {
  ScalarBuilder s(e.b);
  const unsigned fromBits = from.getWidth(), toBits = to.getWidth();
  if (fromBits == 1) {
    Value condition = isOne(e, value);
    return toBits == 1 ? value : s.zext(condition, e.elementType(to));
  }
  if (saturate && toBits < fromBits) {
    // i1 counts as 0 or 1, hence its range.
    const int64_t largest = isUnsigned || toBits == 1 ? (int64_t(1) << toBits) - 1 : (int64_t(1) << (toBits - 1)) - 1;
    const int64_t least = toBits == 1 ? 0 : -largest - 1;
    if (isUnsigned)
      value = s.umin(value, s.integer(value.getType(), largest));
    else
      value = s.smax(s.smin(value, s.integer(value.getType(), largest)), s.integer(value.getType(), least));
  }
  if (toBits == 4) {
    Value byte = fromBits > 8 ? s.trunc(value, e.b.getI8Type()) : value;
    return s.bitAnd(byte, s.integer(byte.getType(), 0x0f));
  }
  if (toBits < fromBits)
    value = s.trunc(value, to);
  else if (toBits > fromBits)
    value = isUnsigned ? s.zext(value, to) : s.sext(value, to);
  return toBits == 1 ? fromCondition(e, value) : value;
}

Value tile::integerToFloat(Emitter &e, Value value, IntegerType from, Type to, bool isUnsigned, bool saturate) {
  ScalarBuilder s(e.b);
  if (from.getWidth() == 1)
    return s.select(isOne(e, value), floatOf(e, to, 1), floatOf(e, to, 0));
  Type via = to.isF64() ? to : e.b.getF32Type();
  // Through f32 only bf16 could round twice: the other narrow formats overflow long before f32 is inexact.
  if (to.isBF16() && from.getWidth() > 24) {
    value = collectSticky(e.b, value, isUnsigned);
    if (from.getWidth() > 32)
      via = e.b.getF64Type();
  }
  Value number = isUnsigned ? Value(LLVM::UIToFPOp::create(e.b, via, value)) : LLVM::SIToFPOp::create(e.b, via, value);
  return e.castFloats(number, via, to, saturate).front();
}

Value tile::floatToInteger(Emitter &e, Value value, Type from, IntegerType to, bool isUnsigned) {
  ScalarBuilder s(e.b);
  Type via = from.isF64() ? from : Type(e.b.getF32Type());
  value = e.castFloats(value, from, via, false).front();
  const unsigned bits = to.getWidth();
  if (bits == 1) // clamped to 0 and 1, toward zero: what is below 1 is 0, and so is NaN
    return fromCondition(e, s.fcmp(FCmp::oge, value, s.real(via, 1.0)));
  if (via.isF64() || bits > 32) {
    auto wide = bits == 4 ? e.b.getI32Type() : to;
    std::string name = (Twine("llvm.fpto") + (isUnsigned ? "ui" : "si") + ".sat.i" + Twine(wide.getWidth()) +
                        (via.isF64() ? ".f64" : ".f32"))
                           .str();
    Value number = e.intrinsic(name, wide, value);
    return bits == 4 ? castInteger(e, number, wide, to, isUnsigned, /*saturate=*/true) : number;
  }
  // From f32 to 32 bits the instruction clamps and turns NaN into 0 itself (PTX ISA, cvt).
  Value wide = e.intrinsic(isUnsigned ? "llvm.nvvm.f2ui.rz" : "llvm.nvvm.f2i.rz", e.b.getI32Type(), value);
  return castInteger(e, wide, e.b.getI32Type(), to, isUnsigned, /*saturate=*/true);
}

/// Integers of `bits` (8 or 4, zeros above) in words of four, to f16 or f32 without conversion instructions: a byte b
/// under the exponent of 2^10 or 2^23 is the number 2^10 + b or 2^23 + b. A signed number has its top bit flipped first,
/// which adds 128 or 8.
static Fragment castBytes(Emitter &e, const Fragment &source, Type to, unsigned bits, bool isUnsigned) {
  ScalarBuilder s(e.b);
  Type i32 = e.b.getI32Type();
  const bool isHalf = to.isF16();
  Type half2 = VectorType::get({2}, e.b.getF16Type());
  const double bias = (isHalf ? 1024.0 : 8388608.0) + (isUnsigned ? 0 : 1 << (bits - 1));
  auto bytes = [&](Value word, uint32_t exponent, uint32_t selector) {
    return e.permuteBytes(word, s.i32(exponent), selector);
  };
  Fragment result;
  result.lanes = isHalf ? 2 : 1;
  for (Value packed : source.words) {
    Value word = s.bitcast(packed, i32);
    if (!isUnsigned)
      word = s.bitXor(word, s.i32(int32_t(0x01010101u << (bits - 1))));
    if (isHalf) {
      // Bytes of the result, low first: b0, exponent, b1, exponent.
      Value offset = LLVM::ConstantOp::create(
          e.b, half2, DenseElementsAttr::get(cast<ShapedType>(half2), e.b.getF16FloatAttr(bias).getValue()));
      for (uint32_t selector : {0x4140u, 0x4342u})
        result.words.push_back(s.fsub(s.bitcast(bytes(word, 0x64646464, selector), half2), offset));
      continue;
    }
    for (uint32_t i = 0; i < 4; ++i)
      result.words.push_back(s.fsub(s.fromBits(bytes(word, 0x4b000000, 0x7440 | i)), s.f32(bias)));
  }
  return result;
}

/// Integers to floats; the elements' type is not i1.
static Fragment castIntegerTile(Emitter &e, const Fragment &source, IntegerType from, Type to, unsigned lanes,
                                bool isUnsigned, bool saturate) {
  const bool isPacked = from.getWidth() <= 8 && source.lanes == 4;
  if (isPacked && to.isF16() && lanes == 2)
    return castBytes(e, source, to, from.getWidth(), isUnsigned);
  if (isPacked && (to.isF32() || to.isBF16())) {
    Type f32 = e.b.getF32Type();
    return castFloatTile(e, castBytes(e, source, f32, from.getWidth(), isUnsigned), f32, to, lanes, saturate);
  }
  if (from.getWidth() == 4)
    return castIntegerTile(e, isUnsigned ? source : extendNibbles(e, source), e.b.getI8Type(), to, lanes, isUnsigned,
                           saturate);
  if (from.getWidth() <= 16 && !to.isF64()) { // exact in f32, so words can be packed two by two
    Fragment wide;
    for (Value value : e.elements(source))
      wide.words.push_back(integerToFloat(e, value, from, e.b.getF32Type(), isUnsigned, false));
    return castFloatTile(e, wide, e.b.getF32Type(), to, lanes, saturate);
  }
  SmallVector<Value> values = llvm::map_to_vector(
      e.elements(source), [&](Value value) { return integerToFloat(e, value, from, to, isUnsigned, saturate); });
  return e.pack(values, lanes);
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

LogicalResult tile::refuseNarrowingToExponent(Operation *op, Type from, Type to) {
  if (!isa<Float8E8M0FNUType>(to) || from == to)
    return success();
  InFlightDiagnostic diag = op->emitOpError("cannot convert ") << from << " to " << to << ": no rounding is defined";
  diag.attachNote() << "f8E8M0FNU holds powers of two only, as block scales; take it apart with integer arithmetic on "
                       "the bits of an f32 and store it as i8";
  return diag;
}

LogicalResult Emitter::emitCast(CastOp op) {
  auto resultType = cast<TileType>(op.getResult().getType());
  Type from = elementOrSelf(op.getSource().getType()), to = resultType.getElementType();
  if (failed(refuseNarrowingToExponent(op, from, to)))
    return failure();
  const bool saturate = op.getSaturate(), isUnsigned = op.getIsUnsigned();
  const unsigned lanes = lanesOf(resultType);
  Fragment source = get(op.getSource()); // a copy: set() may move what it refers to
  auto fromInteger = dyn_cast<IntegerType>(from), toInteger = dyn_cast<IntegerType>(to);
  if (from.isInteger(4) && toInteger && from != to) { // as the i8 that it is then
    fromInteger = b.getI8Type();
    source = isUnsigned ? source : extendNibbles(*this, source);
  }
  if (from == to)
    set(op.getResult(), source);
  else if (!fromInteger && !toInteger)
    set(op.getResult(), castFloatTile(*this, source, from, to, lanes, saturate));
  else if (fromInteger && !toInteger && fromInteger.getWidth() > 1)
    set(op.getResult(), castIntegerTile(*this, source, fromInteger, to, lanes, isUnsigned, saturate));
  else
    set(op.getResult(),
        pack(llvm::map_to_vector(elements(source),
                                 [&](Value value) -> Value {
                                   if (!fromInteger)
                                     return floatToInteger(*this, value, from, toInteger, isUnsigned);
                                   if (!toInteger)
                                     return integerToFloat(*this, value, fromInteger, to, isUnsigned, saturate);
                                   return castInteger(*this, value, fromInteger, toInteger, isUnsigned, saturate);
                                 }),
             lanes));
  return success();
}

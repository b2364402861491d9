/// Floating-point arithmetic on the opcodes that integers have too, and fma (PTX ISA, "Floating-Point Instructions",
/// "Half Precision Floating-Point Instructions", "Mixed Precision Floating-Point Instructions"): add, sub, mul, fma,
/// mad, div, min, max, abs, neg.
///
/// A mul and an add without rounding modifier may be contracted to an fma by the assembler; here they never are.
#include "lib/Simulator/Execute/FloatForm.h"

#include "lib/Simulator/Execute/Families.h"
#include "lib/Simulator/Numeric/Approximate.h"

namespace tilec::sim {
namespace {

/// One destination and `count` sources of the type.
bool addRows(Binder &b, const FloatShape &shape, unsigned count) {
  if (!expectOperands(b, count + 1))
    return false;
  b.destination(0, shape.reg);
  for (unsigned i = 1; i <= count; ++i)
    floatSource(b, i, shape.reg);
  b.operation.kind = classOf(shape.type);
  b.operation.propagate = arithmeticPropagator(shape);
  return true;
}

/// A rounded operation through the row functions.
template <unsigned count> bool bindRounded(Binder &b, const FloatShape &shape, FloatOp op, FloatMode mode) {
  if (!addRows(b, shape, count))
    return false;
  if (shape.row == RowType::F64 || shape.row == RowType::F32x2) {
    Row64 row = selectRow64(shape.row, op, mode);
    setRows<uint64_t, uint64_t, uint64_t, uint64_t, count>(
        b, [=](uint64_t *d, const uint64_t *p, const uint64_t *q, const uint64_t *r) { row(mode, d, p, q, r); });
    return b.finish();
  }
  Row32 row = selectRow32(shape.row, op, mode);
  auto function = [=](uint32_t *d, const uint32_t *p, const uint32_t *q, const uint32_t *r) { row(mode, d, p, q, r); };
  if (shape.row == RowType::F16 || shape.row == RowType::BF16)
    setRows<uint32_t, uint32_t, uint16_t, uint16_t, count>(b, function);
  else
    setRows<uint32_t, uint32_t, uint32_t, uint32_t, count>(b, function);
  return b.finish();
}

/// add, sub and fma with operands of f16 or bf16 and an f32 sum; the sum is the last operand.
bool bindMixed(Binder &b, FloatOp op, FloatMode mode) {
  const FloatShape *from = takeFloatShape(b);
  unsigned count = op == FloatOp::Fma ? 3 : 2;
  if (!b.require(100) || !from || !expectOperands(b, count + 1))
    return false;
  if (from->parts != 1 || formatOf(from->type).width() != 16 || op == FloatOp::Mul)
    return b.fail("expects operands of type .f16 or .bf16 for an .f32 result");
  b.destination(0, ptx::Type::F32);
  for (unsigned i = 1; i < count; ++i)
    floatSource(b, i, from->reg);
  floatSource(b, count, ptx::Type::F32);
  b.operation.kind = InstructionClass::Float;
  b.operation.propagate = propagateAll;
  setLanes(b, [=, type = from->type](const uint64_t *s) -> uint64_t {
    auto a = static_cast<uint32_t>(s[0]), second = static_cast<uint32_t>(s[1]);
    return op == FloatOp::Fma ? evaluateMixed(type, op, mode, a, second, static_cast<uint32_t>(s[2]))
                              : evaluateMixed(type, op, mode, a, 0, second);
  });
  return b.finish();
}

/// Whether a modifier after the type names another floating-point type.
bool hasSecondType(const Binder &b) {
  for (const char *name : {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"})
    if (b.has(name))
      return true;
  return false;
}

/// add, sub, mul, fma, mad.
bool bindSumOrProduct(Binder &b, FloatOp op) {
  const FloatShape *shape = takeFloatShape(b);
  if (!shape)
    return false;
  bool isFma = op == FloatOp::Fma, isMad = b.instruction.opcode == "mad";
  bool isHalf = formatOf(shape->type).width() == 16;
  FloatMode mode;
  bool rounded = takeFloatRounding(b, mode.rounding);
  if (isMad && (shape->parts != 1 || isHalf))
    return b.fail(std::string("expects .f32 or .f64, but got .") + shape->name);
  if (isFma && !rounded)
    return b.fail(isHalf ? "expects a rounding: .rn" : "expects a rounding: .rn, .rz, .rm or .rp");
  if (isHalf && mode.rounding != Rounding::NearestEven)
    return b.fail(std::string("expects the rounding .rn with .") + shape->name);
  if (shape->type == FloatType::F32) {
    if (shape->parts == 2 && !b.require(100))
      return false;
    bool mixed = shape->parts == 1 && !isMad && hasSecondType(b);
    mode.ftz = !mixed && b.take("ftz");
    mode.sat = shape->parts == 1 && b.take("sat");
    if (mixed)
      return bindMixed(b, op, mode);
  }
  if (isHalf) {
    bool isF16 = shape->type == FloatType::F16;
    if (!isF16 && !isFma && !b.require(90))
      return false;
    mode.oob = isFma && b.take("oob");
    if (mode.oob && !b.require(90))
      return false;
    mode.relu = isFma && b.take("relu");
    mode.ftz = isF16 && !mode.oob && b.take("ftz");
    mode.sat = isF16 && !mode.oob && !mode.relu && b.take("sat");
  }
  return isFma ? bindRounded<3>(b, *shape, op, mode) : bindRounded<2>(b, *shape, op, mode);
}

bool bindQuotient(Binder &b) {
  const FloatShape *shape = takeFloatShape(b);
  if (!shape)
    return false;
  if (shape->row != RowType::F32 && shape->row != RowType::F64)
    return b.fail(std::string("expects .f32 or .f64, but got .") + shape->name);
  bool isF32 = shape->type == FloatType::F32;
  FloatMode mode;
  bool rounded = takeFloatRounding(b, mode.rounding);
  mode.ftz = isF32 && b.take("ftz");
  if (rounded)
    return bindRounded<2>(b, *shape, FloatOp::Div, mode);
  int way = isF32 ? b.takeOneOf({"approx", "full"}) : -1;
  if (way < 0)
    return b.fail(isF32 ? "expects .approx, .full, or a rounding: .rn, .rz, .rm or .rp"
                        : "expects a rounding: .rn, .rz, .rm or .rp");
  if (!addRows(b, *shape, 2))
    return false;
  setLanes(b, [divide = way == 0 ? divApprox : divFull, ftz = mode.ftz](const uint64_t *s) -> uint64_t {
    return divide(static_cast<uint32_t>(s[0]), static_cast<uint32_t>(s[1]), ftz);
  });
  return b.finish();
}

//===--- min and max ---===//

/// min.f64 and max.f64; see minMax.
template <bool isMax> uint64_t minMaxF64(uint64_t a, uint64_t b) {
  constexpr uint64_t magnitude = ~uint64_t(0) >> 1, infinity = 0x7ff0000000000000;
  bool aNan = (a & magnitude) > infinity, bNan = (b & magnitude) > infinity;
  auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  // Orders as the numbers do, -0 below +0.
  x ^= static_cast<int64_t>(static_cast<uint64_t>(x >> 63) >> 1);
  y ^= static_cast<int64_t>(static_cast<uint64_t>(y >> 63) >> 1);
  uint64_t chosen = (x < y) != isMax ? a : b;
  chosen = aNan ? b : chosen;
  chosen = bNan ? a : chosen;
  return aNan && bNan ? b | 0x0008000000000000 : chosen;
}

bool bindFloatMinMax(Binder &b) {
  const FloatShape *shape = takeFloatShape(b);
  if (!shape)
    return false;
  if (shape->row == RowType::F32x2)
    return b.fail("has no form for .f32x2");
  MinMaxMode mode;
  mode.isMax = b.instruction.opcode == "max";
  if (shape->type == FloatType::F64) {
    if (!addRows(b, *shape, 2))
      return false;
    b.operation.run = mode.isMax ? elementwise<minMaxF64<true>> : elementwise<minMaxF64<false>>;
    return b.finish();
  }
  bool three = shape->type == FloatType::F32 && b.operandCount() == 4;
  mode.ftz = shape->type != FloatType::BF16 && b.take("ftz");
  mode.nan = b.take("NaN");
  mode.xorsign = !three && b.take("xorsign");
  mode.abs = (three || mode.xorsign) && b.take("abs");
  if (mode.xorsign && !mode.abs)
    return b.fail("expects .abs after .xorsign");
  if ((mode.xorsign && !b.require(86)) || (three && !b.require(100)) || !addRows(b, *shape, three ? 3 : 2))
    return false;
  if (three) {
    setLanes(b, [=](const uint64_t *s) { return minMax3(FloatType::F32, mode, s[0], s[1], s[2]); });
    return b.finish();
  }
  MinMaxRow32 row = selectMinMaxRow32(shape->row, mode);
  auto function = [=](uint32_t *d, const uint32_t *p, const uint32_t *q, const uint32_t *) { row(mode, d, p, q); };
  if (shape->row == RowType::F16 || shape->row == RowType::BF16)
    setRows<uint32_t, uint32_t, uint16_t, uint16_t, 2>(b, function);
  else
    setRows<uint32_t, uint32_t, uint32_t, uint32_t, 2>(b, function);
  return b.finish();
}

//===--- abs and neg ---===//

/// What one bit pattern of a format becomes; see absolute and negated. `T` is the register's type.
template <typename T, uint64_t exponent, bool ftz, bool isNeg> T changeSign(T a) {
  constexpr T sign = T(T(1) << (8 * sizeof(T) - 1)), magnitude = T(~sign);
  T m = T(a & magnitude);
  T kept = ftz && (a & T(exponent)) == 0 ? T(0) : m;
  T result = isNeg ? T(kept | ((a & sign) ^ sign)) : kept;
  return m > T(exponent) ? magnitude : result; // the canonical NaN has all of them set
}
template <uint64_t exponent, bool ftz, bool isNeg> uint32_t changeSigns(uint32_t a) {
  auto low = changeSign<uint16_t, exponent, ftz, isNeg>(static_cast<uint16_t>(a));
  auto high = changeSign<uint16_t, exponent, ftz, isNeg>(static_cast<uint16_t>(a >> 16));
  return uint32_t(high) << 16 | low;
}
template <bool isNeg> uint64_t changeSignF64(uint64_t a) {
  constexpr uint64_t sign = uint64_t(1) << 63;
  bool isNan = (a & ~sign) > 0x7ff0000000000000ull;
  uint64_t changed = isNeg ? a ^ sign : a & ~sign;
  return isNan ? a | 0x0008000000000000ull : changed;
}
template <bool ftz, bool isNeg> Handler signHandler(RowType row) {
  switch (row) {
  case RowType::F16:
    return elementwise<changeSign<uint16_t, 0x7c00, ftz, isNeg>>;
  case RowType::F16x2:
    return elementwise<changeSigns<0x7c00, ftz, isNeg>>;
  case RowType::BF16:
    return elementwise<changeSign<uint16_t, 0x7f80, false, isNeg>>;
  case RowType::BF16x2:
    return elementwise<changeSigns<0x7f80, false, isNeg>>;
  case RowType::F32:
    return elementwise<changeSign<uint32_t, 0x7f800000, ftz, isNeg>>;
  case RowType::F64:
    return elementwise<changeSignF64<isNeg>>;
  case RowType::F32x2:
    break;
  }
  return nullptr;
}

/// Bit by bit (abs: a defined sign), but for what may be a NaN or may be flushed: there any bit decides over all. A NaN
/// of f64 keeps its sign.
template <unsigned bits, uint64_t exponent, bool ftz, bool isNeg>
void propagateSign(Execution &x, const Operation &op, LaneMask active) {
  constexpr uint64_t part = ~uint64_t(0) >> (64 - bits), sign = uint64_t(1) << (bits - 1);
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t result = 0, allBits = x.undefinedBits(op.source(), lane), all = x.value(op.source(), lane);
    for (unsigned at = 0; at < 64; at += bits) {
      uint64_t undefined = (allBits >> at) & part, value = (all >> at) & part;
      bool mayBeNan = ((value | undefined) & exponent) == exponent;
      bool mayBeFlushed = ftz && (value & ~undefined & exponent) == 0;
      uint64_t mask = undefined && (mayBeNan || mayBeFlushed) ? part : undefined;
      result |= (isNeg || (bits == 64 && mayBeNan) ? mask : mask & ~sign) << at;
    }
    return result;
  });
}
template <bool ftz, bool isNeg> Propagator signPropagator(FloatType type) {
  switch (type) {
  case FloatType::F16:
    return propagateSign<16, 0x7c00, ftz, isNeg>;
  case FloatType::BF16:
    return propagateSign<16, 0x7f80, false, isNeg>;
  case FloatType::F32:
    return propagateSign<32, 0x7f800000, ftz, isNeg>;
  case FloatType::F64:
    break;
  }
  return propagateSign<64, 0x7ff0000000000000, false, isNeg>;
}

bool bindFloatSign(Binder &b) {
  const FloatShape *shape = takeFloatShape(b);
  if (!shape)
    return false;
  if (shape->row == RowType::F32x2)
    return b.fail("has no form for .f32x2");
  bool isNeg = b.instruction.opcode == "neg";
  bool ftz = (shape->type == FloatType::F32 || shape->type == FloatType::F16) && b.take("ftz");
  if (!addRows(b, *shape, 1))
    return false;
  if (isNeg) {
    b.operation.run = ftz ? signHandler<true, true>(shape->row) : signHandler<false, true>(shape->row);
    b.operation.propagate = ftz ? signPropagator<true, true>(shape->type) : signPropagator<false, true>(shape->type);
  } else {
    b.operation.run = ftz ? signHandler<true, false>(shape->row) : signHandler<false, false>(shape->row);
    b.operation.propagate = ftz ? signPropagator<true, false>(shape->type) : signPropagator<false, false>(shape->type);
  }
  return b.finish();
}

} // namespace

bool bindFloatArithmetic(Binder &b) {
  const std::string &opcode = b.instruction.opcode;
  if (opcode == "add")
    return bindSumOrProduct(b, FloatOp::Add);
  if (opcode == "sub")
    return bindSumOrProduct(b, FloatOp::Sub);
  if (opcode == "mul")
    return bindSumOrProduct(b, FloatOp::Mul);
  if (opcode == "fma" || opcode == "mad")
    return bindSumOrProduct(b, FloatOp::Fma);
  if (opcode == "div")
    return bindQuotient(b);
  if (opcode == "min" || opcode == "max")
    return bindFloatMinMax(b);
  if (opcode == "abs" || opcode == "neg")
    return bindFloatSign(b);
  return b.fail("has no form for floating-point types");
}

} // namespace tilec::sim

// decode, compute exactly, encode: one path for every type and rounding. f64 differs only in what happens to NaN.
#include "lib/Simulator/Numeric/Arithmetic.h"

#include "lib/Simulator/Numeric/ExactArithmetic.h"

namespace tilec::sim {

static int operandCount(FloatOp op) {
  if (op == FloatOp::Fma)
    return 3;
  return op == FloatOp::Rcp || op == FloatOp::Sqrt ? 1 : 2;
}

static Exact negative(Exact value) {
  value.negative = !value.negative;
  return value;
}

static Exact exactResult(FloatOp op, Rounding rounding, const Exact &a, const Exact &b, const Exact &c) {
  switch (op) {
  case FloatOp::Add:
    return exactSum(a, b, rounding);
  case FloatOp::Sub:
    return exactSum(a, negative(b), rounding);
  case FloatOp::Mul:
    return exactProduct(a, b);
  case FloatOp::Fma:
    return exactSum(exactProduct(a, b), c, rounding);
  case FloatOp::Div:
    return exactQuotient(a, b);
  case FloatOp::Rcp:
    return exactQuotient(exactInteger(false, 1), a);
  case FloatOp::Sqrt:
    break;
  }
  return exactRoot(a);
}

/// Rounds an exact result and applies the modifiers that act on results.
static uint64_t finish(const FloatFormat &format, const Exact &value, FloatMode mode) {
  uint64_t result = encode(format, value, mode.rounding);
  // Whether a result is subnormal shows after it is rounded as if exponents had no end: its double, which keeps all
  // bits of the mantissa there, must reach the double of the smallest normal number.
  if (mode.ftz && !format.isNan(result)) {
    Exact doubled = value;
    ++doubled.exponent;
    uint64_t twiceSmallest = uint64_t(2) << (format.mantissaBits + format.storageShift);
    if (format.magnitude(encode(format, doubled, mode.rounding)) < twiceSmallest)
      result &= format.signBit();
  }
  if (mode.sat)
    result = saturated(format, result);
  if (mode.relu)
    result = rectified(format, result);
  return result;
}

uint64_t saturated(const FloatFormat &format, uint64_t bits) {
  uint64_t one = uint64_t(format.bias) << (format.mantissaBits + format.storageShift);
  if (format.isNan(bits) || (bits & format.signBit()))
    return 0;
  return bits > one ? one : bits;
}

uint64_t rectified(const FloatFormat &format, uint64_t bits) {
  if (format.isNan(bits))
    return format.canonicalNan;
  return bits & format.signBit() ? 0 : bits;
}

/// A NaN with its sign and payload, quiet.
static uint64_t quietF64(uint64_t nan) { return nan | 0x0008000000000000ull; }

uint64_t evaluate(FloatType type, FloatOp op, FloatMode mode, uint64_t a, uint64_t b, uint64_t c) {
  const FloatFormat &format = formatOf(type);
  uint64_t operands[3] = {a, b, c};
  int count = operandCount(op);
  if (mode.oob) {
    for (int i = 0; i < count; ++i)
      if ((operands[i] & 0xffff) == oobNan)
        return 0;
  }
  if (type == FloatType::F64) {
    constexpr int order[3] = {1, 2, 0}, quotientOrder[3] = {0, 1, 2};
    for (int i : op == FloatOp::Div ? quotientOrder : order)
      if (i < count && format.isNan(operands[i]))
        return quietF64(operands[i]);
  }
  Exact values[3];
  for (int i = 0; i < count; ++i) {
    if (mode.ftz)
      operands[i] = format.flush(operands[i]);
    values[i] = decode(format, operands[i]);
  }
  return finish(format, exactResult(op, mode.rounding, values[0], values[1], values[2]), mode);
}

uint32_t evaluateHalves(FloatType type, FloatOp op, FloatMode mode, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t low = evaluate(type, op, mode, a & 0xffff, b & 0xffff, c & 0xffff);
  uint64_t high = evaluate(type, op, mode, a >> 16, b >> 16, c >> 16);
  return static_cast<uint32_t>(high << 16 | low);
}

uint32_t evaluateMixed(FloatType operandType, FloatOp op, FloatMode mode, uint32_t a, uint32_t b, uint32_t c) {
  const FloatFormat &format = formatOf(operandType);
  Exact x = decode(format, a), y = decode(format, b), z = decode(f32Format, c);
  Exact value;
  if (op == FloatOp::Fma)
    value = exactSum(exactProduct(x, y), z, mode.rounding);
  else
    value = exactSum(x, op == FloatOp::Sub ? negative(z) : z, mode.rounding);
  return static_cast<uint32_t>(finish(f32Format, value, mode));
}

static uint64_t withSign(FloatType type, bool ftz, uint64_t a, bool flip) {
  const FloatFormat &format = formatOf(type);
  if (format.isNan(a))
    return type == FloatType::F64 ? quietF64(a) : format.canonicalNan;
  if (ftz)
    a = format.flush(a);
  return flip ? a ^ format.signBit() : a & ~format.signBit();
}

uint64_t absolute(FloatType type, bool ftz, uint64_t a) { return withSign(type, ftz, a, false); }
uint64_t negated(FloatType type, bool ftz, uint64_t a) { return withSign(type, ftz, a, true); }

uint64_t copySign(FloatType type, uint64_t a, uint64_t b) {
  uint64_t sign = formatOf(type).signBit();
  return (a & sign) | (b & ~sign);
}

bool testProperty(FloatType type, TestProperty property, uint64_t a) {
  const FloatFormat &format = formatOf(type);
  bool nan = format.isNan(a), infinite = format.isInfinity(a), subnormal = format.isSubnormal(a);
  switch (property) {
  case TestProperty::Finite:
    return !nan && !infinite;
  case TestProperty::Infinite:
    return infinite;
  case TestProperty::Number:
    return !nan;
  case TestProperty::NotANumber:
    return nan;
  case TestProperty::Normal:
    return !nan && !infinite && !subnormal;
  case TestProperty::Subnormal:
    break;
  }
  return subnormal;
}

/// A signed integer that orders the numbers of a format as their values, -0 below +0.
static int64_t orderKey(const FloatFormat &format, uint64_t bits) {
  int64_t magnitude = static_cast<int64_t>(format.magnitude(bits));
  return bits & format.signBit() ? -1 - magnitude : magnitude;
}

uint64_t minMax(FloatType type, MinMaxMode mode, uint64_t a, uint64_t b) {
  const FloatFormat &format = formatOf(type);
  uint64_t nan = type == FloatType::F64 ? quietF64(b) : format.canonicalNan;
  uint64_t sign = (a ^ b) & format.signBit();
  if (mode.ftz) {
    a = format.flush(a);
    b = format.flush(b);
  }
  if (mode.abs) {
    a &= ~format.signBit();
    b &= ~format.signBit();
  }
  bool aNan = format.isNan(a), bNan = format.isNan(b);
  if ((aNan && bNan) || (mode.nan && (aNan || bNan)))
    return nan;
  uint64_t result = b;
  if (bNan || (!aNan && (orderKey(format, a) < orderKey(format, b)) != mode.isMax))
    result = a;
  return mode.xorsign ? (result & ~format.signBit()) | sign : result;
}

uint64_t minMax3(FloatType type, MinMaxMode mode, uint64_t a, uint64_t b, uint64_t c) {
  return minMax(type, mode, minMax(type, mode, a, b), c);
}

bool compare(FloatType type, FloatCompare comparison, bool ftz, uint64_t a, uint64_t b) {
  const FloatFormat &format = formatOf(type);
  bool unordered = format.isNan(a) || format.isNan(b);
  if (ftz) {
    a = format.flush(a);
    b = format.flush(b);
  }
  bool zeros = format.magnitude(a) == 0 && format.magnitude(b) == 0;
  int64_t x = zeros ? 0 : orderKey(format, a), y = zeros ? 0 : orderKey(format, b);
  switch (comparison) {
  case FloatCompare::Eq:
    return !unordered && x == y;
  case FloatCompare::Ne:
    return !unordered && x != y;
  case FloatCompare::Lt:
    return !unordered && x < y;
  case FloatCompare::Le:
    return !unordered && x <= y;
  case FloatCompare::Gt:
    return !unordered && x > y;
  case FloatCompare::Ge:
    return !unordered && x >= y;
  case FloatCompare::Equ:
    return unordered || x == y;
  case FloatCompare::Neu:
    return unordered || x != y;
  case FloatCompare::Ltu:
    return unordered || x < y;
  case FloatCompare::Leu:
    return unordered || x <= y;
  case FloatCompare::Gtu:
    return unordered || x > y;
  case FloatCompare::Geu:
    return unordered || x >= y;
  case FloatCompare::Num:
    return !unordered;
  case FloatCompare::Nan:
    break;
  }
  return unordered;
}

} // namespace tilec::sim

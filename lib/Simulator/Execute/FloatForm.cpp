#include "lib/Simulator/Execute/FloatForm.h"

namespace tilec::sim {

static const FloatShape shapes[] = {
    {"f16", FloatType::F16, 1, RowType::F16, ptx::Type::F16},
    {"f16x2", FloatType::F16, 2, RowType::F16x2, ptx::Type::F16x2},
    {"bf16", FloatType::BF16, 1, RowType::BF16, ptx::Type::BF16},
    {"bf16x2", FloatType::BF16, 2, RowType::BF16x2, ptx::Type::BF16x2},
    {"f32", FloatType::F32, 1, RowType::F32, ptx::Type::F32},
    {"f32x2", FloatType::F32, 2, RowType::F32x2, ptx::Type::B64},
    {"f64", FloatType::F64, 1, RowType::F64, ptx::Type::F64},
};

const FloatShape *takeFloatShape(Binder &b) {
  // In the order of the modifiers: add.f32.f16 is an f32 instruction.
  for (const std::string &modifier : b.instruction.modifiers)
    for (const FloatShape &shape : shapes)
      if (modifier == shape.name && b.take(modifier))
        return &shape;
  b.fail("expects a floating-point type");
  return nullptr;
}

InstructionClass classOf(FloatType type) {
  if (type == FloatType::F64)
    return InstructionClass::Double;
  return type == FloatType::F32 ? InstructionClass::Float : InstructionClass::Half;
}

bool takeFloatRounding(Binder &b, Rounding &rounding) {
  switch (b.takeOneOf({"rn", "rz", "rm", "rp"})) {
  case 0:
    rounding = Rounding::NearestEven;
    return true;
  case 1:
    rounding = Rounding::TowardZero;
    return true;
  case 2:
    rounding = Rounding::Down;
    return true;
  case 3:
    rounding = Rounding::Up;
    return true;
  default:
    return false;
  }
}

Row floatSource(Binder &b, size_t i, ptx::Type type, bool mayBeWider) {
  bool hasConstants = type == ptx::Type::F32 || type == ptx::Type::F64;
  if (hasConstants && i < b.operandCount() && b.operand(i).kind == ptx::Operand::Kind::Integer)
    b.fail("expects a floating-point constant such as 0f3F800000 or 1.0, found an integer");
  return b.source(i, type, mayBeWider);
}

template <unsigned bits> static void propagateParts(Execution &x, const Operation &op, LaneMask active) {
  constexpr uint64_t part = (uint64_t(1) << bits) - 1;
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t any = 0, result = 0;
    for (unsigned i = 0; i < op.sources; ++i)
      any |= x.undefinedBits(op.source(i), lane);
    for (unsigned at = 0; at < 64; at += bits)
      if ((any >> at) & part)
        result |= part << at;
    return result;
  });
}

void propagateHalfwords(Execution &x, const Operation &op, LaneMask active) { propagateParts<16>(x, op, active); }
void propagateWords(Execution &x, const Operation &op, LaneMask active) { propagateParts<32>(x, op, active); }

Propagator arithmeticPropagator(const FloatShape &shape) {
  if (shape.parts == 1)
    return propagateAll;
  return shape.type == FloatType::F32 ? propagateWords : propagateHalfwords;
}

} // namespace tilec::sim

/// Floating-point instructions that integers do not have (PTX ISA, "Floating-Point Instructions"): fma, rcp, sqrt,
/// rsqrt, sin, cos, lg2, ex2, tanh, copysign, testp.
#include "lib/Simulator/Execute/FloatForm.h"

#include "lib/Simulator/Execute/Families.h"
#include "lib/Simulator/Numeric/Approximate.h"

namespace tilec::sim {
namespace {

bool addUnary(Binder &b, const FloatShape &shape) {
  if (!expectOperands(b, 2))
    return false;
  b.destination(0, shape.reg);
  floatSource(b, 1, shape.reg);
  b.operation.kind = classOf(shape.type);
  b.operation.propagate = arithmeticPropagator(shape);
  return true;
}

const FloatShape *takeShapeOf(Binder &b, std::initializer_list<RowType> rows) {
  const FloatShape *shape = takeFloatShape(b);
  if (!shape)
    return nullptr;
  for (RowType row : rows)
    if (shape->row == row)
      return shape;
  b.fail(std::string("has no form for .") + shape->name);
  return nullptr;
}

using Approximation = uint32_t (*)(uint32_t a, bool ftz);

void setApproximation(Binder &b, Approximation function, bool ftz) {
  setLanes(b, [=](const uint64_t *s) -> uint64_t { return function(static_cast<uint32_t>(s[0]), ftz); });
}
void setApproximation(Binder &b, uint64_t (*function)(uint64_t)) {
  setLanes(b, [=](const uint64_t *s) { return function(s[0]); });
}
/// A function of whole rows.
void setApproximation(Binder &b, void (*row)(bool ftz, uint32_t *, const uint32_t *), bool ftz) {
  setRows<uint32_t, uint32_t, uint32_t, uint32_t, 1>(
      b, [=](uint32_t *d, const uint32_t *a, const uint32_t *, const uint32_t *) { row(ftz, d, a); });
}

/// rcp and sqrt: rounded, or approximate.
bool bindRootOrInverse(Binder &b) {
  const FloatShape *shape = takeShapeOf(b, {RowType::F32, RowType::F64});
  if (!shape)
    return false;
  bool isRoot = b.instruction.opcode == "sqrt", isF32 = shape->type == FloatType::F32;
  FloatMode mode;
  bool rounded = takeFloatRounding(b, mode.rounding);
  bool approximate = !rounded && b.take("approx");
  if (!rounded && !approximate)
    return b.fail("expects .approx or a rounding: .rn, .rz, .rm or .rp");
  mode.ftz = (isF32 || (approximate && !isRoot)) && b.take("ftz");
  if (approximate && !isF32 && !mode.ftz)
    return b.fail(isRoot ? "expects a rounding with .f64: .rn, .rz, .rm or .rp" : "expects .ftz with .approx and .f64");
  if (!addUnary(b, *shape))
    return false;
  FloatOp op = isRoot ? FloatOp::Sqrt : FloatOp::Rcp;
  if (rounded && isF32) {
    Row32 row = selectRow32(RowType::F32, op, mode);
    setRows<uint32_t, uint32_t, uint32_t, uint32_t, 1>(b, [=](uint32_t *d, const uint32_t *a, const uint32_t *,
                                                              const uint32_t *) { row(mode, d, a, nullptr, nullptr); });
  } else if (rounded) {
    Row64 row = selectRow64(RowType::F64, op, mode);
    setRows<uint64_t, uint64_t, uint64_t, uint64_t, 1>(b, [=](uint64_t *d, const uint64_t *a, const uint64_t *,
                                                              const uint64_t *) { row(mode, d, a, nullptr, nullptr); });
  } else if (!isF32) {
    setApproximation(b, rcpApproxFtzF64);
  } else if (isRoot) {
    setApproximation(b, sqrtApprox, mode.ftz);
  } else {
    setApproximation(b, rcpApproxRow, mode.ftz);
  }
  return b.finish();
}

bool takeApprox(Binder &b) { return b.take("approx") || b.fail("expects .approx"); }

bool bindInverseRoot(Binder &b) {
  const FloatShape *shape = takeShapeOf(b, {RowType::F32, RowType::F64});
  if (!shape || !takeApprox(b))
    return false;
  bool ftz = b.take("ftz");
  if (!addUnary(b, *shape))
    return false;
  if (shape->type == FloatType::F32)
    setApproximation(b, rsqrtApprox, ftz);
  else
    setApproximation(b, ftz ? rsqrtApproxFtzF64 : rsqrtApproxF64);
  return b.finish();
}

/// sin, cos, lg2.
bool bindTranscendental(Binder &b) {
  const FloatShape *shape = takeShapeOf(b, {RowType::F32});
  if (!shape || !takeApprox(b))
    return false;
  bool ftz = b.take("ftz");
  if (!addUnary(b, *shape))
    return false;
  const std::string &opcode = b.instruction.opcode;
  setApproximation(b, opcode == "sin" ? sinApprox : opcode == "cos" ? cosApprox : lg2Approx, ftz);
  return b.finish();
}

constexpr std::initializer_list<RowType> halvesAndF32 = {RowType::F32, RowType::F16, RowType::F16x2, RowType::BF16,
                                                         RowType::BF16x2};

/// ex2 and tanh, which f16 and bf16 have too.
bool bindExponential(Binder &b) {
  const FloatShape *shape = takeShapeOf(b, halvesAndF32);
  if (!shape || !takeApprox(b))
    return false;
  bool isTanh = b.instruction.opcode == "tanh";
  if (shape->type == FloatType::BF16 && !b.require(90))
    return false;
  bool ftz = !isTanh && shape->type != FloatType::F16 && b.take("ftz");
  if (!isTanh && shape->type == FloatType::BF16 && !ftz)
    return b.fail(std::string("expects .ftz with .") + shape->name);
  if (!addUnary(b, *shape))
    return false;
  if (shape->type != FloatType::F32)
    setPartLanes(b, *shape,
                 [function = isTanh ? tanhApproxHalf : ex2ApproxHalf, type = shape->type](
                     const uint64_t *s) -> uint64_t { return function(type, static_cast<uint32_t>(s[0])); });
  else if (isTanh)
    setLanes(b, [](const uint64_t *s) -> uint64_t { return tanhApprox(static_cast<uint32_t>(s[0])); });
  else
    setApproximation(b, ex2ApproxRow, ftz);
  return b.finish();
}

//===--- copysign and testp ---===//

template <typename T> T withSignOf(T a, T b) {
  constexpr T sign = T(1) << (8 * sizeof(T) - 1);
  return (a & sign) | (b & ~sign);
}
template <typename T> void propagateSignOf(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    return withSignOf<T>(static_cast<T>(x.undefinedBits(op.source(0), lane)),
                         static_cast<T>(x.undefinedBits(op.source(1), lane)));
  });
}

bool bindCopySign(Binder &b) {
  const FloatShape *shape = takeShapeOf(b, {RowType::F32, RowType::F64});
  if (!shape || !expectOperands(b, 3))
    return false;
  b.destination(0, shape->reg);
  floatSource(b, 1, shape->reg);
  floatSource(b, 2, shape->reg);
  b.operation.kind = classOf(shape->type);
  bool isF32 = shape->type == FloatType::F32;
  b.operation.run = isF32 ? elementwise<withSignOf<uint32_t>> : elementwise<withSignOf<uint64_t>>;
  b.operation.propagate = isF32 ? propagateSignOf<uint32_t> : propagateSignOf<uint64_t>;
  return b.finish();
}

bool bindTestProperty(Binder &b) {
  const FloatShape *shape = takeShapeOf(b, {RowType::F32, RowType::F64});
  int property = b.takeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (!shape || !expectOperands(b, 2))
    return false;
  if (property < 0)
    return b.fail("expects .finite, .infinite, .number, .notanumber, .normal or .subnormal");
  b.destination(0, ptx::Type::Predicate);
  floatSource(b, 1, shape->reg);
  b.operation.kind = classOf(shape->type);
  b.operation.propagate = propagateAll;
  setLanes(b, [type = shape->type, property = static_cast<TestProperty>(property)](const uint64_t *s) -> uint64_t {
    return testProperty(type, property, s[0]);
  });
  return b.finish();
}

} // namespace

void addFloatInstructions(InstructionTable &table) {
  table["fma"] = bindFloatArithmetic;
  table["rcp"] = table["sqrt"] = bindRootOrInverse;
  table["rsqrt"] = bindInverseRoot;
  table["sin"] = table["cos"] = table["lg2"] = bindTranscendental;
  table["ex2"] = table["tanh"] = bindExponential;
  table["copysign"] = bindCopySign;
  table["testp"] = bindTestProperty;
}

} // namespace tilec::sim

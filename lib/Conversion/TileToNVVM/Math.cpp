// The math dialect on scalars, in three tiers. One instruction, where it is exact or `afn` allows its error; a short
// sequence of our own for exp, tanh and erf; a call of libdevice for the rest. Narrow floats compute in f32, whose
// error vanishes in the final rounding. libdevice is declared on first use and linked by lib/Codegen.
#include "mlir/Dialect/Math/IR/Math.h"
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "lib/Conversion/TileToNVVM/FloatFunctions.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// log2(e), ln(2) and log10(2).
static constexpr double log2e = 1.4426950408889634, ln2 = 0.6931471805599453, log10of2 = 0.3010299956639812;

/// Whether the op may be approximated.
static bool isApproximate(Operation *op) {
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  return fastMath && arith::bitEnumContainsAll(fastMath.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::afn);
}

//===----------------------------------------------------------------------===//
// libdevice
//===----------------------------------------------------------------------===//

/// The f64 function's name; that on f32 has an f behind. Empty for ops that need none.
static StringRef libdeviceName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<math::AtanOp>([](auto) { return "__nv_atan"; })
      .Case<math::Atan2Op>([](auto) { return "__nv_atan2"; })
      .Case<math::CbrtOp>([](auto) { return "__nv_cbrt"; })
      .Case<math::CosOp>([](auto) { return "__nv_cos"; })
      .Case<math::SinOp>([](auto) { return "__nv_sin"; })
      .Case<math::TanOp>([](auto) { return "__nv_tan"; })
      .Case<math::TanhOp>([](auto) { return "__nv_tanh"; })
      .Case<math::SinhOp>([](auto) { return "__nv_sinh"; })
      .Case<math::CoshOp>([](auto) { return "__nv_cosh"; })
      .Case<math::AsinOp>([](auto) { return "__nv_asin"; })
      .Case<math::AcosOp>([](auto) { return "__nv_acos"; })
      .Case<math::ErfOp>([](auto) { return "__nv_erf"; })
      .Case<math::ErfcOp>([](auto) { return "__nv_erfc"; })
      .Case<math::ExpOp>([](auto) { return "__nv_exp"; })
      .Case<math::Exp2Op>([](auto) { return "__nv_exp2"; })
      .Case<math::ExpM1Op>([](auto) { return "__nv_expm1"; })
      .Case<math::LogOp>([](auto) { return "__nv_log"; })
      .Case<math::Log2Op>([](auto) { return "__nv_log2"; })
      .Case<math::Log10Op>([](auto) { return "__nv_log10"; })
      .Case<math::Log1pOp>([](auto) { return "__nv_log1p"; })
      .Case<math::PowFOp>([](auto) { return "__nv_pow"; })
      .Case<math::RsqrtOp>([](auto) { return "__nv_rsqrt"; })
      // Exact for any quotient; LLVM's own expansion of a remainder is not.
      .Case<arith::RemFOp>([](auto) { return "__nv_fmod"; })
      .Default([](Operation *) { return StringRef(); });
}

/// The declaration of a pure function, made at the module's end if it is not there yet.
static LLVM::LLVMFuncOp declare(Emitter &e, StringRef name, LLVM::LLVMFunctionType type) {
  auto module = e.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (auto existing = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return existing;
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(e.b, name, type);
  const auto none = LLVM::ModRefInfo::NoModRef;
  function.setMemoryEffectsAttr(e.b.getAttr<LLVM::MemoryEffectsAttr>(none, none, none, none, none, none));
  function.setNoUnwind(true);
  function.setWillReturn(true);
  return function;
}

static Value callLibdevice(Emitter &e, Operation *op, ValueRange operands) {
  StringRef base = libdeviceName(op);
  if (base.empty())
    return {};
  Type type = operands.front().getType();
  SmallVector<Type> types(operands.getTypes());
  std::string name = (base + (type.isF32() ? "f" : "")).str();
  LLVM::LLVMFuncOp function = declare(e, name, LLVM::LLVMFunctionType::get(type, types));
  return LLVM::CallOp::create(e.b, function, operands).getResult();
}

//===----------------------------------------------------------------------===//
// Instructions and own sequences
//===----------------------------------------------------------------------===//

/// Ops that LLVM has an intrinsic for and the target an exact instruction or two; any width that arithmetic has.
static Value emitExact(Emitter &e, Operation *op, ValueRange v) {
  ImplicitLocOpBuilder &b = e.b;
  Type type = v.front().getType();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::AbsFOp>([&](auto) { return LLVM::FAbsOp::create(b, type, v[0]); })
      .Case<math::CeilOp>([&](auto) { return LLVM::FCeilOp::create(b, type, v[0]); })
      .Case<math::FloorOp>([&](auto) { return LLVM::FFloorOp::create(b, type, v[0]); })
      .Case<math::TruncOp>([&](auto) { return LLVM::FTruncOp::create(b, type, v[0]); })
      .Case<math::RoundOp>([&](auto) { return LLVM::RoundOp::create(b, type, v[0]); })
      .Case<math::RoundEvenOp>([&](auto) { return LLVM::RoundEvenOp::create(b, type, v[0]); })
      .Case<math::CopySignOp>([&](auto) { return LLVM::CopySignOp::create(b, type, v[0], v[1]); })
      .Case<math::FmaOp>([&](auto) { return LLVM::FMAOp::create(b, type, v[0], v[1], v[2]); })
      .Case<math::SqrtOp>([&](auto) { return LLVM::SqrtOp::create(b, type, v[0]); })
      .Default([](Operation *) { return Value(); });
}

static Value emitIntegerMath(Emitter &e, Operation *op, ValueRange v) {
  ImplicitLocOpBuilder &b = e.b;
  Type type = v.front().getType();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::AbsIOp>([&](auto) { return LLVM::AbsOp::create(b, type, v[0], /*is_int_min_poison=*/false); })
      .Case<math::CountLeadingZerosOp>(
          [&](auto) { return LLVM::CountLeadingZerosOp::create(b, type, v[0], /*is_zero_poison=*/false); })
      .Case<math::CountTrailingZerosOp>(
          [&](auto) { return LLVM::CountTrailingZerosOp::create(b, type, v[0], /*is_zero_poison=*/false); })
      .Case<math::CtPopOp>([&](auto) { return LLVM::CtPopOp::create(b, type, v[0]); })
      .Default([](Operation *) { return Value(); });
}

/// An intrinsic from f32 to f32.
static Value unary(Emitter &e, StringRef name, Value x) { return e.intrinsic(name, x.getType(), x); }

/// 2^x; results below 2^-126 are flushed to zero.
static Value exp2Flushed(Emitter &e, Value x) { return unary(e, "llvm.nvvm.ex2.approx.ftz", x); }

/// f32 under `afn`. Errors are those of the instructions (PTX ISA, "Floating Point Instructions").
static Value emitApproximate(Emitter &e, Operation *op, ValueRange v) {
  ScalarBuilder s(e.b);
  Value x = v.front();
  auto scaledLog2 = [&](double factor) { return s.fmul(unary(e, "llvm.nvvm.lg2.approx.ftz.f", x), s.f32(factor)); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::ExpOp>([&](auto) { return exp2Flushed(e, s.fmul(x, s.f32(log2e))); })
      .Case<math::Exp2Op>([&](auto) { return exp2Flushed(e, x); })
      .Case<math::LogOp>([&](auto) { return scaledLog2(ln2); })
      .Case<math::Log2Op>([&](auto) { return unary(e, "llvm.nvvm.lg2.approx.ftz.f", x); })
      .Case<math::Log10Op>([&](auto) { return scaledLog2(log10of2); })
      .Case<math::SinOp>([&](auto) { return unary(e, "llvm.nvvm.sin.approx.f", x); })
      .Case<math::CosOp>([&](auto) { return unary(e, "llvm.nvvm.cos.approx.f", x); })
      .Case<math::TanOp>([&](auto) {
        Value sine = unary(e, "llvm.nvvm.sin.approx.f", x), cosine = unary(e, "llvm.nvvm.cos.approx.f", x);
        return e.intrinsic("llvm.nvvm.div.approx.f", x.getType(), {sine, cosine});
      })
      .Case<math::TanhOp>(
          [&](auto) { return e.inlinePtx("tanh.approx.f32 $0, $1;", "=f,f", x.getType(), x, /*volatile_=*/false); })
      .Case<math::SqrtOp>([&](auto) { return unary(e, "llvm.nvvm.sqrt.approx.f", x); })
      .Default([](Operation *) { return Value(); });
}

/// f32 by instructions whose error is at most two units in the last place, or sequences that get there.
static Value emitShortSequence(Emitter &e, Operation *op, ValueRange v) {
  Value x = v.front();
  auto exp2 = [&](Value y) { return exp2Flushed(e, y); };
  auto reciprocal = [&](Value y) { return unary(e, "llvm.nvvm.rcp.approx.ftz.f", y); };
  const HardwareFunctions hardware{exp2, reciprocal};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::ExpOp>([&](auto) { return buildExp(e.b, x, hardware); })
      .Case<math::Exp2Op>([&](auto) { return unary(e, "llvm.nvvm.ex2.approx", x); })
      .Case<math::TanhOp>([&](auto) { return buildTanh(e.b, x, hardware); })
      .Case<math::ErfOp>([&](auto) { return buildErf(e.b, x, hardware); })
      .Case<math::RsqrtOp>([&](auto) { return unary(e, "llvm.nvvm.rsqrt.approx.f", x); })
      .Default([](Operation *) { return Value(); });
}

/// f16 and bf16 take one instruction where a sequence's care would be lost in the rounding: e^x over their range.
static Value emitForNarrow(Emitter &e, Operation *op, Value x) {
  ScalarBuilder s(e.b);
  if (isa<math::ExpOp>(op))
    return unary(e, "llvm.nvvm.ex2.approx", s.fmul(x, s.f32(log2e)));
  return {};
}

/// An f16 or bf16 by way of f32. Only fma would round twice there, and it and abs have instructions of their own.
static Value emitNarrow(Emitter &e, Operation *op, ValueRange operands) {
  if (isa<math::FmaOp, math::AbsFOp>(op))
    return emitExact(e, op, operands);
  Type type = operands.front().getType(), f32 = e.b.getF32Type();
  SmallVector<Value> wide = e.castFloats(SmallVector<Value>(operands), type, f32, /*saturate=*/false);
  Value result = isApproximate(op) ? Value() : emitForNarrow(e, op, wide.front());
  if (!result)
    result = e.emitMath(op, wide);
  return result ? e.castFloats(result, f32, type, /*saturate=*/false).front() : Value();
}

Value Emitter::emitMath(Operation *op, ValueRange operands) {
  if (operands.empty())
    return {};
  Type type = operands.front().getType();
  if (isa<IntegerType>(type))
    return emitIntegerMath(*this, op, operands);
  if (type.isF16() || type.isBF16())
    return emitNarrow(*this, op, operands);
  if (!type.isF32() && !type.isF64())
    return {};
  Value result;
  if (type.isF32() && isApproximate(op))
    result = emitApproximate(*this, op, operands);
  if (!result)
    result = emitExact(*this, op, operands);
  if (!result && type.isF32())
    result = emitShortSequence(*this, op, operands);
  return result ? result : callLibdevice(*this, op, operands);
}

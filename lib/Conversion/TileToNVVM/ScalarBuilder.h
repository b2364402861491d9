/// A short spelling of scalar arithmetic in the LLVM dialect, for code that computes with the bits of floats.
///
/// It needs no Emitter, so the same emission code is compiled for the CPU by unit tests and compared there with APFloat.
/// No operation carries fast-math flags: what is built here counts on every rounding.
#ifndef LIB_CONVERSION_TILETONVVM_SCALARBUILDER_H
#define LIB_CONVERSION_TILETONVVM_SCALARBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tile {

class ScalarBuilder {
public:
  explicit ScalarBuilder(ImplicitLocOpBuilder &builder) : b(builder) {}

  //===--- constants ---===//
  Value integer(Type type, int64_t value) { return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value)); }
  Value i32(int64_t value) { return integer(b.getI32Type(), value); }
  /// A float of the given type; the value must be exact in it or is rounded to nearest.
  Value real(Type type, double value) { return LLVM::ConstantOp::create(b, type, b.getFloatAttr(type, value)); }
  Value f32(double value) { return real(b.getF32Type(), value); }

  //===--- integers ---===//
  Value add(Value x, Value y) { return LLVM::AddOp::create(b, x, y); }
  Value sub(Value x, Value y) { return LLVM::SubOp::create(b, x, y); }
  Value bitAnd(Value x, Value y) { return LLVM::AndOp::create(b, x, y); }
  Value bitOr(Value x, Value y) { return LLVM::OrOp::create(b, x, y); }
  Value bitXor(Value x, Value y) { return LLVM::XOrOp::create(b, x, y); }
  Value shl(Value x, unsigned bits) { return LLVM::ShlOp::create(b, x, integer(x.getType(), bits)); }
  Value lshr(Value x, unsigned bits) { return LLVM::LShrOp::create(b, x, integer(x.getType(), bits)); }
  Value ashr(Value x, unsigned bits) { return LLVM::AShrOp::create(b, x, integer(x.getType(), bits)); }
  Value umin(Value x, Value y) { return LLVM::UMinOp::create(b, x.getType(), x, y); }
  Value smin(Value x, Value y) { return LLVM::SMinOp::create(b, x.getType(), x, y); }
  Value smax(Value x, Value y) { return LLVM::SMaxOp::create(b, x.getType(), x, y); }
  Value icmp(LLVM::ICmpPredicate predicate, Value x, Value y) { return LLVM::ICmpOp::create(b, predicate, x, y); }
  /// Extension with zeros.
  Value zext(Value x, Type type) { return LLVM::ZExtOp::create(b, type, x); }
  Value sext(Value x, Type type) { return LLVM::SExtOp::create(b, type, x); }
  Value trunc(Value x, Type type) { return LLVM::TruncOp::create(b, type, x); }
  Value bitcast(Value x, Type type) { return x.getType() == type ? x : Value(LLVM::BitcastOp::create(b, type, x)); }
  /// The bits of an f32, and back.
  Value bits(Value x) { return bitcast(x, b.getI32Type()); }
  Value fromBits(Value x) { return bitcast(x, b.getF32Type()); }

  //===--- floats ---===//
  Value fadd(Value x, Value y) { return LLVM::FAddOp::create(b, x, y); }
  Value fsub(Value x, Value y) { return LLVM::FSubOp::create(b, x, y); }
  Value fmul(Value x, Value y) { return LLVM::FMulOp::create(b, x, y); }
  /// x · y + z, rounded once.
  Value fma(Value x, Value y, Value z) { return LLVM::FMAOp::create(b, x.getType(), x, y, z); }
  Value fabs(Value x) { return LLVM::FAbsOp::create(b, x.getType(), x); }
  Value copysign(Value magnitude, Value sign) {
    return LLVM::CopySignOp::create(b, magnitude.getType(), magnitude, sign);
  }
  /// IEEE 754-2019 minimum and maximum: NaN if either is.
  Value minimum(Value x, Value y) { return LLVM::MinimumOp::create(b, x.getType(), x, y); }
  Value maximum(Value x, Value y) { return LLVM::MaximumOp::create(b, x.getType(), x, y); }
  Value fcmp(LLVM::FCmpPredicate predicate, Value x, Value y) { return LLVM::FCmpOp::create(b, predicate, x, y); }
  Value fpext(Value x, Type type) { return x.getType() == type ? x : Value(LLVM::FPExtOp::create(b, type, x)); }
  Value fptrunc(Value x, Type type) { return x.getType() == type ? x : Value(LLVM::FPTruncOp::create(b, type, x)); }

  Value select(Value condition, Value x, Value y) { return LLVM::SelectOp::create(b, condition, x, y); }

  ImplicitLocOpBuilder &b;
};

} // namespace mlir::tile

#endif

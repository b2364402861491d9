// Checks of matrix products.
#include "dialect/Dot.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Dot.cpp.inc"

/// Whether a dot of these element types exists.
static bool isSupported(Type lhs, Type rhs, Type acc) {
  auto isF8 = [](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); };
  if (lhs != rhs && !(isF8(lhs) && isF8(rhs)))
    return false;
  if (acc.isF32())
    return lhs.isF16() || lhs.isBF16() || lhs.isF32() || isF8(lhs);
  if (acc.isF64())
    return lhs.isF64();
  return acc.isInteger(32) && lhs.isInteger(8);
}

LogicalResult DotOp::verify() {
  auto lhs = cast<TileType>(getLhs().getType()), rhs = cast<TileType>(getRhs().getType()),
       acc = cast<TileType>(getAcc().getType());
  if (lhs.getShape().size() != 2 || rhs.getShape().size() != 2 || acc.getShape().size() != 2)
    return emitOpError("expects lhs, rhs and acc of rank 2, found ") << lhs << ", " << rhs << " and " << acc;
  auto mismatch = [&](StringRef a, StringRef b, StringRef dim, int64_t x, int64_t y) {
    auto operand = [&](StringRef name) -> Value {
      return name == "lhs" ? getLhs() : name == "rhs" ? getRhs() : getAcc();
    };
    InFlightDiagnostic diag = emitOpError("expects ")
                              << a << " and " << b << " to have the same " << dim << ", but got " << x << " and " << y;
    for (StringRef name : {a, b})
      diag.attachNote(operand(name).getLoc()) << name << " has type " << operand(name).getType();
    return diag;
  };
  if (lhs.getShape()[1] != rhs.getShape()[0]) {
    InFlightDiagnostic diag = mismatch("lhs", "rhs", "K", lhs.getShape()[1], rhs.getShape()[0]);
    if (lhs.getShape()[1] == rhs.getShape()[1])
      diag.attachNote() << "if rhs is stored N x K, transpose it first with 'tile.transpose'";
    return diag;
  }
  if (lhs.getShape()[0] != acc.getShape()[0])
    return mismatch("lhs", "acc", "M", lhs.getShape()[0], acc.getShape()[0]);
  if (rhs.getShape()[1] != acc.getShape()[1])
    return mismatch("rhs", "acc", "N", rhs.getShape()[1], acc.getShape()[1]);
  if (!isSupported(lhs.getElementType(), rhs.getElementType(), acc.getElementType())) {
    InFlightDiagnostic diag = emitOpError("expects element types that can be multiplied, but got ")
                              << lhs.getElementType() << ", " << rhs.getElementType() << " and "
                              << acc.getElementType();
    diag.attachNote() << "f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type";
    return diag;
  }
  if (getPrecision() == Precision::TF32 && !lhs.getElementType().isF32())
    return emitOpError("expects 'precision tf32' only on f32 operands, found ") << lhs.getElementType();
  return success();
}

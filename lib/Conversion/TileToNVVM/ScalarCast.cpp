// Casts of scalars, which arith spells one op per kind.
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "lib/Conversion/TileToNVVM/NumberCast.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// Between index and integers. An index is signed, whatever width it has here.
static Value castIndex(Emitter &e, Operation *op, bool isUnsigned) {
  ScalarBuilder s(e.b);
  Value operand = op->getOperand(0), result = op->getResult(0);
  if (operand.getType().isIndex()) {
    Value number = e.index(operand, e.scalarType(result).getIntOrFloatBitWidth());
    return result.getType().isInteger(4) ? s.bitAnd(number, s.integer(number.getType(), 0x0f)) : number;
  }
  Type type = e.scalarType(result);
  Value value = integerNumber(e, e.scalar(operand), cast<IntegerType>(operand.getType()), isUnsigned).first;
  const unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return s.trunc(value, type);
  return isUnsigned ? s.zext(value, type) : s.sext(value, type);
}

/// Between integers, as the op says: an i1 extended by its sign is 0 or -1, unlike in tile.cast.
static Value resizeInteger(Emitter &e, Operation *op) {
  ScalarBuilder s(e.b);
  auto from = cast<IntegerType>(op->getOperand(0).getType()), to = cast<IntegerType>(op->getResult(0).getType());
  Value value = integerNumber(e, e.scalar(op->getOperand(0)), from, !isa<arith::ExtSIOp>(op)).first;
  Type type = e.scalarType(op->getResult(0));
  if (to.getWidth() == 4 && from.getWidth() > 1)
    return castInteger(e, value, from, to, /*isUnsigned=*/true, /*saturate=*/false);
  if (value.getType() == type)
    return value;
  if (isa<arith::TruncIOp>(op))
    return s.trunc(value, type);
  if (to.getWidth() == 4) // from i1
    return s.bitAnd(isa<arith::ExtSIOp>(op) ? s.sext(value, type) : s.zext(value, type), s.integer(type, 0x0f));
  return isa<arith::ExtSIOp>(op) ? s.sext(value, type) : s.zext(value, type);
}

static LogicalResult checkRounding(arith::TruncFOp op) {
  std::optional<arith::RoundingMode> mode = op.getRoundingmode();
  if (!mode || *mode == arith::RoundingMode::to_nearest_even)
    return success();
  InFlightDiagnostic diag = op.emitOpError("expects to_nearest_even as its rounding mode, found ")
                            << arith::stringifyRoundingMode(*mode);
  diag.attachNote() << "leave the rounding mode away";
  return diag;
}

/// Between floats, or between a float and an integer.
static Value castNumber(Emitter &e, Operation *op) {
  Value value = e.scalar(op->getOperand(0));
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  const bool isUnsigned = isa<arith::UIToFPOp, arith::FPToUIOp>(op);
  if (auto integer = dyn_cast<IntegerType>(to))
    return floatToInteger(e, value, from, integer, isUnsigned);
  if (auto integer = dyn_cast<IntegerType>(from)) {
    std::tie(value, integer) = integerNumber(e, value, integer, isUnsigned);
    // A signed i1 is 0 or -1 here.
    if (integer.getWidth() == 1 && !isUnsigned) {
      integer = e.b.getI32Type();
      value = LLVM::SExtOp::create(e.b, integer, value);
    }
    return integerToFloat(e, value, integer, to, isUnsigned, /*saturate=*/false);
  }
  return e.castFloats(value, from, to, /*saturate=*/false).front();
}

LogicalResult Emitter::emitScalarCast(Operation *op, bool &handled) {
  handled =
      isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op) &&
      !isa<ShapedType>(op->getResult(0).getType());
  if (!handled)
    return success();
  Value result = op->getResult(0);
  if (auto truncation = dyn_cast<arith::TruncFOp>(op))
    if (failed(checkRounding(truncation)))
      return failure();
  if (isa<arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(op) &&
      failed(refuseNarrowingToExponent(op, op->getOperand(0).getType(), result.getType())))
    return failure();
  Value word =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<arith::IndexCastOp>([&](auto) { return castIndex(*this, op, false); })
          .Case<arith::IndexCastUIOp>([&](auto) { return castIndex(*this, op, true); })
          .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>([&](auto) { return resizeInteger(*this, op); })
          .Case<arith::BitcastOp>(
              [&](auto) { return ScalarBuilder(b).bitcast(scalar(op->getOperand(0)), elementType(result.getType())); })
          .Default([&](Operation *) { return castNumber(*this, op); });
  set(result, word);
  return success();
}

// Checks and folds of selection and casts.
#include "dialect/Elementwise.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Elementwise.cpp.inc"

LogicalResult SelectOp::verify() {
  auto condition = dyn_cast<TileType>(getCondition().getType());
  auto result = cast<TileType>(getResult().getType());
  if (!condition)
    return success();
  if (!condition.getElementType().isInteger(1))
    return emitOpError("expects condition to be i1, or a tile of i1, found ") << condition;
  if (condition.getShape() != result.getShape() || condition.getLayout() != result.getLayout()) {
    InFlightDiagnostic diag = emitOpError("expects condition and values to have one shape and layout");
    diag.attachNote() << "condition has type " << condition << ", values have " << result;
    return diag;
  }
  return success();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  if (auto condition = dyn_cast_or_null<IntegerAttr>(adaptor.getCondition()))
    return condition.getValue().isZero() ? getFalseValue() : getTrueValue();
  if (auto condition = dyn_cast_or_null<SplatElementsAttr>(adaptor.getCondition()))
    return condition.getSplatValue<APInt>().isZero() ? getFalseValue() : getTrueValue();
  return {};
}

LogicalResult CastOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  if (source.getShape() != result.getShape()) {
    InFlightDiagnostic diag = emitOpError("expects source and result to have one shape, but got ");
    printShape(diag, source.getShape());
    diag << " and ";
    printShape(diag, result.getShape());
    return diag;
  }
  if (source.getLayout() != result.getLayout())
    return emitOpError("expects source and result to have one layout; use 'tile.relayout' between them");
  if (getIsUnsigned() && !isa<IntegerType>(source.getElementType()) && !isa<IntegerType>(result.getElementType()))
    return emitOpError("expects 'unsigned' only from or to an integer type, found ")
           << source.getElementType() << " to " << result.getElementType();
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  // Splat floats only, where the result keeps the value or rounds once; everything else is left to the device.
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource());
  auto source = dyn_cast<FloatType>(cast<TileType>(getSource().getType()).getElementType());
  auto result = dyn_cast<FloatType>(cast<TileType>(getResult().getType()).getElementType());
  if (!splat || !source || !result || isStorageFloat(source) || isStorageFloat(result))
    return {};
  APFloat value = splat.getSplatValue<APFloat>();
  bool losesInfo = false;
  value.convert(result.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (!value.isFinite())
    return {};
  return DenseElementsAttr::get(cast<ShapedType>(getResult().getType()), value);
}

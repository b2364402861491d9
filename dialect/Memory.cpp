// Checks of loads and stores on views.
#include "dialect/Memory.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Memory.cpp.inc"

static LogicalResult verifyAccess(Operation *op, ViewType view, TileType tile, size_t offsets) {
  if (view.getElementType() != tile.getElementType()) {
    InFlightDiagnostic diag = op->emitOpError("expects view and tile to have one element type, but got ")
                              << view.getElementType() << " and " << tile.getElementType();
    diag.attachNote() << "'tile.cast' converts the tile";
    return diag;
  }
  if (view.getShape().size() != tile.getShape().size())
    return op->emitOpError("expects view and tile to have one rank, but got ")
           << view.getShape().size() << " and " << tile.getShape().size();
  if (offsets != view.getShape().size())
    return op->emitOpError("expects one offset per axis of the view, got ")
           << offsets << " for rank " << view.getShape().size();
  return success();
}

LogicalResult LoadOp::verify() {
  auto tile = cast<TileType>(getResult().getType());
  if (failed(verifyAccess(*this, cast<ViewType>(getView().getType()), tile, getOffsets().size())))
    return failure();
  if (getPad() && getPad().getType() != tile.getElementType())
    return emitOpError("expects pad to have the element type, but got ")
           << getPad().getType() << " and " << tile.getElementType();
  return success();
}

bool LoadOp::isZeroPad() {
  Attribute value;
  if (!getPad())
    return true;
  if (!matchPattern(getPad(), m_Constant(&value)))
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().isZero();
  auto number = dyn_cast<FloatAttr>(value);
  return number && number.getValue().isPosZero();
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, cast<ViewType>(getView().getType()), cast<TileType>(getValue().getType()),
                      getOffsets().size());
}

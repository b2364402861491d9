// Checks of layouts, shared memory and asynchronous copies.
#include "dialect/Shared.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Shared.cpp.inc"

LogicalResult RelayoutOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  if (source.withLayout({}) != result.withLayout({})) {
    InFlightDiagnostic diag = emitOpError("expects source and result to differ in layout only");
    diag.attachNote() << "source has type " << source << ", result " << result;
    return diag;
  }
  return success();
}

OpFoldResult RelayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return constant.resizeSplat(cast<ShapedType>(getResult().getType()));
  return {};
}

/// The tile that goes to or from a buffer has its elements, fits into it, and has a layout.
static LogicalResult verifyStaging(Operation *op, TileType tile, SharedType buffer) {
  if (tile.getElementType() != buffer.getElementType() || tile.getShape().size() != buffer.getShape().size())
    return op->emitOpError("expects tile and buffer to have one rank and element type, but got ")
           << tile << " and " << buffer;
  for (auto [inTile, inBuffer] : llvm::zip(tile.getShape(), buffer.getShape()))
    if (inTile > inBuffer)
      return op->emitOpError("expects a buffer with at least the tile's extents, but got ")
             << tile << " and " << buffer;
  if (!tile.getLayout())
    return op->emitOpError("expects a tile with a layout, found ") << tile;
  return success();
}

LogicalResult SharedLoadOp::verify() {
  return verifyStaging(*this, cast<TileType>(getResult().getType()), cast<SharedType>(getBuffer().getType()));
}

LogicalResult SharedStoreOp::verify() {
  return verifyStaging(*this, cast<TileType>(getValue().getType()), cast<SharedType>(getBuffer().getType()));
}

LogicalResult CopyAsyncOp::verify() {
  auto view = cast<ViewType>(getView().getType());
  auto buffer = cast<SharedType>(getBuffer().getType());
  if (view.getElementType() != buffer.getElementType() || view.getShape().size() != buffer.getShape().size())
    return emitOpError("expects view and buffer to have one rank and element type, but got ")
           << view << " and " << buffer;
  if (getOffsets().size() != view.getShape().size())
    return emitOpError("expects one offset per axis of the view, got ")
           << getOffsets().size() << " for rank " << view.getShape().size();
  return success();
}

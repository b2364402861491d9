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

/// A part of `extents` that begins at `offsets` lies within `room`, the extents of what is called `whole`.
static LogicalResult verifyPart(Operation *op, ArrayRef<int64_t> offsets, ArrayRef<int64_t> extents,
                                ArrayRef<int64_t> room, StringRef whole) {
  if (offsets.size() != extents.size())
    return op->emitOpError("expects one offset per dimension, got ")
           << offsets.size() << " for rank " << extents.size();
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    if (offset < 0)
      return op->emitOpError("expects offsets of 0 or more, found ") << offset << " along dimension " << dim;
    if (offset > room[dim] - extents[dim])
      return op->emitOpError("expects the tile to lie within the ")
             << whole << ", but along dimension " << dim << " offset " << offset << " and extent " << extents[dim]
             << " go beyond " << room[dim];
  }
  return success();
}

std::optional<SmallVector<unsigned>> SliceOp::registers() {
  Layout source = cast<TileType>(getSource().getType()).distribution(),
         result = cast<TileType>(getResult().getType()).distribution();
  if (source.laneBases() != result.laneBases() || source.warpBases() != result.warpBases())
    return std::nullopt;
  auto onWarps = [](const Layout &layout) {
    return llvm::to_vector(llvm::make_filter_range(layout.digits(), [](Digit d) { return d.place == Place::Warp; }));
  };
  if (onWarps(source) != onWarps(result))
    return std::nullopt;
  SmallVector<unsigned> map;
  for (unsigned reg = 0, e = result.numRegisters(); reg < e; ++reg) {
    SmallVector<int64_t> offsets;
    for (auto [dim, offset] : llvm::enumerate(getOffsets())) {
      int64_t own = result.registerOffset(reg, dim);
      // Bits that the result's positions have are added up by XOR.
      if (offset & ((int64_t(1) << result.bits(dim)) - 1))
        return std::nullopt;
      offsets.push_back(own + offset);
    }
    std::optional<unsigned> found = source.registerAt(offsets);
    if (!found)
      return std::nullopt;
    map.push_back(*found);
  }
  return map;
}

LogicalResult SliceOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  size_t rank = source.getShape().size();
  if (source.getElementType() != result.getElementType() || result.getShape().size() != rank)
    return emitOpError("expects source and result to have one rank and element type, but got ")
           << source << " and " << result;
  if (!source.getLayout() || !result.getLayout())
    return emitOpError("expects tiles with layouts, found ") << source << " and " << result;
  if (failed(verifyPart(*this, getOffsets(), result.getShape(), source.getShape(), "source")))
    return failure();
  if (!registers())
    return emitOpError("expects the result's registers to be some of the source's in the same threads, but got ")
           << source << " and " << result;
  return success();
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

SmallVector<int64_t> SharedLoadOp::begin() {
  if (std::optional<ArrayRef<int64_t>> offsets = getOffsets())
    return SmallVector<int64_t>(*offsets);
  return SmallVector<int64_t>(cast<SharedType>(getBuffer().getType()).getShape().size(), 0);
}

LogicalResult SharedLoadOp::verify() {
  auto tile = cast<TileType>(getResult().getType());
  auto buffer = cast<SharedType>(getBuffer().getType());
  if (failed(verifyStaging(*this, tile, buffer)))
    return failure();
  return verifyPart(*this, begin(), tile.getShape(), buffer.getShape(), "buffer");
}

LogicalResult SharedStoreOp::verify() {
  Type element = cast<TileType>(getValue().getType()).getElementType();
  if (memoryBits(element) < 8) {
    InFlightDiagnostic diag = emitOpError("expects elements of whole bytes, found ") << element;
    diag.attachNote() << "'tile.bitcast' to i8 first; only 'tile.copy_async' fills a packed buffer";
    return diag;
  }
  return verifyStaging(*this, cast<TileType>(getValue().getType()), cast<SharedType>(getBuffer().getType()));
}

/// Whether elements follow each other in row-major order without gaps.
static bool isPlain(SharedType type) {
  SwizzleAttr swizzle = type.getSwizzle();
  int64_t last = type.getShape().size();
  return swizzle.getSwizzle() == 0 && swizzle.getPad() == 0 &&
         llvm::all_of(swizzle.getOrder(), [&](int64_t axis) { return axis == --last; });
}

LogicalResult SharedReshapeOp::verify() {
  auto buffer = cast<SharedType>(getBuffer().getType()), result = cast<SharedType>(getResult().getType());
  if (buffer.getElementType() != result.getElementType() || buffer.getNumElements() != result.getNumElements())
    return emitOpError("expects buffers of one element type and number of elements, but got ")
           << buffer << " and " << result;
  for (SharedType type : {buffer, result})
    if (!isPlain(type))
      return emitOpError("expects buffers in row-major order without swizzle and padding, found ") << type;
  return success();
}

bool CopyAsyncOp::isAsynchronous() { return cast<ViewType>(getView().getType()).alignmentInBytes() >= 4; }

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

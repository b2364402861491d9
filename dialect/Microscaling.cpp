// Checks of microscaled tiles and views. Shapes follow from one function each: scaleShape() of the type for tiles, and the
// view that a scale layout wants for memory.
#include "dialect/Microscaling.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Microscaling.cpp.inc"

static InFlightDiagnostic printExpected(InFlightDiagnostic diag, ArrayRef<int64_t> expected, ArrayRef<int64_t> found) {
  printShape(diag, expected);
  diag << ", found ";
  printShape(diag, found);
  return diag;
}

static LogicalResult verifyTensor(Operation *op, bool has, bool wants, Type type) {
  if (has == wants)
    return success();
  return op->emitOpError("expects ") << (wants ? "a tensor scale, as " : "no tensor scale, as ") << type
                                     << (wants ? " has one" : " has none");
}

//===----------------------------------------------------------------------===//
// MxViewOp
//===----------------------------------------------------------------------===//

/// The extents that scales have: those of the elements that are not blocked, and then the blocks.
static SmallVector<int64_t> scaleExtents(MxViewType view) {
  auto extents = llvm::to_vector(view.getShape());
  int64_t blocked = extents[view.getAxis()];
  extents.erase(extents.begin() + view.getAxis());
  extents.push_back(ShapedType::isDynamic(blocked) ? blocked : llvm::divideCeil(blocked, view.getBlock()));
  return extents;
}

/// The extents of the view that holds the scales, where they are known: all of a plain order, and for the interleaved
/// one enough for its elements, as it is padded.
static LogicalResult verifyScaleExtents(MxViewOp op, MxViewType result, ViewType scales) {
  SmallVector<int64_t> extents = scaleExtents(result);
  bool isInterleaved = result.getScales() == ScaleLayout::Interleaved128x4;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    int64_t found = scales.getShape()[axis];
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(found))
      continue;
    int64_t expected = isInterleaved ? llvm::divideCeil(extent, axis == 0 ? 128 : 4) : extent;
    if (isInterleaved ? found >= expected : found == expected)
      continue;
    InFlightDiagnostic diag = op.emitOpError("expects scales with an extent of ")
                              << (isInterleaved ? "at least " : "") << expected << " along axis " << axis << " for the "
                              << extent << (axis + 1 == extents.size() ? " blocks" : " rows or columns") << " of "
                              << result << ", found " << scales;
    if (isInterleaved)
      diag.attachNote() << "its axes are row / 128, block / 4, row mod 32, row / 32 mod 4 and block mod 4";
    else
      diag.attachNote() << "its axes are those of the elements that are not blocked, and then the blocks: also for a "
                           "right operand K x N, whose scales are N x (K / block)";
    return diag;
  }
  return success();
}

/// The view that holds scales: element type, rank and strides.
static LogicalResult verifyScalesView(MxViewOp op, MxViewType result, ViewType scales) {
  if (scales.getElementType() != result.getScaleType())
    return op.emitOpError("expects scales of ") << result.getScaleType() << ", found " << scales.getElementType();
  if (result.getScales() == ScaleLayout::Interleaved128x4) {
    ArrayRef<int64_t> shape = scales.getShape(), strides = scales.getStrides();
    if (shape.size() == 5 && shape.drop_front(2) == ArrayRef<int64_t>{32, 4, 4} &&
        strides.drop_front(1) == ArrayRef<int64_t>{512, 16, 4, 1})
      return success();
    InFlightDiagnostic diag = op.emitOpError("expects interleaved_128x4 scales as a view of ?x?x32x4x4 with strides "
                                             "[?, 512, 16, 4, 1], found ")
                              << scales;
    diag.attachNote() << "its axes are row / 128, block / 4, row mod 32, row / 32 mod 4 and block mod 4";
    return diag;
  }
  size_t rank = result.getShape().size();
  unsigned axis = result.getScales() == ScaleLayout::RowMajor ? rank - 1 : rank - 2;
  if (scales.getShape().size() == rank && scales.getStrides()[axis] == 1)
    return success();
  InFlightDiagnostic diag = op.emitOpError("expects ")
                            << stringifyScaleLayout(result.getScales()) << " scales as a view of rank " << rank
                            << " with stride 1 along axis " << axis << ", found " << scales;
  diag.attachNote() << "its axes are those of the elements that are not blocked, and then the blocks: also for a right "
                       "operand K x N, whose scales are N x (K / block)";
  return diag;
}

LogicalResult MxViewOp::verify() {
  auto elements = cast<ViewType>(getElements().getType());
  auto result = cast<MxViewType>(getResult().getType());
  if (elements.getElementType() != result.getElementType())
    return emitOpError("expects elements of ") << result.getElementType() << ", found " << elements.getElementType();
  SmallVector<int64_t> expected(elements.getShape());
  if (getTransposed() && expected.size() >= 2)
    std::swap(expected[expected.size() - 1], expected[expected.size() - 2]);
  if (ArrayRef(expected) != result.getShape())
    return emitOpError("expects the result to have the extents of the elements")
           << (getTransposed() ? ", the last two swapped" : "") << ", found " << elements << " and " << result;
  auto scales = cast<ViewType>(getScales().getType());
  if (failed(verifyScalesView(*this, result, scales)) || failed(verifyScaleExtents(*this, result, scales)))
    return failure();
  return verifyTensor(*this, static_cast<bool>(getTensor()), result.getTensorScale(), result);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyOffsets(Operation *op, MxViewType view, size_t offsets) {
  if (offsets == view.getShape().size())
    return success();
  return op->emitOpError("expects one offset per axis of the view, got ")
         << offsets << " for rank " << view.getShape().size();
}

/// Whether view and value are of one family, and one rank.
static LogicalResult verifyAccess(Operation *op, MxViewType view, MxType value, size_t offsets) {
  if (view.getElementType() != value.getElementType() || view.getBlock() != value.getBlock() ||
      view.getAxis() != value.getAxis() || view.getScaleType() != value.getScaleType() ||
      view.getTensorScale() != value.getTensorScale() || view.getShape().size() != value.getShape().size()) {
    InFlightDiagnostic diag = op->emitOpError("expects view and tile to have one family, block axis and rank, but got ")
                              << view << " and " << value;
    diag.attachNote() << "'tile.requantize' makes other blocks, or another family";
    return diag;
  }
  return verifyOffsets(op, view, offsets);
}

LogicalResult MxLoadOp::verify() {
  return verifyAccess(*this, cast<MxViewType>(getView().getType()), cast<MxType>(getResult().getType()),
                      getOffsets().size());
}

LogicalResult MxStoreOp::verify() {
  return verifyAccess(*this, cast<MxViewType>(getView().getType()), cast<MxType>(getValue().getType()),
                      getOffsets().size());
}

static LogicalResult verifyScaleAccess(Operation *op, MxViewType view, TileType scales, size_t offsets) {
  if (scales.getElementType() != view.getScaleType())
    return op->emitOpError("expects scales of ") << view.getScaleType() << ", found " << scales.getElementType();
  if (scales.getShape().size() != view.getShape().size())
    return op->emitOpError("expects scales of rank ")
           << view.getShape().size() << ": what is not blocked, then blocks; found " << scales;
  return verifyOffsets(op, view, offsets);
}

LogicalResult LoadScalesOp::verify() {
  return verifyScaleAccess(*this, cast<MxViewType>(getView().getType()), cast<TileType>(getResult().getType()),
                           getOffsets().size());
}

LogicalResult StoreScalesOp::verify() {
  return verifyScaleAccess(*this, cast<MxViewType>(getView().getType()), cast<TileType>(getValue().getType()),
                           getOffsets().size());
}

//===----------------------------------------------------------------------===//
// Values and their parts
//===----------------------------------------------------------------------===//

static LogicalResult verifyParts(Operation *op, MxType mx, TileType elements, TileType scales, bool tensor) {
  if (elements.withLayout({}) != mx.elementTile())
    return op->emitOpError("expects elements to be ") << mx.elementTile() << ", found " << elements;
  if (scales.getElementType() != mx.getScaleType())
    return op->emitOpError("expects scales of ") << mx.getScaleType() << ", found " << scales.getElementType();
  SmallVector<int64_t> expected = mx.scaleShape();
  if (scales.getShape() != ArrayRef(expected)) {
    InFlightDiagnostic diag =
        printExpected(op->emitOpError("expects scales to be "), expected, scales.getShape());
    SmallVector<int64_t> swapped(scales.getShape());
    if (swapped.size() >= 2)
      std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
    if (ArrayRef(swapped) == ArrayRef(expected))
      diag.attachNote() << "scales have the blocks as their last axis, also where the elements have them along another: "
                           "those of a K x N operand are N x (K / block); 'tile.transpose' turns them";
    return diag;
  }
  return verifyTensor(op, tensor, mx.getTensorScale(), mx);
}

LogicalResult MxPackOp::verify() {
  return verifyParts(*this, cast<MxType>(getResult().getType()), cast<TileType>(getElements().getType()),
                     cast<TileType>(getScales().getType()), static_cast<bool>(getTensor()));
}

LogicalResult MxUnpackOp::verify() {
  return verifyParts(*this, cast<MxType>(getValue().getType()), cast<TileType>(getElements().getType()),
                     cast<TileType>(getScales().getType()), static_cast<bool>(getTensor()));
}

static bool isWide(Type type) { return type.isF32() || type.isF16() || type.isBF16(); }

static LogicalResult verifyQuantized(Operation *op, MxType result, bool roundUp, bool tensor) {
  if (roundUp && !isa<Float8E8M0FNUType, Float8E4M3FNType>(result.getScaleType()))
    return op->emitOpError("expects 'round_up' only with scales of f8E8M0FNU or f8E4M3FN, found ")
           << result.getScaleType();
  return verifyTensor(op, tensor, result.getTensorScale(), result);
}

LogicalResult QuantizeOp::verify() {
  auto source = cast<TileType>(getSource().getType());
  auto result = cast<MxType>(getResult().getType());
  if (source.getShape() != result.getShape())
    return printExpected(emitOpError("expects source and result to have one shape, but expected "), result.getShape(),
                         source.getShape());
  if (!isWide(source.getElementType()))
    return emitOpError("expects a source of f32, f16 or bf16, found ") << source.getElementType();
  return verifyQuantized(*this, result, getRoundUp(), static_cast<bool>(getTensor()));
}

LogicalResult DequantizeOp::verify() {
  auto source = cast<MxType>(getSource().getType());
  auto result = cast<TileType>(getResult().getType());
  if (source.getShape() != result.getShape())
    return printExpected(emitOpError("expects source and result to have one shape, but expected "), source.getShape(),
                         result.getShape());
  if (!isWide(result.getElementType()))
    return emitOpError("expects a result of f32, f16 or bf16, found ") << result.getElementType();
  return success();
}

LogicalResult RequantizeOp::verify() {
  auto source = cast<MxType>(getSource().getType()), result = cast<MxType>(getResult().getType());
  if (source.getShape() != result.getShape())
    return printExpected(emitOpError("expects source and result to have one shape, but expected "), source.getShape(),
                         result.getShape());
  return verifyQuantized(*this, result, getRoundUp(), static_cast<bool>(getTensor()));
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  if (source.getShape() != result.getShape() || source.getLayout() != result.getLayout())
    return emitOpError("expects source and result to have one shape and layout, but got ")
           << source << " and " << result;
  auto width = [](TileType type) { return elementBits(type.getElementType()); };
  auto isNarrow = [](TileType type) { return type.getElementType().getIntOrFloatBitWidth() < 8; };
  if (source.getElementType() == result.getElementType())
    return success();
  if (source.getElementType().isInteger(1) || result.getElementType().isInteger(1))
    return emitOpError("expects no i1, whose bits are not defined; use 'tile.cast' or a comparison");
  if (width(source) != width(result))
    return emitOpError("expects element types of one width, but got ")
           << source.getElementType() << " and " << result.getElementType();
  if ((isNarrow(source) && !result.getElementType().isInteger(8)) ||
      (isNarrow(result) && !source.getElementType().isInteger(8)))
    return emitOpError("expects i8 on the other side of a type narrower than a byte, but got ")
           << source.getElementType() << " and " << result.getElementType();
  return success();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  // Back to the type before. Types narrower than a byte are excluded where i8 lies between bits that are dropped.
  auto inner = getSource().getDefiningOp<BitcastOp>();
  if (inner && inner.getSource().getType() == getResult().getType() &&
      (cast<TileType>(getResult().getType()).getElementType().getIntOrFloatBitWidth() >= 8) ==
          (cast<TileType>(getSource().getType()).getElementType().getIntOrFloatBitWidth() >= 8))
    return inner.getSource();
  return {};
}

LogicalResult PackPairsOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  if (source.getElementType().getIntOrFloatBitWidth() != 4)
    return emitOpError("expects elements of four bits, found ") << source.getElementType();
  if (!result.getElementType().isInteger(8))
    return emitOpError("expects a result of i8, found ") << result.getElementType();
  if (getAxis() >= source.getShape().size())
    return emitOpError("expects axis to be below the rank of ") << source.getShape().size() << ", found " << getAxis();
  SmallVector<int64_t> expected(source.getShape());
  expected[getAxis()] /= 2;
  if (ArrayRef(expected) != result.getShape())
    return printExpected(emitOpError("expects the result to be "), expected, result.getShape());
  if (static_cast<bool>(source.getLayout()) != static_cast<bool>(result.getLayout()))
    return emitOpError("expects source and result both to have a layout, or neither");
  if (!source.getLayout())
    return success();
  std::optional<Layout> halved = source.distribution().halved(getAxis());
  if (!halved) {
    InFlightDiagnostic diag = emitOpError("expects threads that hold whole pairs of neighbours along axis ")
                              << getAxis() << ", but got " << source;
    diag.attachNote() << "use 'tile.relayout' first";
    return diag;
  }
  if (*halved != result.distribution())
    return emitOpError("expects the result's layout to be the source's without its neighbours along axis ")
           << getAxis() << ", which is " << LayoutAttr::get(getContext(), *halved) << ", but got "
           << result.getLayout();
  return success();
}

ViewType PackedViewOp::packedType(ViewType view) {
  auto halved = [](int64_t count) { return ShapedType::isDynamic(count) ? count : count / 2; };
  unsigned contiguous = *view.contiguousAxis();
  SmallVector<int64_t> shape(view.getShape()), strides(view.getStrides());
  shape[contiguous] = halved(shape[contiguous]);
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != contiguous)
      stride = halved(stride);
  return ViewType::get(view.getContext(), shape, IntegerType::get(view.getContext(), 8), strides, view.getAlignment());
}

LogicalResult PackedViewOp::verify() {
  auto view = cast<ViewType>(getView().getType());
  if (view.getElementType().getIntOrFloatBitWidth() != 4)
    return emitOpError("expects a view of elements of four bits, found ") << view.getElementType();
  // Of alignment, passes may have learnt more.
  ViewType expected = packedType(view);
  auto result = cast<ViewType>(getResult().getType());
  if (expected.getShape() != result.getShape() || expected.getStrides() != result.getStrides() ||
      expected.getElementType() != result.getElementType())
    return emitOpError("expects the result to be ") << expected << ", found " << result;
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult tile::verifyMicroscalingLowered(Operation *kernel) {
  auto isMicroscaled = [](Type type) { return isa<MxType, MxViewType>(type); };
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    bool found = llvm::any_of(op->getResultTypes(), isMicroscaled) || llvm::any_of(op->getOperandTypes(), isMicroscaled);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), isMicroscaled);
    if (found)
      return op->emitOpError("expects microscaled tiles to be lowered; run 'tile-lower-microscaling' first");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

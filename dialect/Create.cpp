// Checks and folds of the ops that make and reshape tiles.
#include "dialect/Create.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Create.cpp.inc"

/// Source and result of a shape op hold the same element type, and both or neither have a layout.
static LogicalResult verifyRelabelling(Operation *op, TileType source, TileType result) {
  if (source.getElementType() != result.getElementType())
    return op->emitOpError("expects source and result to have one element type, but got ")
           << source.getElementType() << " and " << result.getElementType();
  if (static_cast<bool>(source.getLayout()) != static_cast<bool>(result.getLayout()))
    return op->emitOpError("expects source and result both to have a layout, or neither");
  return success();
}

static LogicalResult verifyResultShape(Operation *op, TileType result, ArrayRef<int64_t> expected) {
  if (expected == result.getShape())
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects the result to have the shape ");
  printShape(diag, expected);
  diag << ", found ";
  printShape(diag, result.getShape());
  return diag;
}

static LogicalResult relabelError(Operation *op, TileType source, TileType result) {
  InFlightDiagnostic diag = op->emitOpError("expects the result's layout to follow from the source's");
  diag.attachNote() << "source has type " << source << ", result " << result
                    << "; use 'tile.relayout' to go to another layout";
  return diag;
}

//===----------------------------------------------------------------------===//
// SplatOp, IotaOp
//===----------------------------------------------------------------------===//

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (auto value = dyn_cast_or_null<TypedAttr>(adaptor.getValue()))
    if (isa<IntegerAttr, FloatAttr>(value))
      return DenseElementsAttr::get(cast<ShapedType>(getResult().getType()), ArrayRef<Attribute>(value));
  return {};
}

LogicalResult IotaOp::verify() {
  auto type = cast<TileType>(getResult().getType());
  if (getAxis() >= type.getShape().size())
    return emitOpError("expects axis to be below the rank of ") << type.getShape().size() << ", found " << getAxis();
  if (!type.getElementType().isInteger(32) && !type.getElementType().isInteger(64))
    return emitOpError("expects elements of i32 or i64, found ") << type.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// ReshapeOp, TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  if (failed(verifyRelabelling(*this, source, result)))
    return failure();
  if (source.getNumElements() != result.getNumElements())
    return emitOpError("expects source and result to have the same number of elements, but got ")
           << source.getNumElements() << " and " << result.getNumElements();
  if (source.getLayout()) {
    std::optional<Layout> layout = source.distribution().reshape(result.getShape());
    if (!layout || !(*layout == result.distribution()))
      return relabelError(*this, source, result);
  }
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource()))
    return constant.reshape(cast<ShapedType>(getResult().getType()));
  return {};
}

SmallVector<int64_t> TransposeOp::axes() {
  if (std::optional<ArrayRef<int64_t>> permutation = getPermutation())
    return SmallVector<int64_t>(*permutation);
  int64_t rank = cast<TileType>(getResult().getType()).getShape().size();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (rank > 1)
    std::swap(axes[rank - 1], axes[rank - 2]);
  return axes;
}

LogicalResult TransposeOp::verify() {
  if (auto mx = dyn_cast<MxType>(getSource().getType())) {
    InFlightDiagnostic diag = emitOpError("has no transpose of a microscaled tile, found ") << mx;
    diag.attachNote() << "its blocks run along axis " << mx.getAxis()
                      << ", the K of a product; 'tile.requantize' makes blocks along the other axis, and "
                         "'tile.mx_view … transposed' reads a matrix that is stored N x K";
    return diag;
  }
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  if (failed(verifyRelabelling(*this, source, result)))
    return failure();
  SmallVector<int64_t> permutation = axes(), sorted = permutation;
  llvm::sort(sorted);
  int64_t rank = source.getShape().size();
  if (rank < 2)
    return emitOpError("expects a source of rank 2 or more, found ") << source;
  if (sorted != llvm::to_vector(llvm::seq<int64_t>(0, rank)))
    return emitOpError("expects permutation to name each axis of the source once, 0 to ") << rank - 1;
  SmallVector<int64_t> expected;
  for (int64_t axis : permutation)
    expected.push_back(source.getShape()[axis]);
  if (failed(verifyResultShape(*this, result, expected)))
    return failure();
  if (source.getLayout() && source.distribution().transpose(
                                SmallVector<unsigned>(permutation.begin(), permutation.end())) != result.distribution())
    return relabelError(*this, source, result);
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (auto constant = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return constant.resizeSplat(cast<ShapedType>(getResult().getType()));
  // transpose(transpose(x)) back to x's own shape and axes
  if (auto inner = getSource().getDefiningOp<TransposeOp>(); inner && inner.getSource().getType() == getType()) {
    SmallVector<int64_t> outer = axes(), first = inner.axes();
    if (llvm::all_of(llvm::enumerate(outer), [&](auto it) { return first[it.value()] == int64_t(it.index()); }))
      return inner.getSource();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// BroadcastOp, ExpandOp
//===----------------------------------------------------------------------===//

/// Axes are sorted, distinct and below the rank.
static LogicalResult verifyAxes(Operation *op, ArrayRef<int64_t> axes, int64_t rank) {
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (axis < 0 || axis >= rank)
      return op->emitOpError("expects axes from 0 to ") << rank - 1 << ", found " << axis;
    if (i && axes[i - 1] >= axis)
      return op->emitOpError("expects axes in rising order, found ") << axis << " after " << axes[i - 1];
  }
  if (axes.empty())
    return op->emitOpError("expects at least one axis");
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  int64_t rank = result.getShape().size(), sourceRank = source.getShape().size();
  if (failed(verifyRelabelling(*this, source, result)) || failed(verifyAxes(*this, getAxes(), rank)))
    return failure();
  SmallVector<int64_t> lacking, ones;
  for (int64_t axis = 0; axis < rank; ++axis) {
    bool repeated = llvm::is_contained(getAxes(), axis);
    ones.push_back(repeated ? 1 : result.getShape()[axis]);
    if (!repeated)
      lacking.push_back(result.getShape()[axis]);
  }
  if (sourceRank != rank && lacking.empty()) {
    InFlightDiagnostic diag = emitOpError("expects an axis of the result that is not repeated, but axes name all ")
                              << rank;
    diag.attachNote() << "a single element is repeated with 'tile.splat'";
    return diag;
  }
  ArrayRef<int64_t> expected = sourceRank == rank ? ArrayRef<int64_t>(ones) : ArrayRef<int64_t>(lacking);
  if (source.getShape() != expected) {
    InFlightDiagnostic diag = emitOpError("expects source and result to agree in the axes that are not repeated: "
                                          "expected a source of ");
    printShape(diag, expected);
    diag << ", found ";
    printShape(diag, source.getShape());
    return diag;
  }
  if (source.getLayout()) {
    Layout layout = source.distribution();
    if (sourceRank != rank)
      for (int64_t axis : getAxes())
        layout = layout.expandDims(axis);
    if (!result.distribution().registerMapTo(layout))
      return relabelError(*this, source, result);
  }
  return success();
}

LogicalResult ExpandOp::verify() {
  auto source = cast<TileType>(getSource().getType()), result = cast<TileType>(getResult().getType());
  int64_t rank = result.getShape().size();
  if (failed(verifyRelabelling(*this, source, result)) || failed(verifyAxes(*this, getAxes(), rank)))
    return failure();
  SmallVector<int64_t> expected(source.getShape());
  for (int64_t axis : getAxes())
    expected.insert(expected.begin() + std::min<size_t>(axis, expected.size()), 1);
  if (failed(verifyResultShape(*this, result, expected)))
    return failure();
  if (source.getLayout()) {
    Layout layout = source.distribution();
    for (int64_t axis : getAxes())
      layout = layout.expandDims(axis);
    if (layout != result.distribution())
      return relabelError(*this, source, result);
  }
  return success();
}

// Making and reshaping tiles. Shape ops move nothing: each result register is an operand register of the same thread.
#include "lib/Conversion/TileToNVVM/Emitter.h"

using namespace mlir;
using namespace mlir::tile;

static LogicalResult emitIota(Emitter &emitter, IotaOp op) {
  auto type = cast<TileType>(op.getResult().getType());
  Layout layout = type.distribution();
  unsigned axis = op.getAxis();
  SmallVector<Value> elements;
  for (unsigned reg = 0; reg < layout.numRegisters(); ++reg) {
    elements.push_back(emitter.resize(emitter.position(layout, axis, reg), type.getElementType().getIntOrFloatBitWidth()));
  }
  emitter.set(op.getResult(), emitter.pack(elements, Emitter::lanesOf(type)));
  return success();
}

/// The source's layout seen in the axes of the result.
static Layout relabelled(Operation *op, const Layout &source) {
  Layout layout = source;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SmallVector<int64_t> axes = transpose.axes();
    return layout.transpose(SmallVector<unsigned>(axes.begin(), axes.end()));
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return *layout.reshape(cast<TileType>(reshape.getResult().getType()).getShape());
  ArrayRef<int64_t> axes = isa<ExpandOp>(op) ? cast<ExpandOp>(op).getAxes() : cast<BroadcastOp>(op).getAxes();
  size_t rank = cast<TileType>(op->getResult(0).getType()).getShape().size();
  if (layout.rank() < rank)
    for (int64_t axis : axes)
      layout = layout.expandDims(axis);
  return layout;
}

LogicalResult Emitter::emitShape(Operation *op, bool &handled) {
  handled = true;
  if (auto iota = dyn_cast<IotaOp>(op))
    return emitIota(*this, iota);
  if (auto splat = dyn_cast<SplatOp>(op)) {
    auto type = cast<TileType>(splat.getResult().getType());
    unsigned lanes = lanesOf(type);
    Fragment one = pack(SmallVector<Value>(lanes, scalar(splat.getValue())), lanes);
    set(splat.getResult(),
        Fragment{SmallVector<Value>(type.distribution().numRegisters() / lanes, one.words.front()), lanes});
    return success();
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    auto type = cast<TileType>(slice.getResult().getType());
    set(slice.getResult(), permute(get(slice.getSource()), *slice.registers(), lanesOf(type)));
    return success();
  }
  handled = isa<TransposeOp, ReshapeOp, BroadcastOp, ExpandOp>(op);
  if (!handled)
    return success();
  Value source = op->getOperand(0), result = op->getResult(0);
  auto type = cast<TileType>(result.getType());
  Layout layout = relabelled(op, cast<TileType>(source.getType()).distribution());
  std::optional<SmallVector<unsigned>> map = type.distribution().registerMapTo(layout);
  if (!map)
    return op->emitOpError("expects the result's layout to follow from the source's");
  set(result, permute(get(source), *map, lanesOf(type)));
  return success();
}

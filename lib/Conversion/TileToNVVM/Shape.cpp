// Making and reshaping tiles, and their bits. Nothing moves between threads: each result register is made of operand
// registers of the same thread.
#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"

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

LogicalResult Emitter::emitBitcast(BitcastOp op) {
  ScalarBuilder s(b);
  auto type = cast<TileType>(op.getResult().getType());
  Type element = type.getElementType(), from = cast<TileType>(op.getSource().getType()).getElementType();
  Fragment fragment = get(op.getSource());
  // Codes of fewer bits have zeros above them.
  const bool drops = element.getIntOrFloatBitWidth() < 8 && from != element;
  for (Value &word : fragment.words) {
    if (drops) {
      Type whole = b.getIntegerType(8 * fragment.lanes);
      int64_t mask = 0;
      for (unsigned i = 0; i < fragment.lanes; ++i)
        mask |= ((int64_t(1) << element.getIntOrFloatBitWidth()) - 1) << (8 * i);
      word = s.bitAnd(s.bitcast(word, whole), s.integer(whole, mask));
    }
    word = s.bitcast(word, wordType(element, fragment.lanes));
  }
  set(op.getResult(), std::move(fragment));
  return success();
}

LogicalResult Emitter::emitPackPairs(PackPairsOp op) {
  ScalarBuilder s(b);
  auto source = cast<TileType>(op.getSource().getType()), type = cast<TileType>(op.getResult().getType());
  Layout layout = source.distribution();
  const unsigned lanes = lanesOf(type);
  SmallVector<unsigned> firsts, seconds;
  for (auto [first, second] : layout.halvedRegisters(op.getAxis())) {
    firsts.push_back(first);
    seconds.push_back(second);
  }
  Fragment codes = get(op.getSource()), result;
  if (seconds.front() == 1 && codes.lanes == 4 && lanes == 4) {
    for (size_t i = 0; i < codes.words.size(); i += 2)
      result.words.push_back(s.bitcast(
          packNibbles(*this, s.bitcast(codes.words[i], b.getI32Type()), s.bitcast(codes.words[i + 1], b.getI32Type())),
          wordType(b.getI8Type(), lanes)));
    set(op.getResult(), Fragment{result.words, lanes});
    return success();
  }
  result = permute(codes, firsts, lanes);
  Type whole = b.getIntegerType(8 * lanes);
  for (auto [word, high] : llvm::zip(result.words, permute(codes, seconds, lanes).words)) {
    Value shifted = s.shl(s.bitcast(high, whole), 4);
    word = s.bitcast(s.bitOr(s.bitcast(word, whole), shifted), wordType(b.getI8Type(), lanes));
  }
  set(op.getResult(), std::move(result));
  return success();
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

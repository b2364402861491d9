#include "lib/Analysis/Reductions.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<int64_t> tile::elementsToReduceAlone(ReduceOp op) {
  constexpr int64_t longest = 32, neighbours = 2, threads = 4 * 32;
  auto type = cast<TileType>(op.getOperands().front().getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t axis = op.getAxis(), extent = shape[axis];
  bool isLast = axis + 1 == int64_t(shape.size());
  if (isLast || extent < 8 || extent > longest || !llvm::isPowerOf2_64(extent) || shape.back() % neighbours != 0 ||
      type.getNumElements() < threads * extent * neighbours)
    return std::nullopt;
  return extent * neighbours;
}

#include "lib/Analysis/Reductions.h"
#include "lib/Layout/Layout.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<int64_t> tile::elementsToReduceAlone(ReduceOp op) {
  /// A thread holds as many elements of each line in registers.
  constexpr int64_t longest = 32;
  /// Below this exchanging costs less than what whole lines cost in coalescing.
  constexpr int64_t shortest = 8;
  /// Lines of one thread side by side, so that it loads and stores words of two 16-bit elements.
  constexpr int64_t neighbours = 2;
  /// Fewer lines than one warp takes would leave lanes idle.
  constexpr int64_t threads = int64_t(Layout::numLanes);
  auto type = cast<TileType>(op.getOperands().front().getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t axis = op.getAxis(), extent = shape[axis];
  bool isLast = axis + 1 == int64_t(shape.size());
  if (isLast || extent < shortest || extent > longest || !llvm::isPowerOf2_64(extent) ||
      shape.back() % neighbours != 0 || type.getNumElements() < threads * extent * neighbours)
    return std::nullopt;
  return extent * neighbours;
}

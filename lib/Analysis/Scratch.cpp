// A reduction needs scratch memory when its axis is spread over warps: one partial result per result element and per
// position of a warp along the axis.
#include "lib/Analysis/Scratch.h"

using namespace mlir;
using namespace mlir::tile;

int64_t tile::scratchBytes(ReduceOp reduce) {
  auto type = cast<TileType>(reduce.getOperands().front().getType());
  Layout layout = type.distribution();
  unsigned axis = reduce.getAxis();
  int64_t warpsAlong = 1;
  for (const Basis &basis : layout.warpBases())
    if (basis[axis] != 0)
      warpsAlong *= 2;
  for (const Digit &digit : layout.digits())
    if (digit.place == Place::Warp && digit.dim == static_cast<int>(axis))
      warpsAlong *= digit.odd;
  if (warpsAlong == 1)
    return 0;
  int64_t bytes = 0;
  for (Value operand : reduce.getOperands()) {
    auto tile = cast<TileType>(operand.getType());
    int64_t results = tile.getNumElements() / tile.getShape()[axis];
    bytes += llvm::alignTo(warpsAlong * results * (elementBits(tile.getElementType()) / 8), 16);
  }
  return bytes;
}

LogicalResult tile::verifyReductionsLaidOut(KernelOp kernel) {
  WalkResult open = kernel.getBody().walk([](ReduceOp reduce) -> WalkResult {
    auto type = cast<TileType>(reduce.getOperands().front().getType());
    if (type.getLayout())
      return WalkResult::advance();
    return reduce.emitOpError("expects operands with a layout, found ") << type;
  });
  return failure(open.wasInterrupted());
}

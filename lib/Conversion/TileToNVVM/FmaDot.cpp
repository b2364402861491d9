// Matrix products by fused multiply-adds, in the layouts of lib/Layout/FmaLayouts.h: every thread has the rows and columns that
// its sums need, so there is no exchange. K goes outermost and upwards, one rounding per step.
#include "lib/Conversion/TileToNVVM/Emitter.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult Emitter::emitFmaDot(DotOp op) {
  auto typeOf = [](Value value) { return cast<TileType>(value.getType()); };
  Layout lhs = typeOf(op.getLhs()).distribution(), rhs = typeOf(op.getRhs()).distribution(),
         acc = typeOf(op.getAcc()).distribution();
  // Threads must agree along M and N, and have no part of K.
  bool fits = lhs.slice(1).laneBases() == acc.slice(1).laneBases() && lhs.slice(1).warpBases() == acc.slice(1).warpBases() &&
              rhs.slice(0).laneBases() == acc.slice(0).laneBases() && rhs.slice(0).warpBases() == acc.slice(0).warpBases();
  int64_t k = lhs.extents()[1];
  SmallVector<Value> left = elements(get(op.getLhs())), right = elements(get(op.getRhs())),
                     sums = elements(get(op.getAcc()));
  for (int64_t step = 0; fits && step < k; ++step)
    for (unsigned reg = 0; fits && reg < acc.numRegisters(); ++reg) {
      std::optional<unsigned> x = lhs.registerAt({acc.registerOffset(reg, 0), step}),
                              y = rhs.registerAt({step, acc.registerOffset(reg, 1)});
      fits = x && y;
      if (fits)
        sums[reg] = LLVM::FMAOp::create(b, left[*x], right[*y], sums[reg]);
    }
  if (!fits)
    return op.emitOpError("expects operands that give each thread the rows and columns of its sums along all of K");
  set(op.getResult(), pack(sums, lanesOf(typeOf(op.getAcc()))));
  return success();
}

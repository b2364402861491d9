// Matrix products by fused multiply-adds, in the layouts of lib/Layout/FmaLayouts.h: every thread has the rows and columns that
// its sums need, so there is no exchange. K goes outermost and upwards, one rounding per step.
#include "lib/Conversion/TileToNVVM/Dot.h"

using namespace mlir;
using namespace mlir::tile;

FailureOr<Fragment> tile::emitFmaDot(Emitter &emitter, const DotProblem &problem) {
  const Layout &lhs = problem.lhs.layout, &rhs = problem.rhs.layout, &acc = problem.acc.layout;
  // Threads must agree along M and N, and have no part of K.
  bool fits = lhs.slice(1).laneBases() == acc.slice(1).laneBases() && lhs.slice(1).warpBases() == acc.slice(1).warpBases() &&
              rhs.slice(0).laneBases() == acc.slice(0).laneBases() && rhs.slice(0).warpBases() == acc.slice(0).warpBases();
  int64_t k = lhs.extents()[1];
  SmallVector<Value> left = emitter.elements(problem.lhs.fragment), right = emitter.elements(problem.rhs.fragment),
                     sums = emitter.elements(problem.acc.fragment);
  for (int64_t step = 0; fits && step < k; ++step)
    for (unsigned reg = 0; fits && reg < acc.numRegisters(); ++reg) {
      std::optional<unsigned> x = lhs.registerAt({acc.registerOffset(reg, 0), step}),
                              y = rhs.registerAt({step, acc.registerOffset(reg, 1)});
      fits = x && y;
      if (fits)
        sums[reg] = LLVM::FMAOp::create(emitter.b, left[*x], right[*y], sums[reg]);
    }
  if (!fits)
    return DotOp(problem.op).emitOpError("expects operands that give each thread the rows and columns of its sums along all of K");
  return emitter.pack(sums, problem.acc.fragment.lanes);
}

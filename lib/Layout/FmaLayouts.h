/// Layouts of a matrix product by fused multiply-adds, for element types without a matrix instruction.
///
/// A thread owns blocks of 4 x 4 sums; to advance them it needs the rows of A and the columns of B that its sums have, along
/// all of K, in its own registers. So the operands' layouts follow from the accumulator's: lanes and warps that differ only
/// along the other dimension hold the same elements.
#ifndef TILEC_LAYOUT_FMALAYOUTS_H
#define TILEC_LAYOUT_FMALAYOUTS_H

#include "lib/Layout/Layout.h"

namespace mlir::tile {

/// The accumulator of an m x n tile over warpsM x warpsN warps: blocks of 4 x 4, 8 x 4 lanes.
[[nodiscard]] Layout fmaAccumulator(int64_t m, int64_t n, unsigned warpsM, unsigned warpsN);
/// The left operand [m, k] of that accumulator: K in registers, fastest.
[[nodiscard]] Layout fmaOperandA(int64_t k, const Layout &accumulator);
/// The right operand [k, n] of that accumulator: K in registers, fastest.
[[nodiscard]] Layout fmaOperandB(int64_t k, const Layout &accumulator);

} // namespace mlir::tile
#endif // TILEC_LAYOUT_FMALAYOUTS_H

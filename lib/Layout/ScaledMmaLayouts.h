/// Layouts for matrix products with block scales, and for batches of matrix products.
///
/// All scaled products use the fragments of an 8-bit m16n8k32 mma.sync, whatever the width of the elements: operands
/// and accumulators are mmaOperandA, mmaOperandB and mmaAccumulator of `scaledFragmentShape()`. The scales of A are a
/// tile [M, blocks], those of B a tile [N, blocks]. Which thread needs which of them depends on who applies them:
///
/// - **scaleOperandA, scaleOperandB**: the thread's own arithmetic does. A thread has the scales of the rows (columns)
///   that it holds elements of: with g = lane / 4, A: rows g and g + 8, B: column g, and their repeats.
/// - **nativeScaleA, nativeScaleB**: the instruction does (PTX ISA, "Block Scaling for mma.sync"). It takes the scales
/// of
///   A from the lanes with lane % 4 = 0 (row g) and 1 (row g + 8), those of B from the lanes with lane % 4 = 0. Four
///   scales share a 32-bit register, from which the instruction selects bytes.
///
/// Example: A is 64x128 over one warp along M, blocks of 32 (four of them): rows g + {0, 8, 16, …, 56}.
///     scaleOperandA   register (0,1) (0,2) (8,0) (16,0) (32,0)   lane (0,0) (0,0) (1,0) (2,0) (4,0)   32 registers
///     nativeScaleA    register (0,1) (0,2) (16,0) (32,0)         lane (8,0) (0,0) (1,0) (2,0) (4,0)   16 registers
#ifndef TILEC_LAYOUT_SCALEDMMALAYOUTS_H
#define TILEC_LAYOUT_SCALEDMMALAYOUTS_H

#include "lib/Layout/MmaLayouts.h"

namespace mlir::tile {

/// The shape whose fragments the operands and the accumulator of every scaled product have; that of i8, which each
/// target has.
[[nodiscard]] const MmaShape &scaledFragmentShape();

/// The scales [M, blocks] beside an operand A [M, K]. Registers: the power-of-two part of `blocks` innermost, then the
/// operand's rows as its registers hold them, then the odd digits, that of the blocks last.
[[nodiscard]] Layout scaleOperandA(const Layout &operandA, int64_t blocks);
/// The scales [N, blocks] beside an operand B [K, N]; registers likewise.
[[nodiscard]] Layout scaleOperandB(const Layout &operandB, int64_t blocks);

/// The scales [M, blocks] beside an operand A of an instruction with block scales. Registers: the first two bits of the
/// block, then the repeats of the rows, then the further bits, then the odd digits, that of the blocks last. `operandA`
/// must be made of the fragments of `scaledFragmentShape()`.
[[nodiscard]] Layout nativeScaleA(const Layout &operandA, int64_t blocks);
/// The scales [N, blocks] beside an operand B of such an instruction; registers likewise.
[[nodiscard]] Layout nativeScaleB(const Layout &operandB, int64_t blocks);

/// Whether each thread of `layout` holds the elements that it holds in `expected`, in whatever order of registers:
/// lanes and warps agree.
[[nodiscard]] bool holdsAlike(const Layout &layout, const Layout &expected);

/// A batch of tiles: the layout with a dimension in front that lies in registers, outermost among the bits; an odd
/// factor of `batch` is the last digit. The batch is at least 1.
[[nodiscard]] Layout withBatch(const Layout &layout, int64_t batch);
/// The layout of one tile of a batch: the way back. Nothing where threads divide the batch.
[[nodiscard]] std::optional<Layout> withoutBatch(const Layout &layout);
/// For each tile of the batch and each register of `withoutBatch(layout)`, which must be a layout: the register of
/// `layout` that holds the same element of that tile.
[[nodiscard]] SmallVector<SmallVector<unsigned>> batchRegisters(const Layout &layout);

} // namespace mlir::tile
#endif // TILEC_LAYOUT_SCALEDMMALAYOUTS_H

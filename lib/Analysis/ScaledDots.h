/// What a target's matrix instructions do with products that have scales beside their operands.
#ifndef LIB_ANALYSIS_SCALEDDOTS_H
#define LIB_ANALYSIS_SCALEDDOTS_H

#include "dialect/Dot.h"
#include "lib/Target/Target.h"

namespace mlir::tile {

/// The element kind of a floating type of at most 16 bits, or of an integer of 8 bits; nothing for others.
[[nodiscard]] std::optional<ElementKind> elementKind(Type element);

/// The instruction with block scales that does the product as it stands, or null: then it is computed from 16-bit
/// numbers. Both operands have scales of one format and block, or one is f8 without scales and takes unit ones. `dot`
/// must have scales beside at least one operand.
[[nodiscard]] const BlockScaledMma *blockScaledMma(DotOp dot, const Target &target);

/// "f8E4M3FN scaled by f8E8M0FNU" or "bf16": an operand's formats, for diagnostics.
[[nodiscard]] std::string describeFactor(Type element, Value scales);

} // namespace mlir::tile

#endif

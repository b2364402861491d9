/// What a target's matrix instructions do with products that have scales beside their operands.
#ifndef LIB_ANALYSIS_SCALEDDOTS_H
#define LIB_ANALYSIS_SCALEDDOTS_H

#include "dialect/Dot.h"
#include "lib/Target/Target.h"

namespace mlir::tile {

/// How the hardware's matrix units name an element type, where `precision` says how f32 is multiplied; nothing for
/// types that they do not know.
[[nodiscard]] std::optional<ElementKind> elementKind(Type element, Precision precision = Precision::IEEE);
/// The format of block scales of that type; nothing for those that no instruction takes.
[[nodiscard]] std::optional<ScaleKind> scaleKind(Type scale);

/// The instruction with block scales that does the product as it stands, or null: then it is computed from 16-bit
/// numbers. Both operands have scales of one format and block, or one is f8 without scales and takes unit ones. `dot`
/// must have scales beside at least one operand.
[[nodiscard]] const BlockScaledMma *blockScaledMma(DotOp dot, const Target &target);

/// An instruction for the formats of the product, or null: like `blockScaledMma`, but it may take a longer K, or
/// operands that are packed where those of `dot` are not. For diagnostics.
[[nodiscard]] const BlockScaledMma *blockScaledMmaOfFormats(DotOp dot, const Target &target);

/// "f8E4M3FN scaled by f8E8M0FNU" or "bf16": an operand's formats, for diagnostics.
[[nodiscard]] std::string describeFactor(Type element, Value scales);

} // namespace mlir::tile

#endif

/// What the .td files say of each op.
#ifndef TOOLS_TILE_LSP_SERVER_OPDOCUMENTATION_H
#define TOOLS_TILE_LSP_SERVER_OPDOCUMENTATION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::tile {

/// Markdown: summary, syntax, description with examples, and tables of operands, attributes and results. `op` is the
/// whole name, "tile.load"; empty for ops that are not documented.
[[nodiscard]] std::string opDocumentation(llvm::StringRef op);

/// The op that a hover text of MLIR's server is about: "tile.load" from `"tile.load"…` and from `Operation:
/// "tile.load"…`. Empty where it is about something else.
[[nodiscard]] llvm::StringRef hoveredOp(llvm::StringRef text);

} // namespace mlir::tile

#endif

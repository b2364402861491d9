/// Types of the tile dialect, documented in dialect/TileTypes.td.
#ifndef DIALECT_TILETYPES_H
#define DIALECT_TILETYPES_H

#include "dialect/TileAttrs.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "dialect/TileTypes.h.inc"

namespace mlir::tile {
/// Bits that one element of a tile occupies in memory and registers; i1 counts as 8.
[[nodiscard]] unsigned elementBits(Type elementType);
/// True for the element types that tiles and views may have.
[[nodiscard]] bool isElementType(Type type);
/// True for the floating-point types of 8 bits and fewer, which have no arithmetic.
[[nodiscard]] bool isStorageFloat(Type type);
/// The list of element types, for diagnostics.
[[nodiscard]] StringRef elementTypeNames();
/// Checks the extents that tiles and shared buffers may have.
LogicalResult verifyExtents(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape);
/// The scalar, or the element of a tile.
[[nodiscard]] inline Type elementOrSelf(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? tile.getElementType() : type;
}
/// Parses `[a, b] x` or `axbx`, where extents in the list are index expressions over attribute aliases; `dynamic`
/// admits `?`.
ParseResult parseExtents(AsmParser &parser, SmallVectorImpl<int64_t> &shape, bool dynamic);
/// Parses an index expression: integers and attribute aliases of integers, `*`, `floordiv`, `ceildiv`, parentheses.
/// `what` names the value in diagnostics. Booleans and everything that is not an integer are refused.
ParseResult parseIndexExpression(AsmParser &parser, StringRef what, int64_t &value);
/// Parses an integer of 0 or more that fits 32 bits; `what` names it in diagnostics.
ParseResult parseCount(AsmParser &parser, StringRef what, unsigned &value);
/// Prints `axbx`, `?` for dynamic extents.
void printExtents(AsmPrinter &printer, ArrayRef<int64_t> shape);
/// Appends `64x32` to a diagnostic.
void printShape(InFlightDiagnostic &diag, ArrayRef<int64_t> shape);
} // namespace mlir::tile

#endif

/// Types of the tile dialect, documented in dialect/TileTypes.td.
#ifndef DIALECT_TILETYPES_H
#define DIALECT_TILETYPES_H

#include "dialect/TileAttrs.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "dialect/TileTypes.h.inc"

namespace mlir::tile {
/// Bits that one element of a tile occupies in registers and in the layouts of shared memory: 8 for i1 and for
/// everything narrower than a byte, whose code lies in the low bits.
[[nodiscard]] unsigned elementBits(Type elementType);
/// Bits that one element of a view occupies in global memory, where elements narrower than a byte are packed; i1 takes 8.
[[nodiscard]] unsigned memoryBits(Type elementType);
/// The least number of elements that fill whole bytes in global memory: 2 of 4 bits, 4 of 6 bits, else 1.
[[nodiscard]] unsigned granuleOf(Type elementType);
/// True for the element types that tiles and views may have.
[[nodiscard]] bool isElementType(Type type);
/// True for the floating-point types of 8 bits and fewer, which have no arithmetic.
[[nodiscard]] bool isStorageFloat(Type type);
/// True for the types that are only stored and converted: storage floats and i4.
[[nodiscard]] bool isStorageType(Type type);
/// The list of element types, for diagnostics.
[[nodiscard]] StringRef elementTypeNames();
/// Checks elements, block and scale type against the families that `!tile.mx` documents.
LogicalResult verifyMxFamily(function_ref<InFlightDiagnostic()> emitError, Type element, int64_t block, Type scale,
                             bool tensorScale);
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

/// What microscaled values and views become: the pieces from which the pass `tile-lower-microscaling` is made, one file
/// per piece.
#ifndef LIB_TRANSFORMS_LOWERMICROSCALING_H
#define LIB_TRANSFORMS_LOWERMICROSCALING_H

#include "dialect/Tile.h"
#include "lib/Analysis/IndexFacts.h"

namespace mlir::tile {

/// The parts of a microscaled value: tiles without layouts, the scales with their blocks last; or of a microscaled
/// view: the views that were joined. `tensor` is null where the type has no tensor scale.
struct MxParts {
  Value elements, scales, tensor;
  /// Of a view: whether the last two axes of the elements are swapped.
  bool transposed = false;
  /// The parts that there are, in this order.
  [[nodiscard]] SmallVector<Value> values() const;
  /// Whether both can stand for one value, as those can that meet at the end of branches.
  [[nodiscard]] bool hasFormOf(const MxParts &other) const;
};

/// What is known of one offset of an access.
struct OffsetFact {
  /// The smallest and the largest value.
  int64_t least, most;
  /// A number that divides it.
  int64_t divisor;
};

/// An access to a microscaled view: where it is, and what is known of the offsets, which count elements.
struct MxAccess {
  Operation *op;
  MxViewType type;
  MxParts view;
  ValueRange offsets;
  ArrayRef<OffsetFact> facts;
};

/// The elements as a tile of that type.
[[nodiscard]] Value loadElements(OpBuilder &builder, const MxAccess &access, TileType type);
/// Stores a tile of elements; those outside the view are dropped.
void storeElements(OpBuilder &builder, const MxAccess &access, Value elements);
/// The scales as a tile of that type, [not blocked, blocks]; code 0 where there are no rows or blocks of elements. An
/// error at the op where the scale layout has no such tile, or none at such offsets; a remark where that is not known.
[[nodiscard]] FailureOr<Value> loadScales(OpBuilder &builder, const MxAccess &access, TileType type);
/// Stores a tile of scales, [not blocked, blocks], with code 0 for rows and blocks that have no elements. An error at
/// the op and a remark as for `loadScales`.
[[nodiscard]] LogicalResult storeScales(OpBuilder &builder, const MxAccess &access, Value scales);

/// The nearest microscaled tile of that type to a tile of f32, f16 or bf16; dialect/README.md has the formulas.
[[nodiscard]] MxParts quantize(OpBuilder &builder, Location loc, Value source, MxType type, bool roundUp, Value tensor);
/// The numbers that the parts of a tile of that type stand for, in f32, bf16 or f16.
[[nodiscard]] Value dequantize(OpBuilder &builder, Location loc, const MxParts &parts, MxType type, Type element);

/// A dot of microscaled operands, as one of tiles with their scales beside them. An operand that is an ordinary tile
/// has itself as `elements` and no scales. `packs`: both operands are f4E2M1FN, and pairs of them are to be bytes.
[[nodiscard]] Value lowerDot(OpBuilder &builder, DotOp dot, const MxParts &lhs, const MxParts &rhs, bool packs);

} // namespace mlir::tile

#endif

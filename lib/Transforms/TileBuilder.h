/// Arithmetic on open tiles in few words, for passes that write formulas.
#ifndef LIB_TRANSFORMS_TILEBUILDER_H
#define LIB_TRANSFORMS_TILEBUILDER_H

#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::tile {

/// Builds ops of the tile dialect and of arith at one place and location. Shapes and element types of results follow
/// from the operands, which are tiles without layouts unless something else is said.
class TileBuilder {
public:
  TileBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Any op with one result, from what its builder takes after the location.
  template <typename Op, typename... Args> [[nodiscard]] Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  /// A tile like `like` whose elements are all one number.
  [[nodiscard]] Value real(Value like, double number);
  [[nodiscard]] Value integer(Value like, int64_t number);
  /// A tile of that type whose bits are all zero.
  [[nodiscard]] Value zero(TileType type);
  /// An index constant.
  [[nodiscard]] Value index(int64_t number);
  /// A scalar in each element of a tile like `like`.
  [[nodiscard]] Value splat(Value scalar, Value like);

  /// The numbers, or the bits, in another element type; the value itself where it has that type.
  [[nodiscard]] Value cast(Value tile, Type element, bool saturate = false);
  [[nodiscard]] Value bitcast(Value tile, Type element);
  [[nodiscard]] Value reshape(Value tile, ArrayRef<int64_t> shape);
  /// Axis d of the result is axis permutation[d] of the tile; the tile itself where nothing moves.
  [[nodiscard]] Value transpose(Value tile, ArrayRef<int64_t> permutation);
  /// The tile with its last two axes swapped.
  [[nodiscard]] Value transpose(Value tile);
  /// The tile repeated along a new axis of that extent.
  [[nodiscard]] Value repeat(Value tile, int64_t axis, int64_t extent);
  [[nodiscard]] Value select(Value condition, Value trueValue, Value falseValue);
  /// The largest element along an axis, or NaN where there is one; floats.
  [[nodiscard]] Value maximum(Value tile, int64_t axis);

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::tile

#endif

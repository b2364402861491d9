// Dots of microscaled operands: the parts of each stand beside each other in the lower form of `tile.dot`. The tensor
// scales come out of the sum, which is why it starts from zero there.
#include "lib/Transforms/LowerMicroscaling.h"
#include "lib/Transforms/TileBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tile;

/// Half of an extent along an axis.
static TileType packedType(TileType type, unsigned axis) {
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] /= 2;
  return TileType::get(shape, IntegerType::get(type.getContext(), 8), type.getLayout());
}

/// The bytes of a load whose pairs along `axis` lie in one byte each; null where they do not.
static Value packedLoad(LoadOp load, unsigned axis) {
  auto view = cast<ViewType>(load.getView().getType());
  if (load.getPad() || view.contiguousAxis() != axis)
    return {};
  OpBuilder builder(load);
  TileBuilder b(builder, load.getLoc());
  SmallVector<Value> offsets(load.getOffsets());
  offsets[axis] = builder.createOrFold<arith::ShRSIOp>(load.getLoc(), offsets[axis], b.index(1));
  Value bytes = b.make<PackedViewOp>(PackedViewOp::packedType(view), load.getView());
  return b.make<LoadOp>(packedType(cast<TileType>(load.getType()), axis), bytes, offsets);
}

/// Two elements of each byte along `axis`: read from memory like that where they lie like that.
static Value packed(OpBuilder &builder, Location loc, Value elements, unsigned axis) {
  auto type = cast<TileType>(elements.getType());
  if (auto load = elements.getDefiningOp<LoadOp>())
    if (Value bytes = packedLoad(load, axis))
      return bytes;
  if (auto transpose = elements.getDefiningOp<TransposeOp>())
    if (auto load = transpose.getSource().getDefiningOp<LoadOp>())
      if (Value bytes = packedLoad(load, transpose.axes()[axis])) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(transpose);
        return TransposeOp::create(builder, loc, packedType(type, axis), bytes, transpose.getPermutationAttr());
      }
  return PackPairsOp::create(builder, loc, packedType(type, axis), elements, static_cast<uint64_t>(axis));
}

/// The product of the tensor scales, or the one there is; null where there is none.
static Value tensorScale(TileBuilder &b, Value lhs, Value rhs) {
  return lhs && rhs ? b.make<arith::MulFOp>(lhs, rhs) : lhs ? lhs : rhs;
}

Value tile::lowerDot(OpBuilder &builder, DotOp dot, const MxParts &lhs, const MxParts &rhs, bool packs) {
  Location loc = dot.getLoc();
  TileBuilder b(builder, loc);
  auto block = [&](Value operand) {
    auto type = dyn_cast<MxType>(operand.getType());
    return type ? builder.getI64IntegerAttr(type.getBlock()) : IntegerAttr();
  };
  Value tensor = tensorScale(b, lhs.tensor, rhs.tensor), acc = dot.getAcc();
  auto accType = cast<TileType>(acc.getType());
  Value a = lhs.elements, c = rhs.elements;
  if (packs) {
    unsigned rank = accType.getShape().size();
    a = packed(builder, loc, a, rank - 1);
    c = packed(builder, loc, c, rank - 2);
  }
  Value start = tensor ? b.zero(accType) : acc;
  Value sum = DotOp::create(builder, loc, accType, a, c, start, lhs.scales, rhs.scales, block(dot.getLhs()),
                            block(dot.getRhs()), packs ? builder.getUnitAttr() : UnitAttr(), dot.getPrecisionAttr());
  return tensor ? b.make<math::FmaOp>(sum, b.splat(tensor, sum), acc) : sum;
}

// Types of results follow from operands; what would change nothing is not built.
#include "lib/Transforms/TileBuilder.h"

using namespace mlir;
using namespace mlir::tile;

static TileType typeOf(Value tile) { return cast<TileType>(tile.getType()); }

Value TileBuilder::real(Value like, double number) {
  APFloat value(number);
  bool losesInfo = false;
  value.convert(llvm::cast<FloatType>(typeOf(like).getElementType()).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return make<arith::ConstantOp>(DenseElementsAttr::get(typeOf(like), value));
}

Value TileBuilder::integer(Value like, int64_t number) {
  unsigned width = typeOf(like).getElementType().getIntOrFloatBitWidth();
  APInt value(width, number, /*isSigned=*/true, /*implicitTrunc=*/true);
  return make<arith::ConstantOp>(DenseElementsAttr::get(typeOf(like), value));
}

Value TileBuilder::zero(TileType type) {
  // Not every float format has a zero: the bits are what is meant.
  APInt bits = APInt::getZero(type.getElementType().getIntOrFloatBitWidth());
  if (auto element = dyn_cast<FloatType>(type.getElementType()))
    return make<arith::ConstantOp>(DenseElementsAttr::get(type, APFloat(element.getFloatSemantics(), bits)));
  return make<arith::ConstantOp>(DenseElementsAttr::get(type, bits));
}

Value TileBuilder::index(int64_t number) { return make<arith::ConstantIndexOp>(number); }

Value TileBuilder::splat(Value scalar, Value like) {
  return make<SplatOp>(typeOf(like).withElement(scalar.getType()), scalar);
}

Value TileBuilder::cast(Value tile, Type element, bool saturate) {
  if (typeOf(tile).getElementType() == element)
    return tile;
  return make<CastOp>(typeOf(tile).withElement(element), tile, saturate, /*isUnsigned=*/false);
}

Value TileBuilder::bitcast(Value tile, Type element) {
  if (typeOf(tile).getElementType() == element)
    return tile;
  return make<BitcastOp>(typeOf(tile).withElement(element), tile);
}

Value TileBuilder::reshape(Value tile, ArrayRef<int64_t> shape) {
  if (typeOf(tile).getShape() == shape)
    return tile;
  return make<ReshapeOp>(TileType::get(shape, typeOf(tile).getElementType()), tile);
}

Value TileBuilder::transpose(Value tile, ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return tile;
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(typeOf(tile).getShape()[axis]);
  return make<TransposeOp>(TileType::get(shape, typeOf(tile).getElementType()), tile,
                           builder.getDenseI64ArrayAttr(permutation));
}

Value TileBuilder::transpose(Value tile) {
  SmallVector<int64_t> shape(typeOf(tile).getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return make<TransposeOp>(TileType::get(shape, typeOf(tile).getElementType()), tile, DenseI64ArrayAttr());
}

Value TileBuilder::repeat(Value tile, int64_t axis, int64_t extent) {
  SmallVector<int64_t> shape(typeOf(tile).getShape());
  shape.insert(shape.begin() + axis, extent);
  return make<BroadcastOp>(TileType::get(shape, typeOf(tile).getElementType()), tile,
                           builder.getDenseI64ArrayAttr(axis));
}

Value TileBuilder::select(Value condition, Value trueValue, Value falseValue) {
  return make<SelectOp>(trueValue.getType(), condition, trueValue, falseValue);
}

Value TileBuilder::maximum(Value tile, int64_t axis) {
  Type element = typeOf(tile).getElementType();
  SmallVector<int64_t> shape(typeOf(tile).getShape());
  shape.erase(shape.begin() + axis);
  auto reduce = ReduceOp::create(builder, loc, TypeRange{TileType::get(shape, element)}, ValueRange{tile},
                                 static_cast<uint64_t>(axis), IntegerAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *combine = builder.createBlock(&reduce.getCombine(), {}, {element, element}, {loc, loc});
  Value larger = make<arith::MaximumFOp>(combine->getArgument(0), combine->getArgument(1));
  YieldOp::create(builder, loc, larger);
  return reduce.getResult(0);
}

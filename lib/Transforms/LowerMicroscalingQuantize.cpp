// Numbers to microscaled tiles, written in ordinary ops on a tile whose block axis is split in [blocks, block]:
// the largest magnitude of each block by a reduction, from it the scale, and each element over its scale, rounded.
//
// Where the scale is a power of two everything per block is integer arithmetic on the bits of amax, and the element is
// multiplied by the inverse, which is a normal f32 for every code: with amax = 1.m · 2^(E-127) the code is E - emax,
// at least 0, and the inverse has the exponent field 254 - code, 1 … 254. So an element costs a magnitude, a maximum, a
// product and a conversion. What would be NaN becomes 0 by a mask on the codes, four of them in one operation.
#include "lib/Transforms/LowerMicroscaling.h"
#include "lib/Transforms/TileBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// One quantisation. Tiles "of blocks" have the shape of the split source without the axis inside the block.
class Quantization {
public:
  Quantization(OpBuilder &builder, Location loc, MxType type, bool roundUp, Value tensor)
      : b(builder, loc), type(type), roundUp(roundUp), tensor(tensor), f32(builder.getF32Type()),
        i8(builder.getI8Type()), i32(builder.getI32Type()) {}

  MxParts run(Value source);

private:
  // Each gives the scales of blocks, and the elements as far as their rounding.
  Value powersOfTwo();
  Value floats();
  Value integers();
  /// x over the block's number.
  Value over(Value ofBlocks) { return b.make<arith::DivFOp>(x, spread(ofBlocks)); }
  Value spread(Value ofBlocks) { return b.repeat(ofBlocks, type.getAxis() + 1, type.getBlock()); }
  /// A number of blocks, or NaN where amax is none or infinite.
  Value orNaN(Value ofBlocks);
  /// Whether a number of blocks is one that elements can be divided by.
  Value isUsable(Value ofBlocks);
  Value isLess(Value l, Value r) { return b.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, l, r); }

  TileBuilder b;
  MxType type;
  bool roundUp;
  Value tensor;
  Type f32, i8, i32;
  /// The split source and the largest magnitudes of its blocks.
  Value x, amax;
  /// Elements before rounding, and whether blocks have elements other than 0.
  Value scaled, isAlive;
};
} // namespace

/// The extents with the block axis split in two.
static SmallVector<int64_t> splitShape(MxType type) {
  SmallVector<int64_t> shape(type.getShape());
  shape[type.getAxis()] /= type.getBlock();
  shape.insert(shape.begin() + type.getAxis() + 1, type.getBlock());
  return shape;
}

/// The order of axes that brings the blocks from their place to the end, or back.
static SmallVector<int64_t> blocksLast(MxType type) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getShape().size()));
  std::rotate(axes.begin() + type.getAxis(), axes.begin() + type.getAxis() + 1, axes.end());
  return axes;
}
static SmallVector<int64_t> blocksInPlace(MxType type) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getShape().size()));
  std::rotate(axes.begin() + type.getAxis(), axes.end() - 1, axes.end());
  return axes;
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// The exponent and the fraction, as f32 has it, of the largest number of a format.
static std::pair<int64_t, int64_t> largest(Type element) {
  APFloat number = APFloat::getLargest(cast<FloatType>(element).getFloatSemantics());
  bool losesInfo = false;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  uint32_t bits = number.bitcastToAPInt().getZExtValue();
  return {int64_t(bits >> 23) - 127, int64_t(bits & 0x7fffff)};
}

Value Quantization::orNaN(Value ofBlocks) {
  Value infinity = b.real(amax, std::numeric_limits<double>::infinity());
  return b.select(isLess(amax, infinity), ofBlocks, b.real(amax, std::numeric_limits<double>::quiet_NaN()));
}

Value Quantization::isUsable(Value ofBlocks) {
  return b.make<arith::CmpFOp>(arith::CmpFPredicate::ONE, ofBlocks, b.real(ofBlocks, 0.0));
}

Value Quantization::powersOfTwo() {
  auto [emax, fraction] = largest(type.getElementType());
  Value bits = b.bitcast(amax, i32), raised = bits;
  // The exponent goes up where the fraction of amax is above that of the largest element.
  if (roundUp)
    raised = b.make<arith::AddIOp>(bits, b.integer(bits, 0x7fffff - fraction));
  Value shift = b.integer(bits, 23);
  Value exponent = b.make<arith::ShRUIOp>(raised, shift);
  Value code = b.make<arith::MaxSIOp>(b.make<arith::SubIOp>(exponent, b.integer(bits, emax)), b.integer(bits, 0));
  Value inverse = b.make<arith::ShLIOp>(b.make<arith::SubIOp>(b.integer(bits, 254), code), shift);
  scaled = b.make<arith::MulFOp>(x, spread(b.bitcast(inverse, f32)));
  isAlive = b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, bits, b.integer(bits, 0x7f800000));
  code = b.select(isAlive, code, b.integer(code, 255));
  return b.bitcast(b.cast(code, i8), type.getScaleType());
}

Value Quantization::floats() {
  Value wanted = b.make<arith::DivFOp>(amax, b.real(amax, 6.0));
  if (tensor)
    wanted = b.make<arith::DivFOp>(wanted, b.splat(tensor, wanted));
  wanted = orNaN(wanted);
  Value scale = b.cast(wanted, type.getScaleType(), /*saturate=*/true);
  if (roundUp) {
    // The next code, up to the largest number.
    Value code = b.bitcast(scale, i8);
    Value next = b.make<arith::MinUIOp>(b.make<arith::AddIOp>(code, b.integer(code, 1)), b.integer(code, 0x7e));
    code = b.select(isLess(b.cast(scale, f32), wanted), next, code);
    scale = b.bitcast(code, type.getScaleType());
  }
  Value divisor = b.cast(scale, f32);
  if (tensor)
    divisor = b.make<arith::MulFOp>(divisor, b.splat(tensor, divisor));
  isAlive = isUsable(divisor);
  scaled = over(divisor);
  return scale;
}

Value Quantization::integers() {
  double most = type.getElementType().isInteger(4) ? 7 : 127;
  Value scale = b.cast(orNaN(b.make<arith::DivFOp>(amax, b.real(amax, most))), type.getScaleType());
  Value divisor = b.cast(scale, f32);
  isAlive = isUsable(divisor);
  Value rounded = b.make<math::RoundEvenOp>(over(divisor));
  // The cast stops at the largest integer itself; the least one has no counterpart and is not used.
  scaled = b.make<arith::MaximumFOp>(rounded, b.real(rounded, -most));
  return scale;
}

//===----------------------------------------------------------------------===//
// Both ways
//===----------------------------------------------------------------------===//

MxParts Quantization::run(Value source) {
  x = b.reshape(b.cast(source, f32), splitShape(type));
  amax = b.maximum(b.make<math::AbsFOp>(x), type.getAxis() + 1);
  Type scaleType = type.getScaleType();
  Value scale = isa<Float8E8M0FNUType>(scaleType)  ? powersOfTwo()
                : isa<Float8E4M3FNType>(scaleType) ? floats()
                                                   : integers();
  Value codes =
      b.bitcast(b.cast(scaled, type.getElementType(), /*saturate=*/isa<FloatType>(type.getElementType())), i8);
  Value none = b.zero(cast<TileType>(isAlive.getType()).withElement(i8)), all = b.integer(none, -1);
  codes = b.make<arith::AndIOp>(codes, spread(b.select(isAlive, all, none)));
  Value elements = b.bitcast(b.reshape(codes, type.getShape()), type.getElementType());
  return {elements, b.transpose(scale, blocksLast(type)), tensor};
}

MxParts tile::quantize(OpBuilder &builder, Location loc, Value source, MxType type, bool roundUp, Value tensor) {
  return Quantization(builder, loc, type, roundUp, tensor).run(source);
}

Value tile::dequantize(OpBuilder &builder, Location loc, const MxParts &parts, MxType type, Type element) {
  TileBuilder b(builder, loc);
  Type f32 = builder.getF32Type();
  Value scales = parts.scales;
  // The sign of an f8E4M3FN scale counts as little as it does in a dot.
  if (isa<Float8E4M3FNType>(type.getScaleType())) {
    Value code = b.bitcast(scales, builder.getI8Type());
    scales = b.bitcast(b.make<arith::AndIOp>(code, b.integer(code, 0x7f)), type.getScaleType());
  }
  scales = b.transpose(b.cast(scales, f32), blocksInPlace(type));
  scales = b.repeat(scales, type.getAxis() + 1, type.getBlock());
  Value numbers = b.reshape(b.cast(parts.elements, f32), splitShape(type));
  numbers = b.make<arith::MulFOp>(numbers, scales);
  if (parts.tensor)
    numbers = b.make<arith::MulFOp>(numbers, b.splat(parts.tensor, numbers));
  return b.cast(b.reshape(numbers, type.getShape()), element);
}

// Microscaled views in memory: elements as they are, or turned on the way; scales at the offsets of their blocks.
//
// Interleaved scales are a view of [row / 128, block / 4, row mod 32, row / 32 mod 4, block mod 4] (lib/Layout/
// ScaleLayout.h). A tile of R rows and B blocks, with offsets that are multiples of min(R, 128) and min(B, 4), is a box
// in it: R = a · q · r with r = min(R, 32), q = min(R / 32, 4), and B = c · b with b = min(B, 4). Example: 64 x 8
// scales at row 192, block 8 are the box 1 x 2 x 32 x 2 x 4 at [1, 2, 0, 2, 0]; turned to [a, q, r, c, b] it is 64 x 8
// in row-major order.
#include "lib/Transforms/LowerMicroscaling.h"
#include "lib/Transforms/TileBuilder.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The offsets in the view of the elements as it was before it was turned.
static SmallVector<Value> elementOffsets(const MxAccess &access) {
  SmallVector<Value> offsets(access.offsets);
  if (access.view.transposed)
    std::swap(offsets[offsets.size() - 1], offsets[offsets.size() - 2]);
  return offsets;
}

Value tile::loadElements(OpBuilder &builder, const MxAccess &access, TileType type) {
  TileBuilder b(builder, access.op->getLoc());
  SmallVector<int64_t> shape(type.getShape());
  if (access.view.transposed)
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  Value loaded =
      b.make<LoadOp>(TileType::get(shape, type.getElementType()), access.view.elements, elementOffsets(access));
  return access.view.transposed ? b.transpose(loaded) : loaded;
}

void tile::storeElements(OpBuilder &builder, const MxAccess &access, Value elements) {
  if (access.view.transposed)
    elements = TileBuilder(builder, access.op->getLoc()).transpose(elements);
  StoreOp::create(builder, access.op->getLoc(), elements, access.view.elements, elementOffsets(access));
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

namespace {
/// The scales that belong to one access.
class ScaleAccess {
public:
  ScaleAccess(OpBuilder &builder, const MxAccess &access, ArrayRef<int64_t> shape)
      : builder(builder), b(builder, access.op->getLoc()), access(access), shape(shape) {}

  FailureOr<Value> load(Type element);
  LogicalResult store(Value scales);

private:
  bool isInterleaved() const { return access.type.getScales() == ScaleLayout::Interleaved128x4; }
  /// The offset along the block axis, in blocks. It is a multiple of the block, so nothing is lost.
  Value blockOffset() { return shifted(access.offsets[access.type.getAxis()], access.type.getBlock()); }
  Value shifted(Value offset, int64_t unit) {
    return builder.createOrFold<arith::ShRSIOp>(access.op->getLoc(), offset, b.index(llvm::Log2_64(unit)));
  }
  SmallVector<Value> plainOffsets();
  /// An error at the op where offsets are known not to be multiples of what they must be, a remark where they are not
  /// known to be.
  LogicalResult verifyOffsets();
  LogicalResult verifyOffset(unsigned axis, int64_t unit, const Twine &reason);

  // Interleaved scales, of rank 2.
  unsigned rowAxis() const { return 1 - access.type.getAxis(); }
  LogicalResult verifyBox();
  SmallVector<int64_t> box() const;
  SmallVector<Value> boxOffsets();
  /// The remainder of an offset by a power of two, where the tile does not fill it.
  Value rest(Value offset, int64_t divisor, int64_t unit, int64_t extent);
  /// Scales whose row and block have elements, and code 0 for the others, which are padding.
  Value withoutPadding(Value scales);
  /// Where the scales along one axis of the tile have elements; null where all have.
  Value alive(unsigned scaleAxis);

  OpBuilder &builder;
  TileBuilder b;
  const MxAccess &access;
  SmallVector<int64_t> shape;
};
} // namespace

SmallVector<Value> ScaleAccess::plainOffsets() {
  SmallVector<Value> offsets(access.offsets);
  offsets.erase(offsets.begin() + access.type.getAxis());
  offsets.push_back(blockOffset());
  return offsets;
}

LogicalResult ScaleAccess::verifyOffset(unsigned axis, int64_t unit, const Twine &reason) {
  const OffsetFact &fact = access.facts[axis];
  if (fact.divisor % unit == 0)
    return success();
  if (fact.least == fact.most && fact.most % unit != 0) {
    InFlightDiagnostic diag = access.op->emitOpError("expects the offset along axis ")
                              << axis << " to be a multiple of " << unit << ", found " << fact.most;
    diag.attachNote() << reason;
    return diag;
  }
  remark::missed(access.op->getLoc(), remark::RemarkOpts::name("scale-offsets").category("tile-microscaling"))
      << remark::add("the offset along axis {0} is taken to be a multiple of {1}, which is not proved", axis, unit)
      << remark::reason("{0}", reason.str())
      << remark::suggest("'tile.assume %offset divisible {0}' says so; other offsets read and write wrong scales",
                         unit);
  return success();
}

LogicalResult ScaleAccess::verifyOffsets() {
  const int64_t block = access.type.getBlock();
  if (!isInterleaved())
    return verifyOffset(access.type.getAxis(), block, "blocks begin at multiples of " + Twine(block) + " elements");
  const int64_t rows = std::min<int64_t>(shape[0], 128), blocks = std::min<int64_t>(shape[1], 4);
  if (failed(verifyOffset(access.type.getAxis(), blocks * block,
                          "interleaved scales of " + Twine(shape[1]) + " blocks of " + Twine(block) +
                              " begin at multiples of " + Twine(blocks) + " blocks")))
    return failure();
  return verifyOffset(rowAxis(), rows,
                      "interleaved scales of " + Twine(shape[0]) + " rows begin at multiples of " + Twine(rows) +
                          " rows");
}

LogicalResult ScaleAccess::verifyBox() {
  auto isExtent = [](int64_t count) { return count == 1 || count == 2 || count == 4 || count % 8 == 0; };
  int64_t rows = shape[0], blocks = shape[1];
  if ((rows % 128 == 0 ? isExtent(rows / 128) : 128 % rows == 0) &&
      (blocks % 4 == 0 ? isExtent(blocks / 4) : 4 % blocks == 0))
    return success();
  InFlightDiagnostic diag =
      access.op->emitOpError("expects tiles of interleaved_128x4 scales of 1, 2, 4, 8, 16, 32, 64, "
                             "128, 256 or 512 rows, or a multiple of 1024, and of 1, 2, 4, 8, 16 "
                             "blocks, or a multiple of 32, but got ");
  printShape(diag, shape);
  diag.attachNote() << "use a tile of other extents, or store the scales row_major";
  return diag;
}

SmallVector<int64_t> ScaleAccess::box() const {
  int64_t rows = shape[0], blocks = shape[1];
  return {std::max<int64_t>(rows / 128, 1), std::max<int64_t>(blocks / 4, 1), std::min<int64_t>(rows, 32),
          std::clamp<int64_t>(rows / 32, 1, 4), std::min<int64_t>(blocks, 4)};
}

Value ScaleAccess::rest(Value offset, int64_t divisor, int64_t unit, int64_t extent) {
  // Offsets are multiples of the tile's own extent, or of the unit.
  if (extent == unit || divisor % unit == 0)
    return b.index(0);
  return builder.createOrFold<arith::AndIOp>(access.op->getLoc(), offset, b.index(unit - 1));
}

/// What divides x / unit where `divisor` divides x.
static int64_t divisorOfQuotient(int64_t divisor, int64_t unit) { return divisor % unit == 0 ? divisor / unit : 1; }

SmallVector<Value> ScaleAccess::boxOffsets() {
  Value row = access.offsets[rowAxis()], block = blockOffset();
  int64_t rowDivisor = access.facts[rowAxis()].divisor, blockDivisor = access.facts[access.type.getAxis()].divisor;
  SmallVector<int64_t> extents = box();
  return {shifted(row, 128), shifted(block, 4), rest(row, rowDivisor, 32, extents[2]),
          rest(shifted(row, 32), divisorOfQuotient(rowDivisor, 32), 4, extents[3]),
          rest(block, divisorOfQuotient(blockDivisor, access.type.getBlock()), 4, extents[4])};
}

Value ScaleAccess::alive(unsigned scaleAxis) {
  bool isBlocks = scaleAxis == 1;
  unsigned axis = isBlocks ? access.type.getAxis() : rowAxis();
  int64_t unit = isBlocks ? access.type.getBlock() : 1, extent = access.type.getShape()[axis];
  Location loc = access.op->getLoc();
  // A tile that ends within the view has no padding. The offset is what it is at most, so rounding is on the safe side.
  if (!ShapedType::isDynamic(extent) && access.facts[axis].most <= extent - shape[scaleAxis] * unit)
    return {};
  unsigned viewAxis = access.view.transposed ? 1 - axis : axis;
  Value count = ShapedType::isDynamic(extent)
                    ? b.make<DimOp>(builder.getIndexType(), access.view.elements, uint64_t(viewAxis))
                    : b.index(extent);
  if (isBlocks)
    count = shifted(builder.createOrFold<arith::AddIOp>(loc, count, b.index(unit - 1)), unit);
  Value offset = isBlocks ? blockOffset() : access.offsets[axis];
  Value left = builder.createOrFold<arith::SubIOp>(loc, count, offset);
  // At most the tile's extent, so that it fits 32 bits.
  left = builder.createOrFold<arith::MaxSIOp>(loc, left, b.index(0));
  left = builder.createOrFold<arith::MinSIOp>(loc, left, b.index(shape[scaleAxis]));
  Value bound = builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(), left);
  Value number = b.make<IotaOp>(TileType::get(shape, builder.getI32Type()), uint64_t(scaleAxis));
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, number, b.splat(bound, number));
}

Value ScaleAccess::withoutPadding(Value scales) {
  Value rows = alive(0), blocks = alive(1);
  if (!rows && !blocks)
    return scales;
  Value keep = rows && blocks ? b.make<arith::AndIOp>(rows, blocks) : rows ? rows : blocks;
  return b.select(keep, scales, b.zero(cast<TileType>(scales.getType())));
}

FailureOr<Value> ScaleAccess::load(Type element) {
  if ((isInterleaved() && failed(verifyBox())) || failed(verifyOffsets()))
    return failure();
  if (!isInterleaved())
    return b.make<LoadOp>(TileType::get(shape, element), access.view.scales, plainOffsets());
  Value loaded = b.make<LoadOp>(TileType::get(box(), element), access.view.scales, boxOffsets());
  return withoutPadding(b.reshape(b.transpose(loaded, {0, 3, 2, 1, 4}), shape));
}

LogicalResult ScaleAccess::store(Value scales) {
  if ((isInterleaved() && failed(verifyBox())) || failed(verifyOffsets()))
    return failure();
  if (!isInterleaved()) {
    StoreOp::create(builder, access.op->getLoc(), scales, access.view.scales, plainOffsets());
    return success();
  }
  SmallVector<int64_t> e = box();
  Value turned = b.reshape(withoutPadding(scales), {e[0], e[3], e[2], e[1], e[4]});
  StoreOp::create(builder, access.op->getLoc(), b.transpose(turned, {0, 3, 2, 1, 4}), access.view.scales, boxOffsets());
  return success();
}

FailureOr<Value> tile::loadScales(OpBuilder &builder, const MxAccess &access, TileType type) {
  return ScaleAccess(builder, access, type.getShape()).load(type.getElementType());
}

LogicalResult tile::storeScales(OpBuilder &builder, const MxAccess &access, Value scales) {
  return ScaleAccess(builder, access, cast<TileType>(scales.getType()).getShape()).store(scales);
}

// Most conversions between layouts move registers or shuffle within a warp, and the lowering does that from the op itself.
// Where elements must cross warps, or shuffles cost too much, they go through shared memory; that is made explicit here,
// so that allocation and barriers see it. Elements narrower than a byte go as i8: in shared buffers they would be packed.
#include "lib/Layout/Conversion.h"
#include "lib/Transforms/BufferType.h"
#include "lib/Transforms/Passes.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILELOWERRELAYOUTSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Both sides have a layout, over the same warps.
static LogicalResult verifySides(RelayoutOp relayout, TileType source, TileType result) {
  if (!source.getLayout() || !result.getLayout())
    return relayout.emitOpError("expects layouts on both sides, found ") << source << " and " << result;
  unsigned from = source.distribution().numWarps(), to = result.distribution().numWarps();
  if (from != to)
    return relayout.emitOpError("expects source and result to have the same number of warps, but got ")
           << from << " and " << to;
  return success();
}

/// A tile with another element type of one width; the same value where it has that type.
static Value bitcast(OpBuilder &builder, Location loc, Value tile, Type element) {
  auto type = cast<TileType>(tile.getType());
  if (type.getElementType() == element)
    return tile;
  return BitcastOp::create(builder, loc, type.withElement(element), tile);
}

namespace {
struct LowerRelayoutsPass : public tile::impl::TileLowerRelayoutsPassBase<LowerRelayoutsPass> {
  void runOnOperation() override {
    SmallVector<RelayoutOp> relayouts;
    getOperation().getBody().walk([&](RelayoutOp relayout) { relayouts.push_back(relayout); });
    for (RelayoutOp relayout : relayouts) {
      auto source = cast<TileType>(relayout.getSource().getType()), result = cast<TileType>(relayout.getType());
      if (failed(verifySides(relayout, source, result)))
        return signalPassFailure();
      ConversionPlan plan =
          planConversion(source.distribution(), result.distribution(), elementBits(source.getElementType()));
      if (plan.kind != ConversionKind::Shared)
        continue;
      OpBuilder builder(relayout);
      Location loc = relayout.getLoc();
      Type element = source.getElementType();
      Type stored = memoryBits(element) < 8 ? builder.getI8Type() : element;
      SharedType type = bufferType(source.withElement(stored), plan.shared->shared);
      Value buffer = SharedAllocOp::create(builder, loc, type, IntegerAttr());
      SharedStoreOp::create(builder, loc, bitcast(builder, loc, relayout.getSource(), stored), buffer);
      Value loaded = SharedLoadOp::create(builder, loc, result.withElement(stored), buffer);
      relayout.getResult().replaceAllUsesWith(bitcast(builder, loc, loaded, element));
      relayout->erase();
    }
  }
};
} // namespace

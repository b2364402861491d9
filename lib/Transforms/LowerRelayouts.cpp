// Most conversions between layouts move registers or shuffle within a warp, and the lowering does that from the op itself.
// Where elements must cross warps, or shuffles cost too much, they go through shared memory; that is made explicit here,
// so that allocation and barriers see it.
#include "lib/Layout/SharedLayout.h"
#include "lib/Transforms/Passes.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILELOWERRELAYOUTSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// The buffer through which the conversion goes, nothing where threads manage alone.
static std::optional<SharedLayout> sharedBetween(TileType source, TileType result) {
  if (result.distribution().registerMapTo(source.distribution()))
    return std::nullopt;
  SmallVector<unsigned> order;
  for (unsigned dim = source.getShape().size(); dim-- > 0;)
    order.push_back(dim);
  return SharedLayout::create(source.getShape(), order, elementBits(source.getElementType()));
}

namespace {
struct LowerRelayoutsPass : public tile::impl::TileLowerRelayoutsPassBase<LowerRelayoutsPass> {
  void runOnOperation() override {
    SmallVector<RelayoutOp> relayouts;
    getOperation().getBody().walk([&](RelayoutOp relayout) { relayouts.push_back(relayout); });
    for (RelayoutOp relayout : relayouts) {
      auto source = cast<TileType>(relayout.getSource().getType()), result = cast<TileType>(relayout.getType());
      if (!source.getLayout() || !result.getLayout()) {
        relayout.emitOpError("expects layouts on both sides, found ") << source << " and " << result;
        return signalPassFailure();
      }
      std::optional<SharedLayout> memory = sharedBetween(source, result);
      if (!memory)
        continue;
      OpBuilder builder(relayout);
      Location loc = relayout.getLoc();
      auto type = SharedType::get(&getContext(), source.getShape(), source.getElementType(),
                                  SwizzleAttr::get(&getContext(), *memory));
      Value buffer = SharedAllocOp::create(builder, loc, type, IntegerAttr());
      SharedStoreOp::create(builder, loc, relayout.getSource(), buffer);
      Value loaded = SharedLoadOp::create(builder, loc, result, buffer);
      relayout.getResult().replaceAllUsesWith(loaded);
      relayout->erase();
    }
  }
};
} // namespace

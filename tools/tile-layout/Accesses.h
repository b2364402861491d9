/// What each memory op of a planned kernel costs, by the very plans that the lowering follows.
///
/// Every address of every warp is computed and counted (lib/Layout/Access.h). Of global memory the address is assumed
/// where it is known at launch only: the tile begins at a multiple of 256 bytes, and dynamic strides are the least
/// multiples of 256 bytes at which the tile's rows do not overlap.
#ifndef TOOLS_TILE_LAYOUT_ACCESSES_H
#define TOOLS_TILE_LAYOUT_ACCESSES_H

#include "dialect/Tile.h"
#include "lib/Analysis/IndexFacts.h"
#include "lib/Target/Target.h"
#include <optional>
#include <string>

namespace mlir::tile {

/// Sums over the requests of a block: one request is one instruction of one warp in which some lane takes part.
struct SharedCost {
  uint64_t requests = 0, wavefronts = 0, least = 0;
};

/// Sums over the requests of a block. `least` is what the distinct bytes of each request would fill; `wasted` are bytes
/// of touched sectors that the request does not ask for.
struct GlobalCost {
  uint64_t requests = 0, sectors = 0, least = 0, wasted = 0;
};

/// One op as instructions.
struct Access {
  /// The instruction without its types: "ldmatrix.x4", "ld.shared", "cp.async", "shfl.sync".
  std::string instruction;
  /// Elements and bytes that a lane moves at once; 0 where nothing moves through memory. Packed elements that straddle
  /// instructions are rounded down.
  unsigned vectorElements = 0, vectorBytes = 0;
  /// Instructions of each thread.
  unsigned perThread = 0;
  std::optional<SharedCost> shared;
  std::optional<GlobalCost> global;
  /// One line: what is wrong, and the remedy; or that nothing is.
  std::string verdict;
};

/// A `tile.shared_load` of `tile` from `buffer`, beginning at `begin`, as emitted for `target`.
[[nodiscard]] Access describeSharedLoad(TileType tile, SharedType buffer, ArrayRef<int64_t> begin,
                                        const Target &target);
/// A `tile.shared_store` of `tile` to `buffer`.
[[nodiscard]] Access describeSharedStore(TileType tile, SharedType buffer);
/// A `tile.load` or `tile.store`.
[[nodiscard]] Access describeGlobal(TileType tile, ViewType view, ValueRange offsets, IndexFacts &facts, bool isStore);
/// A `tile.copy_async` by `warps` warps.
[[nodiscard]] Access describeCopy(CopyAsyncOp op, IndexFacts &facts, unsigned warps);
/// A `tile.relayout` that stays within warps.
[[nodiscard]] Access describeRelayout(TileType from, TileType to);

} // namespace mlir::tile

#endif

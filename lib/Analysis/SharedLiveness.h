/// What lies in shared memory, and when.
#ifndef LIB_ANALYSIS_SHAREDLIVENESS_H
#define LIB_ANALYSIS_SHAREDLIVENESS_H

#include "dialect/Tile.h"

namespace mlir::tile {

/// Something that needs bytes of shared memory: a buffer, a channel, or the scratch of a reduction.
struct SharedNeed {
  /// `tile.shared_alloc`, `tile.channel_create` or `tile.reduce`.
  Operation *op;
  int64_t bytes, alignment;
  /// First and last position, both included, in the kernel's program order; a loop around a use of what was made outside
  /// of it counts as a whole.
  int64_t first, last;

  [[nodiscard]] bool overlaps(const SharedNeed &other) const { return first <= other.last && other.first <= last; }
  /// The byte offset, where it has been set.
  [[nodiscard]] std::optional<int64_t> offset() const;
  void setOffset(int64_t offset);
};

/// Everything in a kernel that needs shared memory, in program order. All tiles of reductions must have layouts.
[[nodiscard]] SmallVector<SharedNeed> sharedNeeds(KernelOp kernel);

/// The op that made the memory behind a buffer or channel value: `tile.shared_alloc` or `tile.channel_create`. Null where
/// the value went through control flow or a selection, so that it may be any.
[[nodiscard]] Operation *sharedOrigin(Value value);

} // namespace mlir::tile

#endif

/// Loads, stores and atomics of a whole warp: where its lanes' places are, and what is counted and recorded of them.
/// Most accesses lie in one region, and most of these one lane beside the other; both are found with a few vector
/// operations, and only what fits neither is looked up lane by lane.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_WARPACCESS_H
#define TILEC_LIB_SIMULATOR_EXECUTE_WARPACCESS_H

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Execute/MemoryForm.h"

namespace tilec::sim {

/// The places of a warp's access.
struct WarpAccess {
  /// What the lanes asked for.
  uint64_t addresses[warpSize];
  /// The region that all lanes lie in; null: `regions` says for each.
  Region *region = nullptr;
  uint64_t offsets[warpSize];
  Region *regions[warpSize];
  /// Lanes that have a place; the others' accesses do not happen.
  LaneMask lanes = 0;
  unsigned bytes = 0;
  /// All 32 lanes, each beside the one before; all lanes at one place.
  bool consecutive = false, uniform = false;

  Place place(unsigned lane) const { return {region ? region : regions[lane], offsets[lane]}; }
  std::byte *at(unsigned lane) const { return (region ? region : regions[lane])->bytes + offsets[lane]; }
};

/// Looks up all active lanes. Faults are reported, and the lanes left out.
void resolve(Execution &x, const Operation &op, LaneMask active, const MemoryForm &form, AccessKind kind,
             WarpAccess &access);
/// Adds to the counters: bytes, sectors of global memory, passes of shared memory.
void countAccess(Execution &x, const Operation &op, const WarpAccess &access, bool isStore);
/// Records the access of `lanes` for the race check.
void recordLanes(Execution &x, const Operation &op, const WarpAccess &access, LaneMask lanes, AccessKind kind,
                 bool strong);
/// Whether no bit that the lanes access is undefined.
bool isDefined(const WarpAccess &access);
/// The undefined bits of a lane's place; zero where nothing is undefined.
void readUndefined(const WarpAccess &access, unsigned lane, void *bits);
/// The places of all lanes become defined.
void setDefined(const WarpAccess &access);
/// Makes the row's shadow valid and looked at, to be written by undefinedAt.
inline void prepareUndefined(Execution &x, Row row) {
  if (x.rowMayBeUndefined(row))
    return;
  std::memset(x.undefinedRow<std::byte>(row), 0, row.bytes * warpSize);
  x.noteUndefined(row);
}
/// The undefined bits of a row in one lane (Row::bytes of them).
inline std::byte *undefinedAt(Execution &x, Row row, unsigned lane) {
  return x.undefinedRow<std::byte>(row) + lane * row.bytes;
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_WARPACCESS_H

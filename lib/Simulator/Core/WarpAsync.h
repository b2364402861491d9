/// What a warp knows of the asynchronous operations that its threads have issued: groups that were committed and not
/// waited for. One member for each unit.
#ifndef TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H
#define TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H

#include "lib/Simulator/Core/BulkGroups.h"
#include "lib/Simulator/Core/Races.h"
#include "lib/Simulator/Core/WgmmaRegisters.h"

#include <map>

namespace tilec::sim {

/// cp.async groups (PTX ISA, "cp.async.commit_group", "cp.async.wait_group"). Each thread has groups of its own;
/// threads of a warp nearly always commit together, so operations stand for many lanes. Where they do not, operations
/// are performed a little earlier than they must be, which the ISA allows.
struct CopyGroups {
  /// The number of the group that a lane's next commit makes.
  uint64_t next[32] = {};
  /// Lanes that have issued copies since their last commit.
  uint32_t open = 0;
  /// The chain of completions, made when first needed. Its clock grows at each commit and at each arrival that is bound
  /// to the copies before it, so that what is seen by a wait for either is exactly what was issued before.
  Agent chain = noAgent;
  uint32_t clock = 1;
  /// The clock that a wait for a group reaches.
  std::map<uint64_t, uint32_t> clockOfGroup;
};

/// The groups of all units.
struct WarpAsync {
  CopyGroups copies;
  BulkGroups bulk;
  WgmmaGroups wgmma;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H

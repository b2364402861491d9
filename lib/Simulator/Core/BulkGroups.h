/// Bulk async-groups: each thread numbers its own. Source: PTX ISA, "Async-group mechanism",
/// `cp.async.bulk.commit_group`, `cp.async.bulk.wait_group`.
#ifndef TILEC_LIB_SIMULATOR_CORE_BULKGROUPS_H
#define TILEC_LIB_SIMULATOR_CORE_BULKGROUPS_H

#include "lib/Simulator/Core/Program.h"
#include "lib/Simulator/Core/Races.h"

#include <cstdint>

namespace tilec::sim {

/// The group number of operations that complete on an mbarrier and so belong to no group.
constexpr uint64_t bulkWithoutGroup = ~uint64_t(0) - 1;

/// The groups of a warp's threads; part of WarpAsync.
struct BulkGroups {
  /// The number of the group that the next commit makes, for each lane.
  uint64_t next[warpSize] = {};
  /// The chains of a lane's groups for the race check: what they read and what they write are waited for apart
  /// (`wait_group.read`). An agent is made when it is first needed.
  Agent reads[warpSize], writes[warpSize];

  BulkGroups() {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      reads[lane] = writes[lane] = noAgent;
  }
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_BULKGROUPS_H

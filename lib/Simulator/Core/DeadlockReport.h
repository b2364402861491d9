/// Placeholder until the family is in.
#ifndef TILEC_LIB_SIMULATOR_CORE_DEADLOCKREPORT_H
#define TILEC_LIB_SIMULATOR_CORE_DEADLOCKREPORT_H
#include "lib/Simulator/Core/Execution.h"
namespace tilec::sim {
inline void reportDeadlock(Cluster &cluster) {
  for (auto &block : cluster.blocks)
    for (auto &warp : block->warps)
      for (Split &split : warp->splits) {
        Execution x;
        x.enter(*warp);
        x.stop(FindingKind::Deadlock, *split.wait.op, firstLane(split.lanes), split.wait.what);
        return;
      }
}
} // namespace tilec::sim
#endif

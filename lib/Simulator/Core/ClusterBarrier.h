/// The barrier of a cluster (PTX ISA, "barrier.cluster"): every thread arrives, may do other work, and waits for the
/// phase that it arrived in. Threads that have exited are not waited for.
#ifndef TILEC_LIB_SIMULATOR_CORE_CLUSTERBARRIER_H
#define TILEC_LIB_SIMULATOR_CORE_CLUSTERBARRIER_H

#include "lib/Simulator/Core/Order.h"

#include <string>
#include <vector>

namespace tilec::sim {

/// The barrier of one cluster.
class ClusterBarrier {
public:
  /// `releases`: .release, the default; .relaxed publishes only what a fence before it does.
  void arrive(Execution &x, const Operation &op, LaneMask lanes, bool releases);
  /// The lanes whose phase is complete; those go on. Reports a wait without an arrival. `acquires`: .acquire.
  LaneMask wait(Execution &x, const Operation &op, LaneMask lanes, bool acquires);

  /// \name For reports
  /// @{
  /// "cluster barrier: 192 of 256 threads have arrived".
  std::string text(const Cluster &cluster) const;
  /// Whether all living lanes of the warp have arrived in the present phase.
  bool hasArrived(const Block &block, unsigned warp) const;
  /// @}

private:
  struct WarpState {
    /// Arrived in this phase; of a completed one and not yet waited.
    LaneMask arrived = 0, done = 0;
  };
  WarpState &of(Execution &x);
  void completeIfFull(Execution &x);

  /// By block rank, then warp.
  std::vector<std::vector<WarpState>> warps;
  BarrierOrder collecting, complete;
  uint64_t phase = 0;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_CLUSTERBARRIER_H

/// How the scheduler makes the blocks of a launch.
#ifndef TILEC_LIB_SIMULATOR_CORE_START_H
#define TILEC_LIB_SIMULATOR_CORE_START_H

#include "lib/Simulator/Core/Machine.h"

namespace tilec::sim {

/// The cluster with that number (x fastest), its warps at the kernel's first operation.
std::unique_ptr<Cluster> startCluster(Grid &grid, uint64_t number, Counters &counters);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_START_H

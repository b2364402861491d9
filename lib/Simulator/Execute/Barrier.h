/// Barrier instructions beside `bar` and `barrier`: their binders, for Barrier.cpp's table.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_BARRIER_H
#define TILEC_LIB_SIMULATOR_EXECUTE_BARRIER_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Core/Execution.h"

namespace tilec::sim {

/// \name Fence.cpp
/// @{
bool bindFence(Binder &b);
bool bindMembar(Binder &b);
bool bindGridDependencyControl(Binder &b);
/// @}

/// RegisterBudget.cpp: setmaxnreg.
bool bindSetMaxRegisters(Binder &b);

/// ClusterBarrier.cpp: barrier.cluster.
bool bindClusterBarrier(Binder &b);

/// Whether an instruction that all threads of a warp must execute together can go on. If lanes of the warp that have
/// not exited are elsewhere, they get the chance to come here (false: the outcome is Blocked); where none of them can,
/// the divergence is reported and the lanes that are here go on by themselves.
bool warpIsTogether(Execution &x, const Operation &op, LaneMask active);

/// Whether the operation is one that needs warpIsTogether.
bool isAlignedBarrier(const Operation &op);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_BARRIER_H

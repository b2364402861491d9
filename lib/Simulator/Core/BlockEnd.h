/// What must be over when a block ends, since its shared memory is gone then: accesses of the cluster's other blocks
/// (CUDA programming guide, "Distributed Shared Memory"), and what bulk copies read from it (PTX ISA,
/// "cp.async.bulk.wait_group": `.read`).
///
/// An access to the shared memory of a block that has ended is found where it happens. One that happened in time by
/// chance is found when the block ends: its end must be ordered after the access.
#ifndef TILEC_LIB_SIMULATOR_CORE_BLOCKEND_H
#define TILEC_LIB_SIMULATOR_CORE_BLOCKEND_H

#include "lib/Simulator/Core/Execution.h"

namespace tilec::sim {

/// Notes an access of the executing warp to shared memory, if it is another block's.
void notePeerAccess(Execution &x, const Operation &op, unsigned lane, const Region &region, AccessKind kind);

/// Notes that an asynchronous copy, issued now, will read the executing block's shared memory.
void noteUnitRead(Execution &x, const Operation &op, unsigned lane, Stamp chain);

/// Called when the last threads of the executing block end at `op`: reports what need not have happened yet.
void checkBlockEnd(Execution &x, const Operation &op, unsigned lane);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_BLOCKEND_H

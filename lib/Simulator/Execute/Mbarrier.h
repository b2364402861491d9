/// What asynchronous units do to mbarrier objects (PTX ISA, "mbarrier", "complete-tx operation", "arrive-on
/// operation"). All of these report misuse (an object that is not initialised, was overwritten, overflows) as the
/// instructions do.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MBARRIER_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MBARRIER_H

#include "lib/Simulator/Core/Execution.h"

namespace tilec::sim {

/// The chain and clock under which an operation that completes at this mbarrier and is issued now stamps its accesses:
/// whoever waits for the object's present phase has seen them.
Stamp mbarrierChain(Execution &x, Place place);

/// Complete-tx: `bytes` of transactions are done. `released` (may be null): what else whoever waits is to see.
void completeTransaction(Execution &x, const Operation &op, Place place, uint32_t bytes, const Order *released);

/// cp.async.mbarrier.arrive without .noinc, at issue: one more arrival is expected in this phase.
void asyncArriveExpected(Execution &x, const Operation &op, unsigned lane, Place place);
/// cp.async.mbarrier.arrive, when the copies before it are done: arrive-on with count 1. `released`: the order that
/// includes those copies.
void asyncArrive(Execution &x, const Operation &op, unsigned lane, Place place, const Order *released);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MBARRIER_H

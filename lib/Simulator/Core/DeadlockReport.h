/// The report of a deadlock: who waits, at which line, for what, in which phase, and who is missing where.
#ifndef TILEC_LIB_SIMULATOR_CORE_DEADLOCKREPORT_H
#define TILEC_LIB_SIMULATOR_CORE_DEADLOCKREPORT_H

#include "lib/Simulator/Core/Machine.h"

namespace tilec::sim {

/// Reports one finding for a cluster in which nothing can go on, at the first waiting thread's instruction, with a note
/// for each thing that is waited for; ends the run.
void reportDeadlock(Cluster &cluster);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_DEADLOCKREPORT_H

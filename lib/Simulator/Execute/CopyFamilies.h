/// The parts of opcode "cp".
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_COPYFAMILIES_H
#define TILEC_LIB_SIMULATOR_EXECUTE_COPYFAMILIES_H

#include "lib/Simulator/Core/Instructions.h"

namespace tilec::sim {

/// cp.async.bulk… and cp.reduce.async.bulk…, with their groups and tensor forms: BulkCopy.cpp.
bool bindBulkCopy(Binder &b);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_COPYFAMILIES_H

/// What branches and calls share.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_CONTROL_H
#define TILEC_LIB_SIMULATOR_EXECUTE_CONTROL_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Core/Machine.h"

namespace tilec::sim {

/// After divert(): lanes of the operation at `pc` that did not go with the others try it again. Their split, which
/// stands one operation on, may hold lanes that the guard keeps out: it will do so again.
void tryAgain(Warp &warp, uint32_t pc, LaneMask lanes);

/// PTX ISA, "call", "ret". Call.cpp.
bool bindCall(Binder &b);
bool bindReturn(Binder &b);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_CONTROL_H

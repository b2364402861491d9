/// What the asynchronous units know of a warp: the groups that its threads committed their operations to.
#ifndef TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H
#define TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H

#include "lib/Simulator/Core/BulkGroups.h"

namespace tilec::sim {

struct WarpAsync {
  BulkGroups bulk;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_WARPASYNC_H

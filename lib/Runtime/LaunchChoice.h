/// The choices behind a launch, apart from checking and launching.
#ifndef TILEC_LIB_RUNTIME_LAUNCHCHOICE_H
#define TILEC_LIB_RUNTIME_LAUNCHCHOICE_H

#include "lib/Runtime/Launch.h"

namespace tilec {

/// Chooses configuration, image and variant and computes grid and workspace for arguments that checkArguments has
/// accepted. `passedOver` is filled only if `explain` is set, since launches must be quick.
Result<LaunchPlan> chooseLaunch(const KernelTable &kernel, Arguments arguments, const DeviceProperties &device,
                                bool explain);

/// "12.8" for 12080.
std::string cudaVersionText(int driverVersion);

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_LAUNCHCHOICE_H

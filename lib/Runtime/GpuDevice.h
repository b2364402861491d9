/// GPUs behind the Device interface, one Device per driver context.
#ifndef TILEC_LIB_RUNTIME_GPUDEVICE_H
#define TILEC_LIB_RUNTIME_GPUDEVICE_H

#include "lib/Runtime/Device.h"

namespace tilec {

/// See Device::gpu.
Result<Device *> gpuDevice(int ordinal);

/// See Device::current.
Result<Device *> currentGpuDevice(Stream stream);

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_GPUDEVICE_H

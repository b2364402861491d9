/// The CUDA driver, found at run time. Programs link nothing of CUDA: the few functions that the runtime needs are
/// declared here and looked up in libcuda when the first device is asked for. Signatures follow the CUDA driver API
/// reference; handles are opaque pointers, enumerations are ints.
#ifndef TILEC_LIB_RUNTIME_DRIVER_H
#define TILEC_LIB_RUNTIME_DRIVER_H

#include "lib/Runtime/Status.h"

#include <cstddef>
#include <cstdint>

namespace tilec::driver {

using Error = int;
using DeviceId = int;
using Address = unsigned long long;

/// Error numbers that the runtime reacts to (CUresult).
enum : Error {
  success = 0,
  outOfMemory = 2,
  noDevice = 100,
  noBinaryForGpu = 209,
  invalidPtx = 218,
  unsupportedPtxVersion = 222,
  jitCompilerNotFound = 221,
  streamCaptureUnsupported = 900,
  streamCaptureImplicit = 906,
};

/// Device attributes (CUdevice_attribute).
enum : int { multiprocessorCount = 16, computeCapabilityMajor = 75, computeCapabilityMinor = 76, maxSharedOptIn = 97 };

/// Function attributes (CUfunction_attribute).
enum : int { maxDynamicSharedBytes = 8 };

/// Options of the just-in-time compiler (CUjit_option).
enum : int { jitErrorLogBuffer = 5, jitErrorLogBufferSize = 6 };

/// Modes of stream capture (CUstreamCaptureMode).
enum : int { captureRelaxed = 2 };

/// Launch attributes (CUlaunchAttributeID).
enum : int { attributeClusterDimension = 4, attributeProgrammaticSerialization = 6 };

/// CUlaunchAttribute: an id, padding to 8 bytes, a union of 64 bytes.
struct LaunchAttribute {
  int id;
  int padding;
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } clusterDimension;
    int programmaticSerialization;
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72, "layout of CUlaunchAttribute");

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// The driver's entry points. Those marked optional are null in drivers that lack them.
struct Functions {
  Error (*cuInit)(unsigned flags);
  Error (*cuDriverGetVersion)(int *version);
  Error (*cuGetErrorName)(Error error, const char **name);
  Error (*cuGetErrorString)(Error error, const char **text);
  Error (*cuDeviceGet)(DeviceId *device, int ordinal);
  Error (*cuDeviceGetCount)(int *count);
  Error (*cuDeviceGetName)(char *name, int length, DeviceId device);
  Error (*cuDeviceGetAttribute)(int *value, int attribute, DeviceId device);
  Error (*cuDevicePrimaryCtxRetain)(void **context, DeviceId device);
  Error (*cuCtxGetCurrent)(void **context);
  Error (*cuCtxSetCurrent)(void *context);
  Error (*cuCtxGetDevice)(DeviceId *device);
  Error (*cuCtxGetId)(void *context, unsigned long long *id); ///< Optional, CUDA 12.0.
  Error (*cuModuleLoadDataEx)(void **module, const void *image, unsigned count, int *options, void **values);
  Error (*cuModuleUnload)(void *module);
  Error (*cuModuleGetFunction)(void **function, void *module, const char *name);
  Error (*cuFuncSetAttribute)(void *function, int attribute, int value);
  Error (*cuLaunchKernel)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                          unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream, void **parameters,
                          void **extra);
  Error (*cuLaunchKernelEx)(const LaunchConfig *config, void *function, void **parameters,
                            void **extra); ///< Optional, CUDA 11.8.
  Error (*cuMemAlloc)(Address *address, size_t bytes);
  Error (*cuMemFree)(Address address);
  Error (*cuMemcpyHtoDAsync)(Address device, const void *host, size_t bytes, void *stream);
  Error (*cuMemcpyDtoHAsync)(void *host, Address device, size_t bytes, void *stream);
  Error (*cuMemsetD8Async)(Address device, unsigned char value, size_t count, void *stream);
  Error (*cuStreamSynchronize)(void *stream);
  Error (*cuStreamIsCapturing)(void *stream, int *status);
  Error (*cuStreamGetCtx)(void *stream, void **context);
  Error (*cuThreadExchangeStreamCaptureMode)(int *mode);
  Error (*cuEventCreate)(void **event, unsigned flags);
  Error (*cuEventDestroy)(void *event);
  Error (*cuEventRecord)(void *event, void *stream);
  Error (*cuEventSynchronize)(void *event);
  Error (*cuEventElapsedTime)(float *milliseconds, void *begin, void *end);
};

/// The driver's functions, loaded and initialised on the first call: from $TILEC_CUDA_DRIVER if that is set, else
/// libcuda.so.1 by the system's search order. Failure is remembered. Thread-safe.
Result<const Functions *> get();

/// Loads the driver from another file, which must come before anything else uses it. For tests.
Status load(const char *path);

/// Success, or the status that names the call and the driver's own words for the error.
Status check(const Functions &functions, Error error, const char *call);

} // namespace tilec::driver

#endif // TILEC_LIB_RUNTIME_DRIVER_H

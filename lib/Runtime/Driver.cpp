#include "lib/Runtime/Driver.h"

#include <cstdlib>
#include <mutex>

#include <dlfcn.h>

using namespace tilec;
using namespace tilec::driver;

namespace {
/// The loaded driver. Never destroyed, since other static objects may launch until the very end.
struct Loaded {
  std::mutex mutex;
  bool tried = false;
  Functions functions = {};
  Status status;
};
} // namespace

static Loaded &loaded() {
  static auto *instance = new Loaded;
  return *instance;
}

template <typename Pointer> static bool lookUp(void *library, const char *symbol, Pointer &pointer) {
  pointer = reinterpret_cast<Pointer>(dlsym(library, symbol));
  return pointer != nullptr;
}

/// Fills the table; returns the first required symbol that is missing, or null. The symbols with a version suffix are
/// what cuda.h maps the plain names to.
static const char *fill(void *library, Functions &f) {
  const char *missing = nullptr;
  auto require = [&](const char *symbol, auto &pointer) {
    if (!lookUp(library, symbol, pointer) && !missing)
      missing = symbol;
  };
  require("cuInit", f.cuInit);
  require("cuDriverGetVersion", f.cuDriverGetVersion);
  require("cuGetErrorName", f.cuGetErrorName);
  require("cuGetErrorString", f.cuGetErrorString);
  require("cuDeviceGet", f.cuDeviceGet);
  require("cuDeviceGetCount", f.cuDeviceGetCount);
  require("cuDeviceGetName", f.cuDeviceGetName);
  require("cuDeviceGetAttribute", f.cuDeviceGetAttribute);
  require("cuDevicePrimaryCtxRetain", f.cuDevicePrimaryCtxRetain);
  require("cuCtxGetCurrent", f.cuCtxGetCurrent);
  require("cuCtxSetCurrent", f.cuCtxSetCurrent);
  require("cuCtxGetDevice", f.cuCtxGetDevice);
  require("cuModuleLoadDataEx", f.cuModuleLoadDataEx);
  require("cuModuleUnload", f.cuModuleUnload);
  require("cuModuleGetFunction", f.cuModuleGetFunction);
  require("cuFuncSetAttribute", f.cuFuncSetAttribute);
  require("cuLaunchKernel", f.cuLaunchKernel);
  require("cuMemAlloc_v2", f.cuMemAlloc);
  require("cuMemFree_v2", f.cuMemFree);
  require("cuMemcpyHtoDAsync_v2", f.cuMemcpyHtoDAsync);
  require("cuMemcpyDtoHAsync_v2", f.cuMemcpyDtoHAsync);
  require("cuMemsetD8Async", f.cuMemsetD8Async);
  require("cuStreamSynchronize", f.cuStreamSynchronize);
  require("cuStreamIsCapturing", f.cuStreamIsCapturing);
  require("cuStreamGetCtx", f.cuStreamGetCtx);
  require("cuThreadExchangeStreamCaptureMode", f.cuThreadExchangeStreamCaptureMode);
  require("cuEventCreate", f.cuEventCreate);
  require("cuEventDestroy_v2", f.cuEventDestroy);
  require("cuEventRecord", f.cuEventRecord);
  require("cuEventSynchronize", f.cuEventSynchronize);
  require("cuEventElapsedTime", f.cuEventElapsedTime);
  lookUp(library, "cuCtxGetId", f.cuCtxGetId);
  lookUp(library, "cuLaunchKernelEx", f.cuLaunchKernelEx);
  return missing;
}

static Status open(const char *path, Functions &functions) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return {StatusCode::NoDevice, std::string("no CUDA driver: ") + (reason ? reason : path)};
  }
  if (const char *missing = fill(library, functions))
    return {StatusCode::DriverTooOld, std::string("the CUDA driver '") + path + "' lacks " + missing};
  Error error = functions.cuInit(0);
  if (error == noDevice)
    return {StatusCode::NoDevice, "the CUDA driver found no GPU"};
  return check(functions, error, "cuInit");
}

static Status openDefault(Functions &functions) {
  if (const char *path = std::getenv("TILEC_CUDA_DRIVER"); path && *path)
    return open(path, functions);
  return open("libcuda.so.1", functions);
}

Result<const Functions *> driver::get() {
  Loaded &state = loaded();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.tried) {
    state.tried = true;
    state.status = openDefault(state.functions);
  }
  if (!state.status.ok())
    return state.status;
  return &state.functions;
}

Status driver::load(const char *path) {
  Loaded &state = loaded();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (state.tried && state.status.ok())
    return {StatusCode::DriverError, "the CUDA driver is loaded already"};
  state.tried = true;
  state.status = open(path, state.functions);
  return state.status;
}

Status driver::check(const Functions &functions, Error error, const char *call) {
  if (error == success)
    return {};
  const char *name = nullptr;
  const char *text = nullptr;
  functions.cuGetErrorName(error, &name);
  functions.cuGetErrorString(error, &text);
  std::string message =
      std::string(call) + " failed: " + (name ? name : "unknown error") + " (" + std::to_string(error) + ")";
  if (text)
    message += std::string(": ") + text;
  StatusCode code = StatusCode::DriverError;
  if (error == outOfMemory)
    code = StatusCode::OutOfMemory;
  else if (error == noDevice)
    code = StatusCode::NoDevice;
  else if (error == unsupportedPtxVersion)
    code = StatusCode::DriverTooOld;
  else if (error == streamCaptureUnsupported || error == streamCaptureImplicit)
    code = StatusCode::Capturing;
  return {code, std::move(message)};
}

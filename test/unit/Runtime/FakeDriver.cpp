#include "test/unit/Runtime/FakeDriver.h"

#include "lib/Runtime/Driver.h"

#include <cstdlib>
#include <cstring>
#include <memory>

namespace {
struct Context {
  unsigned long long id;
};
struct Module {
  std::string code;
};
struct Function {
  std::string symbol;
  std::vector<unsigned> parameterSizes;
};
} // namespace

static thread_local void *currentContext = nullptr;

extern "C" fake::State *fakeState() {
  static auto *state = new fake::State;
  return state;
}

static int errorFor(const char *call) {
  fake::State &state = *fakeState();
  std::lock_guard<std::mutex> lock(state.mutex);
  auto found = state.errors.find(call);
  return found == state.errors.end() ? 0 : found->second;
}
#define FAIL_IF_ASKED()                                                                                                \
  if (int error = errorFor(__func__))                                                                                  \
  return error

static std::unique_ptr<Context> makeContext() {
  static unsigned long long next = 1;
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  return std::make_unique<Context>(Context{next++});
}

/// Sizes of the parameters of `.entry symbol(.param .u64 a, …)`.
static std::vector<unsigned> readParameters(const std::string &code, const std::string &symbol) {
  std::vector<unsigned> sizes;
  size_t begin = code.find(".entry " + symbol + "(");
  size_t end = code.find(')', begin);
  for (size_t at = code.find(".param .", begin); at < end; at = code.find(".param .", at + 1))
    sizes.push_back(static_cast<unsigned>(std::atoi(code.c_str() + at + std::strlen(".param .") + 1)) / 8);
  return sizes;
}

static int record(void *function, fake::Launch launch, void **parameters) {
  auto *entry = static_cast<Function *>(function);
  launch.symbol = entry->symbol;
  launch.context = currentContext;
  for (size_t i = 0; i < entry->parameterSizes.size(); ++i) {
    auto *bytes = static_cast<uint8_t *>(parameters[i]);
    launch.parameters.emplace_back(bytes, bytes + entry->parameterSizes[i]);
  }
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  fakeState()->launches.push_back(std::move(launch));
  return 0;
}

extern "C" {
void *fakeNewContext() { return currentContext = makeContext().release(); }
void fakeSetContext(void *context) { currentContext = context; }
void *fakeGetContext() { return currentContext; }

int cuInit(unsigned) {
  FAIL_IF_ASKED();
  return 0;
}
int cuDriverGetVersion(int *version) {
  *version = fakeState()->version;
  return 0;
}
int cuGetErrorName(int error, const char **name) {
  *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 222 ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
                         : "CUDA_ERROR_FAKE";
  return 0;
}
int cuGetErrorString(int, const char **text) {
  *text = "as the test asked";
  return 0;
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = fakeState()->deviceCount;
  return 0;
}
int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(length));
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  const fake::State &state = *fakeState();
  *value = attribute == 16 ? 108 : attribute == 75 ? state.sm / 10 : attribute == 76 ? state.sm % 10 : state.maxShared;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  static void *primary[8] = {};
  if (!primary[device])
    primary[device] = makeContext().release();
  *context = primary[device];
  return 0;
}
int cuCtxGetCurrent(void **context) {
  *context = currentContext;
  return 0;
}
int cuCtxSetCurrent(void *context) {
  currentContext = context;
  return 0;
}
int cuCtxGetDevice(int *device) {
  *device = 0;
  return currentContext ? 0 : 201;
}
int cuCtxGetId(void *context, unsigned long long *id) {
  *id = static_cast<Context *>(context)->id;
  return 0;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  fake::State &state = *fakeState();
  if (int error = errorFor(__func__)) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]), state.jitLog.c_str());
    return error;
  }
  std::string code = static_cast<const char *>(image);
  *module = new Module{code};
  std::lock_guard<std::mutex> lock(state.mutex);
  state.modules.push_back(code);
  return 0;
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  const std::string &code = static_cast<Module *>(module)->code;
  if (code.find(std::string(".entry ") + name + "(") == std::string::npos)
    return 500;
  *function = new Function{name, readParameters(code, name)};
  return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  FAIL_IF_ASKED();
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  if (attribute == 8)
    fakeState()->optedIn[static_cast<Function *>(function)->symbol] = value;
  return 0;
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned,
                   unsigned shared, void *stream, void **parameters, void **) {
  FAIL_IF_ASKED();
  fake::Launch launch;
  launch.blocks = gridX;
  launch.threads = blockX;
  launch.sharedBytes = shared;
  launch.stream = stream;
  return record(function, launch, parameters);
}
int cuLaunchKernelEx(const tilec::driver::LaunchConfig *config, void *function, void **parameters, void **) {
  FAIL_IF_ASKED();
  fake::Launch launch;
  launch.blocks = config->gridX;
  launch.threads = config->blockX;
  launch.sharedBytes = config->sharedBytes;
  launch.stream = config->stream;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    if (config->attributes[i].id == 4)
      launch.cluster = config->attributes[i].value.clusterDimension.x;
    if (config->attributes[i].id == 6)
      launch.programmatic = config->attributes[i].value.programmaticSerialization == 1;
  }
  return record(function, launch, parameters);
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  FAIL_IF_ASKED();
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  fakeState()->memory[memory] = bytes;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  auto *memory = reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  if (!fakeState()->memory.erase(memory))
    return 1;
  std::free(memory);
  return 0;
}
int cuMemcpyHtoDAsync_v2(unsigned long long device, const void *host, size_t bytes, void *) {
  std::memcpy(reinterpret_cast<void *>(static_cast<uintptr_t>(device)), host, bytes);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void *host, unsigned long long device, size_t bytes, void *) {
  std::memcpy(host, reinterpret_cast<void *>(static_cast<uintptr_t>(device)), bytes);
  return 0;
}
int cuMemsetD8Async(unsigned long long device, unsigned char value, size_t count, void *) {
  std::memset(reinterpret_cast<void *>(static_cast<uintptr_t>(device)), value, count);
  return 0;
}
int cuStreamSynchronize(void *) {
  FAIL_IF_ASKED();
  return 0;
}
int cuStreamIsCapturing(void *stream, int *status) {
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  *status = static_cast<int>(fakeState()->capturing.count(stream));
  return 0;
}
/// A stream of this driver is the address of its context.
int cuStreamGetCtx(void *stream, void **context) {
  *context = *static_cast<void **>(stream);
  return 0;
}
int cuThreadExchangeStreamCaptureMode(int *mode) {
  static thread_local int current = 0;
  std::swap(current, *mode);
  std::lock_guard<std::mutex> lock(fakeState()->mutex);
  fakeState()->captureModes.push_back(current);
  return 0;
}
int cuEventCreate(void **event, unsigned) {
  *event = new float(0);
  return 0;
}
int cuEventDestroy_v2(void *event) {
  delete static_cast<float *>(event);
  return 0;
}
/// Events are recorded at 1.5 ms intervals.
int cuEventRecord(void *event, void *) {
  static float now = 0;
  *static_cast<float *>(event) = now += 1.5f;
  return 0;
}
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  *milliseconds = *static_cast<float *>(end) - *static_cast<float *>(begin);
  return 0;
}
}

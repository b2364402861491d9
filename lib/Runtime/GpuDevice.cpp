/// Modules, functions and workspaces belong to a driver context, so there is one GpuDevice per context, found by the
/// context's id (its address may be used again after it is destroyed; the id may not). Every method makes its context
/// current for its duration, because threads may have none or another one.
#include "lib/Runtime/GpuDevice.h"

#include "lib/Runtime/Driver.h"

#include <map>
#include <memory>
#include <mutex>

using namespace tilec;
using driver::Address;
using driver::Error;
using driver::Functions;

/// Blocks may have this much dynamic shared memory without opting in (CUDA programming guide, compute capabilities).
static constexpr uint32_t defaultSharedBytes = 48 * 1024;

/// What the driver says of the last compilation; long logs are cut.
static constexpr size_t jitLogBytes = 4096;

namespace {
/// Makes a context current, and the former one again at the end.
class CurrentContext {
public:
  CurrentContext(const Functions &driver, void *context) : driver(driver) {
    error = driver.cuCtxGetCurrent(&former);
    if (error != driver::success || former == context)
      return;
    error = driver.cuCtxSetCurrent(context);
    changed = error == driver::success;
  }
  ~CurrentContext() {
    if (changed)
      driver.cuCtxSetCurrent(former);
  }
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

  Status status() const { return driver::check(driver, error, "cuCtxSetCurrent"); }

private:
  const Functions &driver;
  void *former = nullptr;
  Error error = driver::success;
  bool changed = false;
};

/// Lets the thread allocate and load modules while some stream is captured; these calls do not touch the capture.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Functions &driver) : driver(driver) { driver.cuThreadExchangeStreamCaptureMode(&mode); }
  ~RelaxedCapture() { driver.cuThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const Functions &driver;
  int mode = driver::captureRelaxed;
};

class GpuDevice : public Device {
public:
  GpuDevice(const Functions &driver, void *context, DeviceProperties facts)
      : driver(driver), context(context), facts(std::move(facts)) {}

  const DeviceProperties &properties() const override { return facts; }

  Result<void *> allocate(size_t bytes) override;
  Status free(void *memory) override;
  Status copyIn(void *device, const void *host, size_t bytes, Stream stream) override;
  Status copyOut(void *host, const void *device, size_t bytes, Stream stream) override;
  Status fill(void *device, uint8_t value, size_t bytes, Stream stream) override;
  Result<Function> load(const CodeImage &image, const char *symbol, uint32_t sharedBytes) override;
  Status launch(const LaunchRequest &request) override;
  Status synchronize(Stream stream) override;
  Result<bool> isCapturing(Stream stream) override;
  Result<Event> createEvent() override;
  Status destroyEvent(Event event) override;
  Status record(Event event, Stream stream) override;
  Result<float> elapsed(Event begin, Event end) override;
  Result<void *> workspace(Stream stream, size_t bytes) override;

private:
  struct Entry {
    void *function = nullptr;
    uint32_t sharedBytes = defaultSharedBytes;
  };
  struct Module {
    void *handle = nullptr;
    std::map<std::string, Entry, std::less<>> entries;
  };
  struct Scratch {
    void *memory = nullptr;
    size_t bytes = 0;
  };

  Status check(Error error, const char *call) const { return driver::check(driver, error, call); }
  Status loadModule(const CodeImage &image, Module &module);

  const Functions &driver;
  void *const context;
  const DeviceProperties facts;
  /// Guards the two maps. Held while an image is compiled, so that two threads do not compile it twice.
  std::mutex mutex;
  std::map<uint64_t, Module> modules;
  std::map<void *, Scratch> scratch;
};
} // namespace

static Address addressOf(const void *memory) { return reinterpret_cast<uintptr_t>(memory); }

Result<void *> GpuDevice::allocate(size_t bytes) {
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  Address address = 0;
  if (Status status = check(driver.cuMemAlloc(&address, bytes), "cuMemAlloc"); !status)
    return Status(status.code(), status.message() + " (asked for " + std::to_string(bytes) + " bytes)");
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

Status GpuDevice::free(void *memory) {
  if (!memory)
    return {};
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  return check(driver.cuMemFree(addressOf(memory)), "cuMemFree");
}

Status GpuDevice::copyIn(void *device, const void *host, size_t bytes, Stream stream) {
  if (bytes == 0)
    return {};
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  if (Status status = check(driver.cuMemcpyHtoDAsync(addressOf(device), host, bytes, stream.handle), "cuMemcpyHtoD");
      !status)
    return status;
  return check(driver.cuStreamSynchronize(stream.handle), "cuStreamSynchronize");
}

Status GpuDevice::copyOut(void *host, const void *device, size_t bytes, Stream stream) {
  if (bytes == 0)
    return {};
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  if (Status status = check(driver.cuMemcpyDtoHAsync(host, addressOf(device), bytes, stream.handle), "cuMemcpyDtoH");
      !status)
    return status;
  return check(driver.cuStreamSynchronize(stream.handle), "cuStreamSynchronize");
}

Status GpuDevice::fill(void *device, uint8_t value, size_t bytes, Stream stream) {
  if (bytes == 0)
    return {};
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  return check(driver.cuMemsetD8Async(addressOf(device), value, bytes, stream.handle), "cuMemsetD8");
}

Status GpuDevice::loadModule(const CodeImage &image, Module &module) {
  RelaxedCapture relaxed(driver);
  std::string log(jitLogBytes, '\0');
  int options[] = {driver::jitErrorLogBuffer, driver::jitErrorLogBufferSize};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  std::string code = image.join();
  Error error = driver.cuModuleLoadDataEx(&module.handle, code.c_str(), 2, options, values);
  Status status = check(error, "cuModuleLoadDataEx");
  if (status.ok())
    return status;
  log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
  return {status.code(), log.empty() ? status.message() : status.message() + "; the driver's compiler says: " + log};
}

Result<Function> GpuDevice::load(const CodeImage &image, const char *symbol, uint32_t sharedBytes) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  std::lock_guard<std::mutex> lock(mutex);
  Module &module = modules[image.identity];
  if (!module.handle)
    if (Status status = loadModule(image, module); !status)
      return status;
  auto found = module.entries.find(std::string_view(symbol));
  if (found == module.entries.end()) {
    RelaxedCapture relaxed(driver);
    Entry entry;
    Status status = check(driver.cuModuleGetFunction(&entry.function, module.handle, symbol), "cuModuleGetFunction");
    if (!status)
      return Status(status.code(), status.message() + " (entry '" + symbol + "')");
    found = module.entries.emplace(symbol, entry).first;
  }
  Entry &entry = found->second;
  if (sharedBytes > entry.sharedBytes) {
    Error error =
        driver.cuFuncSetAttribute(entry.function, driver::maxDynamicSharedBytes, static_cast<int>(sharedBytes));
    if (Status status = check(error, "cuFuncSetAttribute"); !status)
      return Status(status.code(), status.message() + " (" + std::to_string(sharedBytes) +
                                       " bytes of dynamic shared memory for entry '" + symbol + "')");
    entry.sharedBytes = sharedBytes;
  }
  return Function{entry.function};
}

Status GpuDevice::launch(const LaunchRequest &request) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  auto *parameters = const_cast<void **>(request.parameters);
  bool plain = request.cluster.count() <= 1 && !request.programmatic;
  if (plain && !driver.cuLaunchKernelEx)
    return check(driver.cuLaunchKernel(request.function.handle, request.blocks.x, request.blocks.y, request.blocks.z,
                                       request.threads.x, request.threads.y, request.threads.z, request.sharedBytes, request.stream.handle, parameters, nullptr),
                 "cuLaunchKernel");
  if (!driver.cuLaunchKernelEx)
    return {StatusCode::DriverTooOld, "clusters and programmatic launches need a driver for CUDA 11.8 or later"};

  driver::LaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (request.cluster.count() > 1) {
    attributes[count].id = driver::attributeClusterDimension;
    attributes[count++].value.clusterDimension = {request.cluster.x, request.cluster.y, request.cluster.z};
  }
  if (request.programmatic) {
    attributes[count].id = driver::attributeProgrammaticSerialization;
    attributes[count++].value.programmaticSerialization = 1;
  }
  driver::LaunchConfig config = {request.blocks.x,
                                 request.blocks.y,
                                 request.blocks.z,
                                 request.threads.x,
                                 request.threads.y,
                                 request.threads.z,
                                 request.sharedBytes,
                                 request.stream.handle,
                                 count ? attributes : nullptr,
                                 count};
  return check(driver.cuLaunchKernelEx(&config, request.function.handle, parameters, nullptr), "cuLaunchKernelEx");
}

Status GpuDevice::synchronize(Stream stream) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  return check(driver.cuStreamSynchronize(stream.handle), "cuStreamSynchronize");
}

Result<bool> GpuDevice::isCapturing(Stream stream) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  int state = 0;
  Error error = driver.cuStreamIsCapturing(stream.handle, &state);
  // The default stream cannot be captured, but asking about it fails while another stream is.
  if (error == driver::streamCaptureImplicit)
    return true;
  if (Status status = check(error, "cuStreamIsCapturing"); !status)
    return status;
  return state != 0;
}

Result<Event> GpuDevice::createEvent() {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  Event event;
  if (Status status = check(driver.cuEventCreate(&event.handle, 0), "cuEventCreate"); !status)
    return status;
  return event;
}

Status GpuDevice::destroyEvent(Event event) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  return check(driver.cuEventDestroy(event.handle), "cuEventDestroy");
}

Status GpuDevice::record(Event event, Stream stream) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  return check(driver.cuEventRecord(event.handle, stream.handle), "cuEventRecord");
}

Result<float> GpuDevice::elapsed(Event begin, Event end) {
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  if (Status status = check(driver.cuEventSynchronize(end.handle), "cuEventSynchronize"); !status)
    return status;
  float milliseconds = 0;
  if (Status status = check(driver.cuEventElapsedTime(&milliseconds, begin.handle, end.handle), "cuEventElapsedTime");
      !status)
    return status;
  return milliseconds;
}

Result<void *> GpuDevice::workspace(Stream stream, size_t bytes) {
  Result<bool> capturing = isCapturing(stream);
  if (!capturing)
    return capturing.status();
  if (*capturing)
    return Status(StatusCode::Capturing, "the stream is being captured into a graph, which must not hold a workspace "
                                         "that the runtime may replace; pass a zeroed workspace of " +
                                             std::to_string(bytes) + " bytes to launch(stream, workspace, ...)");
  std::lock_guard<std::mutex> lock(mutex);
  Scratch &block = scratch[stream.handle];
  if (block.bytes >= bytes)
    return block.memory;
  CurrentContext current(driver, context);
  if (Status status = current.status(); !status)
    return status;
  RelaxedCapture relaxed(driver);
  Result<void *> grown = allocate(bytes);
  if (!grown)
    return grown;
  Status status = fill(*grown, 0, bytes, stream);
  // Work queued before may still use the old block.
  if (status.ok() && block.memory)
    status = synchronize(stream);
  if (!status) {
    (void)free(*grown);
    return status;
  }
  (void)free(block.memory);
  block = {*grown, bytes};
  return block.memory;
}

namespace {
/// All devices made so far. Never destroyed, as kernels may be launched by other static objects' destructors.
struct Registry {
  std::mutex mutex;
  std::map<unsigned long long, std::unique_ptr<GpuDevice>> byContext;
  std::map<int, void *> primaryContexts;
};
} // namespace

static Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}

static Result<DeviceProperties> askProperties(const Functions &driver, driver::DeviceId id) {
  DeviceProperties facts;
  char name[256] = {};
  int major = 0, minor = 0, shared = 0;
  Status status = driver::check(driver, driver.cuDeviceGetName(name, sizeof name - 1, id), "cuDeviceGetName");
  auto ask = [&](int attribute, int &value) {
    if (status.ok())
      status = driver::check(driver, driver.cuDeviceGetAttribute(&value, attribute, id), "cuDeviceGetAttribute");
  };
  ask(driver::computeCapabilityMajor, major);
  ask(driver::computeCapabilityMinor, minor);
  ask(driver::multiprocessorCount, facts.multiprocessors);
  ask(driver::maxSharedOptIn, shared);
  if (status.ok())
    status = driver::check(driver, driver.cuDriverGetVersion(&facts.driverVersion), "cuDriverGetVersion");
  if (!status)
    return status;
  facts.name = name;
  facts.sm = major * 10 + minor;
  facts.maxSharedBytes = shared;
  return facts;
}

/// The device of a context, made on first sight. The context must be current.
static Result<Device *> deviceOfContext(const Functions &driver, void *context) {
  unsigned long long id = addressOf(context);
  if (driver.cuCtxGetId)
    if (Status status = driver::check(driver, driver.cuCtxGetId(context, &id), "cuCtxGetId"); !status)
      return status;
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  std::unique_ptr<GpuDevice> &device = known.byContext[id];
  if (!device) {
    driver::DeviceId deviceId = 0;
    if (Status status = driver::check(driver, driver.cuCtxGetDevice(&deviceId), "cuCtxGetDevice"); !status)
      return status;
    Result<DeviceProperties> facts = askProperties(driver, deviceId);
    if (!facts)
      return facts.status();
    device = std::make_unique<GpuDevice>(driver, context, std::move(*facts));
  }
  return static_cast<Device *>(device.get());
}

/// The primary context of a GPU, retained once per program.
static Result<void *> primaryContext(const Functions &driver, int ordinal) {
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  if (auto found = known.primaryContexts.find(ordinal); found != known.primaryContexts.end())
    return found->second;
  int count = 0;
  if (Status status = driver::check(driver, driver.cuDeviceGetCount(&count), "cuDeviceGetCount"); !status)
    return status;
  if (ordinal < 0 || ordinal >= count)
    return Status(StatusCode::NoDevice, "no GPU with number " + std::to_string(ordinal) + ": the driver reports " +
                                            std::to_string(count) + (count == 1 ? " GPU" : " GPUs"));
  driver::DeviceId id = 0;
  if (Status status = driver::check(driver, driver.cuDeviceGet(&id, ordinal), "cuDeviceGet"); !status)
    return status;
  void *context = nullptr;
  Error error = driver.cuDevicePrimaryCtxRetain(&context, id);
  if (Status status = driver::check(driver, error, "cuDevicePrimaryCtxRetain"); !status)
    return status;
  known.primaryContexts[ordinal] = context;
  return context;
}

Result<Device *> tilec::gpuDevice(int ordinal) {
  Result<const Functions *> driver = driver::get();
  if (!driver)
    return driver.status();
  Result<void *> context = primaryContext(**driver, ordinal);
  if (!context)
    return context.status();
  CurrentContext current(**driver, *context);
  if (Status status = current.status(); !status)
    return status;
  return deviceOfContext(**driver, *context);
}

Result<Device *> tilec::currentGpuDevice(Stream stream) {
  Result<const Functions *> found = driver::get();
  if (!found)
    return found.status();
  const Functions &driver = **found;
  void *context = nullptr;
  if (Status status = driver::check(driver, driver.cuCtxGetCurrent(&context), "cuCtxGetCurrent"); !status)
    return status;
  if (!context) {
    if (stream.handle) {
      Error error = driver.cuStreamGetCtx(stream.handle, &context);
      if (Status status = driver::check(driver, error, "cuStreamGetCtx"); !status)
        return status;
    } else {
      Result<void *> primary = primaryContext(driver, 0);
      if (!primary)
        return primary.status();
      context = *primary;
    }
    if (Status status = driver::check(driver, driver.cuCtxSetCurrent(context), "cuCtxSetCurrent"); !status)
      return status;
  }
  return deviceOfContext(driver, context);
}

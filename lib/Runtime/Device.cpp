#include "lib/Runtime/Device.h"

#include "lib/Runtime/GpuDevice.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

using namespace tilec;

/// FNV-1a, 64 bits.
static uint64_t hashBytes(const char *bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3u;
  return hash;
}

CodeImage CodeImage::ofPtx(const char *const *text) {
  CodeImage image;
  image.pieces = text;
  image.pieceCount = 1;
  image.size = std::strlen(*text);
  image.identity = hashBytes(*text, image.size);
  return image;
}

static std::atomic<Device::Factory> simulatorFactory{nullptr};

void Device::registerSimulator(Factory factory) { simulatorFactory.store(factory); }

/// What the user asks for by the environment, or null.
static const char *forcedTarget() {
  const char *value = std::getenv("TILEC_SIMULATE");
  return value && *value ? value : nullptr;
}

Result<Device *> Device::simulated(const char *target) {
  if (Factory factory = simulatorFactory.load())
    return factory(target ? target : forcedTarget());
  return Status(StatusCode::NoDevice, "no simulated device is linked into this program");
}

Result<Device *> Device::gpu(int ordinal) { return gpuDevice(ordinal); }

/// The GPU that `find` finds; the simulated device where it is asked for, or there is no GPU and one is linked in.
template <typename Find> static Result<Device *> gpuOrSimulated(Find find) {
  if (forcedTarget())
    return Device::simulated();
  Result<Device *> found = find();
  if (found || found.code() != StatusCode::NoDevice || !simulatorFactory.load())
    return found;
  return Device::simulated();
}

Result<Device *> Device::current(Stream stream) {
  if (stream.handle)
    return currentGpuDevice(stream);
  return gpuOrSimulated([] { return currentGpuDevice({}); });
}

Result<Device *> Device::any() {
  return gpuOrSimulated([] { return gpu(0); });
}

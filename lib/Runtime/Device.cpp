#include "lib/Runtime/Device.h"

#include "lib/Runtime/GpuDevice.h"

#include <atomic>
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

Result<Device *> Device::simulator() {
  if (Factory factory = simulatorFactory.load())
    return factory();
  return Status(StatusCode::NoDevice, "no simulated device is linked into this program");
}

Result<Device *> Device::gpu(int ordinal) { return gpuDevice(ordinal); }

Result<Device *> Device::current(Stream stream) { return currentGpuDevice(stream); }

Result<Device *> Device::any() {
  Result<Device *> found = gpu(0);
  if (found || !simulatorFactory.load())
    return found;
  return simulator();
}

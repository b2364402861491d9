// Adds vectors of several lengths on the device and compares with the host. Every buffer stands between guard bytes,
// and the output starts as NaN, so that a wrong or missing store cannot hide.
#include "kernel.h"
#include "lib/Runtime/GuardedMemory.h"

#include <cstdio>
#include <random>

using tilec::Device;
using tilec::GuardedMemory;
using tilec::Result;
using tilec::Status;

/// Launches on `count` elements, `offset` elements away from an aligned address. An empty status is right.
static Status check(Device &device, int64_t count, size_t offset) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::normal_distribution<float> normal;
  std::vector<float> a(static_cast<size_t>(count)), b(a);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = normal(random);
    b[i] = normal(random);
  }
  size_t bytes = offset * sizeof(float);
  Result<GuardedMemory> deviceA = GuardedMemory::from(device, a, bytes);
  Result<GuardedMemory> deviceB = GuardedMemory::from(device, b, bytes);
  Result<GuardedMemory> deviceC = GuardedMemory::allocate(device, a.size() * sizeof(float), bytes);
  for (const Result<GuardedMemory> *memory : {&deviceA, &deviceB, &deviceC})
    if (!*memory)
      return memory->status();

  Status status =
      vector_add::launch(device, deviceA->view<float>(count), deviceB->view<float>(count), deviceC->view<float>(count));
  if (!status)
    return status;

  Result<std::vector<float>> c = deviceC->toHost<float>();
  if (!c)
    return c.status();
  for (size_t i = 0; i < a.size(); ++i) {
    double expected = double(a[i]) + double(b[i]);
    // One rounding to f32.
    if ((*c)[i] != static_cast<float>(expected))
      return Status::invalidArgument("C[" + std::to_string(i) + "] is " + std::to_string((*c)[i]) + ", expected " +
                                     std::to_string(expected));
  }
  for (const Result<GuardedMemory> *memory : {&deviceA, &deviceB, &deviceC})
    if (Status intact = (*memory)->checkGuards(); !intact)
      return intact;
  return {};
}

int main() {
  Result<Device *> device = Device::any();
  if (!device) {
    std::printf("no device (%s); not run: vector_add\n", device.message().c_str());
    return 0;
  }
  std::printf("device: %s\n", (*device)->properties().name.c_str());
  // A simulated device is slow: only what takes seconds there.
  bool isGpu = (*device)->properties().driverVersion != 0;
  bool right = true;
  for (int64_t count : {0, 1, 7, 1000, 4096, 4097, isGpu ? 1000003 : 10007})
    for (size_t offset : {0, 1}) {
      Status status = check(**device, count, offset);
      std::printf("vector_add %7lld elements%s: %s\n", static_cast<long long>(count), offset ? ", misaligned" : "",
                  status ? "right" : status.message().c_str());
      right &= status.ok();
    }
  return right ? 0 : 1;
}

// Runs the fused kernels and the five separate ones that do the same, compares all with double precision, and checks
// that fused and separate agree. The separate ones need buffers for what lies between them; the fused one does not.
#include "kernel.h"
#include "lib/Runtime/GuardedMemory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using tilec::Device;
using tilec::GuardedMemory;
using tilec::Result;
using tilec::Status;

/// The hardware's sine and cosine are good to 2^-20.5 in [-pi, pi]; squares and cosines of them do not add much.
static constexpr double tolerance = 4e-6;

/// The largest error of `memory` against `expected(x)`; infinite for NaN or changed guard bytes.
static double largestError(const GuardedMemory &memory, const std::vector<float> &x, double (*expected)(double)) {
  Result<std::vector<float>> y = memory.toHost<float>();
  if (!y || !memory.checkGuards())
    return INFINITY;
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double error = std::fabs((*y)[i] - expected(x[i]));
    largest = std::isnan(error) ? INFINITY : std::max(largest, error);
  }
  return largest;
}

static bool report(const char *what, int64_t count, const Status &status, double error) {
  bool right = status && error <= tolerance;
  if (status)
    std::printf("%-26s %7lld elements: %s, largest error %.1e\n", what, static_cast<long long>(count),
                right ? "right" : "wrong", error);
  else
    std::printf("%-26s %7lld elements: %s\n", what, static_cast<long long>(count), status.message().c_str());
  return right;
}

static bool check(Device &device, int64_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::uniform_real_distribution<float> uniform(-3.14159f, 3.14159f);
  std::vector<float> x(static_cast<size_t>(count));
  for (float &value : x)
    value = uniform(random);

  // X, Y, and what lies between the separate kernels: s, s², c, c².
  std::vector<GuardedMemory> memories;
  for (int i = 0; i < 6; ++i) {
    Result<GuardedMemory> memory =
        i == 0 ? GuardedMemory::from(device, x) : GuardedMemory::allocate(device, x.size() * sizeof(float));
    if (!memory)
      return report("memory", count, memory.status(), 0);
    memories.push_back(std::move(*memory));
  }
  auto view = [&](int i) { return memories[static_cast<size_t>(i)].view<float>(count); };
  GuardedMemory &y = memories[1];

  Status status = cos_twice::launch(device, view(0), view(1));
  bool right = report("cos(cos(x))", count, status, largestError(y, x, [](double v) { return std::cos(std::cos(v)); }));

  (void)y.poison();
  status = sin2_plus_cos2::launch(device, view(0), view(1));
  right &= report("sin² + cos², one kernel", count, status, largestError(y, x, [](double) { return 1.0; }));

  (void)y.poison();
  status = sine::launch(device, view(0), view(2));
  if (status)
    status = square::launch(device, view(2), view(3));
  if (status)
    status = cosine::launch(device, view(0), view(4));
  if (status)
    status = square::launch(device, view(4), view(5));
  if (status)
    status = add::launch(device, view(3), view(5), view(1));
  right &= report("sin² + cos², five kernels", count, status, largestError(y, x, [](double) { return 1.0; }));
  right &= largestError(memories[2], x, [](double v) { return std::sin(v); }) <= tolerance;
  right &= largestError(memories[4], x, [](double v) { return std::cos(v); }) <= tolerance;
  return right;
}

int main() {
  Result<Device *> device = Device::any();
  if (!device) {
    std::printf("no device (%s); not run: cos_twice, sin2_plus_cos2 fused and separate\n", device.message().c_str());
    return 0;
  }
  std::printf("device: %s\n", (*device)->properties().name.c_str());
  // A simulated device is slow: only what takes seconds there.
  bool isGpu = (*device)->properties().driverVersion != 0;
  bool right = true;
  for (int64_t count : {1, 7, 1000, 4096, 4097, isGpu ? 1000003 : 10007})
    right &= check(**device, count);
  return right ? 0 : 1;
}

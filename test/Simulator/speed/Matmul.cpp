// A compiled matrix product on the simulated device: time, peak memory and counters, with checks off and on.
//
//   simulator-speed-matmul [size]     C = A · Bᵀ of size³, bf16; 512 if not given
//
// The kernel is that of python-free-examples/04-matmul. Required: 512³ with checks in less than 1 GB.
#include "matmul.h"
#include "lib/Simulator/SimulatedDevice.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/resource.h>

using namespace tilec;
using namespace tilec::sim;

/// An element of A or B; small integers, so that products are exact.
static float element(int64_t i, int64_t k, int64_t step) { return static_cast<float>((i * step + k * 5) % 7 - 3); }

static bool multiply(SimulatedDevice &device, int64_t size, bool check) {
  std::vector<bf16> a, b;
  for (int64_t i = 0; i < size; ++i)
    for (int64_t k = 0; k < size; ++k) {
      a.emplace_back(element(i, k, 3));
      b.emplace_back(element(i, k, 11));
    }
  device.options().check = check;
  device.options().cores = 1;
  auto deviceA = Buffer<bf16>::from(device, a), deviceB = Buffer<bf16>::from(device, b),
       deviceC = Buffer<bf16>::allocate(device, a.size());
  if (!deviceA || !deviceB || !deviceC)
    return false;
  std::clock_t begin = std::clock();
  Status status =
      matmul::matmul::launch(device, deviceA->view(size, size), deviceB->view(size, size), deviceC->view(size, size));
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  Result<std::vector<bf16>> c = deviceC->toHost();
  if (!status || !c) {
    std::printf("%s\n", (status ? c.status() : status).message().c_str());
    return false;
  }
  int64_t wrong = 0;
  for (int64_t at = 0; at < size * size; at += 97) {
    float expected = 0;
    for (int64_t k = 0; k < size; ++k)
      expected += element(at / size, k, 3) * element(at % size, k, 11);
    wrong += std::fabs((*c)[static_cast<size_t>(at)] - expected) > std::fabs(expected) / 128;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const Counters &counters = device.lastCounters();
  std::printf(
      "checks %-3s  %6.2f s of one core, %6.1f million multiply-adds and %6.1f million thread-instructions a second, "
      "peak %ld MB, shared passes %llu of at least %llu%s\n",
      check ? "on" : "off", seconds, static_cast<double>(counters.matrixMultiplyAdds) / seconds / 1e6,
      static_cast<double>(counters.allThreadInstructions()) / seconds / 1e6, usage.ru_maxrss / 1024,
      static_cast<unsigned long long>(counters.sharedLoads.wavefronts + counters.sharedStores.wavefronts),
      static_cast<unsigned long long>(counters.sharedLoads.minimumWavefronts + counters.sharedStores.minimumWavefronts),
      wrong ? ", WRONG" : "");
  return wrong == 0;
}

int main(int argc, char **argv) {
  int64_t size = argc > 1 ? std::atoll(argv[1]) : 512;
  std::unique_ptr<SimulatedDevice> device = SimulatedDevice::create("sm_80");
  if (!device || size < 1)
    return 2;
  bool right = multiply(*device, size, false);
  right &= multiply(*device, size, true);
  return right ? 0 : 1;
}

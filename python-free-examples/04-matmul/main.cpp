// Two kernels of one text: the plain product, and the product with bias, GELU and residual. What the plain one does not
// use is not in its signature. Compared with double precision at even and ragged sizes.
#include "fused.h"
#include "plain.h"

#include "lib/Runtime/GuardedMemory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using tilec::bf16;
using tilec::Device;
using tilec::GuardedMemory;
using tilec::Result;
using tilec::Status;

namespace {
/// The operands of one product, and the result.
struct Problem {
  Problem(Device &device, int64_t m, int64_t n, int64_t k);

  Status launchPlain();
  Status launchFused();
  /// Relative error ||c - ref|| / ||ref|| at entries drawn all over the result; infinite for unwritten elements.
  double error(bool isFused) const;

  Device &device;
  int64_t m, n, k;
  std::vector<bf16> a, b, bias, residual;
  GuardedMemory deviceA, deviceB, deviceBias, deviceResidual, deviceC;
  Status status;
};
} // namespace

Problem::Problem(Device &device, int64_t m, int64_t n, int64_t k) : device(device), m(m), n(n), k(k) {
  std::mt19937 random(static_cast<unsigned>(m + 31 * n + 1009 * k));
  std::normal_distribution<float> normal;
  auto keep = [&](Result<GuardedMemory> made, GuardedMemory &memory) {
    if (made)
      memory = std::move(*made);
    else
      status = made.status();
  };
  auto make = [&](int64_t count, std::vector<bf16> &host, GuardedMemory &memory) {
    for (int64_t i = 0; i < count; ++i)
      host.emplace_back(normal(random));
    keep(GuardedMemory::from(device, host), memory);
  };
  make(m * k, a, deviceA);
  make(n * k, b, deviceB);
  make(n, bias, deviceBias);
  make(m * n, residual, deviceResidual);
  keep(GuardedMemory::allocate(device, residual.size() * sizeof(bf16)), deviceC);
}

Status Problem::launchPlain() {
  return plain::matmul::launch(device, deviceA.view<bf16>(m, k), deviceB.view<bf16>(n, k), deviceC.view<bf16>(m, n));
}

Status Problem::launchFused() {
  return fused::matmul::launch(device, deviceA.view<bf16>(m, k), deviceB.view<bf16>(n, k), deviceBias.view<bf16>(n),
                               deviceResidual.view<bf16>(m, n), deviceC.view<bf16>(m, n));
}

double Problem::error(bool isFused) const {
  Result<std::vector<bf16>> c = deviceC.toHost<bf16>();
  if (!c || std::any_of(c->begin(), c->end(), [](float value) { return std::isnan(value); }))
    return INFINITY;
  std::mt19937_64 random(7);
  size_t entries = c->size(), compared = std::min<size_t>(entries, 20000);
  double differences = 0, references = 0;
  for (size_t e = 0; e < compared; ++e) {
    size_t at = compared == entries ? e : random() % entries;
    int64_t i = static_cast<int64_t>(at) / n, j = static_cast<int64_t>(at) % n;
    double expected = 0;
    for (int64_t x = 0; x < k; ++x)
      expected += double(a[static_cast<size_t>(i * k + x)]) * double(b[static_cast<size_t>(j * k + x)]);
    if (isFused) {
      expected += bias[static_cast<size_t>(j)];
      expected = expected / 2 * (1 + std::erf(expected / std::sqrt(2.0)));
      expected += residual[at];
    }
    differences += std::pow((*c)[at] - expected, 2);
    references += expected * expected;
  }
  return references > 0 ? std::sqrt(differences / references) : std::sqrt(differences);
}

static bool check(Device &device, int64_t m, int64_t n, int64_t k, bool isFused) {
  Problem problem(device, m, n, k);
  Status status = problem.status;
  if (status)
    status = isFused ? problem.launchFused() : problem.launchPlain();
  if (status)
    status = device.synchronize();
  for (const GuardedMemory *memory :
       {&problem.deviceA, &problem.deviceB, &problem.deviceBias, &problem.deviceResidual, &problem.deviceC})
    if (status)
      status = memory->checkGuards();
  std::printf("%-32s %4lld x %4lld x %4lld: ", isFused ? "matmul + bias, GELU, residual" : "matmul",
              static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k));
  if (!status) {
    std::printf("%s\n", status.message().c_str());
    return false;
  }
  // One rounding to bf16, at most 2^-8 of an element.
  double error = problem.error(isFused);
  bool right = error <= 3e-3;
  std::printf("%s, relative error %.1e\n", right ? "right" : "wrong", error);
  return right;
}

int main() {
  Result<Device *> device = Device::any();
  if (!device) {
    std::printf("no device (%s); not run: matmul, plain and with bias, GELU and residual\n", device.message().c_str());
    return 0;
  }
  std::printf("device: %s\n", (*device)->properties().name.c_str());
  bool right = true;
  // A simulated device is slow: only what takes seconds there.
  bool isGpu = (*device)->properties().driverVersion != 0;
  for (bool isFused : {false, true}) {
    for (int64_t k : {0, 1, 7, 64, 100})
      right &= check(**device, 7, 130, k, isFused);
    for (int64_t size : {1, 7, 128})
      right &= check(**device, size, size, size, isFused);
    if (!isGpu)
      continue;
    for (int64_t size : {1000, 2048, 4097})
      right &= check(**device, size, size, size, isFused);
    right &= check(**device, 1, 4097, 1000, isFused);
    right &= check(**device, 4097, 1, 1000, isFused);
  }
  return right ? 0 : 1;
}

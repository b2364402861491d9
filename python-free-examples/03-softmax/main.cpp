// Softmax of rows of any length: those that fit into one tile by @softmax_row, longer ones by @softmax_online. Compared
// with double precision, with masked (-inf) elements and with gaps between the rows, which must stay untouched.
#include "kernel.h"
#include "lib/Runtime/GuardedMemory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

using tilec::Device;
using tilec::GuardedMemory;
using tilec::Result;
using tilec::Status;

/// #BN of kernel.mlir: the longest row that @softmax_row takes.
static constexpr int64_t longestRow = 4096;

/// Softmax of one row, in double precision.
static std::vector<double> reference(const float *x, int64_t columns) {
  double most = *std::max_element(x, x + columns), sum = 0;
  std::vector<double> y;
  for (int64_t i = 0; i < columns; ++i) {
    y.push_back(std::exp(x[i] - most));
    sum += y.back();
  }
  for (double &value : y)
    value /= sum;
  return y;
}

/// Relative error ||y - ref|| / ||ref|| of all rows; infinite for NaN, unwritten elements, and stores into gaps.
static double relativeError(const std::vector<float> &x, const std::vector<float> &y, int64_t columns, int64_t pitch) {
  double differences = 0, references = 0;
  for (size_t row = 0; row < x.size(); row += static_cast<size_t>(pitch)) {
    std::vector<double> expected = reference(&x[row], columns);
    for (size_t i = 0; i < expected.size(); ++i) {
      differences += std::pow(y[row + i] - expected[i], 2);
      references += std::pow(expected[i], 2);
    }
    for (int64_t i = columns; i < pitch; ++i) {
      uint32_t bits;
      std::memcpy(&bits, &y[row + static_cast<size_t>(i)], sizeof bits);
      if (bits != 0xFFFFFFFF)
        return INFINITY;
    }
  }
  double error = std::sqrt(differences / references);
  return std::isnan(error) ? INFINITY : error;
}

static bool check(Device &device, int64_t rows, int64_t columns, int64_t pitch) {
  std::mt19937 random(static_cast<unsigned>(rows * 31 + columns));
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> x(static_cast<size_t>(rows * pitch));
  for (float &value : x)
    value = random() % 13 == 0 ? -INFINITY : normal(random);
  // A row of -inf only has no softmax: the result is NaN, as 0/0.
  for (size_t row = 0; row < x.size(); row += static_cast<size_t>(pitch))
    x[row] = normal(random);

  Result<GuardedMemory> deviceX = GuardedMemory::from(device, x);
  Result<GuardedMemory> deviceY = GuardedMemory::allocate(device, x.size() * sizeof(float));
  Status status = !deviceX ? deviceX.status() : !deviceY ? deviceY.status() : Status();
  bool fits = columns <= longestRow;
  double error = INFINITY;
  if (status) {
    auto viewX = deviceX->view<float>(rows, columns).withStrides(pitch, 1);
    auto viewY = deviceY->view<float>(rows, columns).withStrides(pitch, 1);
    status = fits ? softmax_row::launch(device, viewX, viewY) : softmax_online::launch(device, viewX, viewY);
  }
  if (status) {
    Result<std::vector<float>> y = deviceY->toHost<float>();
    status = y ? deviceY->checkGuards() : y.status();
    if (status)
      error = relativeError(x, *y, columns, pitch);
  }
  bool right = status && error <= 2e-6;
  std::printf("%-14s %4lld x %5lld, pitch %5lld: %s", fits ? "softmax_row" : "softmax_online",
              static_cast<long long>(rows), static_cast<long long>(columns), static_cast<long long>(pitch),
              right ? "right" : "wrong");
  if (status)
    std::printf(", relative error %.1e\n", error);
  else
    std::printf(": %s\n", status.message().c_str());
  return right;
}

int main() {
  Result<Device *> device = Device::any();
  if (!device) {
    std::printf("no device (%s); not run: softmax_row, softmax_online\n", device.message().c_str());
    return 0;
  }
  std::printf("device: %s\n", (*device)->properties().name.c_str());
  // A simulated device is slow: only what takes seconds there.
  bool isGpu = (*device)->properties().driverVersion != 0;
  bool right = true;
  for (int64_t rows : {1, 7, isGpu ? 1000 : 3})
    for (int64_t columns : {1, 7, 1000, 4096, 4097, 10000})
      right &= check(**device, rows, columns, columns);
  right &= check(**device, isGpu ? 4097 : 33, 7, 8);
  right &= check(**device, 7, 1000, 1003);
  right &= check(**device, 7, 4097, 4100);
  return right ? 0 : 1;
}

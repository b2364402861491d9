// Quantises a matrix along both axes in one pass over it and checks every code against the rule in double precision:
// MXFP8 along rows alone, MXFP8 and MXFP4 along rows and columns.
#include "both.h"
#include "fp4.h"
#include "rows.h"

#include "lib/Runtime/GuardedMemory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using tilec::bf16;
using tilec::Device;
using tilec::f4e2m1;
using tilec::f8e4m3;
using tilec::f8e8m0;
using tilec::GuardedMemory;
using tilec::Result;
using tilec::Status;

static constexpr int64_t block = 32;

/// The largest number of an element type, and the exponent of its largest power of two.
template <typename E> static double largest();
template <> double largest<f8e4m3>() { return 448; }
template <> double largest<f4e2m1>() { return 6; }

static int64_t ceilDivide(int64_t count, int64_t step) { return (count + step - 1) / step; }
static int64_t blocksOf(int64_t count) { return ceilDivide(count, block); }

/// Where the scale of a row and block lies: tiles of 128 rows by 4 blocks, one after the other along a row of tiles.
static size_t scaleOffset(int64_t row, int64_t blockNumber, int64_t blocks) {
  int64_t tile = row / 128 * ceilDivide(blocks, 4) + blockNumber / 4;
  return size_t(tile * 512 + row % 32 * 16 + row / 32 % 4 * 4 + blockNumber % 4);
}

namespace {
/// One quantised copy: `rows` rows of `length` elements, and a scale for every 32 of them, with room for whole tiles.
template <typename E> struct Copy {
  static Result<Copy> make(Device &device, int64_t rows, int64_t length) {
    Copy copy{rows, length, {}, {}};
    size_t bits = size_t(tilec::elementBits(tilec::ElementTypeOf<E>::value));
    Result<GuardedMemory> elements = GuardedMemory::allocate(device, size_t(rows * length) * bits / 8);
    Result<GuardedMemory> scales = GuardedMemory::allocate(device, size_t(copy.scaleTiles() * 512));
    if (!elements || !scales)
      return elements ? scales.status() : elements.status();
    copy.elements = std::move(*elements);
    copy.scales = std::move(*scales);
    return Result<Copy>(std::move(copy));
  }
  auto elementView() const { return elements.template view<E>(rows, length); }
  auto scaleView() const {
    return scales.template view<f8e8m0>(ceilDivide(rows, 128), ceilDivide(blocksOf(length), 4), 32, 4, 4);
  }
  int64_t scaleTiles() const { return ceilDivide(rows, 128) * ceilDivide(blocksOf(length), 4); }

  /// Counts codes that differ from the rule; `at(row, i)` is the number that was quantised.
  template <typename At> Result<int64_t> wrong(At at) const {
    for (const GuardedMemory *memory : {&elements, &scales})
      if (Status status = memory->checkGuards(); !status)
        return status;
    Result<std::vector<E>> e = elements.template toHost<E>();
    Result<std::vector<f8e8m0>> s = scales.template toHost<f8e8m0>();
    if (!e || !s)
      return e ? s.status() : e.status();
    int64_t count = 0;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < length; ++i) {
        int64_t first = i / block * block, end = std::min(first + block, length);
        double most = 0;
        for (int64_t j = first; j < end; ++j)
          most = std::max(most, std::fabs(at(r, j)));
        // 2^(floor(log2 amax) - emax), the specification's rule; zeros get the least scale.
        int code = most > 0 ? std::max(0, std::ilogb(most) - std::ilogb(largest<E>()) + 127) : 0;
        double scaled = std::clamp(std::ldexp(at(r, i), 127 - code), -largest<E>(), largest<E>());
        count += (*s)[scaleOffset(r, i / block, blocksOf(length))].bits != code;
        count += (*e)[size_t(r * length + i)].bits != E(float(scaled)).bits;
      }
    // The padding is filled, so that nobody finds a NaN there.
    for (int64_t r = 0; r < ceilDivide(rows, 128) * 128; ++r)
      for (int64_t b = 0; b < ceilDivide(blocksOf(length), 4) * 4; ++b)
        if (r >= rows || b >= blocksOf(length))
          count += (*s)[scaleOffset(r, b, blocksOf(length))].bits != 0;
    return count;
  }

  int64_t rows, length;
  GuardedMemory elements, scales;
};
} // namespace

/// Launches by `launch(x, y, z)`, and compares both copies, or the first alone.
template <typename E, typename Launch>
static bool check(Device &device, const char *name, int64_t rows, int64_t columns, bool withColumns, Launch launch) {
  std::mt19937 random(static_cast<unsigned>(rows * 31 + columns));
  std::normal_distribution<float> normal(0, 3);
  std::vector<bf16> host;
  for (int64_t i = 0; i < rows * columns; ++i)
    host.emplace_back(normal(random));
  Result<GuardedMemory> x = GuardedMemory::from(device, host);
  auto y = Copy<E>::make(device, rows, columns), z = Copy<E>::make(device, columns, rows);
  std::printf("%-32s %4lld x %4lld: ", name, static_cast<long long>(rows), static_cast<long long>(columns));
  Status status = x.status();
  for (const Status &made : {y.status(), z.status()})
    if (status)
      status = made;
  if (status)
    status = launch(x->view<bf16>(rows, columns), *y, *z);
  if (status)
    status = device.synchronize();
  int64_t wrong = 0;
  auto add = [&](Result<int64_t> count) {
    if (count)
      wrong += *count;
    else
      status = count.status();
  };
  if (status)
    add(y->wrong([&](int64_t r, int64_t i) { return double(host[size_t(r * columns + i)]); }));
  if (status && withColumns)
    add(z->wrong([&](int64_t r, int64_t i) { return double(host[size_t(i * columns + r)]); }));
  if (!status)
    std::printf("%s\n", status.message().c_str());
  else
    std::printf("%s, %lld codes differ\n", wrong ? "wrong" : "right", static_cast<long long>(wrong));
  return bool(status) && wrong == 0;
}

int main() {
  Result<Device *> found = Device::any();
  if (!found) {
    std::printf("no device (%s); not run: quantisation along rows, and along rows and columns\n", found.message().c_str());
    return 0;
  }
  Device &device = **found;
  std::printf("device: %s\n", device.properties().name.c_str());
  auto launchRows = [&](auto x, auto &y, auto &) {
    return rows::quantize::launch(device, x, y.elementView(), y.scaleView());
  };
  auto launchBoth = [&](auto x, auto &y, auto &z) {
    return both::quantize::launch(device, x, y.elementView(), y.scaleView(), z.elementView(), z.scaleView());
  };
  auto launchFp4 = [&](auto x, auto &y, auto &z) {
    return fp4::quantize::launch(device, x, y.elementView(), y.scaleView(), z.elementView(), z.scaleView());
  };
  bool right = true;
  // A simulated device is slow: only what takes seconds there.
  bool isGpu = device.properties().driverVersion != 0;
  for (int64_t size : {32, 130, 1000}) {
    if (size > 200 && !isGpu)
      continue;
    right &= check<f8e4m3>(device, "MXFP8 along rows", size, size, false, launchRows);
    right &= check<f8e4m3>(device, "MXFP8 along rows and columns", size, size, true, launchBoth);
    right &= check<f4e2m1>(device, "MXFP4 along rows and columns", size, size, true, launchFp4);
  }
  return right ? 0 : 1;
}

/// Checks and timings of 06-mx-dual-quantize: bf16 to MXFP8, blocks along rows, along columns, or both, scales interleaved. Every element and
/// scale is compared with the specification's rule in double precision; timings are against a copy from device to device,
/// by bytes read and written.
#include "tools/tile-bench/CudaLibraries.h"
#include "tools/tile-bench/Numbers.h"
#include "tools/tile-bench/Timing.h"

#include <algorithm>
#include <cmath>

using namespace bench;
using tilec::AnyView;
using tilec::Device;
using tilec::ElementType;
using tilec::GuardedMemory;

static constexpr int64_t block = 32;

static bool hasArgument(const KernelEntry &entry, const std::string &name) {
  for (size_t i = 0; i < entry.table->arguments.count; ++i)
    if (entry.table->arguments[i].name == name)
      return true;
  return false;
}

static bool isQuantize(const KernelEntry &entry) {
  return entry.kernel == "quantize" && (hasArgument(entry, "Y") || hasArgument(entry, "Z"));
}

namespace {
/// A matrix and its quantised copies on the device: Y as the matrix lies, Z transposed.
struct Buffers {
  Buffers(Device &device, const std::vector<uint8_t> &data, int64_t rows, int64_t columns)
      : rows(rows), columns(columns), x(require(GuardedMemory::from(device, data))), y(make(device, rows * columns)),
        ys(make(device, scaleBytes(rows, columns))), z(make(device, rows * columns)),
        zs(make(device, scaleBytes(columns, rows))) {}

  /// Scale tiles of 128 rows by 4 blocks along both axes of a matrix of `rows` rows of `length`.
  static int64_t tileRows(int64_t rows) { return (rows + 127) / 128; }
  static int64_t tileColumns(int64_t length) { return (length + 4 * block - 1) / (4 * block); }
  static int64_t scaleBytes(int64_t rows, int64_t length) { return tileRows(rows) * tileColumns(length) * 512; }
  static size_t scaleOffset(int64_t row, int64_t blockNumber, int64_t length) {
    int64_t tile = row / 128 * tileColumns(length) + blockNumber / 4;
    return size_t(tile * 512 + row % 32 * 16 + row / 32 % 4 * 4 + blockNumber % 4);
  }
  static GuardedMemory make(Device &device, int64_t bytes) {
    return require(GuardedMemory::allocate(device, size_t(bytes)));
  }
  std::vector<NamedArgument> arguments() const {
    auto view = [](const GuardedMemory &memory, ElementType type, int64_t rows, int64_t columns) {
      int64_t extents[] = {rows, columns};
      return AnyView::contiguous(memory.data(), type, extents, 2);
    };
    auto scaleView = [](const GuardedMemory &memory, int64_t rows, int64_t length) {
      int64_t extents[] = {tileRows(rows), tileColumns(length), 32, 4, 4};
      return AnyView::contiguous(memory.data(), ElementType::F8E8M0FNU, extents, 5);
    };
    return {{"X", view(x, ElementType::BF16, rows, columns)},
            {"Y", view(y, ElementType::F8E4M3FN, rows, columns)},
            {"YS", scaleView(ys, rows, columns)},
            {"Z", view(z, ElementType::F8E4M3FN, columns, rows)},
            {"ZS", scaleView(zs, columns, rows)}};
  }

  int64_t rows, columns;
  GuardedMemory x, y, ys, z, zs;
};
} // namespace

/// Wrong codes of `elements` and `scales`, rows of `length` numbers each of which is `at(row, i)`.
template <typename At>
static size_t countWrong(const std::vector<uint8_t> &elements, const std::vector<uint8_t> &scales, int64_t rows,
                         int64_t length, At at) {
  size_t wrong = 0;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t first = 0; first < length; first += block) {
      int64_t end = std::min(first + block, length);
      double most = 0;
      for (int64_t i = first; i < end; ++i)
        most = std::max(most, std::fabs(at(r, i)));
      // The largest power of two of E4M3 is 2^8.
      int code = most > 0 ? std::clamp(std::ilogb(most) - 8 + 127, 0, 254) : 0;
      wrong += scales[Buffers::scaleOffset(r, first / block, length)] != code;
      for (int64_t i = first; i < end; ++i) {
        double scaled = std::clamp(std::ldexp(at(r, i), 127 - code), -448.0, 448.0);
        wrong += elements[size_t(r * length + i)] != tilec::encodeFloat(ElementType::F8E4M3FN, float(scaled));
      }
    }
  return wrong;
}

static CheckRow checkOne(Device &device, const KernelEntry &entry, int64_t rows, int64_t columns) {
  std::vector<uint8_t> data = encode(ElementType::BF16, normal(size_t(rows * columns), uint64_t(rows * 31 + columns), 3));
  std::vector<float> x = decode(ElementType::BF16, data);
  Buffers buffers(device, data, rows, columns);
  CheckRow row;
  row.title = entry.title();
  row.shape = std::to_string(rows) + "x" + std::to_string(columns);
  tilec::Status status = launch(entry, device, buffers.arguments());
  if (status)
    status = device.synchronize();
  if (!status) {
    row.note = status.message();
    return row;
  }
  auto host = [](const GuardedMemory &memory) { return require(memory.toHost<uint8_t>()); };
  size_t wrong = 0;
  if (hasArgument(entry, "Y"))
    wrong += countWrong(host(buffers.y), host(buffers.ys), rows, columns,
                        [&](int64_t r, int64_t i) { return double(x[size_t(r * columns + i)]); });
  if (hasArgument(entry, "Z"))
    wrong += countWrong(host(buffers.z), host(buffers.zs), columns, rows,
                        [&](int64_t r, int64_t i) { return double(x[size_t(i * columns + r)]); });
  row.ok = wrong == 0;
  if (wrong)
    row.note = std::to_string(wrong) + " codes are wrong";
  for (const GuardedMemory *memory : {&buffers.x, &buffers.y, &buffers.ys, &buffers.z, &buffers.zs})
    if (tilec::Status intact = memory->checkGuards(); !intact) {
      row.ok = false;
      row.note = intact.message();
    }
  return row;
}

void bench::checkQuantize(Device &device, const KernelEntry &entry, std::vector<CheckRow> &rows) {
  if (!isQuantize(entry))
    return;
  int64_t sizes[][2] = {{1, 32}, {7, 40}, {128, 128}, {250, 1000}, {1000, 466}, {2048, 4096}};
  for (auto [count, columns] : sizes) {
    now("checking " + entry.title() + " at " + std::to_string(count) + "x" + std::to_string(columns));
    rows.push_back(checkOne(device, entry, count, columns));
  }
}

void bench::timeQuantize(Device &device, const KernelEntry &entry, const Options &options, std::vector<TimeRow> &rows) {
  if (!isQuantize(entry))
    return;
  const int64_t count = options.quick ? 4096 : 16384, columns = 8192, elements = count * columns;
  now("timing " + entry.title());
  std::vector<uint8_t> data = encode(ElementType::BF16, normal(size_t(elements), 3));
  Buffers sets[] = {Buffers(device, data, count, columns), Buffers(device, data, count, columns)};
  Work work = [&](size_t turn) { return launch(entry, device, sets[turn % 2].arguments()); };
  // From one half of a matrix to the other, so that the copy moves as many bytes as there are.
  Work copy = [&](size_t turn) {
    uint8_t *from = sets[turn % 2].x.data();
    return copyDeviceToDevice(from + elements, from, size_t(elements));
  };
  int copies = int(hasArgument(entry, "Y")) + int(hasArgument(entry, "Z"));
  TimeRow row;
  row.title = entry.title();
  row.shape = std::to_string(count) + "x" + std::to_string(columns) + " bf16";
  row.against = "copy";
  timeInTurns(device, options, work, double(elements) * (2 + copies * (1 + 1.0 / block)), copy, 2.0 * double(elements),
              row);
  rows.push_back(row);
}

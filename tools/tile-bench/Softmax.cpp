/// Checks and timings of 03-softmax, both forms. Timings count one read and one write of every element, against a copy
/// from device to device.
#include "tools/tile-bench/CudaLibraries.h"
#include "tools/tile-bench/Numbers.h"
#include "tools/tile-bench/Timing.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace bench;
using tilec::Device;
using tilec::ElementType;
using tilec::GuardedMemory;

static bool isOnline(const KernelEntry &entry) { return entry.kernel == "softmax_online"; }
static bool isSoftmax(const KernelEntry &entry) { return isOnline(entry) || entry.kernel == "softmax_row"; }

static tilec::AnyView matrixView(void *data, ElementType type, int64_t rows, int64_t columns, int64_t pitch) {
  int64_t extents[] = {rows, columns};
  tilec::AnyView view = tilec::AnyView::contiguous(data, type, extents, 2);
  view.strides[0] = pitch;
  return view;
}

/// The error of one row against double precision.
static ErrorMeasure rowError(const float *x, const float *y, int64_t columns) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t i = 0; i < columns; ++i)
    most = std::max(most, double(x[i]));
  for (int64_t i = 0; i < columns; ++i)
    sum += std::exp(double(x[i]) - most);
  ErrorMeasure error;
  for (int64_t i = 0; i < columns; ++i)
    error.add(y[i], std::exp(double(x[i]) - most) / sum);
  return error;
}

static CheckRow checkOne(Device &device, const KernelEntry &entry, int64_t rows, int64_t columns, int64_t gap) {
  ElementType type = entry.table->arguments[0].type;
  size_t size = size_t(tilec::elementBits(type)) / 8;
  int64_t pitch = columns + gap;
  std::vector<float> values = normal(size_t(rows * pitch), uint64_t(rows * 31 + columns), 3);
  // Some elements are masked, as attention masks them; never a whole row.
  for (size_t i = 0; i < values.size(); ++i)
    if (int64_t(i) % pitch % 13 == 5)
      values[i] = -std::numeric_limits<float>::infinity();
  std::vector<uint8_t> bytes = encode(type, values);
  values = decode(type, bytes);
  GuardedMemory x = require(GuardedMemory::from(device, bytes));
  GuardedMemory y = require(GuardedMemory::allocate(device, bytes.size()));

  CheckRow row;
  row.title = entry.title();
  row.shape = std::to_string(rows) + "x" + std::to_string(columns) + (gap ? " pitch " + std::to_string(pitch) : "");
  tilec::Status status = launch(entry, device,
                                {{"X", matrixView(x.data(), type, rows, columns, pitch)},
                                 {"Y", matrixView(y.data(), type, rows, columns, pitch)}});
  if (status)
    status = device.synchronize();
  if (!status) {
    row.note = status.message();
    return row;
  }
  std::vector<uint8_t> outBytes = require(y.toHost<uint8_t>());
  std::vector<float> out = decode(type, outBytes);
  ErrorMeasure error;
  bool gapsIntact = true;
  for (int64_t r = 0; r < rows; ++r) {
    error.add(rowError(&values[size_t(r * pitch)], &out[size_t(r * pitch)], columns));
    for (size_t i = size_t(r * pitch + columns) * size; i < size_t((r + 1) * pitch) * size; ++i)
      gapsIntact &= outBytes[i] == GuardedMemory::poisonValue;
  }
  row.relative = error.relative();
  row.largest = error.largest();
  row.ok = row.relative <= (type == ElementType::F32 ? 2e-6 : type == ElementType::F16 ? 5e-4 : 4e-3) && gapsIntact;
  if (!gapsIntact)
    row.note = "the gaps between rows were overwritten";
  for (const GuardedMemory *memory : {&x, &y})
    if (tilec::Status intact = memory->checkGuards(); !intact) {
      row.ok = false;
      row.note = intact.message();
    }
  return row;
}

void bench::checkSoftmax(Device &device, const KernelEntry &entry, std::vector<CheckRow> &rows) {
  if (!isSoftmax(entry))
    return;
  int64_t longest = isOnline(entry) ? 20003 : entry.parameter("BN", 4096);
  for (int64_t columns : {int64_t(1), int64_t(7), int64_t(1000), int64_t(4096), int64_t(4097), longest - 1, longest})
    if (columns <= longest)
      for (int64_t count : {1, 7, 1000}) {
        now("checking " + entry.title() + " at " + std::to_string(count) + "x" + std::to_string(columns));
        rows.push_back(checkOne(device, entry, count, columns, 0));
      }
  rows.push_back(checkOne(device, entry, 7, 1000, 3));
  rows.push_back(checkOne(device, entry, 4097, 7, 0));
}

void bench::timeSoftmax(Device &device, const KernelEntry &entry, const Options &options, std::vector<TimeRow> &rows) {
  if (!isSoftmax(entry))
    return;
  ElementType type = entry.table->arguments[0].type;
  size_t size = size_t(tilec::elementBits(type)) / 8;
  int64_t columns = entry.parameter("BN", 4096);
  if (isOnline(entry))
    columns = 4 * entry.parameter("BC", 4096);
  int64_t count = int64_t((size_t(options.quick ? 128 : 256) << 20) / size) / columns;
  size_t bytes = size_t(count * columns) * size;
  now("timing " + entry.title());
  std::vector<uint8_t> data = encode(type, normal(size_t(count * columns), 3));
  GuardedMemory x[2] = {require(GuardedMemory::from(device, data)), require(GuardedMemory::from(device, data))};
  GuardedMemory y[2] = {require(GuardedMemory::allocate(device, bytes)),
                        require(GuardedMemory::allocate(device, bytes))};
  Work work = [&](size_t turn) {
    return launch(entry, device,
                  {{"X", matrixView(x[turn % 2].data(), type, count, columns, columns)},
                   {"Y", matrixView(y[turn % 2].data(), type, count, columns, columns)}});
  };
  Work copy = [&](size_t turn) { return copyDeviceToDevice(y[turn % 2].data(), x[turn % 2].data(), bytes); };
  TimeRow row;
  row.title = entry.title();
  row.shape = std::to_string(count) + "x" + std::to_string(columns) + " " + tilec::elementTypeName(type);
  row.against = "copy";
  timeInTurns(device, options, work, 2.0 * double(bytes), copy, 2.0 * double(bytes), row);
  rows.push_back(row);
}

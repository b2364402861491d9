/// Checks and timings of 01-vector-add and 02-fused-elementwise. Timings are against a copy from device to device: a
/// kernel that moves its bytes as fast as a copy moves its own has nothing left to gain.
#include "tools/tile-bench/CudaLibraries.h"
#include "tools/tile-bench/Numbers.h"
#include "tools/tile-bench/Timing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace bench;
using tilec::Device;
using tilec::ElementType;
using tilec::GuardedMemory;

namespace {
/// What an elementwise kernel computes.
struct ElementwiseKind {
  const char *kernel;
  std::vector<const char *> inputs;
  const char *output;
  double (*formula)(double a, double b);
  /// Of the largest error in f32; 0: one rounding.
  double tolerance;
};
} // namespace

static const ElementwiseKind kinds[] = {
    {"vector_add", {"A", "B"}, "C", [](double a, double b) { return a + b; }, 0},
    {"cos_twice", {"X"}, "Y", [](double a, double) { return std::cos(std::cos(a)); }, 4e-6},
    {"sin2_plus_cos2", {"X"}, "Y", [](double, double) { return 1.0; }, 4e-6},
    {"sine", {"X"}, "Y", [](double a, double) { return std::sin(a); }, 4e-6},
    {"cosine", {"X"}, "Y", [](double a, double) { return std::cos(a); }, 4e-6},
    {"square", {"X"}, "Y", [](double a, double) { return a * a; }, 0},
    {"add", {"A", "B"}, "Y", [](double a, double b) { return a + b; }, 0},
};

static const ElementwiseKind *kindOf(const KernelEntry &entry) {
  for (const ElementwiseKind &kind : kinds)
    if (entry.kernel == kind.kernel)
      return &kind;
  return nullptr;
}

static tilec::AnyView vectorView(void *data, ElementType type, int64_t count) {
  return tilec::AnyView::contiguous(data, type, &count, 1);
}

//===-- Checks
//------------------------------------------------------------------------------------------------------===//

static CheckRow checkOne(Device &device, const KernelEntry &entry, const ElementwiseKind &kind, int64_t count,
                         size_t offset) {
  ElementType type = entry.table->arguments[0].type;
  size_t size = size_t(tilec::elementBits(type)) / 8;
  std::vector<std::vector<float>> values;
  std::vector<GuardedMemory> memories;
  std::vector<NamedArgument> arguments;
  for (const char *input : kind.inputs) {
    std::vector<float> made = normal(size_t(count), 17 * values.size() + size_t(count));
    for (float &x : made)
      x = std::clamp(x, -3.14f, 3.14f); // where the hardware's sine and cosine state their error
    std::vector<uint8_t> bytes = encode(type, made);
    values.push_back(decode(type, bytes));
    memories.push_back(require(GuardedMemory::from(device, bytes, offset * size)));
    arguments.push_back({input, vectorView(memories.back().data(), type, count)});
  }
  GuardedMemory output = require(GuardedMemory::allocate(device, size_t(count) * size, offset * size));
  arguments.push_back({kind.output, vectorView(output.data(), type, count)});

  CheckRow row;
  row.title = entry.title();
  row.shape = std::to_string(count) + (offset ? " off by one" : "");
  tilec::Status status = launch(entry, device, arguments);
  if (status)
    status = device.synchronize();
  if (!status) {
    row.note = status.message();
    return row;
  }
  std::vector<float> out = decode(type, require(output.toHost<uint8_t>()));
  ErrorMeasure error;
  for (size_t i = 0; i < out.size(); ++i)
    error.add(out[i], kind.formula(values[0][i], values.size() > 1 ? values[1][i] : 0));
  row.relative = error.relative();
  row.largest = error.largest();
  double rounding = type == ElementType::F32 ? 1.2e-7 : type == ElementType::F16 ? 1e-3 : 8e-3;
  row.ok = row.largest <= std::max(kind.tolerance, rounding);
  memories.push_back(std::move(output));
  for (const GuardedMemory &memory : memories)
    if (tilec::Status intact = memory.checkGuards(); !intact) {
      row.ok = false;
      row.note = intact.message();
    }
  return row;
}

void bench::checkElementwise(Device &device, const KernelEntry &entry, std::vector<CheckRow> &rows) {
  const ElementwiseKind *kind = kindOf(entry);
  if (!kind)
    return;
  for (int64_t count : {int64_t(1), int64_t(7), int64_t(1000), int64_t(4096), int64_t(4097), int64_t(4194309)}) {
    now("checking " + entry.title() + " at " + std::to_string(count));
    rows.push_back(checkOne(device, entry, *kind, count, 0));
  }
  rows.push_back(checkOne(device, entry, *kind, 4097, 1));
}

//===-- Timings
//-----------------------------------------------------------------------------------------------------===//

namespace {
/// Large buffers that all timings share: sets of two inputs and four others, so that turns can alternate between sets
/// and no data stays in the cache.
class TimingBuffers {
public:
  static constexpr size_t sets = 2, perSet = 6;

  static TimingBuffers &get(Device &device, ElementType type, size_t bytes) {
    static TimingBuffers buffers;
    if (buffers.type != type || buffers.bytes != bytes)
      buffers.make(device, type, bytes);
    return buffers;
  }
  void *of(size_t turn, size_t number) const { return memories[turn % sets * perSet + number].data(); }

private:
  void make(Device &device, ElementType newType, size_t newBytes) {
    now("filling buffers");
    memories.clear();
    type = newType;
    bytes = newBytes;
    std::vector<uint8_t> data = encode(type, normal(bytes * 8 / size_t(tilec::elementBits(type)), 5));
    for (size_t i = 0; i < sets * perSet; ++i)
      memories.push_back(require(GuardedMemory::from(device, data)));
  }

  ElementType type = ElementType::I1;
  size_t bytes = 0;
  std::vector<GuardedMemory> memories;
};
} // namespace

static size_t timingBytes(const Options &options) { return size_t(options.quick ? 128 : 256) << 20; }

/// Enqueues a copy of one buffer; twice its bytes are moved.
static Work copyWork(TimingBuffers &buffers, size_t bytes) {
  return [&buffers, bytes](size_t turn) { return copyDeviceToDevice(buffers.of(turn, 2), buffers.of(turn, 0), bytes); };
}

void bench::timeElementwise(Device &device, const KernelEntry &entry, const Options &options,
                            std::vector<TimeRow> &rows) {
  const ElementwiseKind *kind = kindOf(entry);
  if (!kind || (entry.kernel != "vector_add" && entry.kernel != "cos_twice" && entry.kernel != "sin2_plus_cos2"))
    return;
  ElementType type = entry.table->arguments[0].type;
  size_t bytes = timingBytes(options);
  int64_t count = int64_t(bytes * 8 / size_t(tilec::elementBits(type)));
  TimingBuffers &buffers = TimingBuffers::get(device, type, bytes);
  now("timing " + entry.title());
  Work work = [&](size_t turn) {
    std::vector<NamedArgument> arguments;
    for (size_t i = 0; i < kind->inputs.size(); ++i)
      arguments.push_back({kind->inputs[i], vectorView(buffers.of(turn, i), type, count)});
    arguments.push_back({kind->output, vectorView(buffers.of(turn, 2), type, count)});
    return launch(entry, device, arguments);
  };
  TimeRow row;
  row.title = entry.title();
  row.shape = std::to_string(count) + " " + tilec::elementTypeName(type);
  row.against = "copy";
  timeInTurns(device, options, work, double(bytes * (kind->inputs.size() + 1)), copyWork(buffers, bytes),
              2.0 * double(bytes), row);
  rows.push_back(row);
}

void bench::timeFiveAgainstOne(Device &device, const std::vector<KernelEntry> &entries, const std::string &label,
                               const Options &options, std::vector<TimeRow> &rows) {
  auto find = [&](const char *kernel) -> const KernelEntry * {
    for (const KernelEntry &entry : entries)
      if (entry.label == label && entry.kernel == kernel)
        return &entry;
    return nullptr;
  };
  const KernelEntry *fused = find("sin2_plus_cos2"), *sine = find("sine"), *cosine = find("cosine"),
                    *square = find("square"), *add = find("add");
  if (!fused || !sine || !cosine || !square || !add)
    return;
  ElementType type = ElementType::F32;
  size_t bytes = timingBytes(options);
  int64_t count = int64_t(bytes / 4);
  TimingBuffers &buffers = TimingBuffers::get(device, type, bytes);
  now("timing one kernel against five, " + label);
  auto map = [&](const KernelEntry &entry, size_t turn, size_t from, size_t to) {
    return launch(
        entry, device,
        {{"X", vectorView(buffers.of(turn, from), type, count)}, {"Y", vectorView(buffers.of(turn, to), type, count)}});
  };
  Work one = [&](size_t turn) { return map(*fused, turn, 0, 2); };
  Work five = [&](size_t turn) {
    for (auto [entry, from, to] :
         {std::tuple(sine, 0, 2), std::tuple(square, 2, 3), std::tuple(cosine, 0, 4), std::tuple(square, 4, 5)})
      if (tilec::Status status = map(*entry, turn, size_t(from), size_t(to)); !status)
        return status;
    return launch(*add, device,
                  {{"A", vectorView(buffers.of(turn, 3), type, count)},
                   {"B", vectorView(buffers.of(turn, 5), type, count)},
                   {"Y", vectorView(buffers.of(turn, 2), type, count)}});
  };
  TimeRow row;
  row.title = "one kernel against five " + label;
  row.shape = std::to_string(count) + " f32";
  row.against = "five kernels";
  // Both compute the same result: the ratio is that of the times.
  timeInTurns(device, options, one, 2.0 * double(bytes), five, 2.0 * double(bytes), row);
  rows.push_back(row);
}

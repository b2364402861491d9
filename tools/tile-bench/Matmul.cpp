/// Checks and timings of 04-matmul in all its forms. Large products are checked at entries drawn all over the result;
/// timings are against cuBLAS on the same data (the plain product, also where the kernel has an epilogue).
#include "tools/tile-bench/CudaLibraries.h"
#include "tools/tile-bench/Numbers.h"
#include "tools/tile-bench/Timing.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>

using namespace bench;
using tilec::Device;
using tilec::ElementType;
using tilec::GuardedMemory;

namespace {
/// The form of the kernel, and its operands on host and device.
struct MatmulProblem {
  MatmulProblem(Device &device, const KernelEntry &entry, int64_t m, int64_t n, int64_t k, size_t offset = 0);

  std::vector<NamedArgument> arguments() const;
  /// Entry (i, j) in double precision.
  double reference(int64_t i, int64_t j) const;
  tilec::Status checkGuards() const;

  const KernelEntry &entry;
  int64_t m, n, k;
  ElementType type;
  bool isKN, withBias, withGelu, withResidual;
  std::vector<float> a, b, bias, residual;
  GuardedMemory deviceA, deviceB, deviceBias, deviceResidual, deviceC;
};
} // namespace

static tilec::AnyView view(const GuardedMemory &memory, ElementType type, std::initializer_list<int64_t> extents) {
  return tilec::AnyView::contiguous(memory.data(), type, extents.begin(), int(extents.size()));
}

MatmulProblem::MatmulProblem(Device &device, const KernelEntry &entry, int64_t m, int64_t n, int64_t k, size_t offset)
    : entry(entry), m(m), n(n), k(k), type(entry.table->arguments[0].type), isKN(entry.hasParameter("B_IS_KN=true")),
      withBias(entry.hasParameter("WITH_BIAS=true")), withGelu(entry.hasParameter("WITH_GELU=true")),
      withResidual(entry.hasParameter("WITH_RESIDUAL=true")) {
  auto make = [&](int64_t count, uint64_t seed, std::vector<float> &host, GuardedMemory &memory) {
    std::vector<uint8_t> bytes = encode(type, normal(size_t(count), seed));
    host = decode(type, bytes);
    memory = require(GuardedMemory::from(device, bytes, offset * 2));
  };
  make(m * k, 1, a, deviceA);
  make(n * k, 2, b, deviceB);
  make(n, 3, bias, deviceBias);
  make(withResidual ? m * n : 0, 4, residual, deviceResidual);
  deviceC = require(GuardedMemory::allocate(device, size_t(m * n) * 2, offset * 2));
}

std::vector<NamedArgument> MatmulProblem::arguments() const {
  return {{"A", view(deviceA, type, {m, k})},
          {"B", isKN ? view(deviceB, type, {k, n}) : view(deviceB, type, {n, k})},
          {"bias", view(deviceBias, type, {n})},
          {"residual", view(deviceResidual, type, {m, n})},
          {"C", view(deviceC, type, {m, n})}};
}

double MatmulProblem::reference(int64_t i, int64_t j) const {
  double sum = 0;
  const float *row = a.data() + i * k;
  const float *column = b.data() + (isKN ? j : j * k);
  int64_t step = isKN ? n : 1;
  for (int64_t x = 0; x < k; ++x)
    sum += double(row[x]) * double(column[x * step]);
  if (withBias)
    sum += bias[size_t(j)];
  if (withGelu)
    sum = 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));
  if (withResidual)
    sum += residual[size_t(i * n + j)];
  return sum;
}

tilec::Status MatmulProblem::checkGuards() const {
  for (const GuardedMemory *memory : {&deviceA, &deviceB, &deviceBias, &deviceResidual, &deviceC})
    if (tilec::Status intact = memory->checkGuards(); !intact)
      return intact;
  return {};
}

/// The entries to compare: all of a small result; of a large one the corners, the last row and column, and a draw.
static std::vector<int64_t> sample(int64_t m, int64_t n, int64_t k) {
  std::vector<int64_t> entries;
  int64_t budget = std::max<int64_t>(4096, 60000000 / std::max<int64_t>(k, 1));
  if (m * n <= budget) {
    for (int64_t i = 0; i < m * n; ++i)
      entries.push_back(i);
    return entries;
  }
  std::mt19937_64 random(static_cast<uint64_t>(m * n + k));
  for (int64_t i = 0; i < budget; ++i)
    entries.push_back(int64_t(random() % uint64_t(m * n)));
  for (int64_t i = 0; i < 64; ++i) {
    entries.push_back((m - 1) * n + int64_t(random() % uint64_t(n)));
    entries.push_back(int64_t(random() % uint64_t(m)) * n + n - 1);
  }
  for (int64_t corner : {int64_t(0), n - 1, (m - 1) * n, m * n - 1})
    entries.push_back(corner);
  return entries;
}

static CheckRow checkOne(Device &device, const KernelEntry &entry, int64_t m, int64_t n, int64_t k, size_t offset) {
  now("checking " + entry.title() + " at " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
  MatmulProblem problem(device, entry, m, n, k, offset);
  CheckRow row;
  row.title = entry.title();
  row.shape = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + (offset ? " off by one" : "");
  tilec::Status status = launch(entry, device, problem.arguments());
  if (status)
    status = device.synchronize();
  if (!status) {
    row.note = status.message();
    return row;
  }
  std::vector<float> out = decode(problem.type, require(problem.deviceC.toHost<uint8_t>()));
  ErrorMeasure error;
  std::mutex mutex;
  std::vector<int64_t> entries = sample(m, n, k);
  parallel(entries.size(), [&](size_t first, size_t last) {
    ErrorMeasure part;
    for (size_t e = first; e < last; ++e)
      part.add(out[size_t(entries[e])], problem.reference(entries[e] / n, entries[e] % n));
    std::lock_guard<std::mutex> lock(mutex);
    error.add(part);
  });
  row.relative = error.relative();
  row.largest = error.largest();
  // One rounding of the result, at most half a unit in the last of 8 or 11 bits.
  row.ok = row.relative <= (problem.type == ElementType::F16 ? 5e-4 : 3e-3);
  auto unwritten = std::count_if(out.begin(), out.end(), [](float x) { return std::isnan(x); });
  if (unwritten) {
    row.ok = false;
    row.note = std::to_string(unwritten) + " elements are NaN or were not written";
  }
  if (tilec::Status intact = problem.checkGuards(); !intact) {
    row.ok = false;
    row.note = intact.message();
  }
  return row;
}

void bench::checkMatmul(Device &device, const KernelEntry &entry, const Options &options, std::vector<CheckRow> &rows) {
  if (entry.kernel != "matmul")
    return;
  struct Shape {
    int64_t m, n, k;
    size_t offset;
  };
  std::vector<Shape> shapes = {{1, 1, 1, 0},          {7, 7, 7, 0},         {128, 256, 64, 0},  {128, 256, 0, 0},
                               {256, 256, 32, 0},     {256, 256, 24, 0},    {250, 466, 40, 0},  {1000, 1000, 1000, 0},
                               {1, 4097, 1000, 0},    {4097, 1, 1000, 0},   {1000, 1000, 1, 0}, {7, 1000, 4097, 0},
                               {1000, 1000, 1000, 1}, {1024, 1024, 1024, 0}};
  if (!options.quick)
    shapes.insert(shapes.end(), {{4096, 4096, 4096, 0}, {4097, 4097, 4097, 0}});
  for (const Shape &shape : shapes)
    rows.push_back(checkOne(device, entry, shape.m, shape.n, shape.k, shape.offset));
}

void bench::timeMatmul(Device &device, const KernelEntry &entry, const Options &options, std::vector<TimeRow> &rows) {
  if (entry.kernel != "matmul")
    return;
  constexpr int64_t size = 4096;
  now("timing " + entry.title());
  MatmulProblem problem(device, entry, size, size, size);
  GuardedMemory other = require(GuardedMemory::allocate(device, size_t(size * size) * 2));
  Work work = [&](size_t) { return launch(entry, device, problem.arguments()); };
  TimeRow row;
  row.title = entry.title();
  row.shape = "4096x4096x4096 " + std::string(tilec::elementTypeName(problem.type));
  row.isFlops = true;
  double operations = 2.0 * size * size * size;
  tilec::Result<Cublas *> cublas = Cublas::get();
  if (!cublas) {
    row.against = "nothing: " + cublas.message();
    timeAlone(device, options, work, operations, row);
    rows.push_back(row);
    return;
  }
  row.against = "cuBLAS";
  Product product;
  product.type = problem.type == ElementType::F16 ? ProductType::F16 : ProductType::BF16;
  product.isKN = problem.isKN;
  product.m = product.n = product.k = size;
  product.a = problem.deviceA.data();
  product.b = problem.deviceB.data();
  product.c = other.data();
  Work reference = [&](size_t) { return (*cublas)->multiply(product); };
  timeInTurns(device, options, work, operations, reference, operations, row);
  rows.push_back(row);
}

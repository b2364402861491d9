// Quantises two matrices of normal random numbers in every microscaled format, multiplies them, and prints how far the
// product is from that of the bf16 originals. What the device computes is checked twice: the product against a product in
// double precision of what was stored, and the distance against what the format can hold.
#include "mxfp4.h"
#include "mxfp6_e2m3.h"
#include "mxfp6_e3m2.h"
#include "mxfp8_e4m3.h"
#include "mxfp8_e5m2.h"
#include "nvfp4.h"

#include "lib/Runtime/GuardedMemory.h"

#include <cmath>
#include <cstdio>
#include <random>

using tilec::bf16;
using tilec::Device;
using tilec::GuardedMemory;
using tilec::Result;
using tilec::Status;

namespace {
/// Rows of a matrix as numbers.
struct Matrix {
  int64_t rows, columns;
  std::vector<double> values;
  const double *row(int64_t i) const { return values.data() + i * columns; }
};

/// What is known about a format: its name, and the relative error that products of normal numbers have in it.
struct Format {
  const char *name;
  int64_t block;
  double least, most;
};
} // namespace

static std::vector<bf16> randomNumbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<bf16> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.emplace_back(normal(random));
  return numbers;
}

static Matrix toMatrix(const std::vector<bf16> &numbers, int64_t rows, int64_t columns) {
  return {rows, columns, std::vector<double>(numbers.begin(), numbers.end())};
}

/// A · Bᵀ.
static Matrix product(const Matrix &a, const Matrix &b) {
  Matrix c{a.rows, b.rows, std::vector<double>(size_t(a.rows * b.rows))};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < b.rows; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < a.columns; ++k)
        sum += a.row(i)[k] * b.row(j)[k];
      c.values[size_t(i * c.columns + j)] = sum;
    }
  return c;
}

/// ||x - reference|| / ||reference||; infinite where x has a NaN.
template <typename T> static double relativeError(const std::vector<T> &x, const Matrix &reference) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(double(x[i])))
      return INFINITY;
    difference += std::pow(double(x[i]) - reference.values[i], 2);
    size += std::pow(reference.values[i], 2);
  }
  return std::sqrt(difference / size);
}

namespace {
/// A matrix on the device, quantised: elements of type E, scales of type S.
template <typename E, typename S> struct Quantized {
  static Result<Quantized> make(Device &device, int64_t rows, int64_t columns, int64_t block) {
    Quantized made{rows, columns, block, {}, {}};
    size_t bits = size_t(tilec::elementBits(tilec::ElementTypeOf<E>::value));
    Result<GuardedMemory> elements = GuardedMemory::allocate(device, size_t(rows * columns) * bits / 8);
    Result<GuardedMemory> scales = GuardedMemory::allocate(device, size_t(rows * columns / block));
    if (!elements || !scales)
      return elements ? scales.status() : elements.status();
    made.elements = std::move(*elements);
    made.scales = std::move(*scales);
    return Result<Quantized>(std::move(made));
  }
  auto elementView() const { return elements.view<E>(rows, columns); }
  auto scaleView() const { return scales.view<S>(rows, columns / block); }

  /// What was stored: element times scale.
  Result<Matrix> toHost() const {
    Result<std::vector<E>> e = elements.toHost<E>();
    Result<std::vector<S>> s = scales.toHost<S>();
    if (!e || !s)
      return e ? s.status() : e.status();
    Matrix matrix{rows, columns, {}};
    for (size_t i = 0; i < e->size(); ++i)
      matrix.values.push_back(double((*e)[i]) * double((*s)[i / size_t(block)]));
    return matrix;
  }
  Status checkGuards() const {
    Status status = elements.checkGuards();
    return status ? scales.checkGuards() : status;
  }

  int64_t rows, columns, block;
  GuardedMemory elements, scales;
};
} // namespace

/// Quantises, multiplies and judges in one format. `quantize` and `gemm` launch that format's kernels.
template <typename E, typename S, typename Quantize, typename Gemm>
static Status run(Device &device, const Format &format, int64_t m, int64_t n, int64_t k, Quantize quantize, Gemm gemm,
                  bool &right) {
  std::vector<bf16> hostA = randomNumbers(m * k, 1), hostB = randomNumbers(n * k, 2);
  Result<GuardedMemory> a = GuardedMemory::from(device, hostA), b = GuardedMemory::from(device, hostB);
  Result<GuardedMemory> c = GuardedMemory::allocate(device, size_t(m * n) * sizeof(float));
  auto qa = Quantized<E, S>::make(device, m, k, format.block), qb = Quantized<E, S>::make(device, n, k, format.block);
  for (Status status : {a.status(), b.status(), c.status(), qa.status(), qb.status()})
    if (!status)
      return status;

  Status status = quantize(device, a->view<bf16>(m, k), qa->elementView(), qa->scaleView());
  if (status)
    status = quantize(device, b->view<bf16>(n, k), qb->elementView(), qb->scaleView());
  if (status)
    status = gemm(device, qa->elementView(), qa->scaleView(), qb->elementView(), qb->scaleView(), c->view<float>(m, n));
  if (status)
    status = device.synchronize();
  for (const Status &guards : {qa->checkGuards(), qb->checkGuards(), c->checkGuards()})
    if (status)
      status = guards;
  if (!status)
    return status;

  Result<Matrix> storedA = qa->toHost(), storedB = qb->toHost();
  Result<std::vector<float>> out = c->toHost<float>();
  for (Status status : {storedA.status(), storedB.status(), out.status()})
    if (!status)
      return status;
  double computed = relativeError(*out, product(*storedA, *storedB));
  double distance = relativeError(*out, product(toMatrix(hostA, m, k), toMatrix(hostB, n, k)));
  bool isRight = computed <= 1e-6 && distance >= format.least && distance <= format.most;
  std::printf("%-12s %4lld x %4lld x %4lld: %s, %4.2f bits per number, error against bf16 %.4f, of the product itself %.0e\n",
              format.name, static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k),
              isRight ? "right" : "wrong", tilec::elementBits(tilec::ElementTypeOf<E>::value) + 8.0 / double(format.block),
              distance, computed);
  right &= isRight;
  return status;
}

#define TILEC_RUN(NAMESPACE, E, S, ...)                                                                                \
  run<E, S>(                                                                                                           \
      device, Format{__VA_ARGS__}, m, n, k, [](auto &&...args) { return NAMESPACE::quantize::launch(args...); },       \
      [](auto &&...args) { return NAMESPACE::gemm::launch(args...); }, right)

static bool runFormats(Device &device, int64_t m, int64_t n, int64_t k) {
  bool right = true;
  using namespace tilec;
  const Status results[] = {
      TILEC_RUN(mxfp8_e4m3, f8e4m3, f8e8m0, "MXFP8 E4M3", 32, 0.02, 0.05),
      TILEC_RUN(mxfp8_e5m2, f8e5m2, f8e8m0, "MXFP8 E5M2", 32, 0.04, 0.1),
      TILEC_RUN(mxfp6_e2m3, f6e2m3, f8e8m0, "MXFP6 E2M3", 32, 0.02, 0.06),
      TILEC_RUN(mxfp6_e3m2, f6e3m2, f8e8m0, "MXFP6 E3M2", 32, 0.04, 0.1),
      TILEC_RUN(mxfp4, f4e2m1, f8e8m0, "MXFP4 E2M1", 32, 0.1, 0.25),
      TILEC_RUN(nvfp4, f4e2m1, f8e4m3, "NVFP4 E2M1", 16, 0.08, 0.2),
  };
  for (const Status &status : results)
    if (!status) {
      std::printf("%s\n", status.message().c_str());
      right = false;
    }
  return right;
}

int main() {
  Result<Device *> device = Device::any();
  if (!device) {
    std::printf("no device (%s); not run: quantisation and products in six formats\n", device.message().c_str());
    return 0;
  }
  std::printf("device: %s\n", (*device)->properties().name.c_str());
  // A simulated device is slow: only what takes seconds there.
  bool isGpu = (*device)->properties().driverVersion != 0;
  bool right = runFormats(**device, 130, 72, 192);
  if (isGpu)
    right &= runFormats(**device, 1000, 1000, 2048);
  return right ? 0 : 1;
}

// Checks of f16, bf16 and f8 programs, to the bit: exact results in double, rounded once.
#include "test/Simulator/programs/Programs.h"

#include <algorithm>
#include <limits>

using namespace programs;
using tilec::bf16;
using tilec::f16;
using tilec::f8e4m3;
using tilec::f8e5m2;

namespace {
enum class Direction { Nearest, Zero, Up, Down };

/// A binary format: bits of the significand, exponent of the least subnormal, largest finite value.
struct Format {
  int precision, least;
  double largest;
};
} // namespace

static constexpr Format half = {11, -24, 65504}, brain = {8, -133, 3.3895313892515355e38};

/// `value` rounded once to the format. Overflow gives infinity, or the largest value where the direction says so.
static float rounded(double value, Format format, Direction direction) {
  if (value == 0 || !std::isfinite(value))
    return static_cast<float>(value);
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  int unit = std::max(exponent - format.precision, format.least);
  double scaled = std::ldexp(value, -unit);
  switch (direction) {
  case Direction::Nearest:
    scaled = std::nearbyint(scaled);
    break;
  case Direction::Zero:
    scaled = std::trunc(scaled);
    break;
  case Direction::Up:
    scaled = std::ceil(scaled);
    break;
  case Direction::Down:
    scaled = std::floor(scaled);
    break;
  }
  double result = std::ldexp(scaled, unit);
  if (std::fabs(result) <= format.largest)
    return static_cast<float>(result);
  bool stays = direction == Direction::Zero || (direction == Direction::Up && value < 0) ||
               (direction == Direction::Down && value > 0);
  return static_cast<float>(std::copysign(stays ? format.largest : std::numeric_limits<double>::infinity(), value));
}

/// a * b + c, where the product is exact in double, rounded once: the double sum is made odd where it is inexact, so
/// that rounding it again is harmless (Boldo and Melquiond).
static double fusedToOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double back = sum - product, error = (product - (sum - back)) + (c - back);
  int exponent = 0;
  auto significand = static_cast<int64_t>(std::ldexp(std::frexp(sum, &exponent), 53));
  if (error == 0 || significand % 2 != 0)
    return sum;
  double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(sum, error > 0 ? infinity : -infinity);
}

template <typename T> static std::vector<float> widened(const std::vector<T> &values) {
  return std::vector<float>(values.begin(), values.end());
}

/// Random codes, with the special ones among them, or values of moderate size.
template <typename T> static std::vector<T> codes(Trial &trial, int count) {
  std::vector<T> values;
  std::vector<float> moderate = trial.uniform<float>(count, -3, 3);
  for (uint16_t bits : trial.bits<uint16_t>(count))
    values.push_back(values.size() % 3 == 0 ? T(moderate[values.size()]) : T::fromBits(bits));
  return values;
}

static void checkHalves(Trial &trial, int pairs) {
  int count = 2 * pairs;
  std::vector<f16> a = codes<f16>(trial, count), b = codes<f16>(trial, count), c = codes<f16>(trial, count);
  std::vector<float> expected(8 * count);
  for (int i = 0; i < count; ++i) {
    double x = a[i], y = b[i], z = c[i], nan = std::numeric_limits<double>::quiet_NaN();
    double fused = fusedToOdd(x, y, z), other = a[i ^ 1];
    const double results[8] = {x + y,
                               x * y,
                               fused,
                               std::isnan(fused) ? nan : std::fmax(fused, 0),
                               std::isnan(x) || std::isnan(y) ? nan : std::fmin(x, y),
                               x > y ? 1.0 : 0.0,
                               std::isnan(x + y) ? 0 : std::fmin(std::fmax(x + y, 0), 1),
                               -std::fabs(other)};
    for (int r = 0; r < 8; ++r)
      expected[r * count + i] = rounded(results[r], half, Direction::Nearest);
  }
  f16 *output = trial.output<f16>(8 * count);
  trial.launch("halves", {blocksFor(pairs, 64), 64}, trial.input(a), trial.input(b), trial.input(c), pairs, output);
  trial.equal("f16", widened(trial.read(output, 8 * count)), expected);
}

static void checkBrains(Trial &trial, int pairs) {
  int count = 2 * pairs;
  std::vector<bf16> a = codes<bf16>(trial, count), b = codes<bf16>(trial, count), c = codes<bf16>(trial, count);
  std::vector<float> expected(5 * count);
  for (int i = 0; i < count; ++i) {
    double x = a[i], y = b[i], z = c[i];
    float scaled = static_cast<float>(c[i]) * 1.01f;
    const double results[5] = {fusedToOdd(x, 1, y), x * y, fusedToOdd(x, y, z), std::fmax(x, y), scaled};
    for (int r = 0; r < 5; ++r)
      expected[r * count + i] = rounded(results[r], brain, Direction::Nearest);
  }
  bf16 *output = trial.output<bf16>(5 * count);
  trial.launch("brains", {blocksFor(pairs, 64), 64}, trial.input(a), trial.input(b), trial.input(c), pairs, output);
  trial.equal("bf16", widened(trial.read(output, 5 * count)), expected);
}

/// Floats of every size that the small formats distinguish, with the special ones.
static std::vector<float> floatsAround(Trial &trial, int size) {
  std::vector<float> values = trial.uniform<float>(size, -1, 1);
  std::vector<int> exponents = trial.uniform<int>(size, -28, 18);
  const float special[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(), 65520.0f, 448.0f, 464.0f, 1e-30f};
  for (int i = 0; i < size; ++i)
    values[i] = i % 16 == 5 ? special[i / 16 % 7] : std::ldexp(values[i], exponents[i]);
  return values;
}

static void checkConversions(Trial &trial, int size) {
  std::vector<float> values = floatsAround(trial, size), expected(4 * size);
  std::vector<int16_t> whole(size);
  const Direction directions[] = {Direction::Nearest, Direction::Zero, Direction::Up, Direction::Down};
  for (int i = 0; i < size; ++i) {
    for (int d = 0; d < 4; ++d)
      expected[d * size + i] = rounded(values[i], half, directions[d]);
    whole[i] = static_cast<int16_t>(std::fmin(std::fmax(std::nearbyint(expected[i]), -32768.0f), 32767.0f));
  }
  f16 *output = trial.output<f16>(4 * size);
  int16_t *outputWhole = trial.output<int16_t>(size);
  trial.launch("convert", {blocksFor(size, 64), 64}, trial.input(values), size, output, outputWhole);
  trial.equal("converted", widened(trial.read(output, 4 * size)), expected);
  trial.equal("whole", trial.read(outputWhole, size), whole);
}

static void checkPackedAtomics(Trial &trial, int pairs) {
  const int bins = 5;
  // Sums stay below 2048, so that every order gives the same.
  std::vector<int> where = trial.uniform<int>(pairs, 0, bins - 1), whole = trial.uniform<int>(2 * pairs, -3, 3);
  std::vector<f16> values;
  std::vector<float> expected(2 * bins);
  for (int i = 0; i < 2 * pairs; ++i) {
    values.push_back(f16(static_cast<float>(whole[i])));
    expected[2 * where[i / 2] + i % 2] += static_cast<float>(whole[i]);
  }
  f16 *sums = trial.zeros<f16>(2 * bins);
  trial.launch("addToBins", {blocksFor(pairs, 64), 64}, trial.input(values), trial.input(where), pairs, sums);
  trial.equal("sum of bin", widened(trial.read(sums, 2 * bins)), expected);
}

void programs::checkHalfPrecision(Trial &trial) {
  for (int pairs : {1, 500}) {
    trial.sizes(pairs);
    checkHalves(trial, pairs);
    checkBrains(trial, pairs);
    checkConversions(trial, pairs);
    checkPackedAtomics(trial, pairs);
  }
}

/// The conversion saturates: beyond the largest finite value, infinity too, it gives that value.
template <typename T> static float saturated(float value, float largest) {
  return std::isnan(value) ? value : static_cast<float>(T(std::fmin(std::fmax(value, -largest), largest)));
}

void programs::checkFloat8(Trial &trial) {
  for (int size : {1, 700}) {
    trial.sizes(size);
    std::vector<float> values = floatsAround(trial, size), e4m3(size), e5m2(size);
    for (int i = 0; i < size; ++i) {
      e4m3[i] = saturated<f8e4m3>(values[i], 448);
      e5m2[i] = saturated<f8e5m2>(values[i], 57344);
    }
    f8e4m3 *narrow4 = trial.output<f8e4m3>(size);
    f8e5m2 *narrow5 = trial.output<f8e5m2>(size);
    trial.launch("toFloat8", {blocksFor(size, 64), 64}, trial.input(values), size, narrow4, narrow5);
    trial.equal("e4m3", widened(trial.read(narrow4, size)), e4m3);
    trial.equal("e5m2", widened(trial.read(narrow5, size)), e5m2);
  }
  const int pairs = 128; // every code once
  trial.begin("every code");
  std::vector<f8e4m3> codes4;
  std::vector<f8e5m2> codes5;
  for (int code = 0; code < 2 * pairs; ++code) {
    codes4.push_back(f8e4m3::fromBits(static_cast<uint8_t>(code)));
    codes5.push_back(f8e5m2::fromBits(static_cast<uint8_t>(code)));
  }
  float *wide = trial.output<float>(2 * pairs);
  f16 *halves = trial.output<f16>(2 * pairs);
  trial.launch("fromFloat8", {2, 64}, trial.input(codes4), trial.input(codes5), pairs, wide, halves);
  trial.equal("f32 of e4m3", trial.read(wide, 2 * pairs), widened(codes4));
  trial.equal("f16 of e5m2", widened(trial.read(halves, 2 * pairs)), widened(codes5));
}

#include "tools/tile-bench/Numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

using namespace bench;
using tilec::ElementType;

void bench::parallel(size_t count, const std::function<void(size_t, size_t)> &body) {
  size_t threads = std::max<size_t>(1, std::min<size_t>(std::thread::hardware_concurrency(), count / 1024 + 1));
  std::vector<std::thread> pool;
  for (size_t i = 1; i < threads; ++i)
    pool.emplace_back([&, i] { body(count * i / threads, count * (i + 1) / threads); });
  body(0, count / threads);
  for (std::thread &thread : pool)
    thread.join();
}

/// SplitMix64 (Steele, Lea, Flood 2014): a good 64-bit mix of a counter, so every element is made on its own.
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::vector<float> bench::normal(size_t count, uint64_t seed, float deviation) {
  std::vector<float> values(count);
  uint64_t start = mix(seed);
  parallel((count + 1) / 2, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      uint64_t bits = mix(start + i);
      // Box and Muller: two uniform numbers, the first above 0, give two normal ones.
      double u = (double(bits >> 32) + 0.5) / 4294967296.0, v = double(bits & 0xFFFFFFFFu) / 4294967296.0;
      double radius = deviation * std::sqrt(-2 * std::log(u)), angle = 6.283185307179586 * v;
      values[2 * i] = float(radius * std::cos(angle));
      if (2 * i + 1 < count)
        values[2 * i + 1] = float(radius * std::sin(angle));
    }
  });
  return values;
}

std::vector<uint8_t> bench::encode(ElementType type, const std::vector<float> &values) {
  size_t size = size_t(tilec::elementBits(type)) / 8;
  std::vector<uint8_t> bytes(values.size() * size);
  parallel(values.size(), [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      uint32_t bits;
      if (type == ElementType::F32)
        std::memcpy(&bits, &values[i], 4);
      else
        bits = tilec::encodeFloat(type, values[i]);
      std::memcpy(&bytes[i * size], &bits, size);
    }
  });
  return bytes;
}

std::vector<float> bench::decode(ElementType type, const std::vector<uint8_t> &bytes) {
  size_t size = size_t(tilec::elementBits(type)) / 8;
  std::vector<float> values(bytes.size() / size);
  parallel(values.size(), [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      uint32_t bits = 0;
      std::memcpy(&bits, &bytes[i * size], size);
      if (type == ElementType::F32)
        std::memcpy(&values[i], &bits, 4);
      else
        values[i] = tilec::decodeFloat(type, bits);
    }
  });
  return values;
}

void ErrorMeasure::add(double out, double reference) {
  double difference = std::fabs(out - reference);
  if (!(difference <= std::numeric_limits<double>::max()))
    difference = std::numeric_limits<double>::infinity();
  differences += difference * difference;
  references += reference * reference;
  most = std::max(most, difference / std::max(std::fabs(reference), 1.0));
}

void ErrorMeasure::add(const ErrorMeasure &other) {
  differences += other.differences;
  references += other.references;
  most = std::max(most, other.most);
}

double ErrorMeasure::relative() const {
  return references > 0 ? std::sqrt(differences / references) : std::sqrt(differences);
}

double bench::quantile(std::vector<double> values, double q) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  double at = q * double(values.size() - 1);
  size_t below = size_t(at);
  size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - double(below)) * (values[above] - values[below]);
}

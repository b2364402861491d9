/// Data for checks and timings: normal random numbers, conversion to element types, and error measures.
#ifndef TOOLS_TILE_BENCH_NUMBERS_H
#define TOOLS_TILE_BENCH_NUMBERS_H

#include "lib/Runtime/ElementType.h"
#include "lib/Runtime/GuardedMemory.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace bench {

/// Runs `body(first, last)` on parts of [0, count) in parallel.
void parallel(size_t count, const std::function<void(size_t, size_t)> &body);

/// `count` numbers of mean 0 and deviation `deviation`; the same for the same seed.
std::vector<float> normal(size_t count, uint64_t seed, float deviation = 1);

/// The numbers as elements of f32, bf16 or f16, little-endian.
std::vector<uint8_t> encode(tilec::ElementType type, const std::vector<float> &values);
/// The inverse.
std::vector<float> decode(tilec::ElementType type, const std::vector<uint8_t> &bytes);

/// Relative and largest error, built up element by element. NaN counts as infinite.
class ErrorMeasure {
public:
  void add(double out, double reference);
  void add(const ErrorMeasure &other);
  /// ||out - ref|| / ||ref||; against a zero reference the norm of the difference.
  double relative() const;
  /// The largest |out - ref| / max(|ref|, 1).
  double largest() const { return most; }

private:
  double differences = 0, references = 0, most = 0;
};

/// The middle of the values, and other quantiles of them; `values` need not be sorted.
double quantile(std::vector<double> values, double q);

} // namespace bench

#endif // TOOLS_TILE_BENCH_NUMBERS_H

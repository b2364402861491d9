// The sums whose result does not depend on a model: f64 is a chain of fused multiply-adds, integers and bits are exact.
#include "lib/Simulator/Tensor/Clones.h"
#include "lib/Simulator/Tensor/Model.h"

#include <algorithm>
#include <cstring>

namespace tilec::sim {

/// An element whose sum is not a number: which NaN is it? The row is contiguous, the column `bStride` apart.
static double chainWithNaNs(unsigned k, const double *a, const double *b, unsigned bStride, double sum) {
  for (unsigned p = 0; p < k; ++p) {
    double x = a[p], y = b[size_t(p) * bStride], chosen = y != y ? y : sum != sum ? sum : x;
    sum = __builtin_fma(x, y, sum);
    if (sum == sum)
      continue;
    uint64_t bits = 0xFFF8000000000000; // of infinity - infinity and of 0 * infinity
    if (chosen != chosen)
      std::memcpy(&bits, &chosen, sizeof bits);
    bits |= uint64_t(1) << 51; // quiet
    std::memcpy(&sum, &bits, sizeof sum);
  }
  return sum;
}

TILEC_CLONES void multiplyAccumulateF64(unsigned m, unsigned n, unsigned k, const double *a, const double *b,
                                        const double *c, double *d) {
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      double initial = c[size_t(i) * n + j], sum = initial;
      for (unsigned p = 0; p < k; ++p)
        sum = __builtin_fma(a[size_t(i) * k + p], b[size_t(p) * n + j], sum);
      d[size_t(i) * n + j] = sum == sum ? sum : chainWithNaNs(k, a + size_t(i) * k, b + j, n, initial);
    }
}

void unpackIntegers(IntegerFormat format, const void *bits, size_t count, int16_t *out) {
  auto *bytes = static_cast<const uint8_t *>(bits);
  for (size_t i = 0; i < count; ++i) {
    int nibble = bytes[i / 2] >> (i % 2 ? 4 : 0) & 15;
    switch (format) {
    case IntegerFormat::S8:
      out[i] = int8_t(bytes[i]);
      break;
    case IntegerFormat::U8:
      out[i] = bytes[i];
      break;
    case IntegerFormat::S4:
      out[i] = int16_t((nibble ^ 8) - 8);
      break;
    case IntegerFormat::U4:
      out[i] = int16_t(nibble);
      break;
    }
  }
}

TILEC_CLONES void multiplyAccumulateInteger(bool saturate, unsigned m, unsigned n, unsigned k, const int16_t *a,
                                            const int16_t *b, const int32_t *c, int32_t *d) {
  constexpr unsigned columns = 256; // N of the widest wgmma
  for (unsigned first = 0; first < n; first += columns) {
    unsigned width = std::min(columns, n - first);
    for (unsigned i = 0; i < m; ++i) {
      int32_t sum[columns] = {}; // at most 2^16 * k, so exact
      for (unsigned p = 0; p < k; ++p) {
        int32_t x = a[size_t(i) * k + p];
        for (unsigned j = 0; j < width; ++j)
          sum[j] += x * b[size_t(p) * n + first + j];
      }
      for (unsigned j = 0; j < width; ++j) {
        int64_t exact = int64_t(sum[j]) + c[size_t(i) * n + first + j];
        if (saturate)
          exact = std::max<int64_t>(INT32_MIN, std::min<int64_t>(INT32_MAX, exact));
        d[size_t(i) * n + first + j] = int32_t(exact);
      }
    }
  }
}

void multiplyAccumulateBits(BitOperation operation, unsigned m, unsigned n, unsigned k, const uint32_t *a,
                            const uint32_t *b, const int32_t *c, int32_t *d) {
  unsigned words = k / 32;
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      uint32_t count = uint32_t(c[size_t(i) * n + j]);
      for (unsigned p = 0; p < words; ++p) {
        uint32_t x = a[size_t(i) * words + p], y = b[size_t(j) * words + p];
        count += uint32_t(__builtin_popcount(operation == BitOperation::And ? x & y : x ^ y));
      }
      d[size_t(i) * n + j] = int32_t(count);
    }
}

} // namespace tilec::sim

/// Operands for the tests: every special value of a format and its neighbours, and random bits with clustered
/// exponents, so that sums cancel and results fall near the ends of the range.
#ifndef TILEC_TEST_UNIT_SIMULATOR_NUMERIC_OPERANDS_H
#define TILEC_TEST_UNIT_SIMULATOR_NUMERIC_OPERANDS_H

#include "lib/Simulator/Numeric/Format.h"

#include <random>
#include <vector>

namespace tilec::sim {

/// Zero, the smallest and largest subnormals and normals, one and its neighbours, infinity, NaN; both signs.
inline std::vector<uint64_t> specialValues(const FloatFormat &format) {
  uint64_t smallestNormal = uint64_t(1) << format.mantissaBits, one = uint64_t(format.bias) << format.mantissaBits;
  std::vector<uint64_t> values = {0,
                                  1,
                                  2,
                                  smallestNormal - 1,
                                  smallestNormal,
                                  smallestNormal + 1,
                                  one - 1,
                                  one,
                                  one + 1,
                                  one + smallestNormal,
                                  one + smallestNormal / 2,
                                  one + 3 * smallestNormal / 2,
                                  format.maxFinite() - 1,
                                  format.maxFinite(),
                                  format.infinity(),
                                  format.infinity() + 1,
                                  format.infinity() + smallestNormal / 2,
                                  format.infinity() + smallestNormal - 1};
  std::vector<uint64_t> both;
  for (uint64_t value : values) {
    both.push_back(value);
    both.push_back(value | format.signBit());
  }
  return both;
}

/// Random codes of a format. A third has any bits, a third exponents near one, a third few mantissa bits set.
class RandomCodes {
public:
  RandomCodes(const FloatFormat &format, uint32_t seed) : format(format), generator(seed) {}

  uint64_t next() {
    uint64_t mask = format.width() == 64 ? ~uint64_t(0) : (uint64_t(1) << format.width()) - 1;
    uint64_t bits = generator() & mask, kind = generator() % 3;
    uint64_t mantissa = (uint64_t(1) << format.mantissaBits) - 1;
    if (kind == 1) {
      uint64_t exponent = static_cast<uint64_t>(format.bias) + generator() % 9 - 4;
      bits = (bits & (format.signBit() | mantissa)) | exponent << format.mantissaBits;
    }
    if (kind == 2)
      bits &= ~(mantissa >> (generator() % format.mantissaBits));
    return bits;
  }

private:
  const FloatFormat &format;
  std::mt19937_64 generator;
};

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_NUMERIC_OPERANDS_H

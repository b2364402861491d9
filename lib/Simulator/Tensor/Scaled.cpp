// Block-scaled multiplication. Scales that are powers of two (and models without an exactRun) only move exponents, so
// the factors are scaled and the ordinary sums do the rest. Otherwise all factors are E2M1, whose products are small
// integers: a run of them is added as such, multiplied by the scales' significands, and takes part in the aligned sum
// as one addend.
#include "lib/Simulator/Tensor/Clones.h"
#include "lib/Simulator/Tensor/Element.h"

#include <cmath>
#include <vector>

namespace tilec::sim {
namespace {

constexpr unsigned maxRuns = 16;

/// significand * 2^(exponent - fraction); a NaN and a zero as in Unpacked.
Unpacked unpackScale(ScaleFormat format, uint8_t byte) {
  if (format == ScaleFormat::UE8M0)
    return byte == 255 ? Unpacked{Unpacked::notANumber, 0} : Unpacked{int16_t(byte - 127), 1};
  byte &= 127;
  Unpacked out;
  unpack(OperandFormat::E4M3, &byte, 1, &out);
  return out;
}

Unpacked scaled(Unpacked x, Unpacked scale) {
  if (scale.exponent == Unpacked::notANumber)
    return scale;
  if (x.exponent != Unpacked::zero && x.exponent < Unpacked::infinity)
    x.exponent = int16_t(x.exponent + scale.exponent);
  return x;
}

/// Twice the value of a number of E2M1: an integer of at most 12.
int16_t twice(Unpacked x) { return x.significand ? int16_t(x.significand * (1 << x.exponent)) : int16_t(0); }

/// The exact dot products, times four, of the runs of a row and a column.
TILEC_CLONES void dotRuns(unsigned runs, unsigned length, const int16_t *x, const int16_t *y, int32_t *out) {
  for (unsigned r = 0; r < runs; ++r) {
    int32_t sum = 0;
    for (unsigned p = 0; p < length; ++p)
      sum += x[r * length + p] * y[r * length + p];
    out[r] = sum;
  }
}

} // namespace

void multiplyAccumulateScaled(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat,
                              ScaleFormat scaleFormat, unsigned scales, unsigned m, unsigned n, unsigned k,
                              const Unpacked *a, const uint8_t *aScales, const Unpacked *b, const uint8_t *bScales,
                              const uint32_t *c, uint32_t *d) {
  std::vector<Unpacked> rowScale(size_t(m) * scales), columnScale(size_t(scales) * n);
  for (size_t i = 0; i < rowScale.size(); ++i)
    rowScale[i] = unpackScale(scaleFormat, aScales[i]);
  for (size_t i = 0; i < columnScale.size(); ++i)
    columnScale[i] = unpackScale(scaleFormat, bScales[i]);
  const unsigned block = k / scales;
  if (!model.exactRun) {
    std::vector<Unpacked> x(size_t(m) * k), y(size_t(k) * n);
    for (unsigned i = 0; i < m; ++i)
      for (unsigned p = 0; p < k; ++p)
        x[size_t(i) * k + p] = scaled(a[size_t(i) * k + p], rowScale[size_t(i) * scales + p / block]);
    for (unsigned p = 0; p < k; ++p)
      for (unsigned j = 0; j < n; ++j)
        y[size_t(p) * n + j] = scaled(b[size_t(p) * n + j], columnScale[size_t(p / block) * n + j]);
    return multiplyAccumulate(model, aFormat, bFormat, m, n, k, x.data(), y.data(), c, d);
  }

  const int scaleFraction = scaleFormat == ScaleFormat::UE4M3 ? int(fractionBits(OperandFormat::E4M3)) : 0;
  const unsigned run = model.exactRun, groupRuns = std::min(model.group, k) / run;
  std::vector<int16_t> x(size_t(m) * k), y(size_t(k) * n);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = twice(a[i]);
  for (unsigned p = 0; p < k; ++p)
    for (unsigned j = 0; j < n; ++j)
      y[size_t(j) * k + p] = twice(b[size_t(p) * n + j]);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      uint32_t accumulator = c[size_t(i) * n + j];
      bool nan = false;
      for (unsigned first = 0; first < k; first += groupRuns * run) {
        int32_t dots[maxRuns];
        Addend addends[maxRuns];
        dotRuns(groupRuns, run, x.data() + size_t(i) * k + first, y.data() + size_t(j) * k + first, dots);
        for (unsigned r = 0; r < groupRuns; ++r) {
          unsigned at = (first + r * run) / block;
          Unpacked u = rowScale[size_t(i) * scales + at], v = columnScale[size_t(at) * n + j];
          nan |= u.exponent == Unpacked::notANumber || v.exponent == Unpacked::notANumber;
          int place = u.exponent + v.exponent;
          addends[r] = {int64_t(dots[r]) * u.significand * v.significand, place - 2 * scaleFraction - 2, place};
        }
        accumulator = addAligned(model, groupRuns, addends, accumulator);
      }
      d[size_t(i) * n + j] = nan ? 0x7FFFFFFF : accumulator;
    }
}

double accumulationErrorBound(const AccumulationModel &model, unsigned k, double largest) {
  const bool half = model.result == ResultFormat::F16;
  unsigned group = std::min(model.group, k), groups = (k + group - 1) / group;
  // Below the least exponents the units are absolute.
  double cut =
      (group + 1) * std::ldexp(std::fmax(largest, std::ldexp(1.0, model.minimumExponent)), -int(model.alignmentBits));
  double round = std::fmax(std::ldexp(largest, -int(model.resultBits)),
                           std::ldexp(1.0, (half ? -14 : -126) - int(model.resultBits)));
  double last =
      model.accumulatorInSum ? 0 : std::fmax(std::ldexp(largest, half ? -11 : -24), std::ldexp(1.0, half ? -25 : -150));
  return groups * (cut + round) + last;
}

} // namespace tilec::sim

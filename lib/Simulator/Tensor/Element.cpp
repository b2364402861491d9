#include "lib/Simulator/Tensor/Element.h"

#include <algorithm>

namespace tilec::sim {
namespace {

/// The fields of the accumulator's format.
struct ResultLayout {
  int fraction, minimum, maximum; ///< fraction bits; exponents of the least and the largest normal number
  uint32_t infinity, nan, sign;
};

constexpr ResultLayout layoutOf(ResultFormat format) {
  return format == ResultFormat::F32 ? ResultLayout{23, -126, 127, 0x7F800000, 0x7FFFFFFF, 0x80000000}
                                     : ResultLayout{10, -14, 15, 0x7C00, 0x7FFF, 0x8000};
}

/// A sum in progress: the specials that came in, and the ordinary addends.
struct Sum {
  bool nan = false, plusInfinity = false, minusInfinity = false;
  int64_t integer = 0;

  void addInfinity(bool negative) { (negative ? minusInfinity : plusInfinity) = true; }
};

/// An accumulator taken apart; its exponent is Unpacked::zero for a zero.
struct Accumulator {
  int exponent;
  int64_t significand;
};

Accumulator unpackAccumulator(ResultLayout layout, uint32_t bits, Sum &sum) {
  int field = int((bits & layout.infinity) >> layout.fraction);
  int64_t significand = bits & ((1u << layout.fraction) - 1);
  bool negative = bits & layout.sign;
  if ((bits & layout.infinity) == layout.infinity) {
    if (significand)
      sum.nan = true;
    else
      sum.addInfinity(negative);
    return {Unpacked::zero, 0};
  }
  if (field)
    significand |= int64_t(1) << layout.fraction;
  int exponent = (field ? field : 1) + layout.minimum - 1;
  return {significand ? exponent : int(Unpacked::zero), negative ? -significand : significand};
}

/// value * 2^shift, cut as the model says.
int64_t aligned(const AccumulationModel &model, int64_t value, int shift) {
  if (shift >= 0)
    return value * (int64_t(1) << shift);
  int right = std::min(-shift, 63);
  if (!model.truncate)
    return value >> right;
  return value < 0 ? -(-value >> right) : value >> right;
}

/// integer * 2^unit as bits of the format.
uint32_t rounded(const AccumulationModel &model, ResultLayout layout, int64_t integer, int unit) {
  if (!integer)
    return 0;
  uint32_t sign = integer < 0 ? layout.sign : 0;
  uint64_t magnitude = uint64_t(integer < 0 ? -integer : integer);
  int exponent = 63 - __builtin_clzll(magnitude) + unit;
  int kept = std::max(exponent, layout.minimum) - int(model.resultBits); // the exponent of the result's last bit
  if (kept > unit) {
    int drop = std::min(kept - unit, 63);
    uint64_t rest = magnitude & ((uint64_t(1) << drop) - 1), half = uint64_t(1) << (drop - 1);
    magnitude >>= drop;
    if (model.roundToNearest && (rest > half || (rest == half && (magnitude & 1))))
      ++magnitude;
    unit = kept;
  }
  // Now magnitude * 2^unit is exact in the format unless it is too large: pack it with its last bit at `low`.
  int low = std::max(exponent, layout.minimum) - layout.fraction;
  magnitude = unit >= low ? magnitude << (unit - low) : magnitude >> (low - unit);
  if (magnitude >> (layout.fraction + 1)) { // rounded up to a power of two
    magnitude >>= 1;
    ++low;
  }
  if (!magnitude)
    return 0;
  if (!(magnitude >> layout.fraction))
    return sign | uint32_t(magnitude);
  int field = low + layout.fraction - layout.minimum + 1;
  if (field > layout.maximum - layout.minimum + 1)
    return sign | layout.infinity;
  return sign | uint32_t(field) << layout.fraction | uint32_t(magnitude & ((uint64_t(1) << layout.fraction) - 1));
}

} // namespace

uint32_t accumulateElement(const AccumulationModel &model, unsigned productFraction, unsigned k, const Unpacked *a,
                           const Unpacked *b, unsigned bStride, uint32_t c) {
  ResultLayout layout = layoutOf(model.result);
  unsigned group = std::min(model.group, k), groups = k / group;
  uint32_t running = model.accumulatorInSum ? c : 0;
  for (unsigned g = 0; g < groups; ++g) {
    Sum sum;
    Accumulator accumulator = unpackAccumulator(layout, running, sum);
    int largest = std::max(model.minimumExponent, accumulator.exponent);
    for (unsigned i = 0; i < group; ++i) {
      unsigned at = positionInRow(model, g, groups, i);
      Unpacked x = a[at], y = b[size_t(at) * bStride];
      if (x.exponent >= Unpacked::infinity || y.exponent >= Unpacked::infinity) {
        if (x.exponent == Unpacked::notANumber || y.exponent == Unpacked::notANumber || !x.significand ||
            !y.significand)
          sum.nan = true;
        else
          sum.addInfinity((x.significand < 0) != (y.significand < 0));
        continue;
      }
      largest = std::max(largest, x.exponent + y.exponent);
    }
    if (sum.nan || (sum.plusInfinity && sum.minusInfinity)) {
      running = layout.nan;
      continue;
    }
    if (sum.plusInfinity || sum.minusInfinity) {
      running = layout.infinity | (sum.minusInfinity ? layout.sign : 0);
      continue;
    }
    int unit = largest - int(model.alignmentBits);
    if (accumulator.significand)
      sum.integer = aligned(model, accumulator.significand, accumulator.exponent - layout.fraction - unit);
    for (unsigned i = 0; i < group; ++i) {
      unsigned at = positionInRow(model, g, groups, i);
      Unpacked x = a[at], y = b[size_t(at) * bStride];
      int64_t product = int64_t(x.significand) * y.significand;
      if (product)
        sum.integer += aligned(model, product, x.exponent + y.exponent - int(productFraction) - unit);
    }
    running = rounded(model, layout, sum.integer, unit);
  }
  return model.accumulatorInSum ? running : addNearest(model.result, running, c);
}

uint32_t addAligned(const AccumulationModel &model, unsigned count, const Addend *addends, uint32_t c) {
  ResultLayout layout = layoutOf(model.result);
  Sum sum;
  Accumulator accumulator = unpackAccumulator(layout, c, sum);
  if (sum.nan)
    return layout.nan;
  if (sum.plusInfinity || sum.minusInfinity)
    return c;
  int largest = std::max(model.minimumExponent, accumulator.exponent);
  for (unsigned i = 0; i < count; ++i)
    if (addends[i].significand)
      largest = std::max(largest, addends[i].place);
  int unit = largest - int(model.alignmentBits);
  if (accumulator.significand)
    sum.integer = aligned(model, accumulator.significand, accumulator.exponent - layout.fraction - unit);
  for (unsigned i = 0; i < count; ++i)
    if (addends[i].significand)
      sum.integer += aligned(model, addends[i].significand, addends[i].exponent - unit);
  return rounded(model, layout, sum.integer, unit);
}

uint32_t addNearest(ResultFormat format, uint32_t x, uint32_t y) {
  ResultLayout layout = layoutOf(format);
  Sum sum;
  Accumulator first = unpackAccumulator(layout, x, sum), second = unpackAccumulator(layout, y, sum);
  if (sum.nan || (sum.plusInfinity && sum.minusInfinity))
    return layout.nan;
  if (sum.plusInfinity || sum.minusInfinity)
    return layout.infinity | (sum.minusInfinity ? layout.sign : 0);
  if (!first.significand && !second.significand)
    return x & y; // -0 only of two -0
  if (first.exponent < second.exponent)
    std::swap(first, second);
  // 30 bits of room below the larger addend; what lies lower only matters as a sign (sticky).
  AccumulationModel nearest;
  nearest.resultBits = unsigned(layout.fraction);
  nearest.roundToNearest = true;
  int distance = first.exponent - second.exponent, unit = first.exponent - layout.fraction - 30;
  int64_t integer = first.significand * (int64_t(1) << 30);
  if (second.significand)
    integer += distance <= 30 ? second.significand * (int64_t(1) << (30 - distance)) : second.significand < 0 ? -1 : 1;
  return rounded(nearest, layout, integer, unit);
}

} // namespace tilec::sim

// The sums of AccumulationModel for whole matrices: eight columns at a time in integer lanes. A column panel of B is
// taken apart once; a row then needs two sweeps over a group, one for the largest exponent and one that multiplies,
// shifts and adds. What is rare (infinities, NaNs, subnormal or overflowing results) is noticed per lane and left to
// accumulateElement.
#include "lib/Simulator/Tensor/Clones.h"
#include "lib/Simulator/Tensor/Element.h"
#include "lib/Simulator/Tensor/Model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilec::sim {
namespace {

constexpr unsigned lanes = 8;  ///< columns at a time: N of mma.sync
constexpr unsigned maxK = 128; ///< the longest row with a panel on the stack; mma and wgmma have at most 64

using Int = int32_t __attribute__((vector_size(4 * lanes)));
using Long = int64_t __attribute__((vector_size(8 * lanes)));
using Double = double __attribute__((vector_size(8 * lanes)));

/// Eight columns of B in the order of the groups.
struct Panel {
  Int exponent[maxK], magnitude[maxK], sign[maxK]; ///< sign: 0 or -1
  Int special;                                     ///< -1 in columns with an infinity or a NaN
};

/// One row of A in the order of the groups; magnitudes are shifted so that products have alignmentBits fraction bits.
struct Row {
  int32_t exponent[maxK], magnitude[maxK], sign[maxK];
  bool special;
};

TILEC_INLINE Int select(Int condition, Int yes, Int no) { return (yes & condition) | (no & ~condition); }
TILEC_INLINE Int larger(Int a, Int b) { return select(a > b, a, b); }
TILEC_INLINE Int splat(int32_t x) { return Int{} + x; }
TILEC_INLINE Int shiftedRight(Int x, Int by) { return x >> select(by > 31, splat(31), by); }

TILEC_INLINE void fillPanel(Panel &panel, const Unpacked *b, unsigned n, unsigned k, const unsigned *order) {
  panel.special = Int{};
  for (unsigned i = 0; i < k; ++i) {
    const Unpacked *from = b + size_t(order[i]) * n;
    for (unsigned j = 0; j < lanes; ++j) {
      panel.exponent[i][j] = from[j].exponent;
      panel.magnitude[i][j] = from[j].significand;
    }
    Int special = panel.exponent[i] >= int(Unpacked::infinity);
    panel.special |= special;
    panel.exponent[i] = select(special, splat(Unpacked::zero), panel.exponent[i]);
    panel.sign[i] = panel.magnitude[i] >> 31;
    panel.magnitude[i] = ((panel.magnitude[i] ^ panel.sign[i]) - panel.sign[i]) & ~special;
  }
}

TILEC_INLINE void fillRow(Row &row, const Unpacked *a, unsigned k, const unsigned *order, unsigned shift) {
  row.special = false;
  for (unsigned i = 0; i < k; ++i) {
    Unpacked x = a[order[i]];
    row.special |= x.exponent >= Unpacked::infinity;
    row.exponent[i] = x.exponent;
    row.sign[i] = x.significand >> 15;
    row.magnitude[i] = ((x.significand ^ row.sign[i]) - row.sign[i]) << shift;
  }
}

/// The accumulator's fields, for both formats: fraction bits, exponent bits, exponent of the least normal number.
template <ResultFormat format> struct Fields {
  static constexpr int fraction = format == ResultFormat::F32 ? 23 : 10, ones = format == ResultFormat::F32 ? 255 : 31,
                       minimum = format == ResultFormat::F32 ? -126 : -14,
                       signBit = format == ResultFormat::F32 ? 31 : 15;
};

/// One group's sum of a row and a panel. `accumulator`: bits in and out; lanes that need the slow path are added to
/// `slow`.
template <ResultFormat format>
TILEC_INLINE void sumGroup(const AccumulationModel &model, const Row &row, const Panel &panel, unsigned begin,
                           unsigned end, Int &accumulator, Int &slow) {
  using F = Fields<format>;
  const int bits = int(model.alignmentBits);
  Int field = (accumulator >> F::fraction) & F::ones, significand = accumulator & ((1 << F::fraction) - 1);
  slow |= field == F::ones;
  significand |= (field != 0) & (1 << F::fraction);
  Int exponent = larger(field, splat(1)) + (F::minimum - 1);
  Int largest = select(significand != 0, larger(exponent, splat(model.minimumExponent)), splat(model.minimumExponent));
  for (unsigned i = begin; i < end; ++i)
    largest = larger(largest, panel.exponent[i] + row.exponent[i]);

  // The accumulator: its fraction becomes `bits` long, to the left or to the right.
  int left = std::max(bits - F::fraction, 0), right = std::max(F::fraction - bits, 0);
  Int cut = shiftedRight(significand << left, largest - exponent + right), sign = -((accumulator >> F::signBit) & 1);
  Long sum = __builtin_convertvector((cut ^ sign) - sign, Long);
  // Products are below 2^(bits + 2): so many of them fit 31 bits.
  const unsigned most = 1u << (29 - bits);
  for (unsigned i = begin; i < end;) {
    unsigned stop = std::min(end, i + most);
    Int part = Int{};
    for (; i < stop; ++i) {
      Int shift = largest - row.exponent[i] - panel.exponent[i];
      Int term = shiftedRight(panel.magnitude[i] * row.magnitude[i], shift), minus = panel.sign[i] ^ row.sign[i];
      part += (term ^ minus) - minus;
    }
    sum += __builtin_convertvector(part, Long);
  }

  // Exact as a double (the magic number turns an integer below 2^51 into one), so the result is a rounded double.
  const Double magic = Double{} + 6755399441055744.0;
  Long magicBits, unitBits = (__builtin_convertvector(largest, Long) + (1023 - bits)) << 52, value;
  std::memcpy(&magicBits, &magic, sizeof magic);
  magicBits += sum;
  Double exact, unit;
  std::memcpy(&exact, &magicBits, sizeof exact);
  std::memcpy(&unit, &unitBits, sizeof unit);
  exact = (exact - magic) * unit;
  std::memcpy(&value, &exact, sizeof value);
  const int drop = 52 - int(model.resultBits);
  if (model.roundToNearest)
    value += ((value >> drop) & 1) + ((int64_t(1) << (drop - 1)) - 1);
  value &= -(int64_t(1) << drop);
  Long nonzero = (value << 1) != 0, resultField = ((value >> 52) & 2047) - (1023 - (1 - F::minimum));
  slow |= __builtin_convertvector(nonzero & ((resultField < 1) | (resultField >= F::ones)), Int);
  Long packed = (resultField << F::fraction) | ((value >> (52 - F::fraction)) & ((1 << F::fraction) - 1));
  packed = (packed & nonzero) | (((value >> 63) & (int64_t(1) << F::signBit)) & nonzero);
  accumulator = __builtin_convertvector(packed, Int);
}

template <ResultFormat format>
TILEC_INLINE void multiplyPanels(const AccumulationModel &model, unsigned productFraction, unsigned m, unsigned n,
                                 unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d) {
  unsigned group = std::min(model.group, k), groups = k / group, order[maxK];
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned i = 0; i < group; ++i)
      order[g * group + i] = positionInRow(model, g, groups, i);
  Panel panel;
  Row row;
  for (unsigned column = 0; column < n; column += lanes) {
    fillPanel(panel, b + column, n, k, order);
    for (unsigned i = 0; i < m; ++i) {
      fillRow(row, a + size_t(i) * k, k, order, model.alignmentBits - productFraction);
      Int initial, slow = panel.special;
      std::memcpy(&initial, c + size_t(i) * n + column, sizeof initial);
      Int accumulator = model.accumulatorInSum ? initial : Int{};
      for (unsigned g = 0; g < groups; ++g)
        sumGroup<format>(model, row, panel, g * group, (g + 1) * group, accumulator, slow);
      if (row.special)
        slow = splat(-1);
      if (!model.accumulatorInSum)
        for (unsigned j = 0; j < lanes; ++j)
          accumulator[j] = int32_t(addNearest(format, uint32_t(accumulator[j]), uint32_t(initial[j])));
      int32_t any = 0;
      for (unsigned j = 0; j < lanes; ++j)
        any |= slow[j];
      if (any)
        for (unsigned j = 0; j < lanes; ++j)
          if (slow[j])
            accumulator[j] = int32_t(accumulateElement(model, productFraction, k, a + size_t(i) * k, b + column + j, n,
                                                       uint32_t(initial[j])));
      std::memcpy(d + size_t(i) * n + column, &accumulator, sizeof accumulator);
    }
  }
}

TILEC_CLONES void multiplyPanelsF32(const AccumulationModel &model, unsigned productFraction, unsigned m, unsigned n,
                                    unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d) {
  multiplyPanels<ResultFormat::F32>(model, productFraction, m, n, k, a, b, c, d);
}

TILEC_CLONES void multiplyPanelsF16(const AccumulationModel &model, unsigned productFraction, unsigned m, unsigned n,
                                    unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d) {
  multiplyPanels<ResultFormat::F16>(model, productFraction, m, n, k, a, b, c, d);
}

} // namespace

void multiplyAccumulateSlowly(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat, unsigned m,
                              unsigned n, unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c,
                              uint32_t *d) {
  unsigned productFraction = fractionBits(aFormat) + fractionBits(bFormat);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j)
      d[size_t(i) * n + j] =
          accumulateElement(model, productFraction, k, a + size_t(i) * k, b + j, n, c[size_t(i) * n + j]);
}

void multiplyAccumulate(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat, unsigned m,
                        unsigned n, unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d) {
  unsigned productFraction = fractionBits(aFormat) + fractionBits(bFormat);
  bool fast = n % lanes == 0 && k <= maxK && k % std::min(model.group, k) == 0 && model.truncate &&
              model.alignmentBits >= productFraction && model.alignmentBits <= 28;
  if (!fast)
    return multiplyAccumulateSlowly(model, aFormat, bFormat, m, n, k, a, b, c, d);
  (model.result == ResultFormat::F32 ? multiplyPanelsF32 : multiplyPanelsF16)(model, productFraction, m, n, k, a, b, c,
                                                                              d);
}

} // namespace tilec::sim

// One element of D = A * B + C, by the definition of AccumulationModel: every case, no speed. Private to this folder.
#ifndef TILEC_LIB_SIMULATOR_TENSOR_ELEMENT_H
#define TILEC_LIB_SIMULATOR_TENSOR_ELEMENT_H

#include "lib/Simulator/Tensor/Model.h"

namespace tilec::sim {

/// The element of a row of A (contiguous) and a column of B (`bStride` apart) with accumulator bits `c`.
/// `productFraction`: the fraction bits of a product of significands.
uint32_t accumulateElement(const AccumulationModel &model, unsigned productFraction, unsigned k, const Unpacked *a,
                           const Unpacked *b, unsigned bStride, uint32_t c);

/// significand * 2^exponent, aligned as if its exponent were `place`.
struct Addend {
  int64_t significand;
  int exponent, place;
};

/// One aligned sum of finite addends and accumulator bits `c`.
uint32_t addAligned(const AccumulationModel &model, unsigned count, const Addend *addends, uint32_t c);

/// x + y of bits in the format, rounded to nearest, NaN canonical: what follows a sum that started at zero.
uint32_t addNearest(ResultFormat format, uint32_t x, uint32_t y);

/// The place along K of product `index` of group `group`, of `groups`.
[[nodiscard]] inline unsigned positionInRow(const AccumulationModel &model, unsigned group, unsigned groups,
                                            unsigned index) {
  unsigned run = model.interleave ? model.interleave : 1;
  if (!model.interleave)
    return group * model.group + index;
  return (index / run * groups + group) * run + index % run;
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TENSOR_ELEMENT_H

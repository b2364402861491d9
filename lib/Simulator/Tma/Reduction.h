/// The arithmetic of bulk reductions, element by element. Source: PTX ISA, `cp.reduce.async.bulk` (valid combinations
/// of operation and type; rounding; f32 flushes subnormal values, f16 and bf16 keep them).
#ifndef TILEC_LIB_SIMULATOR_TMA_REDUCTION_H
#define TILEC_LIB_SIMULATOR_TMA_REDUCTION_H

#include "lib/Simulator/Ptx/Module.h"

#include <cstdint>

namespace tilec::sim {

enum class BulkReduction : uint8_t { None, Add, Min, Max, Inc, Dec, And, Or, Xor };
/// "add", "min", …
const char *bulkReductionName(BulkReduction reduction);

/// Whether the combination exists. `shared`: the destination is shared memory. B32 and B64 stand for bits.
bool isLegalReduction(BulkReduction reduction, ptx::Type type, bool shared);

/// destination = destination (op) source for one element, given and returned in the low bits.
/// Minimum and maximum of f16 and bf16 are those of `min` and `max`: a NaN loses against a number, -0 < +0.
/// Sums of f32 flush subnormal operands and results, those of a tensor of f32 (`keepsSubnormals`) do not.
uint64_t reduceElement(BulkReduction reduction, ptx::Type type, uint64_t destination, uint64_t source,
                       bool keepsSubnormals = false);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TMA_REDUCTION_H

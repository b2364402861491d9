/// The arithmetic of bulk reductions, element by element. Source: PTX ISA, `cp.reduce.async.bulk` (valid combinations
/// of operation and type; rounding).
#ifndef TILEC_LIB_SIMULATOR_TMA_REDUCTION_H
#define TILEC_LIB_SIMULATOR_TMA_REDUCTION_H

#include "lib/Simulator/Ptx/Module.h"

#include <cstdint>

namespace tilec::sim {

/// The operations of `cp.reduce.async.bulk`; None: a copy.
enum class BulkReduction : uint8_t { None, Add, Min, Max, Inc, Dec, And, Or, Xor };
/// "add", "min", …
const char *bulkReductionName(BulkReduction reduction);

/// Whether the combination exists. `shared`: the destination is shared memory. B32 and B64 stand for bits.
bool isLegalReduction(BulkReduction reduction, ptx::Type type, bool shared);

/// destination = destination (op) source for one element, given and returned in the low bits.
/// Minimum and maximum of f16 and bf16 are those of `min` and `max`: a NaN loses against a number, -0 < +0.
/// Sums keep subnormal values, though the ISA says that those of f32 flush them: an H200 flushes (`flushes`) for the
/// tensor type f32.ftz alone. A sum of f64 with a NaN keeps the NaN's bits, the source's before the destination's.
uint64_t reduceElement(BulkReduction reduction, ptx::Type type, uint64_t destination, uint64_t source,
                       bool flushes = false);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TMA_REDUCTION_H

/// Shared memory that an op needs for itself while it runs.
#ifndef LIB_ANALYSIS_SCRATCH_H
#define LIB_ANALYSIS_SCRATCH_H

#include "dialect/Kernel.h"
#include "dialect/Reduce.h"

namespace mlir::tile {
/// Bytes of shared memory through which the warps of a laid-out reduction exchange partial results; 0 where each warp
/// has all it needs. The reduction writes the memory, meets at a barrier and reads it.
[[nodiscard]] int64_t scratchBytes(ReduceOp reduce);
/// Checks what scratchBytes() needs: that every reduction of the kernel has layouts. An error at the op.
LogicalResult verifyReductionsLaidOut(KernelOp kernel);
} // namespace mlir::tile

#endif

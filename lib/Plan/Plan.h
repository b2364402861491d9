/// The plan of a kernel: how many warps work on a tile and how, how deep loads run ahead, in which order programs run.
#ifndef LIB_PLAN_PLAN_H
#define LIB_PLAN_PLAN_H

#include "dialect/Kernel.h"
#include "lib/Target/Target.h"

namespace mlir::tile {

/// The keys of a kernel's plan; lib/Plan/README.md documents them.
struct Plan {
  int64_t warps = 4;
  /// How the warps divide the rows and columns of dots; their product is `warps`.
  int64_t warpsM = 4, warpsN = 1;
  int64_t stages = 1;
  int64_t groupM = 1;
  /// How many blocks an SM must be able to hold at once, which bounds a thread's registers.
  int64_t blocksPerSM = 1;
  /// Writes the keys into the kernel's `plan`.
  void write(KernelOp kernel) const;
};

/// The target that the module names in `tile.target`; an error at the kernel where it names none that is known.
[[nodiscard]] FailureOr<const Target *> targetOf(KernelOp kernel);
/// Chooses a plan that respects the kernel's `schedule`; an error at the kernel where that asks for what cannot be.
[[nodiscard]] FailureOr<Plan> choosePlan(KernelOp kernel, const Target &target);

} // namespace mlir::tile

#endif

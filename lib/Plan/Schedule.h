/// What the author of a kernel demands of its plan.
#ifndef LIB_PLAN_SCHEDULE_H
#define LIB_PLAN_SCHEDULE_H

#include "dialect/Kernel.h"
#include "lib/Target/Target.h"
#include <optional>

namespace mlir::tile {

/// The keys of a kernel's `schedule` that are set; they have the names and meanings of the plan's.
struct Schedule {
  std::optional<int64_t> warps, warpsM, warpsN, stages, groupM, blocksPerSM;
  /// `require = "native"`: products that the target's matrix instructions cannot do as they stand are errors.
  bool requireNative = false;
  /// Reads and checks a kernel's `schedule`; an error at the kernel names what is wrong and what is allowed. Where both
  /// sides of the split are given, `warps` is their product.
  [[nodiscard]] static FailureOr<Schedule> read(KernelOp kernel, const Target &target);
};

} // namespace mlir::tile

#endif

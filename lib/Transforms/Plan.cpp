// Asks lib/Plan for the kernel's plan and writes it down.
#include "lib/Plan/Plan.h"
#include "lib/Transforms/Passes.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILEPLANPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
struct PlanPass : public mlir::tile::impl::TilePlanPassBase<PlanPass> {
  void runOnOperation() override {
    FailureOr<const Target *> target = targetOf(getOperation());
    if (failed(target) || failed(verifyMicroscalingLowered(getOperation())) ||
        failed(verifyViewsAreArguments(getOperation())))
      return signalPassFailure();
    FailureOr<Plan> plan = choosePlan(getOperation(), **target);
    if (failed(plan))
      return signalPassFailure();
    plan->write(getOperation());
  }
};
} // namespace

#include "lib/Pipeline/Pipeline.h"
#include "lib/Conversion/TileToNVVM/TileToNVVM.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tile;

void tile::buildPlanningPipeline(OpPassManager &manager) {
  OpPassManager &kernels = manager.nest<KernelOp>();
  // Parameters are constants by now: fold what depends on them first, so that optional operands disappear.
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createTileDropDeadArgumentsPass());
  // Microscaled values come apart before anything looks at loads and dots. Offsets of scales and lookups of extents are new
  // then, some of them twice, and invariant in loops.
  kernels.addPass(createTileLowerMicroscalingPass());
  kernels.addPass(createCSEPass());
  // Loads and arithmetic that a loop repeats leave it before anything is staged or pipelined.
  kernels.addPass(createLoopInvariantCodeMotionPass());
  // Variants come before the plan: the widest access that a view allows decides layouts and staging.
  manager.addPass(createTileSpecialiseAlignmentPass());
  OpPassManager &variants = manager.nest<KernelOp>();
  variants.addPass(createTilePlanPass());
  // From here on every tile has a layout.
  variants.addPass(createTileAssignLayoutsPass());
  // Staging matches load → relayout → dot, which is what layout assignment leaves; pipelining needs the channels.
  variants.addPass(createTileStagePass());
  variants.addPass(createTilePipelinePass());
  // Slices need to see which copies run ahead; only a chain of slices has a last one that hides the next iteration's reads.
  variants.addPass(createTileSliceDotsPass());
  variants.addPass(createTilePrefetchOperandsPass());
  // What is still a change of layout after staging, and cannot be done within warps, makes buffers: before allocation.
  variants.addPass(createTileLowerRelayoutsPass());
  variants.addPass(createCSEPass());
  // Barriers depend on which buffers share bytes.
  variants.addPass(createTileAllocateSharedPass());
  variants.addPass(createTileInsertBarriersPass());
}

void tile::buildConversionPipeline(OpPassManager &manager) { manager.addPass(createConvertTileToNVVMPass()); }

void tile::registerTilePipelines() {
  PassPipelineRegistration<>("tile-planning", "layouts, staging, channels and barriers, as tilec makes them",
                             buildPlanningPipeline);
  PassPipelineRegistration<>("tile-to-nvvm-pipeline", "everything up to the NVVM dialect", [](OpPassManager &manager) {
    buildPlanningPipeline(manager);
    buildConversionPipeline(manager);
  });
}

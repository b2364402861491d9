/// The order of passes: this is the one place that says it, with the reason wherever order matters.
#ifndef LIB_PIPELINE_PIPELINE_H
#define LIB_PIPELINE_PIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace mlir::tile {
/// From parsed kernels to kernels with layouts, staging, channels and barriers. The module says its target in
/// `tile.target`.
void buildPlanningPipeline(OpPassManager &manager);
/// From there to the LLVM and NVVM dialects.
void buildConversionPipeline(OpPassManager &manager);
/// Both, as `--tile-planning` and `--tile-to-nvvm-pipeline` of tile-opt.
void registerTilePipelines();
} // namespace mlir::tile

#endif

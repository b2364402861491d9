/// The passes on kernels; lib/Pipeline says in which order they run.
#ifndef LIB_TRANSFORMS_PASSES_H
#define LIB_TRANSFORMS_PASSES_H

#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tile {
#define GEN_PASS_DECL
#include "lib/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

#endif

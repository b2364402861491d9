/// From laid-out tiles to the LLVM and NVVM dialects.
#ifndef LIB_CONVERSION_TILETONVVM_TILETONVVM_H
#define LIB_CONVERSION_TILETONVVM_TILETONVVM_H

#include "dialect/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tile {
#define GEN_PASS_DECL
#include "lib/Conversion/TileToNVVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/TileToNVVM/Passes.h.inc"
} // namespace mlir::tile

#endif

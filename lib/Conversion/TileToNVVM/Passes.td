// The conversion to NVVM.
#ifndef LIB_CONVERSION_TILETONVVM_PASSES_TD
#define LIB_CONVERSION_TILETONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToNVVMPass : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "emit each kernel as an LLVM function";
  let description = [{
    Turns every `tile.kernel` of the module into an `llvm.func` for the target that `tile.target` names. Expects fully
    laid-out kernels whose shared memory has offsets and whose barriers are placed. The result holds only the LLVM and
    NVVM dialects. One op is emitted after the other, in order: each thread's part of a tile becomes a list of
    registers, and there are no intermediate casts. Parameters of the function are as
    lib/Codegen/KernelInterface.h says. No numeric effect beyond what the ops document.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif

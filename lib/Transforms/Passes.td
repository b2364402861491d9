// The passes on kernels. Each does one thing; the order is in lib/Pipeline.
#ifndef LIB_TRANSFORMS_PASSES_TD
#define LIB_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class TilePass<string argument> : Pass<argument, "::mlir::tile::KernelOp"> {
  let dependentDialects = ["::mlir::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif

// The language server for kernel files: MLIR's server, which parses a file as it is typed, with the dialects of kernels.
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  // Those of tile-opt, so that every stage of the road opens.
  registry.insert<mlir::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  return failed(mlir::MlirLspServerMain(argc, argv, registry)) ? EXIT_FAILURE : EXIT_SUCCESS;
}

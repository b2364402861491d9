// Runs passes on `.mlir` text: the tool that tests of the dialect and of single passes use.
#include "dialect/Tile.h"
#include "lib/Conversion/TileToNVVM/TileToNVVM.h"
#include "lib/Pipeline/Pipeline.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  mlir::registerTransformsPasses();
  mlir::tile::registerTileTransformsPasses();
  mlir::tile::registerTileToNVVMPasses();
  mlir::tile::registerTilePipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tile-opt: passes on the tile dialect\n", registry));
}

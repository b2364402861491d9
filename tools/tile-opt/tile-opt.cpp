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
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace {
/// Runs before all other passes: tiles outside kernels are not for them.
struct TilesInKernelsPass : mlir::PassWrapper<TilesInKernelsPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TilesInKernelsPass)
  void runOnOperation() override {
    if (failed(mlir::tile::verifyTilesInKernels(getOperation())))
      signalPassFailure();
  }
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  mlir::registerTransformsPasses();
  mlir::tile::registerTileTransformsPasses();
  mlir::tile::registerTileToNVVMPasses();
  mlir::tile::registerTilePipelines();
  auto [inputName, outputName] =
      mlir::registerAndParseCLIOptions(argc, argv, "tile-opt: passes on the tile dialect\n", registry);
  const auto commandLine = mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::MlirOptMainConfig config = commandLine;
  config.setPassPipelineSetupFn([&](mlir::PassManager &manager) {
    manager.addPass(std::make_unique<TilesInKernelsPass>());
    return commandLine.setupPassPipeline(manager);
  });

  std::string error;
  auto input = mlir::openInputFile(inputName, &error);
  auto output = input ? mlir::openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << "tile-opt: error: " << error << "\n";
    return EXIT_FAILURE;
  }
  if (failed(mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return EXIT_FAILURE;
  output->keep();
  return EXIT_SUCCESS;
}

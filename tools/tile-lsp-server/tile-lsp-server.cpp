// The language server for kernel files: MLIR's server, which parses a file as it is typed, with the dialects of kernels
// and the documentation of their ops.
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tools/tile-lsp-server/Relay.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  // Those of tile-opt, so that every stage of the road opens.
  registry.insert<mlir::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  auto server = [&] { return failed(mlir::MlirLspServerMain(argc, argv, registry)) ? EXIT_FAILURE : EXIT_SUCCESS; };
  // The server's options are for its own tests and for --help; with those that change the form of messages, or end at
  // once, nothing is relayed.
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef option = llvm::StringRef(argv[i]).ltrim('-');
    if (!option.starts_with("log") && !option.starts_with("pretty"))
      return server();
  }
  return mlir::tile::relayWithDocumentation(server);
}

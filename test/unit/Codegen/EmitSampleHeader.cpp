/// Writes the header of the sample kernels to the file given; the build compiles it into a host program.
#include "lib/Codegen/LaunchHeader.h"
#include "test/unit/Codegen/SampleKernels.h"

#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  mlir::tile::HeaderOptions options;
  options.source = "sample.mlir";
  llvm::Expected<std::string> header = mlir::tile::emitLaunchHeader(sample::all(), options);
  if (!header) {
    llvm::errs() << llvm::toString(header.takeError()) << "\n";
    return 1;
  }
  std::error_code error;
  llvm::raw_fd_ostream file(argv[1], error);
  if (error)
    return 1;
  file << *header;
  return 0;
}

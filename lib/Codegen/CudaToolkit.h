/// Where the two files of NVIDIA's that tilec can use, ptxas and libdevice, are looked for. Both are optional.
#ifndef TILEC_LIB_CODEGEN_CUDATOOLKIT_H
#define TILEC_LIB_CODEGEN_CUDATOOLKIT_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::tile {

/// Finds a file of the CUDA toolkit. Order: the environment variable `variable`, which names the file itself and is an
/// error if that does not exist; each of `suffixes` below `CUDA_HOME`, `CUDA_PATH` and /usr/local/cuda; each of
/// `otherPaths`; each of `suffixes` in the wheels that tools/setup/setup.sh installs (`<build>/cuda/nvidia/cu13`) and
/// in those of the active Python environment (`VIRTUAL_ENV`). `what` names the file and `wheel` the pip package in the
/// error, which lists every place that was tried.
llvm::Expected<std::string> findCudaFile(StringRef variable, ArrayRef<StringRef> suffixes,
                                         ArrayRef<StringRef> otherPaths, StringRef what, StringRef wheel);

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_CUDATOOLKIT_H

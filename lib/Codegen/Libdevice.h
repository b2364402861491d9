/// CUDA's libdevice: the bitcode library of `__nv_…` maths functions that LLVM's NVPTX back end has no code for itself.
#ifndef TILEC_LIB_CODEGEN_LIBDEVICE_H
#define TILEC_LIB_CODEGEN_LIBDEVICE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Module;
}

namespace mlir::tile {

/// Finds libdevice.10.bc. Looks, in this order, at `TILEC_LIBDEVICE` (the file itself), `CUDA_HOME`, `CUDA_PATH`,
/// /usr/local/cuda, the build's own wheel folder, the nvidia-nvvm wheel of the Python environment that is active
/// (`VIRTUAL_ENV`), and Debian's package. Returns the path, or an error that lists the places tried and the remedy.
llvm::Expected<std::string> findLibdevice();

/// The name of one declared, undefined `__nv_…` function that `module` uses, or an empty string.
std::string undefinedLibdeviceFunction(const llvm::Module &module);

/// Links those functions of the libdevice file at `path` that `module` uses, gives them internal linkage, so that what
/// is not called after inlining disappears, and sets the flag that their `__nvvm_reflect("__CUDA_FTZ")` asks for.
/// `module` must have its triple and data layout already.
llvm::Error linkLibdevice(llvm::Module &module, StringRef path, bool flushDenormals);

} // namespace mlir::tile

#endif // TILEC_LIB_CODEGEN_LIBDEVICE_H

/// What the host has to know about planned kernels.
#ifndef LIB_PIPELINE_DESCRIBEKERNELS_H
#define LIB_PIPELINE_DESCRIBEKERNELS_H

#include "lib/Codegen/KernelInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::tile {
/// Describes the kernels of a module that has been planned for one target: one interface per kernel with one configuration
/// and no images, and beside it the variants of each kernel in the order in which the launcher tries them.
FailureOr<std::vector<std::pair<KernelInterface, std::vector<KernelVariant>>>> describeKernels(ModuleOp planned);
} // namespace mlir::tile

#endif

/// Kernels, their program space and facts about arguments; documented in dialect/Kernel.td.
#ifndef DIALECT_KERNEL_H
#define DIALECT_KERNEL_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Kernel.h.inc"

namespace mlir::tile {
/// Refuses tiles, views and other types of the dialect outside kernels, with a diagnostic at the first such value. Ops
/// of arith at the top of a module can have them, and no verifier of an op sees that: callers check a parsed module
/// once, before any pass.
LogicalResult verifyTilesInKernels(Operation *root);
/// Refuses views that a kernel's body chooses or carries, with an error at the op: accesses need to know of which
/// argument a view is. Call it once `canonicalize` has folded what constants decide.
LogicalResult verifyViewsAreArguments(KernelOp kernel);
} // namespace mlir::tile

#endif

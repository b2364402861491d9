/// Kernels, their program space and facts about arguments; documented in dialect/Kernel.td.
#ifndef DIALECT_KERNEL_H
#define DIALECT_KERNEL_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/IR/SymbolTable.h"

#define GET_OP_CLASSES
#include "dialect/Kernel.h.inc"

#endif

/// Loads and stores on views; documented in dialect/Memory.td.
#ifndef DIALECT_MEMORY_H
#define DIALECT_MEMORY_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Memory.h.inc"

#endif

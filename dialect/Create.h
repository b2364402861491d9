/// Making and reshaping tiles; documented in dialect/Create.td.
#ifndef DIALECT_CREATE_H
#define DIALECT_CREATE_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Create.h.inc"

#endif

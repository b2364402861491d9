/// Selection and casts; documented in dialect/Elementwise.td.
#ifndef DIALECT_ELEMENTWISE_H
#define DIALECT_ELEMENTWISE_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Elementwise.h.inc"

#endif

/// Matrix products; documented in dialect/Dot.td.
#ifndef DIALECT_DOT_H
#define DIALECT_DOT_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Dot.h.inc"

#endif

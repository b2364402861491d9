/// Channels; documented in dialect/Channel.td.
#ifndef DIALECT_CHANNEL_H
#define DIALECT_CHANNEL_H

#include "dialect/Shared.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Channel.h.inc"

#endif

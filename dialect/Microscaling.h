/// Microscaled tiles: documented in dialect/Microscaling.td.
#ifndef DIALECT_MICROSCALING_H
#define DIALECT_MICROSCALING_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/Microscaling.h.inc"

namespace mlir::tile {
/// Refuses a kernel that still has microscaled values or views, with an error at the first: for passes that need what
/// `tile-lower-microscaling` leaves.
LogicalResult verifyMicroscalingLowered(Operation *kernel);
} // namespace mlir::tile

#endif

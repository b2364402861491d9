/// Shared memory, layouts and asynchronous copies; documented in dialect/Shared.td.
#ifndef DIALECT_SHARED_H
#define DIALECT_SHARED_H

#include "dialect/TileTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tile {
/// The effect resource of shared memory: apart from global memory, so that loads from views move across it.
struct SharedMemory : public SideEffects::Resource::Base<SharedMemory> {
  StringRef getName() override { return "SharedMemory"; }
};
} // namespace mlir::tile

#define GET_OP_CLASSES
#include "dialect/Shared.h.inc"

#endif

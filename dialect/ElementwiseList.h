/// Which ops of other dialects may work on tiles. One table for the verifier, the passes and the lowering.
#ifndef DIALECT_ELEMENTWISELIST_H
#define DIALECT_ELEMENTWISELIST_H

#include "mlir/IR/Operation.h"

namespace mlir::tile {
/// True for ops of arith and math that work element by element on tiles: one result, operands and result of one shape,
/// no memory. `arith.constant` and scalar-condition `arith.select` are among them.
[[nodiscard]] bool isElementwise(Operation *op);
/// True for ops of arith that change the type of a scalar; on tiles `tile.cast` does that.
[[nodiscard]] bool isScalarCast(Operation *op);
/// True for ops that may appear in a kernel at all. Ops of unregistered dialects may not.
[[nodiscard]] bool isAllowedInKernel(Operation *op);
} // namespace mlir::tile

#endif

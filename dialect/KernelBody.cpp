// What may stand in a kernel. The verifiers of arith and math know nothing of layouts, storage floats or the list of
// ops that have a lowering, so the kernel checks its whole body: each op against the list, each type against the types
// that a kernel computes with.
#include "dialect/ElementwiseList.h"
#include "dialect/Kernel.h"
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

static bool isTileDialectType(Type type) { return isa<TileDialect>(type.getDialect()); }

/// Tiles, memory of this dialect, index, and the scalars that can be elements.
static bool isKernelType(Type type) { return isTileDialectType(type) || type.isIndex() || isElementType(type); }

/// Results and block arguments are of types that a kernel computes with.
static LogicalResult verifyTypes(Operation *op) {
  auto refuse = [&](StringRef what, Type type) -> LogicalResult {
    InFlightDiagnostic diag = op->emitOpError("expects ") << what << " to be tiles or scalars, but got " << type;
    diag.attachNote() << "scalars are index, " << elementTypeNames();
    return diag;
  };
  for (Type type : op->getResultTypes())
    if (!isKernelType(type))
      return refuse("results", type);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (!isKernelType(type))
          return refuse("values of its region", type);
  return success();
}

/// What arith and math themselves do not check of an elementwise op.
static LogicalResult verifyElementwise(Operation *op) {
  bool isArithmetic = !isa<arith::ConstantOp, arith::SelectOp>(op);
  TileType first;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    if (isArithmetic && isStorageType(elementOrSelf(type))) {
      InFlightDiagnostic diag = op->emitOpError("has no arithmetic on ") << elementOrSelf(type);
      diag.attachNote() << "'tile.cast' to f16, bf16 or f32 first, and back afterwards";
      return diag;
    }
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      continue;
    if (first && tile.getLayout() != first.getLayout()) {
      InFlightDiagnostic diag = op->emitOpError("expects operands and results to have one layout, but got ")
                                << first << " and " << tile;
      diag.attachNote() << "use 'tile.relayout' between them";
      return diag;
    }
    first = tile;
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (constant && first && !isa<DenseElementsAttr>(constant.getValue()))
    return op->emitOpError("expects tiles to be written as 'dense<…>', found ") << constant.getValue();
  return success();
}

LogicalResult KernelOp::verifyBody() {
  WalkResult result = getBody().walk([](Operation *op) -> WalkResult {
    if (!isAllowedInKernel(op))
      return op->emitOpError("is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and "
                             "'math' that dialect/README.md lists");
    if (failed(verifyTypes(op)))
      return failure();
    return isElementwise(op) ? verifyElementwise(op) : success();
  });
  return failure(result.wasInterrupted());
}

LogicalResult KernelOp::verifyTypeChanges() {
  WalkResult result = getBody().walk([](Operation *op) -> WalkResult {
    if (isa<arith::SelectOp>(op)) {
      Type condition = op->getNumOperands() ? op->getOperand(0).getType() : Type();
      if (!isa_and_nonnull<TileType>(condition))
        return success();
      InFlightDiagnostic diag = op->emitOpError("expects condition to be an i1, but got ") << condition;
      diag.attachNote() << "use 'tile.select' to choose element by element";
      return diag;
    }
    if (!isScalarCast(op))
      return success();
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
      if (!isa<TileType>(type))
        continue;
      InFlightDiagnostic diag = op->emitOpError("expects scalars, but got ") << type;
      if (isa<arith::BitcastOp>(op))
        diag.attachNote() << "'tile.bitcast' keeps the bits of a tile, 'tile.cast' its values";
      else
        diag.attachNote() << "use 'tile.cast' to change the element type of a tile";
      return diag;
    }
    return success();
  });
  return failure(result.wasInterrupted());
}

LogicalResult tile::verifyViewsAreArguments(KernelOp kernel) {
  auto refuse = [](Operation *op, ViewType view) -> WalkResult {
    InFlightDiagnostic diag = op->emitOpError("expects views to be arguments of the kernel, or 'tile.packed_view' of "
                                              "them, but chooses or carries one of ")
                              << view;
    diag.attachNote() << "choose between the tiles that are loaded instead";
    return diag;
  };
  // The outermost op first, as those inside follow from it.
  WalkResult result = kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (!isa<PackedViewOp>(op))
      for (Type type : op->getResultTypes())
        if (auto view = dyn_cast<ViewType>(type))
          return refuse(op, view);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (auto view = dyn_cast<ViewType>(type))
            return refuse(op, view);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult tile::verifyTilesInKernels(Operation *root) {
  auto refuse = [](Location loc, Type type) -> WalkResult {
    return emitError(loc) << "expected values of " << type << " only inside 'tile.kernel'";
  };
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    for (Type type : op->getResultTypes())
      if (isTileDialectType(type))
        return refuse(op->getLoc(), type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (isTileDialectType(argument.getType()))
            return refuse(argument.getLoc(), argument.getType());
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

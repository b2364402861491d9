// Checks and folds of kernels, their program space and facts about arguments. The text form is in KernelSyntax.cpp.
#include "dialect/Kernel.h"
#include "dialect/ElementwiseList.h"
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Kernel.cpp.inc"

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

/// Blocks are named after the arguments in the text, so that printed IR reads like the source.
void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  unsigned arguments = getArgNames().size();
  for (BlockArgument argument : region.getArguments()) {
    unsigned i = argument.getArgNumber();
    ArrayAttr names = i < arguments ? getArgNames() : getCoordinateNames();
    i = i < arguments ? i : i - arguments;
    if (i < names.size())
      setName(argument, cast<StringAttr>(names[i]).getValue());
  }
}

int64_t KernelOp::planned(StringRef key, int64_t otherwise) {
  if (DictionaryAttr plan = getPlanAttr())
    if (auto value = plan.getAs<IntegerAttr>(key))
      return value.getInt();
  return otherwise;
}

void KernelOp::setPlanned(StringRef key, int64_t value) {
  NamedAttrList plan(getPlanAttr());
  plan.set(key, IntegerAttr::get(IntegerType::get(getContext(), 64), value));
  setPlanAttr(plan.getDictionary(getContext()));
}

LogicalResult KernelOp::verify() {
  if (isa_and_nonnull<KernelOp>((*this)->getParentOp()))
    return emitOpError("expects to stand at the top of a module, found inside another kernel");
  if (getSteps().empty())
    return emitOpError("expects at least one program coordinate");
  for (int64_t step : getSteps())
    if (step <= 0)
      return emitOpError("expects positive steps in 'by', found ") << step;
  for (auto dictionary : {getScheduleAttr(), getPlanAttr()})
    if (dictionary)
      for (NamedAttribute entry : dictionary)
        if (!isa<IntegerAttr, StringAttr, UnitAttr>(entry.getValue()))
          return emitOpError("expects integers and strings in schedule and plan, found ") << entry.getValue();
  return success();
}

static LogicalResult verifyArguments(KernelOp kernel, Region &region, unsigned expected, StringRef what) {
  if (region.empty() || region.getNumArguments() != expected)
    return kernel.emitOpError("expects ") << what << " to have " << expected << " arguments";
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  unsigned arguments = getArgNames().size(), coordinates = getCoordinateNames().size();
  if (coordinates != getSteps().size())
    return emitOpError("expects one step per coordinate, got ") << getSteps().size() << " and " << coordinates;
  if (failed(verifyArguments(*this, getBody(), arguments + coordinates, "the body")) ||
      failed(verifyArguments(*this, getSpace(), arguments, "the program space")))
    return failure();
  for (BlockArgument argument : getKernelArguments())
    if (!isa<ViewType, MxViewType, IndexType, IntegerType, FloatType>(argument.getType()))
      return emitOpError("expects arguments to be views or scalars, but '")
             << argumentName(argument.getArgNumber()) << "' has type " << argument.getType();
  auto extents = dyn_cast<ExtentsOp>(getSpace().front().getTerminator());
  if (!extents)
    return emitOpError("expects the program space to end in 'tile.extents'");
  if (extents.getExtents().size() != coordinates)
    return extents.emitOpError("expects one extent per coordinate, got ")
           << extents.getExtents().size() << " and " << coordinates;
  for (Operation &op : getSpace().front())
    if (!isPure(&op))
      return op.emitOpError("is not allowed in a program space: expected pure index arithmetic");
  if (!isa<ReturnOp>(getBody().front().getTerminator()))
    return emitOpError("expects the body to end in 'tile.return'");

  WalkResult result = getBody().walk([&](Operation *op) -> WalkResult {
    if (!isAllowedInKernel(op))
      return op->emitOpError("is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and "
                             "'math' that dialect/README.md lists");
    if (isa<KernelOp>(op))
      return op->emitOpError("expects to stand at the top of a module, found inside another kernel");
    bool works = isElementwise(op);
    LayoutAttr layout;
    bool seen = false;
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
      auto tile = dyn_cast<TileType>(type);
      if (!tile || !works)
        continue;
      if (isStorageFloat(tile.getElementType()) && !isa<arith::ConstantOp, arith::SelectOp>(op)) {
        InFlightDiagnostic diag = op->emitOpError("has no arithmetic on ") << tile.getElementType();
        diag.attachNote() << "'tile.cast' to f16, bf16 or f32 first, and back afterwards";
        return diag;
      }
      if (seen && tile.getLayout() != layout)
        return op->emitOpError("expects operands and results to have one layout; use 'tile.relayout' between them");
      layout = tile.getLayout();
      seen = true;
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// DimOp, AssumeOp
//===----------------------------------------------------------------------===//

LogicalResult DimOp::verify() {
  int64_t rank = cast<ViewType>(getView().getType()).getShape().size();
  if (getAxis() >= static_cast<uint64_t>(rank))
    return emitOpError("expects axis to be below the view's rank of ") << rank << ", found " << getAxis();
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  int64_t extent = cast<ViewType>(getView().getType()).getShape()[getAxis()];
  if (ShapedType::isDynamic(extent))
    return {};
  return IntegerAttr::get(IndexType::get(getContext()), extent);
}

LogicalResult AssumeOp::verify() {
  if (!getDivisible() && !getRange())
    return emitOpError("expects 'divisible' or 'range'");
  if (auto range = getRange(); range && (range->size() != 2 || (*range)[0] > (*range)[1]))
    return emitOpError("expects range to be [lowest, highest]");
  return success();
}

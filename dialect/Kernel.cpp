// Checks and folds of kernels, their program space and facts about arguments. The text form is in KernelSyntax.cpp.
#include "dialect/Kernel.h"
#include "dialect/ElementwiseList.h"
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallSet.h"

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

/// A C identifier: PTX entries, C++ launchers and text without quotes have this in common.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Arguments and coordinates name parameters of C++ and values of the text, so each has a name of its own.
static LogicalResult verifyNames(KernelOp kernel) {
  llvm::SmallSet<StringRef, 8> seen;
  for (ArrayAttr names : {kernel.getArgNames(), kernel.getCoordinateNames()})
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      if (!isIdentifier(name))
        return kernel.emitOpError(
                   "expects names of arguments and coordinates to be of letters, digits and '_', found '")
               << name << "'";
      if (!seen.insert(name).second)
        return kernel.emitOpError("expects arguments and coordinates to have different names, found '")
               << name << "' twice";
    }
  return success();
}

/// Entries are `{name = "BM", value = 128 : index, values = [64, 128]}`; the text form needs all three.
static LogicalResult verifyTune(KernelOp kernel) {
  for (Attribute attr : kernel.getTuneAttr()) {
    auto entry = dyn_cast<DictionaryAttr>(attr);
    auto name = entry ? entry.getAs<StringAttr>("name") : StringAttr();
    if (!name || !entry.get("value") || !entry.getAs<ArrayAttr>("values") || entry.size() != 3)
      return kernel.emitOpError("expects entries of tune to have a name, a value and values, found ") << attr;
    if (!isIdentifier(name))
      return kernel.emitOpError("expects names in tune to be of letters, digits and '_', found ") << name;
    if (entry.getAs<ArrayAttr>("values").empty())
      return kernel.emitOpError("expects at least one value of ") << name << " in tune";
  }
  return success();
}

/// Schedule and plan hold strings, and integers that `KernelOp::planned` can read.
static LogicalResult verifyChoices(KernelOp kernel, DictionaryAttr choices) {
  for (NamedAttribute entry : choices) {
    auto integer = dyn_cast<IntegerAttr>(entry.getValue());
    if (integer ? !integer.getType().isSignlessIntOrIndex() || integer.getValue().getBitWidth() > 64
                : !isa<StringAttr, UnitAttr>(entry.getValue()))
      return kernel.emitOpError("expects integers of at most 64 bits and strings in schedule and plan, found ")
             << entry.getName() << " = " << entry.getValue();
  }
  return success();
}

/// The body takes the arguments and one index per coordinate; the space takes the arguments.
static LogicalResult verifyRegionArguments(KernelOp kernel) {
  unsigned arguments = kernel.getArgNames().size(), coordinates = kernel.getCoordinateNames().size();
  Region &body = kernel.getBody(), &space = kernel.getSpace();
  if (!body.hasOneBlock())
    return kernel.emitOpError("expects a body of one block, found ")
           << body.getBlocks().size() << "; branches are 'scf.if', loops 'scf.for' and 'scf.while'";
  if (body.getNumArguments() != arguments + coordinates)
    return kernel.emitOpError("expects the body to take ")
           << arguments + coordinates << " values, the arguments and the coordinates, found " << body.getNumArguments();
  if (space.getNumArguments() != arguments)
    return kernel.emitOpError("expects the program space to take the ")
           << arguments << " arguments, found " << space.getNumArguments();
  for (unsigned i = 0; i < arguments; ++i) {
    Type type = body.getArgument(i).getType();
    if (!isa<ViewType, MxViewType, IndexType>(type) && !isElementType(type))
      return kernel.emitOpError("expects arguments to be views or scalars, but '")
             << kernel.argumentName(i) << "' has type " << type;
    if (space.getArgument(i).getType() != type)
      return kernel.emitOpError("expects body and program space to take the same arguments, but '")
             << kernel.argumentName(i) << "' has types " << type << " and " << space.getArgument(i).getType();
  }
  for (BlockArgument coordinate : kernel.getCoordinates())
    if (!coordinate.getType().isIndex())
      return kernel.emitOpError("expects coordinates of type index, found ") << coordinate.getType();
  return success();
}

LogicalResult KernelOp::verify() {
  if (isa_and_nonnull<KernelOp>((*this)->getParentOp()))
    return emitOpError("expects to stand at the top of a module, found inside another kernel");
  if (!isIdentifier(getSymName()))
    return emitOpError("expects a name of letters, digits and '_', found '") << getSymName() << "'";
  if (getSteps().empty())
    return emitOpError("expects at least one program coordinate");
  if (getCoordinateNames().size() != getSteps().size())
    return emitOpError("expects one step per coordinate, got ")
           << getSteps().size() << " and " << getCoordinateNames().size();
  for (int64_t step : getSteps())
    if (step <= 0)
      return emitOpError("expects positive steps in 'by', found ") << step;
  if (failed(verifyNames(*this)))
    return failure();
  if (getTuneAttr() && failed(verifyTune(*this)))
    return failure();
  for (DictionaryAttr choices : {getScheduleAttr(), getPlanAttr()})
    if (choices && failed(verifyChoices(*this, choices)))
      return failure();
  if (failed(verifyRegionArguments(*this)))
    return failure();
  // Before arith's own verifiers, which refuse these without saying what to use instead.
  return verifyTypeChanges();
}

/// Every op of the space can be emitted as C++ and as device code.
static LogicalResult verifySpace(KernelOp kernel) {
  auto extents = dyn_cast<ExtentsOp>(kernel.getSpace().front().getTerminator());
  if (!extents)
    return kernel.emitOpError("expects the program space to end in 'tile.extents'");
  size_t coordinates = kernel.getCoordinateNames().size();
  if (extents.getExtents().size() != coordinates)
    return extents.emitOpError("expects one extent per coordinate, got ")
           << extents.getExtents().size() << " and " << coordinates;
  auto isInteger = [](Type type) { return type.isIntOrIndex(); };
  for (Operation &op : kernel.getSpace().front()) {
    bool isArithmetic = isa_and_nonnull<arith::ArithDialect>(op.getDialect()) &&
                        (isElementwise(&op) || isScalarCast(&op)) && llvm::all_of(op.getOperandTypes(), isInteger) &&
                        llvm::all_of(op.getResultTypes(), isInteger);
    if (!isArithmetic && !isa<DimOp, AssumeOp, ExtentsOp>(op))
      return op.emitOpError("is not allowed in a program space: expected 'tile.dim', 'tile.assume' or 'arith' on "
                            "integers");
    if (!isPure(&op))
      return op.emitOpError("is not allowed in a program space: expected a divisor that is a constant other than 0");
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (!isa<ReturnOp>(getBody().front().getTerminator()))
    return emitOpError("expects the body to end in 'tile.return'");
  if (failed(verifySpace(*this)))
    return failure();
  return verifyBody();
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

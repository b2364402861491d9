// Checks and text form of reductions.
#include "dialect/Reduce.h"

using namespace mlir;
using namespace mlir::tile;

/// `combine(%a: f32, %b: f32) { … }`
static ParseResult parseCombineRegion(OpAsmParser &parser, Region &region) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  return parser.parseRegion(region, arguments);
}

static void printCombineRegion(OpAsmPrinter &printer, Operation *, Region &region) {
  printer << "(";
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "dialect/Reduce.cpp.inc"

LogicalResult ReduceOp::verify() {
  if (getOperands().empty())
    return emitOpError("expects at least one operand");
  if (getOperands().size() != getResults().size())
    return emitOpError("expects one result per operand, got ")
           << getResults().size() << " and " << getOperands().size();
  auto first = cast<TileType>(getOperands().front().getType());
  if (getAxis() >= first.getShape().size())
    return emitOpError("expects axis to be below the rank of ") << first.getShape().size() << ", found " << getAxis();
  SmallVector<int64_t> expected(first.getShape());
  expected.erase(expected.begin() + getAxis());
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    auto type = cast<TileType>(operand.getType());
    if (type.getShape() != first.getShape() || type.getLayout() != first.getLayout())
      return emitOpError("expects all operands to have one shape and layout, but got ") << first << " and " << type;
    auto tile = dyn_cast<TileType>(result.getType());
    Type element = tile ? tile.getElementType() : result.getType();
    ArrayRef<int64_t> shape = tile ? tile.getShape() : ArrayRef<int64_t>();
    if (element != type.getElementType() || shape != ArrayRef<int64_t>(expected)) {
      InFlightDiagnostic diag = emitOpError("expects a result of ");
      if (expected.empty())
        diag << type.getElementType();
      else
        diag << TileType::get(expected, type.getElementType());
      return diag << ", found " << result.getType();
    }
    if (!tile)
      continue;
    if (static_cast<bool>(tile.getLayout()) != static_cast<bool>(type.getLayout()) ||
        (tile.getLayout() && !(type.distribution().slice(getAxis()) == tile.distribution())))
      return emitOpError("expects the result's layout to be the operand's without the axis");
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  Block &block = getCombine().front();
  size_t n = getOperands().size();
  if (block.getNumArguments() != 2 * n)
    return emitOpError("expects combine to take ") << 2 * n << " values, found " << block.getNumArguments();
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getValues().size() != n)
    return yield.emitOpError("expects ") << n << " values, found " << yield.getValues().size();
  for (size_t i = 0; i < n; ++i) {
    Type element = cast<TileType>(getOperands()[i].getType()).getElementType();
    for (Type type :
         {block.getArgument(i).getType(), block.getArgument(n + i).getType(), yield.getValues()[i].getType()})
      if (type != element)
        return emitOpError("expects combine to take and yield ")
               << element << " for operand " << i << ", found " << type;
  }
  auto isTile = llvm::IsaPred<TileType>;
  for (Operation &op : block)
    if (!isPure(&op) || llvm::any_of(op.getOperandTypes(), isTile) || llvm::any_of(op.getResultTypes(), isTile))
      return op.emitOpError("is not allowed in a combine region: expected pure scalar arithmetic");
  return success();
}

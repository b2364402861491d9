// Microscaled values are a convenience of the author: elements and scales cannot be parted by mistake. Layouts, staging
// and instructions want them apart. One walk in program order keeps for each microscaled value what it has become and
// makes ordinary ops of those that use it. Values that regions carry are carried in parts: blocks get an argument for
// each part, and the op is made anew around its regions once their yields are known. That order, and not a conversion
// of types, is what a view needs: its type does not say of which views it was joined.
#include "lib/Transforms/LowerMicroscaling.h"
#include "lib/Analysis/ScaledDots.h"
#include "lib/Plan/Plan.h"
#include "lib/Transforms/Passes.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILELOWERMICROSCALINGPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

static bool isMicroscaled(Type type) { return isa<MxType, MxViewType>(type); }
static bool isMicroscaled(Value value) { return isMicroscaled(value.getType()); }

SmallVector<Value> MxParts::values() const {
  SmallVector<Value> all{elements, scales};
  if (tensor)
    all.push_back(tensor);
  return all;
}

bool MxParts::hasFormOf(const MxParts &other) const {
  return ValueRange(values()).getTypes() == ValueRange(other.values()).getTypes() && transposed == other.transposed;
}

namespace {
/// The state of the walk over one kernel.
class Lowering {
public:
  explicit Lowering(KernelOp kernel) : kernel(kernel), builder(kernel.getContext()) {}
  LogicalResult run();

private:
  void learnOffsets();
  LogicalResult lowerBlock(Block &block);
  LogicalResult lower(Operation *op);
  LogicalResult lower(scf::ForOp loop);
  LogicalResult lower(scf::WhileOp loop);
  LogicalResult lower(scf::IfOp branch);
  LogicalResult lower(arith::SelectOp select);
  LogicalResult lower(MxViewOp view);
  LogicalResult lower(MxLoadOp load);
  LogicalResult lower(MxStoreOp store);
  LogicalResult lower(LoadScalesOp load);
  LogicalResult lower(StoreScalesOp store);
  LogicalResult lower(MxPackOp pack);
  LogicalResult lower(MxUnpackOp unpack);
  LogicalResult lower(QuantizeOp quantize);
  LogicalResult lower(DequantizeOp dequantize);
  LogicalResult lower(RequantizeOp requantize);
  LogicalResult lower(DotOp dot);

  /// The parts in place of each microscaled value, and the others.
  SmallVector<Value> expanded(ValueRange values);
  /// Gives a block arguments with the parts of the microscaled ones, which get the forms of `forms`, one per argument
  /// from `first` on. The old arguments stay until `dropSplit`.
  void split(Block &block, unsigned first, ValueRange forms);
  static void dropSplit(Block &block);
  /// Passes on parts from a terminator; each microscaled value must have the form of that of `forms`.
  LogicalResult passOn(Operation *terminator, MutableOperandRange operands, ValueRange forms);
  /// The op with these operands around its regions, and results for the parts of `forms`, one per result.
  void rebuild(Operation *op, ValueRange operands, ValueRange forms);
  MxAccess access(Operation *op, Value view, ValueRange offsets);
  /// A tile without a layout, as the parts of values have none, and back.
  Value open(Value tile);
  void replace(Operation *op, ValueRange values);
  /// Notes that nothing needs the op any more.
  void done(Operation *op);

  KernelOp kernel;
  OpBuilder builder;
  DenseMap<Value, MxParts> parts;
  /// Learnt while the kernel is whole, as the analysis looks at loops.
  DenseMap<Operation *, SmallVector<OffsetFact>> offsetFacts;
  SmallVector<Operation *> dead;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values that regions carry
//===----------------------------------------------------------------------===//

SmallVector<Value> Lowering::expanded(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values) {
    if (isMicroscaled(value))
      llvm::append_range(result, parts.at(value).values());
    else
      result.push_back(value);
  }
  return result;
}

void Lowering::split(Block &block, unsigned first, ValueRange forms) {
  auto old = llvm::to_vector(block.getArguments().drop_front(first));
  for (auto [argument, form] : llvm::zip(old, forms)) {
    if (!isMicroscaled(argument))
      continue;
    MxParts like = parts.at(form), own;
    unsigned at = argument.getArgNumber();
    own.transposed = like.transposed;
    own.elements = block.insertArgument(++at, like.elements.getType(), argument.getLoc());
    own.scales = block.insertArgument(++at, like.scales.getType(), argument.getLoc());
    if (like.tensor)
      own.tensor = block.insertArgument(++at, like.tensor.getType(), argument.getLoc());
    parts[argument] = own;
  }
}

void Lowering::dropSplit(Block &block) {
  block.eraseArguments([](BlockArgument argument) { return isMicroscaled(argument); });
}

/// An error at the op where views of different forms meet; notes at the parties may follow.
static InFlightDiagnostic refuseMeeting(Operation *op) {
  return op->emitOpError("expects microscaled views that meet to be joined of views of one type, all of them "
                         "'transposed' or none");
}
static constexpr StringLiteral meetingRemedy = "choose between the tiles that are loaded instead";

LogicalResult Lowering::passOn(Operation *terminator, MutableOperandRange operands, ValueRange forms) {
  SmallVector<Value> values;
  for (OpOperand &operand : operands)
    values.push_back(operand.get());
  for (auto [value, form] : llvm::zip(values, forms)) {
    if (!isMicroscaled(value) || parts.at(value).hasFormOf(parts.at(form)))
      continue;
    InFlightDiagnostic diag = refuseMeeting(terminator);
    diag.attachNote(parts.at(form).elements.getLoc()) << "elements have type " << parts.at(form).elements.getType();
    diag.attachNote(parts.at(value).elements.getLoc()) << "elements have type " << parts.at(value).elements.getType();
    diag.attachNote() << meetingRemedy;
    return diag;
  }
  operands.assign(expanded(values));
  return success();
}

void Lowering::rebuild(Operation *op, ValueRange operands, ValueRange forms) {
  OperationState state(op->getLoc(), op->getName(), operands, ValueRange(expanded(forms)).getTypes(),
                       op->getAttrDictionary().getValue());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  builder.setInsertionPoint(op);
  Operation *fresh = builder.create(state);
  auto next = fresh->result_begin();
  for (auto [result, form] : llvm::zip(op->getResults(), forms)) {
    if (!isMicroscaled(result)) {
      result.replaceAllUsesWith(*next++);
      continue;
    }
    MxParts own = parts.at(form);
    own.elements = *next++;
    own.scales = *next++;
    if (own.tensor)
      own.tensor = *next++;
    parts[result] = own;
  }
  done(op);
}

LogicalResult Lowering::lower(scf::ForOp loop) {
  Block &body = *loop.getBody();
  SmallVector<Value> inits(loop.getInitArgs());
  split(body, 1, inits);
  auto yield = cast<scf::YieldOp>(body.getTerminator());
  if (failed(lowerBlock(body)) || failed(passOn(yield, yield.getResultsMutable(), inits)))
    return failure();
  SmallVector<Value> operands{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  llvm::append_range(operands, expanded(inits));
  rebuild(loop, operands, inits);
  dropSplit(body);
  return success();
}

LogicalResult Lowering::lower(scf::WhileOp loop) {
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  SmallVector<Value> inits(loop.getInits());
  split(before, 0, inits);
  if (failed(lowerBlock(before)))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Value> passed(condition.getArgs());
  split(after, 0, passed);
  if (failed(lowerBlock(after)))
    return failure();
  scf::YieldOp yield = loop.getYieldOp();
  if (failed(passOn(yield, yield.getResultsMutable(), inits)) ||
      failed(passOn(condition, condition.getArgsMutable(), passed)))
    return failure();
  rebuild(loop, expanded(inits), passed);
  dropSplit(before);
  dropSplit(after);
  return success();
}

LogicalResult Lowering::lower(scf::IfOp branch) {
  for (Region &region : branch->getRegions())
    if (!region.empty() && failed(lowerBlock(region.front())))
      return failure();
  if (llvm::none_of(branch.getResultTypes(), [](Type type) { return isMicroscaled(type); }))
    return success();
  scf::YieldOp thenYield = branch.thenYield(), elseYield = branch.elseYield();
  SmallVector<Value> forms(thenYield.getResults());
  if (failed(passOn(thenYield, thenYield.getResultsMutable(), forms)) ||
      failed(passOn(elseYield, elseYield.getResultsMutable(), forms)))
    return failure();
  rebuild(branch, branch.getCondition(), forms);
  return success();
}

LogicalResult Lowering::lower(arith::SelectOp select) {
  if (!isMicroscaled(select.getResult()))
    return success();
  const MxParts yes = parts.at(select.getTrueValue()), no = parts.at(select.getFalseValue());
  if (!yes.hasFormOf(no)) {
    InFlightDiagnostic diag = refuseMeeting(select);
    for (const MxParts *of : {&yes, &no})
      diag.attachNote(of->elements.getLoc()) << "elements have type " << of->elements.getType();
    diag.attachNote() << meetingRemedy;
    return diag;
  }
  auto choose = [&](Value a, Value b) -> Value {
    return a ? arith::SelectOp::create(builder, select.getLoc(), select.getCondition(), a, b) : Value();
  };
  parts[select.getResult()] = {choose(yes.elements, no.elements), choose(yes.scales, no.scales),
                               choose(yes.tensor, no.tensor), yes.transposed};
  done(select);
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Lowering::done(Operation *op) {
  op->dropAllReferences();
  dead.push_back(op);
}

void Lowering::replace(Operation *op, ValueRange values) {
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    if (result.getType() != value.getType())
      value = RelayoutOp::create(builder, op->getLoc(), result.getType(), value);
    result.replaceAllUsesWith(value);
  }
  done(op);
}

Value Lowering::open(Value tile) {
  auto type = cast<TileType>(tile.getType());
  return type.getLayout() ? RelayoutOp::create(builder, tile.getLoc(), type.withLayout({}), tile) : tile;
}

MxAccess Lowering::access(Operation *op, Value view, ValueRange offsets) {
  return {op, cast<MxViewType>(view.getType()), parts.at(view), offsets, offsetFacts[op]};
}

LogicalResult Lowering::lower(MxViewOp view) {
  parts[view.getResult()] = {view.getElements(), view.getScales(), view.getTensor(), view.getTransposed()};
  done(view);
  return success();
}

LogicalResult Lowering::lower(MxLoadOp load) {
  MxAccess from = access(load, load.getView(), load.getOffsets());
  auto type = cast<MxType>(load.getType());
  Value elements = loadElements(builder, from, type.elementTile());
  FailureOr<Value> scales = loadScales(builder, from, type.scaleTile());
  if (failed(scales))
    return failure();
  parts[load.getResult()] = {elements, *scales, from.view.tensor};
  done(load);
  return success();
}

LogicalResult Lowering::lower(MxStoreOp store) {
  MxAccess to = access(store, store.getView(), store.getOffsets());
  const MxParts value = parts.at(store.getValue());
  storeElements(builder, to, value.elements);
  if (failed(storeScales(builder, to, value.scales)))
    return failure();
  done(store);
  return success();
}

LogicalResult Lowering::lower(LoadScalesOp load) {
  FailureOr<Value> scales = loadScales(builder, access(load, load.getView(), load.getOffsets()),
                                       cast<TileType>(load.getType()).withLayout({}));
  if (failed(scales))
    return failure();
  replace(load, *scales);
  return success();
}

LogicalResult Lowering::lower(StoreScalesOp store) {
  MxAccess to = access(store, store.getView(), store.getOffsets());
  if (failed(storeScales(builder, to, open(store.getValue()))))
    return failure();
  done(store);
  return success();
}

LogicalResult Lowering::lower(MxPackOp pack) {
  parts[pack.getResult()] = {open(pack.getElements()), open(pack.getScales()), pack.getTensor()};
  done(pack);
  return success();
}

LogicalResult Lowering::lower(MxUnpackOp unpack) {
  replace(unpack, parts.at(unpack.getValue()).values());
  return success();
}

LogicalResult Lowering::lower(QuantizeOp quantize) {
  parts[quantize.getResult()] =
      tile::quantize(builder, quantize.getLoc(), open(quantize.getSource()), cast<MxType>(quantize.getType()),
                     quantize.getRoundUp(), quantize.getTensor());
  done(quantize);
  return success();
}

LogicalResult Lowering::lower(DequantizeOp dequantize) {
  Value source = dequantize.getSource();
  replace(dequantize, tile::dequantize(builder, dequantize.getLoc(), parts.at(source), cast<MxType>(source.getType()),
                                       cast<TileType>(dequantize.getType()).getElementType()));
  return success();
}

LogicalResult Lowering::lower(RequantizeOp requantize) {
  Value source = requantize.getSource();
  Value numbers = tile::dequantize(builder, requantize.getLoc(), parts.at(source), cast<MxType>(source.getType()),
                                   builder.getF32Type());
  parts[requantize.getResult()] =
      tile::quantize(builder, requantize.getLoc(), numbers, cast<MxType>(requantize.getType()), requantize.getRoundUp(),
                     requantize.getTensor());
  done(requantize);
  return success();
}

/// The instruction that multiplies two f4E2M1FN with such blocks, if the target has one.
static const BlockScaledMma *pairInstruction(MxType lhs, MxType rhs, const Target &target) {
  if (lhs.getBlock() != rhs.getBlock() || lhs.getScaleType() != rhs.getScaleType())
    return nullptr;
  std::optional<ElementKind> element = elementKind(lhs.getElementType());
  std::optional<ScaleKind> scale = scaleKind(lhs.getScaleType());
  return element && scale ? target.findBlockScaledMma(*element, *element, *scale, lhs.getBlock()) : nullptr;
}

LogicalResult Lowering::lower(DotOp dot) {
  if (!isMicroscaled(dot.getLhs()) && !isMicroscaled(dot.getRhs()))
    return success();
  bool packs = false;
  auto lhs = dyn_cast<MxType>(dot.getLhs().getType()), rhs = dyn_cast<MxType>(dot.getRhs().getType());
  if (lhs && rhs && isa<Float4E2M1FNType>(lhs.getElementType()) && isa<Float4E2M1FNType>(rhs.getElementType())) {
    FailureOr<const Target *> target = targetOf(kernel);
    if (failed(target))
      return failure();
    const BlockScaledMma *instruction = pairInstruction(lhs, rhs, **target);
    // A thinner product has a byte for each element.
    packs = instruction && instruction->isPacked && dot.extentK() % instruction->k == 0;
  }
  auto operand = [&](Value value) { return isMicroscaled(value) ? parts.at(value) : MxParts{value, {}, {}}; };
  replace(dot, tile::lowerDot(builder, dot, operand(dot.getLhs()), operand(dot.getRhs()), packs));
  return success();
}

LogicalResult Lowering::lower(Operation *op) {
  builder.setInsertionPoint(op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::WhileOp, scf::IfOp, arith::SelectOp, MxViewOp, MxLoadOp, MxStoreOp, LoadScalesOp,
            StoreScalesOp, MxPackOp, MxUnpackOp, QuantizeOp, DequantizeOp, RequantizeOp, DotOp>(
          [&](auto typed) { return lower(typed); })
      .Default([](Operation *) { return success(); });
}

LogicalResult Lowering::lowerBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(lower(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Lowering::learnOffsets() {
  IndexFacts facts(kernel);
  kernel.getBody().walk([&](Operation *op) {
    ValueRange offsets = TypeSwitch<Operation *, ValueRange>(op)
                             .Case<MxLoadOp, MxStoreOp, LoadScalesOp, StoreScalesOp>(
                                 [](auto access) -> ValueRange { return access.getOffsets(); })
                             .Default([](Operation *) { return ValueRange(); });
    for (Value offset : offsets) {
      IndexRange range = facts.range(offset);
      offsetFacts[op].push_back({range.lo, range.hi, facts.divisor(offset)});
    }
  });
}

LogicalResult Lowering::run() {
  for (BlockArgument argument : kernel.getKernelArguments())
    if (isMicroscaled(argument)) {
      InFlightDiagnostic diag = kernel.emitOpError("expects plain views as arguments, but '")
                                << kernel.argumentName(argument.getArgNumber()) << "' has type " << argument.getType();
      diag.attachNote() << "pass the elements and the scales, and join them in the kernel with 'tile.mx_view'";
      return diag;
    }
  learnOffsets();
  if (failed(lowerBlock(kernel.getBody().front())))
    return failure();
  // Uses come after definitions.
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return success();
}

namespace {
struct LowerMicroscalingPass : public tile::impl::TileLowerMicroscalingPassBase<LowerMicroscalingPass> {
  void runOnOperation() override {
    if (failed(Lowering(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace

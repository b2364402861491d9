// Gives every tile of a kernel a layout. LayoutAssignment decides; here types are set in program order, and where a use
// wants another layout than the value has, a relayout is placed right after the definition, one per value and layout.
#include "lib/Analysis/ScaledDots.h"
#include "lib/Layout/Conversion.h"
#include "lib/Plan/Plan.h"
#include "lib/Plan/Schedule.h"
#include "lib/Transforms/LayoutAssignment.h"
#include "lib/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Writes the chosen layouts into a kernel.
class LayoutWriter {
public:
  LayoutWriter(KernelOp kernel, LayoutRules &rules, const LayoutAssignment &assignment)
      : kernel(kernel), rules(rules), assignment(assignment), builder(kernel.getContext()) {}
  LogicalResult write();

private:
  LogicalResult write(Operation *op);
  LogicalResult writeRelabelling(Operation *op);
  void reshapeThroughMemory(ReshapeOp op);
  LogicalResult writeDot(DotOp op);
  void writeBranching(Operation *op);
  /// Sets a value's layout, unless the author did.
  void set(Value value, LayoutAttr layout);
  void setToClass(ValueRange values);
  /// Makes an operand have that layout.
  void want(OpOperand &operand, LayoutAttr layout);
  /// Makes operands have the layouts of the values that they become.
  void wantAs(MutableArrayRef<OpOperand> operands, ValueRange become);
  /// An operand's layout; a rematerialisable one is made in a free layout first.
  LayoutAttr having(OpOperand &operand);
  Value inLayout(Value value, LayoutAttr layout);
  /// The same constant, splat or iota in a layout.
  Value rematerialised(Operation *op, LayoutAttr layout);

  KernelOp kernel;
  LayoutRules &rules;
  const LayoutAssignment &assignment;
  OpBuilder builder;
  DenseMap<std::pair<Value, Attribute>, Value> converted;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values in layouts
//===----------------------------------------------------------------------===//

/// Whether a value is an open tile that is made anew in any layout.
static bool isFree(Value value) {
  Operation *op = value.getDefiningOp();
  return op && LayoutRules::isRematerialisable(op) && !tileType(value).getLayout();
}

void LayoutWriter::set(Value value, LayoutAttr layout) {
  if (TileType type = tileType(value); type && !type.getLayout())
    value.setType(type.withLayout(layout));
}

void LayoutWriter::setToClass(ValueRange values) {
  for (Value value : values)
    set(value, assignment.layoutOf(value));
}

Value LayoutWriter::rematerialised(Operation *op, LayoutAttr layout) {
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  auto type = tileType(copy->getResult(0)).withLayout(layout);
  if (auto constant = dyn_cast<arith::ConstantOp>(copy)) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    constant.setValueAttr(elements.isSplat() ? elements.resizeSplat(type) : elements.reshape(type));
  }
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

Value LayoutWriter::inLayout(Value value, LayoutAttr layout) {
  TileType type = tileType(value);
  if (type.getLayout() == layout)
    return value;
  Value &entry = converted[{value, layout}];
  if (entry)
    return entry;
  if (Operation *op = value.getDefiningOp(); op && LayoutRules::isRematerialisable(op))
    return entry = rematerialised(op, layout);
  assert(type.getLayout() && "definitions come before uses");
  // What was widened is converted before, while it has fewer bits, unless the conversion costs nothing.
  if (auto cast = value.getDefiningOp<CastOp>()) {
    TileType narrow = tileType(cast.getSource());
    if (narrow.getLayout() && elementBits(narrow.getElementType()) < elementBits(type.getElementType()) &&
        planConversion(type.distribution(), type.withLayout(layout).distribution(), 32).kind == ConversionKind::Shared) {
      Value source = inLayout(cast.getSource(), layout);
      builder.setInsertionPointAfter(cast);
      return converted[{value, layout}] = CastOp::create(builder, cast.getLoc(), type.withLayout(layout), source,
                                                         cast.getSaturate(), cast.getIsUnsigned());
    }
  }
  builder.setInsertionPointAfterValue(value);
  return entry = RelayoutOp::create(builder, value.getLoc(), type.withLayout(layout), value);
}

void LayoutWriter::want(OpOperand &operand, LayoutAttr layout) {
  if (tileType(operand.get()))
    operand.set(inLayout(operand.get(), layout));
}

void LayoutWriter::wantAs(MutableArrayRef<OpOperand> operands, ValueRange become) {
  for (auto [operand, value] : llvm::zip(operands, become))
    if (TileType type = tileType(value))
      want(operand, type.getLayout());
}

LayoutAttr LayoutWriter::having(OpOperand &operand) {
  TileType type = tileType(operand.get());
  if (!type.getLayout())
    want(operand, rules.freeLayout(type));
  return tileType(operand.get()).getLayout();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult LayoutWriter::writeDot(DotOp op) {
  bool isLaidOut = static_cast<bool>(tileType(op.getResult()).getLayout());
  set(op.getResult(), assignment.layoutOf(op.getResult()));
  LayoutAttr acc = tileType(op.getResult()).getLayout();
  want(op.getAccMutable(), acc);
  if (isLaidOut) // The author's, perhaps for another split of the warps.
    return success();
  FailureOr<DotLayouts> layouts = rules.dotLayouts(op);
  if (failed(layouts))
    return failure();
  for (OpOperand &operand : op->getOpOperands())
    want(operand, layouts->of(operand));
  return success();
}

/// A reshape that regroups an odd factor: no layout holds both sides, so the elements go through shared memory, where they
/// lie in row-major order for both shapes. Layouts without dead positions, as those have no place there. Elements
/// narrower than a byte lie there as i8.
void LayoutWriter::reshapeThroughMemory(ReshapeOp op) {
  Type element = tileType(op.getResult()).getElementType();
  Type stored = memoryBits(element) < 8 ? builder.getI8Type() : element;
  auto plain = [&](TileType type) {
    auto order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getShape().size())));
    return SharedType::get(op.getContext(), type.getShape(), stored,
                           SwizzleAttr::get(op.getContext(), order, /*swizzle=*/0, /*pad=*/0));
  };
  OpOperand &source = op.getSourceMutable();
  want(source, rules.freeLayout(tileType(source.get()), /*exact=*/true));
  TileType result = tileType(op.getResult());
  if (!result.getLayout())
    result = result.withLayout(rules.freeLayout(result, /*exact=*/true));
  builder.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value buffer = SharedAllocOp::create(builder, loc, plain(tileType(source.get())), IntegerAttr());
  Value bytes = source.get();
  if (stored != element)
    bytes = BitcastOp::create(builder, loc, tileType(bytes).withElement(stored), bytes);
  SharedStoreOp::create(builder, loc, bytes, buffer);
  Value other = SharedReshapeOp::create(builder, loc, plain(result), buffer);
  Value loaded = SharedLoadOp::create(builder, loc, result.withElement(stored), other);
  if (stored != element)
    loaded = BitcastOp::create(builder, loc, result, loaded);
  op.getResult().replaceAllUsesWith(loaded);
  op.erase();
}

LogicalResult LayoutWriter::writeRelabelling(Operation *op) {
  OpOperand &source = LayoutRules::deciding(op);
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    LayoutAttr layout = isFree(source.get())
                            ? rules.freeLayout(tileType(source.get()), LayoutRules::needsExact(reduce))
                            : having(source);
    layout = rules.reducible(reduce, layout);
    for (OpOperand &operand : op->getOpOperands())
      want(operand, layout);
    for (Value result : op->getResults())
      set(result, rules.resultLayout(op, layout));
    return success();
  }
  LayoutAttr result = assignment.layoutOf(op->getResult(0)), wanted = rules.sourceLayout(op, result);
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    if (isFree(source.get()) || !rules.canBroadcast(broadcast, having(source), result))
      want(source, wanted);
    set(op->getResult(0), result);
    return success();
  }
  // The source is converted where the way back from the result exists; else the result has what the source gives it,
  // and its uses convert.
  if (wanted && (isFree(source.get()) || having(source) != wanted))
    want(source, wanted);
  LayoutAttr follows = rules.resultLayout(op, having(source));
  if (!follows) {
    want(source, rules.freeLayout(tileType(source.get()), /*exact=*/true));
    follows = rules.resultLayout(op, having(source));
  }
  if (!follows) {
    reshapeThroughMemory(cast<ReshapeOp>(op));
    return success();
  }
  set(op->getResult(0), follows);
  return success();
}

/// Values that regions pass on; yields follow when their turn comes.
void LayoutWriter::writeBranching(Operation *op) {
  setToClass(op->getResults());
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    setToClass(ValueRange(loop.getRegionIterArgs()));
    wantAs(loop.getInitArgsMutable(), loop.getRegionIterArgs());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    setToClass(ValueRange(loop.getBeforeArguments()));
    setToClass(ValueRange(loop.getAfterArguments()));
    wantAs(loop.getInitsMutable(), loop.getBeforeArguments());
  } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    wantAs(condition.getArgsMutable(), cast<scf::WhileOp>(op->getParentOp()).getResults());
  } else if (auto yield = dyn_cast<scf::YieldOp>(op)) {
    auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
    wantAs(op->getOpOperands(),
           loop ? ValueRange(loop.getBeforeArguments()) : ValueRange(op->getParentOp()->getResults()));
  }
}

LogicalResult LayoutWriter::write(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op);
      constant && tileType(op->getResult(0)) && !isa<DenseElementsAttr>(constant.getValue()))
    return op->emitOpError("expects tiles to be written as 'dense<…>', found ") << constant.getValue();
  if (LayoutRules::isRematerialisable(op))
    return success();
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ConditionOp, scf::YieldOp>(op)) {
    writeBranching(op);
    return success();
  }
  if (LayoutRules::isRelabelling(op))
    return writeRelabelling(op);
  if (auto dot = dyn_cast<DotOp>(op))
    return writeDot(dot);
  if (LayoutRules::keepsLayout(op)) {
    setToClass(op->getResults());
    if (TileType type = tileType(op->getResult(0)))
      for (OpOperand &operand : op->getOpOperands())
        want(operand, type.getLayout());
    return success();
  }
  if (isa<LoadOp>(op)) {
    LayoutAttr layout = assignment.layoutOf(op->getResult(0));
    if (!rules.suitsAccess(op, layout)) {
      LayoutAttr reordered = rules.reorderedForAccess(op, layout);
      layout = reordered ? reordered : rules.accessLayout(op);
    }
    set(op->getResult(0), layout);
    return success();
  }
  if (isa<StoreOp>(op)) {
    OpOperand &value = op->getOpOperand(0);
    if (isFree(value.get())) {
      want(value, rules.accessLayout(op));
    } else if (LayoutAttr layout = having(value); !rules.suitsAccess(op, layout)) {
      LayoutAttr reordered = rules.reorderedForAccess(op, layout);
      want(value, reordered ? reordered : rules.accessLayout(op));
    }
    return success();
  }
  // The rest takes tiles as they are.
  setToClass(op->getResults());
  for (OpOperand &operand : op->getOpOperands())
    if (tileType(operand.get()) && !isa<RelayoutOp>(op))
      having(operand);
  if (isa<RelayoutOp>(op) && !tileType(op->getOperand(0)).getLayout())
    want(op->getOpOperand(0), tileType(op->getResult(0)).getLayout());
  return success();
}

LogicalResult LayoutWriter::write() {
  SmallVector<Operation *> ops, makers;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    if (LayoutRules::isRematerialisable(op) && tileType(op->getResult(0)))
      makers.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(write(op)))
      return failure();
  for (Operation *op : makers)
    if (op->use_empty())
      op->erase();
  return success();
}

namespace {
/// Why the instruction for the formats of a scaled product does not do it, and what its author can do about it.
struct Shortfall {
  std::string reason, remedy;
};
} // namespace

/// Nothing where the target has no instruction for the formats.
static std::optional<Shortfall> shortfallOf(DotOp dot, const Target &target) {
  const BlockScaledMma *other = blockScaledMmaOfFormats(dot, target);
  if (!other)
    return std::nullopt;
  if (dot.extentK() % other->k != 0)
    return Shortfall{llvm::formatv("its instruction takes K in multiples of {0}, found {1}", other->k, dot.extentK()),
                     llvm::formatv("use tiles with a K of {0} or another multiple of it", other->k)};
  return Shortfall{"its instruction takes packed operands", "pack neighbours along K with 'tile.pack_pairs'"};
}

/// A product that no matrix instruction of the target does as it stands is an error where the kernel requires otherwise,
/// and a remark in any case.
static LogicalResult announceEmulation(KernelOp kernel, const Target &target) {
  FailureOr<Schedule> schedule = Schedule::read(kernel, target);
  if (failed(schedule))
    return failure();
  WalkResult result = kernel.getBody().walk([&](DotOp dot) -> WalkResult {
    if (!dot.isScaled() || blockScaledMma(dot, target))
      return WalkResult::advance();
    std::string lhs = describeFactor(dot.lhsElement(), dot.getLhsScale()),
                rhs = describeFactor(dot.rhsElement(), dot.getRhsScale());
    std::optional<Shortfall> shortfall = shortfallOf(dot, target);
    if (schedule->requireNative) {
      InFlightDiagnostic diag =
          dot.emitOpError(shortfall ? "does not fit the matrix instruction of " : "has no matrix instruction on ")
          << target.name << " for " << lhs << " and " << rhs << ", which 'require' asks for";
      if (shortfall) {
        diag << ": " << shortfall->reason;
        diag.attachNote() << shortfall->remedy;
      }
      diag.attachNote() << "without 'require = \"native\"' in the kernel's schedule it is computed from 16-bit numbers";
      return diag;
    }
    remark::missed(dot.getLoc(), remark::RemarkOpts::name("scaled-dot").category("tile-dot"))
        << remark::add("product of {0} and {1} is computed from 16-bit numbers", lhs, rhs)
        << remark::reason("{0}", shortfall ? shortfall->reason
                                           : std::string(target.name) + " has no matrix instruction for these formats")
        << remark::suggest("{0}",
                           shortfall ? shortfall->remedy : "schedule {require = \"native\"} makes this an error");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Plans may be written by hand.
static LogicalResult checkPlan(KernelOp kernel, const Target &target) {
  int64_t warps = kernel.planned("warps", 4), warpsM = kernel.planned("warps_m", warps),
          warpsN = kernel.planned("warps_n", 1), most = target.maxThreadsPerBlock / 32;
  if (warps < 1 || warps > most)
    return kernel.emitOpError("expects a plan of 1 to ") << most << " warps, found " << warps;
  if (warpsM < 1 || warpsN < 1 || warpsM > warps || warpsN > warps || warpsM * warpsN != warps)
    return kernel.emitOpError("expects a plan where 'warps_m' times 'warps_n' is 'warps', ")
           << warps << ", found " << warpsM << " and " << warpsN;
  return success();
}

namespace {
struct AssignLayoutsPass : public mlir::tile::impl::TileAssignLayoutsPassBase<AssignLayoutsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<const Target *> target = targetOf(kernel);
    if (failed(target) || failed(verifyMicroscalingLowered(kernel)) || failed(checkPlan(kernel, **target)))
      return signalPassFailure();
    LayoutRules rules(kernel, **target);
    FailureOr<LayoutAssignment> assignment = LayoutAssignment::compute(kernel, rules);
    if (failed(assignment) || failed(LayoutWriter(kernel, rules, *assignment).write()) ||
        failed(announceEmulation(kernel, **target)))
      signalPassFailure();
  }
};
} // namespace

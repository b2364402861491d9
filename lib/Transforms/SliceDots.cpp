// A product that reads its operands from shared memory cannot start before the first of them is in registers, and a
// whole operand takes more registers than a thread has to spare. So the product becomes a chain of products over slices
// of K, as thin as loads stay wide, each with loads of its own. The loads of slice s + 1 stand before the product of
// slice s: while the matrix unit works on one slice, the next is on its way.
//
//     dot(load A, load B)  →  load A0, B0; load A1, B1; dot 0; load A2, B2; dot 1; dot 2
//
// An operand that is in registers already is cut there. A slice's layout is the operand's without the register bits
// that count along K beyond the slice. Slices are added up in the order in which one instruction after the other would
// be, so that the numbers stay the same.
//
// Copies of a later stage that stand before the product go behind its slices, one each, so that the matrix unit has
// work while they are issued. Why that is right: the slot that they fill was acquired, so it is none that is being
// read, and they pass only loads, products, and releases of other slots. They pass no wait, which would count another
// number of commits, and nothing that fills.
#include "lib/Layout/MmaLayouts.h"
#include "lib/Layout/SharedAccess.h"
#include "lib/Plan/Plan.h"
#include "lib/Transforms/LayoutRules.h"
#include "lib/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILESLICEDOTSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// What can be sliced
//===----------------------------------------------------------------------===//

namespace {
/// One operand of a product: load → transposes (and relayouts that change nothing) → dot, or a tile in registers.
struct SlicedOperand {
  /// What is cut: the loaded tile, or the operand.
  Value whole;
  /// Its dimension along K.
  unsigned kDim;
  /// Positions along K of the multiplied tiles for each of its own: a scale stands for a block.
  int64_t unit = 1;
  /// Null for a tile in registers.
  SharedLoadOp load;
  /// From the load on; relayouts too, which slices do without.
  SmallVector<Operation *> path;

  [[nodiscard]] TileType type() const { return cast<TileType>(whole.getType()); }
  [[nodiscard]] SharedLayout memory() { return cast<SharedType>(load.getBuffer().getType()).memory(); }
};

/// How a tile is read: by ldmatrix or by vectors, and how much each instruction reads.
struct ReadWidth {
  bool matrices = false;
  unsigned count = 0;
};
} // namespace

/// The operand `value` of the product, whose dimension `kDim` is K: a load where it is read for this product alone.
static SlicedOperand matchOperand(DotOp dot, Value value, unsigned kDim) {
  SlicedOperand operand{value, kDim, 1, {}, {}};
  SmallVector<Operation *> path;
  while (Operation *maker = value.getDefiningOp()) {
    if (maker->getBlock() != dot->getBlock() || !value.hasOneUse())
      break;
    if (auto load = dyn_cast<SharedLoadOp>(maker)) {
      std::reverse(path.begin(), path.end());
      return {value, kDim, 1, load, path};
    }
    if (!isa<TransposeOp, RelayoutOp>(maker))
      break;
    Value source = maker->getOperand(0);
    if (auto transpose = dyn_cast<TransposeOp>(maker))
      kDim = transpose.axes()[kDim];
    else if (cast<TileType>(value.getType()).distribution() != cast<TileType>(source.getType()).distribution())
      break;
    path.push_back(maker);
    value = source;
  }
  return operand;
}

/// `layout` for the first `k` positions along `dim` only; nothing where its registers do not count them apart.
static std::optional<Layout> sliceAlong(const Layout &layout, unsigned dim, int64_t k) {
  SmallVector<int64_t> extents(layout.extents());
  extents[dim] = k;
  SmallVector<Basis> registers;
  for (const Basis &basis : layout.registerBases())
    if (basis[dim] < k)
      registers.push_back(basis);
  std::optional<Layout> slice =
      Layout::create(extents, registers, layout.laneBases(), layout.warpBases(), layout.digits());
  // Threads that moved beyond the slice would move in it.
  if (!slice || slice->paddedExtent(dim) != k ||
      slice->numRegisters() * (layout.extents()[dim] / k) != layout.numRegisters())
    return std::nullopt;
  return slice;
}

static ReadWidth readWidth(const Layout &layout, const SharedLayout &memory) {
  if (std::optional<LdMatrixPlan> plan = planLdMatrix(layout, memory))
    return {true, plan->matrices};
  std::optional<SharedAccessPlan> plan = planSharedAccess(layout, memory);
  return {false, plan ? plan->vectorElements : 0};
}

/// The product's factors, and their scales, which are few and stay in registers.
static SmallVector<SlicedOperand> matchOperands(DotOp dot) {
  unsigned rank = cast<TileType>(dot.getAcc().getType()).getShape().size();
  SmallVector<SlicedOperand> operands{matchOperand(dot, dot.getLhs(), rank - 1), matchOperand(dot, dot.getRhs(), rank - 2)};
  int64_t perPosition = dot.getPacked() ? 2 : 1;
  if (Value scales = dot.getLhsScale())
    operands.push_back({scales, rank - 1, int64_t(*dot.getLhsBlock()) / perPosition, {}, {}});
  if (Value scales = dot.getRhsScale())
    operands.push_back({scales, rank - 1, int64_t(*dot.getRhsBlock()) / perPosition, {}, {}});
  return operands;
}

/// Whether slices of `k` are whole blocks and are read as wide as the whole.
static bool slicesWell(SlicedOperand &operand, int64_t k) {
  if (k % operand.unit != 0)
    return false;
  Layout whole = operand.type().distribution();
  std::optional<Layout> slice = sliceAlong(whole, operand.kDim, k / operand.unit);
  if (!slice || !operand.load)
    return slice.has_value();
  SharedLayout memory = operand.memory();
  ReadWidth before = readWidth(whole, memory), after = readWidth(*slice, memory);
  return after.count && after.matrices == before.matrices && after.count >= before.count;
}

/// Nothing between the loads and the product may change what is read, or end the reading for others to write.
static std::optional<std::string> matchBetween(DotOp dot, ArrayRef<SlicedOperand> operands) {
  if (llvm::none_of(operands, [](const SlicedOperand &operand) { return static_cast<bool>(operand.load); }))
    return "no operand is read from shared memory beside the product, and for it alone";
  for (const SlicedOperand &operand : operands)
    for (Operation *op = operand.load ? operand.load->getNextNode() : dot; op != dot; op = op->getNextNode())
      if (!isa<SharedLoadOp, ChannelReleaseOp>(op) && !isPure(op))
        return ("'" + op->getName().getStringRef() + "' stands between an operand and the product").str();
  return std::nullopt;
}

/// The extent of a slice along K, or why there is none.
static std::optional<std::string> chooseSlice(DotOp dot, const MmaShape &shape, MutableArrayRef<SlicedOperand> operands,
                                              int64_t &slice) {
  int64_t extent = cast<TileType>(dot.getLhs().getType()).getShape().back();
  for (SlicedOperand &operand : operands) {
    Layout layout = operand.type().distribution();
    if (layout.odd(operand.kDim) != 1 || layout.hasDeadPositions(operand.kDim))
      return "K is no power of two";
  }
  int64_t least = shape.k;
  for (SlicedOperand &operand : operands)
    least = std::max(least, operand.unit);
  // Two instructions where one is too little for a wide load.
  for (slice = least; slice <= 2 * least; slice *= 2)
    if (slice < extent && llvm::all_of(operands, [&](SlicedOperand &operand) { return slicesWell(operand, slice); }))
      return std::nullopt;
  return extent <= least ? "K is that of one instruction, or one block" : "slices would be read by narrower loads";
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// shared_load %s → shared_load %s at […], transposed as before; or slice %x at […]
static Value readSlice(OpBuilder &builder, SlicedOperand &operand, int64_t from, int64_t extent) {
  MLIRContext *context = builder.getContext();
  TileType whole = operand.type();
  Layout layout = *sliceAlong(whole.distribution(), operand.kDim, extent / operand.unit);
  SmallVector<int64_t> offsets = operand.load ? operand.load.begin() : SmallVector<int64_t>(layout.rank(), 0);
  offsets[operand.kDim] += from / operand.unit;
  auto typeOf = [&](const Layout &layout) {
    return TileType::get(layout.extents(), whole.getElementType(), LayoutAttr::get(context, layout));
  };
  if (!operand.load)
    return SliceOp::create(builder, operand.whole.getLoc(), typeOf(layout), operand.whole, offsets);
  Value value = SharedLoadOp::create(builder, operand.load.getLoc(), typeOf(layout), operand.load.getBuffer(),
                                     builder.getDenseI64ArrayAttr(offsets));
  for (Operation *op : operand.path) {
    auto transpose = dyn_cast<TransposeOp>(op);
    if (!transpose)
      continue;
    SmallVector<int64_t> axes = transpose.axes();
    layout = layout.transpose(SmallVector<unsigned>(axes.begin(), axes.end()));
    value = TransposeOp::create(builder, transpose.getLoc(), typeOf(layout), value, transpose.getPermutationAttr());
  }
  return value;
}

/// The releases between the loads and the product, in order: they go behind the last loads.
static SmallVector<Operation *> releasesBefore(DotOp dot, ArrayRef<SlicedOperand> operands) {
  SmallVector<Operation *> releases;
  Operation *first = dot;
  for (const SlicedOperand &operand : operands)
    if (operand.load && operand.load->isBeforeInBlock(first))
      first = operand.load;
  for (Operation *op = first; op != dot; op = op->getNextNode())
    if (isa<ChannelReleaseOp>(op))
      releases.push_back(op);
  return releases;
}

/// Makes the chain; returns its products.
static SmallVector<DotOp> sliceDot(DotOp dot, MutableArrayRef<SlicedOperand> operands, int64_t slice) {
  int64_t extent = cast<TileType>(dot.getLhs().getType()).getShape().back(), count = extent / slice;
  OpBuilder builder(dot);
  SmallVector<Operation *> releases = releasesBefore(dot, operands);
  /// The operands of each slice, in the order of `operands`.
  SmallVector<SmallVector<Value>> values;
  auto read = [&](int64_t s) {
    SmallVector<Value> &of = values.emplace_back();
    for (SlicedOperand &operand : operands)
      of.push_back(readSlice(builder, operand, s * slice, slice));
  };
  read(0);
  SmallVector<DotOp> products;
  Value sum = dot.getAcc();
  for (int64_t s = 0; s < count; ++s) {
    if (s + 1 < count)
      read(s + 1);
    else
      for (Operation *release : releases)
        release->moveBefore(dot);
    // The scales follow the factors, the left operand's first.
    Value *scales = values[s].data() + 2;
    Value lhsScale = dot.getLhsScale() ? *scales++ : Value(), rhsScale = dot.getRhsScale() ? *scales++ : Value();
    products.push_back(DotOp::create(builder, dot.getLoc(), dot.getType(), values[s][0], values[s][1], sum, lhsScale,
                                     rhsScale, dot.getLhsBlockAttr(), dot.getRhsBlockAttr(), dot.getPackedAttr(),
                                     dot.getPrecisionAttr()));
    sum = products.back().getResult();
  }
  dot.getResult().replaceAllUsesWith(sum);
  dot->erase();
  for (SlicedOperand &operand : operands) {
    for (Operation *op : llvm::reverse(operand.path))
      op->erase();
    if (operand.load)
      operand.load->erase();
  }
  return products;
}

/// The fill of a later stage before `first`, in order: acquire, copy_async…, commit. Empty where there is none, or
/// where it may not move; the file comment says why it may.
static SmallVector<Operation *> movableFill(DotOp first) {
  Operation *op = first->getPrevNode();
  while (op && (isPure(op) || isa<SharedLoadOp, ChannelReleaseOp>(op)))
    op = op->getPrevNode();
  auto commit = dyn_cast_or_null<ChannelCommitOp>(op);
  if (!commit)
    return {};
  SmallVector<Operation *> fill{commit};
  for (op = commit->getPrevNode(); op && !isa<ChannelAcquireOp>(op); op = op->getPrevNode()) {
    if (isa<CopyAsyncOp>(op))
      fill.push_back(op);
    else if (!isPure(op))
      return {};
  }
  auto acquire = dyn_cast_or_null<ChannelAcquireOp>(op);
  auto isOfSlot = [&](auto op) { return op.getChannel() == acquire.getChannel() && op.getSlot() == acquire.getSlot(); };
  if (!acquire || !isOfSlot(commit))
    return {};
  fill.push_back(acquire);
  for (Operation *moved : fill)
    // A copy by ordinary loads needs registers, of which there are most before the first slice.
    if (auto copy = dyn_cast<CopyAsyncOp>(moved);
        copy && (copy.getBuffer().getDefiningOp() != acquire || !copy.isAsynchronous()))
      return {};
  for (op = commit->getNextNode(); op != first; op = op->getNextNode())
    if (auto release = dyn_cast<ChannelReleaseOp>(op); release && isOfSlot(release))
      return {};
  std::reverse(fill.begin(), fill.end());
  return fill;
}

/// One copy goes behind each slice, as far as there are slices; none behind the last.
static void spreadCopies(ArrayRef<DotOp> slices) {
  size_t behind = 0;
  Operation *place = slices.front();
  for (Operation *moved : movableFill(slices.front())) {
    if (isa<CopyAsyncOp>(moved) && isa<CopyAsyncOp>(place) && behind + 2 < slices.size())
      place = slices[++behind];
    moved->moveAfter(place);
    place = moved;
  }
}

/// Slices one product, or says why not.
static void slice(DotOp dot, const Target &target) {
  const MmaShape *shape = LayoutRules::instruction(dot, target);
  if (!shape)
    return;
  SmallVector<SlicedOperand> operands = matchOperands(dot);
  int64_t extent = 0;
  std::optional<std::string> reason = matchBetween(dot, operands);
  if (!reason)
    reason = chooseSlice(dot, *shape, operands, extent);
  Location loc = dot.getLoc();
  if (reason) {
    remark::missed(loc, remark::RemarkOpts::name("slice").category("tile-slice-dots"))
        << remark::add("operands are read before the product, not along with it") << remark::reason("{0}", *reason)
        << remark::suggest("load the operands for this product alone, with K a power of two");
    return;
  }
  int64_t count = cast<TileType>(dot.getLhs().getType()).getShape().back() / extent;
  spreadCopies(sliceDot(dot, operands, extent));
  remark::passed(loc, remark::RemarkOpts::name("slice").category("tile-slice-dots"))
      << remark::add("product runs in {0} slices of {1} along K", count, extent);
}

namespace {
struct SliceDotsPass : public tile::impl::TileSliceDotsPassBase<SliceDotsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<DotOp> dots;
    kernel.getBody().walk([&](DotOp dot) { dots.push_back(dot); });
    if (dots.empty())
      return;
    FailureOr<const Target *> target = targetOf(kernel);
    if (failed(target) || failed(verifyMicroscalingLowered(kernel)))
      return signalPassFailure();
    for (DotOp dot : dots)
      slice(dot, **target);
  }
};
} // namespace

// Dots read their operands fastest from shared memory by ldmatrix, and shared memory is filled fastest by asynchronous
// copies that never touch registers. So a loaded tile whose only uses are operands of dots is not loaded at all: it is
// copied into a slot of a channel and read from there in the operand's layout. This pass makes channels of one slot;
// tile-pipeline turns them into rings. All staged loads of a block share one slot, because one wait for all is cheaper
// than several; a load whose offsets are known too late for that starts the next channel.
#include "lib/Layout/SharedAccess.h"
#include "lib/Transforms/BufferType.h"
#include "lib/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILESTAGEPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// What can be staged
//===----------------------------------------------------------------------===//

/// One dot operand that comes from a load: load → transposes → relayout → dot.
struct StagedOperand {
  RelayoutOp relayout;
  /// From the load on.
  SmallVector<TransposeOp> transposes;
};

/// A load and the operands that it feeds.
struct StagedLoad {
  LoadOp load;
  SmallVector<StagedOperand> operands;
};

/// Why an operand stays in registers, and what its author can do about it.
struct Refusal {
  std::string reason;
  StringRef remedy;
};

/// What a product multiplies, and the scales of that.
static SmallVector<Value> factorsOf(DotOp dot) {
  SmallVector<Value> factors{dot.getLhs(), dot.getRhs()};
  for (Value scales : {dot.getLhsScale(), dot.getRhsScale()})
    if (scales)
      factors.push_back(scales);
  return factors;
}

/// Whether a value is used, and only as what dots multiply and its scales.
static bool feedsDot(RelayoutOp relayout) {
  return !relayout.getResult().use_empty() && llvm::all_of(relayout.getResult().getUses(), [](OpOperand &use) {
    return isa<DotOp>(use.getOwner()) && DotOp::isFactor(use.getOperandNumber());
  });
}

/// Follows all uses of `value` to relayouts of dot operands; fails at the first other one.
static bool collectOperands(Value value, SmallVector<TransposeOp> &path, SmallVectorImpl<StagedOperand> &operands) {
  // No product needs many transposes; a limit bounds the recursion.
  constexpr size_t mostTransposes = 16;
  if (value.use_empty() || path.size() > mostTransposes)
    return false;
  for (Operation *user : value.getUsers()) {
    if (auto relayout = dyn_cast<RelayoutOp>(user)) {
      if (!feedsDot(relayout))
        return false;
      operands.push_back({relayout, path});
      continue;
    }
    auto transpose = dyn_cast<TransposeOp>(user);
    if (!transpose)
      return false;
    path.push_back(transpose);
    bool staged = collectOperands(transpose.getResult(), path, operands);
    path.pop_back();
    if (!staged)
      return false;
  }
  return true;
}

/// The load behind a dot operand's relayout, or why it is not staged.
static LoadOp loadBehind(RelayoutOp relayout, Refusal &refusal) {
  Value source = relayout.getSource();
  while (auto transpose = source.getDefiningOp<TransposeOp>())
    source = transpose.getSource();
  auto load = source.getDefiningOp<LoadOp>();
  if (!load) {
    Operation *maker = source.getDefiningOp();
    refusal = {maker ? ("the operand is computed by '" + maker->getName().getStringRef() + "'").str()
                     : std::string("the operand is carried by a loop"),
               "load the operand as the product takes it, or compute it in a kernel before"};
    return {};
  }
  if (!load.isZeroPad()) {
    refusal = {"an asynchronous copy pads with zero only", "leave the load's pad out"};
    return {};
  }
  auto view = cast<ViewType>(load.getView().getType());
  auto tile = cast<TileType>(load.getResult().getType());
  if (granuleOf(tile.getElementType()) > 1 && tile.getShape()[*view.contiguousAxis()] % 16 != 0) {
    refusal = {"packed elements are copied in units of 16", "use a tile with a multiple of 16 along the packed axis"};
    return {};
  }
  SmallVector<TransposeOp> path;
  SmallVector<StagedOperand> operands;
  if (!collectOperands(load.getResult(), path, operands)) {
    refusal = {"the loaded tile is used by more than products", "stage it by hand with a channel"};
    return {};
  }
  return load;
}

//===----------------------------------------------------------------------===//
// Groups: loads that share a slot
//===----------------------------------------------------------------------===//

/// The pure ops that must move before `anchor` so that the operands of `load` are known there, in order; nothing where one
/// cannot move. Both stand in one block.
static std::optional<SmallVector<Operation *>> collectHoists(LoadOp load, LoadOp anchor) {
  llvm::SmallPtrSet<Operation *, 8> needed;
  auto need = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp();
          maker && maker->getBlock() == anchor->getBlock() && !maker->isBeforeInBlock(anchor))
        needed.insert(maker);
  };
  need(load);
  SmallVector<Operation *> hoists;
  for (Operation *op = load->getPrevNode(); !needed.empty(); op = op->getPrevNode()) {
    if (!needed.erase(op))
      continue;
    if (op == anchor || !isPure(op) || op->getNumRegions())
      return std::nullopt;
    hoists.push_back(op);
    need(op);
  }
  std::reverse(hoists.begin(), hoists.end());
  return hoists;
}

static bool writesGlobalMemory(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) && !isa<SharedMemory>(effect.getResource());
  });
}

/// Whether `load` can be issued where the group's first load is; moves the ops that compute its offsets there.
static bool joinGroup(LoadOp load, MutableArrayRef<StagedLoad> group) {
  LoadOp anchor = group.front().load;
  for (Operation *op = group.back().load; op != load; op = op->getNextNode())
    if (writesGlobalMemory(op))
      return false;
  std::optional<SmallVector<Operation *>> hoists = collectHoists(load, anchor);
  if (!hoists)
    return false;
  for (Operation *op : *hoists)
    op->moveBefore(anchor);
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The layout that becomes `layout` under the transposes.
static Layout pullBack(Layout layout, MutableArrayRef<TransposeOp> transposes) {
  for (TransposeOp transpose : llvm::reverse(transposes)) {
    SmallVector<int64_t> axes = transpose.axes();
    SmallVector<unsigned> inverse(axes.size());
    for (auto [to, from] : llvm::enumerate(axes))
      inverse[from] = to;
    layout = layout.transpose(inverse);
  }
  return layout;
}

/// The buffer of a load: the view's contiguous dimension fastest, so that 16-byte pieces of memory stay whole, and the
/// widest swizzle that fits. Where an operand's layout has dead positions (an instruction tile larger than the tile), the
/// buffer has room for them, filled with what the view holds there.
static SharedType bufferFor(StagedLoad &staged) {
  LoadOp load = staged.load;
  auto view = cast<ViewType>(load.getView().getType());
  auto tile = cast<TileType>(load.getResult().getType());
  unsigned rank = tile.getShape().size(), fastest = rank - 1;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (view.getStrides()[dim] == 1)
      fastest = dim;
  SmallVector<unsigned> order{fastest};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != fastest)
      order.push_back(dim);
  SmallVector<int64_t> extents(tile.getShape());
  for (StagedOperand &operand : staged.operands) {
    Layout layout = pullBack(cast<TileType>(operand.relayout.getType()).distribution(), operand.transposes);
    for (unsigned dim = 0; dim < rank; ++dim)
      extents[dim] = std::max(extents[dim], layout.paddedExtent(dim));
  }
  std::optional<SharedLayout> memory =
      SharedLayout::create(extents, order, elementBits(tile.getElementType()));
  assert(memory && "tiles have extents and elements that shared memory takes");
  return bufferType(tile, *memory);
}

/// Whether a relayout gives a product's scales, or what it multiplies with a scaled operand and has other than a byte: those
/// are in an order of their own, which ldmatrix does not know.
static bool hasOwnOrder(RelayoutOp relayout) {
  return llvm::any_of(relayout.getResult().getUses(), [&](OpOperand &use) {
    auto dot = dyn_cast<DotOp>(use.getOwner());
    return dot && dot.isScaled() &&
           (DotOp::isScale(use.getOperandNumber()) ||
            elementBits(cast<TileType>(relayout.getType()).getElementType()) != 8);
  });
}

/// Says where ldmatrix does not do, and why.
static void remarkOnRead(Location loc, const Layout &layout, const SharedLayout &memory) {
  if (planLdMatrix(layout, memory))
    return;
  unsigned bytes = memory.elementBytes(), fastest = memory.order().front();
  bool across = bytes < 4 ? layout.contiguity(fastest) * bytes < 4 : layout.laneBases()[0][fastest] == 0;
  StringRef reason, remedy;
  if (bytes == 8) {
    reason = "ldmatrix has no 64-bit elements";
    remedy = "none is needed: vector loads do as well";
  } else if (across && bytes != 2) {
    reason = "ldmatrix transposes 16-bit elements only";
    remedy = "store the operand with K as its innermost dimension";
  } else {
    reason = "the tile does not consist of whole 8 x 16-byte matrices";
    remedy = "use a tile with rows of 16 bytes or more and extents that the warps divide";
  }
  remark::missed(loc, remark::RemarkOpts::name("stage").category("tile-stage"))
      << remark::add("operand is read from shared memory without ldmatrix") << remark::reason("{0}", reason)
      << remark::suggest("{0}", remedy);
}

/// Reads one operand from its buffer at the builder's place.
static void readOperand(OpBuilder &builder, LoadOp load, Value buffer, StagedOperand &operand) {
  auto tile = cast<TileType>(load.getResult().getType());
  auto wanted = cast<TileType>(operand.relayout.getResult().getType());
  Layout layout = pullBack(wanted.distribution(), operand.transposes);
  if (!hasOwnOrder(operand.relayout))
    remarkOnRead(load.getLoc(), layout, cast<SharedType>(buffer.getType()).memory());
  Value value = SharedLoadOp::create(builder, load.getLoc(),
                                     tile.withLayout(LayoutAttr::get(builder.getContext(), layout)), buffer);
  for (TransposeOp transpose : operand.transposes) {
    SmallVector<int64_t> axes = transpose.axes();
    layout = layout.transpose(SmallVector<unsigned>(axes.begin(), axes.end()));
    auto type = cast<TileType>(transpose.getResult().getType())
                    .withLayout(LayoutAttr::get(builder.getContext(), layout));
    value = TransposeOp::create(builder, transpose.getLoc(), type, value, transpose.getPermutationAttr());
  }
  // The round trip may have another attribute for the same layout: the dot keeps the type that it has.
  if (value.getType() != wanted)
    value = RelayoutOp::create(builder, operand.relayout.getLoc(), wanted, value);
  operand.relayout.getResult().replaceAllUsesWith(value);
}

/// load… → acquire, copy_async…, commit, wait, shared_load…, release
static ChannelCreateOp stageGroup(KernelOp kernel, MutableArrayRef<StagedLoad> group, ChannelCreateOp previous) {
  MLIRContext *context = kernel.getContext();
  OpBuilder top = OpBuilder::atBlockBegin(&kernel.getBody().front());
  if (previous)
    top.setInsertionPointAfter(previous);
  Location loc = group.front().load.getLoc();
  SmallVector<Type> buffers;
  for (StagedLoad &staged : group)
    buffers.push_back(bufferFor(staged));
  auto channel = ChannelCreateOp::create(top, loc, ChannelType::get(context, 1, buffers), IntegerAttr());

  OpBuilder builder(group.front().load);
  Value slot = arith::ConstantIndexOp::create(builder, loc, 0);
  auto acquire = ChannelAcquireOp::create(builder, loc, buffers, channel, slot);
  for (auto &&[staged, buffer] : llvm::zip(group, acquire.getBuffers()))
    CopyAsyncOp::create(builder, staged.load.getLoc(), staged.load.getView(), staged.load.getOffsets(), buffer, Value());
  ChannelCommitOp::create(builder, loc, channel, slot);
  auto wait = ChannelWaitOp::create(builder, loc, buffers, channel, slot, 0);
  for (auto &&[staged, buffer] : llvm::zip(group, wait.getBuffers())) {
    for (StagedOperand operand : staged.operands)
      readOperand(builder, staged.load, buffer, operand);
    remark::passed(staged.load.getLoc(), remark::RemarkOpts::name("stage").category("tile-stage"))
        << remark::add("staged through a shared buffer of {0} bytes", cast<SharedType>(buffer.getType()).sizeInBytes());
  }
  ChannelReleaseOp::create(builder, loc, channel, slot);
  return channel;
}

static void eraseStaged(MutableArrayRef<StagedLoad> loads) {
  for (StagedLoad &staged : loads) {
    for (StagedOperand &operand : staged.operands) {
      operand.relayout->erase();
      for (TransposeOp transpose : llvm::reverse(operand.transposes))
        if (transpose->use_empty())
          transpose->erase();
        else
          break;
    }
    staged.load->erase();
  }
}

namespace {
struct StagePass : public tile::impl::TileStagePassBase<StagePass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    // Loads in program order, by block.
    llvm::SetVector<Operation *> wanted;
    kernel.getBody().walk([&](DotOp dot) {
      for (Value operand : factorsOf(dot)) {
        auto relayout = operand.getDefiningOp<RelayoutOp>();
        if (!relayout)
          continue;
        Refusal refusal;
        if (LoadOp load = loadBehind(relayout, refusal))
          wanted.insert(load);
        else
          remark::missed(dot.getLoc(), remark::RemarkOpts::name("stage").category("tile-stage"))
              << remark::add("operand is not staged through shared memory by an asynchronous copy")
              << remark::reason("{0}", refusal.reason) << remark::suggest("{0}", refusal.remedy);
      }
    });
    llvm::MapVector<Block *, SmallVector<SmallVector<StagedLoad>>> groups;
    kernel.getBody().walk([&](LoadOp load) {
      if (!wanted.contains(load))
        return;
      StagedLoad staged{load, {}};
      SmallVector<TransposeOp> path;
      collectOperands(load.getResult(), path, staged.operands);
      SmallVector<SmallVector<StagedLoad>> &ofBlock = groups[load->getBlock()];
      if (ofBlock.empty() || !joinGroup(load, ofBlock.back()))
        ofBlock.emplace_back();
      ofBlock.back().push_back(std::move(staged));
    });
    ChannelCreateOp last;
    for (auto &[block, ofBlock] : groups)
      for (SmallVector<StagedLoad> &group : ofBlock) {
        last = stageGroup(kernel, group, last);
        eraseStaged(group);
      }
  }
};
} // namespace

// A pipelined loop waits at its head for the slot that it is about to read, meets at a barrier and reads its first
// operands before any product can start: that latency is paid in every iteration. Here the wait, and the loads of the
// first slice, go before the last product of the iteration before. That product then hides them, and the loop carries
// the operands.
//
//     for { wait[r]; x = load; …; p = dot x; …; release[r]; q = dot y }
//     becomes
//     wait[r0]; x0 = load
//     for (x = x0) { …; p = dot x; …; release[r]; wait[r']; x' = load; q = dot y; yield x' }
//     release[r of the loop's end]
//
// Why `pending` stays: the wait moves over no commit, neither at the end of an iteration nor at the head of the next,
// and nothing stands between the loop and the wait before it. So the same commits have been made as at its old place,
// and the same number may be in flight. The moved loads pass nothing that fills a slot.
//
// Why every trip count is right: the last iteration, and a loop without iterations, wait for a commit whose copies were
// not issued, as their iteration does not exist. Its loads read whatever the slot holds, and nobody uses what they
// read. The release after the loop says so: who fills the ring anew comes after those loads.
#include "lib/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILEPREFETCHOPERANDSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// More 32-bit registers per thread than this are not carried.
static constexpr unsigned mostRegisters = 64;

namespace {
/// A loop whose head waits for a slot, and what moves.
struct Rotation {
  scf::ForOp loop;
  ChannelWaitOp wait;
  ChannelReleaseOp release;
  /// The first product that reads the slot, and the last one after the release.
  DotOp first, last;
  /// Loads and transposes of the first product's operands that come from the slot, in order, and what they give: an operand
  /// of the product, or scales that all its slices share.
  SmallVector<Operation *> reads;
  SmallVector<Value> taken;
  /// The ops of the body behind the next slot that stand after `last`, in order.
  SmallVector<Operation *> nextSlot;
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be rotated
//===----------------------------------------------------------------------===//

/// The slot is carried by the loop, and waited for and released once per iteration.
static std::optional<std::string> matchRoles(Rotation &rotation) {
  Value channel = rotation.wait.getChannel();
  Block *body = rotation.loop.getBody();
  auto slot = dyn_cast<BlockArgument>(rotation.wait.getSlot());
  if (!slot || slot.getOwner() != body || slot == rotation.loop.getInductionVar())
    return "the slot is not carried by the loop";
  if (!rotation.loop.isDefinedOutsideOfLoop(channel))
    return "the channel is made in the loop";
  for (Operation *user : channel.getUsers()) {
    if (user == rotation.wait || !rotation.loop->isProperAncestor(user))
      continue;
    if (user->getBlock() != body || !isa<ChannelAcquireOp, ChannelCommitOp, ChannelReleaseOp>(user))
      return "the channel is waited for more than once in an iteration";
    // Ordinary loads need registers of their own, and the loop waits for memory, not for the operands.
    if (auto acquire = dyn_cast<ChannelAcquireOp>(user))
      for (Value buffer : acquire.getBuffers())
        for (Operation *fill : buffer.getUsers())
          if (auto copy = dyn_cast<CopyAsyncOp>(fill); copy && !copy.isAsynchronous())
            return "the view's alignment rules out asynchronous copies";
    if (auto release = dyn_cast<ChannelReleaseOp>(user)) {
      if (rotation.release || release.getSlot() != slot)
        return "the slot is not released once in an iteration";
      rotation.release = release;
    }
  }
  return rotation.release ? std::nullopt : std::optional<std::string>("the slot is not released in the loop");
}

/// The load behind scales of the first product, or of slices of them, if it is of the slot.
static void collectScales(Rotation &rotation, Value scales) {
  if (!scales)
    return;
  if (auto slice = scales.getDefiningOp<SliceOp>())
    scales = slice.getSource();
  auto load = scales.getDefiningOp<SharedLoadOp>();
  if (!load || load->getBlock() != rotation.loop.getBody() || load.getBuffer().getDefiningOp() != rotation.wait ||
      llvm::is_contained(rotation.taken, scales))
    return;
  rotation.reads.push_back(load);
  rotation.taken.push_back(scales);
}

/// The loads behind an operand of the first product, if they are of the slot.
static bool collectReads(Rotation &rotation, Value operand) {
  SmallVector<Operation *> path;
  for (Value value = operand;; value = path.back()->getOperand(0)) {
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != rotation.loop.getBody() || !value.hasOneUse() ||
        !isa<SharedLoadOp, TransposeOp>(maker))
      return false;
    path.push_back(maker);
    if (auto load = dyn_cast<SharedLoadOp>(maker)) {
      if (load.getBuffer().getDefiningOp() != rotation.wait)
        return false;
      break;
    }
  }
  rotation.reads.append(path.rbegin(), path.rend());
  rotation.taken.push_back(operand);
  return true;
}

/// Finds the first product, whose operands are read ahead, and the last, which hides that.
static std::optional<std::string> matchProducts(Rotation &rotation) {
  Block *body = rotation.loop.getBody();
  for (auto dot : body->getOps<DotOp>()) {
    if (!rotation.first)
      rotation.first = dot;
    if (rotation.release->isBeforeInBlock(dot))
      rotation.last = dot;
  }
  if (!rotation.last || rotation.first == rotation.last)
    return "no other product follows the last read of the slot";
  bool lhs = collectReads(rotation, rotation.first.getLhs()), rhs = collectReads(rotation, rotation.first.getRhs());
  if (!lhs && !rhs)
    return "the first product does not read the slot";
  collectScales(rotation, rotation.first.getLhsScale());
  collectScales(rotation, rotation.first.getRhsScale());
  if (!rotation.wait->isBeforeInBlock(rotation.first))
    return "the slot is waited for after the first product";
  for (Value buffer : rotation.wait.getBuffers())
    for (Operation *user : buffer.getUsers())
      if (!isa<SharedLoadOp>(user))
        return "the slot is used other than by loads";
  return std::nullopt;
}

/// Nothing of `op` counts in the order of commits and fills.
static bool isPassable(Operation *op) {
  return !op->walk([](Operation *inner) {
              return isa<ChannelAcquireOp, ChannelCommitOp, ChannelWaitOp, CopyAsyncOp, BarrierOp, SharedStoreOp>(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

/// What the wait moves over: from the head of the body, and to its end.
static std::optional<std::string> matchPassed(Rotation &rotation) {
  Block *body = rotation.loop.getBody();
  for (Operation &op : *body) {
    bool passed = op.isBeforeInBlock(rotation.wait) || rotation.last->isBeforeInBlock(&op);
    if (passed && !isPassable(&op))
      return ("the wait cannot pass '" + op.getName().getStringRef() + "'").str();
  }
  return std::nullopt;
}

/// The ops that compute the next slot must stand before the last product.
static std::optional<std::string> matchNextSlot(Rotation &rotation) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> open{rotation.loop.getTiedLoopYieldedValue(cast<BlockArgument>(rotation.wait.getSlot()))->get()};
  while (!open.empty()) {
    Operation *maker = open.pop_back_val().getDefiningOp();
    if (!maker || maker->getBlock() != rotation.loop.getBody() || maker->isBeforeInBlock(rotation.last))
      continue;
    if (!isPure(maker) || maker->getNumRegions() || maker == rotation.last)
      return "the next slot is known too late";
    if (found.insert(maker))
      llvm::append_range(open, maker->getOperands());
  }
  rotation.nextSlot = found.takeVector();
  llvm::sort(rotation.nextSlot, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return std::nullopt;
}

static unsigned carriedRegisters(Rotation &rotation) {
  unsigned bits = 0;
  for (Value value : rotation.taken) {
    auto type = cast<TileType>(value.getType());
    bits += type.distribution().numRegisters() * elementBits(type.getElementType());
  }
  return bits / 32;
}

static std::optional<std::string> match(Rotation &rotation) {
  if (std::optional<std::string> reason = matchRoles(rotation))
    return reason;
  if (std::optional<std::string> reason = matchProducts(rotation))
    return reason;
  if (std::optional<std::string> reason = matchPassed(rotation))
    return reason;
  if (std::optional<std::string> reason = matchNextSlot(rotation))
    return reason;
  if (unsigned registers = carriedRegisters(rotation); registers > mostRegisters)
    return "the loop would carry " + std::to_string(registers) + " registers per thread, more than " +
           std::to_string(mostRegisters);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// wait[slot]; the first product's reads, at the builder's place. Returns what the product takes.
static SmallVector<Value> emitReads(OpBuilder &builder, Rotation &rotation, Value slot) {
  IRMapping mapping;
  mapping.map(rotation.wait.getSlot(), slot);
  builder.clone(*rotation.wait, mapping);
  for (Operation *op : rotation.reads)
    builder.clone(*op, mapping);
  SmallVector<Value> values;
  for (Value value : rotation.taken)
    values.push_back(mapping.lookup(value));
  return values;
}

/// Rewrites the loop; the file comment has its shape before and after.
static void rotate(Rotation &rotation) {
  IRRewriter rewriter(rotation.loop);
  auto slot = cast<BlockArgument>(rotation.wait.getSlot());
  SmallVector<Value> start = emitReads(rewriter, rotation, rotation.loop.getTiedLoopInit(slot)->get());

  rotation.release->moveBefore(rotation.last);
  for (Operation *op : rotation.nextSlot)
    op->moveBefore(rotation.last);
  rewriter.setInsertionPoint(rotation.last);
  SmallVector<Value> next = emitReads(rewriter, rotation, rotation.loop.getTiedLoopYieldedValue(slot)->get());
  unsigned number = slot.getArgNumber() - 1;
  rewriter.setInsertionPoint(rotation.loop);
  FailureOr<LoopLikeOpInterface> carried =
      rotation.loop.replaceWithAdditionalYields(rewriter, start, /*replaceInitOperandUsesInLoop=*/false,
                                                [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return next; });
  assert(succeeded(carried) && "scf.for takes further carried values");
  auto loop = cast<scf::ForOp>(carried->getOperation());

  for (auto [value, argument] : llvm::zip(rotation.taken, loop.getRegionIterArgs().take_back(rotation.taken.size())))
    value.replaceAllUsesWith(argument);
  for (Operation *op : llvm::reverse(rotation.reads))
    op->erase();
  rewriter.setInsertionPoint(rotation.wait);
  rewriter.replaceOpWithNewOp<ChannelSlotOp>(rotation.wait, rotation.wait.getBuffers().getTypes(),
                                             rotation.wait.getChannel(), loop.getRegionIterArgs()[number]);
  rewriter.setInsertionPointAfter(loop);
  ChannelReleaseOp::create(rewriter, rotation.release.getLoc(), rotation.release.getChannel(), loop.getResult(number));
}

namespace {
struct PrefetchOperandsPass : public tile::impl::TilePrefetchOperandsPassBase<PrefetchOperandsPass> {
  void runOnOperation() override {
    // Rings that run ahead; in a channel of one slot the next fill comes after the release.
    SmallVector<Rotation> rotations;
    getOperation().getBody().walk([&](ChannelWaitOp wait) {
      auto loop = dyn_cast<scf::ForOp>(wait->getParentOp());
      if (loop && cast<ChannelType>(wait.getChannel().getType()).getStages() > 1)
        rotations.push_back({loop, wait, {}, {}, {}, {}, {}, {}});
    });
    // Rewriting one makes a new loop: of several waits in one loop only the first is looked at.
    llvm::SmallPtrSet<Operation *, 4> done;
    for (Rotation &rotation : rotations) {
      if (!done.insert(rotation.loop).second)
        continue;
      Location loc = rotation.loop.getLoc();
      if (std::optional<std::string> reason = match(rotation)) {
        remark::missed(loc, remark::RemarkOpts::name("prefetch").category("tile-prefetch-operands"))
            << remark::add("each iteration waits for its first operands") << remark::reason("{0}", *reason)
            << remark::suggest("let the loop have a product whose K is several instructions long, of operands from "
                               "memory");
        continue;
      }
      unsigned registers = carriedRegisters(rotation);
      rotate(rotation);
      remark::passed(loc, remark::RemarkOpts::name("prefetch").category("tile-prefetch-operands"))
          << remark::add("first operands are read an iteration ahead, in {0} registers", registers);
    }
  }
};
} // namespace

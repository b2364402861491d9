// A loop that copies a tile, waits for it and multiplies it leaves the memory idle while it multiplies. Here the copies of
// a channel run S - 1 iterations ahead of their reads, through a ring of S slots.
//
// Why every trip count T is right, with commits numbered from 0: iteration k waits for commit k, which copied iteration
// k's tiles into slot k mod S. The prologue makes commits 0 … S-2, iteration k makes commit k + S-1; all are
// unconditional, so when iteration k waits, commits 0 … k + S-2 exist and exactly S-2 come after commit k: `pending S-2`.
// A copy is issued only where its iteration exists (lb + i·step < ub), therefore each issued copy is waited for by its own
// iteration, nothing is in flight after the loop, and commits beyond T are empty. T = 0 issues nothing at all. Slot
// (k + S-1) mod S, which iteration k acquires, is slot (k - 1) mod S, released by the iteration before.
//
// Channels of one loop that can be pipelined become one ring: their slots advance together, so one wait and one barrier per
// iteration do for all of them.
//
//     S = 3:  slot   0    1    2    0    1
//     prologue      c0   c1
//     k = 0         wait 0, acquire 2, copy tile 2, read 0, release 0
//     k = 1         wait 1, acquire 0, copy tile 3, read 1, release 1
#include "lib/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILEPIPELINEPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// What can be pipelined
//===----------------------------------------------------------------------===//

namespace {
/// A channel of one slot, used once in the body of a loop.
struct LoopChannel {
  ChannelCreateOp create;
  scf::ForOp loop;
  ChannelAcquireOp acquire;
  ChannelCommitOp commit;
  ChannelWaitOp wait;
  ChannelReleaseOp release;
  SmallVector<CopyAsyncOp> copies;
  /// The pure ops of the body that compute what the copies need, in program order.
  SmallVector<Operation *> slice;
};
} // namespace

/// Stores `op` in `place`, once.
template <typename OpT>
static bool take(Operation *op, OpT &place) {
  auto typed = dyn_cast<OpT>(op);
  if (!typed || place)
    return false;
  place = typed;
  return true;
}

/// Sorts the channel's users by role; a reason where they are not once each in one loop body, in order.
static std::optional<std::string> matchRoles(LoopChannel &channel) {
  for (Operation *user : channel.create.getChannel().getUsers())
    if (!take(user, channel.acquire) && !take(user, channel.commit) && !take(user, channel.wait) &&
        !take(user, channel.release))
      return "the channel is used by more than one acquire, commit, wait and release";
  if (!channel.acquire || !channel.commit || !channel.wait || !channel.release)
    return "the channel lacks an acquire, commit, wait or release";
  Block *body = channel.acquire->getBlock();
  channel.loop = dyn_cast<scf::ForOp>(body->getParentOp());
  if (!channel.loop)
    return "the channel is not used in the body of an scf.for";
  Operation *order[] = {channel.acquire, channel.commit, channel.wait, channel.release};
  for (Operation *op : order)
    if (op->getBlock() != body)
      return "the channel is used in several blocks";
  if (!channel.loop.isDefinedOutsideOfLoop(channel.create.getChannel()))
    return "the channel is made in the loop";
  for (unsigned i = 1; i < 4; ++i)
    if (!order[i - 1]->isBeforeInBlock(order[i]))
      return "the channel is not used in the order acquire, commit, wait, release";
  return std::nullopt;
}

/// Collects the copies; every other use of the slot's buffers must be a read between wait and release.
static std::optional<std::string> matchFills(LoopChannel &channel) {
  Block *body = channel.loop.getBody();
  for (Value buffer : channel.acquire.getBuffers())
    for (Operation *user : buffer.getUsers()) {
      auto copy = dyn_cast<CopyAsyncOp>(user);
      if (!copy || copy->getBlock() != body || !copy->isBeforeInBlock(channel.commit))
        return "the slot is not filled by asynchronous copies alone";
    }
  // In program order.
  for (Operation *op = channel.acquire; op != channel.commit; op = op->getNextNode())
    if (auto copy = dyn_cast<CopyAsyncOp>(op); copy && copy.getBuffer().getDefiningOp() == channel.acquire)
      channel.copies.push_back(copy);
  if (channel.copies.empty())
    return "nothing is copied into the slot";
  for (Value buffer : channel.wait.getBuffers())
    for (Operation *user : buffer.getUsers()) {
      Operation *inBody = body->findAncestorOpInBlock(*user);
      if (!isa<SharedLoadOp>(user) || !inBody || !inBody->isBeforeInBlock(channel.release))
        return "the slot is used other than by loads before its release";
    }
  return std::nullopt;
}

/// Collects the ops of the body behind the copies' views, offsets and conditions.
static std::optional<std::string> matchSlice(LoopChannel &channel) {
  Block *body = channel.loop.getBody();
  llvm::SetVector<Operation *> found;
  SmallVector<Value> open;
  for (CopyAsyncOp copy : channel.copies)
    for (Value operand : copy->getOperands())
      if (operand != copy.getBuffer())
        open.push_back(operand);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (value == channel.loop.getInductionVar() || value.getParentRegion() != body->getParent())
      continue;
    Operation *maker = value.getDefiningOp();
    if (!maker)
      return "a copy depends on a value that the loop carries";
    if (!isPure(maker) || maker->getNumRegions())
      return ("a copy depends on '" + maker->getName().getStringRef() + "', which cannot run ahead").str();
    if (found.insert(maker))
      llvm::append_range(open, maker->getOperands());
  }
  channel.slice.assign(found.begin(), found.end());
  llvm::sort(channel.slice, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return std::nullopt;
}

/// Copies that run ahead would pass writes of earlier iterations.
static std::optional<std::string> matchMemory(scf::ForOp loop) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(loop);
  if (!effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
        return isa<MemoryEffects::Write>(effect.getEffect()) && !isa<SharedMemory>(effect.getResource());
      }))
    return "the loop writes to global memory, which a later copy may read";
  return std::nullopt;
}

static std::optional<std::string> match(LoopChannel &channel) {
  if (std::optional<std::string> reason = matchRoles(channel))
    return reason;
  if (std::optional<std::string> reason = matchFills(channel))
    return reason;
  if (std::optional<std::string> reason = matchSlice(channel))
    return reason;
  return matchMemory(channel.loop);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Emits what the loop needs besides the body: index arithmetic in the type of the induction variable, folded.
namespace {
class LoopArithmetic {
public:
  LoopArithmetic(OpBuilder &builder, scf::ForOp loop) : builder(builder), loop(loop), loc(loop.getLoc()) {}

  Value constant(int64_t value) {
    Type type = loop.getInductionVar().getType();
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  /// n · step, at the builder's place.
  Value steps(int64_t n) {
    return n == 1 ? loop.getStep() : builder.createOrFold<arith::MulIOp>(loc, loop.getStep(), constant(n));
  }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  /// value < ub as the loop compares.
  Value exists(Value value) {
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, value, loop.getUpperBound());
  }
  /// (slot + 1) mod stages
  Value next(Value slot, Value one, Value zero, Value stages) {
    Value following = arith::AddIOp::create(builder, loc, slot, one);
    Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, following, stages);
    return arith::SelectOp::create(builder, loc, wraps, zero, following);
  }

private:
  OpBuilder &builder;
  scf::ForOp loop;
  Location loc;
};
} // namespace

/// Moves what of the slice does not depend on the induction variable before the loop; keeps the rest.
static void hoistInvariants(LoopChannel &channel) {
  llvm::erase_if(channel.slice, [&](Operation *op) {
    // Another channel of the loop may have moved it.
    if (op->getBlock() != channel.loop.getBody())
      return true;
    if (!llvm::all_of(op->getOperands(), [&](Value operand) { return channel.loop.isDefinedOutsideOfLoop(operand); }))
      return false;
    op->moveBefore(channel.loop);
    return true;
  });
}

/// One channel's copies for induction value `at` where it `exists`, into buffers of a slot.
static void emitCopies(OpBuilder &builder, LoopChannel &channel, ValueRange buffers, Value at, Value exists) {
  bool always = matchPattern(exists, m_One()), never = matchPattern(exists, m_Zero());
  if (never)
    return;
  IRMapping mapping;
  mapping.map(channel.loop.getInductionVar(), at);
  mapping.map(channel.acquire.getBuffers(), buffers);
  for (Operation *op : channel.slice)
    builder.clone(*op, mapping);
  for (CopyAsyncOp copy : channel.copies) {
    Value condition = copy.getCondition() ? mapping.lookupOrDefault(copy.getCondition()) : Value();
    if (!always)
      condition = condition ? builder.createOrFold<arith::AndIOp>(copy.getLoc(), condition, exists) : exists;
    SmallVector<Value> offsets =
        llvm::map_to_vector(copy.getOffsets(), [&](Value offset) { return mapping.lookupOrDefault(offset); });
    CopyAsyncOp::create(builder, copy.getLoc(), mapping.lookupOrDefault(copy.getView()), offsets,
                        mapping.lookup(copy.getBuffer()), condition);
  }
}

/// acquire[slot]; copies of all channels; commit[slot]
static void emitFill(OpBuilder &builder, MutableArrayRef<LoopChannel> group, ChannelCreateOp ring, Value slot, Value at,
                     Value exists) {
  Location loc = group.front().acquire.getLoc();
  ArrayRef<Type> types = cast<ChannelType>(ring.getType()).getBuffers();
  ValueRange buffers = ChannelAcquireOp::create(builder, loc, types, ring, slot).getBuffers();
  for (LoopChannel &channel : group) {
    unsigned count = channel.acquire.getBuffers().size();
    emitCopies(builder, channel, buffers.take_front(count), at, exists);
    buffers = buffers.drop_front(count);
  }
  ChannelCommitOp::create(builder, group.front().commit.getLoc(), ring, slot);
}

/// Makes the first S - 1 fills before the loop. Returns (S - 1) · step.
static Value emitPrologue(OpBuilder &builder, MutableArrayRef<LoopChannel> group, ChannelCreateOp ring, int64_t stages) {
  scf::ForOp loop = group.front().loop;
  LoopArithmetic arithmetic(builder, loop);
  Value distance, at = loop.getLowerBound();
  for (int64_t s = 0; s < stages - 1; ++s) {
    if (s) {
      distance = arithmetic.steps(s);
      at = arithmetic.add(loop.getLowerBound(), distance);
    }
    Value slot = arith::ConstantIndexOp::create(builder, loop.getLoc(), s);
    emitFill(builder, group, ring, slot, at, arithmetic.exists(at));
  }
  return arithmetic.steps(stages - 1);
}

/// Adds the two slots to the loop's carried values; returns the new loop.
static scf::ForOp carrySlots(IRRewriter &rewriter, scf::ForOp loop, int64_t stages) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0), one = arith::ConstantIndexOp::create(rewriter, loc, 1),
        last = arith::ConstantIndexOp::create(rewriter, loc, stages - 1),
        size = arith::ConstantIndexOp::create(rewriter, loc, stages);
  auto yields = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> slots) {
    SmallVector<Value> next;
    for (BlockArgument slot : slots)
      next.push_back(LoopArithmetic(builder, loop).next(slot, one, zero, size));
    return next;
  };
  FailureOr<LoopLikeOpInterface> carried = loop.replaceWithAdditionalYields(
      rewriter, {zero, last}, /*replaceInitOperandUsesInLoop=*/false, yields);
  assert(succeeded(carried) && "scf.for takes further carried values");
  return cast<scf::ForOp>(carried->getOperation());
}

/// Removes what the ring replaces.
static void eraseChannel(LoopChannel &channel, ValueRange read) {
  channel.wait.getBuffers().replaceAllUsesWith(read);
  for (CopyAsyncOp copy : channel.copies)
    copy->erase();
  for (Operation *op : {channel.acquire.getOperation(), channel.commit.getOperation(), channel.wait.getOperation(),
                        channel.release.getOperation(), channel.create.getOperation()})
    op->erase();
}

/// Removes index arithmetic of the body that only the copies used; channels may have had it in common.
static void eraseSlices(MutableArrayRef<LoopChannel> group) {
  llvm::SetVector<Operation *> ops;
  for (LoopChannel &channel : group)
    ops.insert(channel.slice.begin(), channel.slice.end());
  SmallVector<Operation *> inOrder = ops.takeVector();
  llvm::sort(inOrder, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : inOrder)
    if (op->use_empty())
      op->erase();
}

/// One ring for all channels of the loop: they advance together, so that one wait and one barrier do for all.
static ChannelCreateOp createRing(MutableArrayRef<LoopChannel> group, int64_t stages) {
  ChannelCreateOp first = group.front().create;
  SmallVector<Type> buffers;
  for (LoopChannel &channel : group)
    llvm::append_range(buffers, cast<ChannelType>(channel.create.getType()).getBuffers());
  OpBuilder builder(first);
  return ChannelCreateOp::create(builder, first.getLoc(), ChannelType::get(first.getContext(), stages, buffers),
                                 IntegerAttr());
}

/// Rewrites one loop; the file comment has the shape of the result.
static void pipeline(MutableArrayRef<LoopChannel> group, int64_t stages) {
  ChannelCreateOp ring = createRing(group, stages);
  for (LoopChannel &channel : group)
    hoistInvariants(channel);
  IRRewriter rewriter(group.front().loop);
  Value distance = emitPrologue(rewriter, group, ring, stages);
  scf::ForOp loop = carrySlots(rewriter, group.front().loop, stages);
  for (LoopChannel &channel : group)
    channel.loop = loop;

  Value read = *(loop.getRegionIterArgs().end() - 2), write = loop.getRegionIterArgs().back();
  rewriter.setInsertionPointToStart(loop.getBody());
  auto wait = ChannelWaitOp::create(rewriter, group.front().wait.getLoc(),
                                    cast<ChannelType>(ring.getType()).getBuffers(), ring, read, stages - 2);
  LoopArithmetic arithmetic(rewriter, loop);
  Value at = arithmetic.add(loop.getInductionVar(), distance);
  emitFill(rewriter, group, ring, write, at, arithmetic.exists(at));

  ChannelReleaseOp last = group.front().release;
  for (LoopChannel &channel : group)
    if (last->isBeforeInBlock(channel.release))
      last = channel.release;
  rewriter.setInsertionPoint(last);
  ChannelReleaseOp::create(rewriter, last.getLoc(), ring, read);
  ValueRange buffers = wait.getBuffers();
  for (LoopChannel &channel : group) {
    unsigned count = channel.wait.getBuffers().size();
    eraseChannel(channel, buffers.take_front(count));
    buffers = buffers.drop_front(count);
  }
  eraseSlices(group);
}

namespace {
struct PipelinePass : public tile::impl::TilePipelinePassBase<PipelinePass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    int64_t stages = kernel.planned("stages", 1);
    if (stages < 1 || stages > 64) {
      kernel.emitOpError("expects the plan's stages to be from 1 to 64, found ") << stages;
      return signalPassFailure();
    }
    if (stages == 1)
      return;
    // By loop, in program order.
    llvm::MapVector<Operation *, SmallVector<LoopChannel>> groups;
    kernel.getBody().walk([&](ChannelCreateOp create) {
      if (cast<ChannelType>(create.getType()).getStages() != 1)
        return;
      LoopChannel channel;
      channel.create = create;
      std::optional<std::string> reason = match(channel);
      if (!reason) {
        groups[channel.loop].push_back(std::move(channel));
        return;
      }
      remark::missed(create.getLoc(), remark::RemarkOpts::name("pipeline").category("tile-pipeline"))
          << remark::add("copies do not run ahead of their reads") << remark::reason("{0}", *reason)
          << remark::suggest("copy at offsets made of the induction variable and invariants, in a loop that stores "
                             "nothing");
    });
    for (auto &[loop, group] : groups) {
      Location loc = loop->getLoc();
      pipeline(group, stages);
      remark::passed(loc, remark::RemarkOpts::name("pipeline").category("tile-pipeline"))
          << remark::add("copies run {0} iterations ahead", stages - 1);
    }
  }
};
} // namespace

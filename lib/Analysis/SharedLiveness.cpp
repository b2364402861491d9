// Lives of shared memory are intervals of program order. Two things may share bytes when their intervals do not meet: the
// barrier pass then keeps the accesses of one before those of the other. A use inside a loop of what was made outside may
// happen in every iteration, so it spans the loop; branches of an scf.if follow each other in program order, so their
// buffers share bytes by themselves.
//
//     position   0 alloc %a   1 store %a   2 for {   3 load %a   4 alloc %b   5 store %b   6 load %b   }7   8 load %c
//     lives      %a 1 … 7     %b 5 … 6
#include "lib/Analysis/SharedLiveness.h"
#include "lib/Analysis/Scratch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<int64_t> SharedNeed::offset() const {
  IntegerAttr offset;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    offset = reduce.getScratchAttr();
  else
    offset = op->getAttrOfType<IntegerAttr>("offset");
  return offset ? std::optional<int64_t>(offset.getInt()) : std::nullopt;
}

void SharedNeed::setOffset(int64_t offset) {
  auto attr = IntegerAttr::get(IntegerType::get(op->getContext(), 64), offset);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    reduce.setScratchAttr(attr);
  else
    op->setAttr("offset", attr);
}

Operation *tile::sharedOrigin(Value value) {
  Operation *maker = value.getDefiningOp();
  while (auto reshape = dyn_cast_or_null<SharedReshapeOp>(maker))
    maker = reshape.getBuffer().getDefiningOp();
  if (auto acquire = dyn_cast_or_null<ChannelAcquireOp>(maker))
    maker = acquire.getChannel().getDefiningOp();
  else if (auto wait = dyn_cast_or_null<ChannelWaitOp>(maker))
    maker = wait.getChannel().getDefiningOp();
  else if (auto held = dyn_cast_or_null<ChannelSlotOp>(maker))
    maker = held.getChannel().getDefiningOp();
  return isa_and_nonnull<SharedAllocOp, ChannelCreateOp>(maker) ? maker : nullptr;
}

namespace {
/// First and last position of each op, nested ones included.
class Positions {
public:
  explicit Positions(KernelOp kernel) { number(kernel.getBody()); }
  int64_t first(Operation *op) const { return spans.at(op).first; }
  int64_t last(Operation *op) const { return spans.at(op).second; }
  int64_t end() const { return next; }

private:
  void number(Region &region) {
    for (Operation &op : region.getOps()) {
      int64_t first = next++;
      for (Region &nested : op.getRegions())
        number(nested);
      spans[&op] = {first, op.getNumRegions() ? next++ : first};
    }
  }
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
  int64_t next = 0;
};

/// Widens lives by uses.
class Lives {
public:
  Lives(const Positions &positions, SharedNeed &need) : positions(positions), need(need) {
    need.first = positions.end();
    need.last = -1;
  }

  /// Every use of a value that leads to the memory.
  void addUses(Value value) {
    for (Operation *user : value.getUsers()) {
      if (!isa<TileDialect>(user->getDialect())) {
        // Carried, yielded or selected: other names for the memory live who knows where.
        need.first = 0;
        need.last = positions.end();
        return;
      }
      addUse(user);
      for (Value result : user->getResults())
        if (isa<SharedType>(result.getType()))
          addUses(result);
    }
  }

  /// Without uses the memory lives where it is made.
  void finish() {
    if (need.last < 0)
      need.first = need.last = positions.first(need.op);
  }

private:
  void addUse(Operation *user) {
    Operation *span = user;
    for (Operation *op = user; op->getBlock() != need.op->getBlock();) {
      op = op->getParentOp();
      if (isa<LoopLikeOpInterface>(op))
        span = op;
    }
    need.first = std::min(need.first, positions.first(span));
    need.last = std::max(need.last, positions.last(span));
  }

  const Positions &positions;
  SharedNeed &need;
};
} // namespace

SmallVector<SharedNeed> tile::sharedNeeds(KernelOp kernel) {
  Positions positions(kernel);
  SmallVector<SharedNeed> needs;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    SharedNeed need{op, 0, 16, 0, 0};
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      need.bytes = scratchBytes(reduce);
      if (!need.bytes)
        return;
      need.first = positions.first(op);
      need.last = positions.last(op);
    } else if (auto alloc = dyn_cast<SharedAllocOp>(op)) {
      SharedLayout memory = cast<SharedType>(alloc.getBuffer().getType()).memory();
      need.bytes = memory.sizeBytes();
      need.alignment = memory.alignment();
    } else if (auto create = dyn_cast<ChannelCreateOp>(op)) {
      auto type = cast<ChannelType>(create.getChannel().getType());
      need.bytes = type.sizeInBytes();
      need.alignment = type.alignment();
    } else {
      return;
    }
    if (op->getNumRegions() == 0) {
      Lives lives(positions, need);
      lives.addUses(op->getResult(0));
      lives.finish();
    }
    needs.push_back(need);
  });
  return needs;
}

// Threads of a block see each other's shared-memory accesses in order only across a barrier. The analysis carries, along
// structured control flow, the accesses since the last barrier; an op that conflicts with one of them gets a barrier right
// before it, which empties the state. Loops are run until the state at their head no longer grows, branches are united,
// and only then are barriers inserted, by one more run over the same states.
//
// Channels: a wait completes the waiting thread's own copies only, so it counts as a write that other threads do not see
// yet. A release counts as a read, and acquiring any slot of the channel conflicts with it; that is the one barrier of a
// pipelined loop. The slots of a channel are disjoint by contract (who reads one does not write it), so that reads of one
// slot do not conflict with fills of another. Fills themselves add nothing: their acquire stood for them before, and their
// wait does afterwards. Bytes of other things that lie in the same place are compared as any other access.
//
//     for { wait; ▸barrier◂ acquire; copy_async; commit; shared_load; release }
//     The acquire meets the release of the iteration before, and the barrier there also serves the shared_load.
//     wait; ▸barrier◂ shared_load; for { acquire; copy_async; commit; shared_load; release; wait; ▸barrier◂ shared_load }
//     The load after the wait meets what the wait made land, and the barrier there also serves the next acquire.
#include "lib/Analysis/Scratch.h"
#include "lib/Analysis/SharedLiveness.h"
#include "lib/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>
#include <set>

namespace mlir::tile {
#define GEN_PASS_DEF_TILEINSERTBARRIERSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
enum class AccessKind { Read, Write, Release };

/// Bytes [begin, end) that some thread touched.
struct Access {
  int64_t begin, end;
  AccessKind kind;
  /// The number of the channel whose slot this is, -1 for none.
  int channel = -1;
  /// The number of the slot's buffer that an op stores to, -1 for all of them.
  int part = -1;

  bool operator<(const Access &o) const {
    return std::tie(begin, end, kind, channel, part) < std::tie(o.begin, o.end, o.kind, o.channel, o.part);
  }
  bool overlaps(const Access &o) const { return begin < o.end && o.begin < end; }
};

/// The accesses since the last barrier, on some path.
using State = std::set<Access>;

/// What is known at the head of a region op, and what followed from it.
struct Summary {
  State entry, head, exit;
  bool known = false;
};

/// Runs the analysis over a kernel.
class BarrierAnalysis {
public:
  explicit BarrierAnalysis(KernelOp kernel);

  /// False where an op lacks its offset; the error is emitted.
  bool isReady() const { return ready; }
  /// Places the barriers.
  void run() {
    Region &body = kernel.getBody();
    through(body, State());
    inserting = true;
    through(body, State());
  }

private:
  State through(Region &region, State state);
  State through(Operation *op, State state);
  State throughBranches(Operation *op, const State &state);
  State throughLoop(Operation *op, const State &state);
  void step(Operation *op, State &state);
  void access(Operation *op, Access access, State &state);
  Access bytesOf(Value memory, AccessKind kind) const;
  static bool conflicts(const Access &now, const Access &before, bool acquires);

  KernelOp kernel;
  llvm::DenseMap<Operation *, Access> memory;
  SmallVector<Access> copiedBuffers;
  llvm::DenseMap<Operation *, Summary> summaries;
  bool ready = true, inserting = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Where things are
//===----------------------------------------------------------------------===//

BarrierAnalysis::BarrierAnalysis(KernelOp kernel) : kernel(kernel) {
  int channels = 0;
  for (const SharedNeed &need : sharedNeeds(kernel)) {
    std::optional<int64_t> offset = need.offset();
    if (!offset) {
      need.op->emitOpError("expects an offset in shared memory; run 'tile-allocate-shared' before");
      ready = false;
      return;
    }
    int channel = isa<ChannelCreateOp>(need.op) ? channels++ : -1;
    memory[need.op] = {*offset, *offset + need.bytes, AccessKind::Read, channel, -1};
  }
  // Copies into buffers of no channel land at the next wait, whichever it is.
  kernel.getBody().walk([&](CopyAsyncOp copy) {
    Access target = bytesOf(copy.getBuffer(), AccessKind::Write);
    if (target.channel < 0)
      copiedBuffers.push_back(target);
  });
}

/// The bytes of a buffer or channel; all of shared memory where it is not known which it is.
Access BarrierAnalysis::bytesOf(Value value, AccessKind kind) const {
  Operation *origin = sharedOrigin(value);
  if (!origin)
    return {0, std::numeric_limits<int64_t>::max(), kind};
  Access access = memory.lookup(origin);
  access.kind = kind;
  if (kind == AccessKind::Write && access.channel >= 0 && isa<SharedType>(value.getType()))
    access.part = cast<OpResult>(value).getResultNumber();
  return access;
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// `acquires`: `now` stands for the fills of a slot.
bool BarrierAnalysis::conflicts(const Access &now, const Access &before, bool acquires) {
  if (!now.overlaps(before))
    return false;
  if (now.channel >= 0 && now.channel == before.channel) {
    if (acquires)
      return before.kind == AccessKind::Release;
    if (before.kind != AccessKind::Write)
      return false;
    // What a wait or a store wrote is not visible yet. A store fills what was acquired before, unless it fills it twice.
    return now.kind == AccessKind::Read || (now.part >= 0 && now.part == before.part);
  }
  return now.kind == AccessKind::Write || before.kind == AccessKind::Write;
}

/// Notes an access, after a barrier where it conflicts.
void BarrierAnalysis::access(Operation *op, Access now, State &state) {
  bool acquires = isa<ChannelAcquireOp>(op);
  if (llvm::any_of(state, [&](const Access &before) { return conflicts(now, before, acquires); })) {
    state.clear();
    if (inserting) {
      OpBuilder builder(op);
      BarrierOp::create(builder, op->getLoc());
    }
  }
  if (!acquires)
    state.insert(now);
}

void BarrierAnalysis::step(Operation *op, State &state) {
  if (isa<BarrierOp>(op)) {
    state.clear();
  } else if (auto store = dyn_cast<SharedStoreOp>(op)) {
    access(op, bytesOf(store.getBuffer(), AccessKind::Write), state);
  } else if (auto load = dyn_cast<SharedLoadOp>(op)) {
    access(op, bytesOf(load.getBuffer(), AccessKind::Read), state);
  } else if (auto acquire = dyn_cast<ChannelAcquireOp>(op)) {
    access(op, bytesOf(acquire.getChannel(), AccessKind::Write), state);
  } else if (auto copy = dyn_cast<CopyAsyncOp>(op)) {
    if (Access target = bytesOf(copy.getBuffer(), AccessKind::Write); target.channel < 0)
      access(op, target, state);
  } else if (auto wait = dyn_cast<ChannelWaitOp>(op)) {
    state.insert(bytesOf(wait.getChannel(), AccessKind::Write));
    state.insert(copiedBuffers.begin(), copiedBuffers.end());
  } else if (auto release = dyn_cast<ChannelReleaseOp>(op)) {
    state.insert(bytesOf(release.getChannel(), AccessKind::Release));
  } else if (auto reduce = dyn_cast<ReduceOp>(op); reduce && memory.contains(op)) {
    // write, barrier of its own, read
    Access scratch = memory.lookup(op);
    scratch.kind = AccessKind::Write;
    access(op, scratch, state);
    scratch.kind = AccessKind::Read;
    state = {scratch};
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

State BarrierAnalysis::through(Region &region, State state) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      state = through(&op, std::move(state));
  return state;
}

State BarrierAnalysis::through(Operation *op, State state) {
  if (isa<scf::IfOp>(op))
    return throughBranches(op, state);
  if (isa<LoopLikeOpInterface>(op))
    return throughLoop(op, state);
  step(op, state);
  return state;
}

static void unite(State &state, const State &other) { state.insert(other.begin(), other.end()); }

State BarrierAnalysis::throughBranches(Operation *op, const State &state) {
  State result;
  for (Region &region : op->getRegions())
    unite(result, region.empty() ? state : through(region, state));
  return result;
}

/// The head's state grows until the body's end adds nothing. An earlier result serves where nothing is new, so that nests
/// of loops are not run over and over. A loop's regions follow each other (scf.while: before, after), the last leads back
/// to the first, and the loop is left from its first region's head (scf.for) or end (scf.while).
State BarrierAnalysis::throughLoop(Operation *op, const State &state) {
  // A copy: nested loops may move the map's entries.
  Summary summary = summaries[op];
  bool tested = isa<scf::WhileOp>(op);
  unite(summary.entry, state);
  size_t size = summary.head.size();
  unite(summary.head, state);
  bool grows = !summary.known || summary.head.size() != size;
  if (!tested)
    unite(summary.exit, state);
  while (grows || inserting) {
    State end = summary.head;
    for (Region &region : op->getRegions()) {
      end = through(region, std::move(end));
      if (tested && &region == &op->getRegion(0))
        summary.exit = end;
    }
    if (!tested) {
      summary.exit = summary.entry;
      unite(summary.exit, end);
    }
    if (inserting)
      break;
    size = summary.head.size();
    unite(summary.head, end);
    grows = summary.head.size() != size;
    summary.known = true;
  }
  State exit = summary.exit;
  summaries[op] = std::move(summary);
  return exit;
}

namespace {
struct InsertBarriersPass : public tile::impl::TileInsertBarriersPassBase<InsertBarriersPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyReductionsLaidOut(kernel)))
      return signalPassFailure();
    BarrierAnalysis analysis(kernel);
    if (!analysis.isReady())
      return signalPassFailure();
    analysis.run();
  }
};
} // namespace

/// bar and barrier: sync, arrive, reductions; bar.warp.sync (PTX ISA, "Parallel Synchronization and Communication
/// Instructions").
///
/// A waiting thread executes its barrier again and again until it is let through; BlockBarriers knows which lanes have
/// already arrived, so that a second try counts nothing twice.
#include "lib/Simulator/Execute/Barrier.h"

#include "lib/Simulator/Core/BlockBarriers.h"
#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

namespace tilec::sim {

namespace {

enum class Reduce : uint8_t { None, Count, And, Or };

struct BlockBarrierDetail {
  bool aligned = true, arriveOnly = false, hasThreads = false, negated = false;
  Reduce reduce = Reduce::None;
};

} // namespace

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

// `data[1]` of the operations of this file's families: bit 0 says aligned.
bool isAlignedBarrier(const Operation &op) { return op.kind == InstructionClass::Barrier && (op.data[1] & 1) != 0; }

static std::string laneListText(LaneMask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < warpSize;) {
    if (!(lanes >> lane & 1)) {
      ++lane;
      continue;
    }
    unsigned last = lane;
    while (last + 1 < warpSize && (lanes >> (last + 1) & 1))
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane)
      text += "-" + std::to_string(last);
    lane = last + 1;
  }
  return text;
}

bool warpIsTogether(Execution &x, const Operation &op, LaneMask active) {
  LaneMask elsewhere = x.warp->alive & ~active;
  if (!elsewhere)
    return true;
  BlockBarriers &barriers = *x.block->barriers;
  if (barriers.divergenceReported(x.warp->index))
    return true;
  // Lanes of this split whose guard is false skip the barrier: divergence at once. Other splits may still come here,
  // unless each of them stands at a barrier of its own.
  bool skipped = (x.split->lanes & ~active) != 0;
  bool othersStuck = true;
  for (const Split &other : x.warp->splits)
    if (&other != x.split && other.lanes)
      othersStuck &= other.blocked && other.pc != op.index && other.wait.op && isAlignedBarrier(*other.wait.op);
  if (!skipped && !othersStuck) {
    x.waitFor(op, "other lanes of the warp, which this instruction needs as well");
    return false;
  }
  std::vector<std::string> notes;
  if (skipped)
    notes.push_back("lanes " + laneListText(x.split->lanes & ~active) + " of the warp skip it by their predicate");
  for (const Split &other : x.warp->splits)
    if (&other != x.split && other.lanes)
      notes.push_back("lanes " + laneListText(other.lanes) + " of the warp are at " +
                      x.grid->program->lineText(other.pc));
  notes.push_back("all threads of a warp must execute the same barrier: move it out of the divergent code");
  x.report(FindingKind::BarrierDivergence, op, firstLane(active),
           "lanes " + laneListText(active) + " of warp " + std::to_string(x.warp->index) +
               " execute a barrier that the whole warp must execute, without the others",
           std::move(notes));
  barriers.noteDivergence(x.warp->index);
  // The other lanes need not wait for these any more.
  x.event();
  return true;
}

//===----------------------------------------------------------------------===//
// bar, barrier
//===----------------------------------------------------------------------===//

/// The value of a row that must be the same in all active lanes.
static bool uniformValue(Execution &x, const Operation &op, Row row, LaneMask active, const char *what,
                         uint64_t &value) {
  if (x.check && x.requireDefined(op, row, active, what) != active)
    return false;
  value = x.value(row, firstLane(active));
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((active >> lane & 1) && x.value(row, lane) != value) {
      x.report(FindingKind::InvalidOperand, op, lane,
               std::string(what) + " differs between threads of a warp: " + std::to_string(value) + " and " +
                   std::to_string(x.value(row, lane)));
      return false;
    }
  return true;
}

static void writeReduction(Execution &x, const Operation &op, LaneMask lanes, Reduce reduce,
                           const BlockBarriers::Reduction &result) {
  uint64_t value = reduce == Reduce::Count ? result.trueThreads : reduce == Reduce::And ? result.all : result.any;
  forLanes(lanes, [&](unsigned lane) { x.setValue(op.destination(), lane, value); });
  if (x.check)
    x.setDefined(op.destination(), lanes);
}

static Outcome runBlockBarrier(Execution &x, const Operation &op, LaneMask active) {
  const auto &detail = op.detailAs<BlockBarrierDetail>();
  BlockBarriers &barriers = *x.block->barriers;
  uint64_t number = 0, threads = 0;
  if (!uniformValue(x, op, op.source(0), active, "the barrier's number", number))
    return Outcome::Next;
  if (detail.hasThreads && !uniformValue(x, op, op.source(1), active, "the barrier's thread count", threads))
    return Outcome::Next;
  if (number >= blockBarrierCount) {
    x.stop(FindingKind::InvalidOperand, op, firstLane(active),
           "barrier " + std::to_string(number) + " does not exist: a block has barriers 0 to 15");
    return Outcome::Next;
  }
  if (detail.hasThreads && (threads % warpSize != 0 || threads == 0)) {
    x.stop(FindingKind::InvalidOperand, op, firstLane(active),
           "the thread count of a barrier must be a positive multiple of 32, found " + std::to_string(threads));
    return Outcome::Next;
  }
  if (detail.aligned) {
    if (!warpIsTogether(x, op, active))
      return Outcome::Blocked;
  }
  // Lanes that skip the barrier need not wait for those that do not.
  if (active != x.split->lanes)
    return x.branch(op, active, op.index);

  BlockBarriers::Arrival arrival;
  arrival.barrier = static_cast<unsigned>(number);
  arrival.threads = static_cast<uint32_t>(threads);
  arrival.arriveOnly = detail.arriveOnly;
  arrival.isReduction = detail.reduce != Reduce::None;
  if (arrival.isReduction) {
    Row row = op.source(detail.hasThreads ? 2 : 1);
    if (x.check && x.requireDefined(op, row, active, "the predicate of a barrier's reduction") != active)
      return Outcome::Next;
    LaneMask predicate = x.predicate(row);
    arrival.predicate = (detail.negated ? ~predicate : predicate) & active;
  }
  LaneMask done = barriers.arrive(x, op, active, arrival);
  if (!done)
    return x.waitFor(op, "barrier " + std::to_string(number));
  if (!detail.arriveOnly) {
    if (arrival.isReduction)
      writeReduction(x, op, done, detail.reduce, barriers.reduction(arrival.barrier, x.warp->index));
    barriers.leave(x.warp->index, arrival.barrier, done);
  }
  // Lanes let through that the scheduler has joined with others which arrive anew go on by themselves.
  return done == active ? Outcome::Next : x.branch(op, active & ~done, op.index);
}

static Outcome runWarpBarrier(Execution &x, const Operation &op, LaneMask active) {
  Row masks = op.source(0);
  if (x.check && x.requireDefined(op, masks, active, "the member mask") != active)
    return Outcome::Next;
  LaneMask members = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(active >> lane & 1))
      continue;
    LaneMask mask = static_cast<LaneMask>(x.value(masks, lane));
    if (!(mask >> lane & 1)) {
      x.report(FindingKind::InvalidOperand, op, lane,
               "the executing thread is not in the member mask of bar.warp.sync");
      mask |= LaneMask(1) << lane;
    }
    members |= mask;
  }
  if (LaneMask missing = members & x.warp->alive & ~active) {
    if (missing & x.split->lanes)
      return x.branch(op, active, op.index);
    return x.waitFor(op, "bar.warp.sync: lanes " + laneListText(missing) + " of the warp have not arrived");
  }
  if (x.check)
    x.advanceClock();
  return Outcome::Next;
}

static bool bindWarpBarrier(Binder &b) {
  if (!b.take("sync"))
    return b.fail("expected bar.warp.sync");
  b.source(0, ptx::Type::B32);
  b.operation.run = runWarpBarrier;
  b.operation.kind = InstructionClass::Barrier;
  return b.finish();
}

static bool bindBlockBarrier(Binder &b, bool alignedByName) {
  BlockBarrierDetail detail;
  b.take("cta");
  detail.aligned = b.take("aligned") || alignedByName;
  int form = b.takeOneOf({"sync", "arrive", "red"});
  if (form < 0)
    return b.fail("expected .sync, .arrive or .red");
  detail.arriveOnly = form == 1;
  size_t next = 0, operands = b.operandCount();
  if (form == 2) {
    detail.reduce = static_cast<Reduce>(1 + b.takeOneOf({"popc", "and", "or"}));
    if (detail.reduce == Reduce::None)
      return b.fail("expected .popc, .and or .or");
    ptx::Type type = detail.reduce == Reduce::Count ? ptx::Type::U32 : ptx::Type::Predicate;
    if (!b.take(detail.reduce == Reduce::Count ? "u32" : "pred"))
      return b.fail(detail.reduce == Reduce::Count ? "expected .u32" : "expected .pred");
    b.destination(next++, type);
    detail.hasThreads = operands == 4;
  } else {
    detail.hasThreads = operands == 2;
  }
  if (detail.arriveOnly && !detail.hasThreads)
    return b.fail("arrive needs a thread count");
  b.source(next++, ptx::Type::U32);
  if (detail.hasThreads)
    b.source(next++, ptx::Type::U32);
  if (form == 2)
    b.predicateSource(next++, detail.negated);
  b.operation.detail = b.builder().program().keep(detail);
  b.operation.data[1] = detail.aligned;
  b.operation.run = runBlockBarrier;
  b.operation.kind = InstructionClass::Barrier;
  return b.finish();
}

static bool bindBar(Binder &b) { return b.take("warp") ? bindWarpBarrier(b) : bindBlockBarrier(b, true); }

static bool bindBarrier(Binder &b) { return b.take("cluster") ? bindClusterBarrier(b) : bindBlockBarrier(b, false); }

void addBarrierInstructions(InstructionTable &table) {
  table["bar"] = bindBar;
  table["barrier"] = bindBarrier;
  table["membar"] = bindMembar;
  table["fence"] = bindFence;
  table["griddepcontrol"] = bindGridDependencyControl;
  table["setmaxnreg"] = bindSetMaxRegisters;
}

} // namespace tilec::sim

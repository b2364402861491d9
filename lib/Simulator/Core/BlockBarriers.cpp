#include "lib/Simulator/Core/BlockBarriers.h"

namespace tilec::sim {

static unsigned countOf(LaneMask lanes) { return static_cast<unsigned>(__builtin_popcount(lanes)); }

/// Threads that have arrived, warps in full as 32.
uint32_t BlockBarriers::counted(const Block &block, const State &barrier) const {
  uint32_t count = 0;
  for (size_t i = 0; i < barrier.warps.size(); ++i) {
    const WarpState &warp = barrier.warps[i];
    if (!warp.arrived)
      continue;
    LaneMask alive = block.warps[i]->alive;
    count += (alive & ~warp.arrived) == 0 ? warpSize : countOf(warp.arrived);
    count += warp.repeated;
  }
  return count;
}

uint32_t BlockBarriers::expected(const Block &block, const State &barrier) const {
  if (barrier.threads)
    return barrier.threads;
  uint32_t count = 0;
  for (size_t i = 0; i < block.warps.size(); ++i)
    if (block.warps[i]->alive || (i < barrier.warps.size() && barrier.warps[i].arrived))
      count += warpSize;
  return count;
}

void BlockBarriers::completeIfFull(Execution &x, const Operation &op, unsigned number, State &barrier) {
  uint32_t have = counted(*x.block, barrier), want = expected(*x.block, barrier);
  if (have < want)
    return;
  if (have > want)
    x.report(FindingKind::BarrierMisuse, op, firstLane(x.split->lanes),
             "barrier " + std::to_string(number) + " expects " + std::to_string(want) + " threads, but " +
                 std::to_string(have) + " have arrived",
             {"every warp that takes part must be counted in the barrier's thread count"});
  for (size_t i = 0; i < barrier.warps.size(); ++i) {
    WarpState &warp = barrier.warps[i];
    if (warp.waiting) {
      if (x.check)
        receive(*x.block->warps[i], barrier.order);
      warp.result = barrier.reduction;
    }
    warp.done |= warp.waiting;
    warp.arrived = warp.waiting = 0;
    warp.repeated = 0;
  }
  barrier.threads = 0;
  barrier.first = nullptr;
  barrier.reduction = Reduction();
  barrier.order.clear();
  ++barrier.phase;
  x.event();
}

LaneMask BlockBarriers::arrive(Execution &x, const Operation &op, LaneMask lanes, const Arrival &arrival) {
  State &barrier = state[arrival.barrier];
  barrier.warps.resize(x.block->warps.size());
  WarpState &warp = barrier.warps[x.warp->index];
  LaneMask fresh = arrival.arriveOnly ? lanes : lanes & ~(warp.waiting | warp.done);
  if (fresh) {
    if (!barrier.first) {
      barrier.first = &op;
      barrier.threads = arrival.threads;
      barrier.firstIsReduction = arrival.isReduction;
    } else {
      // Without a count all threads of the block take part, which may also be said in numbers.
      uint32_t all = static_cast<uint32_t>(x.block->warps.size()) * warpSize;
      if ((barrier.threads ? barrier.threads : all) != (arrival.threads ? arrival.threads : all))
        x.report(FindingKind::BarrierMisuse, op, firstLane(fresh),
                 "barrier " + std::to_string(arrival.barrier) + " is used with " +
                     (arrival.threads ? std::to_string(arrival.threads) : "all") + " threads here, but with " +
                     (barrier.threads ? std::to_string(barrier.threads) : "all") + " at " +
                     x.grid->program->lineText(*barrier.first) + " in the same phase",
                 {"all participants must give the same thread count"});
      if (barrier.firstIsReduction != arrival.isReduction)
        x.report(FindingKind::BarrierMisuse, op, firstLane(fresh),
                 "barrier " + std::to_string(arrival.barrier) + " is used by " +
                     (arrival.isReduction ? "a reduction here, but by sync or arrive at "
                                          : "sync or arrive here, but by a reduction at ") +
                     x.grid->program->lineText(*barrier.first) + " in the same phase",
                 {"reductions must not be mixed with sync and arrive at one barrier while it is active"}, 1);
    }
    uint32_t again = countOf(fresh & warp.arrived);
    if (again)
      warp.repeated += (x.warp->alive & ~fresh) == 0 ? warpSize : again;
    warp.arrived |= fresh;
    if (!arrival.arriveOnly)
      warp.waiting |= fresh;
    barrier.reduction.trueThreads += countOf(fresh & arrival.predicate);
    barrier.reduction.any |= (fresh & arrival.predicate) != 0;
    barrier.reduction.all &= (fresh & ~arrival.predicate) == 0;
    if (x.check)
      contribute(*x.warp, barrier.order);
  }
  if (fresh || (lanes & warp.waiting))
    completeIfFull(x, op, arrival.barrier, barrier);
  return arrival.arriveOnly ? lanes : lanes & warp.done;
}

void BlockBarriers::leave(unsigned warp, unsigned barrier, LaneMask lanes) {
  state[barrier].warps[warp].done &= ~lanes;
}

bool BlockBarriers::inUse(unsigned barrier) const {
  for (const WarpState &warp : state[barrier].warps)
    if (warp.waiting)
      return true;
  return false;
}

std::string BlockBarriers::text(const Block &block, unsigned barrier) const {
  const State &s = state[barrier];
  return "barrier " + std::to_string(barrier) + ": " + std::to_string(counted(block, s)) + " of " +
         std::to_string(expected(block, s)) + " threads have arrived";
}

LaneMask BlockBarriers::arrived(unsigned barrier, unsigned warp) const {
  return warp < state[barrier].warps.size() ? state[barrier].warps[warp].arrived : 0;
}

LaneMask BlockBarriers::waiting(unsigned barrier, unsigned warp) const {
  return warp < state[barrier].warps.size() ? state[barrier].warps[warp].waiting : 0;
}

void BlockBarriers::noteDivergence(unsigned warp) {
  if (diverged.size() <= warp)
    diverged.resize(warp + 1);
  diverged[warp] = true;
}

} // namespace tilec::sim

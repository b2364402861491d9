/// setmaxnreg: warp groups hand registers of their block to each other (PTX ISA, "setmaxnreg").
///
/// The block's pool is what its warps were launched with: registers per thread (.maxnreg, or what the threads of the
/// block can have on the target), times threads. dec gives registers back, inc waits until there are enough.
#include "lib/Simulator/Execute/Barrier.h"

#include <algorithm>

namespace tilec::sim {

constexpr uint32_t registerStep = 8, fewestRegisters = 24, mostRegisters = 256;
constexpr unsigned warpsPerGroup = 4;

/// Registers per thread at launch.
static uint32_t registersAtLaunch(const Execution &x) {
  const Program &program = *x.grid->program;
  uint32_t given = program.kernel->maxRegisters;
  if (given)
    return (given + registerStep - 1) / registerStep * registerStep;
  uint32_t threads = static_cast<uint32_t>(x.block->warps.size()) * warpSize;
  uint32_t share = x.grid->target->registersPerSM / std::max<uint32_t>(threads, 1);
  return std::min(share, x.grid->target->maxRegistersPerThread + 1) / registerStep * registerStep;
}

// data[0]: registers per thread. data[1], bit 0: aligned; bit 1: inc.
static Outcome runSetMaxRegisters(Execution &x, const Operation &op, LaneMask active) {
  if (!warpIsTogether(x, op, active))
    return Outcome::Blocked;
  auto wanted = static_cast<uint32_t>(op.data[0]);
  bool increases = (op.data[1] & 2) != 0;
  uint32_t launched = registersAtLaunch(x);
  auto held = [&](const Warp &warp) { return warp.registerBudget ? warp.registerBudget : launched; };
  uint32_t now = held(*x.warp);
  if (increases ? wanted < now : wanted > now) {
    x.report(FindingKind::Budget, op, firstLane(active),
             std::string("setmaxnreg.") + (increases ? "inc" : "dec") + " to " + std::to_string(wanted) +
                 " registers per thread, but the warp has " + std::to_string(now),
             {increases ? "inc takes a count that is at least the present one"
                        : "dec takes a count that is at most the present one"});
    return Outcome::Next;
  }
  // Another warp of the group that is already elsewhere shows that the group does not execute this one together.
  unsigned first = x.warp->index / warpsPerGroup * warpsPerGroup;
  unsigned last = std::min<unsigned>(first + warpsPerGroup, static_cast<unsigned>(x.block->warps.size()));
  for (unsigned i = first; i < last; ++i)
    if (!x.block->warps[i]->alive && x.block->warps[i]->registerBudget != wanted)
      x.report(FindingKind::Budget, op, firstLane(active),
               "setmaxnreg must be executed by all warps of a warp group, but warp " + std::to_string(i) +
                   " has ended without it",
               {}, 1);
  uint64_t pool = uint64_t(launched) * warpSize * x.block->warps.size();
  uint64_t used = 0;
  for (const std::unique_ptr<Warp> &warp : x.block->warps)
    if (warp.get() != x.warp)
      used += uint64_t(held(*warp)) * warpSize;
  if (used + uint64_t(wanted) * warpSize > pool)
    return x.waitFor(op, "setmaxnreg.inc: the warp needs " + std::to_string(uint64_t(wanted) * warpSize) +
                             " registers and " + std::to_string(pool - used) + " of the block's " +
                             std::to_string(pool) + " (" + std::to_string(launched) +
                             " per thread at launch) are free for it");
  x.warp->registerBudget = wanted;
  x.event();
  return Outcome::Next;
}

bool bindSetMaxRegisters(Binder &b) {
  b.require(90);
  int form = b.takeOneOf({"inc", "dec"});
  if (form < 0)
    return b.fail("expected .inc or .dec");
  if (!b.take("sync") || !b.take("aligned") || !b.take("u32"))
    return b.fail("expected .sync.aligned.u32");
  int64_t count = b.constant(0);
  if (count < fewestRegisters || count > mostRegisters || count % registerStep != 0)
    return b.fail("the register count must be a multiple of 8 from 24 to 256, found " + std::to_string(count));
  b.operation.data[0] = static_cast<uint64_t>(count);
  b.operation.data[1] = 1 | (form == 0 ? 2 : 0);
  b.operation.run = runSetMaxRegisters;
  b.operation.kind = InstructionClass::Barrier;
  return b.finish();
}

} // namespace tilec::sim

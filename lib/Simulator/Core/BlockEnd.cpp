#include "lib/Simulator/Core/BlockEnd.h"

#include "lib/Simulator/Core/Order.h"

namespace tilec::sim {

static const char *const peerRemedy =
    "place barrier.cluster.arrive and barrier.cluster.wait between the last access and "
    "the end of the block";

void notePeerAccess(Execution &x, const Operation &op, unsigned lane, const Region &region, AccessKind kind) {
  if (region.space != ptx::Space::Shared || &region == &x.block->shared)
    return;
  Block *owner = blockOfShared(x, &region);
  if (!owner)
    return;
  if (owner->liveWarps == 0) {
    x.report(FindingKind::Race, op, lane,
             "access to shared memory of block " + std::to_string(owner->rank) + " of the cluster, which has ended",
             {peerRemedy});
    return;
  }
  // An arrival or another atomic access orders itself: what waits for it is often the owner's last act.
  if (kind != AccessKind::Atomic)
    owner->dueAtEnd[x.warp->stamp.agent] = {x.warp->stamp.clock, &op, x.threadText(lane), false};
}

void noteUnitRead(Execution &x, const Operation &op, unsigned lane, Stamp chain) {
  x.block->dueAtEnd[chain.agent] = {chain.clock, &op, x.threadText(lane), true};
}

void checkBlockEnd(Execution &x, const Operation &op, unsigned lane) {
  if (x.block->dueAtEnd.empty())
    return;
  VectorClock seen;
  for (const std::unique_ptr<Warp> &warp : x.block->warps)
    seen.join(warp->order.seen);
  for (const auto &[agent, due] : x.block->dueAtEnd) {
    if (seen.of(agent) >= due.clock)
      continue;
    std::string line = x.grid->program->lineText(*due.op);
    // At the copy, where it is also reported if it does come too late.
    if (due.byUnit)
      x.report(FindingKind::AsyncNotWaited, *due.op, lane,
               "the copy reads shared memory of a block whose threads have ended without a wait for it; issued by " +
                   due.thread,
               {"wait with cp.async.bulk.wait_group.read before the thread ends"});
    else
      x.report(FindingKind::Race, op, lane,
               "the block has ended, and its shared memory with it, while the access of " + due.thread + " at " + line +
                   " is not ordered before its end",
               {peerRemedy}, due.op->index + 1);
  }
}

} // namespace tilec::sim

#include "lib/Simulator/Core/ClusterBarrier.h"

namespace tilec::sim {

ClusterBarrier::WarpState &ClusterBarrier::of(Execution &x) {
  if (warps.size() != x.cluster->blocks.size()) {
    warps.resize(x.cluster->blocks.size());
    for (size_t i = 0; i < warps.size(); ++i)
      warps[i].resize(x.cluster->blocks[i]->warps.size());
  }
  return warps[x.block->rank][x.warp->index];
}

void ClusterBarrier::completeIfFull(Execution &x) {
  for (size_t b = 0; b < warps.size(); ++b)
    for (size_t w = 0; w < warps[b].size(); ++w)
      if (x.cluster->blocks[b]->warps[w]->alive & ~warps[b][w].arrived)
        return;
  for (std::vector<WarpState> &block : warps)
    for (WarpState &warp : block) {
      warp.done |= warp.arrived;
      warp.arrived = 0;
    }
  complete = std::move(collecting);
  collecting.clear();
  ++phase;
  x.event();
}

void ClusterBarrier::arrive(Execution &x, const Operation &op, LaneMask lanes, bool releases) {
  WarpState &warp = of(x);
  if (LaneMask twice = lanes & (warp.arrived | warp.done)) {
    x.report(FindingKind::BarrierMisuse, op, firstLane(twice),
             "a thread arrives at the cluster barrier again before it has waited",
             {"barrier.cluster.arrive must be followed by barrier.cluster.wait before the next arrive"});
    warp.done &= ~twice;
  }
  warp.arrived |= lanes;
  if (x.check) {
    if (releases) {
      contribute(*x.warp, collecting);
    } else if (x.warp->hasReleased) {
      collecting.order.join(x.warp->released);
    }
  }
  completeIfFull(x);
}

LaneMask ClusterBarrier::wait(Execution &x, const Operation &op, LaneMask lanes, bool acquires) {
  WarpState &warp = of(x);
  if (LaneMask never = lanes & ~(warp.arrived | warp.done)) {
    x.report(FindingKind::BarrierMisuse, op, firstLane(never),
             "a thread waits at the cluster barrier without having arrived",
             {"every barrier.cluster.wait needs its barrier.cluster.arrive"});
    warp.done |= never;
  }
  // Exits of other threads may have completed it.
  if (lanes & warp.arrived)
    completeIfFull(x);
  LaneMask done = lanes & warp.done;
  if (done != lanes)
    return done;
  warp.done &= ~lanes;
  if (x.check) {
    if (acquires)
      receive(*x.warp, complete);
    else
      x.warp->toAcquire.join(complete.order);
  }
  return done;
}

std::string ClusterBarrier::text(const Cluster &cluster) const {
  unsigned have = 0, want = 0;
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      want += static_cast<unsigned>(__builtin_popcount(warp->alive));
      if (block->rank < warps.size())
        have += static_cast<unsigned>(__builtin_popcount(warps[block->rank][warp->index].arrived & warp->alive));
    }
  return "cluster barrier: " + std::to_string(have) + " of " + std::to_string(want) + " threads have arrived";
}

bool ClusterBarrier::hasArrived(const Block &block, unsigned warp) const {
  return block.rank < warps.size() && (block.warps[warp]->alive & ~warps[block.rank][warp].arrived) == 0;
}

} // namespace tilec::sim

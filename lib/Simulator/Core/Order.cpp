#include "lib/Simulator/Core/Order.h"

#include "lib/Simulator/Core/Mbarriers.h"

namespace tilec::sim {

Block *blockOfShared(const Execution &x, const Region *region) {
  if (region == &x.block->shared)
    return x.block;
  for (const std::unique_ptr<Block> &block : x.cluster->blocks)
    if (&block->shared == region)
      return block.get();
  return nullptr;
}

/// Calls `body` with the orders by place, the place's key in them, and whoever else may use them kept out. A place of
/// global memory has two: what all may acquire, and what threads of the block may, which are in the block's own table
/// (addresses of global memory are no offsets in shared memory). `body` is told whether the access reaches so far.
template <typename Body> static void withPublished(Execution &x, Place place, Reach reach, Body body) {
  if (!x.check || !place)
    return;
  if (place.region->space == ptx::Space::Shared) {
    if (Block *block = blockOfShared(x, place.region))
      if (block->mbarriers)
        body(block->mbarriers->published, place.offset, true);
    return;
  }
  if (place.region->space != ptx::Space::Global)
    return;
  uint64_t key = place.region->base + place.offset;
  if (x.block->mbarriers)
    body(x.block->mbarriers->published, key, true);
  std::lock_guard<std::mutex> guard(x.grid->publishedMutex);
  body(x.grid->published, key, reach == Reach::Everywhere);
}

using PublishedOrders = std::unordered_map<uint64_t, Order>;

void acquireFrom(Execution &x, Place place, Reach reach) {
  withPublished(x, place, reach, [&](PublishedOrders &published, uint64_t key, bool reaches) {
    auto at = published.find(key);
    if (reaches && at != published.end())
      x.warp->order.join(at->second);
  });
}

void releaseTo(Execution &x, Place place, Publish publish, Reach reach) {
  withPublished(x, place, reach, [&](PublishedOrders &published, uint64_t key, bool reaches) {
    if (!reaches) {
      if (publish == Publish::Replace)
        published.erase(key);
      return;
    }
    Order &order = published[key];
    if (publish == Publish::Replace)
      order = x.warp->order;
    else
      order.join(x.warp->order);
  });
  x.advanceClock();
}

void relaxedRead(Execution &x, Place place, Reach reach) {
  withPublished(x, place, reach, [&](PublishedOrders &published, uint64_t key, bool reaches) {
    auto at = published.find(key);
    if (reaches && at != published.end())
      x.warp->toAcquire.join(at->second);
  });
}

void relaxedWrite(Execution &x, Place place, Publish publish, Reach reach) {
  withPublished(x, place, reach, [&](PublishedOrders &published, uint64_t key, bool reaches) {
    if (publish == Publish::Replace)
      published.erase(key);
    if (reaches && x.warp->hasReleased)
      published[key].join(x.warp->released);
  });
}

void acquireFence(Execution &x) {
  if (x.check)
    x.warp->order.join(x.warp->toAcquire);
}

void releaseFence(Execution &x) {
  if (!x.check)
    return;
  x.warp->released = x.warp->order;
  x.warp->hasReleased = true;
  x.advanceClock();
}

void asyncProxyFence(Execution &x) {
  if (!x.check)
    return;
  x.warp->order.fenced.join(x.warp->order.seen);
  x.advanceClock();
}

void advanceClock(Warp &warp) {
  warp.stamp.clock += 1;
  warp.order.seen.reach(warp.stamp.agent, warp.stamp.clock);
}

void BarrierOrder::clear() { *this = BarrierOrder(); }

void contribute(Warp &warp, BarrierOrder &to) {
  // Barriers order all that their threads did and saw before, also what relaxed reads saw (CUDA's pattern of one
  // thread's atomic before __syncthreads).
  warp.order.join(warp.toAcquire);
  to.order.join(warp.order);
  if (warp.hasReleased) {
    to.released.join(warp.released);
    to.hasReleased = true;
  }
  advanceClock(warp);
}

void receive(Warp &warp, const BarrierOrder &from) {
  warp.order.join(from.order);
  if (from.hasReleased) {
    warp.released.join(from.released);
    warp.hasReleased = true;
  }
  advanceClock(warp);
}

} // namespace tilec::sim

#include "lib/Simulator/Core/DeadlockReport.h"

#include "lib/Simulator/Core/BlockBarriers.h"
#include "lib/Simulator/Core/ClusterBarrier.h"
#include "lib/Simulator/Core/Mbarriers.h"

#include <algorithm>

namespace tilec::sim {

namespace {
/// One thing that is waited for.
struct Awaited {
  std::string text;
  /// Warps that wait for it, by place, in the order in which they were found.
  std::vector<std::pair<std::string, std::string>> waiting;
  /// What else is known: who is missing, who has arrived.
  std::string more;
};
} // namespace

static std::string warpText(const Cluster &cluster, const Warp &warp) {
  std::string text = "warp " + std::to_string(warp.index);
  if (cluster.blocks.size() > 1)
    text += " of block " + std::to_string(warp.block->rank) + " in the cluster";
  return text;
}

/// "warp 3, which waits at kernel.ptx:57".
static std::string whereText(const Cluster &cluster, const Warp &warp, LaneMask missing) {
  std::string text = warpText(cluster, warp);
  if (!warp.alive)
    return text + ", which has ended";
  for (const Split &split : warp.splits)
    if (split.lanes & missing)
      return text + ", which waits at " + cluster.grid->program->lineText(split.pc);
  return text;
}

static void append(std::string &list, unsigned &count, const std::string &item) {
  constexpr unsigned most = 8;
  if (count < most)
    list += (count ? "; " : "") + item;
  else if (count == most)
    list += "; and more";
  ++count;
}

static std::string missingAt(const Cluster &cluster, const Block &block, unsigned barrier) {
  std::string list;
  unsigned count = 0;
  for (const std::unique_ptr<Warp> &warp : block.warps) {
    LaneMask arrived = block.barriers->arrived(barrier, warp->index);
    LaneMask missing = warp->alive & ~arrived;
    if (missing || (!warp->alive && !arrived))
      append(list, count, whereText(cluster, *warp, missing));
  }
  return list.empty() ? list : "; missing: " + list;
}

static std::string missingInCluster(const Cluster &cluster) {
  std::string list;
  unsigned count = 0;
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      if (!cluster.barrier->hasArrived(*block, warp->index))
        append(list, count, whereText(cluster, *warp, warp->alive));
  return list.empty() ? list : "; missing: " + list;
}

static std::string arrivedAt(const Cluster &cluster, const MbarrierRecord &record) {
  std::string list;
  unsigned count = 0;
  for (const MbarrierRecord::Arrived &arrived : record.arrivals)
    append(list, count,
           std::to_string(arrived.count) + " by " + warpText(cluster, *arrived.warp) + " at " +
               cluster.grid->program->lineText(arrived.op->index));
  std::string text = "; arrivals in this phase: " + (list.empty() ? "none" : list);
  if (record.phase >= 2)
    text += "; phase " + std::to_string(record.phase - 2) +
            " had the same parity and is complete: whoever waits for that one comes two phases late";
  return text;
}

static Awaited awaitedBy(const Cluster &cluster, const Warp &warp, const Split &split) {
  const Block &own = *warp.block;
  const Grid &grid = *cluster.grid;
  for (unsigned barrier = 0; barrier < blockBarrierCount; ++barrier)
    if (own.barriers->waiting(barrier, warp.index) & split.lanes) {
      std::string text = own.barriers->text(own, barrier);
      if (cluster.blocks.size() > 1)
        text = "block " + std::to_string(own.rank) + " in the cluster, " + text;
      return {text, {}, missingAt(cluster, own, barrier)};
    }
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const auto &[offset, record] : block->mbarriers->all())
      for (const MbarrierRecord::Waiter &waiter : record.waiters)
        if (waiter.warp == &warp && waiter.op == split.wait.op && !waiter.refused)
          return {mbarrierText(grid, *block, offset, record), {}, arrivedAt(cluster, record)};
  if (split.wait.what == "cluster barrier")
    return {cluster.barrier->text(cluster), {}, missingInCluster(cluster)};
  return {split.wait.what, {}, {}};
}

static std::string waitingText(const Awaited &awaited) {
  std::string text;
  unsigned count = 0;
  for (size_t i = 0; i < awaited.waiting.size(); ++i) {
    // Neighbours at one place are named together.
    std::string who = awaited.waiting[i].first;
    while (i + 1 < awaited.waiting.size() && awaited.waiting[i + 1].second == awaited.waiting[i].second)
      who += ", " + awaited.waiting[++i].first;
    append(text, count, who + " at " + awaited.waiting[i].second);
  }
  return text;
}

void reportDeadlock(Cluster &cluster) {
  std::vector<Awaited> all;
  Warp *first = nullptr;
  const Split *firstSplit = nullptr;
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      for (const Split &split : warp->splits) {
        if (!split.lanes)
          continue;
        if (!first) {
          first = warp.get();
          firstSplit = &split;
        }
        Awaited awaited = awaitedBy(cluster, *warp, split);
        auto known = std::find_if(all.begin(), all.end(), [&](const Awaited &a) { return a.text == awaited.text; });
        if (known == all.end())
          known = all.insert(all.end(), std::move(awaited));
        std::string who = warpText(cluster, *warp);
        if (split.lanes != warp->existing)
          who += " (" + std::to_string(__builtin_popcount(split.lanes)) + " lanes)";
        known->waiting.push_back({who, cluster.grid->program->lineText(split.pc)});
      }
  if (!first) {
    cluster.grid->stopped = true;
    return;
  }
  std::vector<std::string> notes;
  for (const Awaited &awaited : all)
    notes.push_back(awaited.text + "; waiting: " + waitingText(awaited) + awaited.more);
  Execution x;
  x.enter(*first);
  const Operation &op = firstSplit->wait.op ? *firstSplit->wait.op : cluster.grid->program->operations[firstSplit->pc];
  x.stop(FindingKind::Deadlock, op, firstLane(firstSplit->lanes),
         "no thread of the " + std::string(cluster.blocks.size() > 1 ? "cluster" : "block") +
             " can go on: " + all.front().text,
         std::move(notes));
}

} // namespace tilec::sim

/// Who runs when.
///
/// A warp runs one of its splits at a time: the one that is furthest back in the program, until it reaches the place of
/// another and they merge, so that lanes meet again after a branch or a call. A warp runs for a number of operations or
/// until it must wait; then another one of the cluster runs. When none can go on, asynchronous operations happen; when
/// there are none, it is a deadlock. The seed decides the lengths of turns and who is next; seed 0 is the plain order.
///
/// Clusters that cannot see each other's work are spread over worker threads. The others run interleaved on one, the
/// next one being started when all that run only wait, so that a grid whose blocks wait for each other goes on as long
/// as the device could hold them all at once.
#include "lib/Simulator/Core/DeadlockReport.h"
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/Start.h"
#include "lib/Simulator/Core/WarpAsync.h"
#include "lib/Target/LaunchLimits.h"

#include <algorithm>
#include <thread>

using namespace tilec;
using namespace tilec::sim;

/// Operations of a turn in the plain order.
static constexpr uint64_t plainTurn = 1 << 14;
/// A warp that does more operations than this without a turn of a polling loop does not poll.
static constexpr uint64_t longestPoll = 256;
static constexpr uint32_t noLimit = ~0u;

//===----------------------------------------------------------------------===//
// Splits of a warp
//===----------------------------------------------------------------------===//

static bool canRun(const Split &split, const Cluster &cluster) {
  return !split.blocked || split.blockedAt != cluster.events;
}

/// Splits at one place with one stack of calls become one.
static void mergeSplits(Warp &warp) {
  std::vector<Split> &splits = warp.splits;
  for (size_t i = 0; i + 1 < splits.size(); ++i)
    for (size_t k = splits.size() - 1; k > i; --k)
      if (splits[i].pc == splits[k].pc && splits[i].returns == splits[k].returns) {
        splits[i].lanes |= splits[k].lanes;
        splits[i].blocked = false;
        splits.erase(splits.begin() + static_cast<ptrdiff_t>(k));
      }
}

/// How many calls, from the outermost on, two splits are in together.
static size_t commonCalls(const Split &a, const Split &b) {
  size_t most = std::min(a.returns.size(), b.returns.size()), i = 0;
  while (i < most && a.returns[i].call == b.returns[i].call)
    ++i;
  return i;
}

/// A split's place in the function that it runs after `calls` calls: where it is, or the call that it is in there.
static uint32_t placeAfter(const Split &split, size_t calls) {
  return calls < split.returns.size() ? split.returns[calls].call : split.pc;
}

/// Whether `a` comes before `b` in the program. Who is in a call stands at the call's place, behind those that have the
/// call before them: so all lanes that call meet in the callee and, with those that did not call, after it.
static bool isFurtherBack(const Split &a, const Split &b) {
  size_t calls = commonCalls(a, b);
  uint32_t placeOfA = placeAfter(a, calls), placeOfB = placeAfter(b, calls);
  if (placeOfA != placeOfB)
    return placeOfA < placeOfB;
  return a.returns.size() == calls && b.returns.size() > calls;
}

/// The split to run, or null: the one furthest back, or, after a polling loop has turned, the one that has waited
/// longest (of several the one furthest on), so that each of several loops gets its turn and so does who is in none.
static Split *chooseSplit(Warp &warp, const Cluster &cluster) {
  Split *chosen = nullptr;
  for (Split &split : warp.splits) {
    if (!canRun(split, cluster))
      continue;
    bool better = !chosen || isFurtherBack(split, *chosen);
    if (warp.yielded && chosen)
      better = split.lastRun != chosen->lastRun ? split.lastRun < chosen->lastRun : isFurtherBack(*chosen, split);
    if (better)
      chosen = &split;
  }
  return chosen;
}

/// The place at which the chosen split meets another one or is no longer the furthest back.
static uint32_t meetingPoint(const Warp &warp, const Split &chosen) {
  uint32_t limit = noLimit;
  for (const Split &split : warp.splits) {
    if (&split == &chosen)
      continue;
    size_t calls = commonCalls(split, chosen);
    // If they are in different calls, they meet no earlier than after a return.
    if (calls < chosen.returns.size())
      continue;
    // Who is in a call is met by making it, or passed behind it.
    uint32_t place = placeAfter(split, calls) + (split.returns.size() > calls);
    if (place > chosen.pc)
      limit = std::min(limit, place);
  }
  return limit;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether an operation does more than write its destinations in its own lanes.
static bool hasEffects(const Operation &op) {
  switch (op.kind) {
  case InstructionClass::Control:
  case InstructionClass::Atomic:
  case InstructionClass::Warp:
  case InstructionClass::Barrier:
    return true;
  default:
    return op.destinations == 0;
  }
}

/// Lanes whose guard is undefined: what has an effect is reported, what only writes registers makes them undefined once
/// it has run. Asked before it runs, since it may write its own guard or take the split apart.
static LaneMask undefinedGuard(Execution &x, const Operation &op, LaneMask lanes) {
  Row guard{op.guard, 0};
  if (!x.rowMayBeUndefined(guard))
    return 0;
  LaneMask bad = x.undefinedLanes(guard, lanes);
  if (bad && hasEffects(op))
    (void)x.requireDefined(op, guard, bad, op.kind == InstructionClass::Control ? "branch" : "guard predicate");
  return bad;
}

static bool mayCarryUndefined(const Execution &x, const Operation &op) {
  unsigned count = op.destinations + op.sources;
  for (unsigned i = 0; i < count; ++i)
    if (x.rowMayBeUndefined(op.rows[i]))
      return true;
  return false;
}

/// Runs the split until it must wait, ends, meets another, or has done `turn` operations. Returns how many it did.
template <bool check> static uint64_t runSplit(Execution &x, Split *split, uint64_t turn) {
  Warp &warp = *x.warp;
  const Operation *operations = x.grid->program->operations.data();
  uint32_t limit = warp.splits.size() > 1 ? meetingPoint(warp, *split) : noLimit;
  x.split = split;
  split->blocked = false;
  split->lastRun = ++warp.runs;
  uint64_t done = 0;
  WgmmaRegisters &wgmma = warp.async->wgmma.registers;
  const std::atomic<bool> &stopped = x.grid->stopped;
  while (done < turn && !stopped.load(std::memory_order_relaxed)) {
    const Operation &op = operations[split->pc];
    LaneMask active = split->lanes, unknown = 0;
    if (op.hasGuard) {
      LaneMask guard = x.predicateAt(op.guard);
      active &= op.guardNegated ? ~guard : guard;
      if (check)
        unknown = undefinedGuard(x, op, split->lanes);
    }
    Outcome outcome = Outcome::Next;
    if (active || op.runsWithoutLanes) {
      if (check && wgmma.isTracking())
        wgmma.note(x, op, active);
      if (check && op.propagate && mayCarryUndefined(x, op))
        op.propagate(x, op, active);
      outcome = op.run(x, op, active);
      if (outcome != Outcome::Blocked) {
        ++x.counters->warpInstructions[static_cast<size_t>(op.kind)];
        x.counters->threadInstructions[static_cast<size_t>(op.kind)] +=
            static_cast<unsigned>(__builtin_popcount(active));
        if (op.kind == InstructionClass::Store)
          ++x.cluster->stores;
      }
    }
    if (check && unknown && outcome != Outcome::Blocked)
      for (unsigned i = 0; i < op.destinations; ++i)
        x.setUndefined(op.destination(i), unknown);
    if (outcome == Outcome::Next) {
      ++done;
      if (++split->pc >= limit)
        break;
      continue;
    }
    if (outcome == Outcome::Blocked) {
      split->blocked = true;
      split->blockedAt = x.cluster->events;
      break;
    }
    ++done;
    // The handler may have ended or divided the split.
    if (!x.split || warp.splits.size() > 1 || warp.yielded || split->pc >= limit)
      break;
  }
  warp.operations += done;
  return done;
}

/// Adds a turn to the operations of the launch, and ends the launch if they are too many.
static void countTurn(Execution &x, uint64_t done) {
  uint64_t limit = x.grid->options.operationLimit;
  if (!limit || x.grid->stopped || x.grid->operationsDone.fetch_add(done) + done < limit)
    return;
  // A warp that has just ended has no place any more: then it is the kernel's first.
  const std::vector<Split> &splits = x.warp->splits;
  uint32_t pc = splits.empty() ? 0 : splits.front().pc;
  unsigned lane = splits.empty() ? 0 : firstLane(splits.front().lanes);
  x.stop(FindingKind::NoProgress, x.grid->program->operations[pc], lane,
         "the run was ended after " + std::to_string(limit) + " operations of its warps",
         {"that is the limit it was given; a loop that never ends is one cause"});
}

/// Runs a warp for about `turn` operations; returns how many it did.
static uint64_t runWarp(Warp &warp, uint64_t turn) {
  Cluster &cluster = *warp.block->cluster;
  const Grid &grid = *cluster.grid;
  Execution x;
  x.enter(warp);
  uint64_t done = 0;
  while (done < turn && !grid.stopped) {
    if (warp.splits.size() > 1)
      mergeSplits(warp);
    Split *split = chooseSplit(warp, cluster);
    warp.yielded = false;
    if (!split)
      break;
    done += grid.options.check ? runSplit<true>(x, split, turn - done) : runSplit<false>(x, split, turn - done);
    if (warp.yielded)
      break;
  }
  countTurn(x, done);
  return done;
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

static bool warpCanRun(const Warp &warp, const Cluster &cluster) {
  return std::any_of(warp.splits.begin(), warp.splits.end(),
                     [&](const Split &split) { return canRun(split, cluster); });
}

/// The next warp of the cluster that can go on, or null.
static Warp *chooseWarp(Cluster &cluster) {
  size_t perBlock = cluster.blocks[0]->warps.size();
  size_t count = perBlock * cluster.blocks.size();
  size_t from = cluster.grid->options.seed ? cluster.random() % count : cluster.nextWarp % count;
  for (size_t i = 0; i < count; ++i) {
    size_t number = (from + i) % count;
    Warp &warp = *cluster.blocks[number / perBlock]->warps[number % perBlock];
    if (!warpCanRun(warp, cluster))
      continue;
    cluster.nextWarp = static_cast<unsigned>(number + 1);
    return &warp;
  }
  return nullptr;
}

/// One turn of one warp. Keeps Cluster::polling: set by a turn of a polling loop, cleared when something else happens
/// (a turn that was too short to tell changes nothing).
static void stepCluster(Cluster &cluster) {
  const RunOptions &options = cluster.grid->options;
  // Turns of a seed are mostly short, so that warps pass each other at every place, and sometimes long.
  uint64_t turn = options.seed ? uint64_t(1) << (cluster.random() % 11) : plainTurn;
  if (options.seed && cluster.random() % 4 == 0)
    (void)cluster.async.advance(cluster);
  if (Warp *warp = chooseWarp(cluster)) {
    uint64_t before = cluster.events + cluster.stores;
    uint64_t done = runWarp(*warp, turn);
    if (warp->yielded)
      cluster.polling = true;
    else if (done > longestPoll || cluster.events + cluster.stores != before)
      cluster.polling = false;
    // While others only poll, units may as well finish what they have.
    if (warp->yielded)
      (void)cluster.async.advance(cluster);
    return;
  }
  cluster.polling = false;
  if (!cluster.async.advance(cluster))
    reportDeadlock(cluster);
}

/// Operations that were issued and never waited for happen before the cluster is gone.
static void finishCluster(Cluster &cluster) {
  while (!cluster.grid->stopped && cluster.async.advance(cluster)) {
  }
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

namespace {
/// Tells the caller how far a run is.
class Progress {
public:
  Progress(const RunOptions &options, uint64_t all, uint64_t blocksPerCluster)
      : options(options), all(all * blocksPerCluster), step(blocksPerCluster) {}
  void clusterDone() {
    uint64_t now = done.fetch_add(step) + step;
    if (!options.progress)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    options.progress(now, all, options.progressUser);
  }

private:
  const RunOptions &options;
  uint64_t all, step;
  std::atomic<uint64_t> done{0};
  std::mutex mutex;
};
} // namespace

static void addCounters(Grid &grid, const Counters &counters) {
  std::lock_guard<std::mutex> lock(grid.countersMutex);
  grid.counters.add(counters);
}

static Counters emptyCounters(const Grid &grid) {
  Counters counters;
  counters.accesses.resize(grid.program->operations.size());
  return counters;
}

/// Each worker takes the next cluster until none is left.
static void runSpread(Grid &grid, uint64_t clusters, unsigned workers, Progress &progress) {
  std::atomic<uint64_t> next{0};
  auto work = [&] {
    Counters counters = emptyCounters(grid);
    for (uint64_t number; !grid.stopped && (number = next++) < clusters;) {
      std::unique_ptr<Cluster> cluster = startCluster(grid, number, counters);
      while (!cluster->finished() && !grid.stopped)
        stepCluster(*cluster);
      finishCluster(*cluster);
      progress.clusterDone();
    }
    addCounters(grid, counters);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

/// How many clusters the device holds at once, by threads and shared memory.
static uint64_t residentClusters(const Grid &grid) {
  const mlir::tile::Target &target = *grid.target;
  uint64_t shared = uint64_t(grid.program->staticSharedBytes) + grid.dynamicSharedBytes + target.sharedReservedPerBlock;
  uint64_t perSM = std::min<uint64_t>({target.maxBlocksPerSM, target.maxThreadsPerSM / grid.threads.count(),
                                       target.sharedPerSM / std::max<uint64_t>(shared, 1)});
  return std::max<uint64_t>(perSM * target.numSMs / grid.clusterSize.count(), 1);
}

/// All on one worker, in turns.
static void runInterleaved(Grid &grid, uint64_t clusters, Progress &progress) {
  Counters counters = emptyCounters(grid);
  std::vector<std::unique_ptr<Cluster>> running;
  uint64_t next = 0, resident = residentClusters(grid);
  std::mt19937_64 random(grid.options.seed);
  uint64_t wanted = grid.options.seed ? 1 + random() % 8 : 1;
  while (!grid.stopped && (next < clusters || !running.empty())) {
    while (next < clusters && running.size() < std::min(wanted, resident))
      running.push_back(startCluster(grid, next++, counters));
    bool onlyPolling = true;
    for (size_t i = 0; i < running.size() && !grid.stopped;) {
      stepCluster(*running[i]);
      onlyPolling &= running[i]->polling;
      if (!running[i]->finished()) {
        ++i;
        continue;
      }
      finishCluster(*running[i]);
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
      progress.clusterDone();
      onlyPolling = false;
    }
    if (onlyPolling)
      wanted = running.size() + 1;
  }
  addCounters(grid, counters);
}

/// "4 x 2 x 1".
/// The product of the extents, or 2^32 where it is larger: three extents of 32 bits do not fit in 64.
static uint64_t boundedCount(const Dim3 &extents) {
  constexpr uint64_t most = uint64_t(1) << 32;
  return std::min(std::min(uint64_t(extents.x) * extents.y, most) * extents.z, most);
}

static std::string extentsText(const Dim3 &extents) {
  return std::to_string(extents.x) + " x " + std::to_string(extents.y) + " x " + std::to_string(extents.z);
}

/// Whether the launch keeps to the target's and the kernel's limits; else a finding.
static bool withinLimits(Grid &grid) {
  const mlir::tile::Target &target = *grid.target;
  const ptx::Function &kernel = *grid.program->kernel;
  auto over = [&](std::string message, std::string note = {}) {
    Finding finding;
    finding.kind = FindingKind::Budget;
    finding.at = kernel.location;
    finding.message = "kernel '" + kernel.name + "': " + std::move(message);
    if (!note.empty())
      finding.notes.push_back(std::move(note));
    grid.findings->add(std::move(finding));
    grid.stopped = true;
    return false;
  };
  if (grid.blocks.x > mlir::tile::maxGridAcross || grid.blocks.y > mlir::tile::maxGridDown ||
      grid.blocks.z > mlir::tile::maxGridDown)
    return over("a grid of " + extentsText(grid.blocks) + " blocks, at most " +
                extentsText(Dim3(mlir::tile::maxGridAcross, mlir::tile::maxGridDown, mlir::tile::maxGridDown)) +
                " are possible");
  if (grid.threads.z > mlir::tile::maxThreadsDeep)
    return over("blocks of " + extentsText(grid.threads) + " threads, the last extent is at most " +
                std::to_string(mlir::tile::maxThreadsDeep));
  uint64_t threads = boundedCount(grid.threads), clusterBlocks = boundedCount(grid.clusterSize);
  if (threads == 0 || threads > target.maxThreadsPerBlock)
    return over("blocks of " + std::to_string(threads) + " threads, " + std::string(target.name) + " takes 1 to " +
                std::to_string(target.maxThreadsPerBlock));
  const uint32_t size[3] = {grid.threads.x, grid.threads.y, grid.threads.z};
  const uint32_t cluster[3] = {grid.clusterSize.x, grid.clusterSize.y, grid.clusterSize.z};
  for (int i = 0; i < 3; ++i) {
    if (kernel.requiredThreads[0] && size[i] != std::max(kernel.requiredThreads[i], 1u))
      return over("the kernel requires blocks of other extents (.reqntid), found " + std::to_string(size[i]) +
                  " in dimension " + std::to_string(i));
    if (kernel.requiredCluster[0] && cluster[i] != std::max(kernel.requiredCluster[i], 1u))
      return over("the kernel requires clusters of other extents (.reqnctapercluster), found " +
                  std::to_string(cluster[i]) + " in dimension " + std::to_string(i));
  }
  uint64_t mostThreads = std::max<uint64_t>(kernel.maxThreads[0], 1) * std::max<uint64_t>(kernel.maxThreads[1], 1) *
                         std::max<uint64_t>(kernel.maxThreads[2], 1);
  if (kernel.maxThreads[0] && threads > mostThreads)
    return over("blocks of " + std::to_string(threads) + " threads, the kernel allows " + std::to_string(mostThreads) +
                " (.maxntid)");
  uint64_t shared = grid.program->staticSharedBytes;
  if (grid.dynamicSharedBytes)
    shared = uint64_t(grid.program->dynamicSharedOffset) + grid.dynamicSharedBytes;
  if (shared > target.sharedPerBlock)
    return over(std::to_string(shared) + " bytes of shared memory, " + std::string(target.name) + " has " +
                    std::to_string(target.sharedPerBlock) + " for a block",
                std::to_string(grid.program->staticSharedBytes) + " static, " +
                    std::to_string(grid.dynamicSharedBytes) + " dynamic");
  uint64_t registers = kernel.maxRegisters * threads;
  if (registers > target.registersPerSM)
    return over(std::to_string(kernel.maxRegisters) + " registers (.maxnreg) for " + std::to_string(threads) +
                " threads, " + std::string(target.name) + " has " + std::to_string(target.registersPerSM));
  if (clusterBlocks > 1 && !target.hasClusters)
    return over("clusters of " + std::to_string(clusterBlocks) + " blocks, " + std::string(target.name) +
                " has no clusters");
  if (kernel.blocksAreClusters)
    return over(".blocksareclusters is not supported");
  if (clusterBlocks == 0)
    return over("clusters of no blocks");
  if (kernel.maxClusterRank && clusterBlocks > kernel.maxClusterRank)
    return over("clusters of " + std::to_string(clusterBlocks) + " blocks, the kernel allows " +
                std::to_string(kernel.maxClusterRank) + " (.maxclusterrank)");
  if (clusterBlocks > mlir::tile::maxClusterBlocks)
    return over("clusters of " + std::to_string(clusterBlocks) + " blocks, at most " +
                std::to_string(mlir::tile::maxClusterBlocks) + " are possible");
  if (grid.blocks.x % cluster[0] || grid.blocks.y % cluster[1] || grid.blocks.z % cluster[2])
    return over("the grid is not a multiple of the cluster");
  return true;
}

void sim::runGrid(Grid &grid) {
  if (!withinLimits(grid))
    return;
  uint64_t clusters = grid.blocks.count() / grid.clusterSize.count();
  Progress progress(grid.options, clusters, grid.clusterSize.count());
  unsigned cores = grid.options.cores ? grid.options.cores : std::max(1u, std::thread::hardware_concurrency());
  if (grid.program->blocksCommunicate)
    runInterleaved(grid, clusters, progress);
  else
    runSpread(grid, clusters, static_cast<unsigned>(std::min<uint64_t>(cores, clusters)), progress);
}

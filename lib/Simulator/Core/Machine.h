/// The state of a launch: grid, clusters, blocks, warps, and the split of a warp into groups of lanes that are at
/// different places.
#ifndef TILEC_LIB_SIMULATOR_CORE_MACHINE_H
#define TILEC_LIB_SIMULATOR_CORE_MACHINE_H

#include "lib/Runtime/Device.h"
#include "lib/Simulator/Core/Async.h"
#include "lib/Simulator/Core/Findings.h"
#include "lib/Simulator/Core/Memory.h"
#include "lib/Simulator/Core/Races.h"
#include "lib/Target/Target.h"

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tilec::sim {

struct Warp;
struct Block;
struct Cluster;
class BlockBarriers;  // Sync: bar/barrier, counted per block
class ClusterBarrier; // Sync: barrier.cluster
class Mbarriers;      // Sync: what is known of mbarrier objects beside their bits
struct WarpAsync;     // Async units: groups of cp.async, bulk copies and wgmma of a warp

/// How a launch is to be run.
struct RunOptions {
  bool check = true;
  /// Decides the interleaving of warps and when asynchronous operations complete. 0: the plainest order (a warp runs
  /// until it must wait, operations complete as late as they may).
  uint64_t seed = 0;
  /// Worker threads for blocks that do not communicate; 0: as many as the host has.
  unsigned cores = 0;
  /// Turns of a polling loop, without anything in the cluster changing, that count as no progress.
  uint64_t spinLimit = 1 << 16;
  /// Operations of all warps together, after which the run ends with a finding; 0: no limit. It is looked at when a
  /// turn ends, so a run may do a little more.
  uint64_t operationLimit = 0;
  /// Findings after which a run stops.
  unsigned findingLimit = 32;
  /// Called now and then with the number of blocks done; may be null.
  void (*progress)(uint64_t done, uint64_t all, void *user) = nullptr;
  void *progressUser = nullptr;
};

/// What a split of a warp waits for; for the report of a deadlock.
struct Wait {
  const Operation *op = nullptr;
  /// "barrier 1: 96 of 128 threads have arrived", "mbarrier at shared address 1024: phase 0 is not complete (pending
  /// arrivals 1, bytes 16384)".
  std::string what;
};

/// What a function had in its registers and variables when it was entered again: functions have one set of them, and
/// recursion puts the outer activation aside.
struct SavedActivation {
  /// The function's rows one after the other, all lanes; then the same of their undefined bits where checks are on.
  std::vector<std::byte> rows, undefinedRows;
  /// Local memory of the function, lane by lane, and its undefined bits.
  std::vector<std::byte> locals, undefinedLocals;
};

/// Where a call goes on when it returns: after the operation `call`.
struct Return {
  uint32_t call = 0;
  /// Null: the call was not a recursive one.
  std::shared_ptr<const SavedActivation> saved;
  bool operator==(const Return &other) const { return call == other.call && saved == other.saved; }
};

/// Lanes of a warp that are at the same place.
struct Split {
  uint32_t pc = 0;
  LaneMask lanes = 0;
  /// Where calls return to, innermost last.
  std::vector<Return> returns;
  /// The cluster's event count when it was found blocked; it is tried again once that has grown.
  bool blocked = false;
  uint64_t blockedAt = 0;
  Wait wait;
  /// Whether something that others change was read since the last branch backwards (Execution::poll), and how many
  /// such turns there were since `spinsFrom`, the cluster's events and stores then.
  bool polled = false;
  uint64_t spins = 0;
  uint64_t spinsFrom = 0;
  /// When it ran last, by Warp::runs.
  uint64_t lastRun = 0;
};

/// A warp: its lanes by where they are, its registers, and what it has seen of others' work.
struct Warp {
  Block *block = nullptr;
  /// Number in the block; lanes that exist (the last warp of a block may be partly filled) and that have not exited.
  unsigned index = 0;
  LaneMask existing = 0, alive = 0;
  std::vector<Split> splits;
  /// Register file and, where checks are on, its undefined bits at the same offsets, with a byte for each rowAlignment
  /// bytes that says whether any bit there may be undefined.
  std::byte *registers = nullptr;
  std::byte *undefined = nullptr;
  uint8_t *mayBeUndefined = nullptr;
  /// Local memory of the 32 lanes; null if the program has none.
  std::vector<std::unique_ptr<Region>> local;
  std::vector<std::byte> localBytes;
  /// What the warp has seen, and its own stamp.
  Order order;
  Stamp stamp;
  /// Order gathered by relaxed accesses, which a later acquire fence makes its own, and the order at the last release
  /// fence, which later relaxed writes publish.
  Order toAcquire, released;
  bool hasReleased = false;
  /// Registers per thread by setmaxnreg; 0: as launched.
  uint32_t registerBudget = 0;
  std::unique_ptr<WarpAsync> async;
  /// Operations executed; also what the clock registers count.
  uint64_t operations = 0;
  /// Set when a polling loop has turned: others are to run before it goes on.
  bool yielded = false;
  /// How often a split was chosen to run.
  uint64_t runs = 0;

  Warp();
  ~Warp();
};

/// An access to a block's shared memory by others than its threads; see BlockEnd.h.
struct DueAtEnd {
  uint32_t clock = 0;
  const Operation *op = nullptr;
  std::string thread;
  /// By an asynchronous unit, not by a thread of another block.
  bool byUnit = false;
};

/// A block: its warps, shared memory and barriers.
struct Block {
  Cluster *cluster = nullptr;
  /// Number and place in the grid; number in the cluster.
  uint64_t number = 0;
  uint32_t place[3] = {0, 0, 0};
  unsigned rank = 0;
  Region shared;
  std::vector<std::byte> sharedBytes;
  std::vector<std::unique_ptr<Warp>> warps;
  /// Storage of all warps' registers.
  std::vector<std::byte> registerFile, undefinedFile;
  std::vector<uint8_t> undefinedFlags;
  std::unique_ptr<BlockBarriers> barriers;
  std::unique_ptr<Mbarriers> mbarriers;
  /// The next free agent number in the block; warps have 0 … warps.size()-1.
  unsigned nextAgent = 0;
  unsigned liveWarps = 0;
  /// The last such access of each agent. Where checks are on.
  std::map<Agent, DueAtEnd> dueAtEnd;

  Block();
  ~Block();
  /// An agent number that no other chain of the launch has.
  Agent newAgent();
};

/// Blocks that run together: a cluster, or one block.
struct Cluster {
  struct Grid *grid = nullptr;
  std::vector<std::unique_ptr<Block>> blocks;
  std::unique_ptr<ClusterBarrier> barrier;
  AsyncQueue async;
  /// Grows with whatever may let a waiting warp go on: arrivals, completions, exits.
  uint64_t events = 0;
  /// Stores executed; a polling loop makes progress while others store.
  uint64_t stores = 0;
  /// The warp that runs next where the seed is 0, over all blocks.
  unsigned nextWarp = 0;
  /// Whether the last steps did nothing but poll, as far as can be seen.
  bool polling = false;
  /// The counters of the worker that runs the cluster.
  Counters *counters = nullptr;
  std::mt19937_64 random;

  Cluster();
  ~Cluster();
  /// Whether every thread has exited.
  bool finished() const;
};

/// A launch.
struct Grid {
  const Program *program = nullptr;
  const mlir::tile::Target *target = nullptr;
  RunOptions options;
  Dim3 blocks, threads, clusterSize;
  uint32_t dynamicSharedBytes = 0;
  /// The bytes of the parameters, laid out as Program::parameters says.
  std::vector<std::byte> parameterBytes;
  Region parameters;
  GlobalMemory *memory = nullptr;
  /// Where the module's variables lie in global memory.
  const std::unordered_map<const ptx::Variable *, Region *> *variables = nullptr;
  /// What accesses to global memory published by release (threads of other blocks acquire it), by address.
  std::mutex publishedMutex;
  std::unordered_map<uint64_t, Order> published;
  Findings *findings = nullptr;
  Counters counters;
  std::mutex countersMutex;
  /// Operations of the turns that have ended. Where RunOptions::operationLimit is set.
  std::atomic<uint64_t> operationsDone{0};
  /// Set when the run must end: a fault that leaves no way to go on, or too many findings.
  std::atomic<bool> stopped{false};
};

/// The coordinates of number `i` in a box, x fastest: threads of a block and blocks of a grid are numbered so.
inline void unfold(uint64_t i, const Dim3 &box, uint32_t coordinates[3]) {
  coordinates[0] = static_cast<uint32_t>(i % box.x);
  coordinates[1] = static_cast<uint32_t>(i / box.x % box.y);
  coordinates[2] = static_cast<uint32_t>(i / box.x / box.y);
}

/// The bytes of a variable's address in its own space; for module variables where they lie in this launch.
uint64_t addressOf(const Grid &grid, const ptx::Variable &variable);

/// Runs the launch to its end or until it is stopped. Findings and counters are in the grid.
void runGrid(Grid &grid);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_MACHINE_H

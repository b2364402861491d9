/// Work handed to asynchronous units (cp.async, bulk copies, wgmma), and when it is done.
///
/// The ISA leaves open when an asynchronous operation happens between its issue and the wait that observes it. The
/// queue makes use of that freedom: by the seed an operation happens at its issue, at a random later step, or only when
/// nothing else can go on. A kernel that is right only for one of these is found by running it.
#ifndef TILEC_LIB_SIMULATOR_CORE_ASYNC_H
#define TILEC_LIB_SIMULATOR_CORE_ASYNC_H

#include "lib/Simulator/Core/Program.h"

#include <functional>
#include <memory>
#include <vector>

namespace tilec::sim {

struct Warp;
struct Block;
struct Cluster;

/// An operation that has been issued and has not happened yet.
struct AsyncOperation {
  /// Who issued it.
  Warp *warp = nullptr;
  const Operation *op = nullptr;
  unsigned lane = 0;
  /// Which unit it belongs to: operations of one warp and unit happen in the order of issue where `ordered` is set
  /// (wgmma); others in any order.
  enum class Unit : uint8_t { CpAsync, Bulk, Wgmma } unit = Unit::CpAsync;
  bool ordered = false;
  /// The group it was committed to, numbered from 0 per warp and unit; ~0: not committed yet. See WarpAsync.
  uint64_t group = ~uint64_t(0);
  /// Takes what `perform` will write from the sources, and nothing else; may be called more than once. Null: reading
  /// and writing are one step. A wait for reads only (cp.async.bulk.wait_group.read) is entitled to this much.
  std::function<void(Execution &)> read;
  /// Moves the data and signals completion.
  std::function<void(Execution &)> perform;
};

/// The issued operations of a cluster that have not happened yet, in order of issue.
class AsyncQueue {
public:
  /// Takes the operation, and performs it at once if the seed says so.
  void add(Execution &x, AsyncOperation operation);
  /// Performs operations for which `condition` holds, in order of issue; a wait that is entitled to them calls this.
  void complete(const std::function<bool(const AsyncOperation &)> &condition);
  /// Gives open operations of a warp, lane set and unit their group number.
  void commit(Warp &warp, AsyncOperation::Unit unit, uint64_t group, LaneMask lanes);
  /// Performs one operation chosen by the seed; false if there is none. Called when nothing else can go on, and now and
  /// then by the scheduler if the seed is not 0.
  bool advance(Cluster &cluster);
  /// Whether all operations have happened.
  bool empty() const { return pending.empty(); }
  /// For reports of deadlocks.
  size_t size() const { return pending.size(); }
  const std::vector<std::unique_ptr<AsyncOperation>> &all() const { return pending; }

private:
  /// Performs the operation with that place in `pending`, or the one that must come before it.
  void performAt(size_t i);
  std::vector<std::unique_ptr<AsyncOperation>> pending;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_ASYNC_H

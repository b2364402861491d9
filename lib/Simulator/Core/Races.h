/// The race check: happens-before by vector clocks.
///
/// Every agent (a warp, or an asynchronous unit's chain of completions) has a component in the clocks; a warp's own
/// component grows at each of its releases. An access is stamped with (agent, clock); a later access by another agent
/// is ordered after it exactly if that agent's vector clock has reached the stamp. What joins clocks: barriers,
/// mbarrier arrivals and waits, cluster barriers, release/acquire patterns through memory, waits for asynchronous
/// groups.
///
/// Two lanes of one warp are ordered if a warp-level synchronisation (bar.warp.sync or anything stronger) lies between
/// the accesses: it makes the warp's component grow, so equal stamps of different lanes are unordered.
///
/// Asynchronous operations: chain number `agent` belongs to an mbarrier (clock = number of the phase that its
/// completion counts for, plus 1) or to a warp's groups (clock = number of the group, plus 1). The places an operation
/// will write or read are stamped when it is *issued*, so a use before the wait is found in every interleaving,
/// whatever was executed first.
///
/// Proxies: a second vector clock per warp says which generic accesses have been made visible to the async proxy by
/// fence.proxy.async; it travels at joins as the first does. An access through the async proxy to a place last written
/// through the generic one needs both.
#ifndef TILEC_LIB_SIMULATOR_CORE_RACES_H
#define TILEC_LIB_SIMULATOR_CORE_RACES_H

#include "lib/Simulator/Core/Memory.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilec::sim {

/// A chain of events: a warp, or a chain of asynchronous completions. Numbers are unique in a launch: the block's
/// number in the grid in the upper bits, the agent within the block in the lower `agentBits`.
using Agent = uint64_t;
/// The agents that a block may have, and the number that none has.
constexpr unsigned agentBits = 16;
constexpr Agent noAgent = ~Agent(0);

/// How far an observer has seen each agent. Sparse: what is absent has been seen to 0.
class VectorClock {
public:
  /// How far the agent has been seen.
  uint32_t of(Agent agent) const;
  /// Raises to at least `clock`.
  void reach(Agent agent, uint32_t clock);
  /// Everything that `other` has seen.
  void join(const VectorClock &other);
  void clear();

private:
  std::vector<std::pair<Agent, uint32_t>> entries; // sorted by agent
};

/// What an executing entity has seen and what it stamps.
struct Stamp {
  Agent agent = noAgent;
  uint32_t clock = 0;
};

/// The order that an observer relies on.
struct Order {
  /// Seen through the generic proxy; own component included.
  VectorClock seen;
  /// Generic writes and reads that a proxy fence has made visible to the async proxy.
  VectorClock fenced;
  /// Joins both.
  void join(const Order &other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
};

/// Everything about one access that the check needs.
struct AccessRecord {
  AccessKind kind = AccessKind::Read;
  Proxy proxy = Proxy::Generic;
  /// Strong accesses (volatile, relaxed, acquire, release, atomics) do not race with each other.
  bool strong = false;
  Stamp stamp;
  /// Lane of a warp's access; 0xff: the whole warp or a unit.
  uint8_t lane = 0xff;
  /// Not 0: an access of several lanes from `lane` on, side by side, each of so many bytes (a power of two).
  uint32_t bytesPerLane = 0;
  const Operation *op = nullptr;
};

/// Beside a region: the last write and the reads since, per 4-byte word (per byte in pages where narrower accesses
/// happened). Thread-safe; a conflict found is reported through `x`.
class RaceShadow {
public:
  /// For a region of `bytes` that nobody has touched.
  explicit RaceShadow(uint64_t bytes);
  ~RaceShadow();
  /// Records an access of `bytes` at `offset` and reports a conflict with an earlier one that `order` has not seen.
  void record(Execution &x, const Operation &op, unsigned lane, const Region &region, uint64_t offset, uint64_t bytes,
              const AccessRecord &access, const Order &order);
  /// The same for lanes of a warp, each of `bytes` at its own offset.
  void recordLanes(Execution &x, const Operation &op, LaneMask lanes, const Region &region, const uint64_t *offsets,
                   uint64_t bytes, const AccessRecord &access, const Order &order);
  void clear();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Records an access by the executing warp. Does nothing where checks are off or the region is one thread's own.
void recordAccess(Execution &x, const Operation &op, unsigned lane, Place place, uint64_t bytes, AccessKind kind,
                  bool strong);
/// The same for all lanes of a warp side by side: lane i accesses `bytesPerLane` bytes, i times as many after the
/// place.
void recordWarpAccess(Execution &x, const Operation &op, Place place, unsigned bytesPerLane, AccessKind kind,
                      bool strong);
/// The same for lanes of a warp in one region, each with an offset of its own.
void recordLaneAccesses(Execution &x, const Operation &op, LaneMask lanes, Region &region, const uint64_t *offsets,
                        uint64_t bytes, AccessKind kind, bool strong);
/// Records, at issue, what an asynchronous operation will read or write: under the chain's stamp, with the issuing
/// warp's order.
void recordAsyncAccess(Execution &x, const Operation &op, Place place, uint64_t bytes, AccessKind kind, Proxy proxy,
                       Stamp chain);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_RACES_H

/// Mbarrier objects of a block's shared memory (PTX ISA, "mbarrier").
///
/// An object is 64 bits in shared memory. The ISA leaves their meaning open; here, from the lowest bit:
///     0 … 19   pending arrivals of the present phase
///    20 … 39   expected arrivals of the next phase
///    40 … 60   transaction count plus 2^20
///    61 … 63   number of the present phase, modulo 8
/// The state that arrive returns is these bits as they were before the arrival, so pending_count and test_wait need
/// nothing else.
///
/// Beside the bits a table keeps what they cannot say: whether the object is alive and where it was initialised, the
/// full phase number, what its arrivals published and its last completed phase passes on, who arrived, and who waits.
/// The bits last written are kept too: if memory holds others, the program has overwritten its mbarrier.
#ifndef TILEC_LIB_SIMULATOR_CORE_MBARRIERS_H
#define TILEC_LIB_SIMULATOR_CORE_MBARRIERS_H

#include "lib/Simulator/Core/Order.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilec::sim {

/// The content of an mbarrier object.
struct MbarrierBits {
  /// The largest pending or expected count (PTX ISA, "Contents of the mbarrier object").
  static constexpr uint32_t countLimit = (1u << 20) - 1;

  uint32_t pending = 0, expected = 0;
  /// From -countLimit to countLimit.
  int64_t transactions = 0;
  unsigned phase = 0;

  /// To and from the 64 bits in memory.
  static MbarrierBits unpack(uint64_t bits);
  uint64_t pack() const;
};

/// What is known of one object.
struct MbarrierRecord {
  bool alive = false;
  const Operation *init = nullptr, *invalidated = nullptr;
  uint64_t phase = 0;
  uint64_t bits = 0;
  /// The chain of its asynchronous completions.
  Agent chain = noAgent;
  /// What arrivals of this phase brought, and what those of the last completed one did.
  Order collecting, complete;
  /// Arrivals of this phase by warp of the cluster, for reports.
  struct Arrived {
    const Warp *warp = nullptr;
    const Operation *op = nullptr;
    uint32_t count = 0;
  };
  std::vector<Arrived> arrivals;
  /// Warps in try_wait: the phase that each waits for to complete.
  struct Waiter {
    const Warp *warp = nullptr;
    const Operation *op = nullptr;
    uint64_t phase = 0;
    bool refused = false;
  };
  std::vector<Waiter> waiters;
};

/// The objects of one block.
class Mbarriers {
public:
  /// The object at an offset in the block's shared memory; created when first asked for.
  MbarrierRecord &at(uint64_t offset) { return records[offset]; }
  /// The object at an offset if it was asked for before; else null.
  MbarrierRecord *find(uint64_t offset);
  const std::map<uint64_t, MbarrierRecord> &all() const { return records; }

  /// What releases at other places of shared memory published, by offset (Order.h).
  std::unordered_map<uint64_t, Order> published;

private:
  std::map<uint64_t, MbarrierRecord> records;
};

/// "mbarrier at shared address 1024 (init at kernel.ptx:12)".
std::string mbarrierName(const Grid &grid, const Block &block, uint64_t offset, const MbarrierRecord &record);
/// "…: phase 1 is not complete: 1 pending arrivals, 16384 pending bytes".
std::string mbarrierText(const Grid &grid, const Block &block, uint64_t offset, const MbarrierRecord &record);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_MBARRIERS_H

/// What wgmma demands of registers (PTX ISA, "wgmma.fence", "wgmma.mma_async"): accumulators and A fragments belong to
/// the operation from its issue to the wait_group that covers it, and what other instructions have written to them is
/// seen only after a wgmma.fence. Kept for a warp from its first wgmma instruction on, where checks are on; all others
/// pay one test of a flag for each instruction.
#ifndef TILEC_LIB_SIMULATOR_CORE_WGMMAREGISTERS_H
#define TILEC_LIB_SIMULATOR_CORE_WGMMAREGISTERS_H

#include "lib/Simulator/Core/Races.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tilec::sim {

class Execution;

/// The registers of one warp, by Row::offset / rowAlignment.
class WgmmaRegisters {
public:
  bool isTracking() const { return tracking; }
  /// Begins to look at the instructions of the warp.
  void track(const Execution &x);
  /// Called before each other instruction: reports one that reads or writes a register in flight
  /// (FindingKind::AsyncNotWaited), and remembers what it writes.
  void note(Execution &x, const Operation &op, LaneMask active);
  /// wgmma.fence: what was written before is seen.
  void fence();
  /// Called at an issue, with the rows of the accumulators and of A: reports a missing fence, and registers that an
  /// operation of another shape (`shape`: any number that tells shapes apart) or role has in flight.
  void issue(Execution &x, const Operation &op, const Row *accumulators, unsigned accumulatorCount, const Row *factors,
             unsigned factorCount, uint32_t shape, uint64_t group);
  /// Operations of groups below are done.
  void complete(uint64_t groups);

private:
  enum Flag : uint8_t { Written = 1, Accumulator = 2, Factor = 4, InFlight = Accumulator | Factor };
  struct Use {
    uint64_t group = 0;
    uint32_t operation = 0, shape = 0;
  };
  void reportTouch(Execution &x, const Operation &op, LaneMask active, Row row, bool writes);

  bool tracking = false, fenced = false;
  unsigned inFlight = 0;
  std::vector<uint8_t> flags;
  std::vector<Use> uses;
};

/// Groups of wgmma operations of a warp; part of WarpAsync.
struct WgmmaGroups {
  /// The number of the group that the next commit makes.
  uint64_t next = 0;
  /// The chain of completions for the race check: clock = group + 1. Made when first needed.
  Agent chain = noAgent;
  WgmmaRegisters registers;
  /// Operations issued, and the latest of them, by number modulo the count: the warps of a group must issue the same.
  struct Issue {
    uint64_t number = ~uint64_t(0);
    uint32_t operation = 0;
    uint64_t a = 0, b = 0;
  };
  uint64_t issued = 0;
  std::array<Issue, 32> latest;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_WGMMAREGISTERS_H

/// What a handler sees: the warp that runs, its registers, and the ways to report, wait, jump.
#ifndef TILEC_LIB_SIMULATOR_CORE_EXECUTION_H
#define TILEC_LIB_SIMULATOR_CORE_EXECUTION_H

#include "lib/Simulator/Core/Machine.h"

#include <cstring>

namespace tilec::sim {

/// A worker's view of the machine. enter() sets whose view it is; handlers read and write through it.
class Execution {
public:
  Grid *grid = nullptr;
  Cluster *cluster = nullptr;
  Block *block = nullptr;
  Warp *warp = nullptr;
  Split *split = nullptr;
  /// The worker's own; added to the grid's at the end.
  Counters *counters = nullptr;
  /// The warp's register file (Warp::registers) and shadows.
  std::byte *registers = nullptr;
  std::byte *undefined = nullptr;
  uint8_t *mayBeUndefined = nullptr;
  bool check = false;
  /// The global allocations that were accessed last, by the operation's number modulo their count: an instruction
  /// mostly stays in one allocation. Null at a launch's start, since allocations come and go between launches.
  Region *recentGlobal[16] = {};

  /// Makes `warp` (and block, cluster) current. Asynchronous operations run under the warp that issued them.
  void enter(Warp &warp);

  /// \name Registers
  /// @{
  template <typename T> T *row(Row r) const { return reinterpret_cast<T *>(registers + r.offset); }
  LaneMask &predicate(Row r) const { return *reinterpret_cast<LaneMask *>(registers + r.offset); }
  LaneMask &predicateAt(uint32_t offset) const { return *reinterpret_cast<LaneMask *>(registers + offset); }
  /// A lane's value, zero-extended to 64 bits, for rows of 1 to 8 bytes.
  uint64_t value(Row r, unsigned lane) const {
    switch (r.bytes) {
    case 1:
      return row<uint8_t>(r)[lane];
    case 2:
      return row<uint16_t>(r)[lane];
    case 4:
      return row<uint32_t>(r)[lane];
    case 8:
      return row<uint64_t>(r)[lane];
    default:
      return (predicate(r) >> lane) & 1;
    }
  }
  /// Sets a lane's value to the low bits of `value`.
  void setValue(Row r, unsigned lane, uint64_t value) const {
    switch (r.bytes) {
    case 1:
      row<uint8_t>(r)[lane] = static_cast<uint8_t>(value);
      break;
    case 2:
      row<uint16_t>(r)[lane] = static_cast<uint16_t>(value);
      break;
    case 4:
      row<uint32_t>(r)[lane] = static_cast<uint32_t>(value);
      break;
    case 8:
      row<uint64_t>(r)[lane] = value;
      break;
    default:
      predicate(r) = (predicate(r) & ~(1u << lane)) | (static_cast<LaneMask>(value & 1) << lane);
      break;
    }
  }
  /// @}

  /// \name Undefined bits of registers; only where `check` is set. A set bit is undefined.
  /// @{
  template <typename T> T *undefinedRow(Row r) const { return reinterpret_cast<T *>(undefined + r.offset); }
  bool rowMayBeUndefined(Row r) const { return mayBeUndefined[r.offset / rowAlignment] != 0; }
  void noteUndefined(Row r) const { mayBeUndefined[r.offset / rowAlignment] = 1; }
  /// The undefined bits of a lane's value.
  uint64_t undefinedBits(Row r, unsigned lane) const;
  void setUndefinedBits(Row r, unsigned lane, uint64_t bits) const;
  /// Lanes of `lanes` in which any bit of the row is undefined.
  LaneMask undefinedLanes(Row r, LaneMask lanes) const;
  /// The row's bits become defined, or undefined, in these lanes.
  void setDefined(Row r, LaneMask lanes) const;
  void setUndefined(Row r, LaneMask lanes) const;
  /// Reports FindingKind::Undefined if the row is undefined in a lane ("address depends on undefined bits"), and
  /// returns the lanes where it is defined.
  LaneMask requireDefined(const Operation &op, Row r, LaneMask lanes, const char *what);
  /// @}

  /// \name Reports
  /// @{
  /// A finding at the instruction, not added yet. report() makes one and adds it.
  Finding makeFinding(FindingKind kind, const Operation &op, unsigned lane, std::string message) const;
  void report(FindingKind kind, const Operation &op, unsigned lane, std::string message,
              std::vector<std::string> notes = {}, uint64_t key = 0);
  /// As report, and the run ends.
  void stop(FindingKind kind, const Operation &op, unsigned lane, std::string message,
            std::vector<std::string> notes = {});
  /// "thread (3,0,0) of block (1,0,0)".
  std::string threadText(unsigned lane) const;
  ThreadName threadName(unsigned lane) const;
  /// @}

  /// \name Control
  /// @{
  /// All lanes of the split go on at `pc`.
  Outcome jump(uint32_t pc);
  /// `taken` lanes of the split go on at `pc`, the others after the operation.
  Outcome branch(const Operation &op, LaneMask taken, uint32_t pc);
  /// These lanes of the split go on at `pc` with that stack of calls, the others after the operation.
  Outcome divert(LaneMask lanes, uint32_t pc, std::vector<Return> returns);
  /// These lanes of the split end.
  Outcome exit(const Operation &op, LaneMask lanes);
  /// The operation cannot be executed yet; `what` it waits for is told if that becomes a deadlock.
  Outcome waitFor(const Operation &op, std::string what);
  /// The operation has read something that others may change while the program loops (a flag, an mbarrier's phase).
  void poll() { split->polled = true; }
  /// Something has happened that waiting warps of the cluster may wait for.
  void event() { ++cluster->events; }
  /// @}

  /// \name Order (race check)
  /// @{
  /// The warp's component grows: what it did before is now "before" for whoever sees the new value.
  void advanceClock() {
    warp->stamp.clock += 1;
    warp->order.seen.reach(warp->stamp.agent, warp->stamp.clock);
  }
  /// @}
};

/// \name Lanes
/// @{
/// Calls `body(lane)` for each lane in the mask; with all lanes set it is a plain loop, which vectorises.
template <typename Body> inline void forLanes(LaneMask lanes, Body body) {
  if (lanes == allLanes) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      body(lane);
    return;
  }
  while (lanes) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
    lanes &= lanes - 1;
    body(lane);
  }
}
/// The lowest lane of the mask; 0 if it is empty.
inline unsigned firstLane(LaneMask lanes) { return lanes ? static_cast<unsigned>(__builtin_ctz(lanes)) : 0; }
/// @}

/// \name How undefined bits go through an operation
/// @{
/// Any undefined bit of a lane's sources makes all its destinations undefined.
void propagateAll(Execution &x, const Operation &op, LaneMask active);
/// Bit by bit: a destination bit is undefined if the bit at that place of a source is (xor, mov, selp's data).
void propagateBitwise(Execution &x, const Operation &op, LaneMask active);
/// Carries run upwards: undefined from the lowest undefined bit of any source on (add, sub, low products).
void propagateUpwards(Execution &x, const Operation &op, LaneMask active);
/// Destinations become defined whatever the sources are (the instruction's result does not depend on them).
void propagateDefined(Execution &x, const Operation &op, LaneMask active);
/// @}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_EXECUTION_H

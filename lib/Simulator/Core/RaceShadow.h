/// How one access is remembered beside the memory, and what the check says of two accesses. Between RaceShadow.cpp,
/// which finds conflicts, and Races.cpp, which words them.
#ifndef TILEC_LIB_SIMULATOR_CORE_RACESHADOW_H
#define TILEC_LIB_SIMULATOR_CORE_RACESHADOW_H

#include "lib/Simulator/Core/Races.h"

namespace tilec::sim {

/// An access in 16 bytes. Zero: none.
class TouchRecord {
public:
  enum Flag : uint64_t { Present = 1, Strong = 2, Unit = 4, AsyncProxy = 8, Atomic = 16, Write = 32, List = 64 };
  /// Lane codes beside 0 … 31: several lanes of the warp, and the warp as a whole or a unit.
  static constexpr unsigned severalLanes = 62, wholeWarp = 63;

  TouchRecord() = default;
  TouchRecord(Agent agent, uint32_t clock, unsigned lane, uint32_t operation, uint64_t flags)
      : who(agent | uint64_t(lane) << 48 | flags << 54), when(clock | uint64_t(operation) << 32) {}
  /// The head of a list: `node` is its first element.
  static TouchRecord list(uint32_t node) { return TouchRecord(0, node, 0, 0, Present | List); }

  /// Block number in the grid and agent in the block, 48 bits.
  Agent agent() const { return who & 0xffff'ffff'ffffull; }
  unsigned lane() const { return (who >> 48) & 63; }
  bool has(Flag flag) const { return (who >> 54) & flag; }
  bool present() const { return has(Present); }
  uint32_t clock() const { return static_cast<uint32_t>(when); }
  uint32_t node() const { return static_cast<uint32_t>(when); }
  uint32_t operation() const { return static_cast<uint32_t>(when >> 32); }
  /// Whether it is a record, not a list, of the agent.
  bool isOf(Agent agent) const { return this->agent() == agent && !has(List); }
  /// Whether only lane and instruction differ, which do not matter to the order with accesses by other agents.
  bool isLike(const TouchRecord &other) const {
    return clock() == other.clock() && ((who ^ other.who) & ~(uint64_t(63) << 48)) == 0;
  }
  void setLane(unsigned lane) { who = (who & ~(uint64_t(63) << 48)) | uint64_t(lane) << 48; }

private:
  uint64_t who = 0, when = 0;
};

/// What is wrong between an earlier access and the one that is made.
enum class Conflict : uint8_t { None, Unordered, NotFenced };

/// Words the conflict as a finding: kind, both parties, remedy.
void reportConflict(Execution &x, const Operation &op, unsigned lane, const Region &region, uint64_t offset,
                    uint64_t bytes, const AccessRecord &access, const TouchRecord &prior, Conflict conflict);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_RACESHADOW_H

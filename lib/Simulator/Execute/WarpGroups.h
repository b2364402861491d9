/// What the instructions of a warp have in common: lanes that execute one together, by member mask, and the results
/// that they share.
///
/// A .sync instruction waits until all threads of its member mask that have not exited execute it with the same mask.
/// Lanes of one warp may execute it together with different masks, as halves of a warp that work on their own do; each
/// set of lanes with one mask is a group of its own. None of these instructions orders accesses to memory.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_WARPGROUPS_H
#define TILEC_LIB_SIMULATOR_EXECUTE_WARPGROUPS_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/Instructions.h"

#include <string>

namespace tilec::sim {

/// "0x0000ffff".
std::string maskText(LaneMask mask);

/// Lanes that execute an instruction together, and their member mask.
struct Group {
  LaneMask mask = 0, lanes = 0;
};
/// All groups of an instruction.
struct Groups {
  Group group[warpSize];
  unsigned count = 0;
};

/// The groups of the active lanes, by their masks.
Groups groupsOf(Execution &x, Row maskRow, LaneMask active);

/// What is wrong with a group that need not wait; only where checks are on.
void checkGroup(Execution &x, const Operation &op, const Group &group, LaneMask active);

/// Lanes of a group's mask have not come yet.
Outcome waitForLanes(Execution &x, const Operation &op, const Group &group, LaneMask missing);

/// Calls `body(group)` for each group once the threads of all masks are there. The mask is the last source.
template <typename Body> Outcome forGroups(Execution &x, const Operation &op, LaneMask active, Body body) {
  Row maskRow = op.source(op.sources - 1);
  if (active == allLanes) {
    const uint32_t *masks = x.row<uint32_t>(maskRow);
    uint32_t common = ~0u;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      common &= masks[lane];
    if (common == allLanes && !(x.check && x.rowMayBeUndefined(maskRow))) {
      body(Group{allLanes, allLanes});
      return Outcome::Next;
    }
  }
  Groups groups = groupsOf(x, maskRow, active);
  for (unsigned i = 0; i < groups.count; ++i) {
    // Lanes of this split that are not active have a guard that does not hold, and will not come.
    if (LaneMask missing = groups.group[i].mask & x.warp->alive & ~x.split->lanes)
      return waitForLanes(x, op, groups.group[i], missing);
  }
  x.requireDefined(op, maskRow, active, "the member mask");
  for (unsigned i = 0; i < groups.count; ++i) {
    if (x.check)
      checkGroup(x, op, groups.group[i], active);
    body(groups.group[i]);
  }
  return Outcome::Next;
}

/// Writes the lanes' bits of a predicate.
void writePredicate(Execution &x, Row row, LaneMask lanes, LaneMask value);
/// Makes all destinations of the lanes undefined where `undefined` is set, defined elsewhere.
void writeShadow(Execution &x, const Operation &op, LaneMask lanes, LaneMask undefined);

/// Binds operand 0: d, or d|p.
bool bindDestinationPair(Binder &b, ptx::Type type, bool needsPair);
/// Sets the handler and ends the binding.
bool finishWarpInstruction(Binder &b, Handler run);
/// Forms without .sync ended with sm_70 from PTX ISA 6.4 on.
bool allowUnsynchronised(Binder &b);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_WARPGROUPS_H

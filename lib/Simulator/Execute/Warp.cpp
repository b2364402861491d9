/// vote.sync, match.sync, activemask, elect.sync (PTX ISA, the sections of these names).
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"
#include "lib/Simulator/Execute/WarpGroups.h"

namespace tilec::sim {
namespace {

//===--- vote ---===//

enum class Vote : uint64_t { All, Any, Uniform, Ballot };

/// data[0]: the mode; data[1]: the source is negated.
void vote(Execution &x, const Operation &op, LaneMask lanes) {
  Row source = op.source(0), to = op.destination();
  LaneMask yes = (x.predicate(source) ^ (op.data[1] ? allLanes : 0)) & lanes;
  LaneMask unknown = x.check ? x.undefinedLanes(source, lanes) : 0;
  LaneMask surelyYes = yes & ~unknown, surelyNo = lanes & ~yes & ~unknown;
  bool result = false, open = unknown != 0;
  switch (static_cast<Vote>(op.data[0])) {
  case Vote::All:
    result = yes == lanes;
    open = open && !surelyNo;
    break;
  case Vote::Any:
    result = yes != 0;
    open = open && !surelyYes;
    break;
  case Vote::Uniform:
    result = yes == lanes || yes == 0;
    open = open && !(surelyYes && surelyNo);
    break;
  case Vote::Ballot:
    forLanes(lanes, [&](unsigned lane) { x.row<uint32_t>(to)[lane] = yes; });
    if (x.check) {
      x.setDefined(to, lanes);
      if (unknown)
        forLanes(lanes, [&](unsigned lane) { x.setUndefinedBits(to, lane, unknown); });
    }
    return;
  }
  writePredicate(x, to, lanes, result ? allLanes : 0);
  writeShadow(x, op, lanes, open ? lanes : 0);
}
Outcome runVoteSync(Execution &x, const Operation &op, LaneMask active) {
  return forGroups(x, op, active, [&](const Group &group) { vote(x, op, group.lanes); });
}
Outcome runVote(Execution &x, const Operation &op, LaneMask active) {
  vote(x, op, active);
  return Outcome::Next;
}

bool bindVote(Binder &b) {
  bool sync = b.take("sync");
  int mode = b.takeOneOf({"all", "any", "uni", "ballot"});
  if (mode < 0)
    return b.fail("expects .all, .any, .uni or .ballot");
  ptx::Type type = takeTypeOf(b, {mode == 3 ? ptx::Type::B32 : ptx::Type::Predicate});
  if (type == ptx::Type::None || !expectOperands(b, sync ? 3 : 2))
    return false;
  if (!sync && !allowUnsynchronised(b))
    return false;
  b.destination(0, type);
  bool negated = false;
  b.predicateSource(1, negated);
  if (sync)
    b.source(2, ptx::Type::B32);
  b.operation.data[0] = static_cast<uint64_t>(mode);
  b.operation.data[1] = negated;
  return finishWarpInstruction(b, sync ? runVoteSync : runVote);
}

//===--- match ---===//

/// data[0]: 1 for .all.
Outcome runMatch(Execution &x, const Operation &op, LaneMask active) {
  return forGroups(x, op, active, [&](const Group &group) {
    Row source = op.source(0);
    LaneMask unknown = x.check ? x.undefinedLanes(source, group.lanes) : 0;
    uint32_t *to = x.row<uint32_t>(op.destination());
    uint32_t result[warpSize];
    bool all = op.data[0] != 0;
    LaneMask agreeing = 0; // with the first lane
    forLanes(group.lanes, [&](unsigned lane) {
      uint64_t value = x.value(source, lane);
      result[lane] = 0;
      forLanes(group.lanes,
               [&](unsigned other) { result[lane] |= LaneMask(x.value(source, other) == value) << other; });
      if (lane == firstLane(group.lanes))
        agreeing = result[lane];
    });
    bool same = agreeing == group.lanes;
    forLanes(group.lanes, [&](unsigned lane) { to[lane] = all ? (same ? group.lanes : 0) : result[lane]; });
    if (op.destinations == 2)
      writePredicate(x, op.destination(1), group.lanes, same ? allLanes : 0);
    writeShadow(x, op, group.lanes, unknown ? group.lanes : 0);
  });
}

bool bindMatch(Binder &b) {
  int mode = b.takeOneOf({"any", "all"});
  if (mode < 0)
    return b.fail("expects .any or .all");
  if (!b.take("sync"))
    return b.fail("expects .sync");
  ptx::Type type = takeTypeOf(b, {ptx::Type::B32, ptx::Type::B64});
  if (type == ptx::Type::None || !expectOperands(b, 3) || !b.require(70))
    return false;
  if (mode == 0)
    b.destination(0, ptx::Type::B32);
  else if (!bindDestinationPair(b, ptx::Type::B32, false))
    return false;
  b.source(1, type);
  b.source(2, ptx::Type::B32);
  b.operation.data[0] = static_cast<uint64_t>(mode);
  return finishWarpInstruction(b, runMatch);
}

//===--- activemask, elect ---===//

Outcome runActiveMask(Execution &x, const Operation &op, LaneMask active) {
  uint32_t *to = x.row<uint32_t>(op.destination());
  forLanes(active, [=](unsigned lane) { to[lane] = active; });
  return Outcome::Next;
}
bool bindActiveMask(Binder &b) {
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, 1))
    return false;
  b.destination(0, ptx::Type::B32);
  b.operation.propagate = propagateDefined;
  return finishWarpInstruction(b, runActiveMask);
}

/// The ISA leaves open which thread is elected, only that it is always the same; here it is the lowest.
Outcome runElect(Execution &x, const Operation &op, LaneMask active) {
  return forGroups(x, op, active, [&](const Group &group) {
    unsigned leader = firstLane(group.lanes);
    uint32_t *to = x.row<uint32_t>(op.destination());
    forLanes(group.lanes, [=](unsigned lane) { to[lane] = leader; });
    writePredicate(x, op.destination(1), group.lanes, 1u << leader);
    writeShadow(x, op, group.lanes, 0);
    // Unlike the others, elect waits for all threads of the mask, not only for those that have not exited.
    if (LaneMask exited = x.check ? group.mask & x.warp->existing & ~x.warp->alive : 0)
      x.report(FindingKind::InvalidOperand, op, leader,
               "lane " + std::to_string(firstLane(exited)) + " is in the member mask " + maskText(group.mask) +
                   ", but has exited",
               {}, 5);
  });
}
bool bindElect(Binder &b) {
  if (!b.take("sync"))
    return b.fail("expects .sync");
  if (!expectOperands(b, 2) || !b.require(90) || !bindDestinationPair(b, ptx::Type::B32, true))
    return false;
  b.source(1, ptx::Type::B32);
  return finishWarpInstruction(b, runElect);
}

} // namespace

void addWarpInstructions(InstructionTable &table) {
  addShuffleInstructions(table);
  table["vote"] = bindVote;
  table["match"] = bindMatch;
  addReduceInstructions(table);
  table["activemask"] = bindActiveMask;
  table["elect"] = bindElect;
}

} // namespace tilec::sim

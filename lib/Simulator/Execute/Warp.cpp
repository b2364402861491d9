/// Exchange between the lanes of a warp (PTX ISA, shfl, shfl.sync, vote, vote.sync, match.sync, redux.sync, activemask,
/// elect.sync).
///
/// A .sync instruction waits until all threads of its member mask that have not exited execute it with the same mask.
/// Lanes of one warp may execute it together with different masks, as halves of a warp that work on their own do; each
/// set of lanes with one mask is a group of its own. None of these instructions orders accesses to memory.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

#include <cstdio>

namespace tilec::sim {
namespace {

std::string hexText(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

/// Lanes that execute an instruction together, and their member mask.
struct Group {
  LaneMask mask = 0, lanes = 0;
};
struct Groups {
  Group group[warpSize];
  unsigned count = 0;
};

Groups groupsOf(Execution &x, Row maskRow, LaneMask active) {
  Groups groups;
  const uint32_t *masks = x.row<uint32_t>(maskRow);
  while (active) {
    Group group;
    group.mask = masks[firstLane(active)];
    forLanes(active, [&](unsigned lane) { group.lanes |= LaneMask(masks[lane] == group.mask) << lane; });
    active &= ~group.lanes;
    groups.group[groups.count++] = group;
  }
  return groups;
}

/// What is wrong with a group that need not wait; only where checks are on.
void checkGroup(Execution &x, const Operation &op, const Group &group, LaneMask active) {
  if (LaneMask outside = group.lanes & ~group.mask)
    x.report(FindingKind::InvalidOperand, op, firstLane(outside),
             "expects the executing thread in the member mask, but lane " + std::to_string(firstLane(outside)) +
                 " is not in " + hexText(group.mask),
             {}, 1);
  LaneMask required = group.mask & x.warp->alive & ~group.lanes;
  if (LaneMask others = required & active)
    x.report(FindingKind::InvalidOperand, op, firstLane(others),
             "expects one member mask in all lanes of it, but lane " + std::to_string(firstLane(group.lanes)) +
                 " has " + hexText(group.mask) + " and lane " + std::to_string(firstLane(others)) + " another",
             {}, 2);
  if (LaneMask off = required & ~active)
    x.report(FindingKind::InvalidOperand, op, firstLane(off),
             "lane " + std::to_string(firstLane(off)) + " is in the member mask " + hexText(group.mask) +
                 ", but does not execute the instruction, since its guard is false",
             {}, 3);
}

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
    LaneMask missing = groups.group[i].mask & x.warp->alive & ~x.split->lanes;
    if (missing)
      return x.waitFor(op, "lanes " + hexText(missing) + " of the member mask " + hexText(groups.group[i].mask) +
                               " have not arrived");
  }
  x.requireDefined(op, maskRow, active, "the member mask");
  for (unsigned i = 0; i < groups.count; ++i) {
    if (x.check)
      checkGroup(x, op, groups.group[i], active);
    body(groups.group[i]);
  }
  return Outcome::Next;
}

void writePredicate(Execution &x, Row row, LaneMask lanes, LaneMask value) {
  LaneMask &to = x.predicate(row);
  to = (to & ~lanes) | (value & lanes);
}
/// Makes all destinations of the lanes undefined where `undefined` is set, defined elsewhere.
void writeShadow(Execution &x, const Operation &op, LaneMask lanes, LaneMask undefined) {
  if (!x.check)
    return;
  for (unsigned i = 0; i < op.destinations; ++i) {
    x.setDefined(op.destination(i), lanes);
    x.setUndefined(op.destination(i), undefined & lanes);
  }
}

//===--- shfl ---===//

enum class Shuffle : uint64_t { Up, Down, Butterfly, Index };

/// The lane to read from, and whether it is in range.
struct Source {
  unsigned lane = 0;
  bool inRange = false;
};
Source sourceOf(Shuffle mode, unsigned lane, uint32_t b, uint32_t c) {
  int value = static_cast<int>(b & 31), here = static_cast<int>(lane);
  unsigned clamp = c & 31, segment = (c >> 8) & 31;
  int last = static_cast<int>((lane & segment) | (clamp & ~segment)), first = static_cast<int>(lane & segment);
  int from = 0;
  bool inRange = false;
  switch (mode) {
  case Shuffle::Up:
    from = here - value;
    inRange = from >= last; // here "last" is the lowest lane
    break;
  case Shuffle::Down:
    from = here + value;
    inRange = from <= last;
    break;
  case Shuffle::Butterfly:
    from = here ^ value;
    inRange = from <= last;
    break;
  case Shuffle::Index:
    from = first | (value & static_cast<int>(~segment & 31));
    inRange = from <= last;
    break;
  }
  return {static_cast<unsigned>(inRange ? from : here), inRange};
}

/// Where each lane reads from if b and c are constants, as they mostly are.
struct ShuffleTable {
  uint8_t from[warpSize] = {};
  LaneMask inRange = 0;
};

/// The whole warp with a table and nothing undefined.
void shuffleAll(Execution &x, const Operation &op) {
  const auto &table = op.detailAs<ShuffleTable>();
  uint32_t values[warpSize], *to = x.row<uint32_t>(op.destination());
  std::memcpy(values, x.row<uint32_t>(op.source(0)), sizeof values);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    to[lane] = values[table.from[lane]];
  if (op.destinations == 2)
    x.predicate(op.destination(1)) = table.inRange;
  if (x.check)
    for (unsigned i = 0; i < op.destinations; ++i)
      x.setDefined(op.destination(i), allLanes);
}

/// Exchanges among `lanes`. Sources: a, b, c. Destinations: d, and the predicate that says whether the lane was in
/// range.
void shuffle(Execution &x, const Operation &op, LaneMask lanes, LaneMask members) {
  auto mode = static_cast<Shuffle>(op.data[0]);
  Row a = op.source(0), b = op.source(1), c = op.source(2);
  const uint32_t *values = x.row<uint32_t>(a), *bs = x.row<uint32_t>(b), *cs = x.row<uint32_t>(c);
  uint32_t result[warpSize], shadow[warpSize];
  LaneMask inRange = 0, unpredictable = 0, undefinedPredicate = 0;
  bool shadows = x.check && (x.rowMayBeUndefined(a) || x.rowMayBeUndefined(b) || x.rowMayBeUndefined(c));
  forLanes(lanes, [&](unsigned lane) {
    Source source = sourceOf(mode, lane, bs[lane], cs[lane]);
    inRange |= LaneMask(source.inRange) << lane;
    bool there = (members >> source.lane) & 1;
    if (!there && source.lane != lane)
      unpredictable |= 1u << lane;
    result[lane] = values[source.lane];
    shadow[lane] = 0;
    if (shadows) {
      bool place = (x.undefinedBits(b, lane) & 31) || (x.undefinedBits(c, lane) & 0x1f1f);
      shadow[lane] = place ? ~0u : static_cast<uint32_t>(x.undefinedBits(a, source.lane));
      undefinedPredicate |= LaneMask(place) << lane;
    }
  });
  uint32_t *to = x.row<uint32_t>(op.destination());
  forLanes(lanes, [&](unsigned lane) { to[lane] = result[lane]; });
  if (op.destinations == 2)
    writePredicate(x, op.destination(1), lanes, inRange);
  if (!x.check)
    return;
  writeShadow(x, op, lanes, 0);
  if (shadows)
    forLanes(lanes, [&](unsigned lane) { x.setUndefinedBits(op.destination(), lane, shadow[lane]); });
  if (op.destinations == 2)
    x.setUndefined(op.destination(1), undefinedPredicate);
  // What comes from a lane that does not take part is unpredictable, which matters only if it is used: kernels shuffle
  // with a full mask in blocks of fewer than 32 threads and drop what comes from beyond.
  x.setUndefined(op.destination(), unpredictable);
}

Outcome runShuffleSync(Execution &x, const Operation &op, LaneMask active) {
  return forGroups(x, op, active, [&](const Group &group) {
    if (op.detail && group.lanes == allLanes && !(x.check && x.rowMayBeUndefined(op.source(0))))
      shuffleAll(x, op);
    else
      shuffle(x, op, group.lanes, group.lanes);
  });
}
Outcome runShuffle(Execution &x, const Operation &op, LaneMask active) {
  shuffle(x, op, active, active);
  return Outcome::Next;
}

/// d, or d|p.
bool bindDestinationPair(Binder &b, ptx::Type type, bool needsPair) {
  const ptx::Operand &to = b.operand(0);
  if (to.kind == ptx::Operand::Kind::Pair && to.elements.size() == 2) {
    b.destination(to.elements[0], type);
    b.destination(to.elements[1], ptx::Type::Predicate);
    return true;
  }
  if (needsPair)
    return b.fail("expects two destinations d|p");
  b.destination(0, type);
  return true;
}

bool finishWith(Binder &b, Handler run) {
  b.operation.run = run;
  b.operation.kind = InstructionClass::Warp;
  return b.finish();
}

/// Forms without .sync ended with sm_70 from PTX ISA 6.4 on.
bool allowUnsynchronised(Binder &b) {
  if (b.ptxVersion() >= 64 && b.targetSM() >= 70)
    return b.fail("expects .sync for sm_70 and later from PTX ISA 6.4 on");
  return true;
}

bool bindShuffle(Binder &b) {
  bool sync = b.take("sync");
  int mode = b.takeOneOf({"up", "down", "bfly", "idx"});
  if (mode < 0)
    return b.fail("expects .up, .down, .bfly or .idx");
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, sync ? 5 : 4))
    return false;
  if (!sync && !allowUnsynchronised(b))
    return false;
  if (!bindDestinationPair(b, ptx::Type::B32, false))
    return false;
  b.source(1, ptx::Type::B32);
  b.source(2, ptx::Type::B32);
  b.source(3, ptx::Type::B32);
  if (sync)
    b.source(4, ptx::Type::B32);
  b.operation.data[0] = static_cast<uint64_t>(mode);
  if (b.operand(2).kind == ptx::Operand::Kind::Integer && b.operand(3).kind == ptx::Operand::Kind::Integer) {
    ShuffleTable table;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      Source source = sourceOf(static_cast<Shuffle>(mode), lane, static_cast<uint32_t>(b.constant(2)),
                               static_cast<uint32_t>(b.constant(3)));
      table.from[lane] = static_cast<uint8_t>(source.lane);
      table.inRange |= LaneMask(source.inRange) << lane;
    }
    b.operation.detail = b.builder().program().keep(table);
  }
  return finishWith(b, sync ? runShuffleSync : runShuffle);
}

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
  return finishWith(b, sync ? runVoteSync : runVote);
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
  return finishWith(b, runMatch);
}

//===--- redux ---===//

/// data[0] of the integer forms.
enum class Reduction : uint64_t { Add, Min, Max, And, Or, Xor };

template <typename T> T combine(Reduction reduction, T a, T b) {
  switch (reduction) {
  case Reduction::Add:
    return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  case Reduction::Min:
    return b < a ? b : a;
  case Reduction::Max:
    return a < b ? b : a;
  case Reduction::And:
    return a & b;
  case Reduction::Or:
    return a | b;
  case Reduction::Xor:
    return a ^ b;
  }
  return a;
}

/// Writes `value(lanes)` to all lanes of each group.
template <typename Value> Outcome reduceGroups(Execution &x, const Operation &op, LaneMask active, Value value) {
  return forGroups(x, op, active, [&](const Group &group) {
    LaneMask unknown = x.check ? x.undefinedLanes(op.source(0), group.lanes) : 0;
    uint32_t result = value(group.lanes), *to = x.row<uint32_t>(op.destination());
    forLanes(group.lanes, [=](unsigned lane) { to[lane] = result; });
    writeShadow(x, op, group.lanes, unknown ? group.lanes : 0);
  });
}

template <typename T> Outcome runReduce(Execution &x, const Operation &op, LaneMask active) {
  return reduceGroups(x, op, active, [&](LaneMask lanes) {
    const T *values = x.row<T>(op.source(0));
    unsigned first = firstLane(lanes);
    T result = values[first];
    forLanes(lanes & ~(1u << first),
             [&](unsigned lane) { result = combine(static_cast<Reduction>(op.data[0]), result, values[lane]); });
    return static_cast<uint32_t>(result);
  });
}

constexpr uint32_t canonicalNan = 0x7fffffffu;
/// data[1] of the .f32 form.
enum ReduceFlag : uint64_t { absolute = 1, propagateNan = 2 };

/// A float's bits in an order of integers in which -0 comes before +0.
int32_t ordered(uint32_t bits) { return static_cast<int32_t>(bits & 0x80000000u ? ~bits | 0x80000000u : bits); }

Outcome runReduceFloat(Execution &x, const Operation &op, LaneMask active) {
  return reduceGroups(x, op, active, [&](LaneMask lanes) {
    const uint32_t *values = x.row<uint32_t>(op.source(0));
    bool any = false, nan = false, min = static_cast<Reduction>(op.data[0]) == Reduction::Min;
    uint32_t result = canonicalNan;
    forLanes(lanes, [&](unsigned lane) {
      uint32_t value = op.data[1] & absolute ? values[lane] & 0x7fffffffu : values[lane];
      if ((value & 0x7fffffffu) > 0x7f800000u) {
        nan = true;
        return;
      }
      bool better = min ? ordered(value) < ordered(result) : ordered(value) > ordered(result);
      if (!any || better)
        result = value;
      any = true;
    });
    return nan && (op.data[1] & propagateNan) ? canonicalNan : result;
  });
}

bool bindReduce(Binder &b) {
  if (!b.take("sync"))
    return b.fail("expects .sync");
  int reduction = b.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  if (reduction < 0)
    return b.fail("expects .add, .min, .max, .and, .or or .xor");
  uint64_t flags = 0;
  if (b.take("abs"))
    flags |= absolute;
  if (b.take("NaN"))
    flags |= propagateNan;
  auto chosen = static_cast<Reduction>(reduction);
  ptx::Type type = ptx::Type::None;
  if (chosen >= Reduction::And)
    type = takeTypeOf(b, {ptx::Type::B32});
  else if (chosen == Reduction::Add)
    type = takeTypeOf(b, {ptx::Type::U32, ptx::Type::S32});
  else
    type = takeTypeOf(b, {ptx::Type::U32, ptx::Type::S32, ptx::Type::F32});
  if (type == ptx::Type::None || !expectOperands(b, 3) || !b.require(80))
    return false;
  if (flags && type != ptx::Type::F32)
    return b.fail("has .abs and .NaN for type .f32 only");
  if (type == ptx::Type::F32 && !(b.targetSM() / 10 == 10 && b.targetHasFeatures()))
    return b.fail("needs sm_100a for type .f32");
  b.destination(0, type);
  b.source(1, type);
  b.source(2, ptx::Type::B32);
  b.operation.data[0] = static_cast<uint64_t>(reduction);
  b.operation.data[1] = flags;
  return finishWith(b, type == ptx::Type::F32   ? runReduceFloat
                       : type == ptx::Type::S32 ? runReduce<int32_t>
                                                : runReduce<uint32_t>);
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
  return finishWith(b, runActiveMask);
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
               "lane " + std::to_string(firstLane(exited)) + " is in the member mask " + hexText(group.mask) +
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
  return finishWith(b, runElect);
}

} // namespace

void addWarpInstructions(InstructionTable &table) {
  table["shfl"] = bindShuffle;
  table["vote"] = bindVote;
  table["match"] = bindMatch;
  table["redux"] = bindReduce;
  table["activemask"] = bindActiveMask;
  table["elect"] = bindElect;
}

} // namespace tilec::sim

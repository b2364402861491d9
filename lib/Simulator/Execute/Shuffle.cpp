/// shfl and shfl.sync (PTX ISA, "shfl.sync").
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"
#include "lib/Simulator/Execute/WarpGroups.h"

namespace tilec::sim {
namespace {

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
  return finishWarpInstruction(b, sync ? runShuffleSync : runShuffle);
}

} // namespace

void addShuffleInstructions(InstructionTable &table) { table["shfl"] = bindShuffle; }

} // namespace tilec::sim

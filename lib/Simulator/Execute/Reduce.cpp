/// redux.sync (PTX ISA, "redux.sync"): a reduction over the lanes of a member mask.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"
#include "lib/Simulator/Execute/WarpGroups.h"

namespace tilec::sim {
namespace {

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
  return finishWarpInstruction(b, type == ptx::Type::F32   ? runReduceFloat
                                  : type == ptx::Type::S32 ? runReduce<int32_t>
                                                           : runReduce<uint32_t>);
}

} // namespace

void addReduceInstructions(InstructionTable &table) { table["redux"] = bindReduce; }

} // namespace tilec::sim

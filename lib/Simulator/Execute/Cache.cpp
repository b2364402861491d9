/// Instructions about caches (PTX ISA: prefetch, prefetchu, applypriority, discard, createpolicy). There is no cache
/// here: they read their operands and change nothing, except that discard leaves its bytes undefined. multimem, which
/// needs memory shared by several GPUs, is refused by name.
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MemoryFamilies.h"
#include "lib/Simulator/Execute/MemoryForm.h"

using namespace tilec;
using namespace tilec::sim;

static Outcome runNothing(Execution &, const Operation &, LaneMask) { return Outcome::Next; }

/// prefetch{.space}.level [a], also of a tensor map; prefetchu.L1 [a]. A prefetch of an address that is not mapped does
/// nothing, so it is not looked at.
static bool bindPrefetch(Binder &b) {
  bool tensorMap = b.take("tensormap");
  bool uniform = b.instruction.opcode == "prefetchu";
  if (tensorMap) {
    if (!b.require(90))
      return false;
    b.takeOneOf({"const", "param"});
  } else {
    if (!uniform)
      b.takeOneOf({"global", "local"});
    if (b.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"}) < 0)
      return b.fail("expected a cache level");
  }
  b.address(0);
  b.operation.run = runNothing;
  b.operation.kind = InstructionClass::Other;
  return b.finish();
}

/// discard and applypriority work on 128 bytes of global memory, aligned to them.
constexpr unsigned cacheLineBytes = 128;

static Outcome runLine(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<MemoryForm>();
  bool discards = op.data[0] != 0;
  active = x.requireDefined(op, form.base, active, "address");
  forLanes(active, [&](unsigned lane) {
    uint64_t address = x.value(form.base, lane) + static_cast<uint64_t>(form.offset);
    Place place = locate(x, op, lane, form.space, address, cacheLineBytes, cacheLineBytes,
                         discards ? AccessKind::Write : AccessKind::Read);
    if (!place || !discards || !x.check)
      return;
    if (place.region->undefined)
      place.region->undefined->setUndefined(place.offset, cacheLineBytes);
    recordAccess(x, op, lane, place, cacheLineBytes, AccessKind::Write, false);
  });
  return Outcome::Next;
}

static bool bindLine(Binder &b) {
  MemoryForm form;
  bool discards = b.instruction.opcode == "discard";
  form.space = takeAddressSpace(b, {"global"});
  if (!b.take(discards ? "L2" : "L2::evict_normal"))
    return b.fail(discards ? "expected '.L2'" : "expected '.L2::evict_normal'");
  if (!bindAddress(b, 0, form))
    return false;
  if (b.constant(1) != cacheLineBytes)
    return b.fail("the size must be 128");
  b.operation.data[0] = discards;
  b.operation.run = runLine;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

/// createpolicy gives a value that only cache hints take; any number does.
static Outcome runPolicy(Execution &x, const Operation &op, LaneMask active) {
  constexpr uint64_t policy = 0x10f0'0000'0000'0000ull;
  uint64_t *to = x.row<uint64_t>(op.destination());
  forLanes(active, [&](unsigned lane) { to[lane] = policy; });
  return Outcome::Next;
}

static bool bindPolicy(Binder &b) {
  int form = b.takeOneOf({"fractional", "range", "cvt"});
  if (form < 0)
    return b.fail("expected '.fractional', '.range' or '.cvt'");
  if (form == 2) {
    b.take("L2");
  } else {
    if (form == 1)
      b.take("global");
    int taken = 0;
    for (const char *priority : {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"})
      taken += b.take(priority);
    if (taken < 1 || taken > 2)
      return b.fail("expected a primary and at most one secondary priority");
  }
  if (b.takeType() != ptx::Type::B64)
    return b.fail("expected .b64");
  b.destination(0, ptx::Type::B64);
  if (form == 0 && b.operandCount() > 1)
    b.source(1, ptx::Type::F32);
  if (form == 1) {
    b.address(1);
    b.source(2, ptx::Type::B32);
    b.source(3, ptx::Type::B32);
  }
  if (form == 2)
    b.source(1, ptx::Type::B64);
  b.operation.run = runPolicy;
  b.operation.propagate = propagateDefined;
  return b.finish();
}

static bool bindMultimem(Binder &b) {
  return b.fail("multimem needs memory that several GPUs share, which the simulated device does not have");
}

void tilec::sim::addCacheInstructions(InstructionTable &table) {
  table["prefetch"] = bindPrefetch;
  table["prefetchu"] = bindPrefetch;
  table["discard"] = bindLine;
  table["applypriority"] = bindLine;
  table["createpolicy"] = bindPolicy;
  table["multimem"] = bindMultimem;
}

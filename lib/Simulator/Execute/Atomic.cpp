/// atom and red (PTX ISA, "Parallel Synchronization and Communication Instructions: atom, red"). Programs in which
/// blocks communicate run on one core, and the lanes of a warp one after the other, so nothing here needs atomicity of
/// the host. The order of a warp's lanes is open: it is the seed's choice.
#include "lib/Simulator/Core/Order.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/AtomicFamilies.h"
#include "lib/Simulator/Execute/WarpAccess.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

namespace {
struct AtomicForm {
  MemoryForm memory;
  AtomicOp op = AtomicOp::Add;
  /// Null for cas and for 16 bytes.
  AtomicCombine combine = nullptr, combineInGlobal = nullptr;
  bool hasResult = false;
};

/// An element as bits, of up to 16 bytes.
struct Element {
  uint64_t low = 0, high = 0;
  bool operator==(const Element &other) const { return low == other.low && high == other.high; }
  bool any() const { return (low | high) != 0; }
};
} // namespace

static Element elementOf(const void *from, unsigned bytes) {
  Element element;
  std::memcpy(&element, from, bytes);
  return element;
}

static Element valueOf(Execution &x, Row row, unsigned lane) {
  return elementOf(x.row<std::byte>(row) + lane * row.bytes, row.bytes);
}

static Element undefinedOf(Execution &x, Row row, unsigned lane) {
  return x.rowMayBeUndefined(row) ? elementOf(undefinedAt(x, row, lane), row.bytes) : Element();
}

/// What an atomic operation writes.
static Element combine(const AtomicForm &form, const Region &region, Element old, Element b, Element c) {
  if (form.op == AtomicOp::CompareExchange)
    return old == b ? c : old;
  if (form.op == AtomicOp::Exchange)
    return b;
  bool global = region.space == ptx::Space::Global;
  return {(global ? form.combineInGlobal : form.combine)(old.low, b.low), 0};
}

/// Which bits of what it writes are undefined.
static Element combineUndefined(const AtomicForm &form, Element old, Element b, Element c, bool swapped) {
  Element all{~uint64_t(0), ~uint64_t(0)};
  switch (form.op) {
  case AtomicOp::Exchange:
    return b;
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    return {old.low | b.low, old.high | b.high};
  case AtomicOp::CompareExchange:
    return old.any() || b.any() ? all : swapped ? c : Element();
  default:
    return old.any() || b.any() ? all : Element();
  }
}

/// One lane; `tracked`: some bit may be undefined.
static void performLane(Execution &x, const Operation &op, const AtomicForm &form, Place place, unsigned lane,
                        bool tracked) {
  unsigned bytes = form.memory.elementBytes, elements = form.memory.elements;
  for (unsigned i = 0; i < elements; ++i) {
    std::byte *at = place.bytes() + i * bytes;
    Row operand = op.source(1 + i);
    Element old = elementOf(at, bytes), b = valueOf(x, operand, lane), c;
    if (form.op == AtomicOp::CompareExchange)
      c = valueOf(x, op.source(1 + elements), lane);
    Element written = combine(form, *place.region, old, b, c);
    Element oldUndefined, newUndefined;
    if (tracked) {
      if (place.region->undefined)
        place.region->undefined->read(place.offset + i * bytes, &oldUndefined, bytes);
      Element third = form.op == AtomicOp::CompareExchange ? undefinedOf(x, op.source(1 + elements), lane) : Element();
      newUndefined = combineUndefined(form, oldUndefined, undefinedOf(x, operand, lane), third, old == b);
      if (place.region->undefined)
        place.region->undefined->write(place.offset + i * bytes, &newUndefined, bytes);
    }
    std::memcpy(at, &written, bytes);
    if (!form.hasResult)
      continue;
    Row result = op.destination(i);
    std::memcpy(x.row<std::byte>(result) + lane * result.bytes, &old, result.bytes);
    if (tracked) {
      prepareUndefined(x, result);
      std::memcpy(undefinedAt(x, result, lane), &oldUndefined, result.bytes);
    }
  }
}

/// The active lanes in the order in which they are performed.
static unsigned orderLanes(Execution &x, LaneMask lanes, uint8_t *order) {
  unsigned count = 0;
  forLanes(lanes, [&](unsigned lane) { order[count++] = static_cast<uint8_t>(lane); });
  if (x.grid->options.seed != 0)
    for (unsigned i = count; i > 1; --i)
      std::swap(order[i - 1], order[x.cluster->random() % i]);
  return count;
}

/// All lanes of an atomic of one element, without undefined bits.
template <typename T>
static void performScalars(Execution &x, const Operation &op, const AtomicForm &form, const WarpAccess &access,
                           const uint8_t *order, unsigned count) {
  const T *operands = x.row<T>(op.source(1));
  const T *third = form.op == AtomicOp::CompareExchange ? x.row<T>(op.source(2)) : nullptr;
  T *results = form.hasResult ? x.row<T>(op.destination()) : nullptr;
  for (unsigned i = 0; i < count; ++i) {
    unsigned lane = order[i];
    Place place = access.place(lane);
    T old, b = operands[lane], written;
    std::memcpy(&old, place.bytes(), sizeof old);
    if (third)
      written = old == b ? third[lane] : old;
    else if (form.op == AtomicOp::Exchange)
      written = b;
    else
      written =
          static_cast<T>((place.region->space == ptx::Space::Global ? form.combineInGlobal : form.combine)(old, b));
    std::memcpy(place.bytes(), &written, sizeof written);
    if (results)
      results[lane] = old;
  }
}

static void performLanes(Execution &x, const Operation &op, const AtomicForm &form, const WarpAccess &access,
                         bool tracked) {
  uint8_t order[warpSize];
  unsigned count = orderLanes(x, access.lanes, order);
  unsigned bytes = form.memory.elements == 1 && !tracked ? form.memory.elementBytes : 0;
  if (bytes == 4)
    return performScalars<uint32_t>(x, op, form, access, order, count);
  if (bytes == 8)
    return performScalars<uint64_t>(x, op, form, access, order, count);
  for (unsigned i = 0; i < count; ++i)
    performLane(x, op, form, access.place(order[i]), order[i], tracked);
}

/// Lanes whose place can hold an atomic; the others are reported.
static LaneMask atomicLanes(Execution &x, const Operation &op, const AtomicForm &form, const WarpAccess &access) {
  auto allowed = [&](const Region &region) {
    return region.space == ptx::Space::Global || (region.space == ptx::Space::Shared && form.memory.elements == 1);
  };
  if (access.region && allowed(*access.region))
    return access.lanes;
  LaneMask lanes = access.lanes;
  forLanes(access.lanes, [&](unsigned lane) {
    ptx::Space space = access.place(lane).region->space;
    if (allowed(*access.place(lane).region))
      return;
    lanes &= ~(1u << lane);
    x.report(FindingKind::InvalidOperand, op, lane,
             std::string(form.memory.elements > 1 ? "a vector atomic" : "an atomic") + " on ." + ptx::spaceName(space) +
                 " memory");
  });
  return lanes;
}

static Reach reachOf(const MemoryForm &form) { return form.forBlock ? Reach::Block : Reach::Everywhere; }

static void orderBefore(Execution &x, const MemoryForm &form, Place place) {
  if (form.acquire)
    acquireFrom(x, place, reachOf(form));
  else
    relaxedRead(x, place, reachOf(form));
}

static void orderAfter(Execution &x, const MemoryForm &form, Place place) {
  if (form.release)
    releaseTo(x, place, Publish::Continue, reachOf(form));
  else
    relaxedWrite(x, place, Publish::Continue, reachOf(form));
}

/// Calls `body(place)` once for neighbouring lanes with one place.
template <typename Body> static void forPlaces(const WarpAccess &access, Body body) {
  uint64_t last = ~uint64_t(0);
  forLanes(access.lanes, [&](unsigned lane) {
    if (access.addresses[lane] != last)
      body(access.place(lane));
    last = access.addresses[lane];
  });
}

static Outcome runAtomic(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<AtomicForm>();
  WarpAccess access;
  resolve(x, op, active, form.memory, AccessKind::Atomic, access);
  access.lanes = access.lanes ? atomicLanes(x, op, form, access) : 0;
  LaneMask missing = active & ~access.lanes;
  if (missing && form.hasResult)
    for (unsigned i = 0; i < form.memory.elements; ++i) {
      Row row = op.destination(i);
      forLanes(missing, [&](unsigned lane) { std::memset(x.row<std::byte>(row) + lane * row.bytes, 0, row.bytes); });
      if (x.check)
        x.setUndefined(row, missing);
    }
  if (!access.lanes)
    return Outcome::Next;

  bool tracked = false;
  if (x.check) {
    for (unsigned i = 1; i < op.sources; ++i)
      tracked |= x.rowMayBeUndefined(op.source(i));
    tracked = tracked || !isDefined(access);
    forPlaces(access, [&](Place place) { orderBefore(x, form.memory, place); });
  }
  performLanes(x, op, form, access, tracked);
  countAccess(x, op, access, /*isStore=*/!form.hasResult);
  // A loop around it may be waiting for others: a lock, a ticket.
  if (form.hasResult)
    x.poll();
  if (!x.check)
    return Outcome::Next;
  if (form.hasResult && !tracked)
    for (unsigned i = 0; i < form.memory.elements; ++i)
      x.setDefined(op.destination(i), access.lanes);
  recordLanes(x, op, access, access.lanes, AccessKind::Atomic, /*strong=*/true);
  forPlaces(access, [&](Place place) { orderAfter(x, form.memory, place); });
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Binds
//===----------------------------------------------------------------------===//

static bool takeAtomicSemantics(Binder &b, MemoryForm &form, bool isReduction) {
  int semantics = b.takeOneOf({"relaxed", "acquire", "release", "acq_rel"});
  form.acquire = semantics == 1 || semantics == 3;
  form.release = semantics == 2 || semantics == 3;
  if (isReduction && form.acquire)
    return b.fail("red has no acquire semantics");
  form.forBlock = b.takeOneOf({"cta", "cluster", "gpu", "sys"}) == 0;
  form.strong = true;
  return true;
}

static bool bindAtomicOf(Binder &b, bool isReduction) {
  AtomicForm form;
  form.hasResult = !isReduction;
  if (!takeAtomicSemantics(b, form.memory, isReduction))
    return false;
  form.memory.space = takeAddressSpace(b, {"global", "shared"});
  int op = b.takeOneOf({"add", "and", "or", "xor", "inc", "dec", "min", "max", "exch", "cas"});
  if (op < 0)
    return b.fail("expected an atomic operation");
  form.op = static_cast<AtomicOp>(op);
  bool isSwap = form.op == AtomicOp::Exchange || form.op == AtomicOp::CompareExchange;
  if (isReduction && isSwap)
    return b.fail("red has no exchange");
  bool noFlush = b.take("noftz");
  bool hasPolicy = takeCacheHints(b);
  if (!takeElements(b, form.memory))
    return false;
  ptx::Type type = form.memory.type;
  std::string fault = checkAtomicType(form.op, type, form.memory.elements, noFlush);
  if (!fault.empty())
    return b.fail(fault);
  if ((form.memory.elements > 1 || form.memory.bytes == 16) && !b.require(90))
    return false;
  if (form.memory.elements > 1 && form.memory.space != AddressSpace::Generic &&
      form.memory.space != AddressSpace::Global)
    return b.fail("vectors need global memory");
  form.combine = atomicCombine(form.op, type, /*inGlobal=*/false);
  form.combineInGlobal = atomicCombine(form.op, type, /*inGlobal=*/true);

  unsigned at = 0;
  if (form.hasResult && b.destinations(at++, type) != form.memory.elements)
    return b.fail("expected " + std::to_string(form.memory.elements) + " results");
  if (!bindAddress(b, at++, form.memory))
    return false;
  if (b.sources(at++, type) != form.memory.elements)
    return b.fail("expected " + std::to_string(form.memory.elements) + " operands");
  if (form.op == AtomicOp::CompareExchange)
    b.source(at++, type);
  if (hasPolicy)
    b.source(at++, ptx::Type::B64);
  b.operation.kind = InstructionClass::Atomic;
  b.operation.run = runAtomic;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

static bool bindAtomic(Binder &b) { return bindAtomicOf(b, /*isReduction=*/false); }
static bool bindReduction(Binder &b) { return b.has("async") ? bindReductionAsync(b) : bindAtomicOf(b, true); }

void tilec::sim::addAtomicInstructions(InstructionTable &table) {
  table["atom"] = bindAtomic;
  table["red"] = bindReduction;
}

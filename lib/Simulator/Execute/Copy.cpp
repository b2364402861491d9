/// cp.async and its groups (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy", non-bulk). All
/// addresses are looked up when the copy is issued, and what it will read and write is recorded then, so that a use
/// before the wait is found whatever the interleaving; the bytes move when the queue performs it.
#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Core/WarpAsync.h"
#include "lib/Simulator/Execute/BulkCopy.h"
#include "lib/Simulator/Execute/Mbarrier.h"
#include "lib/Simulator/Execute/WarpAccess.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

namespace {
struct CopyForm {
  /// Bytes of both are the copy's size.
  MemoryForm to, from;
  /// How much of the source is used; the rest is zero.
  enum class Source : uint8_t { All, Sized, Ignorable } source = Source::All;
  Row sourceSize, ignore;
  bool ignoreNegated = false;
};

/// One instruction's copies on their way.
struct CopyBatch {
  LaneMask lanes = 0;
  unsigned bytes = 0;
  Place to[warpSize], from[warpSize];
  uint8_t used[warpSize] = {};
  /// Lanes whose source could not be read.
  LaneMask failed = 0;
};
} // namespace

static AsyncQueue &queueOf(Execution &x) { return x.cluster->async; }

/// The chain under which the warp's copies are stamped.
static Stamp chainOf(Execution &x) {
  CopyGroups &groups = x.warp->async->copies;
  if (groups.chain == noAgent)
    groups.chain = x.block->newAgent();
  return {groups.chain, groups.clock};
}

static void completeWhere(Execution &x, const std::function<bool(const AsyncOperation &)> &condition) {
  Warp *warp = x.warp;
  queueOf(x).complete([&](const AsyncOperation &operation) {
    return operation.warp == warp && operation.unit == AsyncOperation::Unit::CpAsync && condition(operation);
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The bytes of one lane. Whole copies, which nearly all are, have sizes that the compiler knows.
static void moveBytes(std::byte *to, Place from, unsigned used, unsigned bytes) {
  if (used == bytes) {
    switch (bytes) {
    case 4:
      std::memcpy(to, from.bytes(), 4);
      return;
    case 8:
      std::memcpy(to, from.bytes(), 8);
      return;
    default:
      std::memcpy(to, from.bytes(), 16);
      return;
    }
  }
  if (used)
    std::memcpy(to, from.bytes(), used);
  std::memset(to + used, 0, bytes - used);
}

static void perform(const CopyBatch &batch, bool check) {
  forLanes(batch.lanes, [&](unsigned lane) {
    const Place &to = batch.to[lane], &from = batch.from[lane];
    unsigned used = batch.used[lane];
    moveBytes(to.bytes(), from, used, batch.bytes);
    UndefinedBits *undefined = check ? to.region->undefined.get() : nullptr;
    if (!undefined)
      return;
    if (batch.failed >> lane & 1)
      return undefined->setUndefined(to.offset, batch.bytes);
    std::byte bits[16] = {};
    if (used && from.region->undefined && !from.region->undefined->allDefined(from.offset, used))
      from.region->undefined->read(from.offset, bits, used);
    undefined->write(to.offset, bits, batch.bytes);
  });
}

/// Bytes of the source that each lane uses; lanes that ask for too much are reported and use all.
static LaneMask usedBytes(Execution &x, const Operation &op, const CopyForm &form, LaneMask lanes, uint8_t *used) {
  unsigned bytes = form.to.bytes;
  std::fill_n(used, warpSize, static_cast<uint8_t>(bytes));
  if (form.source == CopyForm::Source::Sized) {
    if (x.check)
      lanes = x.requireDefined(op, form.sourceSize, lanes, "source size");
    forLanes(lanes, [&](unsigned lane) {
      uint32_t size = x.row<uint32_t>(form.sourceSize)[lane];
      if (size > bytes)
        x.report(FindingKind::InvalidOperand, op, lane,
                 "source size " + std::to_string(size) + " is over the copy's " + std::to_string(bytes) + " bytes");
      used[lane] = static_cast<uint8_t>(std::min<uint32_t>(size, bytes));
    });
  } else if (form.source == CopyForm::Source::Ignorable) {
    if (x.check)
      lanes = x.requireDefined(op, form.ignore, lanes, "ignore-src");
    LaneMask ignored = x.predicate(form.ignore) ^ (form.ignoreNegated ? allLanes : 0);
    forLanes(lanes & ignored, [&](unsigned lane) { used[lane] = 0; });
  }
  return lanes;
}

/// Looks up the sources: whole ones together, parts one by one, unused ones not at all.
static void resolveSources(Execution &x, const Operation &op, const CopyForm &form, LaneMask lanes, CopyBatch &batch,
                           WarpAccess &source) {
  LaneMask whole = 0, part = 0;
  forLanes(lanes, [&](unsigned lane) {
    if (batch.used[lane] == form.from.bytes)
      whole |= 1u << lane;
    else if (batch.used[lane] != 0)
      part |= 1u << lane;
  });
  source.lanes = 0;
  if (whole)
    resolve(x, op, whole, form.from, AccessKind::Read, source);
  forLanes(source.lanes, [&](unsigned lane) { batch.from[lane] = source.place(lane); });
  LaneMask found = source.lanes;
  if (part && x.check)
    part &= x.requireDefined(op, form.from.base, part, "address");
  forLanes(part, [&](unsigned lane) {
    uint64_t address = x.value(form.from.base, lane) + static_cast<uint64_t>(form.from.offset);
    batch.from[lane] =
        locate(x, op, lane, form.from.space, address, batch.used[lane], form.from.alignment, AccessKind::Read);
    if (batch.from[lane])
      found |= 1u << lane;
  });
  forLanes(lanes & ~found, [&](unsigned lane) {
    if (batch.used[lane] != 0)
      batch.failed |= 1u << lane;
    batch.used[lane] = 0;
  });
}

/// Stamps what the copies will read and write.
static void recordCopies(Execution &x, const Operation &op, const CopyBatch &batch, const WarpAccess &source,
                         const WarpAccess &destination) {
  Stamp chain = chainOf(x);
  uint64_t all = uint64_t(warpSize) * batch.bytes;
  if (source.consecutive)
    recordAsyncAccess(x, op, source.place(0), all, AccessKind::Read, Proxy::Generic, chain);
  else
    forLanes(batch.lanes, [&](unsigned lane) {
      if (batch.used[lane])
        recordAsyncAccess(x, op, batch.from[lane], batch.used[lane], AccessKind::Read, Proxy::Generic, chain);
    });
  if (destination.consecutive)
    recordAsyncAccess(x, op, destination.place(0), all, AccessKind::Write, Proxy::Generic, chain);
  else
    forLanes(batch.lanes, [&](unsigned lane) {
      recordAsyncAccess(x, op, batch.to[lane], batch.bytes, AccessKind::Write, Proxy::Generic, chain);
    });
}

static Outcome runCopy(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<CopyForm>();
  auto batch = std::make_shared<CopyBatch>();
  batch->bytes = form.to.bytes;
  active = usedBytes(x, op, form, active, batch->used);
  WarpAccess destination, source;
  destination.lanes = 0;
  if (active)
    resolve(x, op, active, form.to, AccessKind::Write, destination);
  if (!destination.lanes)
    return Outcome::Next;
  batch->lanes = destination.lanes;
  forLanes(batch->lanes, [&](unsigned lane) { batch->to[lane] = destination.place(lane); });
  resolveSources(x, op, form, batch->lanes, *batch, source);
  countAccess(x, op, source, /*isStore=*/false);
  countAccess(x, op, destination, /*isStore=*/true);
  if (x.check)
    recordCopies(x, op, *batch, source, destination);

  x.warp->async->copies.open |= batch->lanes;
  AsyncOperation operation;
  operation.warp = x.warp;
  operation.op = &op;
  operation.lane = firstLane(batch->lanes);
  operation.unit = AsyncOperation::Unit::CpAsync;
  operation.perform = [batch](Execution &later) { perform(*batch, later.check); };
  queueOf(x).add(x, std::move(operation));
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static Outcome runCommit(Execution &x, const Operation &, LaneMask active) {
  CopyGroups &groups = x.warp->async->copies;
  uint64_t group = groups.next[firstLane(active)];
  bool together = (groups.open & ~active) == 0;
  forLanes(active, [&](unsigned lane) { together &= groups.next[lane] == group; });
  // Copies that stand for lanes of different groups are done now, which no thread can tell from a little later.
  if (!together)
    completeWhere(x, [](const AsyncOperation &operation) { return operation.group == ~uint64_t(0); });
  queueOf(x).commit(*x.warp, AsyncOperation::Unit::CpAsync, group, allLanes);
  uint64_t noted = ~uint64_t(0);
  forLanes(active, [&](unsigned lane) {
    uint64_t made = groups.next[lane]++;
    if (x.check && made != noted)
      groups.clockOfGroup[noted = made] = groups.clock;
  });
  ++groups.clock;
  groups.open &= ~active;
  return Outcome::Next;
}

/// What was waited for is seen from now on.
static void reachClock(Execution &x, uint32_t clock) {
  const CopyGroups &groups = x.warp->async->copies;
  if (x.check && groups.chain != noAgent)
    x.warp->order.seen.reach(groups.chain, clock);
}

/// cp.async.wait_group N: all groups of the thread but the last N are complete.
static Outcome runWaitGroup(Execution &x, const Operation &op, LaneMask active) {
  CopyGroups &groups = x.warp->async->copies;
  uint64_t limit = 0;
  forLanes(active, [&](unsigned lane) {
    if (groups.next[lane] > op.data[0])
      limit = std::max(limit, groups.next[lane] - op.data[0]);
  });
  if (limit == 0)
    return Outcome::Next;
  completeWhere(x, [limit](const AsyncOperation &operation) { return operation.group < limit; });
  auto end = groups.clockOfGroup.lower_bound(limit);
  if (end == groups.clockOfGroup.begin())
    return Outcome::Next;
  auto last = std::prev(end);
  reachClock(x, last->second);
  groups.clockOfGroup.erase(groups.clockOfGroup.begin(), last);
  return Outcome::Next;
}

/// cp.async.wait_all: as commit_group and wait_group 0.
static Outcome runWaitAll(Execution &x, const Operation &, LaneMask) {
  CopyGroups &groups = x.warp->async->copies;
  completeWhere(x, [](const AsyncOperation &) { return true; });
  reachClock(x, groups.clock);
  ++groups.clock;
  groups.clockOfGroup.clear();
  groups.open = 0;
  return Outcome::Next;
}

/// cp.async.mbarrier.arrive: an arrival that happens when all copies that the thread issued before are done.
static Outcome runArrive(Execution &x, const Operation &op, LaneMask active) {
  const auto &form = op.detailAs<MemoryForm>();
  bool counted = op.data[0] != 0;
  CopyGroups &groups = x.warp->async->copies;
  WarpAccess access;
  resolve(x, op, active, form, AccessKind::Atomic, access);
  if (!access.lanes)
    return Outcome::Next;
  std::vector<std::pair<unsigned, Place>> objects;
  forLanes(access.lanes, [&](unsigned lane) {
    objects.emplace_back(lane, access.place(lane));
    if (counted)
      asyncArriveExpected(x, op, lane, access.place(lane));
  });
  Order copied;
  if (x.check) {
    Stamp chain = chainOf(x);
    copied.seen.reach(chain.agent, chain.clock);
  }
  ++groups.clock;
  std::vector<const AsyncOperation *> before;
  for (const std::unique_ptr<AsyncOperation> &operation : queueOf(x).all())
    if (operation->warp == x.warp && operation->unit == AsyncOperation::Unit::CpAsync)
      before.push_back(operation.get());

  AsyncOperation operation;
  operation.warp = x.warp;
  operation.op = &op;
  operation.lane = firstLane(access.lanes);
  operation.unit = AsyncOperation::Unit::CpAsync;
  operation.perform = [objects, before, copied, &op](Execution &later) {
    completeWhere(later, [&](const AsyncOperation &other) {
      return std::find(before.begin(), before.end(), &other) != before.end();
    });
    for (const auto &[lane, place] : objects)
      asyncArrive(later, op, lane, place, &copied);
  };
  queueOf(x).add(x, std::move(operation));
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Binds
//===----------------------------------------------------------------------===//

/// cp.async.ca.shared.global{hints} [dst], [src], cp-size{, src-size | ignore-src}{, cache-policy};
static bool bindCopy(Binder &b) {
  CopyForm form;
  int cache = b.takeOneOf({"ca", "cg"});
  if (cache < 0)
    return b.fail("expected '.ca' or '.cg'");
  form.to.space = takeAddressSpace(b, {"shared"});
  form.from.space = takeAddressSpace(b, {"global"});
  if (form.to.space != AddressSpace::SharedBlock || form.from.space != AddressSpace::Global)
    return b.fail("expected '.shared.global'");
  bool hasPolicy = takeCacheHints(b);
  int64_t bytes = b.constant(2);
  if (bytes != 16 && (cache == 1 || (bytes != 4 && bytes != 8)))
    return b.fail(cache == 1 ? "'.cg' copies 16 bytes, got " + std::to_string(bytes)
                             : "'.ca' copies 4, 8 or 16 bytes, got " + std::to_string(bytes));
  form.to.bytes = form.to.alignment = form.from.bytes = form.from.alignment = static_cast<unsigned>(bytes);
  if (!bindAddress(b, 0, form.to) || !bindAddress(b, 1, form.from))
    return false;
  size_t next = 3;
  if (b.operandCount() > 3 + size_t(hasPolicy)) {
    const ptx::Operand &extra = b.operand(next);
    bool isPredicate =
        extra.kind == ptx::Operand::Kind::Register && b.function.registers[extra.reg].type == ptx::Type::Predicate;
    form.source = isPredicate ? CopyForm::Source::Ignorable : CopyForm::Source::Sized;
    if (isPredicate)
      form.ignore = b.predicateSource(next, form.ignoreNegated);
    else
      form.sourceSize = b.source(next, ptx::Type::B32);
    ++next;
  }
  if (hasPolicy)
    b.source(next, ptx::Type::B64);
  b.operation.run = runCopy;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

/// cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64 [addr];
static bool bindArrive(Binder &b) {
  MemoryForm form;
  if (!b.take("arrive"))
    return b.fail("expected '.arrive'");
  b.operation.data[0] = !b.take("noinc");
  form.space = takeAddressSpace(b, {"shared"});
  if (!takeElements(b, form) || form.type != ptx::Type::B64)
    return b.fail("expected .b64");
  if (!bindAddress(b, 0, form))
    return false;
  b.operation.run = runArrive;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

static bool bindCp(Binder &b) {
  if (b.has("bulk") || b.has("reduce"))
    return bindBulkCopy(b);
  if (!b.take("async"))
    return b.fail("expected '.async'");
  if (!b.require(80))
    return false;
  b.operation.kind = InstructionClass::AsyncCopy;
  if (b.take("mbarrier"))
    return bindArrive(b);
  if (b.take("commit_group")) {
    b.operation.run = runCommit;
    return b.finish();
  }
  if (b.take("wait_all")) {
    b.operation.run = runWaitAll;
    return b.finish();
  }
  if (b.take("wait_group")) {
    int64_t count = b.constant(0);
    if (count < 0)
      return b.fail("the number of groups must not be negative");
    b.operation.data[0] = static_cast<uint64_t>(count);
    b.operation.run = runWaitGroup;
    return b.finish();
  }
  return bindCopy(b);
}

void tilec::sim::addCopyInstructions(InstructionTable &table) { table["cp"] = bindCp; }

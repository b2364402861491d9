/// The mbarrier instructions (PTX ISA, "mbarrier").
///
/// test_wait answers at once; try_wait blocks the warp until the phase is complete, except that with a seed it may once
/// answer false, as the ISA allows.
#include "lib/Simulator/Execute/MbarrierObject.h"

#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

#include <algorithm>

namespace tilec::sim {

namespace {

enum class Form : uint8_t { Init, Invalidate, ExpectTx, CompleteTx, Arrive, TestWait, TryWait };

struct MbarrierDetail {
  Form form = Form::Init;
  AddressSpace space = AddressSpace::Generic;
  int64_t offset = 0;
  /// arrive, arrive_drop.
  bool expectTx = false, noComplete = false, drop = false, hasCount = false, hasState = false;
  /// Not .relaxed: arrivals release, waits acquire.
  bool strong = true;
  bool parity = false;
  Row address, second;
};

} // namespace

//===----------------------------------------------------------------------===//
// init, inval
//===----------------------------------------------------------------------===//

static void initialise(Execution &x, const Operation &op, unsigned lane, Place place, uint64_t count) {
  Block *owner = blockOfShared(x, place.region);
  if (owner != x.block) {
    x.stop(FindingKind::BarrierMisuse, op, lane, "an mbarrier must be initialised in the block's own shared memory");
    return;
  }
  MbarrierRecord &record = owner->mbarriers->at(place.offset);
  if (record.alive && record.bits == mbarrierContent(place))
    x.report(FindingKind::BarrierMisuse, op, lane,
             mbarrierName(*x.grid, *owner, place.offset, record) + " is initialised again while it is alive",
             {"mbarrier.inval must come before another mbarrier.init; one thread initialises"});
  if (count == 0 || count > MbarrierBits::countLimit) {
    x.stop(FindingKind::BarrierMisuse, op, lane,
           "the count of mbarrier.init must be from 1 to 1048575, found " + std::to_string(count));
    return;
  }
  recordAccess(x, op, lane, place, 8, AccessKind::Write, false);
  record = MbarrierRecord();
  record.alive = true;
  record.init = &op;
  MbarrierBits bits;
  bits.pending = bits.expected = static_cast<uint32_t>(count);
  MbarrierObject{owner, place, &record, bits}.store();
  if (place.region->undefined)
    place.region->undefined->setDefined(place.offset, 8);
}

static void invalidate(Execution &x, const Operation &op, unsigned lane, Place place) {
  MbarrierObject object = objectAt(x, op, lane, place);
  if (!object)
    return;
  recordAccess(x, op, lane, place, 8, AccessKind::Write, false);
  object.record->alive = false;
  object.record->invalidated = &op;
  object.record->waiters.clear();
  if (place.region->undefined)
    place.region->undefined->setUndefined(place.offset, 8);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static Place placeOf(Execution &x, const Operation &op, const MbarrierDetail &detail, unsigned lane, AccessKind kind) {
  uint64_t address = x.value(detail.address, lane) + static_cast<uint64_t>(detail.offset);
  if (detail.address.bytes == 4)
    address &= 0xffff'ffffu;
  return locate(x, op, lane, detail.space, address, 8, 8, kind);
}

static bool operandsDefined(Execution &x, const Operation &op, const MbarrierDetail &detail, LaneMask active,
                            bool hasSecond, const char *second) {
  if (!x.check)
    return true;
  return x.requireDefined(op, detail.address, active, "the address of an mbarrier") == active &&
         (!hasSecond || x.requireDefined(op, detail.second, active, second) == active);
}

static Outcome runChange(Execution &x, const Operation &op, LaneMask active) {
  const auto &detail = op.detailAs<MbarrierDetail>();
  bool hasSecond = detail.form != Form::Invalidate;
  if (!operandsDefined(x, op, detail, active, hasSecond, "the count of an mbarrier operation"))
    return Outcome::Next;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(active >> lane & 1))
      continue;
    uint64_t value = hasSecond ? x.value(detail.second, lane) : 0;
    bool plain = detail.form == Form::Init || detail.form == Form::Invalidate;
    Place place = placeOf(x, op, detail, lane, plain ? AccessKind::Write : AccessKind::Atomic);
    if (!place)
      return Outcome::Next;
    if (detail.form == Form::Init) {
      initialise(x, op, lane, place, value);
      continue;
    }
    if (detail.form == Form::Invalidate) {
      invalidate(x, op, lane, place);
      continue;
    }
    MbarrierObject object = objectAt(x, op, lane, place);
    if (!object)
      return Outcome::Next;
    recordAccess(x, op, lane, place, 8, AccessKind::Atomic, true);
    bool expects = detail.form == Form::ExpectTx;
    changeTransactions(x, op, lane, object, expects ? int64_t(value) : -int64_t(value));
    if (!expects)
      completeIfDone(x, object);
    object.store();
  }
  return Outcome::Next;
}

static Outcome runArrive(Execution &x, const Operation &op, LaneMask active) {
  const auto &detail = op.detailAs<MbarrierDetail>();
  bool hasSecond = detail.expectTx || detail.hasCount;
  if (!operandsDefined(x, op, detail, active, hasSecond, "the count of an mbarrier arrival"))
    return Outcome::Next;
  const MbarrierRecord *joined = nullptr;
  uint64_t joinedPhase = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(active >> lane & 1))
      continue;
    Place place = placeOf(x, op, detail, lane, AccessKind::Atomic);
    if (!place)
      return Outcome::Next;
    MbarrierObject object = objectAt(x, op, lane, place);
    if (!object)
      return Outcome::Next;
    recordAccess(x, op, lane, place, 8, AccessKind::Atomic, true);
    if (x.check && (joined != object.record || joinedPhase != object.record->phase)) {
      joined = object.record;
      joinedPhase = object.record->phase;
      if (detail.strong)
        object.record->collecting.join(x.warp->order);
      else if (x.warp->hasReleased)
        object.record->collecting.join(x.warp->released);
    }
    uint64_t state = object.record->bits;
    uint64_t value = hasSecond ? x.value(detail.second, lane) : 0;
    uint64_t count = detail.hasCount ? value : 1;
    if (count == 0 || count > MbarrierBits::countLimit) {
      x.stop(FindingKind::BarrierMisuse, op, lane,
             "the count of an mbarrier arrival must be from 1 to 1048575, found " + std::to_string(count));
      return Outcome::Next;
    }
    if (detail.expectTx)
      changeTransactions(x, op, lane, object, static_cast<int64_t>(value));
    if (detail.drop) {
      if (count > object.bits.expected)
        x.report(FindingKind::BarrierMisuse, op, lane,
                 "arrive_drop takes " + std::to_string(count) + " from the " + std::to_string(object.bits.expected) +
                     " expected arrivals of " + nameOf(x, object));
      object.bits.expected -= std::min<uint32_t>(static_cast<uint32_t>(count), object.bits.expected);
    }
    arriveOn(x, op, lane, object, static_cast<uint32_t>(count), detail.noComplete);
    object.store();
    if (detail.hasState)
      x.setValue(op.destination(), lane, state);
  }
  if (x.check) {
    if (detail.hasState)
      x.setDefined(op.destination(), active);
    if (detail.strong)
      x.advanceClock();
  }
  return Outcome::Next;
}

/// Whether the phase that a thread asks for is complete; reports a state that is too old to be asked for.
static bool phaseComplete(Execution &x, const Operation &op, unsigned lane, const MbarrierDetail &detail,
                          const MbarrierObject &object, uint64_t asked) {
  const MbarrierRecord &record = *object.record;
  if (detail.parity)
    return (record.phase & 1) != (asked & 1);
  unsigned behind = (object.bits.phase - MbarrierBits::unpack(asked).phase) & 7;
  if (behind > 1)
    x.report(FindingKind::BarrierMisuse, op, lane,
             "the state is of a phase " + std::to_string(behind) + " behind phase " + std::to_string(record.phase) +
                 " of " + nameOf(x, object),
             {"only the present and the preceding phase can be waited for"});
  return behind != 0;
}

static MbarrierRecord::Waiter *waiterOf(MbarrierRecord &record, const Execution &x, const Operation &op) {
  for (MbarrierRecord::Waiter &waiter : record.waiters)
    if (waiter.warp == x.warp && waiter.op == &op)
      return &waiter;
  return nullptr;
}

static void forgetWaiter(MbarrierRecord &record, const Execution &x, const Operation &op) {
  if (MbarrierRecord::Waiter *waiter = waiterOf(record, x, op)) {
    *waiter = record.waiters.back();
    record.waiters.pop_back();
  }
}

/// A parity whose phase was complete and gone before the waiting thread saw it: it would wait for the phase after next.
static bool overtaken(Execution &x, const Operation &op, unsigned lane, const MbarrierObject &object) {
  MbarrierRecord &record = *object.record;
  MbarrierRecord::Waiter *waiter = waiterOf(record, x, op);
  if (!waiter || waiter->refused || record.phase < waiter->phase + 2)
    return false;
  x.report(FindingKind::BarrierMisuse, op, lane,
           "the thread waits for phase " + std::to_string(waiter->phase) + " of " + nameOf(x, object) +
               ", which is already in phase " + std::to_string(record.phase),
           {"two phases were completed while it waited: whoever completes the next phase must wait until all threads "
            "have seen the one before"});
  return true;
}

/// What to do about lanes of a try_wait that find their phase not complete: wait, or (as the ISA allows at any time,
/// and a seed makes happen once) be told so.
static bool mayRefuse(Execution &x, const Operation &op, MbarrierRecord &record) {
  MbarrierRecord::Waiter *waiter = waiterOf(record, x, op);
  if (!waiter) {
    bool refused = x.grid->options.seed != 0 && x.cluster->random() % 4 == 0;
    record.waiters.push_back({x.warp, &op, record.phase, refused});
    return refused;
  }
  if (waiter->refused) {
    waiter->refused = false;
    waiter->phase = record.phase;
  }
  return false;
}

static Outcome runWait(Execution &x, const Operation &op, LaneMask active) {
  const auto &detail = op.detailAs<MbarrierDetail>();
  bool blocks = detail.form == Form::TryWait;
  if (!operandsDefined(x, op, detail, active, true, detail.parity ? "the parity of a wait" : "the state of a wait"))
    return Outcome::Next;
  if (blocks && active != x.split->lanes)
    return x.branch(op, active, op.index);

  LaneMask complete = 0;
  MbarrierObject pendingObject;
  std::vector<MbarrierRecord *> seen;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(active >> lane & 1))
      continue;
    Place place = placeOf(x, op, detail, lane, AccessKind::Read);
    if (!place)
      return Outcome::Next;
    MbarrierObject object = objectAt(x, op, lane, place);
    if (!object)
      return Outcome::Next;
    bool done = phaseComplete(x, op, lane, detail, object, x.value(detail.second, lane));
    if (!done && blocks && overtaken(x, op, lane, object))
      done = true;
    if (!done) {
      pendingObject = object;
      continue;
    }
    complete |= LaneMask(1) << lane;
    if (std::find(seen.begin(), seen.end(), object.record) == seen.end())
      seen.push_back(object.record);
  }
  if (blocks && !complete && !mayRefuse(x, op, *pendingObject.record))
    return x.waitFor(op, "mbarrier");

  for (MbarrierRecord *record : seen) {
    if (blocks)
      forgetWaiter(*record, x, op);
    if (x.check)
      (detail.strong ? x.warp->order : x.warp->toAcquire).join(record->complete);
  }
  // Recorded once it is let through: whoever ends the object's life must come after.
  if (x.check)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (active >> lane & 1)
        recordAccess(x, op, lane, placeOf(x, op, detail, lane, AccessKind::Read), 8, AccessKind::Read, true);
  if (complete != active)
    x.poll();
  LaneMask &result = x.predicate(op.destination());
  result = (result & ~active) | complete;
  if (x.check)
    x.setDefined(op.destination(), active);
  return Outcome::Next;
}

static Outcome runPendingCount(Execution &x, const Operation &op, LaneMask active) {
  forLanes(active, [&](unsigned lane) {
    x.setValue(op.destination(), lane, MbarrierBits::unpack(x.value(op.source(), lane)).pending);
  });
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

/// Semantics (.relaxed, or the instruction's other one), scope, space, .b64.
static bool takeCommon(Binder &b, MbarrierDetail &detail, std::string_view strongName) {
  if (b.take("relaxed"))
    detail.strong = false;
  else
    b.take(strongName);
  b.takeOneOf({"cta", "cluster"});
  int space = b.takeOneOf({"shared::cluster", "shared::cta", "shared"});
  detail.space = space < 0    ? AddressSpace::Generic
                 : space == 0 ? AddressSpace::SharedCluster
                              : AddressSpace::SharedBlock;
  return b.take("b64") || b.fail("expected .b64");
}

static bool finishWith(Binder &b, const MbarrierDetail &detail, Handler run) {
  b.operation.detail = b.builder().program().keep(detail);
  b.operation.run = run;
  b.operation.kind = InstructionClass::Barrier;
  return b.finish();
}

static void takeAddress(Binder &b, MbarrierDetail &detail, size_t operand) {
  AddressOperand address = b.address(operand);
  detail.address = address.base;
  detail.offset = address.offset;
}

static bool bindChange(Binder &b, Form form) {
  MbarrierDetail detail;
  detail.form = form;
  bool transactions = form == Form::ExpectTx || form == Form::CompleteTx;
  if (transactions)
    b.require(90);
  if (!takeCommon(b, detail, "relaxed"))
    return false;
  if (!transactions && detail.space == AddressSpace::SharedCluster)
    return b.fail("must be in .shared::cta");
  takeAddress(b, detail, 0);
  if (form != Form::Invalidate)
    detail.second = b.source(1, ptx::Type::U32);
  return finishWith(b, detail, runChange);
}

static bool bindArrive(Binder &b, bool drop) {
  MbarrierDetail detail;
  detail.form = Form::Arrive;
  detail.drop = drop;
  detail.expectTx = b.take("expect_tx");
  detail.noComplete = b.take("noComplete");
  if (detail.expectTx)
    b.require(90);
  if (!takeCommon(b, detail, "release"))
    return false;
  size_t next = 0;
  if (b.operandCount() > 0 && b.operand(0).kind != ptx::Operand::Kind::Address) {
    detail.hasState = !b.isSink(0);
    if (detail.hasState && detail.space == AddressSpace::SharedCluster)
      return b.fail("arriving in .shared::cluster returns no state: expected '_'");
    if (detail.hasState)
      b.destination(0, ptx::Type::B64);
    next = 1;
  }
  takeAddress(b, detail, next++);
  if (detail.expectTx || detail.noComplete || b.operandCount() > next) {
    detail.hasCount = !detail.expectTx;
    detail.second = b.source(next, ptx::Type::U32);
  }
  return finishWith(b, detail, runArrive);
}

static bool bindWait(Binder &b, Form form) {
  MbarrierDetail detail;
  detail.form = form;
  detail.parity = b.take("parity");
  if (form == Form::TryWait)
    b.require(90);
  if (!takeCommon(b, detail, "acquire"))
    return false;
  if (detail.space == AddressSpace::SharedCluster)
    return b.fail("must be in .shared::cta");
  b.destination(0, ptx::Type::Predicate);
  takeAddress(b, detail, 1);
  detail.second = b.source(2, detail.parity ? ptx::Type::U32 : ptx::Type::B64);
  // How long a thread may be suspended: any time will do.
  if (form == Form::TryWait && b.operandCount() > 3)
    b.source(3, ptx::Type::U32);
  return finishWith(b, detail, runWait);
}

static bool bindPendingCount(Binder &b) {
  if (!b.take("b64"))
    return b.fail("expected .b64");
  b.destination(0, ptx::Type::U32);
  b.source(1, ptx::Type::B64);
  b.operation.propagate = propagateAll;
  b.operation.run = runPendingCount;
  b.operation.kind = InstructionClass::Barrier;
  return b.finish();
}

static bool bindMbarrier(Binder &b) {
  b.require(80);
  // arrive comes first: it may have .expect_tx as well.
  switch (b.takeOneOf({"arrive", "arrive_drop", "init", "inval", "expect_tx", "complete_tx", "test_wait", "try_wait",
                       "pending_count"})) {
  case 0:
    return bindArrive(b, false);
  case 1:
    return bindArrive(b, true);
  case 2:
    return bindChange(b, Form::Init);
  case 3:
    return bindChange(b, Form::Invalidate);
  case 4:
    return bindChange(b, Form::ExpectTx);
  case 5:
    return bindChange(b, Form::CompleteTx);
  case 6:
    return bindWait(b, Form::TestWait);
  case 7:
    return bindWait(b, Form::TryWait);
  case 8:
    return bindPendingCount(b);
  default:
    return b.fail("this mbarrier operation is not known");
  }
}

void addMbarrierInstructions(InstructionTable &table) { table["mbarrier"] = bindMbarrier; }

} // namespace tilec::sim

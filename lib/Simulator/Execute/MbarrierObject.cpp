/// What happens to an mbarrier object, whoever does it.
///
/// An operation unpacks the object's 64 bits, changes them, and completes the phase when neither arrivals nor
/// transactions are pending. A phase's completion passes on the order that its arrivals brought, and the clock of the
/// object's chain, under which asynchronous writes are stamped.
#include "lib/Simulator/Execute/MbarrierObject.h"

#include <algorithm>

namespace tilec::sim {

uint64_t mbarrierContent(Place place) {
  uint64_t bits;
  std::memcpy(&bits, place.bytes(), sizeof bits);
  return bits;
}

/// The object at a place; reports, and ends the run, where there is none to be used.
MbarrierObject objectAt(Execution &x, const Operation &op, unsigned lane, Place place) {
  MbarrierObject object;
  object.owner = blockOfShared(x, place.region);
  object.place = place;
  if (!object.owner) {
    x.stop(FindingKind::BarrierMisuse, op, lane, "an mbarrier must lie in shared memory, found " + place.region->name);
    return {};
  }
  MbarrierRecord &record = object.owner->mbarriers->at(place.offset);
  std::string fault;
  std::vector<std::string> notes;
  if (!record.alive && record.invalidated) {
    fault = "was invalidated at " + x.grid->program->lineText(*record.invalidated);
    notes = {"initialise it again before it is used"};
  } else if (!record.alive) {
    fault = "has not been initialised";
    notes = {"one thread must execute mbarrier.init, and a barrier must order it before every use"};
  } else if (mbarrierContent(place) != record.bits) {
    fault = "was overwritten";
    notes = {"its 8 bytes were written by something else than mbarrier instructions"};
  }
  if (!fault.empty()) {
    x.stop(FindingKind::BarrierMisuse, op, lane,
           mbarrierName(*x.grid, *object.owner, place.offset, record) + " " + fault, std::move(notes));
    return {};
  }
  object.record = &record;
  object.bits = MbarrierBits::unpack(record.bits);
  return object;
}

std::string nameOf(const Execution &x, const MbarrierObject &object) {
  return mbarrierName(*x.grid, *object.owner, object.place.offset, *object.record);
}

void completeIfDone(Execution &x, MbarrierObject &object) {
  if (object.bits.pending != 0 || object.bits.transactions != 0)
    return;
  MbarrierRecord &record = *object.record;
  record.complete = std::move(record.collecting);
  record.collecting = Order();
  if (record.chain != noAgent)
    record.complete.seen.reach(record.chain, static_cast<uint32_t>(record.phase) + 1);
  record.arrivals.clear();
  ++record.phase;
  object.bits.phase = record.phase & 7;
  object.bits.pending = object.bits.expected;
  x.event();
}

void changeTransactions(Execution &x, const Operation &op, unsigned lane, MbarrierObject &object, int64_t bytes) {
  int64_t now = object.bits.transactions + bytes;
  constexpr int64_t limit = MbarrierBits::countLimit;
  if (now > limit || now < -limit) {
    x.report(FindingKind::BarrierMisuse, op, lane,
             "the transaction count of " + nameOf(x, object) + " would be " + std::to_string(now) +
                 ", outside of -1048575 to 1048575",
             {"a phase can count at most 2^20 - 1 bytes"});
    now = std::clamp(now, -limit, limit);
  }
  object.bits.transactions = now;
}

static void noteArrival(const Execution &x, const Operation &op, MbarrierRecord &record, uint32_t count) {
  for (MbarrierRecord::Arrived &known : record.arrivals)
    if (known.warp == x.warp && known.op == &op) {
      known.count += count;
      return;
    }
  record.arrivals.push_back({x.warp, &op, count});
}

/// The pending count goes down by `count`; reports more arrivals than are pending.
void arriveOn(Execution &x, const Operation &op, unsigned lane, MbarrierObject &object, uint32_t count,
              bool noComplete) {
  MbarrierRecord &record = *object.record;
  std::string name = count > object.bits.pending || noComplete ? nameOf(x, object) : std::string();
  if (count > object.bits.pending) {
    std::vector<std::string> notes;
    for (const MbarrierRecord::Arrived &arrived : record.arrivals)
      notes.push_back(std::to_string(arrived.count) + " arrivals in this phase by warp " +
                      std::to_string(arrived.warp->index) + " of block " + std::to_string(arrived.warp->block->rank) +
                      " in the cluster at " + x.grid->program->lineText(*arrived.op));
    notes.push_back("the count of mbarrier.init must be the arrivals of one phase");
    x.report(FindingKind::BarrierMisuse, op, lane,
             "too many arrivals at " + name + ": " + std::to_string(count) + " in phase " +
                 std::to_string(record.phase) + ", where " + std::to_string(object.bits.pending) + " of " +
                 std::to_string(object.bits.expected) + " are pending",
             std::move(notes));
    count = object.bits.pending;
  }
  noteArrival(x, op, record, count);
  object.bits.pending -= count;
  if (noComplete && object.bits.pending == 0 && object.bits.transactions == 0)
    x.report(FindingKind::BarrierMisuse, op, lane,
             "an arrival with .noComplete completes phase " + std::to_string(record.phase) + " of " + name);
  completeIfDone(x, object);
}

Stamp mbarrierChain(Execution &x, Place place) {
  Block *owner = blockOfShared(x, place.region);
  if (!owner)
    return {};
  MbarrierRecord &record = owner->mbarriers->at(place.offset);
  if (record.chain == noAgent)
    record.chain = owner->newAgent();
  return {record.chain, static_cast<uint32_t>(record.phase) + 1};
}

/// The lane that a report about a unit's operation names.
constexpr unsigned asyncLane = 0;

void completeTransaction(Execution &x, const Operation &op, Place place, uint32_t bytes, const Order *released) {
  MbarrierObject object = objectAt(x, op, asyncLane, place);
  if (!object)
    return;
  if (released && x.check)
    object.record->collecting.join(*released);
  changeTransactions(x, op, asyncLane, object, -int64_t(bytes));
  completeIfDone(x, object);
  object.store();
}

void asyncArriveExpected(Execution &x, const Operation &op, unsigned lane, Place place) {
  MbarrierObject object = objectAt(x, op, lane, place);
  if (!object)
    return;
  if (object.bits.pending == MbarrierBits::countLimit) {
    x.report(FindingKind::BarrierMisuse, op, lane,
             "the pending count of " + nameOf(x, object) + " would be over 1048575");
    return;
  }
  ++object.bits.pending;
  object.store();
}

void asyncArrive(Execution &x, const Operation &op, unsigned lane, Place place, const Order *released) {
  MbarrierObject object = objectAt(x, op, lane, place);
  if (!object)
    return;
  if (released && x.check)
    object.record->collecting.join(*released);
  arriveOn(x, op, lane, object, 1, false);
  object.store();
}

} // namespace tilec::sim

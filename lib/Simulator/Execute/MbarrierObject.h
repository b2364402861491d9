/// Operations on mbarrier objects that the mbarrier instructions and asynchronous units share.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MBARRIEROBJECT_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MBARRIEROBJECT_H

#include "lib/Simulator/Core/Mbarriers.h"
#include "lib/Simulator/Execute/Mbarrier.h"

namespace tilec::sim {

/// An object in use: the block that it lies in, its place, its record and content.
struct MbarrierObject {
  Block *owner = nullptr;
  Place place;
  MbarrierRecord *record = nullptr;
  MbarrierBits bits;

  explicit operator bool() const { return record != nullptr; }
  /// Writes the content back.
  void store() const {
    record->bits = bits.pack();
    std::memcpy(place.bytes(), &record->bits, sizeof record->bits);
  }
};

/// The object at a place; empty, with a finding that ends the run, where there is none to be used.
MbarrierObject objectAt(Execution &x, const Operation &op, unsigned lane, Place place);
/// The 64 bits in memory.
uint64_t mbarrierContent(Place place);
/// "mbarrier at shared address …".
std::string nameOf(const Execution &x, const MbarrierObject &object);

/// Adds to the transaction count (negative: bytes that are done); reports a count out of range.
void changeTransactions(Execution &x, const Operation &op, unsigned lane, MbarrierObject &object, int64_t bytes);
/// Arrive-on: the pending count goes down by `count`, and the phase may complete. Reports more arrivals than are
/// pending, and a completion under `.noComplete`.
void arriveOn(Execution &x, const Operation &op, unsigned lane, MbarrierObject &object, uint32_t count,
              bool noComplete = false);
/// Ends the phase if nothing is pending.
void completeIfDone(Execution &x, MbarrierObject &object);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MBARRIEROBJECT_H

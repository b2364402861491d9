/// Undefined bits of registers. A row's flag says whether the shadow need be looked at: rows that were written with
/// defined values by all lanes, which is nearly all of them, cost one byte's test.
#include "lib/Simulator/Core/Execution.h"

using namespace tilec;
using namespace tilec::sim;

uint64_t Execution::undefinedBits(Row r, unsigned lane) const {
  if (!rowMayBeUndefined(r))
    return 0;
  switch (r.bytes) {
  case 0:
    return (*undefinedRow<LaneMask>(r) >> lane) & 1;
  case 1:
    return undefinedRow<uint8_t>(r)[lane];
  case 2:
    return undefinedRow<uint16_t>(r)[lane];
  case 4:
    return undefinedRow<uint32_t>(r)[lane];
  case 8:
    return undefinedRow<uint64_t>(r)[lane];
  default:
    return undefinedRow<uint64_t>(r)[2 * lane] | undefinedRow<uint64_t>(r)[2 * lane + 1];
  }
}

void Execution::setUndefinedBits(Row r, unsigned lane, uint64_t bits) const {
  if (bits == 0 && !rowMayBeUndefined(r))
    return;
  // A row whose flag was clear has a shadow of any content.
  if (!rowMayBeUndefined(r)) {
    std::memset(undefined + r.offset, 0, r.bytes ? r.bytes * warpSize : sizeof(LaneMask));
    noteUndefined(r);
  }
  switch (r.bytes) {
  case 0: {
    LaneMask &mask = *undefinedRow<LaneMask>(r);
    mask = (mask & ~(1u << lane)) | (static_cast<LaneMask>(bits & 1) << lane);
    break;
  }
  case 1:
    undefinedRow<uint8_t>(r)[lane] = static_cast<uint8_t>(bits);
    break;
  case 2:
    undefinedRow<uint16_t>(r)[lane] = static_cast<uint16_t>(bits);
    break;
  case 4:
    undefinedRow<uint32_t>(r)[lane] = static_cast<uint32_t>(bits);
    break;
  case 8:
    undefinedRow<uint64_t>(r)[lane] = bits;
    break;
  default:
    undefinedRow<uint64_t>(r)[2 * lane] = undefinedRow<uint64_t>(r)[2 * lane + 1] = bits;
    break;
  }
}

LaneMask Execution::undefinedLanes(Row r, LaneMask lanes) const {
  if (!rowMayBeUndefined(r))
    return 0;
  if (r.isPredicate())
    return *undefinedRow<LaneMask>(r) & lanes;
  LaneMask result = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (undefinedBits(r, lane) != 0)
      result |= 1u << lane;
  return result & lanes;
}

void Execution::setDefined(Row r, LaneMask lanes) const {
  if (!rowMayBeUndefined(r))
    return;
  // The flag may go when no lane is left undefined; lanes that do not exist count as defined.
  if ((lanes & warp->existing) == warp->existing) {
    mayBeUndefined[r.offset / rowAlignment] = 0;
    return;
  }
  if (r.isPredicate()) {
    *undefinedRow<LaneMask>(r) &= ~lanes;
    return;
  }
  forLanes(lanes, [&](unsigned lane) { setUndefinedBits(r, lane, 0); });
}

void Execution::setUndefined(Row r, LaneMask lanes) const {
  forLanes(lanes, [&](unsigned lane) { setUndefinedBits(r, lane, ~uint64_t(0)); });
}

LaneMask Execution::requireDefined(const Operation &op, Row r, LaneMask lanes, const char *what) {
  if (!check)
    return lanes;
  LaneMask bad = undefinedLanes(r, lanes);
  if (!bad)
    return lanes;
  report(FindingKind::Undefined, op, firstLane(bad), std::string(what) + " depends on undefined bits",
         {"they come from a register, shared memory or global memory that was never written"});
  return lanes & ~bad;
}

//===----------------------------------------------------------------------===//
// Propagators
//===----------------------------------------------------------------------===//

/// Destinations' bits from the sources' by `combine(union of the sources' bits, bits of the destination)`.
template <typename Combine> static void propagate(Execution &x, const Operation &op, LaneMask active, Combine combine) {
  bool anySource = false;
  for (unsigned i = 0; i < op.sources; ++i)
    anySource |= x.rowMayBeUndefined(op.source(i));
  if (!anySource) {
    for (unsigned i = 0; i < op.destinations; ++i)
      x.setDefined(op.destination(i), active);
    return;
  }
  forLanes(active, [&](unsigned lane) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < op.sources; ++i)
      bits |= x.undefinedBits(op.source(i), lane);
    for (unsigned i = 0; i < op.destinations; ++i)
      x.setUndefinedBits(op.destination(i), lane, combine(bits));
  });
}

void sim::propagateAll(Execution &x, const Operation &op, LaneMask active) {
  propagate(x, op, active, [](uint64_t bits) { return bits ? ~uint64_t(0) : 0; });
}

void sim::propagateBitwise(Execution &x, const Operation &op, LaneMask active) {
  propagate(x, op, active, [](uint64_t bits) { return bits; });
}

void sim::propagateUpwards(Execution &x, const Operation &op, LaneMask active) {
  // All bits from the lowest set one: bits | -bits.
  propagate(x, op, active, [](uint64_t bits) { return bits | (~bits + 1); });
}

void sim::propagateDefined(Execution &x, const Operation &op, LaneMask active) {
  for (unsigned i = 0; i < op.destinations; ++i)
    x.setDefined(op.destination(i), active);
}

/// Sums of what a run counted, and the two costs of a request that depend on its addresses: passes of shared memory and
/// sectors of global memory. Both have a short way for addresses in order, which nearly all requests are.
#include "lib/Simulator/Core/Counters.h"

#include <algorithm>

using namespace tilec::sim;

const char *tilec::sim::instructionClassName(InstructionClass kind) {
  switch (kind) {
  case InstructionClass::Integer:
    return "integer";
  case InstructionClass::Logic:
    return "logic";
  case InstructionClass::Float:
    return "float";
  case InstructionClass::Double:
    return "double";
  case InstructionClass::Half:
    return "half";
  case InstructionClass::Conversion:
    return "conversion";
  case InstructionClass::Move:
    return "move";
  case InstructionClass::Predicate:
    return "predicate";
  case InstructionClass::Control:
    return "control";
  case InstructionClass::Load:
    return "load";
  case InstructionClass::Store:
    return "store";
  case InstructionClass::Atomic:
    return "atomic";
  case InstructionClass::Warp:
    return "warp";
  case InstructionClass::Barrier:
    return "barrier";
  case InstructionClass::Fence:
    return "fence";
  case InstructionClass::AsyncCopy:
    return "async copy";
  case InstructionClass::BulkCopy:
    return "bulk copy";
  case InstructionClass::MatrixLoad:
    return "matrix load";
  case InstructionClass::MatrixStore:
    return "matrix store";
  case InstructionClass::MatrixProduct:
    return "matrix product";
  case InstructionClass::Other:
    return "other";
  }
  return "other";
}

void AccessCounters::add(const AccessCounters &other) {
  requests += other.requests;
  bytes += other.bytes;
  sectors += other.sectors;
  wavefronts += other.wavefronts;
  minimumWavefronts += other.minimumWavefronts;
}

static uint64_t sum(const std::array<uint64_t, instructionClasses> &counts) {
  uint64_t all = 0;
  for (uint64_t count : counts)
    all += count;
  return all;
}
uint64_t Counters::allWarpInstructions() const { return sum(warpInstructions); }
uint64_t Counters::allThreadInstructions() const { return sum(threadInstructions); }

void Counters::add(const Counters &other) {
  for (size_t i = 0; i < instructionClasses; ++i) {
    warpInstructions[i] += other.warpInstructions[i];
    threadInstructions[i] += other.threadInstructions[i];
  }
  if (accesses.size() < other.accesses.size())
    accesses.resize(other.accesses.size());
  for (size_t i = 0; i < other.accesses.size(); ++i)
    accesses[i].add(other.accesses[i]);
  globalLoads.add(other.globalLoads);
  globalStores.add(other.globalStores);
  sharedLoads.add(other.sharedLoads);
  sharedStores.add(other.sharedStores);
  matrixMultiplyAdds += other.matrixMultiplyAdds;
}

/// Whether no two lanes touch one bank; mostly so. `size`: a power of two, to which the addresses are aligned.
static bool banksDiffer(const uint64_t *addresses, uint32_t lanes, unsigned size) {
  unsigned shift = static_cast<unsigned>(__builtin_ctz(size)), places = 128 >> shift;
  uint32_t seen = 0;
  uint64_t misaligned = 0;
  for (; lanes; lanes &= lanes - 1) {
    uint64_t address = addresses[__builtin_ctz(lanes)];
    uint32_t place = 1u << ((address >> shift) % places);
    misaligned |= address & (size - 1);
    if (seen & place)
      return false;
    seen |= place;
  }
  return misaligned == 0;
}

/// Passes of the words that lanes of one group touch: the most distinct words of any bank.
static unsigned passes(const uint64_t *addresses, uint32_t lanes, unsigned bytesPerLane) {
  if ((bytesPerLane == 4 || bytesPerLane == 8 || bytesPerLane == 16) && banksDiffer(addresses, lanes, bytesPerLane))
    return 1;
  uint64_t words[32][32];
  unsigned counts[32] = {};
  unsigned most = 0;
  while (lanes) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
    lanes &= lanes - 1;
    uint64_t last = (addresses[lane] + bytesPerLane - 1) / 4;
    for (uint64_t word = addresses[lane] / 4; word <= last; ++word) {
      unsigned bank = static_cast<unsigned>(word % 32);
      uint64_t *end = words[bank] + counts[bank];
      if (std::find(words[bank], end, word) != end)
        continue;
      *end = word;
      most = std::max(most, ++counts[bank]);
    }
  }
  return most;
}

unsigned tilec::sim::sharedWavefronts(const uint64_t addresses[32], uint32_t lanes, unsigned bytesPerLane) {
  unsigned group = bytesPerLane <= 4 ? 32 : bytesPerLane <= 8 ? 16 : 8;
  unsigned all = 0;
  for (unsigned first = 0; first < 32; first += group) {
    uint32_t mask = lanes & (group == 32 ? ~0u : ((1u << group) - 1) << first);
    if (mask)
      all += passes(addresses, mask, bytesPerLane);
  }
  return all;
}

unsigned tilec::sim::globalSectors(const uint64_t addresses[32], uint32_t lanes, unsigned bytesPerLane) {
  uint64_t seen[64];
  unsigned count = 0;
  uint64_t newest = ~uint64_t(0);
  bool ascending = true;
  auto visit = [&](uint64_t sector) {
    if (sector == newest)
      return;
    // As long as sectors ascend, only the newest can come again.
    if (count && sector < newest)
      ascending = false;
    if (!ascending && std::find(seen, seen + count, sector) != seen + count)
      return;
    seen[count++] = sector;
    if (ascending)
      newest = sector;
  };
  while (lanes) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
    lanes &= lanes - 1;
    uint64_t first = addresses[lane] / 32, last = (addresses[lane] + bytesPerLane - 1) / 32;
    visit(first);
    if (last != first)
      visit(last);
  }
  return count;
}

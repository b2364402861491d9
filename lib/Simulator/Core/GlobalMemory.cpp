/// Global memory of the simulated device. Addresses only ever grow, so that one that was freed is never another
/// allocation's and can be named in a message; around each allocation lies free space.
#include "lib/Simulator/Core/Memory.h"
#include "lib/Simulator/Core/Races.h"

#include <cstdlib>

using namespace tilec::sim;

static constexpr uint64_t allocationAlignment = 256;
/// All allocations together. More than any device has, and little enough for the shadows' tables.
static constexpr uint64_t mostBytes = uint64_t(1) << 38;

Region::Region() = default;
Region::~Region() = default;

GlobalMemory::GlobalMemory() = default;

GlobalMemory::~GlobalMemory() {
  for (auto &[address, region] : regions)
    std::free(region->bytes);
}

uint64_t GlobalMemory::allocate(uint64_t bytes, std::string name) {
  // calloc: large allocations take host memory only where they are touched.
  auto *memory =
      bytes == 0 || bytes > mostBytes - allocated ? nullptr : static_cast<std::byte *>(std::calloc(bytes, 1));
  if (!memory)
    return 0;
  auto region = std::make_unique<Region>();
  region->space = ptx::Space::Global;
  region->base = next;
  region->size = bytes;
  region->bytes = memory;
  region->name = std::move(name);
  if (tracking) {
    region->undefined = std::make_unique<UndefinedBits>(bytes, true);
    region->races = std::make_unique<RaceShadow>(bytes);
  }
  allocated += bytes;
  uint64_t address = next;
  next += (bytes + allocationAlignment - 1) / allocationAlignment * allocationAlignment + allocationGap;
  regions.emplace(address, std::move(region));
  return address;
}

bool GlobalMemory::free(uint64_t address) {
  auto found = regions.find(address);
  if (found == regions.end())
    return false;
  allocated -= found->second->size;
  freed.emplace(address, found->second->size);
  std::free(found->second->bytes);
  regions.erase(found);
  return true;
}

Region *GlobalMemory::nearest(uint64_t address) const {
  auto above = regions.upper_bound(address);
  return above == regions.begin() ? nullptr : std::prev(above)->second.get();
}

Region *GlobalMemory::find(uint64_t address) const {
  Region *below = nearest(address);
  return below && address - below->base < below->size ? below : nullptr;
}

bool GlobalMemory::wasFreed(uint64_t address) const {
  auto above = freed.upper_bound(address);
  if (above == freed.begin())
    return false;
  auto below = std::prev(above);
  return address - below->first < below->second;
}

void GlobalMemory::forgetAccesses() {
  for (auto &[address, region] : regions)
    if (region->races)
      region->races->clear();
}

/// From an address to the memory behind it. An address that fits nothing is a finding that says what was accessed and
/// what lies nearest; only the fault's path builds text.
#include "lib/Simulator/Core/Execution.h"

#include <cinttypes>
#include <cstdio>

using namespace tilec;
using namespace tilec::sim;

const char *tilec::sim::addressSpaceName(AddressSpace space) {
  switch (space) {
  case AddressSpace::Generic:
    return "generic";
  case AddressSpace::Constant:
    return "const";
  case AddressSpace::Global:
    return "global";
  case AddressSpace::Local:
    return "local";
  case AddressSpace::Parameter:
    return "param";
  case AddressSpace::SharedBlock:
    return "shared";
  case AddressSpace::SharedCluster:
    return "shared::cluster";
  }
  return "generic";
}

namespace {
/// One access that is being looked up.
struct Access {
  Execution &x;
  const Operation &op;
  unsigned lane;
  AddressSpace space;
  uint64_t address;
  unsigned bytes, alignment;
  AccessKind kind;

  /// "write of 4 bytes at shared address 0x410".
  std::string text() const {
    char buffer[96];
    const char *verb = kind == AccessKind::Read ? "read" : kind == AccessKind::Write ? "write" : "atomic access";
    std::snprintf(buffer, sizeof buffer, "%s of %u byte%s at %s address 0x%" PRIx64, verb, bytes, bytes == 1 ? "" : "s",
                  addressSpaceName(space), address);
    return buffer;
  }

  /// Reports. Without checks there is nothing sensible to go on with: the host's memory must not be touched.
  Place fault(FindingKind kind, std::string message, std::vector<std::string> notes = {}) const {
    if (x.check)
      x.report(kind, op, lane, std::move(message), std::move(notes));
    else
      x.stop(kind, op, lane, std::move(message), std::move(notes));
    return {};
  }
};
} // namespace

/// The region's name in quotes, unless it has some of its own ("variable 'table'").
static std::string nameOf(const Region &region) {
  if (region.name.empty())
    return "memory";
  return region.name.find('\'') == std::string::npos ? "'" + region.name + "'" : region.name;
}

/// "16 bytes past the end of 'a'" and the like; `address` in the terms of the region's base.
static std::string distanceText(const Region &region, uint64_t address, unsigned bytes) {
  std::string name = nameOf(region);
  uint64_t end = region.base + region.size;
  auto count = [](uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); };
  if (address < region.base)
    return count(region.base - address) + " before the start of " + name;
  if (address >= end)
    return address == end ? "just past the end of " + name : count(address - end) + " past the end of " + name;
  return "its last " + count(address + bytes - end) + " past the end of " + name;
}

/// Checks an address, in the terms of the region's base, against a region that was chosen.
static Place placeIn(const Access &access, Region &region, uint64_t address) {
  uint64_t offset = address - region.base;
  if (offset >= region.size || region.size - offset < access.bytes)
    return access.fault(FindingKind::OutOfBounds, access.text() + ", " + distanceText(region, address, access.bytes) +
                                                      (region.name.find("bytes") == std::string::npos
                                                           ? " (" + std::to_string(region.size) + " bytes)"
                                                           : std::string()));
  if (access.alignment > 1 && address % access.alignment != 0)
    return access.fault(FindingKind::Misaligned,
                        access.text() + ", which must be a multiple of " + std::to_string(access.alignment));
  if (region.readOnly && access.kind != AccessKind::Read)
    return access.fault(FindingKind::OutOfBounds, access.text() + ", in " + nameOf(region) + ", which is read-only");
  return {&region, offset};
}

static Place placeInGlobal(const Access &access) {
  Execution &x = access.x;
  Region *&recent = x.recentGlobal[access.op.index % std::size(x.recentGlobal)];
  Region *region = recent;
  if (!region || access.address - region->base >= region->size) {
    region = x.grid->memory->find(access.address);
    if (region)
      recent = region;
  }
  if (region) {
    if ((access.space == AddressSpace::Constant) != (region->space == ptx::Space::Constant) &&
        access.space != AddressSpace::Generic)
      return access.fault(FindingKind::OutOfBounds, access.text() + ", in " + nameOf(*region) + ", which lies in " +
                                                        ptx::spaceName(region->space) + " memory");
    return placeIn(access, *region, access.address);
  }

  constexpr uint64_t nullPage = 4096;
  if (access.address < nullPage)
    return access.fault(FindingKind::OutOfBounds,
                        access.text() + ", a null pointer" +
                            (access.address ? " plus " + std::to_string(access.address) : std::string()));
  if (x.grid->memory->wasFreed(access.address))
    return access.fault(FindingKind::OutOfBounds, access.text() + ", in an allocation that was freed before");
  // The nearer of the neighbours, if it is near enough for the access to have been meant for it.
  constexpr uint64_t far = uint64_t(1) << 36;
  Region *below = x.grid->memory->nearest(access.address);
  Region *above = x.grid->memory->nearest(access.address + allocationGap);
  uint64_t past = below ? access.address - (below->base + below->size) : far;
  if (above && above->base > access.address && above->base - access.address < past)
    return access.fault(FindingKind::OutOfBounds,
                        access.text() + ", " + distanceText(*above, access.address, access.bytes));
  if (past < far)
    return access.fault(FindingKind::OutOfBounds,
                        access.text() + ", " + distanceText(*below, access.address, access.bytes));
  return access.fault(FindingKind::OutOfBounds, access.text() + ", which belongs to no allocation");
}

/// `address` is a 32-bit one of the shared window.
static Place placeInShared(const Access &access, uint32_t address, bool ofCluster) {
  Block *block = access.x.block;
  unsigned selector = address >> 24;
  if (selector != 0) {
    unsigned rank = selector - 1;
    const auto &blocks = access.x.cluster->blocks;
    if (rank >= blocks.size())
      return access.fault(FindingKind::OutOfBounds, access.text() + ", in block " + std::to_string(rank) +
                                                        " of a cluster of " + std::to_string(blocks.size()));
    if (!ofCluster && rank != block->rank)
      return access.fault(FindingKind::OutOfBounds,
                          access.text() + ", in block " + std::to_string(rank) + " of the cluster",
                          {"the instruction names shared::cta; shared::cluster reaches other blocks"});
    block = blocks[rank].get();
  }
  return placeIn(access, block->shared, address & 0xffffff);
}

static Place placeInLocal(const Access &access, uint64_t address) {
  const auto &local = access.x.warp->local;
  if (access.lane >= local.size() || !local[access.lane])
    return access.fault(FindingKind::OutOfBounds, access.text() + ", of a kernel that has no local memory");
  return placeIn(access, *local[access.lane], address);
}

static bool in(uint64_t address, uint64_t window) { return address >> 32 == window >> 32; }

Place tilec::sim::locate(Execution &x, const Operation &op, unsigned lane, AddressSpace space, uint64_t address,
                         unsigned bytes, unsigned alignment, AccessKind kind) {
  Access access{x, op, lane, space, address, bytes, alignment, kind};
  uint32_t low = static_cast<uint32_t>(address);
  switch (space) {
  case AddressSpace::Generic:
    if (in(address, sharedWindow))
      return placeInShared(access, low, true);
    if (in(address, localWindow))
      return placeInLocal(access, low);
    if (in(address, parameterWindow))
      return placeIn(access, x.grid->parameters, low);
    return placeInGlobal(access);
  case AddressSpace::Constant:
  case AddressSpace::Global:
    return placeInGlobal(access);
  case AddressSpace::Local:
    return placeInLocal(access, address);
  case AddressSpace::Parameter:
    return placeIn(access, x.grid->parameters, address);
  case AddressSpace::SharedBlock:
  case AddressSpace::SharedCluster:
    if (address != low)
      return access.fault(FindingKind::OutOfBounds, access.text() + ", which is no shared address",
                          {"a generic address becomes a shared one by cvta.to.shared"});
    return placeInShared(access, low, space == AddressSpace::SharedCluster);
  }
  return {};
}

void tilec::sim::readMemory(Execution &x, const Operation &op, unsigned lane, Place place, void *to,
                            void *undefinedBits, unsigned bytes, bool strong) {
  std::memcpy(to, place.bytes(), bytes);
  if (!x.check)
    return;
  if (undefinedBits) {
    if (place.region->undefined)
      place.region->undefined->read(place.offset, undefinedBits, bytes);
    else
      std::memset(undefinedBits, 0, bytes);
  }
  recordAccess(x, op, lane, place, bytes, AccessKind::Read, strong);
}

void tilec::sim::writeMemory(Execution &x, const Operation &op, unsigned lane, Place place, const void *from,
                             const void *undefinedBits, unsigned bytes, bool strong) {
  std::memcpy(place.bytes(), from, bytes);
  if (!x.check)
    return;
  if (place.region->undefined) {
    if (undefinedBits)
      place.region->undefined->write(place.offset, undefinedBits, bytes);
    else
      place.region->undefined->setDefined(place.offset, bytes);
  }
  recordAccess(x, op, lane, place, bytes, AccessKind::Write, strong);
}

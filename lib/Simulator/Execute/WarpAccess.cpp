/// Looking up a warp's addresses, and what is counted and recorded of them.
#include "lib/Simulator/Execute/WarpAccess.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// A region and the address of its first byte in the terms of the access's addresses.
struct Origin {
  Region *region = nullptr;
  uint64_t address = 0;
};
} // namespace

/// The region that an address is likely to lie in; none where only locate() can tell, or for local memory, of which
/// each lane has its own.
static Origin originOf(Execution &x, const Operation &op, AddressSpace space, uint64_t address) {
  switch (space) {
  case AddressSpace::Generic:
    if (address >> 32 == sharedWindow >> 32)
      break;
    if (address >> 32 == localWindow >> 32 || address >> 32 == parameterWindow >> 32)
      return {};
    [[fallthrough]];
  case AddressSpace::Constant:
  case AddressSpace::Global: {
    Region *&recent = x.recentGlobal[op.index % std::size(x.recentGlobal)];
    if (!recent || address - recent->base >= recent->size) {
      Region *found = x.grid->memory->find(address);
      if (!found)
        return {};
      recent = found;
    }
    bool isConstant = recent->space == ptx::Space::Constant;
    if (space != AddressSpace::Generic && isConstant != (space == AddressSpace::Constant))
      return {};
    return {recent, recent->base};
  }
  case AddressSpace::Parameter:
    return {&x.grid->parameters, x.grid->parameters.base};
  case AddressSpace::Local:
    return {};
  case AddressSpace::SharedBlock:
  case AddressSpace::SharedCluster:
    if (address >> 32 != 0)
      return {};
    break;
  }
  Block *block = x.block;
  if (uint64_t selector = (address >> 24) & 0xff) {
    uint64_t rank = selector - 1;
    if (rank >= x.cluster->blocks.size() || (rank != block->rank && space == AddressSpace::SharedBlock))
      return {};
    block = x.cluster->blocks[rank].get();
  }
  return {&block->shared, (address & ~uint64_t(0xffffff)) + block->shared.base};
}

static void computeAddresses(Execution &x, const MemoryForm &form, uint64_t *addresses) {
  uint64_t offset = static_cast<uint64_t>(form.offset);
  if (form.base.bytes == 8) {
    const uint64_t *base = x.row<uint64_t>(form.base);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + offset;
    return;
  }
  const uint32_t *base = x.row<uint32_t>(form.base);
  if (form.wraps)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + static_cast<uint32_t>(offset);
  else
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + offset;
}

/// All lanes in one region, in bounds and aligned; false: they must be looked at one by one.
static bool resolveTogether(Execution &x, const Operation &op, LaneMask active, const MemoryForm &form, AccessKind kind,
                            WarpAccess &access) {
  const uint64_t *addresses = access.addresses;
  uint64_t first = addresses[firstLane(active)], lowest = first, highest = first;
  if (active == allLanes) {
    uint64_t differs = 0, moves = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      differs |= addresses[lane] ^ (first + lane * form.bytes);
      moves |= addresses[lane] ^ first;
    }
    access.consecutive = differs == 0;
    access.uniform = moves == 0;
    if (access.consecutive)
      highest = first + (warpSize - 1) * form.bytes;
  }
  uint64_t misaligned = first;
  if (!access.consecutive && !access.uniform)
    forLanes(active, [&](unsigned lane) {
      lowest = std::min(lowest, addresses[lane]);
      highest = std::max(highest, addresses[lane]);
      misaligned |= addresses[lane];
    });
  if (misaligned & (form.alignment - 1))
    return false;

  Origin origin = originOf(x, op, form.space, lowest);
  if (!origin.region)
    return false;
  uint64_t begin = lowest - origin.address, span = highest - lowest + form.bytes, size = origin.region->size;
  if (begin >= size || span > size - begin || highest < lowest || (origin.region->readOnly && kind != AccessKind::Read))
    return false;
  access.region = origin.region;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    access.offsets[lane] = addresses[lane] - origin.address;
  access.lanes = active;
  return true;
}

/// All lanes in their own local memory.
static bool resolveLocal(Execution &x, LaneMask active, const MemoryForm &form, WarpAccess &access) {
  const auto &local = x.warp->local;
  if (local.size() < warpSize)
    return false;
  bool good = true;
  forLanes(active, [&](unsigned lane) {
    uint64_t address = access.addresses[lane];
    if (form.space == AddressSpace::Generic) {
      good &= address >> 32 == localWindow >> 32;
      address = static_cast<uint32_t>(address);
    }
    Region *region = local[lane].get();
    uint64_t offset = region ? address - region->base : 0;
    good &=
        region && offset < region->size && region->size - offset >= form.bytes && (address & (form.alignment - 1)) == 0;
    access.regions[lane] = region;
    access.offsets[lane] = offset;
  });
  if (good)
    access.lanes = active;
  return good;
}

void tilec::sim::resolve(Execution &x, const Operation &op, LaneMask active, const MemoryForm &form, AccessKind kind,
                         WarpAccess &access) {
  access.bytes = form.bytes;
  access.lanes = 0;
  if (x.check && x.rowMayBeUndefined(form.base))
    active = x.requireDefined(op, form.base, active, "address");
  if (!active)
    return;
  computeAddresses(x, form, access.addresses);
  if (form.space == AddressSpace::Local || form.space == AddressSpace::Generic)
    if (form.space == AddressSpace::Local || access.addresses[firstLane(active)] >> 32 == localWindow >> 32)
      if (resolveLocal(x, active, form, access))
        return;
  if (form.space != AddressSpace::Local && resolveTogether(x, op, active, form, kind, access))
    return;
  access.region = nullptr;
  access.consecutive = access.uniform = false;
  access.lanes = 0;
  forLanes(active, [&](unsigned lane) {
    Place place = locate(x, op, lane, form.space, access.addresses[lane], form.bytes, form.alignment, kind);
    if (!place)
      return;
    access.lanes |= 1u << lane;
    access.regions[lane] = place.region;
    access.offsets[lane] = place.offset;
  });
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// Adds one request of lanes that lie in one kind of memory.
static void addRequest(AccessCounters &one, AccessCounters &all, AccessCounters request) {
  one.add(request);
  all.add(request);
}

static AccessCounters sharedRequest(const uint64_t *addresses, LaneMask lanes, unsigned bytes, bool inOrder) {
  AccessCounters request;
  request.requests = 1;
  request.bytes = static_cast<uint64_t>(__builtin_popcount(lanes)) * bytes;
  unsigned group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  for (unsigned first = 0; first < warpSize; first += group)
    request.minimumWavefronts += (lanes >> first & (group == 32 ? ~0u : (1u << group) - 1)) != 0;
  request.wavefronts = inOrder ? request.minimumWavefronts : sharedWavefronts(addresses, lanes, bytes);
  return request;
}

static AccessCounters globalRequest(const uint64_t *addresses, LaneMask lanes, unsigned bytes, bool inOrder) {
  AccessCounters request;
  request.requests = 1;
  request.bytes = static_cast<uint64_t>(__builtin_popcount(lanes)) * bytes;
  if (inOrder) {
    unsigned last = 31 - static_cast<unsigned>(__builtin_clz(lanes));
    request.sectors = (addresses[last] + bytes - 1) / 32 - addresses[firstLane(lanes)] / 32 + 1;
  } else {
    request.sectors = globalSectors(addresses, lanes, bytes);
  }
  return request;
}

void tilec::sim::countAccess(Execution &x, const Operation &op, const WarpAccess &access, bool isStore) {
  if (!access.lanes)
    return;
  Counters &counters = *x.counters;
  if (counters.accesses.size() <= op.index)
    counters.accesses.resize(std::max<size_t>(x.grid->program->operations.size(), op.index + 1));
  AccessCounters &one = counters.accesses[op.index];
  AccessCounters &global = isStore ? counters.globalStores : counters.globalLoads;
  AccessCounters &shared = isStore ? counters.sharedStores : counters.sharedLoads;
  bool inOrder = access.consecutive || access.uniform;
  if (access.region) {
    // Regions of both spaces begin at multiples of 128 bytes, so offsets tell banks and sectors as well as addresses.
    if (access.region->space == ptx::Space::Shared)
      addRequest(one, shared, sharedRequest(access.offsets, access.lanes, access.bytes, inOrder && access.bytes <= 16));
    else if (access.region->space == ptx::Space::Global)
      addRequest(one, global, globalRequest(access.offsets, access.lanes, access.bytes, inOrder));
    return;
  }
  LaneMask sharedLanes = 0, globalLanes = 0;
  forLanes(access.lanes, [&](unsigned lane) {
    ptx::Space space = access.regions[lane]->space;
    sharedLanes |= LaneMask(space == ptx::Space::Shared) << lane;
    globalLanes |= LaneMask(space == ptx::Space::Global) << lane;
  });
  if (sharedLanes)
    addRequest(one, shared, sharedRequest(access.addresses, sharedLanes, access.bytes, false));
  if (globalLanes)
    addRequest(one, global, globalRequest(access.addresses, globalLanes, access.bytes, false));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void tilec::sim::recordLanes(Execution &x, const Operation &op, const WarpAccess &access, LaneMask lanes,
                             AccessKind kind, bool strong) {
  if (!x.check || (access.region && !access.region->races))
    return;
  if (access.consecutive && lanes == allLanes) {
    recordWarpAccess(x, op, access.place(0), access.bytes, kind, strong);
    return;
  }
  // Of many readers or atomics of one place two are enough: whichever lane writes it later, one of them is another.
  if (access.uniform && kind != AccessKind::Write) {
    recordAccess(x, op, firstLane(lanes), access.place(firstLane(lanes)), access.bytes, kind, strong);
    LaneMask others = lanes & (lanes - 1);
    if (others)
      recordAccess(x, op, firstLane(others), access.place(firstLane(others)), access.bytes, kind, strong);
    return;
  }
  if (access.region) {
    recordLaneAccesses(x, op, lanes, *access.region, access.offsets, access.bytes, kind, strong);
    return;
  }
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.place(lane);
    if (place.region->races)
      recordAccess(x, op, lane, place, access.bytes, kind, strong);
  });
}

/// Lowest offset and extent of lanes in one region.
static std::pair<uint64_t, uint64_t> extentOf(const WarpAccess &access) {
  uint64_t lowest = ~uint64_t(0), highest = 0;
  forLanes(access.lanes, [&](unsigned lane) {
    lowest = std::min(lowest, access.offsets[lane]);
    highest = std::max(highest, access.offsets[lane]);
  });
  return {lowest, highest - lowest + access.bytes};
}

/// Ranges up to which it is cheaper to look at everything between the lanes too.
constexpr uint64_t denseExtent = 2048;

bool tilec::sim::isDefined(const WarpAccess &access) {
  if (!access.lanes)
    return true;
  if (access.region) {
    const UndefinedBits *undefined = access.region->undefined.get();
    if (!undefined)
      return true;
    auto [begin, extent] = extentOf(access);
    if (extent <= denseExtent && undefined->allDefined(begin, extent))
      return true;
    if (access.consecutive)
      return false;
  }
  bool defined = true;
  forLanes(access.lanes, [&](unsigned lane) {
    Place place = access.place(lane);
    if (place.region->undefined)
      defined &= place.region->undefined->allDefined(place.offset, access.bytes);
  });
  return defined;
}

void tilec::sim::readUndefined(const WarpAccess &access, unsigned lane, void *bits) {
  Place place = access.place(lane);
  if (place.region->undefined)
    place.region->undefined->read(place.offset, bits, access.bytes);
  else
    std::memset(bits, 0, access.bytes);
}

void tilec::sim::setDefined(const WarpAccess &access) {
  if (access.region) {
    UndefinedBits *undefined = access.region->undefined.get();
    if (!undefined)
      return;
    if (access.consecutive)
      return undefined->setDefined(access.offsets[0], uint64_t(warpSize) * access.bytes);
  }
  forLanes(access.lanes, [&](unsigned lane) {
    Place place = access.place(lane);
    if (place.region->undefined)
      place.region->undefined->setDefined(place.offset, access.bytes);
  });
}

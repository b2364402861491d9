/// One transfer: recorded when it is issued, read and written when the queue lets it happen. Reading and writing are
/// two steps, since a thread may wait for the reading alone (`wait_group.read`) and then overwrite the source.
#include "lib/Simulator/Core/BlockEnd.h"
#include "lib/Simulator/Core/BulkGroups.h"
#include "lib/Simulator/Core/WarpAsync.h"
#include "lib/Simulator/Execute/BulkCopy.h"
#include "lib/Simulator/Execute/Mbarrier.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Undefined bits
//===----------------------------------------------------------------------===//

/// Copies undefined bits of a place out; false (and nothing written) if there are none.
static bool readUndefined(Place place, std::byte *bits, uint32_t bytes) {
  const UndefinedBits *shadow = place.region->undefined.get();
  if (!shadow || shadow->allDefined(place.offset, bytes))
    return false;
  shadow->read(place.offset, bits, bytes);
  return true;
}

static void writeUndefined(Place place, const std::byte *bits, uint32_t bytes) {
  UndefinedBits *shadow = place.region->undefined.get();
  if (!shadow)
    return;
  if (bits)
    shadow->write(place.offset, bits, bytes);
  else
    shadow->setDefined(place.offset, bytes);
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

/// As an H200 loads tensors of tf32 and tf32.ftz: to the nearest value, subnormal ones kept, NaN canonical. An element
/// is undefined if any of its bits is.
static void roundToTf32(BulkTransfer &transfer, size_t begin, size_t bytes) {
  for (size_t at = begin; at + 4 <= begin + bytes; at += 4) {
    uint32_t bits;
    std::memcpy(&bits, transfer.data.data() + at, 4);
    if ((bits & 0x7f800000) != 0x7f800000)
      bits = (bits + 0x1000) & 0xffffe000;
    else if (bits & 0x007fffff)
      bits = 0x7fffe000;
    std::memcpy(transfer.data.data() + at, &bits, 4);
    if (!transfer.anyUndefined)
      continue;
    std::byte *shadow = transfer.undefined.data() + at;
    if (std::any_of(shadow, shadow + 4, [](std::byte byte) { return byte != std::byte(0); }))
      std::fill_n(shadow, 4, std::byte(0xff));
  }
}

static void readSources(BulkTransfer &transfer) {
  if (transfer.wasRead)
    return;
  transfer.wasRead = true;
  size_t total = 0;
  for (const BulkTransfer::Piece &piece : transfer.pieces)
    total += piece.bytes;
  transfer.data.assign(total, std::byte(0));
  size_t at = 0;
  for (const BulkTransfer::Piece &piece : transfer.pieces) {
    if (piece.from) {
      std::memcpy(transfer.data.data() + at, piece.from.bytes(), piece.bytes);
      if (piece.from.region->undefined && !piece.from.region->undefined->allDefined(piece.from.offset, piece.bytes)) {
        if (transfer.undefined.empty())
          transfer.undefined.assign(total, std::byte(0));
        transfer.anyUndefined |= readUndefined(piece.from, transfer.undefined.data() + at, piece.bytes);
      }
      if (transfer.roundsToTf32)
        roundToTf32(transfer, at, piece.bytes);
    } else if (transfer.fill) {
      for (uint32_t i = 0; i + 1 < piece.bytes; i += 2)
        std::memcpy(transfer.data.data() + at + i, &transfer.fill, 2);
    }
    at += piece.bytes;
  }
}

/// Blocks on other cores may reduce to the same place, so each element is exchanged atomically.
template <typename T> static void reduceAt(const BulkTransfer &transfer, std::byte *place, const std::byte *source) {
  T *target = reinterpret_cast<T *>(place);
  T operand, old = __atomic_load_n(target, __ATOMIC_RELAXED);
  std::memcpy(&operand, source, sizeof operand);
  T sum;
  do
    sum = static_cast<T>(reduceElement(transfer.reduction, transfer.type, old, operand, transfer.flushes));
  while (!__atomic_compare_exchange_n(target, &old, sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/// An element is undefined if any bit of either operand is.
static void reduceUndefined(Place place, const std::byte *bits, uint32_t bytes, unsigned element) {
  if (!place.region->undefined)
    return;
  std::vector<std::byte> old(bytes, std::byte(0));
  bool any = readUndefined(place, old.data(), bytes);
  if (!any && !bits)
    return;
  for (uint32_t at = 0; at < bytes; at += element) {
    std::byte seen{0};
    for (unsigned i = 0; i < element; ++i)
      seen |= old[at + i] | (bits ? bits[at + i] : std::byte(0));
    std::fill_n(old.begin() + at, element, seen == std::byte(0) ? std::byte(0) : std::byte(0xff));
  }
  writeUndefined(place, old.data(), bytes);
}

static void reducePiece(const BulkTransfer &transfer, Place to, const std::byte *data, const std::byte *bits,
                        uint32_t bytes) {
  unsigned element = ptx::typeBytes(transfer.type);
  for (uint32_t at = 0; at < bytes; at += element)
    switch (element) {
    case 2:
      reduceAt<uint16_t>(transfer, to.bytes() + at, data + at);
      break;
    case 4:
      reduceAt<uint32_t>(transfer, to.bytes() + at, data + at);
      break;
    default:
      reduceAt<uint64_t>(transfer, to.bytes() + at, data + at);
      break;
    }
  reduceUndefined(to, bits, bytes, element);
}

/// Writes the bytes whose bit is set in the mask for each 16 bytes; a run at a time.
static void writeMasked(const BulkTransfer &transfer, Place to, const std::byte *data, const std::byte *bits,
                        uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; ++at) {
    if (!(transfer.byteMask >> (at % 16) & 1))
      continue;
    Place one{to.region, to.offset + at};
    *one.bytes() = data[at];
    writeUndefined(one, bits ? bits + at : nullptr, 1);
  }
}

static void writeDestination(const BulkTransfer &transfer, Region *destination) {
  size_t at = 0;
  for (const BulkTransfer::Piece &piece : transfer.pieces) {
    Place to{destination ? destination : piece.to.region, piece.to.offset};
    const std::byte *data = transfer.data.data() + at;
    const std::byte *bits = transfer.anyUndefined ? transfer.undefined.data() + at : nullptr;
    if (transfer.reduction != BulkReduction::None) {
      reducePiece(transfer, to, data, bits, piece.bytes);
    } else if (transfer.byteMask != 0xffff) {
      writeMasked(transfer, to, data, bits, piece.bytes);
    } else {
      std::memcpy(to.bytes(), data, piece.bytes);
      writeUndefined(to, bits, piece.bytes);
    }
    at += piece.bytes;
  }
}

/// Whether all threads of the block that the shared memory belongs to have ended.
static bool hasEnded(const Execution &x, const Region *shared) {
  for (const std::unique_ptr<Block> &block : x.cluster->blocks)
    if (&block->shared == shared)
      return block->liveWarps == 0;
  return false;
}

/// A block's shared memory is gone when its threads are: nothing may be under way to it or from it.
static void checkBlocksAlive(Execution &x, const Operation &op, unsigned lane, const BulkTransfer &transfer) {
  const Region *ended = nullptr;
  bool reads = false;
  for (const BulkTransfer::Piece &piece : transfer.pieces)
    if (!transfer.wasRead && piece.from && hasEnded(x, piece.from.region)) {
      ended = piece.from.region;
      reads = true;
      break;
    } else if (piece.from) {
      break; // all pieces have one source
    }
  for (const Region *destination : transfer.destinations)
    if (!ended && destination && hasEnded(x, destination))
      ended = destination;
  if (!ended)
    return;
  x.report(FindingKind::AsyncNotWaited, op, lane,
           std::string("the copy ") + (reads ? "reads" : "writes") +
               " shared memory of a block whose threads have ended before it was done",
           {reads ? "wait with cp.async.bulk.wait_group.read before the thread ends"
                  : "wait for the mbarrier's phase before the block ends"});
}

static void perform(Execution &x, const Operation &op, unsigned lane, BulkTransfer &transfer) {
  if (x.check)
    checkBlocksAlive(x, op, lane, transfer);
  readSources(transfer);
  for (Region *destination : transfer.destinations)
    writeDestination(transfer, destination);
  for (Place barrier : transfer.barriers)
    completeTransaction(x, op, barrier, transfer.countedBytes, nullptr);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// The ranges of one side, without the cuts that the other side made; `region` replaces the destination's.
static std::vector<std::pair<Place, uint64_t>> mergedRanges(const BulkTransfer &transfer, bool sources,
                                                            Region *region) {
  std::vector<std::pair<Place, uint64_t>> ranges;
  for (const BulkTransfer::Piece &piece : transfer.pieces) {
    Place place = sources ? piece.from : piece.to;
    if (!place)
      continue;
    if (!sources && region)
      place.region = region;
    ranges.push_back({place, piece.bytes});
  }
  auto before = [](const auto &a, const auto &b) {
    return std::make_pair(a.first.region->base, a.first.offset) < std::make_pair(b.first.region->base, b.first.offset);
  };
  std::sort(ranges.begin(), ranges.end(), before);
  size_t kept = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    auto &last = ranges[kept];
    if (last.first.region == ranges[i].first.region && last.first.offset + last.second == ranges[i].first.offset)
      last.second += ranges[i].second;
    else
      ranges[++kept] = ranges[i];
  }
  if (!ranges.empty())
    ranges.resize(kept + 1);
  return ranges;
}

static void recordSide(Execution &x, const Operation &op, const BulkTransfer &transfer, bool sources, Region *region,
                       Stamp chain) {
  AccessKind kind = sources                                     ? AccessKind::Read
                    : transfer.reduction != BulkReduction::None ? AccessKind::Atomic
                                                                : AccessKind::Write;
  for (const auto &[place, bytes] : mergedRanges(transfer, sources, region))
    recordAsyncAccess(x, op, place, bytes, kind, Proxy::Async, chain);
}

/// The chain of the lane's group that is not committed yet.
static Stamp groupChain(Execution &x, Agent &agent, uint64_t group) {
  if (agent == noAgent)
    agent = x.block->newAgent();
  return {agent, static_cast<uint32_t>(group + 1)};
}

static void recordTransfer(Execution &x, const Operation &op, unsigned lane, const BulkTransfer &transfer) {
  if (transfer.barriers.empty()) {
    BulkGroups &groups = x.warp->async->bulk;
    Stamp reads = groupChain(x, groups.reads[lane], groups.next[lane]);
    recordSide(x, op, transfer, true, nullptr, reads);
    if (!transfer.pieces.empty() && transfer.pieces.front().from.region == &x.block->shared)
      noteUnitRead(x, op, lane, reads);
    recordSide(x, op, transfer, false, transfer.destinations.front(),
               groupChain(x, groups.writes[lane], groups.next[lane]));
    return;
  }
  for (size_t i = 0; i < transfer.barriers.size(); ++i) {
    Stamp chain = mbarrierChain(x, transfer.barriers[i]);
    if (i == 0)
      recordSide(x, op, transfer, true, nullptr, chain);
    recordSide(x, op, transfer, false, transfer.destinations[i], chain);
  }
}

void sim::issueTransfer(Execution &x, const Operation &op, unsigned lane, BulkTransfer transfer) {
  if (x.check)
    recordTransfer(x, op, lane, transfer);
  AsyncOperation operation;
  operation.warp = x.warp;
  operation.op = &op;
  operation.lane = lane;
  operation.unit = AsyncOperation::Unit::Bulk;
  if (!transfer.barriers.empty())
    operation.group = bulkWithoutGroup;
  auto shared = std::make_shared<BulkTransfer>(std::move(transfer));
  operation.read = [shared](Execution &) { readSources(*shared); };
  operation.perform = [shared, &op, lane](Execution &x) { perform(x, op, lane, *shared); };
  x.cluster->async.add(x, std::move(operation));
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

bool sim::resolveDestinations(Execution &x, const Operation &op, const BulkForm &form, unsigned lane,
                              Region *destination, BulkTransfer &transfer) {
  if (form.path == BulkPath::SharedToGlobal) {
    transfer.destinations.push_back(nullptr);
    return true;
  }
  AddressSpace space = form.toCluster ? AddressSpace::SharedCluster : AddressSpace::SharedBlock;
  Place barrier = locate(x, op, lane, space, addressIn(x, form.barrier, lane), 8, 8, AccessKind::Atomic);
  if (!barrier)
    return false;
  if (!form.multicast) {
    if (barrier.region != destination) {
      x.report(FindingKind::InvalidOperand, op, lane,
               "the mbarrier must be in the shared memory of the same block as the destination, but is in another one");
      return false;
    }
    transfer.destinations.push_back(destination);
    transfer.barriers.push_back(barrier);
    return true;
  }
  const auto &blocks = x.cluster->blocks;
  auto mask = static_cast<uint32_t>(x.value(form.blockMask, lane) & 0xffff);
  if (mask >> blocks.size()) {
    x.report(FindingKind::InvalidOperand, op, lane,
             "the block mask names block " + std::to_string(31 - __builtin_clz(mask)) + " of a cluster of " +
                 std::to_string(blocks.size()));
    return false;
  }
  for (const std::unique_ptr<Block> &block : blocks)
    if (mask >> block->rank & 1) {
      transfer.destinations.push_back(&block->shared);
      transfer.barriers.push_back({&block->shared, barrier.offset});
    }
  return !transfer.destinations.empty();
}

void sim::countTransfer(Execution &x, const Operation &op, const BulkForm &form, const BulkTransfer &transfer) {
  if (!x.counters)
    return;
  bool load = form.path == BulkPath::GlobalToShared;
  AccessCounters one;
  one.requests = 1;
  uint64_t lastSector = ~uint64_t(0);
  for (const BulkTransfer::Piece &piece : transfer.pieces) {
    one.bytes += piece.bytes;
    Place place = load ? piece.from : piece.to;
    if (!place || place.region->space == ptx::Space::Shared || piece.bytes == 0)
      continue;
    uint64_t first = (place.region->base + place.offset) / 32;
    uint64_t last = (place.region->base + place.offset + piece.bytes - 1) / 32;
    one.sectors += last - first + (first != lastSector);
    lastSector = last;
  }
  Counters &counters = *x.counters;
  if (counters.accesses.size() <= op.index)
    counters.accesses.resize(std::max<size_t>(x.grid->program->operations.size(), op.index + 1));
  counters.accesses[op.index].add(one);
  if (form.path != BulkPath::SharedToCluster)
    (load ? counters.globalLoads : counters.globalStores).add(one);
}

/// Who touched a place last, for each unit of a page of memory.
///
/// A page of 1 KiB remembers writes and reads per unit of 16 bytes at first; it is cut into smaller units, down to one
/// byte, when narrower accesses come, so a kernel that moves 16 bytes per lane pays for one record in 16 bytes, and one
/// that stores halves for one in two. Arrays for writes and for reads are made when first needed.
///
/// A unit's slot holds one record, or the head of a list where several must be kept: reads by several warps since the
/// last write (a later write must be ordered after each of them), and strong writes that are not ordered among
/// themselves (atomics). In global memory lists end at `globalListLimit`: a tensor that every block reads would
/// otherwise hold a record for each of them, and a write that is unordered with the others is with those kept as well.
///
/// Example: warps 0 and 1 read bytes 0 … 15 by 16-byte loads, so reads[0] is the list {warp 0, warp 1}. A 4-byte store
/// by warp 0 at offset 4 cuts the page into words; reads[0] … reads[3] are lists with the same members; the store is
/// compared with the list of word 1, and warp 1's read is the conflict.
#include "lib/Simulator/Core/RaceShadow.h"

#include "lib/Simulator/Core/Execution.h"

#include <algorithm>
#include <array>
#include <map>

namespace tilec::sim {

namespace {

constexpr uint64_t pageBytes = 1024;
constexpr unsigned largestShift = 4;
constexpr unsigned globalListLimit = 8;
/// Conflicts between the same two instructions that are put into words; more of them say nothing new.
constexpr unsigned reportsPerPair = 64;

using Slots = std::vector<TouchRecord>;

/// A lock that is almost always free and held for nanoseconds.
class SpinLock {
public:
  void lock() {
    while (flag.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { flag.clear(std::memory_order_release); }

private:
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

/// The access being made.
struct Current {
  const AccessRecord &access;
  const Order &order;
  TouchRecord record;
  Agent agent;
  bool own; // by the executing warp itself, not by a unit
  unsigned limit;
  /// Offset in the region of the first byte of the first lane.
  uint64_t begin;
  /// What was looked up last: neighbouring units mostly have the same history.
  mutable Agent knownAgent = noAgent;
  mutable uint32_t knownClock = 0;

  /// The lane whose bytes lie at that offset in the region becomes the one that accesses.
  void setLaneAt(uint64_t offset) {
    if (access.bytesPerLane)
      record.setLane(laneAt(offset));
  }
  unsigned laneAt(uint64_t offset) const {
    return access.lane + (offset <= begin ? 0 : static_cast<unsigned>((offset - begin) / access.bytesPerLane));
  }

  /// Whether the earlier access comes before this one, for whoever makes it.
  bool follows(const TouchRecord &prior) const {
    if (own && prior.agent() == agent)
      return prior.clock() < record.clock() || prior.lane() == record.lane() ||
             prior.lane() == TouchRecord::wholeWarp || record.lane() == TouchRecord::wholeWarp;
    if (prior.agent() != knownAgent) {
      knownAgent = prior.agent();
      knownClock = order.seen.of(knownAgent);
    }
    return knownClock >= prior.clock();
  }
  Conflict against(const TouchRecord &prior) const {
    if (prior.has(TouchRecord::Strong) && access.strong)
      return Conflict::None;
    if (!follows(prior))
      return Conflict::Unordered;
    if (access.proxy == Proxy::Async && prior.has(TouchRecord::Write) && !prior.has(TouchRecord::AsyncProxy) &&
        order.fenced.of(prior.agent()) < prior.clock())
      return Conflict::NotFenced;
    return Conflict::None;
  }
};

struct Problem {
  Conflict conflict = Conflict::None;
  TouchRecord prior;
  uint64_t offset = 0;
};

class Page {
public:
  SpinLock lock;

  /// `start`: the page's offset in the region; `offset`: in the page.
  void touch(Current &now, uint64_t start, uint64_t offset, uint64_t bytes, Problem &problem);

private:
  struct Node {
    TouchRecord record;
    uint32_t next = none;
  };
  static constexpr uint32_t none = ~0u;

  unsigned shift = largestShift;
  Slots writes, reads;
  std::vector<Node> nodes;
  uint32_t freeNode = none;

  size_t units() const { return pageBytes >> shift; }
  void refine(unsigned to);
  Slots refined(const Slots &slots, unsigned by);
  uint32_t newNode(const TouchRecord &record, uint32_t next);
  void release(TouchRecord &slot);
  TouchRecord copyOf(const TouchRecord &slot);
  template <typename Body> void each(const TouchRecord &slot, Body body) const;
  void add(TouchRecord &slot, const Current &now);
  void keepUnordered(TouchRecord &slot, const Current &now);
};

uint32_t Page::newNode(const TouchRecord &record, uint32_t next) {
  uint32_t at = freeNode;
  if (at != none) {
    freeNode = nodes[at].next;
  } else {
    at = static_cast<uint32_t>(nodes.size());
    nodes.emplace_back();
  }
  nodes[at].record = record;
  nodes[at].next = next;
  return at;
}

void Page::release(TouchRecord &slot) {
  if (slot.has(TouchRecord::List)) {
    uint32_t last = slot.node();
    while (nodes[last].next != none)
      last = nodes[last].next;
    nodes[last].next = freeNode;
    freeNode = slot.node();
  }
  slot = TouchRecord();
}

TouchRecord Page::copyOf(const TouchRecord &slot) {
  if (!slot.has(TouchRecord::List))
    return slot;
  uint32_t head = none;
  for (uint32_t at = slot.node(); at != none; at = nodes[at].next)
    head = newNode(TouchRecord(nodes[at].record), head);
  return TouchRecord::list(head);
}

template <typename Body> void Page::each(const TouchRecord &slot, Body body) const {
  if (!slot.present())
    return;
  if (!slot.has(TouchRecord::List)) {
    body(slot);
    return;
  }
  for (uint32_t at = slot.node(); at != none; at = nodes[at].next)
    body(nodes[at].record);
}

Slots Page::refined(const Slots &slots, unsigned by) {
  if (slots.empty())
    return {};
  Slots result(slots.size() << by);
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = (i & ((size_t(1) << by) - 1)) == 0 ? slots[i >> by] : copyOf(slots[i >> by]);
  return result;
}

void Page::refine(unsigned to) {
  writes = refined(writes, shift - to);
  reads = refined(reads, shift - to);
  shift = to;
}

/// Adds to what a slot keeps; an agent is kept once.
void Page::add(TouchRecord &slot, const Current &now) {
  // Two lanes of a warp at the same time of its: each of them conflicts with a later access by the other.
  auto merged = [&](const TouchRecord &old) {
    TouchRecord record = now.record;
    if (old.clock() == record.clock() && old.lane() != record.lane())
      record.setLane(TouchRecord::severalLanes);
    return record;
  };
  if (!slot.present()) {
    slot = now.record;
    return;
  }
  if (!slot.has(TouchRecord::List)) {
    if (slot.agent() == now.agent)
      slot = merged(slot);
    else if (now.limit <= globalListLimit && now.follows(slot))
      slot = now.record;
    else
      slot = TouchRecord::list(newNode(now.record, newNode(TouchRecord(slot), none)));
    return;
  }
  unsigned length = 0;
  uint32_t replaceable = none;
  for (uint32_t at = slot.node(); at != none; at = nodes[at].next) {
    if (nodes[at].record.agent() == now.agent) {
      nodes[at].record = merged(nodes[at].record);
      return;
    }
    ++length;
  }
  if (length < now.limit) {
    slot = TouchRecord::list(newNode(now.record, slot.node()));
    return;
  }
  for (uint32_t at = slot.node(); at != none && replaceable == none; at = nodes[at].next)
    if (now.follows(nodes[at].record))
      replaceable = at;
  if (replaceable != none)
    nodes[replaceable].record = now.record;
}

/// Forgets what comes before this access: whoever is ordered after it is ordered after that too.
void Page::keepUnordered(TouchRecord &slot, const Current &now) {
  uint32_t kept = none;
  each(TouchRecord(slot), [&](const TouchRecord &old) {
    TouchRecord copy = old;
    if (!now.follows(copy) && copy.has(TouchRecord::Strong))
      kept = newNode(copy, kept);
  });
  release(slot);
  if (kept != none)
    slot = TouchRecord::list(kept);
}

void Page::touch(Current &now, uint64_t start, uint64_t offset, uint64_t bytes, Problem &problem) {
  uint64_t granule = offset | (now.access.bytesPerLane ? now.access.bytesPerLane : bytes) | 16;
  unsigned fits = std::min<unsigned>(static_cast<unsigned>(__builtin_ctzll(granule)), largestShift);
  if (fits < shift) {
    if (writes.empty() && reads.empty())
      shift = fits;
    else
      refine(fits);
  }
  bool isRead = now.access.kind == AccessKind::Read;
  Slots &mine = isRead ? reads : writes;
  if (mine.empty())
    mine.resize(units());
  size_t first = offset >> shift, last = (offset + bytes) >> shift;
  for (size_t i = first; i < last; ++i) {
    now.setLaneAt(start + (uint64_t(i) << shift));
    auto compare = [&](const TouchRecord &prior) {
      if (problem.conflict != Conflict::None)
        return;
      Conflict conflict = now.against(prior);
      if (conflict != Conflict::None)
        problem = {conflict, prior, uint64_t(i) << shift};
    };
    if (!writes.empty())
      each(writes[i], compare);
    if (isRead) {
      add(reads[i], now);
      continue;
    }
    if (!reads.empty())
      each(reads[i], compare);
    if (!now.access.strong) {
      if (!reads.empty())
        release(reads[i]);
      release(writes[i]);
      writes[i] = now.record;
      continue;
    }
    if (!reads.empty())
      keepUnordered(reads[i], now);
    if (writes[i].present())
      keepUnordered(writes[i], now);
    add(writes[i], now);
  }
}

} // namespace

struct RaceShadow::Impl {
  std::vector<std::atomic<Page *>> pages;
  std::mutex reportMutex;
  std::map<std::array<uint32_t, 3>, unsigned> reported;

  explicit Impl(uint64_t bytes) : pages((bytes + pageBytes - 1) / pageBytes) {}
  ~Impl() { clear(); }

  void clear() {
    for (auto &page : pages)
      delete page.exchange(nullptr);
    reported.clear();
  }
  Page &page(size_t i) {
    Page *page = pages[i].load(std::memory_order_acquire);
    if (page)
      return *page;
    Page *fresh = new Page;
    if (pages[i].compare_exchange_strong(page, fresh, std::memory_order_acq_rel))
      return *fresh;
    delete fresh;
    return *page;
  }
  bool worthReporting(uint32_t op, uint32_t prior, Conflict conflict) {
    std::lock_guard<std::mutex> guard(reportMutex);
    return reported[{op, prior, static_cast<uint32_t>(conflict)}]++ < reportsPerPair;
  }
};

RaceShadow::RaceShadow(uint64_t bytes) : impl(std::make_unique<Impl>(bytes)) {}
RaceShadow::~RaceShadow() = default;
void RaceShadow::clear() { impl->clear(); }

void RaceShadow::record(Execution &x, const Operation &op, unsigned lane, const Region &region, uint64_t offset,
                        uint64_t bytes, const AccessRecord &access, const Order &order) {
  bool global = region.space == ptx::Space::Global || region.space == ptx::Space::Constant;
  Agent agent = access.stamp.agent & 0xffff'ffff'ffffull;
  bool own = access.stamp.agent == x.warp->stamp.agent;
  uint64_t flags = TouchRecord::Present;
  flags |= access.strong ? TouchRecord::Strong : 0;
  flags |= own ? 0 : TouchRecord::Unit;
  flags |= access.proxy == Proxy::Async ? TouchRecord::AsyncProxy : 0;
  flags |= access.kind == AccessKind::Atomic ? TouchRecord::Atomic : 0;
  flags |= access.kind == AccessKind::Read ? 0 : TouchRecord::Write;
  unsigned laneCode = access.lane < warpSize ? access.lane : TouchRecord::wholeWarp;
  Current now{
      access, order, TouchRecord(agent, access.stamp.clock, laneCode, access.op ? access.op->index : op.index, flags),
      agent,  own,   global ? globalListLimit : ~0u,
      offset};
  while (bytes > 0) {
    uint64_t inPage = offset % pageBytes;
    uint64_t here = std::min(bytes, pageBytes - inPage);
    if (offset / pageBytes >= impl->pages.size())
      return;
    Page &page = impl->page(offset / pageBytes);
    Problem problem;
    // A block's shared memory is touched by the one worker that runs its cluster.
    if (global)
      page.lock.lock();
    page.touch(now, offset - inPage, inPage, here, problem);
    if (global)
      page.lock.unlock();
    if (problem.conflict != Conflict::None &&
        impl->worthReporting(op.index, problem.prior.operation(), problem.conflict)) {
      uint64_t at = std::max(offset, offset - inPage + problem.offset);
      bool many = access.bytesPerLane != 0;
      if (many)
        at = now.begin + uint64_t(now.laneAt(at) - access.lane) * access.bytesPerLane;
      reportConflict(x, op, many ? now.laneAt(at) : lane, region, at, many ? access.bytesPerLane : bytes, access,
                     problem.prior, problem.conflict);
    }
    offset += here;
    bytes -= here;
  }
}

} // namespace tilec::sim

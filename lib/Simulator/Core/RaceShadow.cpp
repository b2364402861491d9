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
  /// How it is remembered; with the first lane. What is done for another lane is told its record.
  TouchRecord record;
  Agent agent;
  bool own; // by the executing warp itself, not by a unit
  unsigned limit;
  /// Offset in the region of the first byte of the first lane.
  uint64_t begin;
  unsigned laneShift = 0;
  /// An earlier access that this one does not conflict with, whichever lanes they are of: neighbours mostly have one
  /// like it.
  TouchRecord fine = {};
  /// What was looked up before, by block and number in it: neighbouring units mostly have the same history.
  struct Known {
    Agent agent = noAgent;
    uint32_t clock = 0;
  };
  mutable Known known[8] = {};

  unsigned laneAt(uint64_t offset) const {
    return access.lane + (offset <= begin ? 0 : static_cast<unsigned>((offset - begin) >> laneShift));
  }

  /// Whether the earlier access comes before this one, for whoever makes it.
  bool follows(const TouchRecord &prior, const TouchRecord record) const {
    if (own && prior.agent() == agent)
      return prior.clock() < record.clock() || prior.lane() == record.lane() ||
             prior.lane() == TouchRecord::wholeWarp || record.lane() == TouchRecord::wholeWarp;
    Known &entry = known[(prior.agent() ^ prior.agent() >> agentBits) % std::size(known)];
    if (entry.agent != prior.agent())
      entry = {prior.agent(), order.seen.of(prior.agent())};
    return entry.clock >= prior.clock();
  }
  Conflict against(const TouchRecord &prior, const TouchRecord record) {
    if (prior.isLike(fine))
      return Conflict::None;
    Conflict conflict = compare(prior, record);
    if (conflict == Conflict::None && !(own && prior.agent() == agent && prior.clock() == record.clock()))
      fine = prior;
    return conflict;
  }

private:
  Conflict compare(const TouchRecord &prior, const TouchRecord record) const {
    if (prior.has(TouchRecord::Strong) && access.strong)
      return Conflict::None;
    if (!follows(prior, record))
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
  template <bool isRead> void touchUnits(Current &now, uint64_t start, size_t first, size_t last, Problem &problem);
  void refine(unsigned to);
  Slots refined(const Slots &slots, unsigned by);
  uint32_t newNode(const TouchRecord &record, uint32_t next);
  void release(TouchRecord &slot);
  TouchRecord copyOf(const TouchRecord &slot);
  template <typename Body> void each(const TouchRecord &slot, Body body) const;
  void add(TouchRecord &slot, const Current &now, TouchRecord record);
  void keepUnordered(TouchRecord &slot, const Current &now, TouchRecord record);
  void compare(TouchRecord slot, uint64_t offset, Current &now, TouchRecord record, Problem &problem) const;
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
void Page::add(TouchRecord &slot, const Current &now, const TouchRecord record) {
  // Two lanes of a warp at the same time of its: each of them conflicts with a later access by the other.
  auto merged = [&](const TouchRecord &old) {
    TouchRecord both = record;
    if (old.clock() == both.clock() && old.lane() != both.lane())
      both.setLane(TouchRecord::severalLanes);
    return both;
  };
  if (!slot.present()) {
    slot = record;
    return;
  }
  if (!slot.has(TouchRecord::List)) {
    if (slot.agent() == now.agent)
      slot = merged(slot);
    else if (now.limit <= globalListLimit && now.follows(slot, record))
      slot = record;
    else
      slot = TouchRecord::list(newNode(record, newNode(TouchRecord(slot), none)));
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
    slot = TouchRecord::list(newNode(record, slot.node()));
    return;
  }
  for (uint32_t at = slot.node(); at != none && replaceable == none; at = nodes[at].next)
    if (now.follows(nodes[at].record, record))
      replaceable = at;
  if (replaceable != none)
    nodes[replaceable].record = record;
}

/// Forgets what comes before this access: whoever is ordered after it is ordered after that too.
void Page::keepUnordered(TouchRecord &slot, const Current &now, const TouchRecord record) {
  uint32_t kept = none;
  each(TouchRecord(slot), [&](const TouchRecord &old) {
    TouchRecord copy = old;
    if (!now.follows(copy, record) && copy.has(TouchRecord::Strong))
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
  isRead ? touchUnits<true>(now, start, first, last, problem) : touchUnits<false>(now, start, first, last, problem);
}

/// Compares with a slot that is not known to be harmless.
__attribute__((noinline)) void Page::compare(const TouchRecord slot, uint64_t offset, Current &now,
                                             const TouchRecord record, Problem &problem) const {
  each(slot, [&](const TouchRecord &prior) {
    if (problem.conflict != Conflict::None)
      return;
    Conflict conflict = now.against(prior, record);
    if (conflict != Conflict::None)
      problem = {conflict, prior, offset};
  });
}

template <bool isRead>
void Page::touchUnits(Current &now, uint64_t start, size_t first, size_t last, Problem &problem) {
  // Units of a lane follow each other; lanes begin at multiples of their size.
  unsigned lane = now.record.lane(), perLane = 1u << 31, rest = perLane;
  if (now.access.bytesPerLane) {
    perLane = now.access.bytesPerLane >> shift;
    uint64_t skipped = (start + (uint64_t(first) << shift) - now.begin) >> shift;
    lane += static_cast<unsigned>(skipped / perLane);
    rest = perLane - static_cast<unsigned>(skipped % perLane);
  }
  // In registers: what was just written in parts is slow to read as a whole.
  TouchRecord record = now.record, fine = now.fine;
  record.setLane(lane);
  // What the thread itself did before is harmless, unless it must be fenced.
  bool mayBeOwn = now.own && now.access.proxy == Proxy::Generic, strong = now.access.strong;
  auto compareSlot = [&](size_t i, const TouchRecord slot) {
    if (!slot.present() || slot.isLike(fine) || (mayBeOwn && slot.isOf(record.agent()) && slot.lane() == record.lane()))
      return;
    compare(slot, uint64_t(i) << shift, now, record, problem);
    fine = now.fine;
  };
  TouchRecord *write = writes.empty() ? nullptr : writes.data(), *read = reads.empty() ? nullptr : reads.data();
  for (size_t i = first; i < last; ++i) {
    if (write)
      compareSlot(i, write[i]);
    if (isRead) {
      const TouchRecord slot = read[i];
      // What add() does with the most frequent slots.
      if (!slot.present() ||
          (slot.isOf(record.agent()) && (slot.clock() != record.clock() || slot.lane() == record.lane())))
        read[i] = record;
      else
        add(read[i], now, record);
    } else {
      if (read)
        compareSlot(i, read[i]);
      if (!strong) {
        if (read && read[i].present())
          release(read[i]);
        if (write[i].has(TouchRecord::List))
          release(write[i]);
        write[i] = record;
      } else {
        if (read && read[i].present())
          keepUnordered(read[i], now, record);
        if (write[i].present())
          keepUnordered(write[i], now, record);
        add(write[i], now, record);
      }
    }
    if (--rest == 0) {
      record.setLane(++lane);
      rest = perLane;
    }
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
  /// Touches `bytes` from now.begin on.
  void touch(Execution &x, const Operation &op, unsigned lane, const Region &region, Current &now, uint64_t bytes);
  bool worthReporting(uint32_t op, uint32_t prior, Conflict conflict) {
    std::lock_guard<std::mutex> guard(reportMutex);
    return reported[{op, prior, static_cast<uint32_t>(conflict)}]++ < reportsPerPair;
  }
};

RaceShadow::RaceShadow(uint64_t bytes) : impl(std::make_unique<Impl>(bytes)) {}
RaceShadow::~RaceShadow() = default;
void RaceShadow::clear() { impl->clear(); }

/// What both ways of recording begin with.
static Current currentAccess(Execution &x, const Operation &op, const Region &region, uint64_t offset,
                             const AccessRecord &access, const Order &order) {
  bool global = region.space == ptx::Space::Global || region.space == ptx::Space::Constant;
  bool own = access.stamp.agent == x.warp->stamp.agent;
  uint64_t flags = TouchRecord::Present;
  flags |= access.strong ? TouchRecord::Strong : 0;
  flags |= own ? 0 : TouchRecord::Unit;
  flags |= access.proxy == Proxy::Async ? TouchRecord::AsyncProxy : 0;
  flags |= access.kind == AccessKind::Atomic ? TouchRecord::Atomic : 0;
  flags |= access.kind == AccessKind::Read ? 0 : TouchRecord::Write;
  unsigned laneCode = access.lane < warpSize ? access.lane : TouchRecord::wholeWarp;
  Agent agent = access.stamp.agent & 0xffff'ffff'ffffull;
  uint32_t number = access.op ? access.op->index : op.index;
  TouchRecord record(agent, access.stamp.clock, laneCode, number, flags);
  Current now{access, order, record, agent, own, global ? globalListLimit : ~0u, offset};
  if (access.bytesPerLane)
    now.laneShift = static_cast<unsigned>(__builtin_ctz(access.bytesPerLane));
  return now;
}

void RaceShadow::Impl::touch(Execution &x, const Operation &op, unsigned lane, const Region &region, Current &now,
                             uint64_t bytes) {
  // A block's shared memory is touched by the one worker that runs its cluster.
  bool global = now.limit == globalListLimit;
  uint64_t offset = now.begin;
  while (bytes > 0) {
    uint64_t inPage = offset % pageBytes;
    uint64_t here = std::min(bytes, pageBytes - inPage);
    if (offset / pageBytes >= pages.size())
      return;
    Page &page = this->page(offset / pageBytes);
    Problem problem;
    if (global)
      page.lock.lock();
    page.touch(now, offset - inPage, inPage, here, problem);
    if (global)
      page.lock.unlock();
    if (problem.conflict != Conflict::None && worthReporting(op.index, problem.prior.operation(), problem.conflict)) {
      uint64_t at = std::max(offset, offset - inPage + problem.offset);
      uint32_t bytesPerLane = now.access.bytesPerLane;
      bool many = bytesPerLane != 0;
      if (many)
        at = now.begin + uint64_t(now.laneAt(at) - now.access.lane) * bytesPerLane;
      reportConflict(x, op, many ? now.laneAt(at) : lane, region, at, many ? bytesPerLane : bytes, now.access,
                     problem.prior, problem.conflict);
    }
    offset += here;
    bytes -= here;
  }
}

void RaceShadow::record(Execution &x, const Operation &op, unsigned lane, const Region &region, uint64_t offset,
                        uint64_t bytes, const AccessRecord &access, const Order &order) {
  Current now = currentAccess(x, op, region, offset, access, order);
  impl->touch(x, op, lane, region, now, bytes);
}

void RaceShadow::recordLanes(Execution &x, const Operation &op, LaneMask lanes, const Region &region,
                             const uint64_t *offsets, uint64_t bytes, const AccessRecord &access, const Order &order) {
  Current now = currentAccess(x, op, region, 0, access, order);
  forLanes(lanes, [&](unsigned lane) {
    now.begin = offsets[lane];
    now.record.setLane(lane);
    impl->touch(x, op, lane, region, now, bytes);
  });
}

} // namespace tilec::sim

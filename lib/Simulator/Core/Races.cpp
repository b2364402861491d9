/// Recording of accesses, and the words for a conflict: who, what, where, the other party, the remedy.
#include "lib/Simulator/Core/Races.h"

#include "lib/Simulator/Core/BlockEnd.h"
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/RaceShadow.h"

#include <cinttypes>
#include <cstdio>

namespace tilec::sim {

static std::string hexText(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%" PRIx64, value);
  return buffer;
}

/// The opcode with its modifiers.
static std::string instructionText(const Operation &op) {
  if (!op.text)
    return "instruction";
  std::string text = op.text->opcode;
  for (const std::string &modifier : op.text->modifiers)
    text += "." + modifier;
  return text;
}

/// "thread (3,0,0) of block (1,0,0)" from the numbers in an agent; lanes that do not stand for one thread: the warp.
static std::string agentText(const Execution &x, Agent agent, unsigned lane) {
  ThreadName name;
  unfold(agent >> agentBits, x.grid->blocks, name.block);
  unsigned warp = static_cast<unsigned>(agent & ((1u << agentBits) - 1));
  if (lane >= warpSize)
    return (lane == TouchRecord::severalLanes ? "one of several threads of warp " : "warp ") + std::to_string(warp) +
           " of block " + coordinateText(name.block);
  unfold(uint64_t(warp) * warpSize + lane, x.grid->threads, name.thread);
  return threadText(name);
}

static const char *kindText(bool write, bool atomic) { return atomic ? "atomic access" : write ? "write" : "read"; }

void reportConflict(Execution &x, const Operation &op, unsigned lane, const Region &region, uint64_t offset,
                    uint64_t bytes, const AccessRecord &access, const TouchRecord &prior, Conflict conflict) {
  const Program &program = *x.grid->program;
  const Operation &other = prior.operation() < program.operations.size() ? program.operations[prior.operation()] : op;
  bool shared = region.space == ptx::Space::Shared;
  bool now = access.stamp.agent == x.warp->stamp.agent;
  bool sameWarp = now && !prior.has(TouchRecord::Unit) && prior.agent() == access.stamp.agent;
  const char *priorKind = kindText(prior.has(TouchRecord::Write), prior.has(TouchRecord::Atomic));

  if (lane >= warpSize)
    lane = firstLane(x.split && x.split->lanes ? x.split->lanes : x.warp->existing);
  std::string message = std::string(kindText(access.kind != AccessKind::Read, access.kind == AccessKind::Atomic)) +
                        " of " + std::to_string(bytes) + " bytes at " + (shared ? "shared" : "global") + " address " +
                        hexText(region.base + offset) + " by " +
                        (now ? x.threadText(lane) : instructionText(op) + ", issued by " + x.threadText(lane) + ",");
  std::string party = prior.has(TouchRecord::Unit) ? "the " + std::string(priorKind) + " of " + instructionText(other)
                                                   : agentText(x, prior.agent(), prior.lane()) + "'s " + priorKind;
  std::vector<std::string> notes;
  FindingKind kind = FindingKind::Race;
  if (conflict == Conflict::NotFenced) {
    kind = FindingKind::MissingProxyFence;
    message += ", while " + party + " at " + x.grid->program->lineText(other) +
               " went through the generic proxy and no proxy fence lies between";
    notes.push_back(std::string("place fence.proxy.async") + (shared ? ".shared::cta" : ".global") +
                    " between the write and the barrier or instruction that starts the asynchronous operation");
  } else if (prior.has(TouchRecord::Unit)) {
    kind = FindingKind::AsyncNotWaited;
    message += ", while " + party + " issued at " + x.grid->program->lineText(other) + " has not been waited for";
    notes.push_back("wait for the asynchronous operation first (its mbarrier's phase, or its group), and let the other "
                    "threads synchronise with the one that waits");
  } else {
    message += ", while " + party + " at " + x.grid->program->lineText(other) + " is not ordered before it";
    if (sameWarp)
      notes.push_back("both threads are of one warp: place bar.warp.sync (__syncwarp) between the accesses");
    else if (shared)
      notes.push_back("place a barrier (bar.sync, or an mbarrier's arrive and wait) between the accesses");
    else
      notes.push_back("order them by a barrier within a block or cluster, or by release and acquire (fence and an "
                      "atomic or volatile flag) between blocks");
  }
  // Where the accesses are of one block, the addresses differ between runs of it only by the thread: one finding a
  // pair.
  x.report(kind, op, lane, std::move(message), std::move(notes), uint64_t(prior.operation()) + 1);
}

void recordAccess(Execution &x, const Operation &op, unsigned lane, Place place, uint64_t bytes, AccessKind kind,
                  bool strong) {
  if (!x.check || !place.region->races || place.region->readOnly)
    return;
  notePeerAccess(x, op, lane, *place.region, kind);
  AccessRecord access;
  access.kind = kind;
  access.strong = strong;
  access.stamp = x.warp->stamp;
  access.lane = lane < warpSize ? static_cast<uint8_t>(lane) : 0xff;
  access.op = &op;
  place.region->races->record(x, op, lane, *place.region, place.offset, bytes, access, x.warp->order);
}

void recordWarpAccess(Execution &x, const Operation &op, Place place, unsigned bytesPerLane, AccessKind kind,
                      bool strong) {
  if (!x.check || !place.region->races || place.region->readOnly)
    return;
  notePeerAccess(x, op, 0, *place.region, kind);
  AccessRecord access;
  access.kind = kind;
  access.strong = strong;
  access.stamp = x.warp->stamp;
  access.lane = 0;
  access.bytesPerLane = bytesPerLane;
  access.op = &op;
  place.region->races->record(x, op, 0, *place.region, place.offset, uint64_t(warpSize) * bytesPerLane, access,
                              x.warp->order);
}

void recordLaneAccesses(Execution &x, const Operation &op, LaneMask lanes, Region &region, const uint64_t *offsets,
                        uint64_t bytes, AccessKind kind, bool strong) {
  if (!x.check || !region.races || region.readOnly)
    return;
  notePeerAccess(x, op, firstLane(lanes), region, kind);
  AccessRecord access;
  access.kind = kind;
  access.strong = strong;
  access.stamp = x.warp->stamp;
  access.op = &op;
  region.races->recordLanes(x, op, lanes, region, offsets, bytes, access, x.warp->order);
}

void recordAsyncAccess(Execution &x, const Operation &op, Place place, uint64_t bytes, AccessKind kind, Proxy proxy,
                       Stamp chain) {
  if (!x.check || !place.region->races || place.region->readOnly)
    return;
  AccessRecord access;
  access.kind = kind;
  access.proxy = proxy;
  // Reductions of asynchronous copies are relaxed atomics.
  access.strong = kind == AccessKind::Atomic;
  access.stamp = chain;
  access.op = &op;
  place.region->races->record(x, op, 0xff, *place.region, place.offset, bytes, access, x.warp->order);
}

} // namespace tilec::sim

#include "lib/Simulator/Core/Execution.h"

#include "lib/Simulator/Core/BlockEnd.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

void Execution::enter(Warp &entered) {
  warp = &entered;
  block = entered.block;
  cluster = block->cluster;
  grid = cluster->grid;
  counters = cluster->counters;
  registers = entered.registers;
  undefined = entered.undefined;
  mayBeUndefined = entered.mayBeUndefined;
  check = grid->options.check;
  split = nullptr;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

ThreadName Execution::threadName(unsigned lane) const {
  ThreadName name;
  name.known = true;
  for (int i = 0; i < 3; ++i)
    name.block[i] = block->place[i];
  unfold(warp->index * warpSize + lane, grid->threads, name.thread);
  return name;
}

std::string Execution::threadText(unsigned lane) const { return sim::threadText(threadName(lane)); }

static std::string trimmed(std::string_view line) {
  size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return std::string(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
}

Finding Execution::makeFinding(FindingKind kind, const Operation &op, unsigned lane, std::string message) const {
  const Program &program = *grid->program;
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  if (op.text) {
    finding.at = op.text->location;
    if (program.ptxText)
      finding.instruction = trimmed(ptx::lineOf(*program.ptxText, finding.at.line));
    if (op.text->source.file != 0) {
      auto file = program.module->files.find(op.text->source.file);
      std::string name =
          file == program.module->files.end() ? "file " + std::to_string(op.text->source.file) : file->second;
      finding.source = name + ":" + std::to_string(op.text->source.line);
    }
  }
  if (warp && lane < warpSize)
    finding.thread = threadName(lane);
  return finding;
}

void Execution::report(FindingKind kind, const Operation &op, unsigned lane, std::string message,
                       std::vector<std::string> notes, uint64_t key) {
  Finding finding = makeFinding(kind, op, lane, std::move(message));
  finding.notes = std::move(notes);
  if (grid->findings->add(std::move(finding), key) >= grid->options.findingLimit)
    grid->stopped = true;
}

void Execution::stop(FindingKind kind, const Operation &op, unsigned lane, std::string message,
                     std::vector<std::string> notes) {
  report(kind, op, lane, std::move(message), std::move(notes));
  grid->stopped = true;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Counts a turn of a polling loop, and ends a run that only polls.
static void countSpin(Execution &x) {
  Split &split = *x.split;
  split.polled = false;
  x.warp->yielded = true;
  uint64_t now = x.cluster->events + x.cluster->stores;
  if (split.spinsFrom != now) {
    split.spinsFrom = now;
    split.spins = 0;
  }
  if (++split.spins <= x.grid->options.spinLimit)
    return;
  const Operation &op = x.grid->program->operations[split.pc];
  x.stop(FindingKind::NoProgress, op, firstLane(split.lanes),
         "a loop polled " + std::to_string(split.spins) + " times and nothing else changed",
         {"what the loop waits for is never written, or by a block that cannot run before this one ends"});
}

Outcome Execution::jump(uint32_t pc) {
  if (pc <= split->pc && split->polled)
    countSpin(*this);
  split->pc = pc;
  return Outcome::Jumped;
}

Outcome Execution::divert(LaneMask lanes, uint32_t pc, std::vector<Return> returns) {
  if (lanes == split->lanes) {
    split->returns = std::move(returns);
    return jump(pc);
  }
  if (pc <= split->pc && split->polled)
    countSpin(*this);
  Split other;
  other.pc = pc;
  other.lanes = lanes;
  other.returns = std::move(returns);
  other.spins = split->spins;
  other.spinsFrom = split->spinsFrom;
  other.lastRun = split->lastRun;
  split->lanes &= ~lanes;
  split->pc += 1;
  warp->splits.push_back(std::move(other));
  split = nullptr;
  return Outcome::Jumped;
}

Outcome Execution::branch(const Operation &, LaneMask taken, uint32_t pc) {
  if (!taken)
    return Outcome::Next;
  if (taken == split->lanes)
    return jump(pc);
  return divert(taken, pc, split->returns);
}

Outcome Execution::exit(const Operation &op, LaneMask lanes) {
  if (check && block->liveWarps == 1 && warp->alive == lanes)
    checkBlockEnd(*this, op, firstLane(lanes));
  warp->alive &= ~lanes;
  split->lanes &= ~lanes;
  split->pc += 1;
  if (!split->lanes) {
    warp->splits.erase(warp->splits.begin() + (split - warp->splits.data()));
    split = nullptr;
  }
  if (!warp->alive)
    --block->liveWarps;
  event();
  return Outcome::Jumped;
}

Outcome Execution::waitFor(const Operation &op, std::string what) {
  split->wait.op = &op;
  split->wait.what = std::move(what);
  return Outcome::Blocked;
}

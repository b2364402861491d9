#include "lib/Simulator/Core/WgmmaRegisters.h"

#include "lib/Simulator/Core/Execution.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

static size_t slotOf(Row row) { return row.offset / rowAlignment; }

void WgmmaRegisters::track(const Execution &x) {
  if (tracking || !x.check)
    return;
  tracking = true;
  flags.assign(x.grid->program->registerBytes / rowAlignment + 1, 0);
  uses.resize(flags.size());
}

void WgmmaRegisters::fence() {
  fenced = true;
  for (uint8_t &flag : flags)
    flag &= static_cast<uint8_t>(~Written);
}

void WgmmaRegisters::reportTouch(Execution &x, const Operation &op, LaneMask active, Row row, bool writes) {
  const Use &use = uses[slotOf(row)];
  bool isFactor = !(flags[slotOf(row)] & Accumulator);
  x.report(FindingKind::AsyncNotWaited, op, firstLane(active),
           std::string(writes ? "writes" : "reads") + " a register that is " +
               (isFactor ? "a fragment of A" : "an accumulator") + " of the wgmma.mma_async issued at " +
               x.grid->program->lineText(use.operation) + ", which has not been waited for",
           {"wait by wgmma.wait_group until at most the later groups are pending"}, writes ? 2 : 1);
}

/// wgmma.mma_async says itself what it does, by issue().
static bool isWgmma(const Operation &op) {
  return op.kind == InstructionClass::MatrixProduct && op.text && op.text->opcode == "wgmma";
}

void WgmmaRegisters::note(Execution &x, const Operation &op, LaneMask active) {
  if (isWgmma(op))
    return;
  for (unsigned i = 0; inFlight && i < op.destinations + op.sources; ++i) {
    uint8_t flag = flags[slotOf(op.rows[i])];
    bool writes = i < op.destinations;
    // Fragments of A may be read.
    if ((flag & Accumulator) || ((flag & Factor) && writes))
      reportTouch(x, op, active, op.rows[i], writes);
  }
  for (unsigned i = 0; i < op.destinations; ++i)
    flags[slotOf(op.rows[i])] |= Written;
}

void WgmmaRegisters::issue(Execution &x, const Operation &op, const Row *accumulators, unsigned accumulatorCount,
                           const Row *factors, unsigned factorCount, uint32_t shape, uint64_t group) {
  bool missing = !fenced;
  unsigned lane = firstLane(x.warp->alive);
  auto look = [&](Row row, bool isAccumulator) {
    uint8_t flag = flags[slotOf(row)];
    missing |= (flag & Written) != 0;
    if (!(flag & InFlight))
      return;
    const Use &use = uses[slotOf(row)];
    bool sameRole = ((flag & Accumulator) != 0) == isAccumulator && (!isAccumulator || use.shape == shape);
    if (!sameRole)
      x.report(FindingKind::AsyncNotWaited, op, lane,
               std::string(isAccumulator ? "an accumulator" : "a fragment of A") +
                   " is used by the wgmma.mma_async issued at " + x.grid->program->lineText(use.operation) +
                   " in another way, which has not been waited for",
               {"only accumulators of operations of the same shape need no wait in between"}, 3);
  };
  for (unsigned i = 0; i < accumulatorCount; ++i)
    look(accumulators[i], true);
  for (unsigned i = 0; i < factorCount; ++i)
    look(factors[i], false);
  if (missing)
    x.report(FindingKind::AsyncNotWaited, op, lane,
             "registers of wgmma.mma_async were written before it without a wgmma.fence in between",
             {"place wgmma.fence.sync.aligned between writing accumulators or fragments of A and the first "
              "wgmma.mma_async that uses them"},
             4);
  auto take = [&](Row row, Flag role) {
    uint8_t &flag = flags[slotOf(row)];
    inFlight += !(flag & InFlight);
    // One report of a missing fence is enough.
    flag = role;
    uses[slotOf(row)] = {group, op.index, shape};
  };
  for (unsigned i = 0; i < factorCount; ++i)
    take(factors[i], Factor);
  for (unsigned i = 0; i < accumulatorCount; ++i)
    take(accumulators[i], Accumulator);
  fenced = true;
}

void WgmmaRegisters::complete(uint64_t groups) {
  if (!inFlight)
    return;
  for (size_t i = 0; i < flags.size(); ++i)
    if ((flags[i] & InFlight) && uses[i].group < groups) {
      flags[i] &= static_cast<uint8_t>(~InFlight);
      --inFlight;
    }
}

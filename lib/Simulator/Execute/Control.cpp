/// Branches and ends (PTX ISA, "Control Flow Instructions", "Miscellaneous Instructions").
#include "lib/Simulator/Execute/Control.h"

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

using namespace tilec;
using namespace tilec::sim;
using ptx::Operand;

//===----------------------------------------------------------------------===//
// bra, brx.idx
//===----------------------------------------------------------------------===//

/// `.uni` promises that all lanes that come to a branch together go the same way (PTX ISA, "bra", "brx.idx").
static void checkUniform(Execution &x, const Operation &op, LaneMask taken) {
  LaneMask others = x.split->lanes & ~taken;
  if (!x.check || !op.data[1] || !taken || !others)
    return;
  x.report(FindingKind::InvalidOperand, op, firstLane(taken),
           "the branch is marked .uni, but lane " + std::to_string(firstLane(taken)) +
               " of the warp goes another way than lane " + std::to_string(firstLane(others)),
           {"leave .uni away where lanes of a warp may differ"});
}

static Outcome runBranch(Execution &x, const Operation &op, LaneMask active) {
  checkUniform(x, op, active);
  return x.branch(op, active, static_cast<uint32_t>(op.data[0]));
}

static bool bindBranch(Binder &b) {
  b.operation.data[1] = b.take("uni");
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runBranch;
  b.label(0, &b.operation.data[0]);
  return b.finish();
}

void sim::tryAgain(Warp &warp, uint32_t pc, LaneMask lanes) {
  for (Split &rest : warp.splits)
    if (rest.pc == pc + 1 && (rest.lanes & lanes))
      rest.pc = pc;
}

/// The lanes go where their index says; one group of equal targets at a time, the rest tries again.
static Outcome runIndexedBranch(Execution &x, const Operation &op, LaneMask active) {
  const auto &targets = op.detailAs<std::vector<uint64_t>>();
  LaneMask defined = x.requireDefined(op, op.source(0), active, "branch");
  if (!defined)
    return x.exit(op, active);
  const auto *index = x.row<uint32_t>(op.source(0));
  uint32_t first = index[firstLane(defined)];
  if (first >= targets.size()) {
    x.stop(FindingKind::InvalidOperand, op, firstLane(defined),
           "index " + std::to_string(first) + " of a list of " + std::to_string(targets.size()) + " branch targets");
    return x.exit(op, active);
  }
  LaneMask same = 0;
  forLanes(defined, [&](unsigned lane) { same |= static_cast<LaneMask>(index[lane] == first) << lane; });
  checkUniform(x, op, same);
  auto target = static_cast<uint32_t>(targets[first]);
  if (same == x.split->lanes)
    return x.jump(target);
  uint32_t pc = x.split->pc;
  Outcome outcome = x.divert(same, target, x.split->returns);
  tryAgain(*x.warp, pc, active & ~same);
  return outcome;
}

static bool bindIndexedBranch(Binder &b) {
  if (!b.take("idx"))
    return b.fail("expected .idx");
  b.operation.data[1] = b.take("uni");
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runIndexedBranch;
  b.source(0, ptx::Type::U32);
  const Operand &list = b.operand(1);
  auto found = b.function.labelLists.find(list.name);
  if (found == b.function.labelLists.end())
    return b.fail("expected a list of branch targets, found '" + list.name + "'");
  std::vector<uint64_t> targets;
  for (const std::string &name : found->second.names) {
    auto label = b.function.labels.find(name);
    if (label == b.function.labels.end())
      return b.fail("label '" + name + "' is not declared");
    targets.push_back(static_cast<uint64_t>(b.builder().startOf(b.function)) + label->second);
  }
  b.operation.detail = b.builder().program().keep(std::move(targets));
  return b.finish();
}

//===----------------------------------------------------------------------===//
// exit, trap, and what does nothing here
//===----------------------------------------------------------------------===//

static Outcome runExit(Execution &x, const Operation &op, LaneMask active) { return x.exit(op, active); }

static Outcome runTrap(Execution &x, const Operation &op, LaneMask active) {
  x.stop(FindingKind::Trap, op, firstLane(active), "the program executed a trap");
  return x.exit(op, active);
}

static Outcome runNothing(Execution &, const Operation &, LaneMask) { return Outcome::Next; }

/// A thread that sleeps lets others run.
static Outcome runSleep(Execution &x, const Operation &, LaneMask) {
  x.poll();
  return Outcome::Next;
}

static bool bindExit(Binder &b) {
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runExit;
  return b.finish();
}

static bool bindTrap(Binder &b) {
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runTrap;
  return b.finish();
}

static bool bindSleep(Binder &b) {
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runSleep;
  b.operation.propagate = nullptr;
  if (b.takeType() != ptx::Type::U32)
    return b.fail("expected .u32");
  b.source(0, ptx::Type::U32);
  return b.finish();
}

static bool bindEvent(Binder &b) {
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runNothing;
  (void)b.take("mask");
  (void)b.constant(0);
  return b.finish();
}

void sim::addControlInstructions(InstructionTable &table) {
  table["bra"] = bindBranch;
  table["brx"] = bindIndexedBranch;
  table["call"] = bindCall;
  table["ret"] = bindReturn;
  table["exit"] = bindExit;
  table["trap"] = bindTrap;
  table["brkpt"] = bindTrap;
  table["nanosleep"] = bindSleep;
  table["pmevent"] = bindEvent;
}

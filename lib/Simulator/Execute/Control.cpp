/// Branches, calls and ends (PTX ISA, "Control Flow Instructions", "Miscellaneous Instructions").
///
/// A function's registers and variables exist once per warp, so calls need no frames: arguments are copied from the
/// caller's `.param` variables to the callee's when the call is taken, results back when it returns. A call of a
/// function that is active already puts that activation's registers and variables aside until it returns.
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/ProgramBuilder.h"

#include <algorithm>

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
  // divert() sets the others one operation on: back to this one, unless the guard keeps them out.
  Split *split = x.split;
  uint32_t pc = split->pc;
  Outcome outcome = x.divert(same, target, split->returns);
  for (Split &rest : x.warp->splits)
    if (rest.pc == pc + 1 && (rest.lanes & active & ~same))
      rest.pc = pc;
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
// call, ret
//===----------------------------------------------------------------------===//

namespace {
/// One argument or result on its way: between local variables, or between register rows.
struct Transfer {
  bool registers = false;
  uint32_t from = 0, to = 0, bytes = 0;
  Row fromRow, toRow;
};
struct Call {
  /// Functions by number plus 1, for indirect calls; a direct call has one entry and no row to look at.
  bool direct = true;
  struct Target {
    uint64_t number = 0;
    uint32_t start = 0;
    std::vector<Transfer> arguments, results;
  };
  std::vector<Target> targets;
};
} // namespace

static void transfer(Execution &x, const std::vector<Transfer> &transfers, LaneMask lanes) {
  for (const Transfer &t : transfers) {
    if (!t.registers) {
      forLanes(lanes, [&](unsigned lane) {
        Region &local = *x.warp->local[lane];
        std::memcpy(local.bytes + t.to, local.bytes + t.from, t.bytes);
        if (!local.undefined)
          return;
        std::vector<std::byte> bits(t.bytes);
        local.undefined->read(t.from, bits.data(), t.bytes);
        local.undefined->write(t.to, bits.data(), t.bytes);
      });
      continue;
    }
    forLanes(lanes, [&](unsigned lane) {
      x.setValue(t.toRow, lane, x.value(t.fromRow, lane));
      if (x.check)
        x.setUndefinedBits(t.toRow, lane, x.undefinedBits(t.fromRow, lane));
    });
  }
}

/// The function that an operation belongs to.
static const Program::FunctionPart &functionAt(const Program &program, uint32_t pc) {
  auto next = std::upper_bound(program.functions.begin(), program.functions.end(), pc,
                               [](uint32_t pc, const Program::FunctionPart &part) { return pc < part.start; });
  return *(next - 1);
}

static size_t rowBytes(Row row) { return row.isPredicate() ? sizeof(LaneMask) : size_t(row.bytes) * warpSize; }

/// Copies what the function has in registers and local memory.
static std::shared_ptr<const SavedActivation> saveActivation(Execution &x, const Program::FunctionPart &part) {
  auto saved = std::make_shared<SavedActivation>();
  for (Row row : part.rows) {
    saved->rows.insert(saved->rows.end(), x.registers + row.offset, x.registers + row.offset + rowBytes(row));
    if (!x.check)
      continue;
    size_t at = saved->undefinedRows.size();
    saved->undefinedRows.resize(at + rowBytes(row));
    if (x.rowMayBeUndefined(row))
      std::memcpy(saved->undefinedRows.data() + at, x.undefined + row.offset, rowBytes(row));
  }
  uint32_t bytes = part.localEnd - part.localBegin;
  for (const std::unique_ptr<Region> &local : x.warp->local) {
    saved->locals.insert(saved->locals.end(), local->bytes + part.localBegin, local->bytes + part.localEnd);
    if (!local->undefined)
      continue;
    size_t at = saved->undefinedLocals.size();
    saved->undefinedLocals.resize(at + bytes);
    local->undefined->read(part.localBegin, saved->undefinedLocals.data() + at, bytes);
  }
  return saved;
}

/// Puts the lanes' part back.
static void restoreActivation(Execution &x, const Program::FunctionPart &part, const SavedActivation &saved,
                              LaneMask lanes) {
  size_t at = 0;
  for (Row row : part.rows) {
    auto blend = [&](std::byte *to, const std::byte *from) {
      if (row.isPredicate()) {
        LaneMask old, kept;
        std::memcpy(&old, from, sizeof old);
        std::memcpy(&kept, to, sizeof kept);
        kept = (kept & ~lanes) | (old & lanes);
        std::memcpy(to, &kept, sizeof kept);
        return;
      }
      forLanes(lanes, [&](unsigned lane) { std::memcpy(to + lane * row.bytes, from + lane * row.bytes, row.bytes); });
    };
    blend(x.registers + row.offset, saved.rows.data() + at);
    if (x.check) {
      if (!x.rowMayBeUndefined(row))
        std::memset(x.undefined + row.offset, 0, rowBytes(row));
      x.noteUndefined(row);
      blend(x.undefined + row.offset, saved.undefinedRows.data() + at);
    }
    at += rowBytes(row);
  }
  uint32_t bytes = part.localEnd - part.localBegin;
  forLanes(lanes, [&](unsigned lane) {
    if (x.warp->local.empty())
      return;
    Region &local = *x.warp->local[lane];
    std::memcpy(local.bytes + part.localBegin, saved.locals.data() + size_t(lane) * bytes, bytes);
    if (local.undefined)
      local.undefined->write(part.localBegin, saved.undefinedLocals.data() + size_t(lane) * bytes, bytes);
  });
}

/// As transfer, for results of an activation that was put aside.
static void transferSaved(Execution &x, const std::vector<Transfer> &transfers, const Program::FunctionPart &part,
                          const SavedActivation &from, LaneMask lanes) {
  for (const Transfer &t : transfers) {
    if (!t.registers) {
      size_t laneBytes = part.localEnd - part.localBegin;
      forLanes(lanes, [&](unsigned lane) {
        Region &local = *x.warp->local[lane];
        size_t at = lane * laneBytes + t.from - part.localBegin;
        std::memcpy(local.bytes + t.to, from.locals.data() + at, t.bytes);
        if (local.undefined)
          local.undefined->write(t.to, from.undefinedLocals.data() + at, t.bytes);
      });
      continue;
    }
    size_t at = 0;
    for (Row row : part.rows) {
      if (row.offset == t.fromRow.offset)
        break;
      at += rowBytes(row);
    }
    // A predicate cannot be a parameter, so every row here has bytes.
    forLanes(lanes, [&](unsigned lane) {
      uint64_t value = 0, bits = 0;
      std::memcpy(&value, from.rows.data() + at + lane * t.fromRow.bytes, t.fromRow.bytes);
      x.setValue(t.toRow, lane, value);
      if (!x.check)
        return;
      std::memcpy(&bits, from.undefinedRows.data() + at + lane * t.fromRow.bytes, t.fromRow.bytes);
      x.setUndefinedBits(t.toRow, lane, bits);
    });
  }
}

/// Calls inside each other: more are a recursion that does not end, or need more stack than a GPU has (512 KiB a thread).
static constexpr size_t mostCalls = 4096;

static Outcome runCall(Execution &x, const Operation &op, LaneMask active) {
  const auto &call = op.detailAs<Call>();
  const Call::Target *target = &call.targets.front();
  LaneMask lanes = active;
  if (!call.direct) {
    lanes = x.requireDefined(op, op.source(0), active, "call target");
    uint64_t number = lanes ? x.value(op.source(0), firstLane(lanes)) : 0;
    auto found = std::find_if(call.targets.begin(), call.targets.end(),
                              [&](const Call::Target &candidate) { return candidate.number == number; });
    if (found == call.targets.end()) {
      x.stop(FindingKind::InvalidOperand, op, firstLane(active),
             "call of " + std::to_string(number) + ", which is no function of the program");
      return x.exit(op, active);
    }
    target = &*found;
    forLanes(lanes, [&](unsigned lane) {
      if (x.value(op.source(0), lane) != number)
        lanes &= ~(1u << lane);
    });
  }
  const Program &program = *x.grid->program;
  const Program::FunctionPart &callee = functionAt(program, target->start);
  std::vector<Return> returns = x.split->returns;
  if (returns.size() >= mostCalls) {
    x.stop(FindingKind::NoProgress, op, firstLane(active),
           "calls are nested " + std::to_string(mostCalls) + " deep",
           {"the recursion does not end, or needs more stack than a GPU has"});
    return x.exit(op, active);
  }
  bool isRecursive = &functionAt(program, op.index) == &callee ||
                     std::any_of(returns.begin(), returns.end(),
                                 [&](const Return &entry) { return &functionAt(program, entry.call) == &callee; });
  Return back;
  back.call = op.index;
  if (isRecursive)
    back.saved = saveActivation(x, callee);
  transfer(x, target->arguments, lanes);
  returns.push_back(std::move(back));
  uint32_t pc = x.split->pc;
  Outcome outcome = x.divert(lanes, target->start, std::move(returns));
  // Lanes that call something else come back to this operation.
  if (lanes != active)
    for (Split &rest : x.warp->splits)
      if (rest.pc == pc + 1 && (rest.lanes & active & ~lanes))
        rest.pc = pc;
  return outcome;
}

static Outcome runReturn(Execution &x, const Operation &op, LaneMask active) {
  std::vector<Return> returns = x.split->returns;
  if (returns.empty())
    return x.exit(op, active);
  const Program &program = *x.grid->program;
  Return back = returns.back();
  returns.pop_back();
  const Program::FunctionPart &callee = functionAt(program, op.index);
  for (const Call::Target &target : program.operations[back.call].detailAs<Call>().targets) {
    if (target.start != callee.start)
      continue;
    if (!back.saved) {
      transfer(x, target.results, active);
      break;
    }
    // The results lie in what is about to be put back, and may go there too: they wait in a copy.
    std::shared_ptr<const SavedActivation> inner = saveActivation(x, callee);
    restoreActivation(x, callee, *back.saved, active);
    transferSaved(x, target.results, callee, *inner, active);
  }
  return x.divert(active, back.call + 1, std::move(returns));
}

/// Pairs the operands of a call with a function's parameters (or results).
static bool pairArguments(Binder &b, const std::vector<Operand> &operands, const std::vector<ptx::Variable> &variables,
                          bool results, const std::string &callee, std::vector<Transfer> &transfers) {
  if (operands.size() != variables.size())
    return b.fail("'" + callee + "' has " + std::to_string(variables.size()) + (results ? " results" : " parameters") +
                  ", found " + std::to_string(operands.size()));
  Program &program = b.builder().program();
  for (size_t i = 0; i < operands.size(); ++i) {
    const ptx::Variable &inside = variables[i];
    Transfer t;
    if (inside.inRegister) {
      t.registers = true;
      const ptx::Function *function = b.builder().module().findFunction(callee);
      Row calleeRow = b.builder().registerRow(*function, inside.reg);
      Row callerRow = results ? b.destination(operands[i], inside.type) : b.source(operands[i], inside.type);
      t.fromRow = results ? calleeRow : callerRow;
      t.toRow = results ? callerRow : calleeRow;
    } else {
      const ptx::Variable *outside =
          operands[i].kind == Operand::Kind::Symbol ? b.builder().findVariable(b.function, operands[i].name) : nullptr;
      if (!outside || !program.localOffsets.count(outside))
        return b.fail("expected a .param variable for '" + inside.name + "', found '" + operands[i].name + "'");
      if (outside->bytes() != inside.bytes())
        return b.fail("'" + outside->name + "' has " + std::to_string(outside->bytes()) + " bytes, '" + inside.name +
                      "' of '" + callee + "' has " + std::to_string(inside.bytes()));
      uint32_t outer = program.localOffsets[outside], inner = program.localOffsets[&inside];
      t.from = results ? inner : outer;
      t.to = results ? outer : inner;
      t.bytes = static_cast<uint32_t>(inside.bytes());
      // Arrays without a size take no memory, and a program may have no other local variables.
      if (t.bytes == 0)
        continue;
    }
    transfers.push_back(t);
  }
  return true;
}

/// Whether a function's parameters and results have the sizes of the variables that a call passes.
static bool sizesAgree(Binder &b, const std::vector<Operand> &operands, const std::vector<ptx::Variable> &variables) {
  if (operands.size() != variables.size())
    return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ptx::Variable *outside =
        operands[i].kind == Operand::Kind::Symbol ? b.builder().findVariable(b.function, operands[i].name) : nullptr;
    if (outside && !variables[i].inRegister && outside->bytes() != variables[i].bytes())
      return false;
  }
  return true;
}

/// A function of the system, which has no body in the module: what it would do is not simulated.
static Outcome runMissing(Execution &x, const Operation &op, LaneMask active) {
  const auto &name = op.detailAs<std::string>();
  if (name == "__assertfail")
    x.stop(FindingKind::Trap, op, firstLane(active), "an assertion of the program failed");
  else
    x.stop(FindingKind::Unsupported, op, firstLane(active),
           "call of '" + name + "', which has no body in the module; the simulator has no such function");
  return x.exit(op, active);
}

static bool bindCall(Binder &b) {
  (void)b.take("uni");
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runCall;
  // call (results), callee, (arguments), prototype: the lists may be absent.
  size_t i = 0;
  static const std::vector<Operand> none;
  const std::vector<Operand> *results = &none, *arguments = &none;
  if (i < b.operandCount() && b.operand(i).kind == Operand::Kind::List)
    results = &b.operand(i++).elements;
  const Operand &callee = b.operand(i++);
  if (i < b.operandCount() && b.operand(i).kind == Operand::Kind::List)
    arguments = &b.operand(i++).elements;
  if (i < b.operandCount())
    (void)b.operand(i++);

  Call call;
  const ptx::Module &module = b.builder().module();
  std::vector<const ptx::Function *> candidates;
  if (callee.kind == Operand::Kind::Symbol) {
    const ptx::Function *function = module.findFunction(callee.name);
    if (!function)
      return b.fail("function '" + callee.name + "' is not declared");
    if (function->isKernel)
      return b.fail("'" + callee.name + "' is a kernel, which cannot be called");
    if (!function->hasBody) {
      b.operation.detail = b.builder().program().keep(callee.name);
      b.operation.run = runMissing;
      return b.finish();
    }
    candidates.push_back(function);
  } else {
    call.direct = false;
    for (const std::unique_ptr<ptx::Function> &function : module.functions)
      if (!function->isKernel && function->hasBody && b.builder().startOf(*function) >= 0 &&
          sizesAgree(b, *arguments, function->parameters) && sizesAgree(b, *results, function->results))
        candidates.push_back(function.get());
    if (candidates.empty())
      return b.fail("no function of the module can be the target of this indirect call");
  }
  if (!call.direct)
    b.source(callee, ptx::Type::None);
  for (const ptx::Function *function : candidates) {
    Call::Target target;
    target.number = static_cast<uint64_t>(b.builder().numberOf(*function) + 1);
    target.start = static_cast<uint32_t>(b.builder().startOf(*function));
    if (!pairArguments(b, *results, function->results, true, function->name, target.results) ||
        !pairArguments(b, *arguments, function->parameters, false, function->name, target.arguments))
      return false;
    call.targets.push_back(std::move(target));
  }
  b.operation.detail = b.builder().program().keep(std::move(call));
  return b.finish();
}

static bool bindReturn(Binder &b) {
  (void)b.take("uni");
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runReturn;
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

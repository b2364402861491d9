/// call and ret (PTX ISA, "call", "ret").
///
/// A function's registers and variables exist once per warp, so calls need no frames: arguments are copied from the
/// caller's `.param` variables to the callee's when the call is taken, results back when it returns. A call of a
/// function that is active already puts that activation's registers and variables aside until it returns.
#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Control.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;
using ptx::Operand;

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

/// Calls within calls. The stack of a thread is limited to 512 KiB of local memory, and a level of recursion takes more
/// than a hundred bytes of it; a recursion without an end is to be told from the host's running out of memory.
static constexpr size_t deepestCalls = 4096;

static Outcome runCall(Execution &x, const Operation &op, LaneMask active) {
  if (x.split->returns.size() >= deepestCalls) {
    x.stop(FindingKind::Budget, op, firstLane(active),
           "calls lie more than " + std::to_string(deepestCalls) + " deep within each other");
    return x.exit(op, active);
  }
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
  // Lanes that call something else.
  tryAgain(*x.warp, pc, active & ~lanes);
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

/// The variable that an operand of a call names; null: none.
static const ptx::Variable *passedVariable(Binder &b, const Operand &operand) {
  return operand.kind == Operand::Kind::Symbol ? b.builder().findVariable(b.function, operand.name) : nullptr;
}

/// Whether there are as many operands as the function has parameters (or results).
static bool countsAgree(Binder &b, const std::vector<Operand> &operands, const ptx::Function &callee, bool results) {
  size_t count = (results ? callee.results : callee.parameters).size();
  if (operands.size() == count)
    return true;
  return b.fail("'" + callee.name + "' has " + std::to_string(count) + (results ? " results" : " parameters") +
                ", found " + std::to_string(operands.size()));
}

/// Adds the operands that are passed in registers to the operation. An entry for each operand.
static std::vector<Row> bindPassed(Binder &b, const std::vector<Operand> &operands,
                                   const std::vector<ptx::Variable> &variables, bool results) {
  std::vector<Row> rows(operands.size());
  for (size_t i = 0; i < operands.size(); ++i)
    if (variables[i].inRegister)
      rows[i] = results ? b.destination(operands[i], variables[i].type) : b.source(operands[i], variables[i].type);
  return rows;
}

/// Pairs the operands of a call, and the rows of those in registers, with a function's parameters (or results).
static bool pairPassed(Binder &b, const std::vector<Operand> &operands, const std::vector<Row> &rows,
                       const ptx::Function &callee, bool results, std::vector<Transfer> &transfers) {
  const std::vector<ptx::Variable> &variables = results ? callee.results : callee.parameters;
  Program &program = b.builder().program();
  for (size_t i = 0; i < operands.size(); ++i) {
    const ptx::Variable &inside = variables[i];
    Transfer t;
    if (inside.inRegister) {
      t.registers = true;
      Row calleeRow = b.builder().registerRow(callee, inside.reg);
      t.fromRow = results ? calleeRow : rows[i];
      t.toRow = results ? rows[i] : calleeRow;
    } else {
      const ptx::Variable *outside = passedVariable(b, operands[i]);
      if (!outside || !program.localOffsets.count(outside))
        return b.fail("expected a .param variable for '" + inside.name + "', found '" + operands[i].name + "'");
      if (outside->bytes() != inside.bytes())
        return b.fail("'" + outside->name + "' has " + std::to_string(outside->bytes()) + " bytes, '" + inside.name +
                      "' of '" + callee.name + "' has " + std::to_string(inside.bytes()));
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

/// Whether an indirect call with these operands may mean a function with these parameters or results: they are as many,
/// of the same sizes, and registers and variables at the same places.
static bool mayBePassed(Binder &b, const std::vector<Operand> &operands, const std::vector<ptx::Variable> &variables) {
  if (operands.size() != variables.size())
    return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ptx::Variable *outside = passedVariable(b, operands[i]);
    if (variables[i].inRegister != !outside || (outside && outside->bytes() != variables[i].bytes()))
      return false;
    if (operands[i].kind == Operand::Kind::Register &&
        ptx::typeBytes(b.function.registers[operands[i].reg].type) != ptx::typeBytes(variables[i].type))
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

bool sim::bindCall(Binder &b) {
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
          mayBePassed(b, *arguments, function->parameters) && mayBePassed(b, *results, function->results))
        candidates.push_back(function.get());
    if (candidates.empty())
      return b.fail("no function of the module can be the target of this indirect call");
  }
  const ptx::Function &first = *candidates.front();
  if (!countsAgree(b, *results, first, true) || !countsAgree(b, *arguments, first, false))
    return false;
  std::vector<Row> resultRows = bindPassed(b, *results, first.results, true);
  if (!call.direct)
    b.source(callee, ptx::Type::None);
  std::vector<Row> argumentRows = bindPassed(b, *arguments, first.parameters, false);
  for (const ptx::Function *function : candidates) {
    Call::Target target;
    target.number = static_cast<uint64_t>(b.builder().numberOf(*function) + 1);
    target.start = static_cast<uint32_t>(b.builder().startOf(*function));
    if (!pairPassed(b, *results, resultRows, *function, true, target.results) ||
        !pairPassed(b, *arguments, argumentRows, *function, false, target.arguments))
      return false;
    call.targets.push_back(std::move(target));
  }
  b.operation.detail = b.builder().program().keep(std::move(call));
  return b.finish();
}

bool sim::bindReturn(Binder &b) {
  (void)b.take("uni");
  b.operation.kind = InstructionClass::Control;
  b.operation.run = runReturn;
  return b.finish();
}

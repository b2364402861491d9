#include "lib/Simulator/Core/ProgramBuilder.h"

#include "lib/Simulator/Core/Instructions.h"
#include "lib/Simulator/Core/Memory.h"

#include <algorithm>
#include <cstdlib>

using namespace tilec;
using namespace tilec::sim;

/// Dynamic shared memory begins at a multiple of this at least, as the driver lays it out.
static constexpr uint32_t leastDynamicAlignment = 16;

/// What a thread, a launch and a block can have at most: 512 KiB of local memory and 32764 bytes of parameters (CUDA
/// C++ Programming Guide, "Technical Specifications per Compute Capability"; PTX ISA, "Parameter State Space"). Whether
/// the device has so much shared memory is asked at the launch, which adds the dynamic part.
static constexpr uint64_t mostLocalBytes = 512 << 10, mostParameterBytes = 32764, mostSharedBytes = 1 << 30;
/// Rows of a warp's registers; a bound for the host's sake.
static constexpr uint32_t mostRegisterBytes = 256 << 20;

static uint32_t alignTo(uint64_t value, uint64_t alignment) {
  return static_cast<uint32_t>((value + alignment - 1) / alignment * alignment);
}

ProgramBuilder::ProgramBuilder(std::shared_ptr<const ptx::Module> module, std::shared_ptr<const std::string> text,
                               const mlir::tile::Target &device)
    : ptxModule(std::move(module)), text(std::move(text)), target(device) {
  const std::string &name = ptxModule->target;
  if (name.rfind("sm_", 0) == 0) {
    sm = static_cast<unsigned>(std::strtoul(name.c_str() + 3, nullptr, 10));
    hasFeatures = name.back() == 'a' || name.back() == 'f';
  }
  for (const ptx::Variable &variable : ptxModule->variables)
    moduleScope.emplace(variable.name, &variable);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Row ProgramBuilder::newRow(unsigned bytes) {
  Row row;
  row.bytes = static_cast<uint8_t>(bytes);
  row.offset = result->registerBytes;
  if (result->registerBytes > mostRegisterBytes) {
    if (layoutError.message.empty())
      layoutError = {result->kernel->location, "kernel '" + result->kernel->name + "' has too many registers"};
    row.offset = 0;
    return row;
  }
  result->registerBytes += alignTo(bytes == 0 ? sizeof(LaneMask) : bytes * warpSize, rowAlignment);
  return row;
}

Row ProgramBuilder::registerRow(const ptx::Function &function, uint32_t reg, int component) {
  auto [found, added] = registerRows.try_emplace({&function, reg, component});
  if (added) {
    ptx::Type type = function.registers[reg].type;
    found->second = newRow(type == ptx::Type::Predicate ? 0 : ptx::typeBytes(type));
  }
  return found->second;
}

Row ProgramBuilder::constantRow(uint64_t value, unsigned bytes) {
  if (bytes == 0)
    value &= 1;
  else if (bytes < 8)
    value &= (uint64_t(1) << (bytes * 8)) - 1;
  auto [found, added] = constantRows.try_emplace({value, bytes});
  if (added) {
    found->second = newRow(bytes);
    InitialRow initial;
    initial.row = found->second;
    initial.value = value;
    result->initialRows.push_back(std::move(initial));
  }
  return found->second;
}

Row ProgramBuilder::specialRow(const std::string &name, unsigned bytes) {
  auto [found, added] = specialRows.try_emplace({name, bytes});
  if (added) {
    found->second = newRow(bytes);
    InitialRow initial;
    initial.kind = InitialRow::Kind::Special;
    initial.row = found->second;
    initial.special = name;
    result->initialRows.push_back(std::move(initial));
  }
  return found->second;
}

Row ProgramBuilder::symbolRow(const ptx::Variable &variable, int64_t offset, unsigned bytes) {
  auto [found, added] = symbolRows.try_emplace({&variable, offset, bytes});
  if (!added)
    return found->second;
  found->second = newRow(bytes);
  InitialRow initial;
  initial.kind = InitialRow::Kind::Symbol;
  initial.row = found->second;
  initial.value = static_cast<uint64_t>(offset);
  initial.symbol = &variable;
  result->initialRows.push_back(std::move(initial));
  // Shared variables take memory when something names them, as in ptxas; arrays without a size are the dynamic part.
  if (variable.space == ptx::Space::Shared && variable.bytes() != 0 && !result->sharedOffsets.count(&variable)) {
    result->sharedOffsets[&variable] = place(variable, result->staticSharedBytes, mostSharedBytes);
  }
  if (variable.space == ptx::Space::Shared && variable.bytes() == 0)
    dynamicSharedAlignment = std::max(dynamicSharedAlignment, static_cast<uint32_t>(variable.alignment));
  return found->second;
}

Row ProgramBuilder::namedRow(const ptx::Function &function, const std::string &name, unsigned bytes) {
  auto [found, added] = namedRows.try_emplace({&function, name, bytes});
  if (added)
    found->second = newRow(bytes);
  return found->second;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

const ptx::Variable *ProgramBuilder::findVariable(const ptx::Function &function, std::string_view name) const {
  if (auto scope = scopes.find(&function); scope != scopes.end())
    if (auto found = scope->second.find(name); found != scope->second.end())
      return found->second;
  auto found = moduleScope.find(name);
  return found == moduleScope.end() ? nullptr : found->second;
}

int64_t ProgramBuilder::startOf(const ptx::Function &function) const {
  auto found = starts.find(&function);
  return found == starts.end() ? -1 : found->second;
}

int64_t ProgramBuilder::numberOf(const ptx::Function &function) const {
  if (!starts.count(&function))
    return -1;
  const auto &all = ptxModule->functions;
  return std::find_if(all.begin(), all.end(), [&](const auto &other) { return other.get() == &function; }) -
         all.begin();
}

bool ProgramBuilder::isKernelParameter(const ptx::Variable &variable) const {
  return result->parameterOffsets.count(&variable) != 0;
}

/// Names of functions that an operand mentions.
static void collectNames(const ptx::Operand &operand, std::vector<std::string_view> &names) {
  if (operand.kind == ptx::Operand::Kind::Symbol)
    names.push_back(operand.name);
  for (const ptx::Operand &element : operand.elements)
    collectNames(element, names);
}

void ProgramBuilder::collectFunctions(const ptx::Function &function) {
  if (!starts.try_emplace(&function, 0).second)
    return;
  // No recursion: a chain of calls may be as long as the text.
  size_t next = functions.size();
  functions.push_back(&function);
  std::vector<std::string_view> names;
  for (; next < functions.size(); ++next)
    for (const ptx::Instruction &instruction : functions[next]->instructions) {
      names.clear();
      for (const ptx::Operand &operand : instruction.operands)
        collectNames(operand, names);
      for (std::string_view name : names)
        if (const ptx::Function *called = ptxModule->findFunction(name);
            called && called->hasBody && starts.try_emplace(called, 0).second)
          functions.push_back(called);
    }
}

void ProgramBuilder::collectFromVariables(const std::vector<ptx::Variable> &variables) {
  for (const ptx::Variable &variable : variables)
    for (const ptx::Variable::Relocation &hole : variable.relocations)
      if (const ptx::Function *named = ptxModule->findFunction(hole.symbol); named && named->hasBody)
        collectFunctions(*named);
}

//===----------------------------------------------------------------------===//
// Layout of parameters and local memory
//===----------------------------------------------------------------------===//

uint32_t ProgramBuilder::place(const ptx::Variable &variable, uint32_t &total, uint64_t most) {
  uint64_t alignment = std::max<uint64_t>(variable.alignment, 1);
  uint64_t at = (total + alignment - 1) / alignment * alignment;
  // The parser keeps a variable below 2^48 bytes and an alignment below 2^32.
  if (at + variable.bytes() > most) {
    if (layoutError.message.empty())
      layoutError = {variable.location, "variable '" + variable.name + "' of " + std::to_string(variable.bytes()) +
                                            " bytes: with it, '." + ptx::spaceName(variable.space) + "' has " +
                                            std::to_string(at + variable.bytes()) + " bytes, at most " +
                                            std::to_string(most) + " are possible"};
    return 0;
  }
  total = static_cast<uint32_t>(at + variable.bytes());
  return static_cast<uint32_t>(at);
}

void ProgramBuilder::layOutParameters(const ptx::Function &kernel) {
  for (const ptx::Variable &parameter : kernel.parameters) {
    uint32_t at = place(parameter, result->parameterBytes, mostParameterBytes);
    result->parameterOffsets[&parameter] = at;
    result->parameters.push_back({at, static_cast<uint32_t>(parameter.bytes())});
  }
}

void ProgramBuilder::layOutLocals(const ptx::Function &function) {
  auto &scope = scopes[&function];
  auto enter = [&](const std::vector<ptx::Variable> &variables, bool places) {
    for (const ptx::Variable &variable : variables) {
      scope.emplace(variable.name, &variable);
      bool ofThread = variable.space == ptx::Space::Local || variable.space == ptx::Space::Parameter;
      if (places && ofThread && !variable.inRegister)
        result->localOffsets[&variable] = place(variable, result->localBytes, mostLocalBytes);
    }
  };
  enter(function.parameters, !function.isKernel);
  enter(function.results, true);
  enter(function.variables, true);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool ProgramBuilder::decode(const ptx::Function &function, ptx::Error &error) {
  const InstructionTable &table = instructions();
  uint32_t start = starts[&function];
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction &instruction = function.instructions[i];
    Operation &operation = result->operations[start + i];
    operation.index = start + static_cast<uint32_t>(i);
    operation.text = &instruction;
    auto found = table.find(instruction.opcode);
    if (found == table.end()) {
      error = {instruction.location, "instruction '" + instruction.opcode + "' is not known"};
      return false;
    }
    if (instruction.guard >= 0) {
      operation.hasGuard = true;
      operation.guardNegated = instruction.guardNegated;
      Row guard = registerRow(function, static_cast<uint32_t>(instruction.guard));
      if (!guard.isPredicate()) {
        error = {instruction.location, "a guard must be a predicate, found '" +
                                           function.registers[static_cast<size_t>(instruction.guard)].name + "'"};
        return false;
      }
      operation.guard = guard.offset;
    }
    Binder binder(*this, function, instruction, operation);
    if (!found->second(binder)) {
      std::string reason = binder.error().empty() ? "this form is not known" : binder.error();
      std::string name = instruction.opcode;
      for (const std::string &modifier : instruction.modifiers)
        name += "." + modifier;
      error = {instruction.location, "'" + name + "': " + reason};
      return false;
    }
  }
  return true;
}

std::unique_ptr<Program> ProgramBuilder::build(const ptx::Function &kernel, ptx::Error &error) {
  result = std::make_unique<Program>();
  result->module = ptxModule;
  result->ptxText = text;
  result->kernel = &kernel;
  layoutError = {};
  functions.clear();
  starts.clear();
  registerRows.clear();
  constantRows.clear();
  specialRows.clear();
  symbolRows.clear();
  namedRows.clear();
  scopes.clear();
  dynamicSharedAlignment = leastDynamicAlignment;

  if (sm > target.sm || (hasFeatures && ptxModule->target != target.name)) {
    error = {{}, "the module is for " + ptxModule->target + ", the simulated device is " + std::string(target.name)};
    return nullptr;
  }
  collectFunctions(kernel);
  // Functions whose address a variable holds can be called through it; those have variables of their own.
  collectFromVariables(ptxModule->variables);
  for (size_t i = 0; i < functions.size(); ++i)
    collectFromVariables(functions[i]->variables);
  layOutParameters(kernel);
  uint32_t count = 0;
  for (const ptx::Function *function : functions) {
    Program::FunctionPart part;
    part.start = starts[function] = count;
    part.localBegin = result->localBytes;
    layOutLocals(*function);
    part.localEnd = result->localBytes;
    result->functions.push_back(std::move(part));
    count += static_cast<uint32_t>(function->instructions.size()) + 1;
  }
  result->operations.resize(count);
  bool fine = std::all_of(functions.begin(), functions.end(),
                          [&](const ptx::Function *function) { return decode(*function, error); });
  if (fine && !layoutError.message.empty()) {
    error = layoutError;
    fine = false;
  }
  if (!fine)
    return nullptr;
  // Falling off the end of a function is `ret`, of a kernel `exit`.
  static const ptx::Instruction implicitEnd = [] {
    ptx::Instruction instruction;
    instruction.opcode = "ret";
    return instruction;
  }();
  for (const ptx::Function *function : functions) {
    Operation &end = result->operations[starts[function] + function->instructions.size()];
    end.index = starts[function] + static_cast<uint32_t>(function->instructions.size());
    end.text = &implicitEnd;
    end.kind = InstructionClass::Control;
    Binder binder(*this, *function, implicitEnd, end);
    (void)instructions().at("ret")(binder);
  }
  auto partOf = [&](const ptx::Function *function) -> Program::FunctionPart & {
    auto place = std::find(functions.begin(), functions.end(), function) - functions.begin();
    return result->functions[static_cast<size_t>(place)];
  };
  for (const auto &[key, row] : registerRows)
    partOf(std::get<0>(key)).rows.push_back(row);
  for (const auto &[key, row] : namedRows)
    partOf(std::get<0>(key)).rows.push_back(row);
  result->dynamicSharedOffset = alignTo(result->staticSharedBytes, dynamicSharedAlignment);
  return std::move(result);
}

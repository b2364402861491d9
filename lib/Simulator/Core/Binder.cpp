#include "lib/Simulator/Core/Binder.h"

#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Core/SpecialRegisters.h"

#include <cstring>

using namespace tilec;
using namespace tilec::sim;
using ptx::Operand;

Binder::Binder(ProgramBuilder &builder, const ptx::Function &function, const ptx::Instruction &instruction,
               Operation &operation)
    : function(function), instruction(instruction), operation(operation), programBuilder(builder),
      taken(instruction.modifiers.size()), operandUsed(instruction.operands.size()) {}

bool Binder::fail(std::string reason) {
  if (message.empty())
    message = std::move(reason);
  return false;
}

unsigned Binder::targetSM() const { return programBuilder.moduleSM(); }
bool Binder::targetHasFeatures() const { return programBuilder.moduleHasFeatures(); }
unsigned Binder::ptxVersion() const { return programBuilder.module().version; }

bool Binder::require(unsigned sm) {
  if (targetSM() >= sm)
    return true;
  return fail("needs sm_" + std::to_string(sm) + " or later, the module is for " + programBuilder.module().target);
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Binder::take(std::string_view modifier) {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i] && instruction.modifiers[i] == modifier)
      return taken[i] = true;
  return false;
}

bool Binder::has(std::string_view modifier) const {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i] && instruction.modifiers[i] == modifier)
      return true;
  return false;
}

int Binder::takeOneOf(std::initializer_list<std::string_view> choices) {
  int number = 0;
  for (std::string_view choice : choices) {
    if (take(choice))
      return number;
    ++number;
  }
  return -1;
}

ptx::Type Binder::takeType() {
  for (size_t i = 0; i < taken.size(); ++i) {
    if (taken[i])
      continue;
    ptx::Type type = ptx::typeOfName(instruction.modifiers[i]);
    if (type == ptx::Type::None)
      continue;
    taken[i] = true;
    return type;
  }
  fail("expected a type");
  return ptx::Type::None;
}

std::string_view Binder::takeNext() {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) {
      taken[i] = true;
      return instruction.modifiers[i];
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static const Operand &missingOperand() {
  static const Operand none;
  return none;
}

static const char *kindText(Operand::Kind kind) {
  switch (kind) {
  case Operand::Kind::Register:
    return "a register";
  case Operand::Kind::Special:
    return "a special register";
  case Operand::Kind::Integer:
    return "an integer";
  case Operand::Kind::Float:
    return "a floating-point constant";
  case Operand::Kind::Address:
    return "an address";
  case Operand::Kind::Symbol:
    return "a name";
  case Operand::Kind::Vector:
    return "a vector";
  case Operand::Kind::Sink:
    return "'_'";
  case Operand::Kind::Pair:
    return "a pair";
  case Operand::Kind::List:
    return "a list";
  }
  return "an operand";
}

const Operand &Binder::operand(size_t i) const {
  if (i >= instruction.operands.size()) {
    const_cast<Binder *>(this)->fail("expected at least " + std::to_string(i + 1) + " operands, found " +
                                     std::to_string(instruction.operands.size()));
    return missingOperand();
  }
  const_cast<Binder *>(this)->operandUsed[i] = true;
  return instruction.operands[i];
}

bool Binder::isVector(size_t i) const { return i < operandCount() && operand(i).kind == Operand::Kind::Vector; }
bool Binder::isSink(size_t i) const { return i < operandCount() && operand(i).kind == Operand::Kind::Sink; }

static unsigned bytesOf(ptx::Type type) { return type == ptx::Type::Predicate ? 0 : ptx::typeBytes(type); }

Row Binder::destination(size_t i, ptx::Type type, bool mayBeWider) { return destination(operand(i), type, mayBeWider); }
Row Binder::source(size_t i, ptx::Type type, bool mayBeWider) { return source(operand(i), type, mayBeWider); }

/// What is wrong with a register of that width where `type` is wanted; empty: nothing.
static std::string widthFault(const ptx::Function &function, const Operand &operand, Row row, ptx::Type type,
                              bool mayBeWider) {
  if (type == ptx::Type::None)
    return {};
  bool fits = row.isPredicate() || type == ptx::Type::Predicate
                  ? row.isPredicate() && type == ptx::Type::Predicate
                  : row.bytes == bytesOf(type) || (mayBeWider && row.bytes > bytesOf(type));
  if (fits)
    return {};
  const ptx::Register &reg = function.registers[operand.reg];
  return "register '" + reg.name + "' of type ." + ptx::typeName(reg.type) + " where ." + ptx::typeName(type) +
         " is expected";
}

Row Binder::destination(const Operand &operand, ptx::Type type, bool mayBeWider) {
  Row row;
  if (operand.kind == Operand::Kind::Sink) {
    row = scratch(type == ptx::Type::None ? 8 : bytesOf(type));
  } else if (operand.kind == Operand::Kind::Register && !operand.negated) {
    row = programBuilder.registerRow(function, operand.reg, operand.component);
    if (std::string fault = widthFault(function, operand, row, type, mayBeWider); !fault.empty())
      fail(std::move(fault));
  } else {
    fail(std::string("expected a register as destination, found ") + kindText(operand.kind));
  }
  if (operation.sources != 0)
    fail("internal: a destination after a source");
  rows.push_back(row);
  ++operation.destinations;
  return row;
}

/// The bits of a constant in an instruction's type.
static bool constantBits(const Operand &operand, ptx::Type type, uint64_t &bits) {
  bits = operand.bits;
  if (operand.kind == Operand::Kind::Integer)
    return true;
  if (operand.type == ptx::Type::F32 && (type == ptx::Type::F32 || type == ptx::Type::B32))
    return true;
  if (operand.type == ptx::Type::F64 && (type == ptx::Type::F64 || type == ptx::Type::B64))
    return true;
  if (operand.type == ptx::Type::F64 && type == ptx::Type::F32) {
    double value;
    std::memcpy(&value, &operand.bits, sizeof value);
    auto narrowed = static_cast<float>(value);
    uint32_t narrowedBits;
    std::memcpy(&narrowedBits, &narrowed, sizeof narrowedBits);
    bits = narrowedBits;
    return true;
  }
  if (operand.type == ptx::Type::F32 && type == ptx::Type::F64) {
    auto narrow = static_cast<uint32_t>(operand.bits);
    float value;
    std::memcpy(&value, &narrow, sizeof value);
    double widened = value;
    std::memcpy(&bits, &widened, sizeof bits);
    return true;
  }
  return false;
}

Row Binder::source(const Operand &operand, ptx::Type type, bool mayBeWider) {
  Row row;
  switch (operand.kind) {
  case Operand::Kind::Register:
    row = programBuilder.registerRow(function, operand.reg, operand.component);
    if (operand.negated)
      fail("'!' is not allowed here");
    if (std::string fault = widthFault(function, operand, row, type, mayBeWider); !fault.empty())
      fail(std::move(fault));
    break;
  case Operand::Kind::Integer:
  case Operand::Kind::Float: {
    uint64_t bits = 0;
    if (type == ptx::Type::None || !constantBits(operand, type, bits))
      fail(std::string(kindText(operand.kind)) + " where " +
           (type == ptx::Type::None ? "a register" : std::string(".") + ptx::typeName(type)) + " is expected");
    row = constantRow(bits, bytesOf(type));
    break;
  }
  case Operand::Kind::Special: {
    unsigned natural = specialRegisterBytes(operand.name);
    if (natural == 0)
      fail("special register '" + operand.name + "' is not known");
    if (isClock(operand.name))
      fail("special register '" + operand.name + "' changes while the kernel runs and is read by mov only");
    if (type == ptx::Type::Predicate && operand.name != "%is_explicit_cluster")
      fail("special register '" + operand.name + "' where .pred is expected");
    row = programBuilder.specialRow(operand.name, type == ptx::Type::None ? natural : bytesOf(type));
    break;
  }
  case Operand::Kind::Symbol: {
    unsigned bytes = type == ptx::Type::None ? 8 : bytesOf(type);
    if (bytes != 4 && bytes != 8)
      fail("the address of '" + operand.name + "' where ." + ptx::typeName(type) + " is expected");
    if (const ptx::Variable *variable = programBuilder.findVariable(function, operand.name)) {
      row = programBuilder.symbolRow(*variable, operand.offset, bytes);
    } else if (const ptx::Function *called = programBuilder.module().findFunction(operand.name)) {
      int64_t number = programBuilder.numberOf(*called);
      if (number < 0)
        fail("function '" + operand.name + "' has no body");
      row = constantRow(static_cast<uint64_t>(number + 1), bytes);
    } else {
      fail("'" + operand.name + "' is not declared");
    }
    break;
  }
  default:
    fail(std::string("expected a register or a constant, found ") + kindText(operand.kind));
  }
  rows.push_back(row);
  ++operation.sources;
  return row;
}

unsigned Binder::destinations(size_t i, ptx::Type type, bool mayBeWider) {
  const Operand &list = operand(i);
  if (list.kind != Operand::Kind::Vector) {
    destination(list, type, mayBeWider);
    return 1;
  }
  for (const Operand &element : list.elements)
    destination(element, type, mayBeWider);
  return static_cast<unsigned>(list.elements.size());
}

unsigned Binder::sources(size_t i, ptx::Type type, bool mayBeWider) {
  const Operand &list = operand(i);
  if (list.kind != Operand::Kind::Vector) {
    source(list, type, mayBeWider);
    return 1;
  }
  for (const Operand &element : list.elements)
    source(element, type, mayBeWider);
  return static_cast<unsigned>(list.elements.size());
}

Row Binder::predicateSource(size_t i, bool &negated) {
  Operand plain = operand(i);
  negated = plain.negated;
  plain.negated = false;
  return source(plain, ptx::Type::Predicate);
}

/// Offsets wrap, as addresses do.
static int64_t sumOf(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

AddressOperand Binder::address(size_t i) { return address(operand(i)); }

AddressOperand Binder::address(const Operand &operand) {
  AddressOperand result;
  const Operand *base = &operand;
  int64_t offset = 0;
  if (operand.kind == Operand::Kind::Address) {
    if (operand.elements.empty()) {
      fail("expected an address");
      return result;
    }
    base = &operand.elements[0];
    offset = operand.offset;
  }
  switch (base->kind) {
  case Operand::Kind::Register:
    result.base = programBuilder.registerRow(function, base->reg, base->component);
    if (result.base.bytes != 4 && result.base.bytes != 8)
      fail("an address must be a 32-bit or 64-bit register, found '" + function.registers[base->reg].name + "'");
    result.offset = offset;
    break;
  case Operand::Kind::Integer:
    result.base = constantRow(base->bits + static_cast<uint64_t>(offset), 8);
    break;
  case Operand::Kind::Symbol:
    result.variable = programBuilder.findVariable(function, base->name);
    if (!result.variable) {
      fail("'" + base->name + "' is not declared");
      return result;
    }
    result.base = programBuilder.symbolRow(*result.variable, sumOf(base->offset, offset), 8);
    break;
  default:
    fail(std::string("expected an address, found ") + kindText(base->kind));
    return result;
  }
  rows.push_back(result.base);
  ++operation.sources;
  return result;
}

int64_t Binder::constant(size_t i) {
  const Operand &value = operand(i);
  if (value.kind != Operand::Kind::Integer)
    fail("operand " + std::to_string(i) + " must be an integer constant, found " + kindText(value.kind));
  return static_cast<int64_t>(value.bits);
}

Row Binder::scratch(unsigned bytes) { return programBuilder.newRow(bytes); }
Row Binder::constantRow(uint64_t value, unsigned bytes) { return programBuilder.constantRow(value, bytes); }

void Binder::label(size_t i, uint64_t *slot) {
  const Operand &name = operand(i);
  auto found = name.kind == Operand::Kind::Symbol ? function.labels.find(name.name) : function.labels.end();
  if (found == function.labels.end()) {
    fail("expected a label, found " + (name.name.empty() ? std::string(kindText(name.kind)) : "'" + name.name + "'"));
    return;
  }
  *slot = static_cast<uint64_t>(programBuilder.startOf(function)) + found->second;
}

bool Binder::finish() {
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      fail("modifier '." + instruction.modifiers[i] + "' is not known here");
  for (size_t i = 0; i < operandUsed.size(); ++i)
    if (!operandUsed[i])
      fail("expected " + std::to_string(i) + " operands, found " + std::to_string(operandUsed.size()));
  if (!operation.run)
    fail("this form is not known");
  operation.rows = programBuilder.program().keepRows(rows);
  return message.empty();
}

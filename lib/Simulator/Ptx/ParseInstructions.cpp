/// Instructions and their operands. Which operands an opcode takes is not decided here; that a predicate stands after
/// `!`, that names are declared and that brackets hold an address is. Source: PTX ISA, "Instruction Operands".
#include "lib/Simulator/Ptx/Parser.h"

#include <iterator>

using namespace tilec::ptx;

namespace {
struct SpecialRow {
  std::string_view name;
  Type type;
  bool isVector;
};
} // namespace

/// PTX ISA, "Special Registers", without %pm… and %envreg….
static constexpr SpecialRow specials[] = {
    {"%tid", Type::U32, true},
    {"%ntid", Type::U32, true},
    {"%ctaid", Type::U32, true},
    {"%nctaid", Type::U32, true},
    {"%laneid", Type::U32, false},
    {"%warpid", Type::U32, false},
    {"%nwarpid", Type::U32, false},
    {"%smid", Type::U32, false},
    {"%nsmid", Type::U32, false},
    {"%gridid", Type::U64, false},
    {"%is_explicit_cluster", Type::Predicate, false},
    {"%clusterid", Type::U32, true},
    {"%nclusterid", Type::U32, true},
    {"%cluster_ctaid", Type::U32, true},
    {"%cluster_nctaid", Type::U32, true},
    {"%cluster_ctarank", Type::U32, false},
    {"%cluster_nctarank", Type::U32, false},
    {"%lanemask_eq", Type::U32, false},
    {"%lanemask_le", Type::U32, false},
    {"%lanemask_lt", Type::U32, false},
    {"%lanemask_ge", Type::U32, false},
    {"%lanemask_gt", Type::U32, false},
    {"%clock", Type::U32, false},
    {"%clock_hi", Type::U32, false},
    {"%clock64", Type::U64, false},
    {"%globaltimer", Type::U64, false},
    {"%globaltimer_lo", Type::U32, false},
    {"%globaltimer_hi", Type::U32, false},
    {"%reserved_smem_offset_begin", Type::U32, false},
    {"%reserved_smem_offset_end", Type::U32, false},
    {"%reserved_smem_offset_cap", Type::U32, false},
    {"%reserved_smem_offset_0", Type::U32, false},
    {"%reserved_smem_offset_1", Type::U32, false},
    {"%total_smem_size", Type::U32, false},
    {"%aggr_smem_size", Type::U32, false},
    {"%dynamic_smem_size", Type::U32, false},
    {"%current_graph_exec", Type::U64, false},
};

/// The special register of that name, or one of type None.
static SpecialRow specialOf(std::string_view name) {
  for (const SpecialRow &row : specials)
    if (row.name == name)
      return row;
  auto numbered = [&](std::string_view prefix, unsigned count, std::string_view suffix) {
    if (name.substr(0, prefix.size()) != prefix || name.size() < prefix.size() + suffix.size() + 1 ||
        name.substr(name.size() - suffix.size()) != suffix)
      return false;
    std::string_view digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    unsigned number = 0;
    for (char c : digits)
      number = c >= '0' && c <= '9' && number < 100 ? number * 10 + unsigned(c - '0') : 1000;
    return number < count && (digits.size() == 1 || digits[0] != '0');
  };
  if (numbered("%envreg", 32, "") || numbered("%pm", 8, ""))
    return {name, Type::U32, false};
  if (numbered("%pm", 8, "_64"))
    return {name, Type::U64, false};
  return {name, Type::None, false};
}

bool Parser::undeclared(Body &body, const Token &name, const char *what) {
  std::string message = std::string("undeclared ") + what + " " + quoted(name.text);
  std::string_view prefix;
  if (uint64_t count = body.scopes.rangeAround(name.text, prefix)) {
    std::string first(prefix);
    message += ": " + first + "<" + std::to_string(count) + "> ends at " + first + std::to_string(count - 1);
  }
  return fail(name.location, message);
}

/// `@p` or `@!p`.
bool Parser::guard(Body &body, Instruction &instruction) {
  if (!takeIf('@'))
    return true;
  instruction.guardNegated = takeIf('!');
  Token name = token;
  std::string_view ignored;
  if (!takeName(ignored, "a predicate after '@'"))
    return false;
  std::optional<Meaning> meaning = body.scopes.find(name.text);
  if (!meaning)
    return undeclared(body, name, "register");
  bool isRegister = meaning->kind == Meaning::Kind::Register;
  if (!isRegister || body.function.registers[meaning->index].type != Type::Predicate)
    return fail(name.location,
                "expected a predicate after '@', but got " + quoted(name.text) +
                    (isRegister ? std::string(" of type .") + typeName(body.function.registers[meaning->index].type)
                                : std::string()));
  instruction.guard = int32_t(meaning->index);
  return true;
}

/// What follows the opcode.
bool Parser::instruction(Body &body, Instruction instruction, const Token &opcode) {
  if (opcode.text[0] == '%' || opcode.text[0] == '$' || opcode.text == "_")
    return fail(opcode.location, "expected an instruction, a directive or '}', but got " + quoted(opcode.text));
  instruction.source = body.source;
  instruction.location = opcode.location;
  instruction.opcode = std::string(opcode.text);
  for (; token.kind == Token::Kind::Word; advance())
    instruction.modifiers.emplace_back(token.text.substr(1));
  if (!token.is(';')) {
    instruction.operands.reserve(4);
    do {
      instruction.operands.emplace_back();
      if (!operand(body, instruction, instruction.operands.back()))
        return false;
    } while (takeIf(','));
  }
  if (!take(';', "after the operands"))
    return false;
  if (body.hasUnresolved)
    for (Operand &operand : instruction.operands)
      addPending(body, operand, false);
  body.hasUnresolved = false;
  body.function.instructions.push_back(std::move(instruction));
  return true;
}

/// Notes the symbols in an operand that are not known to be variables of the function. They are marked by a component
/// that no symbol has.
static constexpr int unresolved = -2;

void Parser::addPending(Body &body, Operand &operand, bool inAddress) {
  if (operand.kind == Operand::Kind::Symbol && operand.component == unresolved) {
    operand.component = -1;
    body.pending.push_back({&operand.name, operand.location, body.scopes.current(), false, inAddress});
  }
  for (Operand &part : operand.elements)
    addPending(body, part, operand.kind == Operand::Kind::Address);
}

bool Parser::constantOperand(Operand &out) {
  Constant value;
  if (!constant(value))
    return false;
  out.kind = value.isFloat() ? Operand::Kind::Float : Operand::Kind::Integer;
  out.type = value.type;
  out.bits = value.bits;
  return true;
}

/// `.x` … `.w` after a register.
bool Parser::component(Body &body, Operand &out) {
  if (token.kind != Token::Kind::Word)
    return true;
  static constexpr std::string_view names = "xyzwrgba";
  size_t place = token.text.size() == 2 ? names.find(token.text[1]) : std::string_view::npos;
  if (place == std::string_view::npos)
    return expected("a component from .x to .w");
  bool isRegister = out.kind == Operand::Kind::Register;
  unsigned count = isRegister ? body.function.registers[out.reg].vector : specialOf(out.name).isVector ? 4 : 1;
  if (count == 1 || place % 4 >= count)
    return fail(token.location,
                "expected a component of a vector of " + std::to_string(count) + ", but got " + quoted(token.text));
  out.component = int(place % 4);
  if (!isRegister)
    out.name += {'.', "xyzw"[place % 4]};
  advance();
  return true;
}

/// A name alone: a register with or without a component, a special register, a symbol, or `_`.
bool Parser::plainName(Body &body, Operand &out) {
  Token name = token;
  out.location = name.location;
  body.lastVariable = nullptr;
  advance();
  if (std::optional<Meaning> meaning = body.scopes.find(name.text)) {
    if (meaning->kind == Meaning::Kind::Register) {
      out.kind = Operand::Kind::Register;
      out.reg = meaning->index;
      out.type = body.function.registers[meaning->index].type;
      return component(body, out);
    }
    out.kind = Operand::Kind::Symbol;
    if (meaning->kind == Meaning::Kind::Variable)
      body.lastVariable = &body.function.variables[meaning->index];
    out.name = body.lastVariable ? body.lastVariable->name : std::string(name.text);
    return true;
  }
  if (name.text == "_") {
    out.kind = Operand::Kind::Sink;
    return true;
  }
  out.name = std::string(name.text);
  if (name.text[0] == '%') {
    SpecialRow special = specialOf(name.text);
    if (special.type == Type::None)
      return undeclared(body, name, "register");
    out.kind = Operand::Kind::Special;
    out.type = special.type;
    return component(body, out);
  }
  out.kind = Operand::Kind::Symbol;
  out.component = unresolved;
  body.hasUnresolved = true;
  return true;
}

/// What may stand in braces or in the parentheses of a call.
bool Parser::element(Body &body, Operand &out) {
  out.location = token.location;
  if (token.kind == Token::Kind::Name && token.text != "WARP_SZ")
    return plainName(body, out);
  if (token.is('{') || token.is('[') || token.is('!'))
    return expected("a register or a constant");
  return constantOperand(out);
}

bool Parser::elements(Body &body, Operand &out, char close) {
  advance();
  if (close == ')' && takeIf(close))
    return true;
  out.elements.reserve(4);
  do {
    out.elements.emplace_back();
    if (!element(body, out.elements.back()))
      return false;
  } while (takeIf(','));
  return take(close, "after the elements");
}

/// `[base + offset, {coordinates}, …]`
bool Parser::address(Body &body, Operand &out) {
  out.kind = Operand::Kind::Address;
  advance();
  Operand base;
  if (!element(body, base))
    return false;
  bool isRegister = base.kind == Operand::Kind::Register && base.type != Type::Predicate;
  bool isSymbol = base.kind == Operand::Kind::Symbol;
  if (!isRegister && !isSymbol && base.kind != Operand::Kind::Integer)
    return fail(base.location, "expected a register, a variable or an integer as the base of an address");
  if (takeIf('+') || token.is('-')) {
    Constant offset;
    if (!integerConstant(offset, "an integer offset"))
      return false;
    out.offset = int64_t(offset.bits);
  }
  out.elements.push_back(std::move(base));
  while (takeIf(',')) {
    out.elements.emplace_back();
    Operand &part = out.elements.back();
    part.location = token.location;
    bool isVector = token.is('{');
    part.kind = isVector ? Operand::Kind::Vector : part.kind;
    if (isVector ? !elements(body, part, '}') : !element(body, part))
      return false;
  }
  return take(']', "after the address");
}

/// A name as an operand of its own: also `p|q`, `name + 4` and `array[2]`.
bool Parser::namedOperand(Body &body, const Instruction &instruction, Operand &out) {
  if (!plainName(body, out))
    return false;
  bool isValue = out.kind == Operand::Kind::Register || out.kind == Operand::Kind::Sink;
  if (isValue && token.is('|')) {
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.location = out.location;
    pair.elements.push_back(std::move(out));
    advance();
    pair.elements.emplace_back();
    Operand &second = pair.elements.back();
    if (token.kind != Token::Kind::Name)
      return expected("a register after '|'");
    if (!plainName(body, second))
      return false;
    if (second.kind != Operand::Kind::Register && second.kind != Operand::Kind::Sink)
      return fail(second.location, "expected a register after '|', but got " + quoted(second.name));
    out = std::move(pair);
    return true;
  }
  if (out.kind != Operand::Kind::Symbol)
    return true;
  if (token.is('['))
    return indexedSymbol(body, instruction, out);
  if (takeIf('+') || token.is('-')) {
    Constant offset;
    if (!integerConstant(offset, "an integer offset"))
      return false;
    out.offset = int64_t(offset.bits);
  }
  return true;
}

/// `array[2]` counts elements: an address for memory instructions, a value for `mov`.
bool Parser::indexedSymbol(Body &body, const Instruction &instruction, Operand &out) {
  const Variable *variable = body.lastVariable;
  auto found = symbols.find(out.name);
  if (!variable && found != symbols.end() && !found->second.isFunction)
    variable = &module.variables[found->second.index];
  if (!variable)
    return fail(out.location, "expected an array before '[', but got " + quoted(out.name));
  advance();
  uint64_t index = 0;
  if (!boundedConstant(index, "a constant index", 0, uint64_t(1) << 40) || !take(']', "after the index"))
    return false;
  int64_t offset = int64_t(index * typeBytes(variable->type) * variable->vector);
  if (instruction.opcode == "mov") {
    out.offset = offset;
    return true;
  }
  Operand base = std::move(out);
  out = Operand();
  out.kind = Operand::Kind::Address;
  out.location = base.location;
  out.offset = offset;
  out.elements.push_back(std::move(base));
  return true;
}

bool Parser::operand(Body &body, const Instruction &instruction, Operand &out) {
  out.location = token.location;
  if (token.is('['))
    return address(body, out);
  if (token.is('{')) {
    out.kind = Operand::Kind::Vector;
    return elements(body, out, '}');
  }
  if (token.is('(') && instruction.opcode == "call") {
    out.kind = Operand::Kind::List;
    return elements(body, out, ')');
  }
  if (token.kind == Token::Kind::Name && token.text != "WARP_SZ")
    return namedOperand(body, instruction, out);
  if (token.is('!') && ahead().kind == Token::Kind::Name) {
    Location location = token.location;
    advance();
    if (!plainName(body, out))
      return false;
    if (out.kind != Operand::Kind::Register || out.type != Type::Predicate)
      return fail(out.location, "expected a predicate after '!'");
    out.location = location;
    out.negated = true;
    return true;
  }
  if (token.kind == Token::Kind::Mark && !token.is('(') && !token.is('-') && !token.is('+') && !token.is('~') &&
      !token.is('!'))
    return expected("an operand");
  return constantOperand(out);
}

/// Declarations of variables, registers and parameters. Source: PTX ISA, "Variables", "Parameterized Variable Names",
/// "Variable and Function Attribute Directive", "Kernel Function Parameter Attributes".
#include "lib/Simulator/Ptx/Parser.h"

using namespace tilec::ptx;

bool Parser::duplicate(Location location, std::string_view name) {
  return fail(location, "expected a new name, but " + quoted(name) + " is declared already");
}

/// The state space that the current word names; none if the word is no state space, which is no error.
bool Parser::spaceOfWord(std::optional<Space> &space) {
  static constexpr Space spaces[] = {Space::Register, Space::Constant,  Space::Global,
                                     Space::Local,    Space::Parameter, Space::Shared};
  space = std::nullopt;
  if (token.kind != Token::Kind::Word)
    return true;
  if (token.is(".sreg") || token.is(".tex"))
    return fail(token.location, "variables of state space " + quoted(token.text) + " are not supported");
  for (Space candidate : spaces)
    if (token.text.substr(1) == spaceName(candidate))
      space = candidate;
  return true;
}

/// `.attribute(.managed)`, `.attribute(.unified(n, n))`: where memory lives, which changes no result.
bool Parser::attribute() {
  advance();
  if (!take('(', "after '.attribute'"))
    return false;
  do {
    bool isUnified = token.is(".unified");
    if (!isUnified && !token.is(".managed"))
      return expected("attribute '.managed' or '.unified'");
    advance();
    if (isUnified && takeIf('(')) {
      do {
        Constant ignored;
        if (!integerConstant(ignored, "an integer of 64 bits"))
          return false;
      } while (takeIf(','));
      if (!take(')', "to end '.unified'"))
        return false;
    }
  } while (takeIf(','));
  return take(')', "to end '.attribute'");
}

bool Parser::alignment(uint64_t &value) {
  advance();
  Token begin = token;
  if (!boundedConstant(value, "an alignment", 1, uint64_t(1) << 31))
    return false;
  return value & (value - 1)
             ? fail(begin.location, "expected a power of two as alignment, but got " + std::to_string(value))
             : true;
}

/// `.ptr [.space] [.align n]` of a kernel parameter: what the caller promises of the pointer.
bool Parser::pointerAttributes() {
  advance();
  std::optional<Space> space;
  uint64_t ignored = 0;
  if (!spaceOfWord(space))
    return false;
  if (space)
    advance();
  return !token.is(".align") || alignment(ignored);
}

/// Everything between the state space and the name, and so the alignment that holds for each name.
bool Parser::variableType(Variable &variable, bool isParameter) {
  uint64_t aligned = 0;
  while (token.kind == Token::Kind::Word) {
    std::string_view word = token.text.substr(1);
    Type type = typeOfName(word);
    if (word == "align") {
      if (!alignment(aligned))
        return false;
    } else if (word == "attribute") {
      if (!attribute())
        return false;
    } else if (word == "ptr" && isParameter) {
      if (!pointerAttributes())
        return false;
    } else if (word == "v2" || word == "v4") {
      variable.vector = word == "v2" ? 2 : 4;
      advance();
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      return fail(token.location, "variables of type " + quoted(token.text) + " are not supported");
    } else if (type != Type::None) {
      if (variable.type != Type::None)
        return expected("one type");
      variable.type = type;
      advance();
    } else {
      return expected("a type");
    }
  }
  if (variable.type == Type::None)
    return expected("a type");
  if (variable.type == Type::Predicate && variable.space != Space::Register)
    return fail(token.location, std::string("expected a type that memory can hold, but got '.pred' in '.") +
                                    spaceName(variable.space) + "'");
  uint64_t natural = uint64_t(typeBytes(variable.type)) * variable.vector;
  if (natural > 16 || (variable.vector > 1 && variable.type == Type::Predicate))
    return fail(token.location, std::string("expected a vector of at most 16 bytes, but got .v") +
                                    std::to_string(variable.vector) + " of ." + typeName(variable.type));
  variable.alignment = aligned > natural ? aligned : natural;
  return true;
}

/// `[4][2]`; `[]` only outermost.
bool Parser::extents(Variable &variable) {
  constexpr uint64_t most = uint64_t(1) << 48;
  uint64_t total = uint64_t(typeBytes(variable.type)) * variable.vector;
  variable.extents.clear();
  while (token.is('[')) {
    Location location = token.location;
    advance();
    uint64_t extent = 0;
    if (token.is(']') && !variable.extents.empty())
      return expected("an extent");
    if (!token.is(']') && !boundedConstant(extent, "an extent", 0, most))
      return false;
    if (!take(']', "after the extent"))
      return false;
    if (extent > 1 && (total > most / extent))
      return fail(location, "expected a variable of at most 2^48 bytes");
    total *= extent ? extent : 1;
    variable.extents.push_back(extent);
    if (variable.extents.size() > 32)
      return fail(location, "expected at most 32 dimensions");
  }
  return true;
}

/// `.reg .type name, name<n>, …;`
bool Parser::registers(Body &body) {
  Variable form;
  form.space = Space::Register;
  form.type = Type::None;
  if (!variableType(form, false))
    return false;
  do {
    std::string_view name;
    Location location = token.location;
    if (!takeName(name, "the name of a register"))
      return false;
    if (name == "_")
      return fail(location, "expected the name of a register, but got '_'");
    if (takeIf('<')) {
      uint64_t count = 0;
      // Above the precedence of comparisons, so that '>' ends it.
      if (!boundedConstant(count, "a number of registers", 0, UINT32_MAX, 8) || !take('>', "after the number"))
        return false;
      if (!body.scopes.declareRange(name, count, form.type, form.vector))
        return duplicate(location, name);
    } else {
      if (!body.scopes.declare(name, {Meaning::Kind::Register, 0, uint32_t(body.function.registers.size())}))
        return duplicate(location, name);
      body.function.registers.push_back({std::string(name), form.type, form.vector});
    }
  } while (takeIf(','));
  return take(';', "after the registers");
}

/// Adds a variable of the module. A definition takes the place of an `.extern` declaration.
bool Parser::declareVariable(Variable &variable, std::string_view name) {
  auto [place, isNew] = symbols.try_emplace(name, Symbol{false, module.variables.size(), variable.location});
  if (isNew) {
    module.variables.push_back(std::move(variable));
    return true;
  }
  if (place->second.isFunction)
    return duplicate(variable.location, name);
  Variable &before = module.variables[place->second.index];
  if (before.linkage != Linkage::Extern && variable.linkage != Linkage::Extern)
    return duplicate(variable.location, name);
  if (before.space != variable.space)
    return fail(variable.location, "expected " + quoted(name) + " in '." + spaceName(before.space) +
                                       "' as declared before, but got '." + spaceName(variable.space) + "'");
  if (before.linkage == Linkage::Extern)
    before = std::move(variable);
  return true;
}

/// One declaration, of the module (`body` null) or of a body.
bool Parser::variables(Linkage linkage, Body *body) {
  std::optional<Space> space;
  if (!spaceOfWord(space))
    return false;
  if (!space) {
    if (token.kind == Token::Kind::Word && linkage == Linkage::None && typeOfName(token.text.substr(1)) == Type::None)
      return fail(token.location, "directive " + quoted(token.text) + " is not known here");
    return expected("a state space");
  }
  advance();
  if (token.is('['))
    return fail(token.location, "banks of constant memory are not supported");
  if (*space == Space::Register || (*space == Space::Parameter && !body))
    if (!body)
      return fail(token.location, std::string("expected '.") + spaceName(*space) + "' inside a function");
  if (*space == Space::Register)
    return registers(*body);
  Variable form;
  form.linkage = linkage;
  form.space = *space;
  form.type = Type::None;
  if (!variableType(form, false))
    return false;
  do {
    Variable variable = form;
    std::string_view name;
    variable.location = token.location;
    if (!takeName(name, "the name of a variable"))
      return false;
    if (name == "_" || name[0] == '%')
      return fail(variable.location, "expected the name of a variable, but got " + quoted(name));
    variable.name = body ? uniqueName(*body, name) : std::string(name);
    if (!extents(variable) || (takeIf('=') && !initialiser(variable)))
      return false;
    if (!body) {
      if (!declareVariable(variable, name))
        return false;
      continue;
    }
    if (!body->scopes.declare(name, {Meaning::Kind::Variable, 0, uint32_t(body->function.variables.size())}))
      return duplicate(variable.location, name);
    body->function.variables.push_back(std::move(variable));
  } while (takeIf(','));
  return take(';', "after the declaration");
}

/// A parameter or a result: `.param .type name[n]`, or `.reg .type name` in device functions.
bool Parser::parameter(Variable &variable) {
  std::optional<Space> space;
  if (!spaceOfWord(space))
    return false;
  if (space != Space::Parameter && space != Space::Register)
    return expected("'.param' or '.reg'");
  advance();
  variable.inRegister = space == Space::Register;
  variable.space = *space;
  variable.type = Type::None;
  if (!variableType(variable, true))
    return false;
  variable.space = Space::Parameter;
  std::string_view name;
  variable.location = token.location;
  if (!takeName(name, "the name of a parameter"))
    return false;
  variable.name = std::string(name);
  return extents(variable);
}

bool Parser::parameterList(std::vector<Variable> &list) {
  if (!take('(', "to begin the parameters"))
    return false;
  if (takeIf(')'))
    return true;
  do {
    list.emplace_back();
    if (!parameter(list.back()))
      return false;
  } while (takeIf(','));
  return take(')', "after the parameters");
}

/// Kernels and device functions: header, performance directives, and the statements of a body with its scopes, labels
/// and label lists. Source: PTX ISA, "Kernel and Function Directives", "Control Flow Directives", "Performance-Tuning
/// Directives", "Cluster Dimension Directives".
#include "lib/Simulator/Ptx/Parser.h"

using namespace tilec::ptx;

/// One to three numbers; those left out are 1.
bool Parser::threeExtents(uint32_t (&extents)[3]) {
  uint64_t value = 1;
  for (uint32_t &extent : extents)
    extent = 1;
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !takeIf(','))
      break;
    if (!boundedConstant(value, "an extent", 1, UINT32_MAX))
      return false;
    extents[i] = uint32_t(value);
  }
  return true;
}

/// A directive between a function's head and its body. `.pragma` too.
bool Parser::functionDirective(Function &function) {
  Token directive = token;
  if (directive.is(".pragma"))
    return pragma();
  advance();
  uint32_t *number = nullptr;
  if (directive.is(".maxntid"))
    return threeExtents(function.maxThreads);
  if (directive.is(".reqntid"))
    return threeExtents(function.requiredThreads);
  if (directive.is(".reqnctapercluster"))
    return threeExtents(function.requiredCluster);
  uint32_t ignored = 0;
  if (directive.is(".maxclusterrank"))
    number = &function.maxClusterRank;
  else if (directive.is(".maxnreg"))
    number = &function.maxRegisters;
  else if (directive.is(".minnctapersm"))
    number = &function.minBlocksPerSM;
  else if (directive.is(".maxnctapersm") || directive.is(".abi_preserve") || directive.is(".abi_preserve_control"))
    number = &ignored; // advice to the assembler's register allocation only
  else if (directive.is(".explicitcluster"))
    function.explicitCluster = true;
  else if (directive.is(".blocksareclusters"))
    function.blocksAreClusters = true;
  else if (directive.is(".noreturn"))
    function.noReturn = true;
  else
    return fail(directive.location, "directive " + quoted(directive.text) + " is not known of functions");
  uint64_t value = 0;
  if (!number)
    return true;
  if (!boundedConstant(value, "a number", 0, UINT32_MAX))
    return false;
  *number = uint32_t(value);
  return true;
}

/// From `.entry` or `.func` to just before the body or the semicolon.
bool Parser::functionHead(Function &function, std::string_view &name) {
  function.isKernel = token.is(".entry");
  advance();
  while (token.is(".attribute"))
    if (!attribute())
      return false;
  if (!function.isKernel && token.is('(') && !parameterList(function.results))
    return false;
  function.location = token.location;
  if (!takeName(name, function.isKernel ? "the name of a kernel" : "the name of a function"))
    return false;
  function.name = std::string(name);
  if (token.is('(') && !parameterList(function.parameters))
    return false;
  for (const Variable &parameter : function.parameters)
    if (function.isKernel && parameter.inRegister)
      return fail(parameter.location, "expected kernel parameters in '.param', but got '.reg'");
  while (token.kind == Token::Kind::Word)
    if (!functionDirective(function))
      return false;
  return true;
}

/// Whether two declarations of a function agree in where values travel and how large they are.
static bool sameForm(const std::vector<Variable> &a, const std::vector<Variable> &b) {
  bool same = a.size() == b.size();
  for (size_t i = 0; same && i < a.size(); ++i)
    same = a[i].bytes() == b[i].bytes() && a[i].inRegister == b[i].inRegister;
  return same;
}

bool Parser::declareFunction(std::unique_ptr<Function> function, std::string_view name, size_t &index) {
  auto [place, isNew] = symbols.try_emplace(name, Symbol{true, module.functions.size(), function->location});
  index = place->second.index;
  if (isNew) {
    module.functions.push_back(std::move(function));
    return true;
  }
  if (!place->second.isFunction)
    return duplicate(function->location, name);
  std::unique_ptr<Function> &before = module.functions[index];
  if (before->hasBody && function->hasBody)
    return duplicate(function->location, name);
  if (before->isKernel != function->isKernel || !sameForm(before->results, function->results) ||
      !sameForm(before->parameters, function->parameters))
    return fail(function->location, "expected " + quoted(name) + " with the parameters it has in line " +
                                        std::to_string(place->second.location.line) + ", but got others");
  if (!before->hasBody)
    before = std::move(function);
  return true;
}

bool Parser::function(Linkage linkage) {
  auto owned = std::make_unique<Function>();
  Function &function = *owned;
  function.linkage = linkage;
  std::string_view name;
  if (!functionHead(function, name))
    return false;
  function.hasBody = token.is('{');
  if (!function.hasBody && !token.is(';'))
    return expected("'{' or ';' after the head of a function");
  bool hasBody = function.hasBody;
  size_t index = 0;
  if (!declareFunction(std::move(owned), name, index))
    return false;
  return hasBody ? body(*module.functions[index]) : take(';', "after the head of a function");
}

/// Parameters are names of the body; those in registers become its first registers.
bool Parser::declareParameters(Body &body, std::vector<Variable> &list) {
  for (size_t i = 0; i < list.size(); ++i) {
    Variable &variable = list[i];
    std::string_view name = variable.name;
    if (name == "_")
      continue;
    Meaning meaning{Meaning::Kind::Parameter, 0, uint32_t(i)};
    if (variable.inRegister) {
      meaning = {Meaning::Kind::Register, 0, uint32_t(body.function.registers.size())};
      variable.reg = meaning.index;
      body.function.registers.push_back({variable.name, variable.type, variable.vector});
    }
    if (!body.scopes.declare(name, meaning))
      return duplicate(variable.location, name);
    ++body.uses[name];
  }
  return true;
}

std::string Parser::uniqueName(Body &body, std::string_view name) {
  uint32_t use = body.uses[name]++;
  if (use == 0 && symbols.find(name) == symbols.end())
    return std::string(name);
  // No name of the text has an '@'.
  return std::string(name) + "@" + std::to_string(use);
}

bool Parser::body(Function &function) {
  Body body(function);
  if (!take('{', "to begin the body") || !declareParameters(body, function.results) ||
      !declareParameters(body, function.parameters))
    return false;
  while (true) {
    if (token.is('}')) {
      advance();
      if (!body.scopes.close())
        return resolve(body);
    } else if (token.is('{')) {
      if (!body.scopes.open())
        return fail(token.location, "expected blocks nested at most " + std::to_string(Scopes::maxDepth) + " deep");
      advance();
    } else if (token.kind == Token::Kind::End) {
      return expected("'}' to end the body of " + quoted(function.name));
    } else if (!statement(body)) {
      return false;
    }
  }
}

bool Parser::statement(Body &body) {
  if (token.kind == Token::Kind::Word)
    return bodyDirective(body);
  Instruction instruction;
  bool isGuarded = token.is('@');
  if (!guard(body, instruction))
    return false;
  Token name = token;
  if (name.kind != Token::Kind::Name)
    return expected("an instruction, a directive or '}'");
  advance();
  if (!isGuarded && takeIf(':'))
    return label(body, name.text, name.location);
  return this->instruction(body, std::move(instruction), name);
}

bool Parser::label(Body &body, std::string_view name, Location location) {
  if (name == "_" || name[0] == '%')
    return fail(location, "expected a label, but got " + quoted(name));
  if (token.is(".branchtargets") || token.is(".calltargets") || token.is(".callprototype"))
    return labelList(body, name, location);
  std::string unique = uniqueName(body, name);
  body.function.labels.emplace(unique, uint32_t(body.function.instructions.size()));
  return body.scopes.declareLabel(name, std::move(unique)) || duplicate(location, name);
}

/// `.callprototype (results) _ (parameters) .noreturn`
bool Parser::prototype(LabelList &list) {
  std::string_view ignored;
  Function directives;
  if (token.is('(') && !parameterList(list.results))
    return false;
  if (!takeName(ignored, "'_' in a prototype") || (token.is('(') && !parameterList(list.parameters)))
    return false;
  while (token.kind == Token::Kind::Word)
    if (!functionDirective(directives))
      return false;
  return true;
}

/// `name: .branchtargets a, b;` and its kin.
bool Parser::labelList(Body &body, std::string_view name, Location location) {
  LabelList list;
  std::vector<Location> places;
  list.kind = token.is(".branchtargets") ? LabelList::Kind::Branches
              : token.is(".calltargets") ? LabelList::Kind::Calls
                                         : LabelList::Kind::Prototype;
  advance();
  if (list.kind == LabelList::Kind::Prototype) {
    if (!prototype(list))
      return false;
  } else {
    do {
      std::string_view target;
      Location place = token.location;
      if (!takeName(target, "a label"))
        return false;
      if (list.kind == LabelList::Kind::Calls) {
        auto found = symbols.find(target);
        if (found == symbols.end() || !found->second.isFunction)
          return fail(place, "expected a function that is declared before, but got " + quoted(target));
      }
      list.names.emplace_back(target);
      places.push_back(place);
    } while (takeIf(','));
  }
  std::string unique = uniqueName(body, name);
  if (!body.scopes.declareLabel(name, unique))
    return duplicate(location, name);
  LabelList &kept = body.function.labelLists.emplace(std::move(unique), std::move(list)).first->second;
  if (kept.kind == LabelList::Kind::Branches)
    for (size_t i = 0; i < kept.names.size(); ++i)
      body.pending.push_back({&kept.names[i], places[i], body.scopes.current(), true, false});
  return take(';', "after the list");
}

bool Parser::bodyDirective(Body &body) {
  if (token.is(".loc"))
    return locDirective(body.source);
  if (token.is(".reg")) {
    advance();
    return registers(body);
  }
  if (token.is(".pragma"))
    return pragma();
  if (token.is(".file"))
    return fileDirective();
  if (token.is(".branchtargets") || token.is(".calltargets") || token.is(".callprototype"))
    return fail(token.location, "expected a label before " + quoted(token.text));
  if (token.is(".extern")) {
    advance();
    return variables(Linkage::Extern, &body);
  }
  return variables(Linkage::None, &body);
}

/// Gives names that could be labels further down their meaning, when the body is complete.
bool Parser::resolve(Body &body) {
  for (const Pending &pending : body.pending) {
    std::string &name = *pending.name;
    const std::string *label = body.scopes.findLabel(name, pending.scope);
    if (label && pending.inAddress)
      return fail(pending.location, "expected a variable in an address, but got label " + quoted(name));
    if (label && pending.onlyLabel && body.function.labels.find(*label) == body.function.labels.end())
      return fail(pending.location, "expected a label, but got " + quoted(name));
    if (label)
      name = *label;
    else if (pending.onlyLabel)
      return fail(pending.location, "undeclared label " + quoted(name));
    else if (symbols.find(name) == symbols.end())
      return fail(pending.location, "undeclared name " + quoted(name) + ": no register, variable, function or label");
  }
  return true;
}

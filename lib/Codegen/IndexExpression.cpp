/// One precedence-climbing parser reads indices and predicates alike; each operand knows which of the two it is, and
/// each operator says which it takes, so that `(a < b) + 1` is refused by kind rather than by grammar.
#include "lib/Codegen/IndexExpression.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::tile;
using llvm::StringRef;
using llvm::Twine;

/// Deeper nesting than any author writes, and less than the stack holds.
static constexpr int maxDepth = 200;

namespace {
struct Operand {
  ExpressionKind kind = ExpressionKind::Index;
  /// As C++, and as a function; empty after an error.
  std::string text;
  IndexFunction value;
};

using Arguments = const tilec::Argument *;
using Binary = tilec::Index (*)(tilec::Index, tilec::Index);

/// A binary operator: how tightly it binds, what it takes, gives and does.
struct Operator {
  StringRef spelling;
  int precedence;
  ExpressionKind takes;
  ExpressionKind gives;
  Binary apply;
};

/// A function of two indices.
struct Function {
  StringRef name;
  Binary apply;
};

class Parser {
public:
  Parser(StringRef text, const std::vector<KernelArgument> &arguments)
      : whole(text), rest(text), arguments(arguments) {}

  llvm::Expected<Operand> parse(ExpressionKind kind) {
    Operand result = parseBinary(0);
    skipSpace();
    if (error.empty() && !rest.empty())
      fail("unexpected '" + rest + "'");
    expectKind(result, kind);
    if (!error.empty())
      return llvm::createStringError("in expression '" + whole.str() + "': " + error);
    return result;
  }

private:
  Operand parseBinary(int lowest);
  Operand parseFactor();
  Operand parseCall(StringRef name);
  Operand parseDim();
  Operand parseName(StringRef name);

  void skipSpace() { rest = rest.ltrim(); }
  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  void expect(StringRef token) {
    if (!consume(token))
      fail("expected '" + token + "'" + (rest.empty() ? std::string(" at the end") : " before '" + rest.str() + "'"));
  }
  void expectKind(const Operand &operand, ExpressionKind kind) {
    if (operand.kind != kind)
      fail(kind == ExpressionKind::Index ? "expected an index, found a condition"
                                         : "expected a condition, found an index");
  }
  /// The first error counts; parsing then runs dry.
  void fail(const Twine &message) {
    if (error.empty())
      error = message.str();
    rest = {};
  }
  StringRef takeWord() {
    skipSpace();
    StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
    rest = rest.drop_front(word.size());
    return word;
  }
  /// The number that an argument has in the launcher, which leaves dead ones out.
  const KernelArgument *find(StringRef name, size_t &number) {
    number = 0;
    for (const KernelArgument &argument : arguments) {
      if (argument.name == name) {
        if (!argument.dead)
          return &argument;
        fail("argument '" + name + "' is dead");
        return nullptr;
      }
      number += !argument.dead;
    }
    fail("'" + name + "' is not an argument");
    return nullptr;
  }

  StringRef whole;
  StringRef rest;
  const std::vector<KernelArgument> &arguments;
  std::string error;
  int depth = 0;
};
} // namespace

/// Longer spellings stand before their prefixes.
static constexpr Operator operators[] = {
    {"||", 1, ExpressionKind::Predicate, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a.value || b.value); }},
    {"&&", 2, ExpressionKind::Predicate, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a.value && b.value); }},
    {"<=", 3, ExpressionKind::Index, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a <= b); }},
    {">=", 3, ExpressionKind::Index, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a >= b); }},
    {"==", 3, ExpressionKind::Index, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a == b); }},
    {"!=", 3, ExpressionKind::Index, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a != b); }},
    {"<", 3, ExpressionKind::Index, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a < b); }},
    {">", 3, ExpressionKind::Index, ExpressionKind::Predicate,
     [](tilec::Index a, tilec::Index b) { return tilec::Index(a > b); }},
    {"+", 4, ExpressionKind::Index, ExpressionKind::Index, [](tilec::Index a, tilec::Index b) { return a + b; }},
    {"-", 4, ExpressionKind::Index, ExpressionKind::Index, [](tilec::Index a, tilec::Index b) { return a - b; }},
    {"*", 5, ExpressionKind::Index, ExpressionKind::Index, [](tilec::Index a, tilec::Index b) { return a * b; }},
};

static constexpr Function functions[] = {{"floordiv", tilec::index::floordiv},
                                         {"ceildiv", tilec::index::ceildiv},
                                         {"mod", tilec::index::mod},
                                         {"min", tilec::index::min},
                                         {"max", tilec::index::max}};

/// After an error a side may have no function; then the whole has none.
static IndexFunction combine(Binary apply, const IndexFunction &a, const IndexFunction &b) {
  if (!a || !b)
    return {};
  return [apply, a, b](Arguments arguments) { return apply(a(arguments), b(arguments)); };
}

Operand Parser::parseBinary(int lowest) {
  Operand left = parseFactor();
  while (error.empty()) {
    skipSpace();
    const Operator *found = llvm::find_if(operators, [&](const Operator &op) { return rest.starts_with(op.spelling); });
    if (found == std::end(operators) || found->precedence < lowest)
      break;
    rest = rest.drop_front(found->spelling.size());
    Operand right = parseBinary(found->precedence + 1);
    expectKind(left, found->takes);
    expectKind(right, found->takes);
    left = {found->gives, ("(" + left.text + " " + found->spelling + " " + right.text + ")").str(),
            combine(found->apply, left.value, right.value)};
  }
  return left;
}

Operand Parser::parseFactor() {
  Operand result;
  if (++depth > maxDepth) {
    fail("nested too deeply");
    return result;
  }
  if (consume("-")) {
    result = parseFactor();
    expectKind(result, ExpressionKind::Index);
    result.text = "(-" + result.text + ")";
    if (IndexFunction inner = result.value)
      result.value = [inner](Arguments arguments) { return -inner(arguments); };
  } else if (consume("!")) {
    result = parseFactor();
    expectKind(result, ExpressionKind::Predicate);
    result.text = "!" + result.text;
    if (IndexFunction inner = result.value)
      result.value = [inner](Arguments arguments) { return tilec::Index(!inner(arguments).value); };
  } else if (consume("(")) {
    result = parseBinary(0);
    expect(")");
  } else {
    StringRef word = takeWord();
    skipSpace();
    int64_t literal;
    if (word.empty())
      fail(rest.empty() ? "expected a value at the end" : "expected a value before '" + rest.str() + "'");
    else if (rest.starts_with("("))
      result = parseCall(word);
    else if (!word.getAsInteger(10, literal))
      result = {ExpressionKind::Index, "Index(" + llvm::itostr(literal) + ")",
                [literal](Arguments) { return tilec::Index(literal); }};
    else if (llvm::isDigit(word.front()))
      fail("'" + word + "' is not an integer of 64 bits");
    else
      result = parseName(word);
  }
  --depth;
  return result;
}

Operand Parser::parseCall(StringRef name) {
  expect("(");
  if (name == "dim")
    return parseDim();
  const Function *function = llvm::find_if(functions, [&](const Function &known) { return known.name == name; });
  if (function == std::end(functions)) {
    fail("unknown function '" + name + "', expected dim, floordiv, ceildiv, mod, min or max");
    return {};
  }
  Operand first = parseBinary(0);
  expect(",");
  Operand second = parseBinary(0);
  expect(")");
  expectKind(first, ExpressionKind::Index);
  expectKind(second, ExpressionKind::Index);
  return {ExpressionKind::Index, (name + "(" + first.text + ", " + second.text + ")").str(),
          combine(function->apply, first.value, second.value)};
}

Operand Parser::parseDim() {
  StringRef name = takeWord();
  expect(",");
  StringRef dimension = takeWord();
  expect(")");
  if (!error.empty())
    return {};
  size_t number = 0;
  const KernelArgument *view = find(name, number);
  if (!view)
    return {};
  uint64_t dim = 0;
  if (view->kind != KernelArgument::Kind::View)
    fail("'" + name + "' is a scalar, expected a view");
  else if (dimension.getAsInteger(10, dim) || dim >= view->rank())
    fail("dimension '" + dimension + "' of '" + name + "', which has rank " + Twine(view->rank()));
  return {ExpressionKind::Index, ("dim(arguments[" + Twine(number) + "].view, " + dimension + ")").str(),
          [number, dim](Arguments arguments) { return tilec::index::dim(arguments[number].view, int(dim)); }};
}

Operand Parser::parseName(StringRef name) {
  size_t number = 0;
  const KernelArgument *scalar = find(name, number);
  if (!scalar)
    return {};
  StringRef type = scalar->elementType;
  if (scalar->kind != KernelArgument::Kind::Scalar)
    fail("'" + name + "' is a view, expected an integer scalar");
  else if (type != "index" && !type.starts_with("i"))
    fail("'" + name + "' is a scalar of type " + type + ", expected an integer");
  return {ExpressionKind::Index, ("arguments[" + Twine(number) + "].index()").str(),
          [number](Arguments arguments) { return arguments[number].index(); }};
}

llvm::Expected<std::string>
mlir::tile::translateExpression(StringRef text, const std::vector<KernelArgument> &arguments, ExpressionKind kind) {
  llvm::Expected<Operand> operand = Parser(text, arguments).parse(kind);
  if (!operand)
    return operand.takeError();
  return operand->text;
}

llvm::Expected<IndexFunction> mlir::tile::compileExpression(StringRef text, const std::vector<KernelArgument> &arguments,
                                                            ExpressionKind kind) {
  llvm::Expected<Operand> operand = Parser(text, arguments).parse(kind);
  if (!operand)
    return operand.takeError();
  return operand->value;
}

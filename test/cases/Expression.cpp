#include "test/cases/Expression.h"

#include "test/cases/FloatCodes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

using namespace cases;
using Node = Expression::Node;

static int indexOf(const std::vector<std::string> &list, const std::string &name) {
  // The last one: an inner index hides an outer one.
  for (size_t i = list.size(); i-- > 0;)
    if (list[i] == name)
      return int(i);
  return -1;
}

int Names::value(const std::string &name) const { return indexOf(values, name); }
int Names::buffer(const std::string &name) const { return indexOf(buffers, name); }

//===-- Functions
//---------------------------------------------------------------------------------------------------===//

static double maximum(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b); }
static double minimum(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : std::min(a, b); }

static const std::map<std::string, double (*)(double)> &unaryFunctions() {
  static const std::map<std::string, double (*)(double)> table = {
      {"abs", [](double x) { return std::fabs(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"cbrt", [](double x) { return std::cbrt(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"exp2", [](double x) { return std::exp2(x); }},
      {"expm1", [](double x) { return std::expm1(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"log2", [](double x) { return std::log2(x); }},
      {"log10", [](double x) { return std::log10(x); }},
      {"log1p", [](double x) { return std::log1p(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tan", [](double x) { return std::tan(x); }},
      {"asin", [](double x) { return std::asin(x); }},
      {"acos", [](double x) { return std::acos(x); }},
      {"atan", [](double x) { return std::atan(x); }},
      {"sinh", [](double x) { return std::sinh(x); }},
      {"cosh", [](double x) { return std::cosh(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"erfc", [](double x) { return std::erfc(x); }},
      {"floor", [](double x) { return std::floor(x); }},
      {"ceil", [](double x) { return std::ceil(x); }},
      {"trunc", [](double x) { return std::trunc(x); }},
      {"round", [](double x) { return std::round(x); }},
      {"roundeven", [](double x) { return std::nearbyint(x); }},
      {"exponent", [](double x) { return std::logb(x); }},
      {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
  };
  return table;
}

static const std::map<std::string, double (*)(double, double)> &binaryFunctions() {
  static const std::map<std::string, double (*)(double, double)> table = {
      {"max", maximum},
      {"min", minimum},
      {"maxnum", [](double a, double b) { return std::fmax(a, b); }},
      {"minnum", [](double a, double b) { return std::fmin(a, b); }},
      {"pow", [](double a, double b) { return std::pow(a, b); }},
      {"atan2", [](double a, double b) { return std::atan2(a, b); }},
      {"copysign", [](double a, double b) { return std::copysign(a, b); }},
      {"rem", [](double a, double b) { return std::fmod(a, b); }},
      {"div", [](double a, double b) { return std::trunc(a / b); }},
      {"and", [](double a, double b) { return double(int64_t(a) & int64_t(b)); }},
      {"or", [](double a, double b) { return double(int64_t(a) | int64_t(b)); }},
      {"xor", [](double a, double b) { return double(int64_t(a) ^ int64_t(b)); }},
      {"shl", [](double a, double b) { return double(int64_t(uint64_t(int64_t(a)) << int64_t(b))); }},
      {"shr", [](double a, double b) { return double(int64_t(a) >> int64_t(b)); }},
  };
  return table;
}

/// How a fold starts and goes on; `index` counts the terms.
struct FoldState {
  double value;
  double index;
};

static Node makeFold(const std::string &name, size_t variable, Node count, Node term) {
  double start = name == "product" ? 1 : 0;
  return [=](Scope &scope) {
    double bound = count(scope);
    FoldState state{start, 0};
    for (double i = 0; i < bound; ++i) {
      scope.values[variable] = i;
      double x = term(scope);
      if (name == "sum")
        state.value += x;
      else if (name == "product")
        state.value *= x;
      else if (i == 0)
        state.value = x;
      else if (name == "maximum")
        state.value = maximum(state.value, x);
      else if (name == "minimum")
        state.value = minimum(state.value, x);
      else if (name == "argmax" ? x > state.value : x < state.value)
        state = {x, i};
    }
    return name == "argmax" || name == "argmin" ? state.index : state.value;
  };
}

/// The inner loop of almost every reference, without a decision for each term.
static Node makeSum(size_t variable, Node count, Node term) {
  return [=](Scope &scope) {
    double bound = count(scope), sum = 0;
    for (double i = 0; i < bound; ++i) {
      scope.values[variable] = i;
      sum += term(scope);
    }
    return sum;
  };
}

//===-- Parser
//------------------------------------------------------------------------------------------------------===//

namespace {
class Parser {
public:
  Parser(const std::string &text, Names &names, std::string &error) : text(text), names(names), error(error) {}

  Node parseAll() {
    Node node = parseExpression();
    skipSpace();
    if (error.empty() && at != text.size())
      fail("expected the end");
    return error.empty() ? node : Node();
  }

private:
  Node fail(const std::string &what) {
    if (error.empty())
      error = what + " at '" + text.substr(std::min(at, text.size())) + "'";
    return [](Scope &) { return 0.0; };
  }
  void skipSpace() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool accept(const std::string &token) {
    skipSpace();
    if (text.compare(at, token.size(), token) != 0)
      return false;
    at += token.size();
    return true;
  }
  bool expect(const std::string &token) {
    if (accept(token))
      return true;
    fail("expected '" + token + "'");
    return false;
  }
  std::string name() {
    skipSpace();
    size_t start = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    return text.substr(start, at - start);
  }

  Node parseExpression() {
    Node condition = parseOr();
    if (!accept("?"))
      return condition;
    Node yes = parseExpression();
    expect(":");
    Node no = parseExpression();
    return [=](Scope &s) { return condition(s) != 0 ? yes(s) : no(s); };
  }
  Node parseOr() {
    Node left = parseAnd();
    while (accept("||")) {
      Node right = parseAnd();
      left = [=](Scope &s) { return left(s) != 0 || right(s) != 0 ? 1.0 : 0.0; };
    }
    return left;
  }
  Node parseAnd() {
    Node left = parseComparison();
    while (accept("&&")) {
      Node right = parseComparison();
      left = [=](Scope &s) { return left(s) != 0 && right(s) != 0 ? 1.0 : 0.0; };
    }
    return left;
  }
  Node parseComparison() {
    Node l = parseSum();
    if (accept("<=")) {
      Node r = parseSum();
      return [=](Scope &s) { return l(s) <= r(s) ? 1.0 : 0.0; };
    }
    if (accept(">=")) {
      Node r = parseSum();
      return [=](Scope &s) { return l(s) >= r(s) ? 1.0 : 0.0; };
    }
    if (accept("==")) {
      Node r = parseSum();
      return [=](Scope &s) { return l(s) == r(s) ? 1.0 : 0.0; };
    }
    if (accept("!=")) {
      Node r = parseSum();
      return [=](Scope &s) { return l(s) != r(s) ? 1.0 : 0.0; };
    }
    if (accept("<")) {
      Node r = parseSum();
      return [=](Scope &s) { return l(s) < r(s) ? 1.0 : 0.0; };
    }
    if (accept(">")) {
      Node r = parseSum();
      return [=](Scope &s) { return l(s) > r(s) ? 1.0 : 0.0; };
    }
    return l;
  }
  Node parseSum() {
    Node left = parseProduct();
    for (;;) {
      if (accept("+")) {
        Node right = parseProduct();
        left = [=](Scope &s) { return left(s) + right(s); };
      } else if (accept("-")) {
        Node right = parseProduct();
        left = [=](Scope &s) { return left(s) - right(s); };
      } else {
        return left;
      }
    }
  }
  Node parseProduct() {
    Node left = parseUnary();
    for (;;) {
      if (accept("*")) {
        Node right = parseUnary();
        left = [=](Scope &s) { return left(s) * right(s); };
      } else if (accept("/")) {
        Node right = parseUnary();
        left = [=](Scope &s) { return left(s) / right(s); };
      } else if (accept("%")) {
        Node right = parseUnary();
        left = [=](Scope &s) { return std::fmod(left(s), right(s)); };
      } else {
        return left;
      }
    }
  }
  Node parseUnary() {
    if (accept("-")) {
      Node x = parseUnary();
      return [=](Scope &s) { return -x(s); };
    }
    skipSpace();
    if (text.compare(at, 2, "!=") != 0 && accept("!")) {
      Node x = parseUnary();
      return [=](Scope &s) { return x(s) == 0 ? 1.0 : 0.0; };
    }
    return parsePrimary();
  }
  Node parsePrimary() {
    skipSpace();
    if (accept("(")) {
      Node inner = parseExpression();
      expect(")");
      return inner;
    }
    if (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.')) {
      size_t used = 0;
      double number = std::stod(text.substr(at), &used);
      at += used;
      return [=](Scope &) { return number; };
    }
    std::string word = name();
    if (word.empty())
      return fail("expected a value");
    if (accept("("))
      return parseCall(word);
    if (accept("["))
      return parseElement(word);
    if (word == "inf" || word == "nan" || word == "pi") {
      double number = word == "inf"   ? std::numeric_limits<double>::infinity()
                      : word == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                      : 3.14159265358979323846;
      return [=](Scope &) { return number; };
    }
    int number = names.value(word);
    if (number < 0)
      return fail("unknown name '" + word + "'");
    return [=](Scope &s) { return s.values[size_t(number)]; };
  }
  Node parseElement(const std::string &buffer) {
    int number = names.buffer(buffer);
    if (number < 0)
      return fail("unknown buffer '" + buffer + "'");
    std::vector<Node> indices;
    do
      indices.push_back(parseExpression());
    while (accept(","));
    expect("]");
    return [=](Scope &s) {
      int64_t where[8];
      for (size_t i = 0; i < indices.size() && i < 8; ++i)
        where[i] = int64_t(indices[i](s));
      return s.element(number, where, indices.size());
    };
  }
  Node parseCall(const std::string &function) {
    for (const char *typed : {"to", "saturate", "wrap", "eps", "largest", "code", "decode"})
      if (function == typed)
        return parseTyped(function);
    for (const char *fold : {"sum", "product", "maximum", "minimum", "argmax", "argmin"})
      if (function == fold)
        return parseFold(function);
    std::vector<Node> arguments;
    do
      arguments.push_back(parseExpression());
    while (accept(","));
    expect(")");
    if (auto found = unaryFunctions().find(function); found != unaryFunctions().end() && arguments.size() == 1)
      return [f = found->second, x = arguments[0]](Scope &s) { return f(x(s)); };
    if (auto found = binaryFunctions().find(function); found != binaryFunctions().end() && arguments.size() == 2)
      return [f = found->second, x = arguments[0], y = arguments[1]](Scope &s) { return f(x(s), y(s)); };
    if (function == "fma" && arguments.size() == 3)
      return [=](Scope &s) { return std::fma(arguments[0](s), arguments[1](s), arguments[2](s)); };
    return fail("unknown function '" + function + "' of " + std::to_string(arguments.size()));
  }
  Node parseTyped(const std::string &function) {
    std::string typeName = name();
    tilec::ElementType type;
    if (!parseElementType(typeName, type))
      return fail("unknown type '" + typeName + "'");
    if (function == "eps") {
      expect(")");
      return [unit = unitRoundoff(type)](Scope &) { return unit; };
    }
    if (function == "largest") {
      expect(")");
      return [largest = rounded(type, std::numeric_limits<double>::infinity(), /*saturate=*/true)](Scope &) {
        return largest;
      };
    }
    expect(",");
    Node x = parseExpression();
    expect(")");
    if (function == "code")
      return [=](Scope &s) { return double(codeOf(type, x(s))); };
    if (function == "wrap" || function == "decode")
      return [=](Scope &s) { return valueOf(type, uint64_t(int64_t(x(s)))); };
    bool saturate = function == "saturate";
    return [=](Scope &s) { return rounded(type, x(s), saturate); };
  }
  Node parseFold(const std::string &function) {
    std::string variable = name();
    expect("<");
    Node count = parseSum();
    expect(":");
    size_t number = names.values.size();
    names.values.push_back(variable);
    Node term = parseExpression();
    names.values[number] += "'"; // out of sight, but its place stays
    expect(")");
    return function == "sum" ? makeSum(number, count, term) : makeFold(function, number, count, term);
  }

  const std::string &text;
  Names &names;
  std::string &error;
  size_t at = 0;
};
} // namespace

Expression Expression::parse(const std::string &text, Names &names, std::string &error) {
  Expression expression;
  error.clear();
  expression.root = Parser(text, names, error).parseAll();
  return expression;
}

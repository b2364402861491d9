#include "test/cases/Case.h"

#include "test/cases/FloatCodes.h"

#include <cctype>
#include <cstdlib>
#include <sstream>

using namespace cases;

static std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

static std::vector<std::string> words(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;)
    list.push_back(word);
  return list;
}

static std::vector<std::string> splitAt(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(trimmed(part));
  return parts;
}

/// The parameters of the kernel text, and what the configuration says instead.
static std::map<std::string, std::string> parametersOf(const std::string &text, const std::string &definitions) {
  std::map<std::string, std::string> values;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    size_t equals = line.find('=');
    if (line.empty() || (line[0] != '#' && line[0] != '!') || equals == std::string::npos)
      continue;
    std::vector<std::string> right = words(line.substr(equals + 1));
    if (!right.empty())
      values[trimmed(line.substr(1, equals - 1))] = right.front();
  }
  for (const std::string &definition : words(definitions))
    if (size_t equals = definition.find('='); equals != std::string::npos)
      values[definition.substr(0, equals)] = definition.substr(equals + 1);
  return values;
}

/// Puts parameters in for `$NAME`.
static std::string substituted(const std::string &line, const std::map<std::string, std::string> &parameters,
                               std::string &error) {
  std::string result;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '$') {
      result += line[i];
      continue;
    }
    size_t end = i + 1;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
      ++end;
    std::string name = line.substr(i + 1, end - i - 1);
    if (auto found = parameters.find(name); found != parameters.end())
      result += found->second;
    else
      error = "unknown parameter '$" + name + "'";
    i = end - 1;
  }
  return result;
}

/// `M=1,7 N=8`: every combination is a run.
static void parseRuns(const std::string &text, std::vector<Sizes> &runs) {
  std::vector<Sizes> made = {{}};
  for (const std::string &word : words(text)) {
    size_t equals = word.find('=');
    if (equals == std::string::npos)
      continue;
    std::vector<Sizes> next;
    for (const Sizes &sizes : made)
      for (const std::string &value : splitAt(word.substr(equals + 1), ',')) {
        next.push_back(sizes);
        next.back()[word.substr(0, equals)] = std::atoll(value.c_str());
      }
    made = next;
  }
  runs.insert(runs.end(), made.begin(), made.end());
}

static bool parseGenerator(const std::vector<std::string> &list, size_t &at, Generator &generator) {
  struct Kind {
    const char *name;
    Generator::Kind kind;
    int numbers;
    bool optional = false;
  };
  static constexpr Kind kinds[] = {
      {"normal", Generator::Kind::Normal, 1},     {"uniform", Generator::Kind::Uniform, 2},
      {"integers", Generator::Kind::Integers, 2}, {"codes", Generator::Kind::Codes, 2, true},
      {"bits", Generator::Kind::Bits, 2, true},   {"iota", Generator::Kind::Iota, 0},
      {"constant", Generator::Kind::Constant, 1}, {"special", Generator::Kind::Special, 0}};
  for (const Kind &kind : kinds) {
    if (at >= list.size() || list[at] != kind.name)
      continue;
    generator.kind = kind.kind;
    bool hasNumber = at + 1 < list.size() && (std::isdigit(static_cast<unsigned char>(list[at + 1][0])) ||
                                              list[at + 1][0] == '-' || list[at + 1][0] == '.');
    if (kind.optional && !hasNumber) {
      ++at;
      return true;
    }
    if (at + size_t(kind.numbers) >= list.size())
      return false;
    if (kind.numbers > 0)
      generator.low = std::atof(list[at + 1].c_str());
    if (kind.numbers > 1)
      generator.high = std::atof(list[at + 2].c_str());
    at += size_t(kind.numbers) + 1;
    return true;
  }
  return false;
}

/// `[i, j] = EXPRESSION`; false where it is not that.
static bool parseFormula(const std::string &text, std::vector<std::string> &indices, std::string &expression) {
  size_t open = text.find('['), close = text.find(']'), equals = text.find('=', close == std::string::npos ? 0 : close);
  if (open != 0 || close == std::string::npos || equals == std::string::npos)
    return false;
  indices = splitAt(text.substr(1, close - 1), ',');
  expression = trimmed(text.substr(equals + 1));
  return !expression.empty();
}

/// `1 0`: every dimension once.
static bool parseOrder(const std::vector<std::string> &list, size_t &at, BufferSpec &buffer) {
  std::vector<bool> seen(buffer.extents.size(), false);
  for (size_t i = 0; i < seen.size(); ++i, ++at) {
    size_t dim = at < list.size() ? size_t(std::atoi(list[at].c_str())) : seen.size();
    if (dim >= seen.size() || seen[dim])
      return false;
    seen[dim] = true;
    buffer.order.push_back(dim);
  }
  return true;
}

/// `in X f32 [M, N] normal 1 seed 3 gap 3 offset 1`, `in X f32 [M, N] gap 3 where [i, j] = i`, `out Y f32 [M]`, and
/// `let Z f64 [M] where [i] = X[i, 0]`.
static std::string parseBuffer(const std::string &keyword, const std::string &text, BufferSpec &buffer) {
  size_t open = text.find('['), close = text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open)
    return "expected NAME TYPE [EXTENTS]";
  size_t where = text.find(" where [", close);
  std::vector<std::string> head = words(text.substr(0, open)),
                           tail = words(text.substr(close + 1, where == std::string::npos ? where : where - close - 1));
  if (head.size() != 2)
    return "expected NAME TYPE before '['";
  buffer.name = head[0];
  if (!parseElementType(head[1], buffer.type))
    return "unknown type '" + head[1] + "'";
  buffer.extents = splitAt(text.substr(open + 1, close - open - 1), ',');
  size_t at = 0;
  Generator &generator = buffer.generator;
  if (where != std::string::npos) {
    if (keyword == "out" || !parseFormula(trimmed(text.substr(where + 7)), generator.indices, generator.expression))
      return "expected 'where [INDICES] = EXPRESSION', of an input or a table";
    if (generator.indices.size() != buffer.extents.size())
      return "expected " + std::to_string(buffer.extents.size()) + " indices, found " +
             std::to_string(generator.indices.size());
    generator.kind = keyword == "let" ? Generator::Kind::Table : Generator::Kind::Formula;
  } else if (keyword == "let") {
    return "expected NAME TYPE [EXTENTS] where [INDICES] = EXPRESSION";
  } else if (keyword == "in" && !parseGenerator(tail, at, generator)) {
    return "expected how '" + buffer.name +
           "' is filled: normal, uniform, integers, codes, bits, iota, constant, special, where";
  }
  for (; at + 1 < tail.size(); at += 2) {
    if (tail[at] == "order") {
      if (!parseOrder(tail, ++at, buffer))
        return "expected every dimension once after 'order', the outermost in memory first";
      at -= 2;
    } else if (tail[at] == "seed")
      buffer.seed = uint64_t(std::atoll(tail[at + 1].c_str()));
    else if (tail[at] == "gap")
      buffer.gap = tail[at + 1];
    else if (tail[at] == "offset")
      buffer.offset = std::atoll(tail[at + 1].c_str());
    else
      return "unknown word '" + tail[at] + "'; expected seed, gap, offset or order";
  }
  return at == tail.size() ? "" : "unknown word '" + tail[at] + "'";
}

/// `Y[i, j] = EXPRESSION within relative 1e-6`.
static std::string parseExpectation(const std::string &text, Expectation &expectation) {
  size_t open = text.find('['), within = text.rfind(" within ");
  if (open == std::string::npos || within == std::string::npos || within < open ||
      !parseFormula(text.substr(open, within - open), expectation.indices, expectation.expression))
    return "expected NAME[INDICES] = EXPRESSION within KIND [BOUND]";
  expectation.buffer = trimmed(text.substr(0, open));
  std::string rest = trimmed(text.substr(within + 8));
  size_t space = rest.find(' ');
  std::string kind = rest.substr(0, space);
  if (space != std::string::npos)
    expectation.tolerance.bound = trimmed(rest.substr(space));
  if (kind == "exact")
    expectation.tolerance.kind = Tolerance::Kind::Exact;
  else if (kind == "bits")
    expectation.tolerance.kind = Tolerance::Kind::Bits;
  else if (kind == "relative")
    expectation.tolerance.kind = Tolerance::Kind::Relative;
  else if (kind == "each")
    expectation.tolerance.kind = Tolerance::Kind::Each;
  else if (kind == "strict")
    expectation.tolerance.kind = Tolerance::Kind::Strict;
  else
    return "unknown tolerance '" + kind + "'; expected exact, bits, relative, each or strict";
  return "";
}

/// One directive; returns what is wrong with it.
static std::string parseDirective(const std::string &keyword, const std::string &rest, Case &result) {
  if (keyword == "in" || keyword == "out" || keyword == "let")
    return parseBuffer(keyword, rest, result.buffers.emplace_back());
  if (keyword == "expect")
    return parseExpectation(rest, result.expectations.emplace_back());
  if (keyword == "run")
    parseRuns(rest, result.runs);
  else if (keyword == "sim")
    parseRuns(rest, result.simulatedRuns);
  else if (keyword == "scalar") {
    ScalarSpec scalar;
    std::vector<std::string> head = words(rest);
    size_t equals = rest.find('=');
    if (head.size() < 4 || equals == std::string::npos || !parseElementType(head[1], scalar.type))
      return "expected NAME TYPE = VALUE";
    scalar.name = head[0];
    scalar.value = trimmed(rest.substr(equals + 1));
    result.scalars.push_back(scalar);
  } else if (keyword == "arch")
    result.minimumSm = std::atoi(rest.substr(rest.find('_') + 1).c_str());
  else if (keyword == "repeat")
    result.repeat = std::atoi(rest.c_str());
  else if (keyword == "sample")
    result.sample = std::atoll(rest.c_str());
  else if (keyword == "gpu-only")
    result.gpuOnly = true;
  else if (keyword != "define" && keyword != "about")
    return "unknown word '" + keyword + "'";
  return "";
}

/// What stands behind `//! `, with the number of its line; a line that is indented there goes on with the one before.
static std::vector<std::pair<int, std::string>> directivesOf(const std::string &text) {
  std::vector<std::pair<int, std::string>> directives;
  std::istringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.compare(0, 4, "//! ") != 0)
      continue;
    if (line.compare(0, 5, "//!  ") == 0 && !directives.empty())
      directives.back().second += " " + trimmed(line.substr(4));
    else
      directives.emplace_back(number, line.substr(4));
  }
  return directives;
}

Case cases::parseCase(const std::string &name, const std::string &text, const std::string &definitions,
                      std::string &error) {
  Case result;
  result.name = name;
  result.definitions = definitions;
  error.clear();
  std::map<std::string, std::string> parameters = parametersOf(text, definitions);
  for (const auto &[number, line] : directivesOf(text)) {
    std::string problem, body = trimmed(substituted(line, parameters, problem));
    size_t space = body.find(' ');
    if (problem.empty())
      problem =
          parseDirective(body.substr(0, space), space == std::string::npos ? "" : trimmed(body.substr(space)), result);
    if (!problem.empty()) {
      error = "line " + std::to_string(number) + ": " + problem;
      return result;
    }
  }
  if (result.runs.empty())
    result.runs.push_back({});
  if (result.expectations.empty())
    error = "line 1: expected at least one '//! expect'";
  return result;
}

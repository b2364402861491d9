#include "test/Simulator/fuzz/Mutator.h"

#include <cctype>
#include <vector>

using namespace fuzz;

namespace {
/// A line as tokens: words with what belongs to them ("%r1", ".f32", "0f3f800000"), single characters, blanks.
using Tokens = std::vector<std::string>;

enum class Sort { Blank, Sign, Number, Modifier, Register, Word };
} // namespace

static bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

static Sort sortOf(const std::string &token) {
  if (token[0] == '.' && token.size() > 1)
    return Sort::Modifier;
  if (token[0] == '%' && token.size() > 1)
    return Sort::Register;
  if (std::isdigit(static_cast<unsigned char>(token[0])))
    return Sort::Number;
  if (isWordPart(token[0]))
    return Sort::Word;
  return std::isspace(static_cast<unsigned char>(token[0])) ? Sort::Blank : Sort::Sign;
}

static Tokens tokensOf(const std::string &line) {
  Tokens tokens;
  for (size_t at = 0; at < line.size();) {
    size_t end = at + 1;
    bool leads = (line[at] == '.' || line[at] == '%') && end < line.size() && isWordPart(line[end]);
    if (leads || isWordPart(line[at]))
      while (end < line.size() && (isWordPart(line[end]) || (line[end] == ':' && end + 1 < line.size() &&
                                                             (line[end + 1] == ':' || line[end - 1] == ':'))))
        ++end;
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
  return tokens;
}

static std::vector<Tokens> linesOf(const std::string &text) {
  std::vector<Tokens> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end;
    lines.push_back(tokensOf(text.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

static std::string textOf(const std::vector<Tokens> &lines) {
  std::string text;
  for (const Tokens &line : lines) {
    for (const std::string &token : line)
      text += token;
    text += '\n';
  }
  return text;
}

namespace {
class Mutation {
public:
  Mutation(std::vector<Tokens> &lines, std::mt19937_64 &random) : lines(lines), random(random) {}
  void once();

private:
  size_t below(size_t n) { return n ? random() % n : 0; }
  /// A line with something on it; mostly an instruction.
  size_t someLine();
  /// Place in a line of a token that is not blank; the line's size if there is none.
  size_t someToken(const Tokens &line);
  void otherOfItsSort(Tokens &line, size_t at);
  std::string notableNumber();

  std::vector<Tokens> &lines;
  std::mt19937_64 &random;
};
} // namespace

size_t Mutation::someLine() {
  size_t line = below(lines.size());
  for (int i = 0; i < 20; ++i, line = below(lines.size())) {
    const Tokens &tokens = lines[line];
    if (!tokens.empty() && tokens.back() == ";" && (i > 8 || tokens[0] != "."))
      return line;
  }
  return line;
}

size_t Mutation::someToken(const Tokens &line) {
  for (int i = 0; i < 20 && !line.empty(); ++i) {
    size_t at = below(line.size());
    if (sortOf(line[at]) != Sort::Blank)
      return at;
  }
  return line.size();
}

std::string Mutation::notableNumber() {
  // clang-format off
  static const char *const numbers[] = {"0", "1", "2", "3", "4", "8", "16", "31", "32", "33", "63", "64", "127", "128",
                                        "255", "256", "1024", "4096", "65535", "65536", "2147483647", "2147483648",
                                        "4294967295", "4294967296", "9223372036854775807", "18446744073709551615",
                                        "-1", "-2", "-128", "-2147483648", "0x7fffffffffffffff", "0f7fc00000",
                                        "0f3f800000", "0d3ff0000000000000"};
  // clang-format on
  return numbers[below(sizeof numbers / sizeof numbers[0])];
}

void Mutation::otherOfItsSort(Tokens &line, size_t at) {
  for (int i = 0; i < 40; ++i) {
    const Tokens &other = lines[someLine()];
    size_t from = someToken(other);
    if (from < other.size() && sortOf(other[from]) == sortOf(line[at]) && other[from] != line[at]) {
      line[at] = std::string(other[from]);
      return;
    }
  }
}

void Mutation::once() {
  // clang-format off
  static const char *const modifiers[] = {
      ".f16", ".bf16", ".f32", ".f64", ".f16x2", ".bf16x2", ".b8", ".b16", ".b32", ".b64", ".b128", ".u8", ".s8", ".u16",
      ".s16", ".u32", ".s32", ".u64", ".s64", ".pred", ".v2", ".v4", ".v8", ".sat", ".ftz", ".rn", ".rz", ".lo", ".hi",
      ".wide", ".cc", ".global", ".shared", ".local", ".param", ".const", ".shared::cta", ".shared::cluster", ".volatile",
      ".relaxed", ".acquire", ".release", ".acq_rel", ".gpu", ".cta", ".sys", ".cluster", ".sync", ".aligned", ".trans",
      ".x1", ".x2", ".x4", ".row", ".col", ".m16n8k16", ".m16n8k8", ".m64n64k16", ".m64n8k16", ".e4m3", ".e5m2", ".tf32"};
  // clang-format on
  size_t number = someLine();
  if (number >= lines.size())
    return;
  Tokens &line = lines[number];
  size_t at = someToken(line);
  switch (below(16)) {
  case 0:
    lines.erase(lines.begin() + static_cast<long>(number));
    return;
  case 1: {
    Tokens copy = lines[someLine()];
    lines.insert(lines.begin() + static_cast<long>(number), std::move(copy));
    return;
  }
  case 2:
    std::swap(line, lines[someLine()]);
    return;
  case 3:
    if (at < line.size())
      line.erase(line.begin() + static_cast<long>(at));
    return;
  case 4:
    if (at < line.size())
      line.insert(line.begin() + static_cast<long>(at), std::string(line[at]));
    return;
  case 5: {
    const Tokens &other = lines[someLine()];
    size_t from = someToken(other);
    if (at < line.size() && from < other.size())
      line[at] = std::string(other[from]);
    return;
  }
  case 6:
  case 7:
    for (size_t i = 0; i < line.size(); ++i)
      if (sortOf(line[i]) == Sort::Modifier && below(2) == 0) {
        line[i] = modifiers[below(sizeof modifiers / sizeof modifiers[0])];
        return;
      }
    return;
  case 8:
  case 9:
    for (size_t i = 0; i < line.size(); ++i)
      if ((sortOf(line[i]) == Sort::Number || sortOf(line[i]) == Sort::Register) && below(2) == 0) {
        line[i] = notableNumber();
        return;
      }
    return;
  case 10:
    // The opcode of another line.
    for (std::string &token : line)
      if (sortOf(token) == Sort::Word) {
        for (const std::string &other : lines[someLine()])
          if (sortOf(other) == Sort::Word) {
            token = std::string(other);
            return;
          }
        return;
      }
    return;
  default:
    if (at < line.size())
      otherOfItsSort(line, at);
  }
}

std::string fuzz::mutated(const std::string &text, std::mt19937_64 &random) {
  std::vector<Tokens> lines = linesOf(text);
  Mutation mutation(lines, random);
  for (size_t count = 1 + random() % 4; count > 0 && !lines.empty(); --count)
    mutation.once();
  return textOf(lines);
}

std::string fuzz::crossed(const std::string &text, const std::string &other, std::mt19937_64 &random) {
  std::vector<Tokens> lines = linesOf(text), others = linesOf(other);
  for (size_t count = 1 + random() % 4; count > 0 && !lines.empty() && !others.empty(); --count) {
    const Tokens &line = others[random() % others.size()];
    size_t at = lines.size() / 2 + random() % (lines.size() - lines.size() / 2);
    lines.insert(lines.begin() + static_cast<long>(at), line);
  }
  return textOf(lines);
}

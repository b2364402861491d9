/// PTX needs little of a lexer: names may begin with `%`, `$` and `_`, words begin with a dot and may contain `::`, and
/// numbers have five notations. One table classifies characters, so that names, most of any module, cost one load each.
#include "lib/Simulator/Ptx/Lexer.h"

#include <charconv>
#include <cstring>

using namespace tilec::ptx;

namespace {
enum Class : uint8_t { Other = 0, Letter = 1, Digit = 2, Hex = 4, NameStart = 8 };
struct ClassTable {
  uint8_t of[256] = {};
  constexpr ClassTable() {
    for (int c = 'a'; c <= 'z'; ++c) {
      of[c] |= Letter;
      of[c - 'a' + 'A'] |= Letter;
    }
    for (int c = '0'; c <= '9'; ++c)
      of[c] |= Digit | Hex;
    for (int c = 'a'; c <= 'f'; ++c) {
      of[c] |= Hex;
      of[c - 'a' + 'A'] |= Hex;
    }
    of[int('_')] |= Letter;
    of[int('$')] |= Letter;
    of[int('%')] |= NameStart;
  }
};
} // namespace

static constexpr ClassTable classes;

static bool isA(char c, unsigned mask) { return classes.of[static_cast<unsigned char>(c)] & mask; }

static unsigned digitValue(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

Lexer::Lexer(std::string_view text) : position(text.data()), last(text.data() + text.size()), lineStart(position) {
  // Text taken out of a fat binary ends in zeros.
  while (last != position && last[-1] == '\0')
    --last;
}

Location Lexer::at(const char *place) const { return {line, uint32_t(place - lineStart) + 1}; }

Token Lexer::end(Token token, Token::Kind kind, const char *begin) const {
  token.kind = kind;
  token.text = std::string_view(begin, size_t(position - begin));
  return token;
}

Token Lexer::bad(Token token, const char *begin, const char *problem) {
  token.problem = problem;
  return end(token, Token::Kind::Bad, begin);
}

bool Lexer::skipBlanks(const char *&begin) {
  while (position != last) {
    char c = *position;
    if (c == '\n') {
      ++position;
      ++line;
      lineStart = position;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position;
    } else if (c == '/' && last - position > 1 && position[1] == '/') {
      const void *newline = std::memchr(position, '\n', size_t(last - position));
      position = newline ? static_cast<const char *>(newline) : last;
    } else if (c == '/' && last - position > 1 && position[1] == '*') {
      begin = position;
      Location start = at(position);
      position += 2;
      while (last - position > 1 && !(position[0] == '*' && position[1] == '/')) {
        if (*position++ != '\n')
          continue;
        ++line;
        lineStart = position;
      }
      if (last - position < 2) {
        position = last;
        // The report is about the start of the comment, so go back to its line.
        line = start.line;
        lineStart = begin - (start.column - 1);
        return false;
      }
      position += 2;
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::bitsFloat(Token token, const char *begin, unsigned digits) {
  position = begin + 2;
  unsigned count = 0;
  for (; position != last && isA(*position, Hex); ++position, ++count)
    token.bits = token.bits << 4 | digitValue(*position);
  if (count != digits)
    return bad(token, begin,
               digits == 8 ? "expected 8 hexadecimal digits after '0f'" : "expected 16 hexadecimal digits after '0d'");
  token.type = digits == 8 ? Type::F32 : Type::F64;
  return end(token, Token::Kind::Float, begin);
}

Token Lexer::decimalFloat(Token token, const char *begin) {
  double value = 0;
  std::from_chars_result result = std::from_chars(begin, last, value);
  if (result.ec != std::errc() || result.ptr <= begin) {
    ++position;
    return bad(token, begin, "expected a number that a double can hold");
  }
  position = result.ptr;
  std::memcpy(&token.bits, &value, sizeof value);
  token.type = Type::F64;
  return end(token, Token::Kind::Float, begin);
}

Token Lexer::number(Token token) {
  const char *begin = position;
  unsigned base = 10;
  if (*position == '0' && last - position > 1) {
    char kind = char(position[1] | 0x20);
    if (kind == 'f')
      return bitsFloat(token, begin, 8);
    if (kind == 'd')
      return bitsFloat(token, begin, 16);
    if (kind == 'x' || kind == 'b') {
      base = kind == 'x' ? 16 : 2;
      position += 2;
    } else if (isA(position[1], Digit)) {
      base = 8;
      position += 1;
    }
  }
  const char *digits = position;
  bool fits = true, rightDigits = true;
  while (position != last && isA(*position, base == 16 ? Hex : Digit)) {
    unsigned digit = digitValue(*position++);
    rightDigits &= digit < base;
    fits &= token.bits <= (~uint64_t(0) - digit) / base;
    token.bits = token.bits * base + digit;
  }
  bool decimal = base == 10 || base == 8;
  if (decimal && position != last) {
    bool fraction = *position == '.' && (last - position < 2 || !isA(position[1], Letter));
    bool exponent = (*position == 'e' || *position == 'E') && last - position > 1 &&
                    (isA(position[1], Digit) || position[1] == '-' || position[1] == '+');
    if (fraction || exponent) {
      token.bits = 0;
      return decimalFloat(token, begin);
    }
  }
  if (position == digits)
    return bad(token, begin,
               base == 16 ? "expected hexadecimal digits after '0x'" : "expected binary digits after '0b'");
  if (!rightDigits)
    return bad(token, begin,
               base == 8 ? "expected octal digits after the leading 0" : "expected binary digits after '0b'");
  if (!fits)
    return bad(token, begin, "expected an integer of at most 64 bits");
  token.isUnsigned = token.bits >> 63;
  if (position != last && *position == 'U') {
    token.isUnsigned = true;
    ++position;
  }
  return end(token, Token::Kind::Integer, begin);
}

Token Lexer::string(Token token) {
  const char *begin = position++;
  while (position != last && *position != '"' && *position != '\n')
    position += *position == '\\' && last - position > 1 && position[1] != '\n' ? 2 : 1;
  if (position == last || *position == '\n')
    return bad(token, begin, "expected the string to end on its line");
  ++position;
  return end(token, Token::Kind::String, begin);
}

Token Lexer::word(Token token) {
  const char *begin = position++;
  while (position != last) {
    if (isA(*position, Letter | Digit))
      ++position;
    else if (last - position > 2 && position[0] == ':' && position[1] == ':' && isA(position[2], Letter | Digit))
      position += 2;
    else
      break;
  }
  return end(token, Token::Kind::Word, begin);
}

Token Lexer::mark(Token token) {
  const char *begin = position;
  char c = *position++;
  static const char pairs[] = "<<>><=>===!=&&||";
  if (position != last)
    for (const char *pair = pairs; *pair; pair += 2)
      if (pair[0] == c && pair[1] == *position) {
        ++position;
        return end(token, Token::Kind::Mark, begin);
      }
  if (std::strchr("()[]{}<>,;:+-*/%&|^~!?=@", c) && c)
    return end(token, Token::Kind::Mark, begin);
  return bad(token, begin, c == '#' ? "preprocessor lines are not supported" : "expected PTX");
}

Token Lexer::next() {
  Token token;
  const char *begin = position;
  if (!skipBlanks(begin)) {
    token.location = at(begin);
    Token open = bad(token, begin, "expected the comment to end in '*/'");
    open.text = open.text.substr(0, 2);
    return open;
  }
  token.location = at(position);
  begin = position;
  if (position == last)
    return token;
  char c = *position;
  if (isA(c, Letter) || (c == '%' && last - position > 1 && isA(position[1], Letter | Digit))) {
    do
      ++position;
    while (position != last && isA(*position, Letter | Digit));
    return end(token, Token::Kind::Name, begin);
  }
  if (isA(c, Digit)) {
    Token result = number(token);
    if (result.kind != Token::Kind::Bad && position != last && isA(*position, Letter | Digit)) {
      while (position != last && isA(*position, Letter | Digit))
        ++position;
      return bad(token, begin, "expected the number to end");
    }
    return result;
  }
  if (c == '.' && last - position > 1 && isA(position[1], Letter | Digit))
    return word(token);
  if (c == '"')
    return string(token);
  return mark(token);
}

/// Constant expressions, by precedence climbing. Integers are 64 bits wide and signed unless a literal, a cast or the
/// other operand makes them unsigned; floats are doubles. Source: PTX ISA, "Constants" and "Constant Expressions".
#include "lib/Simulator/Ptx/Parser.h"

#include <cstring>

using namespace tilec::ptx;

static double doubleOf(const Constant &value) {
  double result = 0;
  if (value.type == Type::F32) {
    float narrow;
    uint32_t bits = uint32_t(value.bits);
    std::memcpy(&narrow, &bits, sizeof narrow);
    return narrow;
  }
  if (value.type == Type::F64)
    std::memcpy(&result, &value.bits, sizeof result);
  else
    result = value.type == Type::U64 ? double(value.bits) : double(int64_t(value.bits));
  return result;
}

static Constant constantOf(double value) {
  Constant result;
  result.type = Type::F64;
  std::memcpy(&result.bits, &value, sizeof value);
  return result;
}

static Constant constantOf(bool value) { return {Type::S64, uint64_t(value)}; }

static bool isTrue(const Constant &value) { return value.isFloat() ? doubleOf(value) != 0 : value.bits != 0; }

/// How tightly a binary operator binds; 0: it is none.
static int precedenceOf(const Token &token) {
  static constexpr struct {
    const char *mark;
    int precedence;
  } rows[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9}, {"<<", 8}, {">>", 8}, {"<", 7},  {">", 7},
              {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6}, {"&", 5}, {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};
  if (token.kind != Token::Kind::Mark)
    return 0;
  for (const auto &row : rows)
    if (token.text == row.mark)
      return row.precedence;
  return 0;
}

/// The mark and, if the operator has two characters, its second one.
static constexpr unsigned code(char first, char second = 0) {
  return unsigned(static_cast<unsigned char>(first)) | unsigned(static_cast<unsigned char>(second)) << 8;
}
static unsigned code(std::string_view mark) { return code(mark[0], mark.size() > 1 ? mark[1] : '\0'); }

/// Comparisons and logic, which give 0 or 1 of type S64; false: the mark is none of them.
static bool applyTruth(unsigned mark, Constant &left, const Constant &right, bool isUnsigned) {
  bool less, equal;
  if (left.isFloat() || right.isFloat()) {
    less = doubleOf(left) < doubleOf(right);
    equal = doubleOf(left) == doubleOf(right);
  } else {
    less = isUnsigned ? left.bits < right.bits : int64_t(left.bits) < int64_t(right.bits);
    equal = left.bits == right.bits;
  }
  bool result;
  switch (mark) {
  case code('<'):
    result = less;
    break;
  case code('<', '='):
    result = less || equal;
    break;
  case code('>'):
    result = !less && !equal;
    break;
  case code('>', '='):
    result = !less;
    break;
  case code('=', '='):
    result = equal;
    break;
  case code('!', '='):
    result = !equal;
    break;
  case code('&', '&'):
    result = isTrue(left) && isTrue(right);
    break;
  case code('|', '|'):
    result = isTrue(left) || isTrue(right);
    break;
  default:
    return false;
  }
  left = constantOf(result);
  return true;
}

/// The product, quotient and so on of two integers; the divisor is not 0.
static uint64_t applyInteger(unsigned mark, uint64_t a, uint64_t b, bool isUnsigned) {
  // The one quotient that does not fit wraps.
  bool overflows = !isUnsigned && b == ~uint64_t(0);
  switch (mark) {
  case code('*'):
    return a * b;
  case code('+'):
    return a + b;
  case code('-'):
    return a - b;
  case code('/'):
    return overflows ? 0 - a : isUnsigned ? a / b : uint64_t(int64_t(a) / int64_t(b));
  case code('%'):
    return overflows ? 0 : isUnsigned ? a % b : uint64_t(int64_t(a) % int64_t(b));
  case code('&'):
    return a & b;
  case code('|'):
    return a | b;
  case code('^'):
    return a ^ b;
  default:
    return 0;
  }
}

bool Parser::apply(std::string_view text, Location location, Constant &left, const Constant &right) {
  unsigned mark = code(text);
  bool isUnsigned = left.type == Type::U64 || right.type == Type::U64;
  if (applyTruth(mark, left, right, isUnsigned))
    return true;
  if (left.isFloat() || right.isFloat()) {
    double a = doubleOf(left), b = doubleOf(right);
    switch (mark) {
    case code('*'):
      left = constantOf(a * b);
      return true;
    case code('+'):
      left = constantOf(a + b);
      return true;
    case code('-'):
      left = constantOf(a - b);
      return true;
    case code('/'):
      if (b == 0)
        return fail(location, "expected a divisor other than 0");
      left = constantOf(a / b);
      return true;
    default:
      return fail(location, "expected integers around " + quoted(text) + ", but got a floating-point number");
    }
  }
  if ((mark == code('/') || mark == code('%')) && right.bits == 0)
    return fail(location, "expected a divisor other than 0");
  if (mark == code('<', '<')) { // the type of a shift is that of its left side
    left.bits = right.bits > 63 ? 0 : left.bits << right.bits;
    return true;
  }
  if (mark == code('>', '>')) {
    bool negative = left.type == Type::S64 && left.bits >> 63;
    uint64_t count = right.bits > 63 ? 63 : right.bits;
    uint64_t shifted = right.bits > 63 ? 0 : left.bits >> count;
    left.bits = negative ? ~(~left.bits >> count) : shifted;
    return true;
  }
  left = {isUnsigned ? Type::U64 : Type::S64, applyInteger(mark, left.bits, right.bits, isUnsigned)};
  return true;
}

bool Parser::constantPrimary(Constant &out) {
  if (token.kind == Token::Kind::Integer || token.kind == Token::Kind::Float) {
    bool isInteger = token.kind == Token::Kind::Integer;
    out = {isInteger ? token.isUnsigned ? Type::U64 : Type::S64 : token.type, token.bits};
    advance();
    return true;
  }
  if (token.kind == Token::Kind::Name && token.text == "WARP_SZ") {
    out = {Type::S64, 32};
    advance();
    return true;
  }
  if (!token.is('('))
    return expected("a constant");
  advance();
  if (token.kind == Token::Kind::Word) {
    Token cast = token;
    advance();
    if (!take(')', "after the type of a cast") || !constantUnary(out))
      return false;
    if (cast.text == ".f64") {
      out = constantOf(doubleOf(out));
      return true;
    }
    if (cast.text != ".s64" && cast.text != ".u64")
      return fail(cast.location, "expected a cast to .s64, .u64 or .f64, but got " + quoted(cast.text));
    if (out.isFloat()) {
      double value = doubleOf(out);
      if (!(value > -9223372036854775808.0 && value < 9223372036854775808.0))
        return fail(cast.location, "expected a number that fits 64 bits in a cast");
      out.bits = uint64_t(int64_t(value));
    }
    out.type = cast.text == ".s64" ? Type::S64 : Type::U64;
    return true;
  }
  return constant(out) && take(')', "to end the expression");
}

bool Parser::constantUnary(Constant &out) {
  if (nesting >= 200)
    return fail(token.location, "expected an expression nested at most 200 levels deep");
  char mark = token.kind == Token::Kind::Mark && token.text.size() == 1 ? token.text[0] : '\0';
  ++nesting;
  bool good = true;
  if (mark == '-' || mark == '+' || mark == '!' || mark == '~') {
    Location place = token.location;
    advance();
    good = constantUnary(out);
    if (good && mark == '~' && out.isFloat())
      good = fail(place, "expected an integer after '~', but got a floating-point number");
    if (good && mark == '-')
      out.bits = out.type == Type::F32   ? out.bits ^ 0x80000000
                 : out.type == Type::F64 ? out.bits ^ uint64_t(1) << 63
                                         : 0 - out.bits;
    else if (good && mark == '!')
      out = constantOf(!isTrue(out));
    else if (good && mark == '~')
      out.bits = ~out.bits;
  } else {
    good = constantPrimary(out);
  }
  --nesting;
  return good;
}

bool Parser::constant(Constant &out, int precedence) {
  if (!constantUnary(out))
    return false;
  while (int binds = precedenceOf(token)) {
    if (binds <= precedence)
      break;
    Token mark = token;
    advance();
    Constant right;
    if (!constant(right, binds) || !apply(mark.text, mark.location, out, right))
      return false;
  }
  if (precedence > 0 || !token.is('?'))
    return true;
  if (nesting >= 200)
    return fail(token.location, "expected an expression nested at most 200 levels deep");
  advance();
  Constant whenTrue, whenFalse;
  ++nesting;
  bool good = constant(whenTrue) && take(':', "between the values of '?'") && constant(whenFalse);
  --nesting;
  if (!good)
    return false;
  Constant chosen = isTrue(out) ? whenTrue : whenFalse;
  if (!chosen.isFloat() && (whenTrue.isFloat() || whenFalse.isFloat()))
    chosen = constantOf(doubleOf(chosen));
  else if (whenTrue.type == Type::U64 || whenFalse.type == Type::U64)
    chosen.type = chosen.isFloat() ? chosen.type : Type::U64;
  out = chosen;
  return true;
}

bool Parser::integerConstant(Constant &out, const char *what, int precedence) {
  Token begin = token;
  if (!constant(out, precedence))
    return false;
  return out.isFloat() ? fail(begin.location, std::string("expected ") + what + ", but got a floating-point number")
                       : true;
}

bool Parser::boundedConstant(uint64_t &out, const char *what, uint64_t least, uint64_t most, int precedence) {
  Token begin = token;
  Constant value;
  if (!integerConstant(value, what, precedence))
    return false;
  bool negative = value.type == Type::S64 && value.bits >> 63;
  if (negative || value.bits < least || value.bits > most) {
    std::string found = negative ? std::to_string(int64_t(value.bits)) : std::to_string(value.bits);
    return fail(begin.location, std::string("expected ") + what + " from " + std::to_string(least) + " to " +
                                    std::to_string(most) + ", but got " + found);
  }
  out = value.bits;
  return true;
}

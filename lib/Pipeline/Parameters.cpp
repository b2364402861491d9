// Finds alias definitions with a lexer that knows just enough of MLIR's text: comments, strings, brackets (an alias is
// defined at depth 0 only) and the `// -----` lines that split a file. Whatever it does not recognise is not a
// parameter.
#include "lib/Pipeline/Parameters.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <optional>

using namespace mlir;
using namespace mlir::tile;

//===--- Literals and types --------------------------------------------------------------------------------------===//

static bool isDigits(StringRef text) { return !text.empty() && llvm::all_of(text, llvm::isDigit); }

static bool isHex(StringRef text) {
  return text.consume_front("0x") && !text.empty() && llvm::all_of(text, llvm::isHexDigit);
}

/// A decimal or hexadecimal integer, with or without a minus.
static bool isIntegerLiteral(StringRef text) {
  text.consume_front("-");
  return isDigits(text) || isHex(text);
}

/// A float as MLIR writes it, digits '.' digits* exponent?; `relaxed` also takes one without a point, "1e-5" or "2".
static bool isFloatLiteral(StringRef text, bool relaxed) {
  text.consume_front("-");
  StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  bool point = text.consume_front(".");
  StringRef fraction = point ? text.take_while(llvm::isDigit) : StringRef();
  text = text.drop_front(fraction.size());
  if (whole.empty() || (!point && !relaxed))
    return false;
  if (text.empty())
    return true;
  if (!text.consume_front("e") && !text.consume_front("E"))
    return false;
  if (!text.consume_front("-"))
    text.consume_front("+");
  return isDigits(text);
}

/// The width of an integer type "i8", "si8" or "ui8"; `index` counts as a signed type of 64 bits.
namespace {
struct IntegerRange {
  enum Sign { Signless, Signed, Unsigned } sign;
  unsigned width;
};
} // namespace

static std::optional<IntegerRange> integerType(StringRef text) {
  if (text == "index")
    return IntegerRange{IntegerRange::Signed, 64};
  IntegerRange type{IntegerRange::Signless, 0};
  if (text.consume_front("si"))
    type.sign = IntegerRange::Signed;
  else if (text.consume_front("ui"))
    type.sign = IntegerRange::Unsigned;
  else if (!text.consume_front("i"))
    return std::nullopt;
  // MLIR's own limit on integer widths is 2^24 - 1.
  if (!isDigits(text) || text.getAsInteger(10, type.width) || type.width == 0 || type.width >= (1u << 24))
    return std::nullopt;
  return type;
}

static const llvm::fltSemantics *floatSemantics(StringRef text) {
  return llvm::StringSwitch<const llvm::fltSemantics *>(text)
      .Case("f16", &llvm::APFloat::IEEEhalf())
      .Case("bf16", &llvm::APFloat::BFloat())
      .Case("tf32", &llvm::APFloat::FloatTF32())
      .Case("f32", &llvm::APFloat::IEEEsingle())
      .Case("f64", &llvm::APFloat::IEEEdouble())
      .Case("f80", &llvm::APFloat::x87DoubleExtended())
      .Case("f128", &llvm::APFloat::IEEEquad())
      .Case("f8E5M2", &llvm::APFloat::Float8E5M2())
      .Case("f8E4M3", &llvm::APFloat::Float8E4M3())
      .Case("f8E4M3FN", &llvm::APFloat::Float8E4M3FN())
      .Case("f8E5M2FNUZ", &llvm::APFloat::Float8E5M2FNUZ())
      .Case("f8E4M3FNUZ", &llvm::APFloat::Float8E4M3FNUZ())
      .Case("f8E4M3B11FNUZ", &llvm::APFloat::Float8E4M3B11FNUZ())
      .Case("f8E3M4", &llvm::APFloat::Float8E3M4())
      .Case("f8E8M0FNU", &llvm::APFloat::Float8E8M0FNU())
      .Case("f6E3M2FN", &llvm::APFloat::Float6E3M2FN())
      .Case("f6E2M3FN", &llvm::APFloat::Float6E2M3FN())
      .Case("f4E2M1FN", &llvm::APFloat::Float4E2M1FN())
      .Default(nullptr);
}

static bool isScalarType(StringRef text) { return integerType(text) || floatSemantics(text); }

//===--- Finding definitions -------------------------------------------------------------------------------------===//

namespace {
/// Walks over the text and collects definitions.
class Scanner {
public:
  explicit Scanner(StringRef source) : source(source) {}

  std::vector<Parameter> run() {
    while (skipSpace(), position < source.size()) {
      char c = source[position];
      if (c == '"') {
        skipString();
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth, ++position;
      } else if (c == ')' || c == ']' || c == '}') {
        depth -= depth > 0, ++position;
      } else if ((c == '#' || c == '!') && depth == 0) {
        scanAlias();
      } else if (isNameCharacter(c)) {
        takeName();
        // The `#1` of `%results#1` starts no alias.
        if (position < source.size() && source[position] == '#')
          ++position;
      } else {
        ++position;
      }
    }
    return std::move(parameters);
  }

private:
  static bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

  /// Skips white space and comments; a `// -----` line starts a new chunk, in which no bracket is open.
  void skipSpace() {
    while (position < source.size()) {
      if (llvm::isSpace(source[position])) {
        ++position;
        continue;
      }
      StringRef rest = source.substr(position);
      if (!rest.starts_with("//"))
        return;
      bool lineStart = position == 0 || source[position - 1] == '\n';
      if (lineStart && rest.starts_with("// -----")) {
        ++chunk;
        depth = 0;
      }
      position = std::min(source.size(), source.find('\n', position));
    }
  }

  /// A string ends at its quote, or, as it may not span lines, at the end of the line.
  void skipString() {
    for (++position; position < source.size() && source[position] != '\n'; ++position) {
      if (source[position] == '\\') {
        ++position;
      } else if (source[position] == '"') {
        ++position;
        return;
      }
    }
  }

  StringRef takeName() {
    size_t start = position;
    while (position < source.size() && isNameCharacter(source[position]))
      ++position;
    return source.slice(start, position);
  }

  /// A literal or type, such as `-1.0e-5`, `0x1F`, `f8E4M3FN`, `!T`; empty at anything else.
  StringRef takeWord() {
    size_t start = position;
    if (position < source.size() && (source[position] == '-' || source[position] == '!'))
      ++position;
    StringRef name = takeName();
    // The exponent's sign is not a name character.
    if (!name.empty() && llvm::isDigit(name.front()) && !isHex(name) && (name.back() == 'e' || name.back() == 'E') &&
        position < source.size() && (source[position] == '-' || source[position] == '+')) {
      ++position;
      takeName();
    }
    return source.slice(start, position);
  }

  bool takeCharacter(char c) {
    skipSpace();
    if (position >= source.size() || source[position] != c)
      return false;
    ++position;
    return true;
  }

  /// At a '#' or '!': `#name = value (: type)?` is a parameter if value is one scalar literal or type.
  void scanAlias() {
    Parameter parameter;
    parameter.sigil = source[position];
    setPosition(parameter);
    parameter.chunk = chunk;
    ++position;
    size_t nameStart = position;
    while (position < source.size() && (isNameCharacter(source[position]) || source[position] == '-'))
      ++position;
    parameter.name = source.slice(nameStart, position).str();
    // A dot belongs to a dialect's attribute or type; `==` is no definition.
    if (parameter.name.empty() || StringRef(parameter.name).contains('.') || !takeCharacter('='))
      return;
    skipSpace();
    size_t valueStart = position;
    unsigned valueChunk = chunk;
    StringRef value = takeWord();
    size_t valueEnd = position;
    if (valueChunk != parameter.chunk || !classify(value, parameter)) {
      position = std::max(valueStart, nameStart);
      return;
    }
    parameter.offset = valueStart;
    parameter.value = value.str();
    skipSpace();
    if (chunk == parameter.chunk && parameter.kind != ParameterKind::Type && parameter.kind != ParameterKind::Bool &&
        takeCharacter(':')) {
      skipSpace();
      parameter.type = takeWord().str();
      // `: tensor<…>` and other types with a body make no scalar.
      if (parameter.type.empty() || (position < source.size() && source[position] == '<'))
        return;
    } else if (valueEnd < source.size() && (source[valueEnd] == '<' || source[valueEnd] == '"')) {
      return;
    }
    // A hexadecimal literal of a float type gives the float's bits.
    if (parameter.kind == ParameterKind::Integer && floatSemantics(parameter.type))
      parameter.kind = ParameterKind::Float;
    parameters.push_back(std::move(parameter));
  }

  static bool classify(StringRef value, Parameter &parameter) {
    if (isScalarType(value)) {
      parameter.kind = ParameterKind::Type;
      return true;
    }
    if (parameter.sigil == '!')
      return false;
    if (value == "true" || value == "false")
      parameter.kind = ParameterKind::Bool;
    else if (isIntegerLiteral(value))
      parameter.kind = ParameterKind::Integer;
    else if (isFloatLiteral(value, /*relaxed=*/false))
      parameter.kind = ParameterKind::Float;
    else
      return false;
    return true;
  }

  void setPosition(Parameter &parameter) {
    // Definitions come in order, so that counting goes on from the last one.
    for (; counted < position; ++counted) {
      if (source[counted] == '\n') {
        ++line;
        lineStart = counted + 1;
      }
    }
    parameter.line = line;
    parameter.column = position - lineStart + 1;
  }

  StringRef source;
  size_t position = 0;
  unsigned depth = 0, chunk = 0;
  size_t counted = 0, lineStart = 0;
  unsigned line = 1;
  std::vector<Parameter> parameters;
};
} // namespace

std::string Parameter::str() const {
  std::string text = std::string(1, sigil) + name + " = " + value;
  return type.empty() ? text : text + " : " + type;
}

std::string ParameterError::str(StringRef fileName) const {
  return (fileName + ":" + Twine(line) + ":" + Twine(column) + ": error: " + message).str();
}

std::vector<Parameter> tile::listParameters(StringRef source) { return Scanner(source).run(); }

//===--- Checking and replacing values ---------------------------------------------------------------------------===//

namespace {
/// One `-D`.
struct Override {
  char sigil; // 0 where none was given
  std::string name, value;

  bool matches(const Parameter &parameter) const {
    return parameter.name == name && (sigil == 0 || sigil == parameter.sigil);
  }
};
} // namespace

/// The value range in words, for the types that a message is worth it: "i8 (-128 to 255)".
static std::string describeIntegerType(StringRef name, const IntegerRange &type) {
  if (type.width > 64)
    return "'" + name.str() + "'";
  llvm::APInt low =
      type.sign == IntegerRange::Unsigned ? llvm::APInt(type.width, 0) : llvm::APInt::getSignedMinValue(type.width);
  llvm::APInt high = type.sign == IntegerRange::Signed ? llvm::APInt::getSignedMaxValue(type.width)
                                                       : llvm::APInt::getMaxValue(type.width);
  return "'" + name.str() + "' (" + llvm::toString(low, 10, type.sign != IntegerRange::Unsigned) + " to " +
         llvm::toString(high, 10, /*Signed=*/false) + ")";
}

/// Whether the literal fits: signless types take whatever either reading holds, as MLIR does.
static bool fits(StringRef literal, const IntegerRange &type) {
  bool negative = literal.consume_front("-");
  llvm::APInt magnitude;
  // As MLIR: a leading zero does not mean octal.
  if (literal.getAsInteger(isHex(literal) ? 0 : 10, magnitude))
    return false;
  unsigned bits = magnitude.getActiveBits();
  if (bits == 0)
    return true;
  if (negative) {
    // The magnitude of the least value is a power of two.
    return type.sign != IntegerRange::Unsigned && (bits < type.width || (bits == type.width && magnitude.isPowerOf2()));
  }
  return bits <= (type.sign == IntegerRange::Signed ? type.width - 1 : type.width);
}

/// The value as MLIR writes a float, or nothing if it is none or too large for the type.
static std::optional<std::string> floatText(StringRef value, StringRef type) {
  const llvm::fltSemantics *semantics = floatSemantics(type);
  if (isHex(value)) {
    llvm::APInt bits;
    if (!semantics || value.getAsInteger(0, bits) ||
        bits.getActiveBits() > llvm::APFloat::semanticsSizeInBits(*semantics))
      return std::nullopt;
    return value.str();
  }
  if (!isFloatLiteral(value, /*relaxed=*/true))
    return std::nullopt;
  if (semantics) {
    llvm::APFloat number(*semantics);
    auto status = number.convertFromString(value, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return std::nullopt;
    }
    if (*status & (llvm::APFloat::opOverflow | llvm::APFloat::opInvalidOp))
      return std::nullopt;
  }
  if (value.contains('.'))
    return value.str();
  size_t exponent = value.find_first_of("eE");
  return (value.substr(0, exponent) + ".0" + (exponent == StringRef::npos ? "" : value.substr(exponent))).str();
}

/// What `parameter` of the resolved type `type` takes, for the message.
static std::string expected(const Parameter &parameter, StringRef type) {
  switch (parameter.kind) {
  case ParameterKind::Bool:
    return "true or false";
  case ParameterKind::Type:
    return "a scalar type such as f16, bf16 or f32";
  case ParameterKind::Float:
    return "a number of type '" + type.str() + "'";
  case ParameterKind::Integer:
    if (std::optional<IntegerRange> integer = integerType(type))
      return "an integer of type " + describeIntegerType(type, *integer);
    return "an integer of type '" + type.str() + "'";
  }
  llvm_unreachable("all kinds are handled");
}

/// The new right side of `parameter`, or nothing where `value` is not of its kind or does not fit.
static std::optional<std::string> checkedValue(const Parameter &parameter, StringRef type, StringRef value) {
  switch (parameter.kind) {
  case ParameterKind::Bool:
    return value == "true" || value == "false" ? std::optional(value.str()) : std::nullopt;
  case ParameterKind::Type:
    return isScalarType(value) ? std::optional(value.str()) : std::nullopt;
  case ParameterKind::Float:
    return floatText(value, type);
  case ParameterKind::Integer: {
    if (!isIntegerLiteral(value))
      return std::nullopt;
    std::optional<IntegerRange> integer = integerType(type);
    return !integer || fits(value, *integer) ? std::optional(value.str()) : std::nullopt;
  }
  }
  llvm_unreachable("all kinds are handled");
}

static FailureOr<std::vector<Override>> parseOverrides(ArrayRef<std::string> definitions, ParameterError &error) {
  std::vector<Override> overrides;
  for (StringRef definition : definitions) {
    auto [left, right] = definition.split('=');
    Override parsed{0, left.trim().str(), right.trim().str()};
    StringRef name = parsed.name;
    if (name.starts_with("#") || name.starts_with("!")) {
      parsed.sigil = name.front();
      parsed.name = name.drop_front().str();
    }
    if (!definition.contains('=') || parsed.name.empty()) {
      error.message = ("-D expects NAME=VALUE, but got '" + definition + "'").str();
      return failure();
    }
    for (const Override &other : overrides) {
      if (other.name == parsed.name && (other.sigil == parsed.sigil || other.sigil == 0 || parsed.sigil == 0)) {
        error.message = "-D " + parsed.name + " is given twice, with '" + other.value + "' and '" + parsed.value + "'";
        return failure();
      }
    }
    overrides.push_back(std::move(parsed));
  }
  return overrides;
}

static std::string unknownName(const Override &wanted, ArrayRef<Parameter> parameters) {
  std::string message = "unknown parameter '" + wanted.name + "'; ";
  if (parameters.empty())
    return message + "the file has no parameters";
  message += "the file has ";
  std::vector<std::string> seen;
  for (const Parameter &parameter : parameters) {
    std::string key = parameter.sigil + parameter.name;
    if (llvm::is_contained(seen, key))
      continue;
    message += (seen.empty() ? "'" : ", '") + parameter.str() + "'";
    seen.push_back(std::move(key));
  }
  return message;
}

/// The type that `parameter` declares, through a type alias of its chunk if need be and as overridden.
static std::string resolvedType(const Parameter &parameter, ArrayRef<Parameter> parameters,
                                ArrayRef<Override> overrides) {
  // What MLIR assumes where no type is written.
  if (parameter.type.empty())
    return parameter.kind == ParameterKind::Float ? "f64" : "i64";
  if (parameter.type.front() != '!')
    return parameter.type;
  for (const Parameter &type : parameters) {
    if (type.chunk != parameter.chunk || type.sigil != '!' || type.name != StringRef(parameter.type).drop_front())
      continue;
    for (const Override &wanted : overrides)
      if (wanted.matches(type))
        return wanted.value;
    return type.value;
  }
  return parameter.type;
}

FailureOr<std::string> tile::overrideParameters(StringRef source, ArrayRef<std::string> definitions,
                                                ParameterError &error) {
  error = ParameterError();
  FailureOr<std::vector<Override>> overrides = parseOverrides(definitions, error);
  if (failed(overrides))
    return failure();
  std::vector<Parameter> parameters = listParameters(source);
  std::vector<std::pair<const Parameter *, std::string>> replacements;
  for (const Override &wanted : *overrides) {
    const Parameter *first = nullptr;
    for (const Parameter &parameter : parameters) {
      if (!wanted.matches(parameter))
        continue;
      first = first ? first : &parameter;
      if (first->sigil != parameter.sigil) {
        error = {"-D " + wanted.name + " is ambiguous between '#" + wanted.name + "' and '!" + wanted.name +
                     "'; write the one that is meant, with its sign",
                 parameter.line, parameter.column};
        return failure();
      }
      std::string type = resolvedType(parameter, parameters, *overrides);
      std::optional<std::string> value = checkedValue(parameter, type, wanted.value);
      if (!value) {
        error = {"parameter '" + wanted.name + "' expects " + expected(parameter, type) + ", but -D gives '" +
                     wanted.value + "'",
                 parameter.line, parameter.column};
        return failure();
      }
      replacements.emplace_back(&parameter, std::move(*value));
    }
    if (!first) {
      error.message = unknownName(wanted, parameters);
      return failure();
    }
  }

  llvm::sort(replacements, [](const auto &a, const auto &b) { return a.first->offset < b.first->offset; });
  std::string result;
  size_t copied = 0;
  for (const auto &[parameter, value] : replacements) {
    result += source.slice(copied, parameter->offset);
    result += value;
    copied = parameter->offset + parameter->value.size();
  }
  result += source.substr(copied);
  return result;
}

/// Tokens of PTX text. Source: PTX ISA, chapter "Syntax" (source format, identifiers, constants).
#ifndef TILEC_LIB_SIMULATOR_PTX_LEXER_H
#define TILEC_LIB_SIMULATOR_PTX_LEXER_H

#include "lib/Simulator/Ptx/Module.h"

namespace tilec::ptx {

/// One token. It points into the text.
struct Token {
  enum class Kind : uint8_t {
    /// The end of the text.
    End,
    /// What no token begins with; `problem` says why.
    Bad,
    /// Identifiers, registers and opcodes. `7%4` has the name `%4`, as ptxas reads it: the operator needs a blank.
    Name,
    /// A word with its dot: a directive, a modifier or a component. `::` belongs to the word.
    Word,
    /// A number; its value is in `bits`.
    Integer,
    Float,
    /// A string, with its quotes.
    String,
    /// An operator or a bracket, in `text`.
    Mark,
  };
  Kind kind = Kind::End;
  /// Integers: the literal is unsigned, by its suffix or by its size.
  bool isUnsigned = false;
  /// Floats: F32 for 0f…, else F64.
  Type type = Type::None;
  Location location;
  std::string_view text;
  uint64_t bits = 0;
  /// Of a Bad token.
  const char *problem = nullptr;

  /// Whether it is that mark, or that word.
  bool is(char mark) const { return kind == Kind::Mark && text.size() == 1 && text[0] == mark; }
  template <size_t size> bool is(const char (&word)[size]) const {
    return kind == Kind::Word && text == std::string_view(word, size - 1);
  }
};

/// Reads a text token by token. A copy reads on from the same place, which is how a parser looks ahead.
class Lexer {
public:
  /// From the text's beginning; the text must outlive tokens and lexer.
  explicit Lexer(std::string_view text);
  /// The next token; End at the end, Bad where there is none.
  Token next();

private:
  /// Skips blanks and comments; false: a comment does not end, and `begin` is where it started.
  bool skipBlanks(const char *&begin);
  Token number(Token token);
  Token decimalFloat(Token token, const char *begin);
  Token bitsFloat(Token token, const char *begin, unsigned digits);
  Token string(Token token);
  Token word(Token token);
  Token mark(Token token);
  Location at(const char *place) const;
  /// The token from `begin` to the current place.
  Token end(Token token, Token::Kind kind, const char *begin) const;
  Token bad(Token token, const char *begin, const char *problem);

  const char *position, *last, *lineStart;
  uint32_t line = 1;
};

} // namespace tilec::ptx

#endif // TILEC_LIB_SIMULATOR_PTX_LEXER_H

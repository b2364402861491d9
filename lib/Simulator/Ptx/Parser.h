/// The parser of PTX modules, by recursive descent. Its parts are spread over files by what they read: ParseModule.cpp
/// (module directives), ParseVariables.cpp (declarations and initialisers), ParseFunctions.cpp (headers and bodies),
/// ParseInstructions.cpp (operands) and ParseConstants.cpp (constant expressions). A function that returns false has
/// reported an error; only the first is kept.
#ifndef TILEC_LIB_SIMULATOR_PTX_PARSER_H
#define TILEC_LIB_SIMULATOR_PTX_PARSER_H

#include "lib/Simulator/Ptx/Lexer.h"
#include "lib/Simulator/Ptx/Scopes.h"

#include <optional>

namespace tilec::ptx {

/// The value of a constant expression: S64 or U64, or F64, or F32 for a lone 0f… literal (PTX ISA, "Constant
/// Expressions").
struct Constant {
  Type type = Type::S64;
  uint64_t bits = 0;
  bool isFloat() const { return type == Type::F32 || type == Type::F64; }
};

/// Reads one module; used once.
class Parser {
public:
  /// Fills `module` from `text`; what is wrong goes to `error`.
  Parser(std::string_view text, Module &module, Error &error);
  /// Reads the whole text.
  bool parse();

private:
  /// What the module's names stand for.
  struct Symbol {
    bool isFunction = false;
    size_t index = 0;
    Location location;
  };
  /// A name in a body that may be a label further down. Operands of finished instructions stay where they are.
  struct Pending {
    std::string *name;
    Location location;
    uint32_t scope;
    /// Only a label will do; with `inAddress`, anything but a label.
    bool onlyLabel, inAddress;
  };
  /// The state of the function whose body is being read.
  struct Body {
    explicit Body(Function &function) : function(function), scopes(function) {}
    Function &function;
    Scopes scopes;
    SourceLocation source;
    std::vector<Pending> pending;
    /// The instruction being read has a symbol that may be a label.
    bool hasUnresolved = false;
    /// The variable of the function that the last name stood for, or null.
    const Variable *lastVariable = nullptr;
    /// How often a name was made unique, by name.
    std::unordered_map<std::string_view, uint32_t> uses;
  };

  // Tokens.
  void advance() { token = lexer.next(); }
  Token ahead() const { return Lexer(lexer).next(); }
  bool fail(Location location, std::string message);
  /// "expected `what`, but got …" at the current token.
  bool expected(const std::string &what);
  bool take(char mark, const char *where);
  bool takeIf(char mark);
  bool takeName(std::string_view &name, const char *what);
  bool takeString(std::string &value, const char *what);
  bool takeInteger(uint64_t &value, const char *what, uint64_t most);

  // Module directives.
  bool version();
  bool target();
  bool addressSize();
  bool fileDirective();
  bool locDirective(SourceLocation &source);
  bool pragma();
  bool section();
  bool alias();
  bool moduleDirective();
  bool linked(Linkage linkage);
  bool declareVariable(Variable &variable, std::string_view name);

  // Variables.
  bool spaceOfWord(std::optional<Space> &space);
  bool attribute();
  bool variables(Linkage linkage, Body *body);
  bool registers(Body &body);
  bool variableType(Variable &variable, bool isParameter);
  bool alignment(uint64_t &value);
  bool pointerAttributes();
  bool extents(Variable &variable);
  bool parameter(Variable &variable);
  bool parameterList(std::vector<Variable> &list);
  bool initialiser(Variable &variable);
  bool initialList(Variable &variable, const std::vector<uint64_t> &shape, size_t level, uint64_t first,
                   uint64_t &count);
  bool initialElement(Variable &variable, uint64_t element);
  bool initialAddress(Variable &variable, uint64_t offset);
  bool storeInitial(Variable &variable, uint64_t offset, uint64_t bits, unsigned bytes);

  // Functions.
  bool function(Linkage linkage);
  bool functionDirective(Function &function);
  bool threeExtents(uint32_t (&extents)[3]);
  bool functionHead(Function &function, std::string_view &name);
  /// Adds the function to the module, or takes the place of an earlier declaration; `place` is its number.
  bool declareFunction(std::unique_ptr<Function> function, std::string_view name, size_t &place);
  bool body(Function &function);
  bool statement(Body &body);
  bool label(Body &body, std::string_view name, Location location);
  bool labelList(Body &body, std::string_view name, Location location);
  bool prototype(LabelList &list);
  bool bodyDirective(Body &body);
  bool resolve(Body &body);
  std::string uniqueName(Body &body, std::string_view name);
  bool declareParameters(Body &body, std::vector<Variable> &list);
  bool duplicate(Location location, std::string_view name);

  // Instructions.
  bool guard(Body &body, Instruction &instruction);
  bool instruction(Body &body, Instruction instruction, const Token &opcode);
  bool operand(Body &body, const Instruction &instruction, Operand &out);
  bool namedOperand(Body &body, const Instruction &instruction, Operand &out);
  bool indexedSymbol(Body &body, const Instruction &instruction, Operand &out);
  bool plainName(Body &body, Operand &out);
  bool element(Body &body, Operand &out);
  bool elements(Body &body, Operand &out, char close);
  bool address(Body &body, Operand &out);
  bool component(Body &body, Operand &out);
  bool undeclared(Body &body, const Token &name, const char *what);
  bool constantOperand(Operand &out);
  void addPending(Body &body, Operand &operand, bool inAddress);

  // Constant expressions.
  bool constant(Constant &out, int precedence = 0);
  bool constantPrimary(Constant &out);
  bool constantUnary(Constant &out);
  bool apply(std::string_view mark, Location location, Constant &left, const Constant &right);
  bool integerConstant(Constant &out, const char *what, int precedence = 0);
  /// An integer from `least` to `most`.
  bool boundedConstant(uint64_t &out, const char *what, uint64_t least, uint64_t most, int precedence = 0);

  Lexer lexer;
  Token token;
  Module &module;
  Error &error;
  bool failed = false;
  std::unordered_map<std::string_view, Symbol> symbols;
  /// Bytes of initial content in the module so far.
  uint64_t initialBytes = 0;
  /// How deep the constant expression being read is nested.
  unsigned nesting = 0;
};

/// 'text', shortened and printable, for messages.
std::string quoted(std::string_view text);

} // namespace tilec::ptx

#endif // TILEC_LIB_SIMULATOR_PTX_PARSER_H

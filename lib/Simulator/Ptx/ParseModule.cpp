/// The module level: version, target, names of source files, debug sections (skipped), aliases, and what leads to
/// variables and functions. Source: PTX ISA, "PTX Module Directives", "Debugging Directives", "Linking Directives".
#include "lib/Simulator/Ptx/Parser.h"

using namespace tilec::ptx;

std::unique_ptr<Module> tilec::ptx::parse(std::string_view text, Error &error) {
  auto module = std::make_unique<Module>();
  Parser parser(text, *module, error);
  return parser.parse() ? std::move(module) : nullptr;
}

std::string tilec::ptx::quoted(std::string_view text) {
  constexpr size_t longest = 60;
  std::string result = "'";
  for (char c : text.substr(0, longest)) {
    static const char digits[] = "0123456789abcdef";
    unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      result += c;
    else
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return result + (text.size() > longest ? "…'" : "'");
}

Parser::Parser(std::string_view text, Module &module, Error &error) : lexer(text), module(module), error(error) {
  advance();
}

bool Parser::fail(Location location, std::string message) {
  if (!failed)
    error = {location, std::move(message)};
  failed = true;
  return false;
}

bool Parser::expected(const std::string &what) {
  if (token.kind == Token::Kind::Bad)
    return fail(token.location, std::string(token.problem) + ", but got " + quoted(token.text));
  std::string found = token.kind == Token::Kind::End ? "the end of the text" : quoted(token.text);
  return fail(token.location, "expected " + what + ", but got " + found);
}

bool Parser::takeIf(char mark) {
  if (!token.is(mark))
    return false;
  advance();
  return true;
}

bool Parser::take(char mark, const char *where) {
  return takeIf(mark) || expected(std::string("'") + mark + "' " + where);
}

bool Parser::takeName(std::string_view &name, const char *what) {
  if (token.kind != Token::Kind::Name)
    return expected(what);
  name = token.text;
  advance();
  return true;
}

bool Parser::takeString(std::string &value, const char *what) {
  if (token.kind != Token::Kind::String)
    return expected(what);
  value = std::string(token.text.substr(1, token.text.size() - 2));
  advance();
  return true;
}

bool Parser::takeInteger(uint64_t &value, const char *what, uint64_t most) {
  if (token.kind != Token::Kind::Integer)
    return expected(what);
  if (token.bits > most)
    return fail(token.location, std::string("expected ") + what + " of at most " + std::to_string(most) + ", but got " +
                                    quoted(token.text));
  value = token.bits;
  advance();
  return true;
}

bool Parser::version() {
  if (!token.is(".version"))
    return expected("'.version' at the start of a module");
  advance();
  std::string_view text = token.text;
  size_t dot = text.find('.');
  bool isVersion = token.kind == Token::Kind::Float && dot != std::string_view::npos && dot >= 1 && dot <= 2 &&
                   text.size() == dot + 2;
  unsigned number = 0;
  for (size_t i = 0; isVersion && i < text.size(); ++i) {
    isVersion = i == dot || (text[i] >= '0' && text[i] <= '9');
    number = i == dot ? number : number * 10 + unsigned(text[i] - '0');
  }
  if (!isVersion)
    return expected("a version such as 9.0");
  module.version = number;
  advance();
  return true;
}

bool Parser::target() {
  if (!token.is(".target"))
    return expected("'.target' after '.version'");
  do {
    advance();
    std::string_view word;
    Location location = token.location;
    if (!takeName(word, "a target such as sm_90a"))
      return false;
    bool isTarget = word.substr(0, 3) == "sm_" || word.substr(0, 8) == "compute_";
    if (isTarget && !module.target.empty())
      return fail(location, "expected one target, but got '" + module.target + "' and " + quoted(word));
    if (isTarget)
      module.target = std::string(word);
    else
      module.targetOptions.emplace_back(word);
  } while (token.is(','));
  return !module.target.empty() || expected("a target such as sm_90a");
}

bool Parser::addressSize() {
  advance();
  Location location = token.location;
  uint64_t size = 0;
  if (!takeInteger(size, "an address size", ~uint64_t(0)))
    return false;
  if (size != 32 && size != 64)
    return fail(location, "expected an address size of 32 or 64, but got " + std::to_string(size));
  module.addressSize = unsigned(size);
  return true;
}

/// `.file 1 "name" [, time stamp, size]`
bool Parser::fileDirective() {
  advance();
  uint64_t index = 0, ignored = 0;
  std::string name;
  if (!takeInteger(index, "the number of a file", UINT32_MAX) || !takeString(name, "the name of a file"))
    return false;
  while (takeIf(','))
    if (!takeInteger(ignored, "a time stamp or a size", ~uint64_t(0)))
      return false;
  module.files[uint32_t(index)] = std::move(name);
  return true;
}

/// `.loc file line column [, function_name label [+ n]] [, inlined_at file line column]`
bool Parser::locDirective(SourceLocation &source) {
  advance();
  uint64_t file = 0, line = 0, column = 0, ignored = 0;
  if (!takeInteger(file, "the number of a file", UINT32_MAX) || !takeInteger(line, "a line", UINT32_MAX) ||
      !takeInteger(column, "a column", UINT32_MAX))
    return false;
  source = {uint32_t(file), uint32_t(line), uint32_t(column)};
  while (takeIf(',')) {
    std::string_view word, name;
    Location location = token.location;
    if (!takeName(word, "'function_name' or 'inlined_at'"))
      return false;
    if (word == "function_name") {
      if (!takeName(name, "a label in a debug section") ||
          (takeIf('+') && !takeInteger(ignored, "an offset", ~uint64_t(0))))
        return false;
    } else if (word == "inlined_at") {
      for (const char *what : {"the number of a file", "a line", "a column"})
        if (!takeInteger(ignored, what, UINT32_MAX))
          return false;
    } else {
      return fail(location, "expected 'function_name' or 'inlined_at', but got " + quoted(word));
    }
  }
  return true;
}

bool Parser::pragma() {
  do {
    advance();
    std::string ignored;
    if (!takeString(ignored, "a string after '.pragma'"))
      return false;
  } while (token.is(','));
  return take(';', "after '.pragma'");
}

/// Debug information: nothing in it changes what a program does.
bool Parser::section() {
  advance();
  if (token.kind != Token::Kind::Word && token.kind != Token::Kind::Name)
    return expected("the name of a section");
  advance();
  if (!take('{', "to begin the section"))
    return false;
  for (unsigned open = 1; open > 0; advance()) {
    if (token.kind == Token::Kind::End || token.kind == Token::Kind::Bad)
      return expected("'}' to end the section");
    if (token.is('{'))
      ++open;
    else if (token.is('}'))
      --open;
  }
  return true;
}

/// `.alias name, function;`
bool Parser::alias() {
  advance();
  std::string_view names[2];
  for (int i = 0; i < 2; ++i) {
    Location location = token.location;
    if (!takeName(names[i], "the name of a function") || (i == 0 && !take(',', "after the name of an alias")))
      return false;
    auto found = symbols.find(names[i]);
    if (found == symbols.end() || !found->second.isFunction)
      return fail(location, "expected a function that is declared before '.alias', but got " + quoted(names[i]));
    if (module.functions[found->second.index]->hasBody != (i == 1))
      return fail(location, i == 0 ? "expected a function without a body before ',', but got " + quoted(names[i])
                                   : "expected a function with a body after ',', but got " + quoted(names[i]));
  }
  module.aliases[std::string(names[0])] = std::string(names[1]);
  return take(';', "after '.alias'");
}

/// What may follow a linkage, or stand without one.
bool Parser::linked(Linkage linkage) {
  if (token.is(".entry") || token.is(".func"))
    return function(linkage);
  return variables(linkage, nullptr);
}

bool Parser::moduleDirective() {
  static constexpr struct {
    std::string_view word;
    Linkage linkage;
  } linkages[] = {{".visible", Linkage::Visible},
                  {".extern", Linkage::Extern},
                  {".weak", Linkage::Weak},
                  {".common", Linkage::Common}};
  for (const auto &row : linkages)
    if (token.kind == Token::Kind::Word && token.text == row.word) {
      advance();
      return linked(row.linkage);
    }
  if (token.is(".file"))
    return fileDirective();
  if (token.is(".section"))
    return section();
  if (token.is(".pragma"))
    return pragma();
  if (token.is(".alias"))
    return alias();
  if (token.is(".address_size"))
    return addressSize();
  if (token.is(".target"))
    return fail(token.location, "expected one '.target' in a module, but got a second");
  if (token.is(".version"))
    return fail(token.location, "expected one '.version' in a module, but got a second");
  if (token.kind != Token::Kind::Word)
    return expected("a directive");
  return linked(Linkage::None);
}

bool Parser::parse() {
  if (!version() || !target())
    return false;
  while (token.kind != Token::Kind::End)
    if (!moduleDirective())
      return false;
  return true;
}

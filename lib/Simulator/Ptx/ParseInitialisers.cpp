/// Initial content of variables in `.global` and `.const`: numbers go into bytes, addresses into relocations. Source:
/// PTX ISA, "Initializers".
#include "lib/Simulator/Ptx/Parser.h"

#include <cstring>

using namespace tilec::ptx;

/// Initial content a module may have altogether; what lies before the last element written counts.
static constexpr uint64_t mostInitialBytes = uint64_t(256) << 20;

bool Parser::storeInitial(Variable &variable, uint64_t offset, uint64_t bits, unsigned bytes) {
  uint64_t end = offset + bytes;
  if (end > variable.initial.size()) {
    initialBytes += end - variable.initial.size();
    if (initialBytes > mostInitialBytes)
      return fail(token.location, "expected at most 256 MiB of initial content in a module");
    variable.initial.resize(end);
  }
  for (unsigned i = 0; i < bytes && i < 8; ++i)
    variable.initial[offset + i] = std::byte(bits >> 8 * i & 0xff);
  return true;
}

/// `symbol`, `symbol + n`, `generic(symbol) + n`, or one byte of those: `0xff00(symbol)`.
bool Parser::initialAddress(Variable &variable, uint64_t offset) {
  Variable::Relocation relocation;
  Location begin = token.location;
  relocation.offset = offset;
  relocation.bytes = typeBytes(variable.type);
  bool isMasked = token.kind == Token::Kind::Integer;
  if (isMasked) {
    relocation.mask = token.bits;
    unsigned shift = 0;
    while (shift < 56 && !(relocation.mask >> shift & 0xff))
      shift += 8;
    if (relocation.mask != uint64_t(0xff) << shift)
      return fail(begin, "expected a mask that selects one byte, but got " + quoted(token.text));
    advance();
    if (!take('(', "after the mask"))
      return false;
  }
  if (token.kind == Token::Kind::Name && token.text == "generic" && ahead().is('(')) {
    relocation.generic = true;
    advance();
    advance();
  }
  std::string_view name;
  Location location = token.location;
  if (!takeName(name, "the name of a variable or function"))
    return false;
  if (symbols.find(name) == symbols.end())
    return fail(location, "undeclared symbol " + quoted(name));
  relocation.symbol = std::string(name);
  if (relocation.generic && !take(')', "after the name"))
    return false;
  bool plus = takeIf('+');
  if (plus || token.is('-')) {
    Constant addend;
    if (!integerConstant(addend, "an offset"))
      return false;
    relocation.addend = int64_t(addend.bits);
  }
  if (isMasked && !take(')', "after the address"))
    return false;
  unsigned wanted = isMasked ? 1 : module.addressSize / 8;
  bool isInteger = variable.type >= Type::B8 && variable.type <= Type::S64;
  if (!isInteger || (isMasked ? relocation.bytes != 1 : relocation.bytes != 4 && relocation.bytes != 8))
    return fail(begin, "expected an element of " + std::to_string(wanted) + (wanted == 1 ? " byte" : " bytes") +
                           " for an address, but got type '." + typeName(variable.type) + "'");
  variable.relocations.push_back(std::move(relocation));
  return storeInitial(variable, offset, 0, isMasked ? 1 : typeBytes(variable.type));
}

/// The element of that number, counted through all dimensions.
bool Parser::initialElement(Variable &variable, uint64_t element) {
  unsigned bytes = typeBytes(variable.type);
  uint64_t offset = element * bytes;
  bool isName = token.kind == Token::Kind::Name && token.text != "WARP_SZ";
  if (isName || (token.kind == Token::Kind::Integer && ahead().is('(')))
    return initialAddress(variable, offset);
  Location begin = token.location;
  Constant value;
  if (!constant(value))
    return false;
  if (variable.type == Type::F32 || variable.type == Type::F64) {
    if (!value.isFloat())
      return fail(begin, std::string("expected a floating-point number for an element of type '.") +
                             typeName(variable.type) + "', but got an integer");
    double wide;
    std::memcpy(&wide, &value.bits, sizeof wide);
    float narrow = float(wide);
    uint32_t narrowBits;
    std::memcpy(&narrowBits, &narrow, sizeof narrow);
    if (value.type == Type::F32) {
      narrowBits = uint32_t(value.bits);
      std::memcpy(&narrow, &narrowBits, sizeof narrow);
      wide = narrow;
    }
    uint64_t wideBits;
    std::memcpy(&wideBits, &wide, sizeof wide);
    return storeInitial(variable, offset, variable.type == Type::F32 ? narrowBits : wideBits, bytes);
  }
  if (value.isFloat())
    return fail(begin, std::string("expected an integer for an element of type '.") + typeName(variable.type) +
                           "', but got a floating-point number");
  if (variable.type == Type::B128 && value.type == Type::S64 && value.bits >> 63)
    return fail(begin, "expected an initial value of '.b128' from 0 to 2^64 - 1");
  return storeInitial(variable, offset, value.bits, bytes);
}

/// Braces around the elements of one dimension. `first` is the number of the first element, `count` becomes how many
/// there are in this dimension.
bool Parser::initialList(Variable &variable, const std::vector<uint64_t> &shape, size_t level, uint64_t first,
                         uint64_t &count) {
  if (!take('{', "to begin the elements"))
    return false;
  uint64_t stride = 1, inner = 0;
  for (size_t i = level + 1; i < shape.size(); ++i)
    stride *= shape[i];
  bool isUnsized = level == 0 && shape[0] == 0;
  count = 0;
  if (takeIf('}'))
    return true;
  do {
    if (!isUnsized && count == shape[level])
      return fail(token.location, "expected at most " + std::to_string(shape[level]) + " elements of " +
                                      quoted(variable.name) + ", but got more");
    if (isUnsized && stride && count >= (uint64_t(1) << 44) / stride)
      return fail(token.location, "expected a variable of at most 2^48 bytes");
    uint64_t place = first + count * stride;
    if (level + 1 == shape.size() ? !initialElement(variable, place)
                                  : !initialList(variable, shape, level + 1, place, inner))
      return false;
    ++count;
  } while (takeIf(','));
  return take('}', "after the elements");
}

bool Parser::initialiser(Variable &variable) {
  if (variable.space != Space::Global && variable.space != Space::Constant)
    return fail(token.location, std::string("expected no initial value in '.") + spaceName(variable.space) + "'");
  if (variable.linkage == Linkage::Extern)
    return fail(token.location, "expected no initial value of an '.extern' variable");
  if (variable.type == Type::F16 || variable.type == Type::F16x2 || variable.type == Type::BF16 ||
      variable.type == Type::BF16x2)
    return fail(token.location, std::string("expected no initial value of type '.") + typeName(variable.type) + "'");
  std::vector<uint64_t> shape = variable.extents;
  if (variable.vector > 1)
    shape.push_back(variable.vector);
  if (shape.empty())
    return initialElement(variable, 0);
  uint64_t count = 0;
  if (!initialList(variable, shape, 0, 0, count))
    return false;
  if (!variable.extents.empty() && variable.extents[0] == 0)
    variable.extents[0] = count;
  return true;
}

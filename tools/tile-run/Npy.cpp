// The header is text: a dictionary whose keys come in any order, with Python's spellings of strings, numbers and truth.
#include "tools/tile-run/Npy.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

using namespace tilec::run;

static constexpr std::string_view magic = "\x93NUMPY";
/// Elements begin at a multiple of it, as NumPy writes them.
static constexpr size_t alignment = 64;

size_t NpyArray::elementBytes() const { return std::strtoul(type.c_str() + 1, nullptr, 10); }

int64_t NpyArray::count() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

namespace {
/// The dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  bool parse(NpyArray &array, std::string &error);

private:
  void skipSpace() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.front())))
      rest.remove_prefix(1);
  }
  bool consume(std::string_view token) {
    skipSpace();
    if (rest.substr(0, token.size()) != token)
      return false;
    rest.remove_prefix(token.size());
    return true;
  }
  bool takeString(std::string &text) {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos)
      return false;
    text = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool takeShape(std::vector<int64_t> &shape);
  bool takeType(std::string &type, std::string &error);

  std::string_view rest;
};
} // namespace

bool HeaderParser::takeShape(std::vector<int64_t> &shape) {
  if (!consume("("))
    return false;
  while (!consume(")")) {
    skipSpace();
    int64_t extent = 0;
    size_t digits = 0;
    for (; digits < rest.size() && std::isdigit(static_cast<unsigned char>(rest[digits])); ++digits)
      if (__builtin_mul_overflow(extent, 10, &extent) || __builtin_add_overflow(extent, rest[digits] - '0', &extent))
        return false;
    if (digits == 0)
      return false;
    rest.remove_prefix(digits);
    consume("L"); // long integers of Python 2
    shape.push_back(extent);
    if (!consume(",") && !(rest.size() && rest.front() == ')'))
      return false;
  }
  return true;
}

bool HeaderParser::takeType(std::string &type, std::string &error) {
  std::string text;
  if (!takeString(text)) {
    error = "structured elements; expected plain numbers";
    return false;
  }
  char order = text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) ? '=' : text.front();
  if (order != '=' || (!text.empty() && text.front() == '='))
    text.erase(0, 1);
  bool known = text.size() == 2 && std::strchr("biufV", text[0]) && std::strchr("1248", text[1]);
  if (text.size() && text[0] == 'O')
    error = "Python objects; expected plain numbers";
  else if (!known || (text[0] == 'b' && text[1] != '1') || (text[0] == 'f' && text[1] == '1'))
    error = "element type '" + text + "'; expected b1, i1 to i8, u1 to u8, f2 to f8 or V1 to V8";
  else if (order == '>')
    error = "big-endian elements; expected little-endian ones";
  type = text;
  return error.empty();
}

bool HeaderParser::parse(NpyArray &array, std::string &error) {
  bool hasType = false, hasOrder = false, hasShape = false, fortran = false;
  auto malformed = [&] {
    if (error.empty())
      error = "malformed header; expected a dictionary of 'descr', 'fortran_order' and 'shape'";
    return false;
  };
  if (!consume("{"))
    return malformed();
  while (!consume("}")) {
    std::string key;
    if (!takeString(key) || !consume(":"))
      return malformed();
    if (key == "descr" && takeType(array.type, error))
      hasType = true;
    else if (key == "fortran_order" && ((fortran = consume("True")) || consume("False")))
      hasOrder = true;
    else if (key == "shape" && takeShape(array.shape))
      hasShape = true;
    else
      return malformed();
    if (!consume(",") && !(rest.size() && rest.front() == '}'))
      return malformed();
  }
  if (!hasType || !hasOrder || !hasShape)
    return malformed();
  if (fortran && array.shape.size() > 1) {
    error = "Fortran order; expected C order (numpy.ascontiguousarray gives it)";
    return false;
  }
  return true;
}

bool tilec::run::decodeNpy(std::string_view content, NpyArray &array, std::string &error) {
  array = {};
  error.clear();
  if (content.substr(0, magic.size()) != magic) {
    error = "not a .npy file; expected it to begin with \\x93NUMPY";
    return false;
  }
  auto byte = [&](size_t at) { return at < content.size() ? static_cast<unsigned char>(content[at]) : 0u; };
  unsigned version = byte(6);
  if (content.size() > 6 && (version < 1 || version > 3)) {
    error = "version " + std::to_string(version) + "; expected 1, 2 or 3";
    return false;
  }
  size_t prefix = version == 1 ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1)
    length |= size_t(byte(10)) << 16 | size_t(byte(11)) << 24;
  if (content.size() < prefix || content.size() - prefix < length) {
    error = "truncated in the header: " + std::to_string(content.size()) + " bytes";
    return false;
  }
  if (!HeaderParser(content.substr(prefix, length)).parse(array, error))
    return false;
  uint64_t expected = array.elementBytes();
  for (int64_t extent : array.shape)
    if (__builtin_mul_overflow(expected, static_cast<uint64_t>(extent), &expected) ||
        expected > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      error = "a shape of more bytes than 64 bits count";
      return false;
    }
  size_t found = content.size() - prefix - length;
  if (found != expected) {
    error = (found < expected ? "truncated: " : "too long: ") + std::to_string(found) +
            " bytes of elements, expected " + std::to_string(expected);
    return false;
  }
  array.bytes.assign(content.end() - static_cast<std::ptrdiff_t>(found), content.end());
  return true;
}

std::string tilec::run::encodeNpy(const NpyArray &array) {
  bool hasOrder = array.elementBytes() > 1;
  std::string header =
      "{'descr': '" + std::string(hasOrder ? "<" : "|") + array.type + "', 'fortran_order': False, 'shape': (";
  for (size_t dim = 0; dim < array.shape.size(); ++dim)
    header += (dim ? ", " : "") + std::to_string(array.shape[dim]);
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // Version 1 counts the header in 16 bits, which a shape of rank 8 does not fill.
  constexpr size_t prefix = 10;
  size_t length = (prefix + header.size() + 1 + alignment - 1) / alignment * alignment - prefix;
  header.resize(length - 1, ' ');
  std::string content(magic);
  content += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  content += header + "\n";
  content.append(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
  return content;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

bool tilec::run::readNpy(const std::string &path, NpyArray &array, std::string &error) {
  errno = 0;
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  std::string content;
  char part[1 << 16];
  for (size_t got; file && (got = std::fread(part, 1, sizeof part, file.get())) > 0;)
    content.append(part, got);
  if (!file || std::ferror(file.get())) {
    error = "cannot read '" + path + "': " + std::strerror(errno);
    return false;
  }
  if (decodeNpy(content, array, error))
    return true;
  error = path + ": " + error;
  return false;
}

bool tilec::run::writeNpy(const std::string &path, const NpyArray &array, std::string &error) {
  std::string content = encodeNpy(array);
  std::FILE *file = std::fopen(path.c_str(), "wb");
  bool written = file && std::fwrite(content.data(), 1, content.size(), file) == content.size();
  if (file && std::fclose(file) != 0)
    written = false;
  if (!written)
    error = "cannot write '" + path + "': " + std::strerror(errno);
  return written;
}

// Everything is a number in double precision on its way into a buffer; the encoders of lib/Runtime round it once.
#include "tools/tile-run/Values.h"

#include "lib/Runtime/View.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace tilec;
using namespace tilec::run;

/// Also the unsigned and the short spellings.
static std::optional<ElementType> typeOf(const std::string &name) {
  struct Alias {
    const char *name;
    ElementType type;
  };
  static constexpr Alias aliases[] = {
      {"u8", ElementType::I8},         {"u16", ElementType::I16},        {"u32", ElementType::I32},
      {"u64", ElementType::I64},       {"bool", ElementType::I1},        {"e4m3", ElementType::F8E4M3FN},
      {"e5m2", ElementType::F8E5M2},   {"e8m0", ElementType::F8E8M0FNU}, {"e2m3", ElementType::F6E2M3FN},
      {"e3m2", ElementType::F6E3M2FN}, {"e2m1", ElementType::F4E2M1FN}};
  for (int i = 0; i <= int(lastElementType); ++i)
    if (name == elementTypeName(ElementType(i)))
      return ElementType(i);
  for (const Alias &alias : aliases)
    if (name == alias.name)
      return alias.type;
  return std::nullopt;
}

static std::string typeNames() {
  std::string names;
  for (int i = 0; i <= int(lastElementType); ++i)
    names += (i ? ", " : "") + std::string(elementTypeName(ElementType(i)));
  return names;
}

static int64_t countOf(const std::vector<int64_t> &extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

size_t Value::size() const { return (size_t(countOf(extents)) * size_t(elementBits(type)) + 7) / 8; }

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The bits of a number in that type: integers wrap, floats are rounded.
static uint64_t bitsOf(ElementType type, double value) {
  auto copy = [](auto number) {
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof number);
    return bits;
  };
  if (type == ElementType::F64)
    return copy(value);
  if (type == ElementType::F32 || type == ElementType::TF32)
    return copy(float(value));
  if (isFloatType(type))
    return encodeFloat(type, float(value));
  if (type == ElementType::I4)
    return i4(int(value)).bits; // random numbers reach past its range
  return uint64_t(int64_t(value));
}

/// Elements may begin inside a byte; the first one has the lowest bits.
static void store(std::vector<uint8_t> &bytes, ElementType type, int64_t i, uint64_t bits) {
  size_t width = size_t(elementBits(type));
  for (size_t bit = 0; bit < width; width < 8 ? ++bit : bit += 8) {
    size_t at = size_t(i) * width + bit;
    if (width >= 8)
      bytes[at / 8] = uint8_t(bits >> bit);
    else
      bytes[at / 8] = uint8_t(bytes[at / 8] | (bits >> bit & 1) << at % 8);
  }
}

double tilec::run::elementOf(ElementType type, const std::vector<uint8_t> &bytes, int64_t i) {
  size_t width = size_t(elementBits(type));
  uint64_t bits = 0;
  for (size_t bit = 0; bit < width; width < 8 ? ++bit : bit += 8) {
    size_t at = size_t(i) * width + bit;
    bits |= (width >= 8 ? uint64_t(bytes[at / 8]) : uint64_t(bytes[at / 8] >> at % 8 & 1)) << bit;
  }
  auto as = [&](auto number) {
    std::memcpy(&number, &bits, sizeof number);
    return double(number);
  };
  switch (type) {
  case ElementType::F64:
    return as(double());
  case ElementType::F32:
  case ElementType::TF32:
    return as(float());
  case ElementType::I1:
    return double(bits != 0);
  case ElementType::I4:
    return double(int(i4::fromBits(uint8_t(bits))));
  case ElementType::I8:
    return as(int8_t());
  case ElementType::I16:
    return as(int16_t());
  case ElementType::I32:
    return as(int32_t());
  case ElementType::I64:
  case ElementType::Index:
    return as(int64_t());
  default:
    return decodeFloat(type, uint32_t(bits));
  }
}

namespace {
/// Numbers that are the same on every machine (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  /// Deviation 1: twelve uniform numbers less their mean, which needs no function of the maths library.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
      sum += double(next() >> 11) * 0x1p-53;
    return sum;
  }
  double integer() { return double(next() % 19) - 9; }

private:
  uint64_t state;
};
} // namespace

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static bool readInteger(const std::string &text, int64_t &value) {
  char *end = nullptr;
  errno = 0;
  value = std::strtoll(text.c_str(), &end, 0);
  if (errno == ERANGE && text.size() && text[0] != '-') {
    errno = 0;
    value = int64_t(std::strtoull(text.c_str(), &end, 0));
  }
  return !text.empty() && *end == 0 && errno == 0;
}

static bool readShape(const std::string &text, ElementType type, std::vector<int64_t> &extents, std::string &error) {
  int64_t bits = elementBits(type);
  for (const std::string &part : split(text, 'x')) {
    int64_t extent = 0;
    if (!readInteger(part, extent) || extent < 0 || __builtin_mul_overflow(bits, extent, &bits)) {
      error = "shape '" + text + "'; expected extents such as 1024x512";
      return false;
    }
    extents.push_back(extent);
  }
  return true;
}

static bool readScalar(ElementType type, const std::string &text, Value &value, std::string &error) {
  value.type = type;
  int64_t integer = 0;
  if (elementBits(type) < 8 || (isFloatType(type) && elementBits(type) == 8)) {
    error = std::string("scalars of type ") + elementTypeName(type) + " do not exist";
    return false;
  }
  if (type == ElementType::I1 && (text == "true" || text == "false")) {
    value.scalarBits = text == "true";
    return true;
  }
  if (!isFloatType(type)) {
    if (!readInteger(text, integer)) {
      error = "'" + text + "' is not an integer of 64 bits";
      return false;
    }
    int width = elementBits(type);
    if (width < 64 && (integer < -(int64_t(1) << (width - 1)) || integer >= int64_t(1) << width)) {
      error = "'" + text + "' does not fit " + elementTypeName(type);
      return false;
    }
    value.scalarBits = width < 64 ? uint64_t(integer) & ((uint64_t(1) << width) - 1) : uint64_t(integer);
    return true;
  }
  char *end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0) {
    error = "'" + text + "' is not a number";
    return false;
  }
  value.scalarBits = bitsOf(type, number);
  return true;
}

static bool readFill(const std::vector<std::string> &parts, Value &value, std::string &error) {
  std::optional<ElementType> type = parts.size() > 1 ? typeOf(parts[1]) : std::nullopt;
  bool isRandom = parts[0] == "random";
  if (!type || parts.size() > (isRandom ? 4 : 3)) {
    error = type || parts.size() < 2 ? "expected " + parts[0] + ":TYPE:SHAPE" + (isRandom ? "[:SEED]" : "")
                                     : "unknown type '" + parts[1] + "'; expected one of " + typeNames();
    return false;
  }
  int64_t seed = 0;
  if (parts.size() == 4 && !readInteger(parts[3], seed)) {
    error = "seed '" + parts[3] + "' is not an integer";
    return false;
  }
  value.isBuffer = true;
  value.type = *type;
  if (parts.size() > 2 && !readShape(parts[2], *type, value.extents, error))
    return false;
  if (parts[0] == "empty") {
    value.isWritten = false;
    return true;
  }
  value.bytes.assign(value.size(), 0);
  if (parts[0] == "zeros")
    return true;
  Random random{uint64_t(seed)};
  uint64_t one = bitsOf(*type, 1);
  for (int64_t i = 0, count = countOf(value.extents); i < count; ++i)
    if (!isRandom)
      store(value.bytes, *type, i, one);
    else if (*type == ElementType::I1)
      store(value.bytes, *type, i, random.next() & 1);
    else
      store(value.bytes, *type, i, bitsOf(*type, isFloatType(*type) ? random.normal() : random.integer()));
  return true;
}

/// The type of a file's elements where --arg names none.
static std::optional<ElementType> typeOfFile(const std::string &npy) {
  char kind = npy[0];
  size_t bytes = size_t(npy[1] - '0');
  if (kind == 'b')
    return ElementType::I1;
  if (kind == 'f')
    return bytes == 2 ? ElementType::F16 : bytes == 4 ? ElementType::F32 : ElementType::F64;
  if (kind == 'V')
    return std::nullopt;
  return bytes == 1   ? ElementType::I8
         : bytes == 2 ? ElementType::I16
         : bytes == 4 ? ElementType::I32
                      : ElementType::I64;
}

static bool readFile(const std::string &path, const std::string &typeName, Value &value, std::string &error) {
  NpyArray array;
  std::optional<ElementType> type;
  if (!typeName.empty() && !(type = typeOf(typeName))) {
    error = "unknown type '" + typeName + "'; expected one of " + typeNames();
    return false;
  }
  if (!readNpy(path, array, error))
    return false;
  if (!type)
    type = typeOfFile(array.type);
  if (!type) {
    error = path + " has elements of type " + array.type + ", which NumPy does not know; name theirs, as in " + path +
            ":bf16";
    return false;
  }
  int bits = elementBits(*type), fileBits = int(array.elementBytes()) * 8;
  if (bits != fileBits && !(bits < 8 && fileBits == 8)) {
    error = path + " has elements of type " + array.type + ", " + std::to_string(fileBits) + " bits; " +
            elementTypeName(*type) + " has " + std::to_string(bits);
    return false;
  }
  value.isBuffer = true;
  value.type = *type;
  value.extents = array.shape;
  value.npyType = array.type;
  value.bytes = std::move(array.bytes);
  if (bits < 8) {
    if (value.extents.empty() || value.extents.back() * 8 % bits != 0) {
      error = path + ": bytes of packed " + elementTypeName(*type) + " that do not hold whole elements in a row";
      return false;
    }
    value.extents.back() = value.extents.back() * 8 / bits;
  }
  return true;
}

bool tilec::run::readValue(const std::string &text, Value &value, std::string &error) {
  value = {};
  value.text = text;
  error.clear();
  std::vector<std::string> parts = split(text, ':');
  bool isFill = parts[0] == "zeros" || parts[0] == "ones" || parts[0] == "random" || parts[0] == "empty";
  bool read = false;
  if (isFill && parts.size() > 1) {
    read = readFill(parts, value, error);
  } else if (std::optional<ElementType> type = typeOf(parts[0]); type && parts.size() == 2) {
    read = readScalar(*type, parts[1], value, error);
  } else if (size_t at = text.rfind(".npy"); at != std::string::npos && at + 4 == text.size()) {
    read = readFile(text, "", value, error);
  } else if (at != std::string::npos && at + 4 < text.size() && text[at + 4] == ':') {
    read = readFile(text.substr(0, at + 4), text.substr(at + 5), value, error);
  } else {
    error = "expected FILE.npy[:TYPE], zeros:, ones:, random: or empty:TYPE:SHAPE, or TYPE:VALUE";
  }
  if (read && value.extents.size() > size_t(maxRank)) {
    error = "rank " + std::to_string(value.extents.size()) + "; expected at most " + std::to_string(maxRank);
    read = false;
  }
  if (!read)
    error = "--arg " + text + ": " + error;
  return read;
}

NpyArray tilec::run::arrayOf(const Value &value, std::vector<uint8_t> bytes) {
  NpyArray array;
  array.shape = value.extents;
  array.bytes = std::move(bytes);
  int bits = elementBits(value.type);
  if (!value.npyType.empty())
    array.type = value.npyType;
  else if (value.type == ElementType::I1)
    array.type = "b1";
  else if (!isFloatType(value.type) && bits >= 8)
    array.type = "i" + std::to_string(bits / 8);
  else if (value.type == ElementType::F16 || bits >= 32)
    array.type = "f" + std::to_string(bits / 8);
  else
    array.type = bits == 16 ? "u2" : "u1";
  if (bits < 8 && !array.shape.empty()) {
    // Rows of whole bytes keep their shape; others become one row.
    if (array.shape.back() * bits % 8 == 0)
      array.shape.back() = array.shape.back() * bits / 8;
    else
      array.shape = {int64_t(array.bytes.size())};
  }
  return array;
}

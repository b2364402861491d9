#include "test/cases/FloatCodes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

using namespace cases;
using tilec::ElementType;

namespace {
/// IEEE-like formats of at most 16 bits. OCP 8-bit Floating Point Specification and Microscaling Formats v1.0 for the
/// small ones.
struct Format {
  ElementType type;
  int exponentBits, fractionBits, bias;
  /// The top exponent holds infinity and NaN (f16, bf16, f8E5M2); else it holds numbers, of which f8E4M3FN gives up the
  /// last for NaN.
  bool hasInfinity, lastIsNaN;
};
} // namespace

static constexpr Format formats[] = {
    {ElementType::F16, 5, 10, 15, true, false},     {ElementType::BF16, 8, 7, 127, true, false},
    {ElementType::F8E5M2, 5, 2, 15, true, false},   {ElementType::F8E4M3FN, 4, 3, 7, false, true},
    {ElementType::F6E2M3FN, 2, 3, 1, false, false}, {ElementType::F6E3M2FN, 3, 2, 3, false, false},
    {ElementType::F4E2M1FN, 2, 1, 1, false, false},
};

static const Format *formatOf(ElementType type) {
  for (const Format &format : formats)
    if (format.type == type)
      return &format;
  return nullptr;
}

bool cases::parseElementType(const std::string &name, ElementType &type) {
  for (int i = 0; i <= int(tilec::lastElementType); ++i)
    if (name == tilec::elementTypeName(ElementType(i))) {
      type = ElementType(i);
      return true;
    }
  return false;
}

static double smallValue(const Format &format, uint64_t code) {
  int exponentMask = (1 << format.exponentBits) - 1, fractionMask = (1 << format.fractionBits) - 1;
  int fraction = int(code) & fractionMask, exponent = int(code >> format.fractionBits) & exponentMask;
  bool negative = (code >> (format.fractionBits + format.exponentBits)) & 1;
  double magnitude;
  if (exponent == exponentMask && format.hasInfinity)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == exponentMask && fraction == fractionMask && format.lastIsNaN)
    magnitude = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - format.bias - format.fractionBits);
  else
    magnitude = std::ldexp(fractionMask + 1 + fraction, exponent - format.bias - format.fractionBits);
  return negative ? -magnitude : magnitude;
}

/// The values of all finite codes without sign, which rise with the code.
static const std::vector<double> &finiteValues(const Format &format) {
  static std::map<ElementType, std::vector<double>> tables;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<double> &table = tables[format.type];
  if (table.empty())
    for (uint64_t code = 0; code < uint64_t(1) << (format.exponentBits + format.fractionBits); ++code) {
      double value = smallValue(format, code);
      if (!std::isfinite(value))
        break;
      table.push_back(value);
    }
  return table;
}

static uint64_t smallCode(const Format &format, double value, bool saturate) {
  const std::vector<double> &table = finiteValues(format);
  uint64_t sign = std::signbit(value) ? uint64_t(1) << (format.exponentBits + format.fractionBits) : 0;
  uint64_t beyond = table.size(); // the code after the last finite one: infinity, or the NaN of f8E4M3FN
  if (std::isnan(value))
    return format.hasInfinity ? beyond + 1 : format.lastIsNaN ? beyond : beyond - 1;
  double magnitude = std::fabs(value);
  bool saturates = saturate || (!format.hasInfinity && !format.lastIsNaN);
  if (std::isinf(magnitude))
    return sign | (saturates ? beyond - 1 : beyond);
  size_t above = size_t(std::lower_bound(table.begin(), table.end(), magnitude) - table.begin());
  if (above < table.size() && table[above] == magnitude)
    return sign | above;
  // Between table[above - 1] and the next; behind the last stands what would be the next number.
  double next = above < table.size() ? table[above] : 2 * table.back() - table[table.size() - 2];
  double low = magnitude - table[above - 1], high = next - magnitude;
  uint64_t code = low < high || (low == high && (above - 1) % 2 == 0) ? above - 1 : above;
  if (code == beyond && saturates)
    code = beyond - 1;
  return sign | code;
}

/// f8E8M0FNU: powers of two and NaN, no sign and no zero. The nearest of the magnitude, of two the larger.
static uint64_t scaleCode(double value) {
  if (std::isnan(value))
    return 255;
  double magnitude = std::fabs(value);
  uint64_t code = 0;
  while (code < 254 && magnitude >= 1.5 * std::ldexp(1.0, int(code) - 127))
    ++code;
  return code;
}

double cases::valueOf(ElementType type, uint64_t code) {
  if (const Format *format = formatOf(type))
    return smallValue(*format, code);
  switch (type) {
  case ElementType::F32:
  case ElementType::TF32: {
    float value;
    uint32_t bits = uint32_t(code);
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case ElementType::F64: {
    double value;
    std::memcpy(&value, &code, sizeof value);
    return value;
  }
  case ElementType::F8E8M0FNU:
    return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, int(code) - 127);
  case ElementType::I1:
    return code & 1;
  case ElementType::I4:
    return double((int(code) & 15) - (code & 8 ? 16 : 0));
  case ElementType::I8:
    return int8_t(code);
  case ElementType::I16:
    return int16_t(code);
  case ElementType::I32:
    return int32_t(code);
  default:
    return double(int64_t(code));
  }
}

uint64_t cases::codeOf(ElementType type, double value, bool saturate) {
  if (const Format *format = formatOf(type))
    return smallCode(*format, value, saturate);
  switch (type) {
  case ElementType::F32:
  case ElementType::TF32: {
    float narrow = float(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  case ElementType::F64: {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  case ElementType::F8E8M0FNU:
    return scaleCode(value);
  default:
    break;
  }
  if (std::isnan(value))
    return 0;
  int bits = type == ElementType::I1 ? 2 : tilec::elementBits(type);
  double limit = std::ldexp(1.0, bits - 1);
  if (value >= limit)
    return (uint64_t(1) << (bits - 1)) - 1;
  if (value <= -limit)
    return uint64_t(1) << (bits - 1);
  uint64_t code = uint64_t(int64_t(std::trunc(value)));
  return bits < 64 ? code & ((uint64_t(1) << bits) - 1) : code;
}

double cases::rounded(ElementType type, double value, bool saturate) {
  return valueOf(type, codeOf(type, value, saturate));
}

double cases::unitRoundoff(ElementType type) {
  if (const Format *format = formatOf(type))
    return std::ldexp(1.0, -format->fractionBits - 1);
  if (type == ElementType::F32)
    return std::ldexp(1.0, -24);
  if (type == ElementType::TF32)
    return std::ldexp(1.0, -11);
  return type == ElementType::F64 ? std::ldexp(1.0, -53) : 0;
}

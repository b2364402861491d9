/// All small floats differ in four numbers only: exponent bits, mantissa bits, bias, and which codes are special. So
/// one encoder and one decoder serve them, in integer arithmetic on the bits of the float.
#include "lib/Runtime/ElementType.h"

#include <cmath>
#include <cstring>

using namespace tilec;

namespace {
/// What the codes with the largest exponent mean.
enum class Special { InfinityAndNaN, OnlyLastIsNaN, None };

struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  Special special;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
  uint32_t exponentMask() const { return ((1u << exponentBits) - 1) << mantissaBits; }
  /// All ones below the sign.
  uint32_t lastCode() const { return signBit() - 1; }
  uint32_t largestFinite() const {
    switch (special) {
    case Special::InfinityAndNaN:
      return exponentMask() - 1;
    case Special::OnlyLastIsNaN:
      return lastCode() - 1;
    case Special::None:
      break;
    }
    return lastCode();
  }
};
} // namespace

static FloatFormat formatOf(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return {8, 7, Special::InfinityAndNaN};
  case ElementType::F8E4M3FN:
    return {4, 3, Special::OnlyLastIsNaN};
  case ElementType::F8E5M2:
    return {5, 2, Special::InfinityAndNaN};
  case ElementType::F6E2M3FN:
    return {2, 3, Special::None};
  case ElementType::F6E3M2FN:
    return {3, 2, Special::None};
  case ElementType::F4E2M1FN:
    return {2, 1, Special::None};
  default:
    return {5, 10, Special::InfinityAndNaN};
  }
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// f8E8M0FNU: a biased exponent and nothing else; 255 is NaN.
static uint32_t encodeScale(float value) {
  if (std::isnan(value))
    return 255;
  if (std::isinf(value))
    return 254;
  uint32_t magnitude = bitsOf(value) & 0x7fffffffu;
  // Between 2^e and 2^(e+1) the middle is 1.5 * 2^e: adding half a mantissa carries into the exponent from there on.
  // Below 2^-126 the code 0 (2^-127) has the subnormal pattern 0x00400000, so the middle is at 0x00600000.
  uint32_t exponent = magnitude < 0x00800000u ? (magnitude >= 0x00600000u ? 1 : 0) : (magnitude + 0x00400000u) >> 23;
  return exponent > 254 ? 254 : exponent;
}

uint32_t tilec::encodeFloat(ElementType type, float value) {
  if (type == ElementType::F8E8M0FNU)
    return encodeScale(value);
  FloatFormat format = formatOf(type);
  uint32_t bits = bitsOf(value);
  uint32_t sign = bits >> 31 ? format.signBit() : 0;
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    if (format.special == Special::None)
      return format.largestFinite();
    uint32_t quiet = format.exponentMask() | (1u << (format.mantissaBits - 1));
    return sign | (format.special == Special::InfinityAndNaN ? quiet : format.lastCode());
  }

  // The significand as an integer: magnitude = significand * 2^(exponent - 23).
  int exponent = static_cast<int>(magnitude >> 23) - 127;
  uint64_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  if (magnitude < 0x800000u) {
    exponent = -126;
    significand = magnitude;
  }
  // Drop the bits below the target's last place, which sits `shift` higher; subnormals of the target drop more.
  int smallest = 1 - format.bias();
  int shift = 23 - format.mantissaBits + (exponent < smallest ? smallest - exponent : 0);
  uint64_t code = 0;
  if (shift <= 0) {
    code = significand << -shift;
  } else if (shift < 40) {
    uint64_t half = uint64_t(1) << (shift - 1);
    uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
    code = significand >> shift;
    if (rest > half || (rest == half && (code & 1)))
      ++code;
  }
  // A normal number's hidden bit counts as the first exponent step, and a carry of the rounding as one more.
  if (exponent > smallest)
    code += static_cast<uint64_t>(exponent - smallest) << format.mantissaBits;
  if (code > format.largestFinite() || magnitude == 0x7f800000u) {
    switch (format.special) {
    case Special::InfinityAndNaN:
      return sign | format.exponentMask();
    case Special::OnlyLastIsNaN:
      return sign | format.lastCode();
    case Special::None:
      return sign | format.largestFinite();
    }
  }
  return sign | static_cast<uint32_t>(code);
}

float tilec::decodeFloat(ElementType type, uint32_t bits) {
  if (type == ElementType::F8E8M0FNU)
    return (bits & 255) == 255 ? std::nanf("") : std::ldexp(1.0f, static_cast<int>(bits & 255) - 127);
  FloatFormat format = formatOf(type);
  uint32_t code = bits & format.lastCode();
  float sign = bits & format.signBit() ? -1.0f : 1.0f;
  uint32_t mantissa = code & ((1u << format.mantissaBits) - 1);
  int exponent = static_cast<int>(code >> format.mantissaBits);
  if (code > format.largestFinite())
    return format.special == Special::InfinityAndNaN && mantissa == 0 ? sign * INFINITY
                                                                      : std::copysign(std::nanf(""), sign);
  if (exponent == 0)
    return sign * std::ldexp(static_cast<float>(mantissa), 1 - format.bias() - format.mantissaBits);
  float significand = static_cast<float>(mantissa | (1u << format.mantissaBits));
  return sign * std::ldexp(significand, exponent - format.bias() - format.mantissaBits);
}

const char *tilec::elementTypeName(ElementType type) {
  static constexpr const char *names[] = {"i1",       "i4",     "i8",        "i16",      "i32",      "i64",
                                          "index",    "f16",    "bf16",      "tf32",     "f32",      "f64",
                                          "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"};
  static_assert(sizeof names / sizeof *names == static_cast<int>(lastElementType) + 1, "in the enumeration's order");
  return names[static_cast<int>(type)];
}

int tilec::elementBits(ElementType type) {
  switch (type) {
  case ElementType::I4:
  case ElementType::F4E2M1FN:
    return 4;
  case ElementType::F6E2M3FN:
  case ElementType::F6E3M2FN:
    return 6;
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
  case ElementType::F8E8M0FNU:
    return 8;
  case ElementType::I16:
  case ElementType::F16:
  case ElementType::BF16:
    return 16;
  case ElementType::I32:
  case ElementType::F32:
  case ElementType::TF32:
    return 32;
  case ElementType::I64:
  case ElementType::Index:
  case ElementType::F64:
    return 64;
  }
  return 8;
}

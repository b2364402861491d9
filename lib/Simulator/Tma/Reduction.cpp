/// Sums of two f16 or bf16 values are formed in double: where the exponents are near, the sum is exact there; where
/// they are far apart, the smaller value lies below every rounding boundary of the result. So one rounding remains.
#include "lib/Simulator/Tma/Reduction.h"

#include <cmath>
#include <cstring>

namespace tilec::sim {

namespace {

/// A 16-bit format: bits of the mantissa and bias of the exponent.
struct Half {
  int mantissa, bias;
};
constexpr Half f16{10, 15}, bf16{7, 127};
constexpr uint16_t halfNaN = 0x7fff;

template <typename To, typename From> To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

bool isNaN(Half format, uint16_t bits) {
  return (bits & 0x7fff) > (((1u << (15 - format.mantissa)) - 1) << format.mantissa);
}

double widen(Half format, uint16_t bits) {
  int exponentBits = 15 - format.mantissa, exponent = (bits >> format.mantissa) & ((1 << exponentBits) - 1);
  int fraction = bits & ((1 << format.mantissa) - 1);
  double value;
  if (exponent == (1 << exponentBits) - 1)
    value = fraction ? std::nan("") : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - format.bias - format.mantissa);
  else
    value = std::ldexp(fraction + (1 << format.mantissa), exponent - format.bias - format.mantissa);
  return bits & 0x8000 ? -value : value;
}

/// Rounds to nearest, ties to even; overflow gives infinity.
uint16_t narrow(Half format, double value) {
  if (std::isnan(value))
    return halfNaN;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t infinity = static_cast<uint16_t>(((1 << (15 - format.mantissa)) - 1) << format.mantissa);
  value = std::fabs(value);
  if (value == 0)
    return sign;
  if (std::isinf(value))
    return sign | infinity;
  int exponent = std::ilogb(value);
  if (exponent < 1 - format.bias)
    exponent = 1 - format.bias; // subnormal: the same spacing as the least normal values
  // In units of the last place; nearbyint rounds to even in the default mode.
  double units = std::nearbyint(std::ldexp(value, format.mantissa - exponent));
  // A carry into the next exponent and the step from subnormal to normal come out of the sum by themselves.
  int64_t bits = (static_cast<int64_t>(exponent + format.bias - 1) << format.mantissa) + static_cast<int64_t>(units);
  return bits >= infinity ? sign | infinity : static_cast<uint16_t>(sign | bits);
}

uint16_t reduceHalf(BulkReduction reduction, Half format, uint16_t a, uint16_t b) {
  if (reduction == BulkReduction::Add)
    return narrow(format, widen(format, a) + widen(format, b));
  if (isNaN(format, a))
    return isNaN(format, b) ? halfNaN : b;
  if (isNaN(format, b))
    return a;
  // Orders the bits as the values are ordered, -0 below +0.
  auto key = [](uint16_t bits) { return bits & 0x8000 ? -int(bits & 0x7fff) - 1 : int(bits); };
  bool less = key(a) < key(b);
  return (reduction == BulkReduction::Min) == less ? a : b;
}

float flush(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }

uint32_t addFloat(uint32_t a, uint32_t b, bool flushes) {
  float sum = flushes ? flush(flush(bitsAs<float>(a)) + flush(bitsAs<float>(b))) : bitsAs<float>(a) + bitsAs<float>(b);
  return std::isnan(sum) ? 0x7fffffffu : bitsAs<uint32_t>(sum);
}

template <typename T> T reduceInteger(BulkReduction reduction, T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (reduction) {
  case BulkReduction::Add:
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  case BulkReduction::Min:
    return a < b ? a : b;
  case BulkReduction::Max:
    return a > b ? a : b;
  case BulkReduction::Inc:
    return a >= b ? T(0) : static_cast<T>(a + 1);
  case BulkReduction::Dec:
    return a == 0 || a > b ? b : static_cast<T>(a - 1);
  case BulkReduction::And:
    return a & b;
  case BulkReduction::Or:
    return a | b;
  case BulkReduction::Xor:
    return a ^ b;
  case BulkReduction::None:
    return b;
  }
  return b;
}

} // namespace

const char *bulkReductionName(BulkReduction reduction) {
  static const char *const names[] = {"", "add", "min", "max", "inc", "dec", "and", "or", "xor"};
  return names[static_cast<unsigned>(reduction)];
}

bool isLegalReduction(BulkReduction reduction, ptx::Type type, bool shared) {
  using T = ptx::Type;
  bool half = type == T::F16 || type == T::BF16;
  switch (reduction) {
  case BulkReduction::None:
    return false;
  case BulkReduction::Add:
    return type == T::U32 || type == T::S32 || type == T::U64 ||
           (!shared && (half || type == T::F32 || type == T::F64));
  case BulkReduction::Min:
  case BulkReduction::Max:
    return type == T::U32 || type == T::S32 || (!shared && (half || type == T::U64 || type == T::S64));
  case BulkReduction::Inc:
  case BulkReduction::Dec:
    return type == T::U32;
  case BulkReduction::And:
  case BulkReduction::Or:
  case BulkReduction::Xor:
    return type == T::B32 || (!shared && type == T::B64);
  }
  return false;
}

uint64_t reduceElement(BulkReduction reduction, ptx::Type type, uint64_t a, uint64_t b, bool flushes) {
  switch (type) {
  case ptx::Type::F16:
    return reduceHalf(reduction, f16, static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  case ptx::Type::BF16:
    return reduceHalf(reduction, bf16, static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  case ptx::Type::F32:
    return addFloat(static_cast<uint32_t>(a), static_cast<uint32_t>(b), flushes);
  case ptx::Type::F64:
    if (std::isnan(bitsAs<double>(b)) || std::isnan(bitsAs<double>(a)))
      return std::isnan(bitsAs<double>(b)) ? b : a;
    return bitsAs<uint64_t>(bitsAs<double>(a) + bitsAs<double>(b));
  case ptx::Type::S32:
    return static_cast<uint32_t>(reduceInteger(reduction, static_cast<int32_t>(a), static_cast<int32_t>(b)));
  case ptx::Type::S64:
    return static_cast<uint64_t>(reduceInteger(reduction, static_cast<int64_t>(a), static_cast<int64_t>(b)));
  case ptx::Type::U32:
  case ptx::Type::B32:
    return reduceInteger(reduction, static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  default:
    return reduceInteger(reduction, a, b);
  }
}

} // namespace tilec::sim

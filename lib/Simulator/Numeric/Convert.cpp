// Both sides of a conversion are exact numbers; only the encoding into the destination rounds or clamps.
#include "lib/Simulator/Numeric/Convert.h"

#include "lib/Simulator/Numeric/Arithmetic.h"
#include "lib/Simulator/Numeric/ExactArithmetic.h"

namespace tilec::sim {

int numberBits(NumberType type) {
  switch (type) {
  case NumberType::U8:
  case NumberType::S8:
    return 8;
  case NumberType::U16:
  case NumberType::S16:
  case NumberType::F16:
  case NumberType::BF16:
    return 16;
  case NumberType::U32:
  case NumberType::S32:
  case NumberType::F32:
    return 32;
  case NumberType::U64:
  case NumberType::S64:
  case NumberType::F64:
    break;
  }
  return 64;
}

bool isFloat(NumberType type) { return type >= NumberType::F16; }
bool isSigned(NumberType type) { return type >= NumberType::S8; }

static const FloatFormat &floatFormat(NumberType type) {
  switch (type) {
  case NumberType::F16:
    return f16Format;
  case NumberType::BF16:
    return bf16Format;
  case NumberType::F32:
    return f32Format;
  default:
    return f64Format;
  }
}

static uint64_t lowMask(int bits) { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

/// The integer in the low bits of `value`, extended to 64 bits.
static uint64_t extended(NumberType type, uint64_t value) {
  int bits = numberBits(type);
  value &= lowMask(bits);
  if (type <= NumberType::U64 || bits == 64 || !(value >> (bits - 1)))
    return value;
  return value | ~lowMask(bits);
}

static Exact exactOfInteger(NumberType type, uint64_t value) {
  value = extended(type, value);
  bool negative = isSigned(type) && (value >> 63);
  return exactInteger(negative, negative ? 0 - value : value);
}

/// The integral number `value`, clamped to the range of `type`.
static uint64_t clampedInteger(NumberType type, const Exact &value) {
  int bits = numberBits(type);
  uint64_t largest = isSigned(type) ? lowMask(bits - 1) : lowMask(bits);
  uint64_t limit = value.negative ? (isSigned(type) ? largest + 1 : 0) : largest;
  uint64_t magnitude = 0;
  if (value.kind == Exact::Kind::Infinity)
    magnitude = limit;
  if (value.kind == Exact::Kind::Finite) {
    // An integral number with a negative exponent has zeros below the point.
    bool large = value.exponent >= 64 || (value.exponent > 0 && (value.significand >> (64 - value.exponent)) != 0);
    Significand whole = large                 ? Significand(limit)
                        : value.exponent >= 0 ? value.significand << value.exponent
                                              : value.significand >> -value.exponent;
    magnitude = whole > limit ? limit : static_cast<uint64_t>(whole);
  }
  return extended(type, value.negative ? 0 - magnitude : magnitude);
}

static uint64_t floatToInteger(NumberType to, NumberType from, const Exact &value, ConvertMode mode) {
  if (value.kind == Exact::Kind::Nan) {
    if (from != NumberType::F64 && numberBits(to) != 64)
      return 0;
    return extended(to, uint64_t(1) << (numberBits(to) - 1));
  }
  return clampedInteger(to, roundToIntegral(value, mode.rounding));
}

/// The NaN results that keep something of their operand; false for the others.
static bool keepsNan(NumberType to, NumberType from, uint64_t value, bool ftz, uint64_t &result) {
  // .ftz on an f32 operand, and on what a bf16 becomes, makes the NaN canonical.
  if (ftz && from == NumberType::F32)
    value = f32Format.canonicalNan;
  if (ftz && to == NumberType::F32 && from == NumberType::BF16)
    return false;
  if (to == NumberType::F64 && from == NumberType::F64) {
    result = value | 0x0008000000000000ull;
  } else if (to == NumberType::F64 && from == NumberType::F32) {
    result = (value >> 31 << 63) | 0x7ff8000000000000ull | (value & 0x7fffff) << 29;
  } else if (to == NumberType::F64 && from == NumberType::F16) {
    result = (value >> 15 << 63) | 0x7ff8000000000000ull | (value & 0x3ff) << 42;
  } else if (to == NumberType::F64 && from == NumberType::BF16) {
    result = (value >> 15 << 63) | 0x7ff8000000000000ull | (value & 0x7f) << 45;
  } else if (to == NumberType::F16 && from == NumberType::F64) {
    result = (value >> 63 << 15) | 0x7e00 | ((value >> 42) & 0x3ff);
  } else if (to == NumberType::BF16 && from == NumberType::F64) {
    result = (value >> 63 << 15) | 0x7fc0 | ((value >> 45) & 0x7f);
  } else if (to == NumberType::F32 && from == NumberType::F64) {
    result = (value >> 63 << 31) | 0x7fc00000 | ((value >> 29) & 0x7fffff);
  } else if (to == NumberType::F32 && from == NumberType::BF16) {
    result = value << 16;
  } else {
    return false;
  }
  return true;
}

static uint64_t afterwards(const FloatFormat &format, uint64_t result, ConvertMode mode) {
  if (mode.ftz && format.width() == 32)
    result = format.flush(result);
  if (mode.sat)
    result = saturated(format, result);
  if (mode.relu && format.nanCodes == NanCodes::None)
    return result & format.signBit() ? 0 : result;
  return mode.relu ? rectified(format, result) : result;
}

uint64_t convert(NumberType to, NumberType from, uint64_t value, ConvertMode mode) {
  value &= lowMask(numberBits(from));
  if (!isFloat(from)) {
    if (!isFloat(to))
      return mode.sat ? clampedInteger(to, exactOfInteger(from, value)) : extended(to, extended(from, value));
    const FloatFormat &format = floatFormat(to);
    return afterwards(format, encode(format, exactOfInteger(from, value), mode.rounding), mode);
  }
  const FloatFormat &source = floatFormat(from);
  // An H200 does not flush the operand of cvt.ftz.f16.f32.
  if (mode.ftz && from == NumberType::F32 && to != NumberType::F16)
    value = source.flush(value);
  Exact exact = decode(source, value);
  if (!isFloat(to))
    return floatToInteger(to, from, exact, mode);
  const FloatFormat &format = floatFormat(to);
  uint64_t result = 0;
  if (exact.kind == Exact::Kind::Nan && !mode.relu && keepsNan(to, from, value, mode.ftz, result))
    return afterwards(format, result, mode);
  if (mode.toIntegral)
    exact = roundToIntegral(exact, mode.rounding);
  return afterwards(format, encode(format, exact, mode.rounding, mode.satfinite), mode);
}

uint32_t narrow(const FloatFormat &to, uint32_t value, ConvertMode mode, RandomBits random) {
  if (mode.ftz)
    value = static_cast<uint32_t>(f32Format.flush(value));
  // cvt.rna.tf32 truncates a NaN as it stands.
  if (to.storageShift == tf32Format.storageShift && mode.rounding == Rounding::NearestAway && f32Format.isNan(value))
    return value & ~uint32_t(0x1fff);
  uint64_t result = encode(to, decode(f32Format, value), mode.rounding, mode.satfinite, random);
  return static_cast<uint32_t>(afterwards(to, result, mode));
}

/// Bits that one value takes in a packed register.
static int partBits(const FloatFormat &format) {
  int width = format.width();
  return width <= 4 ? 4 : width <= 8 ? 8 : 16;
}

uint32_t packTwo(const FloatFormat &to, uint32_t a, uint32_t b, ConvertMode mode, uint32_t random) {
  int width = to.width() == 16 && to.mantissaBits == 10 ? 13 : 16;
  return narrow(to, a, mode, {random >> 16, width}) << partBits(to) | narrow(to, b, mode, {random & 0xffff, width});
}

uint32_t packFour(const FloatFormat &to, uint32_t a, uint32_t b, uint32_t e, uint32_t f, ConvertMode mode,
                  uint32_t random) {
  RandomBits ra{random >> 16, 16}, rb = ra, re{random & 0xffff, 16}, rf = re;
  if (to.width() == 4) {
    ra = {random >> 24, 8};
    rb = {random >> 8 & 0xff, 8};
    re = {random >> 16 & 0xff, 8};
    rf = {random & 0xff, 8};
  }
  int bits = partBits(to);
  uint32_t high = narrow(to, a, mode, ra) << bits | narrow(to, b, mode, rb);
  return high << 2 * bits | narrow(to, e, mode, re) << bits | narrow(to, f, mode, rf);
}

uint32_t packHalves(const FloatFormat &to, const FloatFormat &from, uint32_t a, ConvertMode mode) {
  auto part = [&](uint32_t half) {
    return static_cast<uint32_t>(afterwards(to, encode(to, decode(from, half), mode.rounding, mode.satfinite), mode));
  };
  return part(a >> 16) << partBits(to) | part(a & 0xffff);
}

uint32_t unpackTwo(const FloatFormat &to, const FloatFormat &from, uint32_t a, ConvertMode mode) {
  auto part = [&](uint32_t code) {
    return static_cast<uint32_t>(afterwards(to, encode(to, decode(from, code), mode.rounding), mode));
  };
  return part(a >> partBits(from)) << 16 | part(a);
}

uint32_t packIntegers(int bits, bool isSigned, uint32_t a, uint32_t b, uint32_t c) {
  int64_t largest = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
  int64_t smallest = isSigned ? -largest - 1 : 0;
  auto clamped = [&](uint32_t value) {
    int64_t number = static_cast<int32_t>(value);
    number = number < smallest ? smallest : number > largest ? largest : number;
    return static_cast<uint32_t>(number) & ((1u << bits) - 1);
  };
  uint32_t low = clamped(a) << bits | clamped(b);
  return bits == 16 ? low : c << 2 * bits | low;
}

} // namespace tilec::sim

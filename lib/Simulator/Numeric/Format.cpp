// One decoder and one rounding encoder serve every format. The encoder puts the significand's highest bit at bit 127,
// cuts at the place that the format (and, below the normal range, the exponent) says, and looks at what it cut off.
#include "lib/Simulator/Numeric/Format.h"

namespace tilec::sim {

namespace {

int highestBit(Significand value) {
  uint64_t high = static_cast<uint64_t>(value >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<uint64_t>(value));
}

/// The cut-off part as a binary fraction of the last kept bit, with its point before bit 127.
Significand cutOff(Significand significand, int dropped) {
  if (dropped <= 0)
    return 0;
  if (dropped <= 128)
    return significand << (128 - dropped);
  int shift = dropped - 128;
  if (shift >= 128)
    return 1;
  Significand lost = significand & ((Significand(1) << shift) - 1);
  return (significand >> shift) | (lost != 0);
}

bool roundsAway(Rounding rounding, bool negative, bool odd, Significand cut, RandomBits random) {
  const Significand half = Significand(1) << 127;
  switch (rounding) {
  case Rounding::NearestEven:
    return cut > half || (cut == half && odd);
  case Rounding::NearestAway:
    return cut >= half;
  case Rounding::TowardZero:
    return false;
  case Rounding::Down:
    return negative && cut != 0;
  case Rounding::Up:
    return !negative && cut != 0;
  case Rounding::Stochastic: {
    if (random.width == 0)
      return false;
    uint64_t top = static_cast<uint64_t>(cut >> (128 - random.width));
    uint64_t mask = (uint64_t(1) << random.width) - 1;
    return ((top + (random.bits & mask)) >> random.width) != 0;
  }
  }
  return false;
}

uint64_t overflowed(const FloatFormat &format, bool negative, Rounding rounding, bool satfinite, bool wasInfinity) {
  if (satfinite)
    return format.maxFinite();
  bool stays = !wasInfinity && (rounding == Rounding::TowardZero || (rounding == Rounding::Down && !negative) ||
                                (rounding == Rounding::Up && negative));
  if (stays)
    return format.maxFinite();
  if (format.hasInfinity)
    return format.infinity();
  return format.nanCodes == NanCodes::None ? format.maxFinite() : format.canonicalNan;
}

uint64_t encodePowerOfTwo(const FloatFormat &format, const Exact &value, Rounding rounding, bool satfinite) {
  if (value.kind == Exact::Kind::Zero)
    return 0;
  if (value.kind == Exact::Kind::Infinity)
    return satfinite ? format.maxFinite() : format.canonicalNan;
  int high = highestBit(value.significand);
  int exponent = value.exponent + high;
  if (exponent < -format.bias)
    return 0;
  Significand cut = cutOff(value.significand, high);
  // Nearest: a tie goes up, as for the exact half of an odd mantissa.
  exponent += roundsAway(rounding, false, true, cut, {});
  uint64_t code = static_cast<uint64_t>(exponent + format.bias);
  if (code > format.maxFinite())
    return satfinite ? format.maxFinite() : format.canonicalNan;
  return code;
}

} // namespace

Exact decode(const FloatFormat &format, uint64_t bits) {
  Exact value;
  value.negative = (bits & format.signBit()) != 0;
  if (format.isNan(bits)) {
    value.kind = Exact::Kind::Nan;
    return value;
  }
  if (format.isInfinity(bits)) {
    value.kind = Exact::Kind::Infinity;
    return value;
  }
  uint64_t magnitude = format.magnitude(bits) >> format.storageShift;
  int code = static_cast<int>(magnitude >> format.mantissaBits);
  uint64_t mantissa = magnitude & ((uint64_t(1) << format.mantissaBits) - 1);
  if (format.isPowersOfTwo() || code != 0)
    mantissa |= uint64_t(1) << format.mantissaBits;
  else
    code = 1; // subnormals share the smallest exponent
  if (mantissa == 0)
    return value;
  value.kind = Exact::Kind::Finite;
  value.significand = mantissa;
  value.exponent = code - format.bias - format.mantissaBits;
  return value;
}

uint64_t encode(const FloatFormat &format, const Exact &value, Rounding rounding, bool satfinite, RandomBits random) {
  if (value.kind == Exact::Kind::Nan)
    return format.nanCodes == NanCodes::None ? format.maxFinite() : format.canonicalNan;
  if (format.isPowersOfTwo())
    return encodePowerOfTwo(format, value, rounding, satfinite);
  uint64_t sign = value.negative ? format.signBit() : 0;
  if (value.kind == Exact::Kind::Zero)
    return sign;
  if (value.kind == Exact::Kind::Infinity) {
    uint64_t code = overflowed(format, value.negative, rounding, satfinite, true);
    return format.isNan(code) ? code : sign | code;
  }
  int high = highestBit(value.significand);
  Significand significand = value.significand << (127 - high);
  int exponent = value.exponent + high;
  int smallest = 1 - format.bias;
  bool subnormal = exponent < smallest;
  int kept = format.mantissaBits + 1 - (subnormal ? smallest - exponent : 0);
  int dropped = 128 - kept;
  uint64_t mantissa = dropped >= 128 ? 0 : static_cast<uint64_t>(significand >> dropped);
  if (roundsAway(rounding, value.negative, mantissa & 1, cutOff(significand, dropped), random))
    ++mantissa;
  // A carry out of the mantissa runs into the exponent, which is then the right one.
  uint64_t code = mantissa;
  if (!subnormal)
    code += static_cast<uint64_t>(exponent + format.bias - 1) << format.mantissaBits;
  // Far above the range the exponent field itself would wrap, so compare before shifting into place.
  if (exponent + format.bias > (1 << format.exponentBits) || code > (format.maxFinite() >> format.storageShift)) {
    code = overflowed(format, value.negative, rounding, satfinite, false);
    return format.isNan(code) ? code : sign | code;
  }
  return sign | (code << format.storageShift);
}

double decodeToDouble(const FloatFormat &format, uint64_t bits) {
  return doubleOf(encode(f64Format, decode(format, bits), Rounding::NearestEven));
}

uint64_t encodeDouble(const FloatFormat &format, double value, Rounding rounding, bool satfinite) {
  return encode(format, decode(f64Format, bitsOf(value)), rounding, satfinite);
}

} // namespace tilec::sim

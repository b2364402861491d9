#include "lib/Simulator/Tensor/Operand.h"

#include <array>

namespace tilec::sim {
namespace {

/// Where the fields lie. Infinities and NaNs: as IEEE 754 has them, or only the all-ones code is NaN (E4M3), or none at
/// all.
struct Layout {
  unsigned exponentBits, fractionBits, bytes, shift;
  enum Specials { ieee, onlyNaN, none } specials;
};

constexpr Layout layoutOf(OperandFormat format) {
  switch (format) {
  case OperandFormat::F16:
    return {5, 10, 2, 0, Layout::ieee};
  case OperandFormat::BF16:
    return {8, 7, 2, 0, Layout::ieee};
  case OperandFormat::TF32:
    return {8, 10, 4, 13, Layout::ieee};
  case OperandFormat::E4M3:
    return {4, 3, 1, 0, Layout::onlyNaN};
  case OperandFormat::E5M2:
    return {5, 2, 1, 0, Layout::ieee};
  case OperandFormat::E3M2:
    return {3, 2, 1, 0, Layout::none};
  case OperandFormat::E2M3:
    return {2, 3, 1, 0, Layout::none};
  case OperandFormat::E2M1:
    return {2, 1, 1, 2, Layout::none};
  }
  return {};
}

template <OperandFormat format> constexpr Unpacked unpackOne(uint32_t bits) {
  constexpr Layout layout = layoutOf(format);
  constexpr int ones = (1 << layout.exponentBits) - 1, bias = ones >> 1, leading = 1 << layout.fractionBits;
  bits >>= layout.shift;
  int fraction = int(bits & uint32_t(leading - 1)), field = int(bits >> layout.fractionBits) & ones;
  bool negative = bits >> (layout.fractionBits + layout.exponentBits) & 1;
  int exponent = (field ? field : 1) - bias, significand = fraction | (field ? leading : 0);
  if (!significand)
    exponent = Unpacked::zero;
  if (layout.specials == Layout::ieee && field == ones) {
    exponent = fraction ? Unpacked::notANumber : Unpacked::infinity;
    significand = fraction ? 0 : 1;
  }
  if (layout.specials == Layout::onlyNaN && field == ones && fraction == leading - 1) {
    exponent = Unpacked::notANumber;
    significand = 0;
  }
  return {int16_t(exponent), int16_t(negative ? -significand : significand)};
}

template <OperandFormat format> void unpackBytes(const uint8_t *bits, size_t count, Unpacked *out) {
  static constexpr auto table = [] {
    std::array<Unpacked, 256> made{};
    for (uint32_t i = 0; i < 256; ++i)
      made[i] = unpackOne<format>(i);
    return made;
  }();
  for (size_t i = 0; i < count; ++i)
    out[i] = table[bits[i]];
}

template <OperandFormat format, class Word> void unpackWords(const void *bits, size_t count, Unpacked *out) {
  auto *words = static_cast<const Word *>(bits);
  for (size_t i = 0; i < count; ++i)
    out[i] = unpackOne<format>(words[i]);
}

} // namespace

unsigned elementBytes(OperandFormat format) { return layoutOf(format).bytes; }

unsigned fractionBits(OperandFormat format) { return layoutOf(format).fractionBits; }

void unpack(OperandFormat format, const void *bits, size_t count, Unpacked *out) {
  auto *bytes = static_cast<const uint8_t *>(bits);
  switch (format) {
  case OperandFormat::F16:
    return unpackWords<OperandFormat::F16, uint16_t>(bits, count, out);
  case OperandFormat::BF16:
    return unpackWords<OperandFormat::BF16, uint16_t>(bits, count, out);
  case OperandFormat::TF32:
    return unpackWords<OperandFormat::TF32, uint32_t>(bits, count, out);
  case OperandFormat::E4M3:
    return unpackBytes<OperandFormat::E4M3>(bytes, count, out);
  case OperandFormat::E5M2:
    return unpackBytes<OperandFormat::E5M2>(bytes, count, out);
  case OperandFormat::E3M2:
    return unpackBytes<OperandFormat::E3M2>(bytes, count, out);
  case OperandFormat::E2M3:
    return unpackBytes<OperandFormat::E2M3>(bytes, count, out);
  case OperandFormat::E2M1:
    return unpackBytes<OperandFormat::E2M1>(bytes, count, out);
  }
}

void unpackNibbles(const void *bits, size_t count, Unpacked *out) {
  auto *bytes = static_cast<const uint8_t *>(bits);
  for (size_t i = 0; i < count; ++i) {
    uint8_t container = uint8_t((bytes[i / 2] >> (i % 2 ? 4 : 0) & 15) << layoutOf(OperandFormat::E2M1).shift);
    unpack(OperandFormat::E2M1, &container, 1, out + i);
  }
}

} // namespace tilec::sim

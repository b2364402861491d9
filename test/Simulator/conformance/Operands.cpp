// What each type's operands are. The first half of the threads walk through pairs of special values, the others draw:
// uniform bits, numbers near 1, subnormals, numbers near the greatest, magnitudes around the integers.
#include "test/Simulator/conformance/Operands.h"

#include <cstring>

using namespace conformance;

namespace {
/// A floating-point format: bits of exponent and fraction.
struct Format {
  unsigned exponent, fraction;
  unsigned width() const { return 1 + exponent + fraction; }
};

/// splitmix64: a stream of numbers that depends on nothing but its seed.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }
};
} // namespace

uint64_t conformance::hashOf(const void *bytes, size_t size, uint64_t seed) {
  uint64_t hash = seed ^ (size * 0x9e3779b97f4a7c15u);
  const auto *at = static_cast<const unsigned char *>(bytes);
  for (; size >= 8; size -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = Random{hash ^ word}.next();
  }
  for (; size; --size, ++at)
    hash = Random{hash ^ *at}.next();
  return hash;
}

static uint64_t maskOf(unsigned bits) { return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

static std::vector<uint64_t> integerSpecials(unsigned bits) {
  const uint64_t top = uint64_t(1) << (bits - 1), mask = maskOf(bits);
  std::vector<uint64_t> values = {0,       1,       2,       3,       7,        8,           15,
                                  31,      32,      33,      mask,    mask - 1, mask - 7,    top,
                                  top + 1, top - 1, top / 2, top | 5, mask / 3, mask / 3 * 2};
  if (bits > 8)
    values.insert(values.end(), {127, 128, 255, 256});
  if (bits > 16)
    values.insert(values.end(), {0xffff, 0x10000, 0x7fff, 0x8000, 0xffffff, 0x800000});
  for (uint64_t &value : values)
    value &= mask;
  return values;
}

static std::vector<uint64_t> floatSpecials(Format format) {
  const unsigned f = format.fraction;
  const uint64_t sign = uint64_t(1) << (format.width() - 1), one = maskOf(format.exponent - 1) << f;
  const uint64_t infinity = maskOf(format.exponent) << f, least = uint64_t(1) << f, ulp = uint64_t(1) << f;
  std::vector<uint64_t> positive = {0,
                                    1,
                                    least - 1,
                                    least,
                                    least + 1,
                                    one,
                                    one - ulp,
                                    one + 1,
                                    one + ulp,
                                    one + ulp / 2,
                                    one - 1,
                                    infinity - 1,
                                    infinity - ulp,
                                    infinity,
                                    infinity + ulp / 2,
                                    infinity + ulp / 2 + 5,
                                    infinity + 1};
  std::vector<uint64_t> values;
  for (uint64_t value : positive) {
    values.push_back(value);
    values.push_back(value | sign);
  }
  return values;
}

static uint64_t randomFloat(Format format, Random &random) {
  const uint64_t bits = random.next(), bias = maskOf(format.exponent - 1);
  const uint64_t fraction = bits & maskOf(format.fraction), sign = bits >> 63 << (format.width() - 1);
  // Short fractions make ties and exact results.
  const uint64_t kept = (bits >> 60 & 1) ? fraction : fraction & ~maskOf(format.fraction / 2);
  uint64_t exponent = 0;
  switch (random.below(10)) {
  case 0:
  case 1:
  case 2:
    return random.next() & maskOf(format.width());
  case 3:
  case 4:
    exponent = bias - 2 + random.below(5);
    break;
  case 5:
    exponent = 0;
    break;
  case 6:
    exponent = 2 * bias - random.below(3);
    break;
  case 7:
    exponent = 1 + random.below(format.fraction + 2);
    break;
  default:
    exponent = bias - 3 + random.below(70);
    break;
  }
  if (exponent > 2 * bias)
    exponent = 2 * bias - exponent % bias;
  return sign | exponent << format.fraction | kept;
}

static bool formatOf(const std::string &type, Format &format) {
  if (type == "f16" || type == "f16x2")
    format = {5, 10};
  else if (type == "bf16" || type == "bf16x2")
    format = {8, 7};
  else if (type == "f32" || type == "tf32")
    format = {8, 23};
  else if (type == "f64")
    format = {11, 52};
  else
    return false;
  return true;
}

static uint64_t exactValue(const std::string &type, int value) {
  Format format;
  if (!formatOf(type, format))
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (value == 0)
    return 0;
  uint64_t magnitude = static_cast<uint64_t>(value < 0 ? -value : value), exponent = 0;
  while (magnitude >> (exponent + 1))
    ++exponent;
  uint64_t fraction = (magnitude << (format.fraction - exponent)) & maskOf(format.fraction);
  uint64_t bits = (maskOf(format.exponent - 1) + exponent) << format.fraction | fraction;
  return value < 0 ? bits | uint64_t(1) << (format.width() - 1) : bits;
}

/// A value by a named kind; false: the kind is not known.
static bool drawKind(const Operand &operand, unsigned thread, Random &random, uint64_t &value) {
  const std::string &kind = operand.kind;
  const uint64_t mask = maskOf(operand.bits == 1 ? 32 : operand.bits);
  Format format;
  if (kind == "shift")
    value = random.below(8) ? random.below(71) : random.next() & mask;
  else if (kind == "nonzero") {
    static const int few[] = {1, 2, 3, -1, -2, 7, 10, -10};
    uint64_t choice = random.below(4);
    value = (choice == 0 ? static_cast<uint64_t>(static_cast<int64_t>(few[random.below(8)]))
                         : random.next() >> (choice == 1 ? random.below(64) : 0)) &
            mask;
    value = value ? value : 1;
  } else if (kind == "small")
    value = random.below(16);
  else if (kind == "byte")
    value = random.below(256);
  else if (kind == "half")
    value = random.below(65536);
  else if (kind == "lanes")
    value = random.below(32);
  else if (kind == "narrow")
    value = static_cast<uint64_t>(static_cast<int64_t>(random.next()) >> (random.below(64))) & mask;
  else if (kind == "exact")
    value = exactValue(operand.type, static_cast<int>(random.below(17)) - 8) & mask;
  else if (kind == "exact2")
    value = exactValue("bf16", static_cast<int>(random.below(9)) - 4) |
            exactValue("bf16", static_cast<int>(random.below(9)) - 4) << 16;
  else if (kind == "tame" && formatOf(operand.type, format)) {
    auto draw = [&] {
      uint64_t bits = random.next(), bias = maskOf(format.exponent - 1);
      return bits >> 63 << (format.width() - 1) | (bias - 4 + random.below(8)) << format.fraction |
             (bits & maskOf(format.fraction));
    };
    value = draw();
    if (operand.type.find("x2") != std::string::npos)
      value |= draw() << 16;
  } else if (kind == "edge" && formatOf(operand.type, format)) {
    // Half the exponent of the smallest normal number, times 1 + 2^-j or 1 - 2^-j.
    const uint64_t half = (maskOf(format.exponent - 1) + 1) / 2, one = half << format.fraction;
    const uint64_t step = uint64_t(1) << random.below(format.fraction);
    value = random.below(2) ? one + step : one - step;
    value |= (random.next() & 1) << (format.width() - 1);
  } else if (kind == "warp")
    value = Random{thread / 32 * 77 + random.state}.next() & mask;
  else if (kind == "any")
    value = random.next() & mask;
  else
    return false;
  return true;
}

/// Values of one half of a packed pair, or of a whole.
static uint64_t drawElement(const std::string &type, unsigned bits, const std::vector<uint64_t> &specials,
                            unsigned thread, unsigned stride, bool first, Random &random) {
  uint64_t pick = random.next();
  if (first)
    return specials[thread / stride % specials.size()];
  Format format;
  if (formatOf(type, format))
    return pick % 16 == 0 ? specials[(pick >> 8) % specials.size()] : randomFloat(format, random);
  if (pick % 8 == 0)
    return specials[(pick >> 8) % specials.size()];
  // Numbers of every length, of both signs.
  return static_cast<uint64_t>(static_cast<int64_t>(random.next()) >> (pick % 8 < 4 ? 0 : random.below(64))) &
         maskOf(bits);
}

static void drawOperand(const Form &form, const Operand &operand, size_t index, uint64_t seed, unsigned total,
                        uint64_t *values) {
  Random random{seed};
  Format format;
  const bool pair = operand.type.size() > 2 && operand.type.compare(operand.type.size() - 2, 2, "x2") == 0;
  const bool isFloat = formatOf(operand.type, format);
  const bool bytes = operand.type == "u8" || operand.type == "s8" || operand.type == "b8";
  const unsigned bits = isFloat ? format.width() : bytes ? 8 : pair ? operand.bits / 2 : operand.bits;
  const std::vector<uint64_t> specials = operand.bits == 1 ? std::vector<uint64_t>{0, 1}
                                         : isFloat         ? floatSpecials(format)
                                                           : integerSpecials(bits);
  const unsigned size = static_cast<unsigned>(specials.size());
  const unsigned stride = index == 0 ? 1 : index == 1 ? size : 3;
  for (unsigned thread = 0; thread < total; ++thread) {
    uint64_t &value = values[thread];
    if (!operand.kind.empty() && operand.kind != "exact8") {
      Random fixed{seed};
      bool warp = operand.kind == "warp";
      if (!drawKind(operand, thread, warp ? fixed : random, value))
        value = 0;
      continue;
    }
    const bool first = thread < form.total() * 5 / 8 && index < 3;
    value = drawElement(operand.type, bits, specials, thread, stride, first, random);
    if (pair)
      value |= drawElement(operand.type, bits, specials, thread * 5 + 3, stride, first, random) << bits;
  }
}

std::vector<uint64_t> conformance::operandsOf(const Form &form) {
  const unsigned total = form.total();
  const bool filled = form.options.count("fill");
  std::vector<uint64_t> values(static_cast<size_t>(total) * form.sources.size() + filled * fillWords + 1);
  const uint64_t seed = hashOf(form.name.data(), form.name.size());
  for (size_t k = 0; k < form.sources.size(); ++k)
    if (!form.sources[k].constant())
      drawOperand(form, form.sources[k], k, seed + k * 0x1234567, total, &values[k * total]);
  if (filled) {
    Operand words;
    words.type = "b32";
    words.kind = form.options.at("fill");
    drawOperand(form, words, 9, seed + 99, fillWords, &values[form.sources.size() * total]);
  }
  return values;
}

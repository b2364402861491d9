// Every code of every small format against the formats' definitions written out with ldexp, and rounding against a
// search among all codes.
#include "lib/Simulator/Numeric/Format.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <string>

using namespace tilec::sim;

namespace {

struct Named {
  const char *name;
  FloatFormat format;
};

const Named smallFormats[] = {{"f16", f16Format},   {"bf16", bf16Format}, {"e4m3", e4m3Format}, {"e5m2", e5m2Format},
                              {"e3m2", e3m2Format}, {"e2m3", e2m3Format}, {"e2m1", e2m1Format}, {"ue4m3", ue4m3Format}};

/// The value of a code by the definition; NaN and infinity by the caller.
double defined(const FloatFormat &f, uint64_t code) {
  uint64_t mantissa = code & ((1u << f.mantissaBits) - 1);
  int exponent = static_cast<int>(code >> f.mantissaBits) & ((1 << f.exponentBits) - 1);
  double value = exponent ? std::ldexp(1.0 + std::ldexp(double(mantissa), -f.mantissaBits), exponent - f.bias)
                          : std::ldexp(double(mantissa), 1 - f.bias - f.mantissaBits);
  return f.isSigned && code >> (f.width() - 1) ? -value : value;
}

TEST(Format, codes_of_known_numbers) {
  EXPECT_EQ(f16Format.maxFinite(), 0x7bffu);
  EXPECT_EQ(decodeToDouble(e4m3Format, 0x7e), 448.0);
  EXPECT_EQ(e4m3Format.maxFinite(), 0x7eu);
  EXPECT_EQ(decodeToDouble(e5m2Format, e5m2Format.maxFinite()), 57344.0);
  EXPECT_EQ(decodeToDouble(e3m2Format, e3m2Format.maxFinite()), 28.0);
  EXPECT_EQ(decodeToDouble(e2m3Format, e2m3Format.maxFinite()), 7.5);
  EXPECT_EQ(decodeToDouble(e2m1Format, e2m1Format.maxFinite()), 6.0);
  EXPECT_EQ(decodeToDouble(ue8m0Format, 0), 0x1p-127);
  EXPECT_EQ(decodeToDouble(ue8m0Format, 0xfe), 0x1p127);
  EXPECT_TRUE(std::isnan(decodeToDouble(ue8m0Format, 0xff)));
  EXPECT_EQ(decodeToDouble(tf32Format, 0x3f800000), 1.0);
  EXPECT_EQ(decodeToDouble(tf32Format, 0x3f801fff), 1.0); // the low 13 bits do not count
  EXPECT_EQ(encodeDouble(tf32Format, 1.0 + 0x1p-10), 0x3f802000u);
  EXPECT_EQ(tf32Format.maxFinite(), 0x7f7fe000u);
}

TEST(Format, every_code_decodes_to_its_definition_and_encodes_back) {
  for (const Named &named : smallFormats) {
    SCOPED_TRACE(named.name);
    const FloatFormat &f = named.format;
    for (uint64_t code = 0; code < (uint64_t(1) << f.width()); ++code) {
      double value = decodeToDouble(f, code);
      if (f.isNan(code)) {
        ASSERT_TRUE(std::isnan(value)) << code;
        ASSERT_EQ(encodeDouble(f, value), f.canonicalNan);
        continue;
      }
      if (f.isInfinity(code))
        ASSERT_TRUE(std::isinf(value));
      else
        ASSERT_EQ(value, defined(f, code)) << code;
      ASSERT_EQ(std::signbit(value), f.isSigned && (code >> (f.width() - 1)));
      for (Rounding rounding :
           {Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Down, Rounding::Up})
        ASSERT_EQ(encodeDouble(f, value, rounding), code);
    }
  }
}

/// Rounds |value| by looking for the codes on both sides; `value` is finite.
uint64_t searched(const FloatFormat &f, double value, Rounding rounding, bool satfinite) {
  double magnitude = std::fabs(value);
  bool negative = std::signbit(value);
  uint64_t sign = negative ? f.signBit() : 0, largest = f.maxFinite();
  uint64_t below = 0, above = largest + 1; // the code after the largest stands for the next step of the grid
  while (above - below > 1) {
    uint64_t middle = (above + below) / 2;
    (defined(f, middle) <= magnitude ? below : above) = middle;
  }
  double low = defined(f, below), high = above <= largest ? defined(f, above) : 2 * low - defined(f, below - 1);
  bool up = false;
  if (magnitude > low) {
    double middle = (low + high) / 2;
    switch (rounding) {
    case Rounding::NearestEven:
      up = magnitude > middle || (magnitude == middle && (below & 1));
      break;
    case Rounding::NearestAway:
      up = magnitude >= middle;
      break;
    case Rounding::Down:
      up = negative;
      break;
    case Rounding::Up:
      up = !negative;
      break;
    default:
      break;
    }
  }
  uint64_t code = below + up;
  if (magnitude >= high && (rounding == Rounding::NearestEven || rounding == Rounding::NearestAway))
    code = largest + 1;
  if (code > largest) {
    if (satfinite || (f.nanCodes == NanCodes::None))
      code = largest;
    else if (!f.hasInfinity)
      return f.canonicalNan;
    else
      code = f.infinity();
  }
  return sign | code;
}

TEST(Format, encoding_rounds_to_the_code_that_a_search_finds) {
  std::mt19937_64 generator(1);
  for (const Named &named : smallFormats) {
    SCOPED_TRACE(named.name);
    const FloatFormat &f = named.format;
    auto check = [&](double value) {
      if (!f.isSigned)
        value = std::fabs(value);
      for (Rounding rounding :
           {Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Down, Rounding::Up})
        for (bool satfinite : {false, true})
          ASSERT_EQ(encodeDouble(f, value, rounding, satfinite), searched(f, value, rounding, satfinite))
              << value << " rounding " << int(rounding) << " satfinite " << satfinite;
    };
    // Every code (of the 16-bit formats every eleventh and the ends), every midpoint, and what lies just beside them.
    bool wide = f.width() == 16;
    uint64_t last = f.maxFinite();
    for (uint64_t code = 0; code <= last; code += wide && code > 64 && code + 64 < last ? 11 : 1) {
      double low = defined(f, code),
             high = code < f.maxFinite() ? defined(f, code + 1) : 2 * low - defined(f, code - 1);
      for (double value :
           {low, (low + high) / 2, low + (high - low) * 0x1p-20, (low + high) / 2 + (high - low) * 0x1p-20,
            (low + high) / 2 - (high - low) * 0x1p-20, low + (high - low) * 0.875}) {
        check(value);
        check(-value);
      }
      if (HasFatalFailure())
        return;
    }
    for (int i = 0; i < 20000; ++i) {
      check(std::ldexp(double(int64_t(generator())), int(generator() % 330) - 226));
      if (HasFatalFailure())
        return;
    }
  }
}

TEST(Format, infinity_saturates_or_becomes_what_the_format_has) {
  EXPECT_EQ(encodeDouble(e4m3Format, INFINITY), 0x7fu);
  EXPECT_EQ(encodeDouble(e4m3Format, -INFINITY, Rounding::NearestEven, true), 0xfeu);
  EXPECT_EQ(encodeDouble(e5m2Format, -INFINITY), 0xfcu);
  EXPECT_EQ(encodeDouble(e5m2Format, INFINITY, Rounding::NearestEven, true), 0x7bu);
  EXPECT_EQ(encodeDouble(e2m1Format, NAN), 0x7u);
  EXPECT_EQ(encodeDouble(f16Format, INFINITY, Rounding::TowardZero), 0x7c00u);
  EXPECT_EQ(encodeDouble(f16Format, 1e30, Rounding::TowardZero), 0x7bffu);
}

TEST(Format, powers_of_two_round_up_or_towards_zero) {
  for (int exponent = -127; exponent <= 127; ++exponent) {
    double power = std::ldexp(1.0, exponent);
    uint64_t code = uint64_t(exponent + 127);
    for (Rounding rounding : {Rounding::TowardZero, Rounding::Up}) {
      ASSERT_EQ(encodeDouble(ue8m0Format, power, rounding), code);
      ASSERT_EQ(encodeDouble(ue8m0Format, -power, rounding), code);
    }
    ASSERT_EQ(encodeDouble(ue8m0Format, power * 1.25, Rounding::TowardZero), code);
    ASSERT_EQ(encodeDouble(ue8m0Format, power * (1 + 0x1p-30), Rounding::Up, true), exponent < 127 ? code + 1 : code);
  }
  EXPECT_EQ(encodeDouble(ue8m0Format, 0.0, Rounding::Up), 0u);
  EXPECT_EQ(encodeDouble(ue8m0Format, 0x1p-140, Rounding::Up), 0u);
  EXPECT_EQ(encodeDouble(ue8m0Format, 0x1.8p127, Rounding::Up), 0xffu);
  EXPECT_EQ(encodeDouble(ue8m0Format, INFINITY, Rounding::Up, true), 0xfeu);
  EXPECT_EQ(encodeDouble(ue8m0Format, NAN, Rounding::Up, true), 0xffu);
}

TEST(Format, stochastic_rounding_goes_away_from_zero_as_often_as_the_cut_off_part_says) {
  // 1 + k/8 of a unit of f16: of the 2^13 random values k·2^10 round up.
  for (int k = 0; k < 8; ++k) {
    int up = 0;
    for (uint32_t random = 0; random < 8192; ++random) {
      Exact value = decode(f64Format, bitsOf(-(1.0 + k * 0x1p-13)));
      uint64_t code = encode(f16Format, value, Rounding::Stochastic, false, {random, 13});
      ASSERT_TRUE(code == 0xbc00 || code == 0xbc01);
      up += code == 0xbc01;
    }
    EXPECT_EQ(up, k * 1024);
  }
}

} // namespace

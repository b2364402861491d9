// cvt against the host's conversions in its rounding modes, boundaries of every integer type, and all codes of the
// small formats in and out.
#include "lib/Simulator/Numeric/Convert.h"

#include "Operands.h"
#include "gtest/gtest.h"

#include <cfenv>
#include <cmath>

using namespace tilec::sim;

namespace {

const Rounding roundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up};
const NumberType integers[] = {NumberType::U8, NumberType::U16, NumberType::U32, NumberType::U64,
                               NumberType::S8, NumberType::S16, NumberType::S32, NumberType::S64};

ConvertMode with(Rounding rounding) {
  ConvertMode mode;
  mode.rounding = rounding;
  return mode;
}

void setHostRounding(Rounding rounding) {
  std::fesetround(rounding == Rounding::TowardZero ? FE_TOWARDZERO
                  : rounding == Rounding::Down     ? FE_DOWNWARD
                  : rounding == Rounding::Up       ? FE_UPWARD
                                                   : FE_TONEAREST);
}

double integral(double value, Rounding rounding) {
  setHostRounding(rounding);
  volatile double result = std::nearbyint(value);
  std::fesetround(FE_TONEAREST);
  return result;
}

__int128 smallest(NumberType type) { return isSigned(type) ? -(__int128(1) << (numberBits(type) - 1)) : 0; }
__int128 largest(NumberType type) { return (__int128(1) << (numberBits(type) - (isSigned(type) ? 1 : 0))) - 1; }

/// The integer that convert must give, extended to 64 bits.
uint64_t expectedInteger(NumberType to, NumberType from, double value, Rounding rounding) {
  if (value != value) {
    uint64_t top = uint64_t(1) << (numberBits(to) - 1);
    if (from != NumberType::F64 && numberBits(to) != 64)
      return 0;
    return isSigned(to) ? 0 - top : top;
  }
  double whole = integral(value, rounding);
  if (whole >= std::ldexp(1.0, 100))
    return uint64_t(largest(to));
  if (whole <= -std::ldexp(1.0, 100))
    return uint64_t(smallest(to));
  __int128 number = __int128(whole);
  return uint64_t(number < smallest(to) ? smallest(to) : number > largest(to) ? largest(to) : number);
}

TEST(Convert, every_f16_and_bf16_to_every_integer) {
  for (NumberType from : {NumberType::F16, NumberType::BF16})
    for (NumberType to : integers)
      for (Rounding rounding : roundings)
        for (uint32_t code = 0; code < 0x10000; ++code) {
          double value = decodeToDouble(from == NumberType::F16 ? f16Format : bf16Format, code);
          ASSERT_EQ(convert(to, from, code, with(rounding)), expectedInteger(to, from, value, rounding))
              << std::hex << code << " to " << int(to) << " rounding " << int(rounding);
        }
}

TEST(Convert, f32_and_f64_to_every_integer_near_the_ends_of_its_range) {
  for (NumberType to : integers)
    for (Rounding rounding : roundings) {
      std::vector<double> values = {0.0,       -0.0,     0.5,       -0.5, 1.5,   2.5,    -1.5,   -2.5,   0x1p-1074,
                                    -0x1p-140, INFINITY, -INFINITY, NAN,  1e300, -1e300, 0x1p63, 0x1p64, -0x1p63};
      for (__int128 end : {smallest(to), largest(to)})
        for (double offset : {-2.0, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0})
          values.push_back(double(end) + offset);
      for (double value : values) {
        ASSERT_EQ(convert(to, NumberType::F64, bitsOf(value), with(rounding)),
                  expectedInteger(to, NumberType::F64, value, rounding))
            << value;
        float single = float(value);
        ASSERT_EQ(convert(to, NumberType::F32, bitsOf(single), with(rounding)),
                  expectedInteger(to, NumberType::F32, single, rounding))
            << value;
      }
    }
}

TEST(Convert, integers_to_floats_round_as_the_host) {
  std::mt19937_64 generator(3);
  for (Rounding rounding : roundings)
    for (int i = 0; i < 50000; ++i) {
      uint64_t bits = generator() >> (generator() % 64);
      if (i % 3 == 0)
        bits = 0 - bits;
      setHostRounding(rounding);
      volatile int64_t number = int64_t(bits);
      volatile uint64_t natural = bits;
      volatile float f32 = float(number), f32u = float(natural);
      volatile double f64 = double(number), f64u = double(natural);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(convert(NumberType::F32, NumberType::S64, bits, with(rounding)), bitsOf(float(f32))) << bits;
      ASSERT_EQ(convert(NumberType::F64, NumberType::S64, bits, with(rounding)), bitsOf(double(f64))) << bits;
      if (rounding == Rounding::NearestEven) { // the host converts u64 in steps that suit only this rounding
        ASSERT_EQ(convert(NumberType::F32, NumberType::U64, bits, with(rounding)), bitsOf(float(f32u))) << bits;
        ASSERT_EQ(convert(NumberType::F64, NumberType::U64, bits, with(rounding)), bitsOf(double(f64u))) << bits;
      }
      ASSERT_EQ(convert(NumberType::F16, NumberType::S16, bits, with(rounding)),
                encodeDouble(f16Format, int16_t(bits), rounding));
      ASSERT_EQ(convert(NumberType::BF16, NumberType::U32, bits, with(rounding)),
                encodeDouble(bf16Format, uint32_t(bits), rounding));
    }
}

TEST(Convert, integers_extend_truncate_and_saturate) {
  ConvertMode sat;
  sat.sat = true;
  EXPECT_EQ(convert(NumberType::S32, NumberType::S8, 0x1ff, {}), ~uint64_t(0));
  EXPECT_EQ(convert(NumberType::U32, NumberType::U8, 0x1ff, {}), 0xffu);
  EXPECT_EQ(convert(NumberType::U8, NumberType::S32, 0xfffffffe, {}), 0xfeu);
  EXPECT_EQ(convert(NumberType::U64, NumberType::S32, 0xfffffffe, {}), 0xfffffffffffffffeu);
  EXPECT_EQ(convert(NumberType::U8, NumberType::S32, 0xfffffffe, sat), 0u);
  EXPECT_EQ(convert(NumberType::S8, NumberType::S32, 200, sat), 127u);
  EXPECT_EQ(convert(NumberType::S8, NumberType::S32, uint32_t(-200), sat), uint64_t(-128));
  EXPECT_EQ(convert(NumberType::S32, NumberType::U32, 0x80000000, sat), 0x7fffffffu);
  EXPECT_EQ(convert(NumberType::U32, NumberType::S64, 1ull << 40, sat), 0xffffffffu);
  EXPECT_EQ(convert(NumberType::S64, NumberType::U64, ~0ull, sat), 0x7fffffffffffffffu);
}

TEST(Convert, f64_to_f32_rounds_as_the_host) {
  RandomCodes random(f64Format, 5);
  std::vector<uint64_t> values = specialValues(f64Format);
  for (int i = 0; i < 60000; ++i) {
    uint64_t bits = random.next();
    // Exponents around f32's range.
    bits = (bits & 0x800fffffffffffffull) | uint64_t(1023 - 155 + i % 290) << 52;
    values.push_back(bits);
  }
  for (uint64_t bits : values)
    for (Rounding rounding : roundings) {
      volatile double value = doubleOf(bits);
      if (value != value)
        continue;
      setHostRounding(rounding);
      volatile float expected = float(value);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(convert(NumberType::F32, NumberType::F64, bits, with(rounding)), bitsOf(float(expected)))
          << std::hex << bits << " rounding " << int(rounding);
    }
}

TEST(Convert, modifiers_of_float_conversions) {
  ConvertMode ftz, sat, integralEven, relu, satfinite;
  ftz.ftz = sat.sat = integralEven.toIntegral = relu.relu = satfinite.satfinite = true;
  EXPECT_EQ(convert(NumberType::F32, NumberType::F32, 0x80000001, ftz), 0x80000000u);
  EXPECT_EQ(convert(NumberType::F32, NumberType::F64, bitsOf(-0x1p-140), ftz), 0x80000000u);
  EXPECT_EQ(convert(NumberType::F32, NumberType::F16, 0x0001, ftz), bitsOf(0x1p-24f));
  EXPECT_EQ(convert(NumberType::F32, NumberType::F32, bitsOf(7.0f), sat), bitsOf(1.0f));
  EXPECT_EQ(convert(NumberType::F16, NumberType::F32, 0x7fc00000, sat), 0u);
  EXPECT_EQ(convert(NumberType::F32, NumberType::F32, bitsOf(2.5f), integralEven), bitsOf(2.0f));
  EXPECT_EQ(convert(NumberType::F64, NumberType::F64, bitsOf(-0.25), integralEven), bitsOf(-0.0));
  EXPECT_EQ(convert(NumberType::F16, NumberType::F16, 0x3e00, integralEven), 0x4000u);
  EXPECT_EQ(narrow(f16Format, bitsOf(-1.0f), relu), 0u);
  EXPECT_EQ(narrow(f16Format, bitsOf(1e9f), satfinite), 0x7bffu);
  EXPECT_EQ(narrow(bf16Format, 0xff800000, satfinite), 0xff7fu);
  EXPECT_EQ(narrow(f16Format, 0x7f800001, satfinite), 0x7fffu);
  EXPECT_EQ(convert(NumberType::F64, NumberType::F32, 0x7fc00001, {}), 0x7ff8000020000000u);
  EXPECT_EQ(convert(NumberType::F32, NumberType::F16, 0xfe01, {}), 0x7fffffffu);
}

TEST(Convert, tf32_keeps_ten_bits) {
  EXPECT_EQ(narrow(tf32Format, 0x3f801000, with(Rounding::NearestAway)), 0x3f802000u);
  EXPECT_EQ(narrow(tf32Format, 0x3f801000, with(Rounding::NearestEven)), 0x3f800000u);
  EXPECT_EQ(narrow(tf32Format, 0x3f801fff, with(Rounding::TowardZero)), 0x3f800000u);
  RandomCodes random(f32Format, 2);
  for (int i = 0; i < 100000; ++i) {
    uint32_t bits = uint32_t(random.next());
    if ((bits & 0x7f800000) == 0x7f800000)
      continue;
    // On finite numbers rna adds half a unit to the bits and cuts.
    ASSERT_EQ(narrow(tf32Format, bits, with(Rounding::NearestAway)), (bits + 0x1000) & 0xffffe000) << std::hex << bits;
  }
}

/// The code of a small format nearest to `value`, found by looking at all; ties to the even code.
uint32_t nearestCode(const FloatFormat &f, double value) {
  uint64_t sign = std::signbit(value) ? f.signBit() : 0;
  double magnitude = std::fabs(value), best = INFINITY;
  uint64_t code = 0;
  for (uint64_t candidate = 0; candidate <= f.maxFinite(); ++candidate) {
    double distance = std::fabs(decodeToDouble(f, candidate) - magnitude);
    if (distance < best || (distance == best && !(candidate & 1))) {
      best = distance;
      code = candidate;
    }
  }
  if (std::isinf(magnitude))
    code = f.maxFinite();
  return uint32_t(sign | code);
}

TEST(Convert, every_f16_to_every_small_format_and_back) {
  ConvertMode mode;
  mode.satfinite = true;
  for (const FloatFormat &to : {e4m3Format, e5m2Format, e3m2Format, e2m3Format, e2m1Format}) {
    int bits = to.width() <= 4 ? 4 : 8;
    for (uint32_t half = 0; half < 0x10000; ++half) {
      double value = decodeToDouble(f16Format, half);
      uint32_t expected =
          value != value ? uint32_t(to.nanCodes == NanCodes::None ? to.maxFinite() : 0x7f) : nearestCode(to, value);
      ASSERT_EQ(packHalves(to, f16Format, half << 16 | 0x3c00, mode), expected << bits | encodeDouble(to, 1.0))
          << std::hex << half;
      ASSERT_EQ(packTwo(to, bitsOf(1.0f), bitsOf(float(value)), mode), encodeDouble(to, 1.0) << bits | expected);
    }
    for (uint32_t code = 0; code < (1u << to.width()); ++code) {
      uint32_t half = unpackTwo(f16Format, to, code << bits | 0, {});
      double value = decodeToDouble(to, code);
      ASSERT_EQ(half, uint32_t(value != value ? 0x7fff : encodeDouble(f16Format, value)) << 16);
    }
  }
}

TEST(Convert, relu_on_small_formats) {
  ConvertMode mode;
  mode.satfinite = mode.relu = true;
  EXPECT_EQ(packTwo(e4m3Format, bitsOf(-2.0f), bitsOf(2.0f), mode), 0x0040u);
  EXPECT_EQ(packTwo(e2m1Format, bitsOf(-2.0f), 0x7fc00000, mode), 0x07u);
  EXPECT_EQ(packTwo(e5m2Format, 0xffc00000, bitsOf(-0.0f), mode), 0x7f00u);
  EXPECT_EQ(unpackTwo(f16Format, e2m1Format, 0xa2, mode), 0x00003c00u);
}

TEST(Convert, ue8m0_pairs) {
  ConvertMode up = with(Rounding::Up), down = with(Rounding::TowardZero);
  up.satfinite = true;
  EXPECT_EQ(packTwo(ue8m0Format, bitsOf(3.0f), bitsOf(1.0f), up), 0x817fu);
  EXPECT_EQ(packTwo(ue8m0Format, bitsOf(3.0f), bitsOf(-1.5f), down), 0x807fu);
  EXPECT_EQ(packHalves(ue8m0Format, bf16Format, 0x7f7f7fc0, up), 0xfeffu);
  for (uint32_t code = 0; code < 256; ++code) {
    uint32_t half = unpackTwo(bf16Format, ue8m0Format, code, {}) & 0xffff;
    ASSERT_EQ(half, code == 255 ? 0x7fffu : code == 0 ? 0x0040u : code << 7);
  }
}

TEST(Convert, stochastic_rounding_takes_its_bits_from_the_documented_places) {
  ConvertMode mode = with(Rounding::Stochastic);
  // 1 + half a unit: up exactly when the highest random bit in use is set.
  uint32_t f16Tie = 0x3f801000, bf16Tie = 0x3f808000;
  EXPECT_EQ(packTwo(f16Format, f16Tie, f16Tie, mode, 0x1000'0fff), 0x3c01'3c00u);
  EXPECT_EQ(packTwo(f16Format, f16Tie, f16Tie, mode, 0xe000'1000), 0x3c00'3c01u);
  EXPECT_EQ(packTwo(bf16Format, bf16Tie, bf16Tie, mode, 0x8000'7fff), 0x3f81'3f80u);
  mode.satfinite = true;
  uint32_t e4m3Tie = bitsOf(1.0625f), e2m1Tie = bitsOf(1.25f);
  EXPECT_EQ(packFour(e4m3Format, e4m3Tie, e4m3Tie, e4m3Tie, e4m3Tie, mode, 0x8000'7fff), 0x39393838u);
  EXPECT_EQ(packFour(e2m1Format, e2m1Tie, e2m1Tie, e2m1Tie, e2m1Tie, mode, 0x807f'807f), 0x3322u);
  EXPECT_EQ(packFour(e2m3Format, e2m1Tie, bitsOf(100.0f), bitsOf(-100.0f), 0x7fc00000, mode, 0), 0x0a1f3f1fu);
}

TEST(Convert, pack_clamps_integers) {
  EXPECT_EQ(packIntegers(16, true, uint32_t(-40000), 40000, 0), 0x80007fffu);
  EXPECT_EQ(packIntegers(16, false, uint32_t(-1), 70000, 0), 0x0000ffffu);
  EXPECT_EQ(packIntegers(8, true, 200, uint32_t(-200), 0x1234abcd), 0xabcd7f80u);
  EXPECT_EQ(packIntegers(4, false, 20, 3, 0x00abcdef), 0xabcdeff3u);
  EXPECT_EQ(packIntegers(2, true, uint32_t(-5), 1, 0x01234567), 0x12345679u);
}

} // namespace

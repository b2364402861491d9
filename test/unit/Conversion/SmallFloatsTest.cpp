// Conversions of small floats against APFloat, which converts by other means, and against tables of ml_dtypes.
#include "lib/Conversion/TileToNVVM/SmallFloats.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "test/unit/Conversion/ScalarJit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::tile;
using llvm::APFloat;

namespace {
struct Named {
  const char *name;
  const llvm::fltSemantics *semantics;
};
} // namespace

static const Named formats[] = {{"f8E4M3FN", &APFloat::Float8E4M3FN()}, {"f8E5M2", &APFloat::Float8E5M2()},
                                {"f6E2M3FN", &APFloat::Float6E2M3FN()}, {"f6E3M2FN", &APFloat::Float6E3M2FN()},
                                {"f4E2M1FN", &APFloat::Float4E2M1FN()}, {"f8E8M0FNU", &APFloat::Float8E8M0FNU()}};
/// Those that are rounded to: all but the last.
static llvm::ArrayRef<Named> roundable() { return llvm::ArrayRef<Named>(formats).drop_back(); }

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// APFloat's rounding, with the rules of tile.cast about what is not finite.
template <typename Number> static uint8_t expectedCode(Number value, const llvm::fltSemantics &to, bool saturate) {
  const bool hasNaN = APFloat::semanticsHasNaN(to);
  const APFloat largest = APFloat::getLargest(to, std::signbit(value));
  const bool clamps = saturate || !hasNaN;
  if (std::isnan(value))
    return (hasNaN ? APFloat::getNaN(to) : APFloat::getLargest(to)).bitcastToAPInt().getZExtValue();
  if (std::isinf(value)) {
    const APFloat infinity = APFloat::semanticsHasInf(to) ? APFloat::getInf(to, std::signbit(value))
                                                          : APFloat::getNaN(to, std::signbit(value));
    return (clamps ? largest : infinity).bitcastToAPInt().getZExtValue();
  }
  APFloat exact(value), bound = largest;
  bool losesInfo = false;
  bound.convert(exact.getSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (clamps && abs(exact) >= abs(bound))
    return largest.bitcastToAPInt().getZExtValue();
  exact.convert(to, APFloat::rmNearestTiesToEven, &losesInfo);
  return exact.bitcastToAPInt().getZExtValue();
}

/// Codes count as equal if they are, or if both are NaN.
static bool sameCode(uint8_t x, uint8_t y, const llvm::fltSemantics &format) {
  if (x == y)
    return true;
  auto isNaN = [&](uint8_t code) {
    return APFloat(format, llvm::APInt(APFloat::semanticsSizeInBits(format), code)).isNaN();
  };
  return APFloat::semanticsHasNaN(format) && isNaN(x) && isNaN(y);
}

/// What is worth trying: every f16, every bf16, every midpoint between codes with its neighbours, and random bits.
static std::vector<float> interestingFloats(const llvm::fltSemantics &format) {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    values.push_back(APFloat(APFloat::IEEEhalf(), llvm::APInt(16, bits)).convertToFloat());
    values.push_back(fromBits(bits << 16));
  }
  const unsigned codes = 1u << (APFloat::semanticsSizeInBits(format) - 1);
  for (unsigned code = 0; code + 1 < codes; ++code) {
    const unsigned width = APFloat::semanticsSizeInBits(format);
    const float low = APFloat(format, llvm::APInt(width, code)).convertToFloat();
    const float high = APFloat(format, llvm::APInt(width, code + 1)).convertToFloat();
    // Past the largest, the step stays what it was.
    const float middle = std::isfinite(high) ? (low + high) / 2 : low * (1 + 1.0f / 28);
    for (float centre : {low, middle, low * 1.0625f})
      for (int steps = -3; steps <= 3; ++steps) {
        const float value = fromBits(toBits(centre) + steps);
        values.push_back(value);
        values.push_back(-value);
      }
  }
  for (float value : {464.0f, 61440.0f, 448.0f, 57344.0f, 480.0f, 65536.0f})
    for (int steps = -2; steps <= 2; ++steps)
      values.push_back(fromBits(toBits(value) + steps));
  std::mt19937 random(1);
  for (int i = 0; i < 500000; ++i)
    values.push_back(fromBits(random()));
  // Random mantissas with exponents near the format's own.
  for (int i = 0; i < 500000; ++i) {
    const uint32_t bits = random();
    values.push_back(std::ldexp(1.0f + (bits & 0x7fffff) * 0x1p-23f, int(bits >> 24 & 63) - 32) *
                     (bits >> 31 ? -1.0f : 1.0f));
  }
  return values;
}

TEST(SmallFloats, narrowing_agrees_with_apfloat) {
  ScalarJit jit;
  for (const Named &format : roundable())
    for (bool saturate : {false, true}) {
      auto *narrow = jit.compile<uint8_t(float)>(jit.f32, [&](ImplicitLocOpBuilder &b, ValueRange x) {
        return narrowSmallFloat(b, x[0], *format.semantics, saturate);
      });
      unsigned failures = 0;
      for (float value : interestingFloats(*format.semantics)) {
        const uint8_t expected = expectedCode(value, *format.semantics, saturate), found = narrow(value);
        if (sameCode(expected, found, *format.semantics))
          continue;
        ADD_FAILURE() << format.name << (saturate ? " saturate " : " ") << value << ": expected " << unsigned(expected)
                      << ", found " << unsigned(found);
        if (++failures == 5)
          return;
      }
    }
}

/// The table of a format: f32 bits by code.
static std::vector<uint32_t> readTable(llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(TILEC_SOURCE_DIR "/test/unit/Conversion/Inputs/" + name + ".txt");
  std::vector<uint32_t> table;
  if (!file)
    return table;
  llvm::SmallVector<llvm::StringRef> lines, words;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    if (!line.starts_with("#"))
      line.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    table.push_back(std::stoul(word.str(), nullptr, 16));
  return table;
}

TEST(SmallFloats, widening_agrees_with_the_tables) {
  ScalarJit jit;
  for (const Named &format : formats) {
    auto *widen = jit.compile<float(uint8_t)>(
        jit.i8, [&](ImplicitLocOpBuilder &b, ValueRange x) { return widenSmallFloat(b, x[0], *format.semantics); });
    const std::vector<uint32_t> table = readTable(format.name);
    ASSERT_EQ(table.size(), 1u << APFloat::semanticsSizeInBits(*format.semantics)) << format.name;
    for (unsigned code = 0; code < table.size(); ++code) {
      const float expected = fromBits(table[code]), found = widen(code);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(found)) << format.name << " " << code;
      else
        EXPECT_EQ(toBits(expected), toBits(found)) << format.name << " " << code;
    }
  }
}

TEST(SmallFloats, widening_e4m3_in_pairs_agrees_with_the_table) {
  ScalarJit jit;
  auto *widen = jit.compile<uint32_t(uint32_t)>(jit.i32, [&](ImplicitLocOpBuilder &b, ValueRange x) -> Value {
    return LLVM::BitcastOp::create(b, b.getI32Type(), widenE4M3Pair(b, x[0]));
  });
  const std::vector<uint32_t> table = readTable("f8E4M3FN");
  ASSERT_EQ(table.size(), 256u);
  for (unsigned code = 0; code < 256; ++code) {
    const unsigned other = code * 77 & 255;
    const uint32_t found = widen(code << 8 | other << 24);
    for (auto [half, source] : {std::pair(found & 0xffff, code), std::pair(found >> 16, other)}) {
      const float value = APFloat(APFloat::IEEEhalf(), llvm::APInt(16, half)).convertToFloat();
      const float expected = fromBits(table[source]);
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(value) : toBits(value) == toBits(expected)) << source;
    }
  }
}

TEST(SmallFloats, widening_narrow_formats_in_pairs_agrees_with_the_tables) {
  for (auto [name, semantics] : {std::pair("f6E2M3FN", &APFloat::Float6E2M3FN()),
                                 std::pair("f6E3M2FN", &APFloat::Float6E3M2FN()),
                                 std::pair("f4E2M1FN", &APFloat::Float4E2M1FN())}) {
    ScalarJit jit;
    auto *widen = jit.compile<uint32_t(uint32_t)>(jit.i32, [&](ImplicitLocOpBuilder &b, ValueRange x) -> Value {
      return LLVM::BitcastOp::create(b, b.getI32Type(), widenNarrowPair(b, x[0], *semantics));
    });
    const std::vector<uint32_t> table = readTable(name);
    for (unsigned code = 0; code < table.size(); ++code) {
      const unsigned other = code * 5 % table.size();
      const uint32_t found = widen(code << 8 | other << 24);
      for (auto [half, source] : {std::pair(found & 0xffff, code), std::pair(found >> 16, other)}) {
        const float value = APFloat(APFloat::IEEEhalf(), llvm::APInt(16, half)).convertToFloat();
        EXPECT_EQ(toBits(value), table[source]) << name << " code " << source;
      }
    }
  }
}

TEST(SmallFloats, widening_ignores_bits_above_the_format) {
  ScalarJit jit;
  auto *widen = jit.compile<float(uint8_t)>(
      jit.i8, [&](ImplicitLocOpBuilder &b, ValueRange x) { return widenSmallFloat(b, x[0], APFloat::Float4E2M1FN()); });
  EXPECT_EQ(widen(0xf5), 3.0f);
  EXPECT_EQ(widen(0x5d), -3.0f);
}

TEST(SmallFloats, narrowing_agrees_with_the_golden_table) {
  ScalarJit jit;
  auto file = llvm::MemoryBuffer::getFile(TILEC_SOURCE_DIR "/test/cases/golden/narrowing.txt");
  ASSERT_TRUE(bool(file)) << "test/cases/golden/narrowing.txt is missing";
  llvm::SmallVector<llvm::StringRef> lines, words;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  const Named *format = nullptr;
  uint8_t (*narrow)(float) = nullptr;
  unsigned compared = 0;
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    if (!line.contains(' ')) {
      format = llvm::find_if(roundable(), [&](const Named &named) { return line == named.name; });
      if (format == roundable().end())
        format = nullptr; // f16, bf16 and scales, which other code rounds to
      else
        narrow = jit.compile<uint8_t(float)>(jit.f32, [&](ImplicitLocOpBuilder &b, ValueRange x) {
          return narrowSmallFloat(b, x[0], *format->semantics, /*saturate=*/false);
        });
      continue;
    }
    if (!format)
      continue;
    words.clear();
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (size_t i = 0; i + 1 < words.size(); i += 2, ++compared) {
      const float value = fromBits(std::stoul(words[i].str(), nullptr, 16));
      const uint8_t expected = std::stoul(words[i + 1].str(), nullptr, 16);
      EXPECT_TRUE(sameCode(expected, narrow(value), *format->semantics)) << format->name << " " << value;
    }
  }
  EXPECT_GT(compared, 1000u);
}

/// Doubles near and far from the rounding boundaries of f32 and of the formats.
static std::vector<double> interestingDoubles() {
  std::vector<double> values = {0.0, -0.0, 1e300, -1e300, 1e-300, 464.0, 61440.0};
  values.push_back(std::numeric_limits<double>::infinity());
  values.push_back(std::numeric_limits<double>::denorm_min());
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    const uint64_t bits = random();
    // A tie of a format with three mantissa bits, shifted by less than an f32 resolves.
    const double tie = std::ldexp(17.0 + 2 * double(bits & 7), int(bits >> 8 & 31) - 20);
    for (double value : {tie, tie * (1 + 0x1p-40), tie * (1 - 0x1p-40), tie * (1 + 0x1p-52)})
      values.push_back(bits >> 63 ? -value : value);
    // The same of bf16.
    const double long_tie = std::ldexp(257.0 + 2 * double(bits & 127), int(bits >> 8 & 255) - 140);
    for (double value : {long_tie, long_tie * (1 + 0x1p-40), long_tie * (1 - 0x1p-50)})
      values.push_back(value);
  }
  return values;
}

TEST(SmallFloats, rounding_to_odd_keeps_the_second_rounding_single) {
  ScalarJit jit;
  auto *round =
      jit.compile<float(double)>(jit.f64, [](ImplicitLocOpBuilder &b, ValueRange x) { return roundToOdd(b, x[0]); });
  EXPECT_TRUE(std::isnan(round(std::numeric_limits<double>::quiet_NaN())));
  for (double value : interestingDoubles()) {
    const float odd = round(value);
    ASSERT_TRUE(double(odd) == value || (toBits(odd) & 1)) << value;
    for (const llvm::fltSemantics *to : {&APFloat::BFloat(), &APFloat::Float8E5M2(), &APFloat::Float8E4M3FN()}) {
      APFloat once(value), twice(odd);
      bool losesInfo = false;
      once.convert(*to, APFloat::rmNearestTiesToEven, &losesInfo);
      twice.convert(*to, APFloat::rmNearestTiesToEven, &losesInfo);
      ASSERT_TRUE(once.bitwiseIsEqual(twice)) << value;
    }
  }
}

/// Rounds an integer to bf16 in one step, as f32.
static float nearestBF16(int64_t value, bool isUnsigned) {
  APFloat number(APFloat::BFloat());
  number.convertFromAPInt(llvm::APInt(64, value), !isUnsigned, APFloat::rmNearestTiesToEven);
  return number.convertToFloat();
}

/// The rounding of an f32 to bf16, as f32.
static float nearestBF16(float value) {
  APFloat number(value);
  bool losesInfo = false;
  number.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToFloat();
}

TEST(SmallFloats, sticky_bits_round_integers_once) {
  ScalarJit jit;
  auto compile = [&](Type type, bool isUnsigned) {
    return jit.compile(type, [&](ImplicitLocOpBuilder &b, ValueRange x) { return collectSticky(b, x[0], isUnsigned); });
  };
  auto *short_signed = reinterpret_cast<int32_t (*)(int32_t)>(compile(jit.i32, false));
  auto *short_unsigned = reinterpret_cast<uint32_t (*)(uint32_t)>(compile(jit.i32, true));
  auto *long_signed = reinterpret_cast<int64_t (*)(int64_t)>(compile(jit.i64, false));
  auto *long_unsigned = reinterpret_cast<uint64_t (*)(uint64_t)>(compile(jit.i64, true));
  auto *odd =
      jit.compile<float(double)>(jit.f64, [](ImplicitLocOpBuilder &b, ValueRange x) { return roundToOdd(b, x[0]); });
  std::mt19937_64 random(3);
  auto check = [&](uint64_t bits) {
    const int32_t small = int32_t(bits);
    const auto large = int64_t(bits);
    ASSERT_EQ(nearestBF16(float(short_signed(small))), nearestBF16(small, false)) << small;
    ASSERT_EQ(nearestBF16(float(short_unsigned(small))), nearestBF16(uint32_t(small), true)) << uint32_t(small);
    ASSERT_EQ(nearestBF16(odd(double(long_signed(large)))), nearestBF16(large, false)) << large;
    ASSERT_EQ(nearestBF16(odd(double(long_unsigned(bits)))), nearestBF16(large, true)) << bits;
  };
  for (int shift = 0; shift < 64; ++shift)
    for (int64_t offset = -2; offset <= 2; ++offset)
      check((uint64_t(1) << shift) + offset);
  for (int i = 0; i < 300000; ++i) {
    const uint64_t bits = random();
    check(bits);
    check(bits >> (bits & 63));
    // Just beside a tie of bf16: nine bits, then zeros, then a one at the end.
    const unsigned shift = bits & 31;
    check(((bits >> 55 | 0x101) << shift) + (bits >> 32 & 1));
    check(-(((bits >> 55 | 0x101) << (shift + 20)) + (bits >> 32 & 1)));
  }
}

TEST(SmallFloats, clamping_moves_infinities_and_keeps_nan) {
  ScalarJit jit;
  auto *clamp = jit.compile<float(float)>(
      jit.f32, [](ImplicitLocOpBuilder &b, ValueRange x) { return clampToFinite(b, x[0], APFloat::IEEEhalf()); });
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(clamp(infinity), 65504.0f);
  EXPECT_EQ(clamp(-infinity), -65504.0f);
  EXPECT_EQ(clamp(70000.0f), 65504.0f);
  EXPECT_EQ(clamp(-65503.0f), -65503.0f);
  EXPECT_TRUE(std::signbit(clamp(-0.0f)));
  EXPECT_TRUE(std::isnan(clamp(std::numeric_limits<float>::quiet_NaN())));
}

// The rows, which use the host's arithmetic, against the exact path, which uses integers only.
#include "lib/Simulator/Numeric/Rows.h"

#include "lib/Simulator/Numeric/Convert.h"
#include "lib/Simulator/Numeric/LaneMath.h"

#include "Operands.h"
#include "gtest/gtest.h"

#include <string>

using namespace tilec::sim;

namespace {

const FloatOp operations[] = {FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Fma,
                              FloatOp::Div, FloatOp::Rcp, FloatOp::Sqrt};
const Rounding roundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up};

/// Every combination of modifiers that some instruction of the type has.
std::vector<FloatMode> modes(RowType type) {
  std::vector<FloatMode> result;
  bool isHalf = type <= RowType::BF16x2, isF16 = type <= RowType::F16x2;
  for (Rounding rounding : roundings)
    for (int bits = 0; bits < 16; ++bits) {
      FloatMode mode;
      mode.rounding = rounding;
      mode.ftz = bits & 1;
      mode.sat = bits & 2;
      mode.relu = bits & 4;
      mode.oob = bits & 8;
      if (isHalf && rounding != Rounding::NearestEven)
        continue;
      if ((mode.sat && mode.relu) || (!isHalf && (mode.relu || mode.oob)))
        continue;
      if (type == RowType::F64 && (mode.ftz || mode.sat))
        continue;
      if (isHalf && !isF16 && (mode.ftz || mode.sat))
        continue;
      result.push_back(mode);
    }
  return result;
}

uint32_t expected32(RowType type, FloatOp op, FloatMode mode, uint32_t a, uint32_t b, uint32_t c) {
  switch (type) {
  case RowType::F16:
    return uint32_t(evaluate(FloatType::F16, op, mode, a & 0xffff, b & 0xffff, c & 0xffff));
  case RowType::F16x2:
    return evaluateHalves(FloatType::F16, op, mode, a, b, c);
  case RowType::BF16:
    return uint32_t(evaluate(FloatType::BF16, op, mode, a & 0xffff, b & 0xffff, c & 0xffff));
  case RowType::BF16x2:
    return evaluateHalves(FloatType::BF16, op, mode, a, b, c);
  default:
    return uint32_t(evaluate(FloatType::F32, op, mode, a, b, c));
  }
}

struct Row {
  uint32_t a[warpLanes], b[warpLanes], c[warpLanes];
};

void checkRow32(Row32 function, RowType type, FloatOp op, FloatMode mode, const Row &row) {
  Row copy = row;
  function(mode, copy.c, copy.a, copy.b, copy.c); // in place of the third operand
  for (int i = 0; i < warpLanes; ++i)
    ASSERT_EQ(copy.c[i], expected32(type, op, mode, row.a[i], row.b[i], row.c[i]))
        << std::hex << "type " << int(type) << " op " << int(op) << " ftz " << mode.ftz << " sat " << mode.sat
        << " relu " << mode.relu << " rounding " << int(mode.rounding) << " of " << row.a[i] << ' ' << row.b[i] << ' '
        << row.c[i];
}

void checkType(RowType type) {
  bool isF32 = type == RowType::F32;
  const FloatFormat &format = isF32 ? f32Format : type <= RowType::F16x2 ? f16Format : bf16Format;
  std::vector<uint64_t> values = specialValues(format);
  values.push_back(oobNan);
  for (FloatOp op : operations)
    for (FloatMode mode : modes(type)) {
      RandomCodes random(format, 5);
      std::mt19937 generator(9);
      Row32 functions[] = {selectRow32(type, op, mode), selectRow32Portable(type, op, mode)};
      for (int round = 0; round < 120; ++round) {
        Row row;
        for (uint32_t *operands : {row.a, row.b, row.c})
          for (int i = 0; i < warpLanes; ++i) {
            auto one = [&] { return uint32_t(generator() % 3 ? random.next() : values[generator() % values.size()]); };
            operands[i] = isF32 ? one() : one() << 16 | one();
          }
        for (Row32 function : functions)
          checkRow32(function, type, op, mode, row);
        if (::testing::Test::HasFatalFailure())
          return;
      }
    }
}

TEST(Rows, f32_gives_the_exact_bits) { checkType(RowType::F32); }
TEST(Rows, f16_gives_the_exact_bits) {
  checkType(RowType::F16);
  checkType(RowType::F16x2);
}
TEST(Rows, bf16_gives_the_exact_bits) {
  checkType(RowType::BF16);
  checkType(RowType::BF16x2);
}

TEST(Rows, f64_and_pairs_of_f32_give_the_exact_bits) {
  for (RowType type : {RowType::F64, RowType::F32x2})
    for (FloatOp op : operations)
      for (FloatMode mode : modes(type)) {
        bool pair = type == RowType::F32x2;
        const FloatFormat &format = pair ? f32Format : f64Format;
        std::vector<uint64_t> values = specialValues(format);
        RandomCodes random(format, 5);
        std::mt19937 generator(9);
        Row64 function = selectRow64(type, op, mode);
        for (int round = 0; round < 60; ++round) {
          uint64_t a[warpLanes], b[warpLanes], c[warpLanes], d[warpLanes];
          auto one = [&] { return generator() % 3 ? random.next() : values[generator() % values.size()]; };
          for (uint64_t *operands : {a, b, c})
            for (int i = 0; i < warpLanes; ++i)
              operands[i] = pair ? one() << 32 | one() : one();
          function(mode, d, a, b, c);
          for (int i = 0; i < warpLanes; ++i) {
            uint64_t expected =
                pair ? evaluate(FloatType::F32, op, mode, a[i] >> 32, b[i] >> 32, c[i] >> 32) << 32 |
                           evaluate(FloatType::F32, op, mode, uint32_t(a[i]), uint32_t(b[i]), uint32_t(c[i]))
                     : evaluate(FloatType::F64, op, mode, a[i], b[i], c[i]);
            ASSERT_EQ(d[i], expected) << std::hex << "op " << int(op) << " of " << a[i] << ' ' << b[i] << ' ' << c[i];
          }
        }
      }
}

TEST(Rows, f16_sums_and_products_of_many_pairs_equal_those_in_f64) {
  // Exact in f64, so one rounding of it is the reference: independent of the integer path.
  Row32 add = selectRow32(RowType::F16, FloatOp::Add, {}), mul = selectRow32(RowType::F16, FloatOp::Mul, {});
  for (uint32_t a = 0; a < 0x10000; a += 37)
    for (uint32_t b = 0; b < 0x10000; b += 32 * 61) {
      uint32_t x[warpLanes], y[warpLanes], sum[warpLanes], product[warpLanes];
      for (int i = 0; i < warpLanes; ++i) {
        x[i] = a;
        y[i] = (b + uint32_t(i) * 61) & 0xffff;
      }
      add({}, sum, x, y, nullptr);
      mul({}, product, x, y, nullptr);
      for (int i = 0; i < warpLanes; ++i) {
        double p = decodeToDouble(f16Format, x[i]), q = decodeToDouble(f16Format, y[i]);
        ASSERT_EQ(sum[i], encodeDouble(f16Format, p + q)) << std::hex << x[i] << " + " << y[i];
        ASSERT_EQ(product[i], encodeDouble(f16Format, p * q)) << std::hex << x[i] << " * " << y[i];
      }
    }
}

TEST(Rows, min_and_max_give_the_bits_of_minMax) {
  for (RowType type : {RowType::F32, RowType::F16, RowType::F16x2, RowType::BF16, RowType::BF16x2})
    for (int bits = 0; bits < 16; ++bits) {
      MinMaxMode mode;
      mode.isMax = bits & 1;
      mode.ftz = (bits & 2) && type <= RowType::F16x2;
      mode.nan = bits & 4;
      mode.abs = mode.xorsign = bits & 8;
      FloatType element = type == RowType::F32     ? FloatType::F32
                          : type <= RowType::F16x2 ? FloatType::F16
                                                   : FloatType::BF16;
      std::vector<uint64_t> values = specialValues(formatOf(element));
      std::mt19937 generator(9);
      for (int round = 0; round < 100; ++round) {
        uint32_t a[warpLanes], b[warpLanes], d[warpLanes];
        auto one = [&] { return uint32_t(values[generator() % values.size()]); };
        for (uint32_t *operands : {a, b})
          for (int i = 0; i < warpLanes; ++i)
            operands[i] = type == RowType::F32 ? one() : one() << 16 | one();
        selectMinMaxRow32(type, mode)(mode, d, a, b);
        bool packed = type == RowType::F16x2 || type == RowType::BF16x2;
        uint32_t mask = type == RowType::F32 ? ~0u : 0xffffu;
        for (int i = 0; i < warpLanes; ++i) {
          uint64_t expected = minMax(element, mode, a[i] & mask, b[i] & mask);
          if (packed)
            expected |= minMax(element, mode, a[i] >> 16, b[i] >> 16) << 16;
          ASSERT_EQ(d[i], expected) << std::hex << a[i] << ' ' << b[i] << " mode " << bits;
        }
      }
    }
}

TEST(Rows, conversions_give_the_bits_of_convert) {
  uint32_t a[warpLanes], b[warpLanes], d[warpLanes];
  for (FloatType type : {FloatType::F16, FloatType::BF16}) {
    NumberType number = type == FloatType::F16 ? NumberType::F16 : NumberType::BF16;
    for (uint32_t code = 0; code < 0x10000; code += warpLanes) {
      for (int i = 0; i < warpLanes; ++i)
        a[i] = code + uint32_t(i);
      widenRow(type, d, a);
      for (int i = 0; i < warpLanes; ++i)
        ASSERT_EQ(d[i], convert(NumberType::F32, number, a[i], {})) << std::hex << a[i];
    }
    // All exponents and signs, and mantissas around every rounding boundary.
    RandomCodes random(f32Format, 11);
    std::vector<uint64_t> values = specialValues(f32Format);
    for (uint32_t high = 0; high < 0x10000; high += 3) {
      for (int i = 0; i < warpLanes; ++i) {
        static const uint32_t low[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0x0fff, 0x1000, 0x1001};
        a[i] = i < 8    ? high << 16 | low[i]
               : i < 16 ? uint32_t(values[(high + uint32_t(i)) % values.size()])
                        : uint32_t(random.next());
        b[i] = a[i] ^ 0x80000123;
      }
      narrowRow(type, d, a);
      uint32_t pair[warpLanes];
      packRow(type, pair, a, b);
      for (int i = 0; i < warpLanes; ++i) {
        uint64_t expected = convert(number, NumberType::F32, a[i], {});
        ASSERT_EQ(d[i], expected) << std::hex << a[i];
        ASSERT_EQ(pair[i], expected << 16 | convert(number, NumberType::F32, b[i], {}));
      }
    }
  }
}

TEST(LaneMath, integers_and_f32_convert_as_convert_says) {
  std::mt19937 generator(6);
  ConvertMode towardZero;
  towardZero.rounding = Rounding::TowardZero;
  std::vector<uint64_t> values = specialValues(f32Format);
  for (uint32_t bits : {0x4effffffu, 0x4f000000u, 0xcf000000u, 0xcf000001u, 0x4f7fffffu, 0x3f7fffffu, 0xbfffffffu})
    values.push_back(bits);
  for (int i = 0; i < 100000; ++i) {
    uint32_t a = size_t(i) < values.size() ? uint32_t(values[size_t(i)]) : uint32_t(generator()) >> (i % 32);
    ASSERT_EQ(s32ToF32(a), convert(NumberType::F32, NumberType::S32, a, {})) << a;
    ASSERT_EQ(u32ToF32(a), convert(NumberType::F32, NumberType::U32, a, {})) << a;
    ASSERT_EQ(f32ToS32(a), uint32_t(convert(NumberType::S32, NumberType::F32, a, towardZero))) << std::hex << a;
  }
}

TEST(Rows, f32_fma_keeps_what_f64_would_lose) {
  // The example of the README: (1 + 2^-12)² is a tie of f32, and 2^-60 decides it.
  uint32_t a[warpLanes], c[warpLanes], d[warpLanes];
  for (int i = 0; i < warpLanes; ++i) {
    a[i] = bitsOf(1.0f + 0x1p-12f);
    c[i] = bitsOf(i & 1 ? -0x1p-60f : 0x1p-60f);
  }
  for (Row32 fma : {selectRow32(RowType::F32, FloatOp::Fma, {}), selectRow32Portable(RowType::F32, FloatOp::Fma, {})}) {
    fma({}, d, a, a, c);
    EXPECT_EQ(d[0], bitsOf(1.0f + 0x1p-11f + 0x1p-23f));
    EXPECT_EQ(d[1], bitsOf(1.0f + 0x1p-11f));
  }
}

TEST(Rows, f16_fma_near_ties_rounds_once) {
  // Products on a tie of f16, moved off it by the smallest c, and large c with tiny products.
  Row32 fma = selectRow32(RowType::F16, FloatOp::Fma, {});
  std::mt19937 generator(2);
  for (int round = 0; round < 20000; ++round) {
    uint32_t a[warpLanes], b[warpLanes], c[warpLanes], d[warpLanes];
    for (int i = 0; i < warpLanes; ++i) {
      a[i] = generator() & 0xffff;
      b[i] = (generator() & 0x83ff) | (generator() % 31) << 10;
      c[i] = i & 1 ? (generator() & 0x8003) : (generator() & 0x80ff) | (16 + generator() % 14) << 10;
      if (i & 2)
        a[i] = (generator() & 0x8007) | (generator() % 3) << 10;
    }
    fma({}, d, a, b, c);
    for (int i = 0; i < warpLanes; ++i)
      ASSERT_EQ(d[i], evaluate(FloatType::F16, FloatOp::Fma, {}, a[i], b[i], c[i]))
          << std::hex << a[i] << ' ' << b[i] << ' ' << c[i];
  }
}

} // namespace

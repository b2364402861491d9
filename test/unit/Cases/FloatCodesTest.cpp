#include "test/cases/FloatCodes.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace cases;
using tilec::ElementType;

static const ElementType smallTypes[] = {ElementType::F16,      ElementType::BF16,     ElementType::F8E4M3FN,
                                         ElementType::F8E5M2,   ElementType::F6E2M3FN, ElementType::F6E3M2FN,
                                         ElementType::F4E2M1FN, ElementType::F8E8M0FNU};

static void expectSame(double a, double b, const std::string &where) {
  if (std::isnan(a) || std::isnan(b))
    EXPECT_EQ(std::isnan(a), std::isnan(b)) << where;
  else
    EXPECT_EQ(a, b) << where;
}

TEST(FloatCodes, EveryCodeHasTheValueThatTheRuntimeGivesIt) {
  for (ElementType type : smallTypes)
    for (uint32_t code = 0; code < 1u << tilec::elementBits(type); ++code)
      expectSame(valueOf(type, code), tilec::decodeFloat(type, code),
                 std::string(tilec::elementTypeName(type)) + " " + std::to_string(code));
}

TEST(FloatCodes, EveryFiniteValueIsItsOwnRounding) {
  for (ElementType type : smallTypes)
    for (uint32_t code = 0; code < 1u << tilec::elementBits(type); ++code)
      if (double value = valueOf(type, code); std::isfinite(value))
        EXPECT_EQ(rounded(type, value), value) << tilec::elementTypeName(type) << " " << code;
}

TEST(FloatCodes, MidpointsGoToEven) {
  for (ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F8E4M3FN, ElementType::F8E5M2})
    for (uint32_t code = 0; code + 1 < 1u << (tilec::elementBits(type) - 1); ++code) {
      double low = valueOf(type, code), high = valueOf(type, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      EXPECT_EQ(codeOf(type, (low + high) / 2), code % 2 ? code + 1 : code) << tilec::elementTypeName(type);
      EXPECT_EQ(codeOf(type, std::nextafter((low + high) / 2, high)), code + 1);
      EXPECT_EQ(codeOf(type, std::nextafter((low + high) / 2, low)), code);
    }
}

TEST(FloatCodes, OverflowAndSaturation) {
  EXPECT_TRUE(std::isinf(rounded(ElementType::F16, 65520)));
  EXPECT_EQ(rounded(ElementType::F16, 65519), 65504);
  EXPECT_EQ(rounded(ElementType::F16, 1e9, /*saturate=*/true), 65504);
  EXPECT_EQ(rounded(ElementType::F8E4M3FN, 464), 448);
  EXPECT_TRUE(std::isnan(rounded(ElementType::F8E4M3FN, 465)));
  EXPECT_EQ(rounded(ElementType::F8E4M3FN, -INFINITY, /*saturate=*/true), -448);
  EXPECT_TRUE(std::isinf(rounded(ElementType::F8E5M2, 61440)));
  EXPECT_EQ(rounded(ElementType::F8E5M2, 61439), 57344);
  EXPECT_EQ(rounded(ElementType::F4E2M1FN, 100), 6);
}

TEST(FloatCodes, ScalesArePowersOfTwo) {
  EXPECT_EQ(codeOf(ElementType::F8E8M0FNU, 1.49), 127u);
  EXPECT_EQ(codeOf(ElementType::F8E8M0FNU, 1.5), 128u);
  EXPECT_EQ(codeOf(ElementType::F8E8M0FNU, -3.0), 129u);
  EXPECT_EQ(codeOf(ElementType::F8E8M0FNU, 0.0), 0u);
  EXPECT_EQ(codeOf(ElementType::F8E8M0FNU, INFINITY), 254u);
  EXPECT_EQ(codeOf(ElementType::F8E8M0FNU, NAN), 255u);
  EXPECT_EQ(valueOf(ElementType::F8E8M0FNU, 0), std::ldexp(1.0, -127));
}

TEST(FloatCodes, NaNWhereThereIsNone) {
  EXPECT_EQ(codeOf(ElementType::F4E2M1FN, NAN), 7u);
  EXPECT_EQ(codeOf(ElementType::F6E2M3FN, -NAN), 31u);
}

TEST(FloatCodes, IntegersOfFourBits) {
  EXPECT_EQ(valueOf(ElementType::I4, 7), 7);
  EXPECT_EQ(valueOf(ElementType::I4, 8), -8);
  EXPECT_EQ(valueOf(ElementType::I4, 15), -1);
  EXPECT_EQ(codeOf(ElementType::I4, -7), 9u);
  EXPECT_EQ(rounded(ElementType::I4, 9), 7);
  EXPECT_EQ(rounded(ElementType::I4, -9), -8);
  EXPECT_EQ(rounded(ElementType::I4, -3), -3);
}

TEST(FloatCodes, IntegersClampAndTruncate) {
  EXPECT_EQ(rounded(ElementType::I8, 127.9), 127);
  EXPECT_EQ(rounded(ElementType::I8, 300), 127);
  EXPECT_EQ(rounded(ElementType::I8, -300), -128);
  EXPECT_EQ(rounded(ElementType::I8, -1.9), -1);
  EXPECT_EQ(rounded(ElementType::I32, NAN), 0);
  EXPECT_EQ(rounded(ElementType::I64, 1e30), 9223372036854775807.0);
}

// ml_dtypes (github.com/jax-ml/ml_dtypes) is a third party's definition of the same formats.
TEST(FloatCodes, GoldenTablesOfMlDtypes) {
  std::ifstream file(TILEC_SOURCE_DIR "/test/cases/golden/float-codes.txt");
  ASSERT_TRUE(file) << "test/cases/golden/float-codes.txt is missing";
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    std::string name, value;
    uint64_t code;
    ASSERT_TRUE(words >> name >> code >> value) << line;
    ElementType type;
    ASSERT_TRUE(parseElementType(name, type)) << line;
    expectSame(valueOf(type, code), std::strtod(value.c_str(), nullptr), line);
    ++lines;
  }
  EXPECT_EQ(lines, 3 * 256 + 2 * 64 + 16);
}

/// Codes count as equal if they are, or if both are NaN.
static bool sameCode(ElementType type, uint64_t a, uint64_t b) {
  return a == b || (std::isnan(valueOf(type, a)) && std::isnan(valueOf(type, b)));
}

TEST(FloatCodes, GoldenNarrowingOfMlDtypes) {
  std::ifstream file(TILEC_SOURCE_DIR "/test/cases/golden/narrowing.txt");
  ASSERT_TRUE(file) << "test/cases/golden/narrowing.txt is missing";
  ElementType type = ElementType::I1;
  int pairs = 0, formats = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    if (parseElementType(line, type)) {
      ++formats;
      continue;
    }
    std::istringstream words(line);
    uint32_t bits, code;
    while (words >> std::hex >> bits >> code) {
      float value = float(valueOf(ElementType::F32, bits));
      EXPECT_TRUE(sameCode(type, codeOf(type, value), code))
          << tilec::elementTypeName(type) << " " << value << ": found " << codeOf(type, value) << ", expected " << code;
      EXPECT_TRUE(sameCode(type, tilec::encodeFloat(type, value), code))
          << "runtime, " << tilec::elementTypeName(type) << " " << value << ": found "
          << tilec::encodeFloat(type, value) << ", expected " << code;
      ++pairs;
    }
  }
  EXPECT_EQ(formats, 8);
  EXPECT_GT(pairs, 2000);
}

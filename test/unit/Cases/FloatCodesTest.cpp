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

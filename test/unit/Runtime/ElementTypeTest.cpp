#include "lib/Runtime/ElementType.h"
#include "lib/Runtime/PackedElements.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace tilec;

static constexpr float infinity = std::numeric_limits<float>::infinity();
static constexpr ElementType smallFloats[] = {ElementType::F16,      ElementType::BF16,      ElementType::F8E4M3FN,
                                              ElementType::F8E5M2,   ElementType::F8E8M0FNU, ElementType::F6E2M3FN,
                                              ElementType::F6E3M2FN, ElementType::F4E2M1FN};

TEST(ElementType, everyCodeSurvivesTheRoundTrip) {
  for (ElementType type : smallFloats)
    for (uint32_t code = 0; code < 1u << elementBits(type); ++code) {
      float value = decodeFloat(type, code);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(decodeFloat(type, encodeFloat(type, value))));
      else
        EXPECT_EQ(encodeFloat(type, value), code) << elementTypeName(type) << " " << code;
    }
}

/// The definition of rounding: the nearest of all codes, of two equally near the one with an even code.
TEST(ElementType, valuesBetweenNeighboursRoundToNearestEven) {
  for (ElementType type : smallFloats) {
    if (type == ElementType::F8E8M0FNU)
      continue;
    for (uint32_t code = 0; code + 1 < 1u << (elementBits(type) - 1); ++code) {
      float low = decodeFloat(type, code), high = decodeFloat(type, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        break;
      float middle = low + (high - low) / 2;
      EXPECT_EQ(encodeFloat(type, middle), code + (code & 1)) << elementTypeName(type) << " " << code;
      EXPECT_EQ(encodeFloat(type, std::nextafter(middle, 0.0f)), code) << elementTypeName(type) << " " << code;
      EXPECT_EQ(encodeFloat(type, std::nextafter(middle, infinity)), code + 1) << elementTypeName(type) << " " << code;
    }
  }
}

TEST(ElementType, knownValues) {
  EXPECT_EQ(bf16(1.0f).bits, 0x3f80);
  EXPECT_EQ(bf16(-2.5f).bits, 0xc020);
  EXPECT_EQ(f16(1.0f).bits, 0x3c00);
  EXPECT_EQ(f16(65504.0f).bits, 0x7bff);
  EXPECT_EQ(f16(5.9604645e-8f).bits, 0x0001);
  EXPECT_EQ(f8e4m3(448.0f).bits, 0x7e);
  EXPECT_EQ(f8e5m2(57344.0f).bits, 0x7b);
  EXPECT_EQ(float(f6e2m3::fromBits(0x1f)), 7.5f);
  EXPECT_EQ(float(f6e3m2::fromBits(0x1f)), 28.0f);
  EXPECT_EQ(float(f4e2m1::fromBits(0x7)), 6.0f);
  EXPECT_EQ(f8e8m0(1.0f).bits, 127);
  EXPECT_EQ(f8e8m0(1.49f).bits, 127);
  EXPECT_EQ(f8e8m0(1.5f).bits, 128);
  EXPECT_EQ(float(f8e8m0::fromBits(0)), std::ldexp(1.0f, -127));
}

TEST(ElementType, integersOfFourBits) {
  for (int value = -8; value < 8; ++value) {
    EXPECT_EQ(int(i4(value)), value);
    EXPECT_EQ(i4(value).bits, value & 15);
  }
  EXPECT_EQ(int(i4(100)), 7);
  EXPECT_EQ(int(i4(-100)), -8);
  EXPECT_EQ(elementBits(ElementType::I4), 4);
  EXPECT_STREQ(elementTypeName(ElementType::I4), "i4");
  EXPECT_STREQ(elementTypeName(lastElementType), "f4E2M1FN");
  EXPECT_FALSE(isFloatType(ElementType::I4));
  EXPECT_EQ(elementGranule(ElementType::I4), 2);
  EXPECT_EQ(elementGranule(ElementType::F6E3M2FN), 4);
  EXPECT_EQ(elementGranule(ElementType::I1), 1);
}

TEST(PackedElements, firstElementInTheLowestBits) {
  EXPECT_EQ(packElements(std::vector<i4>{1, -1, 7}), (std::vector<uint8_t>{0xf1, 0x07}));
  std::vector<f6e2m3> six;
  for (uint8_t code : {0x01, 0x3f, 0x00, 0x20, 0x15})
    six.push_back(f6e2m3::fromBits(code));
  EXPECT_EQ(packElements(six), (std::vector<uint8_t>{0xc1, 0x0f, 0x80, 0x15}));
}

TEST(PackedElements, thereAndBack) {
  std::vector<f6e3m2> elements;
  for (uint8_t i = 0; i < 131; ++i)
    elements.push_back(f6e3m2::fromBits(i * 37 & 63));
  std::vector<f6e3m2> back = unpackElements<f6e3m2>(packElements(elements), elements.size());
  for (size_t i = 0; i < elements.size(); ++i)
    EXPECT_EQ(back[i].bits, elements[i].bits) << i;
  std::vector<uint8_t> memory(3, 0xff);
  setPackedCode(ElementType::F6E3M2FN, memory.data(), 1, 0);
  EXPECT_EQ(memory, (std::vector<uint8_t>{0x3f, 0xf0, 0xff})) << "the neighbours stay";
}

TEST(ElementType, beyondTheLargestFinite) {
  EXPECT_EQ(f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(f16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(bf16(-infinity).bits, 0xff80);
  EXPECT_EQ(f8e5m2(1e9f).bits, 0x7c);
  EXPECT_TRUE(std::isnan(float(f8e4m3(465.0f))));
  EXPECT_EQ(f8e4m3(464.0f).bits, 0x7e); // Half way to 480 goes to the even code.
  EXPECT_TRUE(std::isnan(float(f8e4m3(infinity))));
  EXPECT_EQ(float(f4e2m1(1e9f)), 6.0f);
  EXPECT_EQ(float(f6e2m3(-infinity)), -7.5f);
  EXPECT_EQ(f8e8m0(infinity).bits, 254);
}

TEST(ElementType, notANumber) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  for (ElementType type :
       {ElementType::F16, ElementType::BF16, ElementType::F8E4M3FN, ElementType::F8E5M2, ElementType::F8E8M0FNU})
    EXPECT_TRUE(std::isnan(decodeFloat(type, encodeFloat(type, nan)))) << elementTypeName(type);
  EXPECT_EQ(encodeFloat(ElementType::F4E2M1FN, nan), 7u) << "as tile.cast and the hardware do where there is no NaN";
}

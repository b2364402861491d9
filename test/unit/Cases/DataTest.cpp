#include "test/cases/Data.h"
#include "test/cases/FloatCodes.h"
#include "test/cases/Reference.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace cases;
using tilec::ElementType;

/// The buffers of a case text whose sizes are M = 4 and K = 8.
struct Made {
  Case spec;
  Sizes sizes = {{"M", 4}, {"K", 8}};
  std::vector<HostBuffer> buffers;
  std::string error;

  explicit Made(const std::string &lines) {
    spec = parseCase("family/name", lines + "//! expect X[i] = 1 within exact\n", "", error);
    for (const BufferSpec &buffer : spec.buffers) {
      HostBuffer made = makeBuffer(buffer, sizes, error);
      if (!buffer.generator.indices.empty())
        fillByFormula(made, spec, sizes, buffers, error);
      buffers.push_back(std::move(made));
    }
    EXPECT_EQ(error, "");
  }
};

TEST(Data, ElementsBelowEightBitsArePacked) {
  Made made("//! in X f4E2M1FN [M, K] codes\n//! in Y f6E3M2FN [M, K] codes\n");
  const HostBuffer &four = made.buffers[0], &six = made.buffers[1];
  EXPECT_EQ(four.bytes.size(), 16u);
  EXPECT_EQ(four.bytes[0], 0x10);
  EXPECT_EQ(four.bytes[7], 0xfe);
  EXPECT_EQ(six.bytes.size(), 24u);
  EXPECT_EQ(six.bytes[0] | six.bytes[1] << 8 | six.bytes[2] << 16, 0 | 1 << 6 | 2 << 12 | 3 << 18);
  for (int64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(four.code(i), uint64_t(i % 16));
    EXPECT_EQ(six.code(i), uint64_t(i));
  }
}

TEST(Data, GapsBetweenPackedRowsStayPoison) {
  Made made("//! in X i4 [M, K] constant 3 gap 6\n");
  const HostBuffer &x = made.buffers[0];
  EXPECT_EQ(x.strides, (std::vector<int64_t>{14, 1}));
  EXPECT_EQ(x.span(), 50);
  EXPECT_EQ(x.bytes.size(), 25u);
  EXPECT_FALSE(x.isPoison(7));
  for (int64_t e = 8; e < 14; ++e)
    EXPECT_TRUE(x.isPoison(e)) << e;
  int64_t where[] = {3, 7}, outside[] = {3, 8};
  EXPECT_EQ(x.at(where, 2), 3);
  EXPECT_EQ(x.at(outside, 2), 0);
}

TEST(Data, OrdersSayWhichDimensionIsInnermost) {
  Made made("//! in X f32 [M, K] iota order 1 0 gap 1\n//! in Y f32 [M, 2, K] iota order 2 0 1\n");
  EXPECT_EQ(made.buffers[0].strides, (std::vector<int64_t>{1, 5}));
  EXPECT_EQ(made.buffers[1].strides, (std::vector<int64_t>{2, 1, 8}));
  int64_t where[] = {2, 3};
  EXPECT_EQ(made.buffers[0].at(where, 2), 19) << "elements are counted as the indices say, however they lie";
}

TEST(Data, RangesOfCodes) {
  Made made("//! in X f8E8M0FNU [M, K] codes 120 134\n//! in Y f8E4M3FN [M, K] bits 8 15 seed 3\n");
  for (int64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(made.buffers[0].code(i), uint64_t(120 + i % 15));
    EXPECT_GE(made.buffers[1].code(i), 8u);
    EXPECT_LE(made.buffers[1].code(i), 15u);
  }
}

TEST(Data, FormulasSeeTheBuffersBefore) {
  Made made("//! scalar T f32 = 2\n"
            "//! in X f4E2M1FN [M, K] codes\n"
            "//! in Y f8E8M0FNU [M] where [i] = i == 3 ? nan : exp2(-i)\n"
            "//! let Z f64 [M, K] where [i, k] = X[i, k] * Y[i] * T\n");
  int64_t where[] = {1, 3}, inNaN[] = {3, 0};
  EXPECT_EQ(made.buffers[1].code(3), 255u);
  EXPECT_EQ(made.buffers[2].at(where, 2), valueOf(ElementType::F4E2M1FN, 11));
  EXPECT_TRUE(std::isnan(made.buffers[2].at(inNaN, 2)));
}

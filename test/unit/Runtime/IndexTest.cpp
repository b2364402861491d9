#include "lib/Runtime/Index.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilec;
using namespace tilec::index;

TEST(Index, divisionsRoundAsTheyAreNamed) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b : {-4, -3, -1, 1, 2, 3, 4}) {
      double exact = static_cast<double>(a) / static_cast<double>(b);
      EXPECT_EQ(floordiv(a, b).value, static_cast<int64_t>(std::floor(exact))) << a << " " << b;
      EXPECT_EQ(ceildiv(a, b).value, static_cast<int64_t>(std::ceil(exact))) << a << " " << b;
      EXPECT_EQ(mod(a, b).value, a - b * static_cast<int64_t>(std::floor(exact))) << a << " " << b;
    }
}

TEST(Index, overflowIsRememberedAndFailsComparisons) {
  Index big = INT64_MAX;
  for (Index result : {big + 1, -big - 2, big * 2, floordiv(1, 0), mod(1, 0), ceildiv(INT64_MIN, -1), min(big + 1, 0),
                       max(0, big + 1), (big + 1) * 0}) {
    EXPECT_FALSE(result.valid);
    EXPECT_FALSE(result == result);
    EXPECT_FALSE(result < Index(0) || result >= Index(0) || result != Index(0));
  }
}

TEST(Index, minMaxAndDim) {
  EXPECT_EQ(min(3, 5).value, 3);
  EXPECT_EQ(max(3, 5).value, 5);
  EXPECT_EQ(dim(View<float, 2>::contiguous(nullptr, 7, 9), 1).value, 9);
}

TEST(View, isRowMajorUnlessToldOtherwise) {
  auto view = View<float, 3>::contiguous(nullptr, 2, 3, 4);
  EXPECT_EQ(view.strides, (std::array<int64_t, 3>{12, 4, 1}));
  EXPECT_EQ(view.withStrides(100, 10, 1).strides, (std::array<int64_t, 3>{100, 10, 1}));
  View<const float, 3> constant = view;
  EXPECT_EQ(constant.extents, view.extents);

  AnyView any = constant;
  EXPECT_EQ(any.type, ElementType::F32);
  EXPECT_EQ(any.rank, 3);
  EXPECT_EQ(any.strides[0], 12);
  AnyView same = AnyView::contiguous(nullptr, ElementType::F32, view.extents.data(), 3);
  EXPECT_EQ(same.strides[0], 12);
  EXPECT_EQ(same.strides[2], 1);
}

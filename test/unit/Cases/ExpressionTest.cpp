#include "test/cases/Expression.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace cases;

/// The value of a text with M = 3, N = 4 and a buffer X whose element (i, j) is 10 i + j.
static double valueOfText(const std::string &text, std::string *error = nullptr) {
  Names names{{"M", "N"}, {"X"}};
  std::string problem;
  Expression expression = Expression::parse(text, names, problem);
  if (error)
    *error = problem;
  if (!expression.isValid())
    return NAN;
  Scope scope;
  scope.values = {3, 4};
  scope.values.resize(names.values.size());
  scope.element = [](int, const int64_t *at, size_t) { return double(10 * at[0] + at[1]); };
  return expression.evaluate(scope);
}

TEST(Expression, Precedence) {
  EXPECT_EQ(valueOfText("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(valueOfText("-(1 - 2) - -2"), 3);
  EXPECT_EQ(valueOfText("7 % 4 + 1"), 4);
  EXPECT_EQ(valueOfText("1 < 2 && 2 <= 2 || 0"), 1);
  EXPECT_EQ(valueOfText("M == 3 ? 10 : 20"), 10);
  EXPECT_EQ(valueOfText("!(M != 3) ? M > N ? 1 : 2 : 3"), 2);
  EXPECT_EQ(valueOfText("1.5e2"), 150);
}

TEST(Expression, FoldsOverBuffers) {
  EXPECT_EQ(valueOfText("sum(k < N: X[1, k])"), 46);
  EXPECT_EQ(valueOfText("maximum(i < M: minimum(j < N: X[i, j]))"), 20);
  EXPECT_EQ(valueOfText("sum(i < M: sum(j < i: 1))"), 3);
  EXPECT_EQ(valueOfText("product(k < 4: k + 1)"), 24);
  EXPECT_EQ(valueOfText("sum(k < 0: 1)"), 0);
  EXPECT_EQ(valueOfText("sum(k < 2: k) + sum(k < 3: k)"), 4);
}

TEST(Expression, TiesGoToTheLowestIndex) {
  EXPECT_EQ(valueOfText("argmax(k < 6: k % 3)"), 2);
  EXPECT_EQ(valueOfText("argmin(k < 6: k % 3)"), 0);
}

TEST(Expression, NaN) {
  EXPECT_TRUE(std::isnan(valueOfText("max(nan, 1)")));
  EXPECT_EQ(valueOfText("maxnum(nan, 1)"), 1);
  EXPECT_TRUE(std::isnan(valueOfText("maximum(k < 3: k == 1 ? nan : k)")));
}

TEST(Expression, Roundings) {
  EXPECT_EQ(valueOfText("to(bf16, 1 + 1 / 256)"), 1);
  EXPECT_EQ(valueOfText("to(f16, 100000)"), INFINITY);
  EXPECT_EQ(valueOfText("saturate(f16, 100000)"), 65504);
  EXPECT_EQ(valueOfText("wrap(i8, 200)"), -56);
  EXPECT_EQ(valueOfText("4 * eps(bf16)"), 4 / 256.0);
}

TEST(Expression, Codes) {
  EXPECT_EQ(valueOfText("decode(f4E2M1FN, 13)"), -3);
  EXPECT_EQ(valueOfText("decode(f8E8M0FNU, 0)"), std::ldexp(1.0, -127));
  EXPECT_TRUE(std::isnan(valueOfText("decode(f8E8M0FNU, 255)")));
  EXPECT_EQ(valueOfText("decode(i4, 9)"), -7);
  EXPECT_EQ(valueOfText("code(f8E4M3FN, 448)"), 126);
  EXPECT_EQ(valueOfText("largest(f6E3M2FN)"), 28);
  EXPECT_EQ(valueOfText("exponent(largest(f8E5M2))"), 15);
}

TEST(Expression, Exponents) {
  EXPECT_EQ(valueOfText("exponent(8)"), 3);
  EXPECT_EQ(valueOfText("exponent(-7.999)"), 2);
  EXPECT_EQ(valueOfText("exponent(0)"), -INFINITY);
  EXPECT_EQ(valueOfText("exponent(exp2(-149))"), -149);
}

TEST(Expression, IndicesAreTruncated) { EXPECT_EQ(valueOfText("X[7 / 4, M / 2]"), 11); }

TEST(Expression, negative_texts_are_refused_with_a_place) {
  for (const char *text : {"1 +", "Y[0]", "foo(1)", "sum(k < 3 k)", "(1", "1 2", "to(f9, 1)", "unknown"}) {
    std::string error;
    (void)valueOfText(text, &error);
    EXPECT_FALSE(error.empty()) << text;
  }
}

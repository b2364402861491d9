#include "lib/Codegen/IndexExpression.h"

#include "test/unit/Codegen/SampleKernels.h"

#include "gtest/gtest.h"

using namespace mlir::tile;

static std::string translate(llvm::StringRef text, ExpressionKind kind = ExpressionKind::Index) {
  std::vector<KernelArgument> arguments = sample::gemm().arguments;
  KernelArgument n;
  n.name = "n";
  n.kind = KernelArgument::Kind::Scalar;
  n.elementType = "i32";
  arguments.push_back(n);
  llvm::Expected<std::string> result = translateExpression(text, arguments, kind);
  return result ? *result : llvm::toString(result.takeError());
}

TEST(IndexExpression, argumentsByNumberWithoutTheDead) {
  EXPECT_EQ(translate("dim(A, 0)"), "dim(arguments[0].view, 0)");
  EXPECT_EQ(translate("dim(C,1)"), "dim(arguments[2].view, 1)");
  EXPECT_EQ(translate("n"), "arguments[4].index()");
}

TEST(IndexExpression, precedence) {
  EXPECT_EQ(translate("1 + 2 * 3 - 4"), "((Index(1) + (Index(2) * Index(3))) - Index(4))");
  EXPECT_EQ(translate("(1 + 2) * -n"), "((Index(1) + Index(2)) * (-arguments[4].index()))");
  EXPECT_EQ(translate("ceildiv(n, 2) * max(n, 1)"),
            "(ceildiv(arguments[4].index(), Index(2)) * max(arguments[4].index(), Index(1)))");
  EXPECT_EQ(translate("n < 3 || n >= 5 && !(n == 7)", ExpressionKind::Predicate),
            "((arguments[4].index() < Index(3)) || ((arguments[4].index() >= Index(5)) && !(arguments[4].index() == "
            "Index(7))))");
}

TEST(IndexExpression, refusals) {
  EXPECT_EQ(translate("dim(D, 0)"), "in expression 'dim(D, 0)': 'D' is not an argument");
  EXPECT_EQ(translate("dim(bias, 0)"), "in expression 'dim(bias, 0)': argument 'bias' is dead");
  EXPECT_EQ(translate("dim(A, 2)"), "in expression 'dim(A, 2)': dimension '2' of 'A', which has rank 2");
  EXPECT_EQ(translate("dim(n, 0)"), "in expression 'dim(n, 0)': 'n' is a scalar, expected a view");
  EXPECT_EQ(translate("A"), "in expression 'A': 'A' is a view, expected an integer scalar");
  EXPECT_EQ(translate("alpha"), "in expression 'alpha': 'alpha' is a scalar of type f32, expected an integer");
  EXPECT_EQ(translate("n +"), "in expression 'n +': expected a value at the end");
  EXPECT_EQ(translate(""), "in expression '': expected a value at the end");
  EXPECT_EQ(translate("(n"), "in expression '(n': expected ')' at the end");
  EXPECT_EQ(translate("min(n; 2)"), "in expression 'min(n; 2)': expected ',' before '; 2)'");
  EXPECT_EQ(translate("n n"), "in expression 'n n': unexpected 'n'");
  EXPECT_EQ(translate("system(n)"), "in expression 'system(n)': unknown function 'system', expected dim, floordiv, "
                                    "ceildiv, mod, min or max");
  EXPECT_EQ(translate("99999999999999999999"),
            "in expression '99999999999999999999': '99999999999999999999' is not an integer of 64 bits");
  EXPECT_EQ(translate("n < 2"), "in expression 'n < 2': expected an index, found a condition");
  EXPECT_EQ(translate("n", ExpressionKind::Predicate), "in expression 'n': expected a condition, found an index");
  EXPECT_EQ(translate("(n < 2) + 1"), "in expression '(n < 2) + 1': expected an index, found a condition");
  std::string deep = std::string(100000, '(') + "n";
  EXPECT_EQ(translate(deep), "in expression '" + deep + "': nested too deeply");
}

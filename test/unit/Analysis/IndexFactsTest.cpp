// Facts about index values: each test parses a kernel and asks about the results of ops that carry a `probe` attribute.
#include "lib/Analysis/IndexFacts.h"
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tile;

namespace {
class IndexFactsTest : public ::testing::Test {
protected:
  IndexFactsTest() { context.loadDialect<TileDialect, arith::ArithDialect, scf::SCFDialect>(); }

  /// Parses a kernel over %A with index argument %n and integer argument %i; `attributes` go to the kernel.
  void parse(StringRef body, int64_t maxIndex = 0, StringRef view = "?x?xf32") {
    std::string text = ("tile.kernel @k(%A: !tile.view<" + view +
                        ">, %n: index, %i: i32) programs(%m, %l) over %A by [32, 96] {\n" + body + "\n tile.return\n}")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    kernel = *module->getOps<KernelOp>().begin();
    if (maxIndex)
      kernel->setAttr("max_index", IntegerAttr::get(IntegerType::get(&context, 64), maxIndex));
    facts.emplace(kernel);
  }
  Value probe(int64_t number = 0) {
    Value found;
    kernel->walk([&](Operation *op) {
      if (auto attribute = op->getAttrOfType<IntegerAttr>("probe"); attribute && attribute.getInt() == number)
        found = op->getResult(0);
    });
    return found;
  }
  void expect(Value value, int64_t lo, int64_t hi, int64_t divisor) {
    EXPECT_EQ(facts->range(value).lo, lo);
    EXPECT_EQ(facts->range(value).hi, hi);
    EXPECT_EQ(facts->divisor(value), divisor);
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
  std::optional<IndexFacts> facts;
};
constexpr int64_t large = 2146435071, lowest = INT64_MIN, highest = INT64_MAX;
} // namespace

TEST_F(IndexFactsTest, arguments) {
  parse("");
  Block &body = kernel.getBody().front();
  expect(body.getArgument(1), lowest, highest, 1);
  expect(body.getArgument(2), INT32_MIN, INT32_MAX, 1);
  EXPECT_EQ(facts->range(body.getArgument(3)).lo, 0);
  EXPECT_EQ(facts->divisor(body.getArgument(3)), 32);
  EXPECT_EQ(facts->divisor(body.getArgument(4)), 96);
  EXPECT_FALSE(facts->fits32(body.getArgument(3)));
}

TEST_F(IndexFactsTest, arguments_below_max_index) {
  parse("%d = tile.dim %A, 0 {probe = 0} : !tile.view<?x?xf32>", large);
  Block &body = kernel.getBody().front();
  expect(body.getArgument(1), -large, large, 1);
  expect(body.getArgument(3), 0, (large - 1) / 32 * 32, 32);
  expect(probe(), 0, large, 1);
  EXPECT_TRUE(facts->fits32(body.getArgument(3)));
}

TEST_F(IndexFactsTest, coordinates_of_static_extents) {
  parse("%d = tile.dim %A, 1 {probe = 0} : !tile.view<1000x96xf32>", 0, "1000x96xf32");
  Block &body = kernel.getBody().front();
  expect(body.getArgument(3), 0, 992, 32);
  expect(body.getArgument(4), 0, 0, int64_t(1) << 62);
  expect(probe(), 96, 96, 96);
}

TEST_F(IndexFactsTest, packed_extents_are_whole_bytes) {
  parse("%d = tile.dim %A, 1 {probe = 0} : !tile.view<?x?xf6E2M3FN>\n"
        "%e = tile.dim %A, 0 {probe = 1} : !tile.view<?x?xf6E2M3FN>",
        large, "?x?xf6E2M3FN");
  expect(probe(), 0, large / 4 * 4, 4);
  expect(probe(1), 0, large, 1);
}

TEST_F(IndexFactsTest, arithmetic) {
  parse(R"(
    %c5 = arith.constant 5 : index
    %c12 = arith.constant 12 : index
    %c2 = arith.constant 2 : index
    %x = tile.assume %n divisible 24 range [-100, 100]
    %0 = arith.addi %x, %c12 {probe = 0} : index
    %1 = arith.muli %x, %c5 {probe = 1} : index
    %2 = arith.floordivsi %x, %c5 {probe = 2} : index
    %3 = arith.divsi %x, %c12 {probe = 3} : index
    %4 = arith.remsi %x, %c5 {probe = 4} : index
    %5 = arith.shli %x, %c2 {probe = 5} : index
    %6 = arith.andi %x, %c12 {probe = 6} : index
    %7 = arith.maxsi %x, %c12 {probe = 7} : index
    %8 = arith.ceildivsi %n, %c5 {probe = 8} : index
    %9 = arith.remui %n, %c5 {probe = 9} : index
    %10 = arith.index_cast %x {probe = 10} : index to i32
    %11 = arith.addi %n, %c12 {probe = 11} : index
    %12 = arith.shrsi %x, %c2 {probe = 12} : index)");
  expect(probe(0), -84, 108, 12);
  expect(probe(1), -480, 480, 120);
  expect(probe(2), -20, 19, 1);
  expect(probe(3), -8, 8, 2);
  expect(probe(4), -4, 4, 1);
  expect(probe(5), -384, 384, 96);
  expect(probe(6), 0, 8, 8);
  expect(probe(7), 12, 96, 12);
  expect(probe(8), lowest / 5, highest / 5 + 1, 1);
  expect(probe(9), 0, 4, 1);
  expect(probe(10), -96, 96, 24);
  expect(probe(11), lowest, highest, 1);
  expect(probe(12), -24, 24, 6);
}

TEST_F(IndexFactsTest, loops) {
  parse(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %d = tile.dim %A, 1 : !tile.view<?x?xf32>
    %r:3 = scf.for %k = %c0 to %d step %c64 iter_args(%slot = %c0, %same = %c64, %run = %c64) -> (index, index, index) {
      %k0 = tile.assume %k divisible 1 {probe = 0}
      %n1 = arith.addi %slot, %c1 : index
      %turn = arith.cmpi eq, %n1, %c3 : index
      %next = arith.select %turn, %c0, %n1 {probe = 1} : index
      %s = tile.assume %slot divisible 1 {probe = 2}
      %p = tile.assume %same divisible 1 {probe = 3}
      %further = arith.addi %run, %c64 : index
      %q = tile.assume %run divisible 1 {probe = 4}
      %eighth = arith.shrsi %k, %c3 {probe = 6} : index
      scf.yield %next, %same, %further : index, index, index
    }
    %f = tile.assume %r#0 divisible 1 {probe = 5})", 1000);
  expect(probe(0), 0, 960, 64);
  expect(probe(2), 0, 2, 1);
  expect(probe(3), 64, 64, 64);
  expect(probe(4), 64, 64 + 16 * 64, 64);
  expect(probe(5), 0, 2, 1);
  expect(probe(6), 0, 120, 8);
}

TEST_F(IndexFactsTest, branches) {
  parse(R"(
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    %less = arith.cmpi slt, %n, %c8 : index
    %r = scf.if %less -> (index) {
      scf.yield %c8 : index
    } else {
      scf.yield %c20 : index
    } {probe = 0}
    %s = arith.select %less, %c20, %c8 {probe = 1} : index)");
  expect(probe(0), 8, 20, 4);
  expect(probe(1), 8, 20, 4);
}

TEST_F(IndexFactsTest, long_chains_need_no_deep_stack) {
  std::string body = "%v0 = tile.assume %n range [0, 1]\n";
  for (int i = 0; i < 50000; ++i)
    body += "%v" + std::to_string(i + 1) + " = arith.addi %v" + std::to_string(i) + ", %v" + std::to_string(i) +
            (i == 49999 ? " {probe = 0}" : "") + " : index\n";
  parse(body);
  expect(probe(), lowest, highest, 1);
}

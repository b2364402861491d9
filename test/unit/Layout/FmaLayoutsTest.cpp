// Every thread must hold the rows of A and the columns of B that its sums have, for each step along K.
#include "lib/Layout/FmaLayouts.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tile;

static void expectOperandsFit(int64_t m, int64_t n, int64_t k, unsigned warpsM, unsigned warpsN) {
  Layout acc = fmaAccumulator(m, n, warpsM, warpsN), a = fmaOperandA(k, acc), b = fmaOperandB(k, acc);
  EXPECT_EQ(a.extents()[0], m);
  EXPECT_EQ(a.extents()[1], k);
  EXPECT_EQ(b.extents()[0], k);
  EXPECT_EQ(b.extents()[1], n);
  EXPECT_FALSE(a.hasDeadPositions(1));
  EXPECT_FALSE(b.hasDeadPositions(0));
  for (unsigned warp = 0; warp < acc.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < acc.numRegisters(); ++reg) {
        SmallVector<int64_t> sum = acc.coordinates(reg, lane, warp);
        for (int64_t step = 0; step < k; ++step) {
          auto x = a.registerAt({acc.registerOffset(reg, 0), step}), y = b.registerAt({step, acc.registerOffset(reg, 1)});
          ASSERT_TRUE(x && y);
          ASSERT_EQ(a.coordinates(*x, lane, warp), SmallVector<int64_t>({sum[0], step}));
          ASSERT_EQ(b.coordinates(*y, lane, warp), SmallVector<int64_t>({step, sum[1]}));
        }
      }
}

TEST(FmaLayouts, threads_hold_what_their_sums_need) {
  expectOperandsFit(64, 64, 8, 2, 2);
  expectOperandsFit(128, 32, 24, 4, 1);
  expectOperandsFit(96, 208, 4, 2, 4);
  expectOperandsFit(176, 16, 1, 1, 4);
  expectOperandsFit(1, 8, 16, 1, 4);
}

// The cost of one instruction of a warp, on addresses whose cost is known.
#include "lib/Layout/Access.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace mlir::tile;

/// 32 lanes, `stride` bytes apart.
static llvm::SmallVector<int64_t> strided(int64_t stride) {
  llvm::SmallVector<int64_t> addresses;
  for (int64_t lane = 0; lane < 32; ++lane)
    addresses.push_back(lane * stride);
  return addresses;
}

TEST(Access, LeastWavefrontsCountWordsNotBanks) {
  EXPECT_EQ(bankWavefronts(strided(8), 4), 2u);
  EXPECT_EQ(leastBankWavefronts(strided(8), 4), 1u);
  EXPECT_EQ(bankWavefronts(strided(128), 4), 32u);
  EXPECT_EQ(leastBankWavefronts(strided(128), 4), 1u);
  // 16 bytes each: four quarters of a warp.
  EXPECT_EQ(leastBankWavefronts(strided(16), 16), 4u);
  EXPECT_EQ(bankWavefronts(strided(128), 16), 32u);
  EXPECT_EQ(leastBankWavefronts(strided(128), 16), 4u);
}

TEST(Access, LanesThatTakeNoPartCostNothing) {
  llvm::SmallVector<int64_t> none(32, -1);
  EXPECT_EQ(leastBankWavefronts(none, 4), 0u);
  EXPECT_EQ(distinctBytes(none, 4), 0u);
}

TEST(Access, DistinctBytesCountOverlapsOnce) {
  EXPECT_EQ(distinctBytes(strided(0), 4), 4u);
  EXPECT_EQ(distinctBytes(strided(2), 4), 66u);
  EXPECT_EQ(distinctBytes(strided(16), 16), 512u);
  // One byte of each of 32 sectors: 31 of 32 are moved for nothing.
  EXPECT_EQ(globalSectors(strided(32), 1) * 32 - distinctBytes(strided(32), 1), 31u * 32);
}

// Block scales: offsets against numbers worked out by hand, and each order as a bijection of its buffer.
#include "lib/Layout/ScaleLayout.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mlir::tile;

static constexpr ScaleOrder orders[] = {ScaleOrder::RowMajor, ScaleOrder::MNMajor, ScaleOrder::Interleaved128x4};

TEST(ScaleLayout, RowAndColumnMajorArePlainMatrices) {
  ScaleMatrix rowMajor = *ScaleMatrix::create(ScaleOrder::RowMajor, 96, 5);
  EXPECT_EQ(rowMajor.offset(7, 3), 38);
  EXPECT_EQ(rowMajor.sizeBytes(), 480);
  ScaleMatrix mnMajor = *ScaleMatrix::create(ScaleOrder::MNMajor, 96, 5);
  EXPECT_EQ(mnMajor.offset(7, 3), 295);
  EXPECT_EQ(mnMajor.sizeBytes(), 480);
}

TEST(ScaleLayout, InterleavedTileIsThatOfTheLibraries) {
  ScaleMatrix scales = *ScaleMatrix::create(ScaleOrder::Interleaved128x4, 256, 8);
  EXPECT_EQ(scales.offset(0, 0), 0);
  EXPECT_EQ(scales.offset(0, 3), 3);
  EXPECT_EQ(scales.offset(32, 0), 4);
  EXPECT_EQ(scales.offset(96, 1), 13);
  EXPECT_EQ(scales.offset(1, 0), 16);
  EXPECT_EQ(scales.offset(31, 0), 496);
  EXPECT_EQ(scales.offset(127, 3), 511);
  // The next tile along K, then the next rows.
  EXPECT_EQ(scales.offset(0, 4), 512);
  EXPECT_EQ(scales.offset(128, 0), 1024);
  EXPECT_EQ(scales.offset(165, 6), 1622);
}

TEST(ScaleLayout, InterleavedIsPaddedToWholeTiles) {
  ScaleMatrix scales = *ScaleMatrix::create(ScaleOrder::Interleaved128x4, 130, 5);
  EXPECT_EQ(scales.paddedRows(), 256);
  EXPECT_EQ(scales.paddedBlocks(), 8);
  EXPECT_EQ(scales.sizeBytes(), 2048);
  EXPECT_TRUE(scales.isLive(129, 4));
  EXPECT_FALSE(scales.isLive(130, 4));
  EXPECT_FALSE(scales.isLive(129, 5));
}

TEST(ScaleLayout, EveryByteOfTheBufferIsOnePosition) {
  for (ScaleOrder order : orders)
    for (auto [rows, blocks] : {std::pair<int64_t, int64_t>{1, 1}, {128, 4}, {130, 5}, {7, 96}, {384, 12}}) {
      ScaleMatrix scales = *ScaleMatrix::create(order, rows, blocks);
      std::vector<bool> seen(scales.sizeBytes());
      for (int64_t row = 0; row < scales.paddedRows(); ++row)
        for (int64_t block = 0; block < scales.paddedBlocks(); ++block) {
          int64_t offset = scales.offset(row, block);
          ASSERT_LT(offset, scales.sizeBytes());
          ASSERT_FALSE(seen[offset]);
          seen[offset] = true;
          ASSERT_EQ(scales.position(offset), std::make_pair(row, block));
        }
    }
}

TEST(ScaleLayout, RefusesEmptyMatrices) {
  std::string why;
  EXPECT_FALSE(ScaleMatrix::create(ScaleOrder::RowMajor, 0, 4, &why));
  EXPECT_EQ(why, "expected 1 to 2147483648 rows and blocks, found 0x4");
}

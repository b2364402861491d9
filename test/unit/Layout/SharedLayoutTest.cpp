/// SharedLayout: bijective, inside its size, and the swizzle patterns of TMA.
#include "lib/Layout/SharedLayout.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir::tile;
using llvm::SmallVector;

TEST(SharedLayout, worked_example_of_the_header) {
  auto layout = SharedLayout::create({64, 64}, {1, 0}, 16);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->swizzleBytes(), 128u);
  EXPECT_EQ(layout->alignment(), 1024u);
  EXPECT_EQ(layout->offset({5, 9}), 706);
}

TEST(SharedLayout, offsets_are_distinct_and_inside) {
  unsigned tried = 0;
  for (int64_t m : {1, 4, 8, 64, 96})
    for (int64_t n : {1, 4, 8, 64, 96, 208})
      for (unsigned bits : {8u, 16u, 32u, 64u})
        for (int swizzle : {-1, 0, 16, 64, 128})
          for (unsigned padding : {0u, 16u})
            for (bool columns : {false, true}) {
              SmallVector<unsigned> order = columns ? SmallVector<unsigned>{0, 1} : SmallVector<unsigned>{1, 0};
              auto layout = SharedLayout::create(
                  {m, n}, order, bits, swizzle < 0 ? std::nullopt : std::optional<unsigned>(swizzle), padding);
              if (!layout)
                continue;
              ++tried;
              std::set<int64_t> seen;
              for (int64_t i = 0; i < m; ++i)
                for (int64_t j = 0; j < n; ++j) {
                  int64_t offset = layout->offset({i, j});
                  ASSERT_EQ(offset % (bits / 8), 0);
                  ASSERT_LT(offset, layout->sizeBytes()) << layout->str();
                  ASSERT_TRUE(seen.insert(offset).second) << layout->str();
                }
            }
  EXPECT_GT(tried, 300u);
}

TEST(SharedLayout, odd_extents_are_slabs) {
  auto layout = SharedLayout::create({64, 96}, {1, 0}, 16);
  EXPECT_EQ(layout->slabBytes(), 64);
  EXPECT_EQ(layout->numSlabs(), 3);
  EXPECT_EQ(layout->swizzleBytes(), 64u);
  EXPECT_EQ(layout->offset({0, 32}), 64 * 64);
  EXPECT_EQ(SharedLayout::create({64, 208}, {1, 0}, 16)->slabBytes(), 32);
  EXPECT_EQ(SharedLayout::create({64, 4}, {1, 0}, 8)->rowPitch(), 4);
}

TEST(SharedLayout, transpose_moves_no_byte) {
  auto layout = SharedLayout::create({4, 8, 64}, {2, 0, 1}, 16);
  SharedLayout transposed = layout->transpose({2, 0, 1});
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 8; ++j)
      for (int64_t k = 0; k < 64; ++k)
        ASSERT_EQ(layout->offset({i, j, k}), transposed.offset({k, i, j}));
}

TEST(SharedLayout, packed_elements_lie_at_the_front_of_their_unit) {
  EXPECT_EQ(SharedLayout::packedOffset(0x40 + 6, 4), 0x43);
  EXPECT_EQ(SharedLayout::packedOffset(0x40 + 12, 6), 0x49);
  EXPECT_EQ(SharedLayout::packedOffset(0x40 + 6, 8), 0x46);
  // Parts of whole bytes that share no bit are packed one by one.
  for (auto [bits, granule] : {std::pair(4u, 2), std::pair(6u, 4)})
    for (int64_t a = 0; a < 64; a += granule)
      for (int64_t b = 0; b < 64; b += granule)
        if ((a & b) == 0)
          EXPECT_EQ(SharedLayout::packedOffset(a + b, bits),
                    SharedLayout::packedOffset(a, bits) + SharedLayout::packedOffset(b, bits));
}

TEST(SharedLayout, create_refuses_with_a_reason) {
  std::string why;
  EXPECT_FALSE(SharedLayout::create({64, 96}, {1, 0}, 16, 128, 0, &why));
  EXPECT_EQ(why, "a swizzle of 128 bytes does not divide rows of 192 bytes");
  EXPECT_FALSE(SharedLayout::create({64, 96}, {1, 1}, 16, 0, 0, &why));
  EXPECT_FALSE(SharedLayout::create({64, 12}, {1, 0}, 16, 0, 0, &why));
  EXPECT_FALSE(SharedLayout::create({64, 64}, {1, 0}, 4, 0, 0, &why));
  EXPECT_FALSE(SharedLayout::create({64, 64}, {1, 0}, 16, 64, 16, &why));
  EXPECT_FALSE(SharedLayout::create({64, 64}, {1, 0}, 16, 0, 8, &why));
}

/// Scales against what the fragments of their operands need, and batches against the tiles they are made of.
#include "lib/Layout/ScaledMmaLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir::tile;
using llvm::SmallVector;

namespace {
struct Shape {
  int64_t m, n, k, block;
  unsigned warpsM, warpsN;
};
} // namespace

static const Shape shapes[] = {{16, 8, 32, 32, 1, 1},   {64, 128, 128, 32, 2, 2}, {64, 64, 64, 16, 4, 1},
                               {96, 48, 96, 32, 3, 1},  {128, 80, 256, 16, 2, 1}, {32, 256, 128, 64, 1, 4},
                               {192, 64, 64, 32, 1, 3}, {16, 8, 160, 32, 2, 2}};

static std::set<SmallVector<int64_t>> heldBy(const Layout &layout, unsigned lane, unsigned warp) {
  std::set<SmallVector<int64_t>> result;
  for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
    result.insert(layout.coordinates(reg, lane, warp));
  return result;
}

TEST(ScaledMmaLayouts, all_targets_share_the_fragments) {
  const MmaShape &shape = scaledFragmentShape();
  EXPECT_EQ(shape.m * shape.n * shape.k, 16u * 8 * 32);
  for (const Target &target : allTargets()) {
    const MmaShape *own = target.findMma(ElementKind::I8, ElementKind::I8, ElementKind::I32);
    ASSERT_TRUE(own);
    EXPECT_EQ(std::tie(own->m, own->n, own->k), std::tie(shape.m, shape.n, shape.k));
  }
}

TEST(ScaledMmaLayouts, threads_hold_the_scales_of_their_elements) {
  const MmaShape &shape = scaledFragmentShape();
  for (const Shape &s : shapes) {
    Layout a = mmaOperandA(s.m, s.k, s.warpsM, s.warpsN, shape), b = mmaOperandB(s.k, s.n, s.warpsM, s.warpsN, shape);
    const int64_t blocks = s.k / s.block;
    Layout scaleA = scaleOperandA(a, blocks), scaleB = scaleOperandB(b, blocks);
    for (unsigned warp = 0; warp < a.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane) {
        auto ofA = heldBy(scaleA, lane, warp), ofB = heldBy(scaleB, lane, warp);
        std::set<SmallVector<int64_t>> needA, needB;
        for (const auto &position : heldBy(a, lane, warp))
          for (int64_t block = 0; block < blocks; ++block)
            needA.insert({position[0], block});
        for (const auto &position : heldBy(b, lane, warp))
          for (int64_t block = 0; block < blocks; ++block)
            needB.insert({position[1], block});
        ASSERT_EQ(ofA, needA) << scaleA.str();
        ASSERT_EQ(ofB, needB) << scaleB.str();
      }
  }
}

TEST(ScaledMmaLayouts, blocks_are_innermost) {
  const MmaShape &shape = scaledFragmentShape();
  Layout a = mmaOperandA(64, 256, 1, 1, shape), b = mmaOperandB(256, 64, 1, 1, shape);
  for (const Layout &scales : {scaleOperandA(a, 8), scaleOperandB(b, 8)})
    for (unsigned reg = 0; reg < scales.numRegisters(); ++reg)
      EXPECT_EQ(scales.registerOffset(reg, 1), reg % 8);
}

/// PTX ISA, "Block Scaling for mma.sync": with thread-id 0, lane 4·g supplies row g, lane 4·g + 1 row g + 8 of A, and
/// lane 4·g column g of B.
TEST(ScaledMmaLayouts, native_scales_lie_where_the_instruction_takes_them) {
  const MmaShape &shape = scaledFragmentShape();
  for (const Shape &s : shapes) {
    Layout a = mmaOperandA(s.m, s.k, s.warpsM, s.warpsN, shape), b = mmaOperandB(s.k, s.n, s.warpsM, s.warpsN, shape);
    const int64_t blocks = s.k / s.block;
    Layout scaleA = nativeScaleA(a, blocks), scaleB = nativeScaleB(b, blocks);
    auto fragmentsA = MmaFragments::match(a, shape, MmaRole::A), fragmentsB = MmaFragments::match(b, shape, MmaRole::B);
    ASSERT_TRUE(fragmentsA && fragmentsB);
    for (unsigned warp = 0; warp < a.numWarps(); ++warp)
      for (unsigned group = 0; group < 8; ++group)
        for (int64_t block = 0; block < blocks; ++block) {
          for (int64_t tile : fragmentsA->tileOffsets(0)) {
            auto reg = scaleA.registerAt({tile, block});
            ASSERT_TRUE(reg) << scaleA.str();
            for (unsigned half : {0, 1}) {
              int64_t row = a.threadOffset(0, warp, 0) + tile + group + 8 * half;
              EXPECT_EQ(scaleA.coordinates(*reg, 4 * group + half, warp), (SmallVector<int64_t>{row, block}));
            }
          }
          for (int64_t tile : fragmentsB->tileOffsets(1)) {
            auto reg = scaleB.registerAt({tile, block});
            ASSERT_TRUE(reg) << scaleB.str();
            int64_t column = b.threadOffset(0, warp, 1) + tile + group;
            EXPECT_EQ(scaleB.coordinates(*reg, 4 * group, warp), (SmallVector<int64_t>{column, block}));
          }
        }
  }
}

TEST(ScaledMmaLayouts, native_scales_of_four_blocks_share_a_word) {
  const MmaShape &shape = scaledFragmentShape();
  Layout a = mmaOperandA(64, 256, 2, 1, shape);
  Layout scales = nativeScaleA(a, 8);
  EXPECT_EQ(scales.numRegisters(), 64u * 8 / 2 / 16);
  for (unsigned reg = 0; reg < scales.numRegisters(); ++reg)
    EXPECT_EQ(scales.registerOffset(reg, 1) % 4, reg % 4);
}

TEST(ScaledMmaLayouts, held_alike_in_any_register_order) {
  const MmaShape &shape = scaledFragmentShape();
  Layout a = mmaOperandA(64, 256, 2, 1, shape), scales = scaleOperandA(a, 8);
  SmallVector<Basis> turned(llvm::reverse(scales.registerBases()));
  Layout other = *Layout::create(scales.extents(), turned, scales.laneBases(), scales.warpBases(), scales.digits());
  EXPECT_NE(other, scales);
  EXPECT_TRUE(holdsAlike(other, scales));
  EXPECT_FALSE(holdsAlike(nativeScaleA(a, 8), scales));
}

TEST(ScaledMmaLayouts, batches_are_tiles_one_after_the_other) {
  const MmaShape &shape = scaledFragmentShape();
  for (int64_t batch : {1, 2, 3, 4, 6, 12})
    for (const Shape &s : shapes) {
      Layout b = mmaOperandB(s.k, s.n, s.warpsM, s.warpsN, shape);
      for (const Layout &single : {b, scaleOperandB(b, s.k / s.block)}) {
        Layout layout = withBatch(single, batch);
        ASSERT_EQ(layout.numRegisters(), batch * single.numRegisters());
        ASSERT_EQ(withoutBatch(layout), single) << layout.str();
        std::set<unsigned> seen;
        auto tiles = batchRegisters(layout);
        ASSERT_EQ(tiles.size(), size_t(batch));
        for (auto [index, registers] : llvm::enumerate(tiles)) {
          ASSERT_EQ(registers.size(), single.numRegisters());
          for (unsigned reg = 0; reg < registers.size(); ++reg) {
            seen.insert(registers[reg]);
            auto expected = single.coordinates(reg, 13, 0);
            expected.insert(expected.begin(), index);
            ASSERT_EQ(layout.coordinates(registers[reg], 13, 0), expected);
          }
        }
        EXPECT_EQ(seen.size(), layout.numRegisters());
      }
    }
}

TEST(ScaledMmaLayouts, negative_threads_that_divide_a_batch) {
  EXPECT_FALSE(withoutBatch(Layout::blocked({8, 16, 16}, {1, 1, 1}, {8, 2, 2}, {1, 1, 1}, {2, 1, 0}, 1)));
}

/// Operand layouts against the fragment formulas of the PTX ISA, written out independently.
#include "lib/Layout/MmaLayouts.h"
#include "gtest/gtest.h"

using namespace mlir::tile;
using Position = std::pair<int64_t, int64_t>;

static MmaShape shapeOf(ElementKind a, ElementKind acc) {
  return *lookupTarget("sm_89")->findMma(a, a, acc);
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type": A, rows groupID or groupID + 8.
static Position fragmentA(ElementKind kind, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, t = lane % 4;
  switch (bitWidth(kind)) {
  case 16: return {i % 4 < 2 ? group : group + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  case 8: return {i % 8 < 4 ? group : group + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  case 32: return {i % 2 == 0 ? group : group + 8, t + (i >= 2 ? 4 : 0)};
  default: return {group, t};
  }
}

static Position fragmentB(ElementKind kind, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, t = lane % 4;
  switch (bitWidth(kind)) {
  case 16: return {t * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
  case 8: return {t * 4 + (i & 3) + (i >= 4 ? 16 : 0), group};
  case 32: return {t + 4 * i, group};
  default: return {t, group};
  }
}

static Position fragmentC(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i >= 2 ? 8 : 0), (lane % 4) * 2 + (i & 1)};
}

static const std::pair<ElementKind, ElementKind> kinds[] = {{ElementKind::F16, ElementKind::F32},
                                                            {ElementKind::TF32, ElementKind::F32},
                                                            {ElementKind::F8E4M3, ElementKind::F32},
                                                            {ElementKind::I8, ElementKind::I32},
                                                            {ElementKind::F64, ElementKind::F64}};

TEST(MmaLayouts, fragments_are_those_of_the_ptx_isa) {
  for (auto [kind, acc] : kinds) {
    MmaShape shape = shapeOf(kind, acc);
    for (int64_t m : {16, 64, 96})
      for (int64_t n : {8, 128, 208})
        for (int64_t k : {32, 96})
          for (auto [warpsM, warpsN] : {std::pair<unsigned, unsigned>{1, 1}, {2, 2}, {1, 4}, {3, 2}}) {
            Layout a = mmaOperandA(m, k, warpsM, warpsN, shape), b = mmaOperandB(k, n, warpsM, warpsN, shape),
                   c = mmaAccumulator(m, n, warpsM, warpsN, shape);
            auto fa = MmaFragments::match(a, shape, MmaRole::A), fb = MmaFragments::match(b, shape, MmaRole::B),
                 fc = MmaFragments::match(c, shape, MmaRole::C);
            ASSERT_TRUE(fa && fb && fc);
            ASSERT_TRUE(mmaAgree(a, b, c, shape)) << a.str() << b.str() << c.str();
            ASSERT_EQ(c.numWarps(), warpsM * warpsN);
            ASSERT_EQ(fa->rows() * fa->cols() * fa->size(), a.numRegisters());
            ASSERT_EQ(fc->rows() * fc->cols() * fc->size(), c.numRegisters());
            auto check = [&](const Layout &layout, const MmaFragments &fragments, auto formula, unsigned tileRows,
                             unsigned tileCols) {
              for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
                for (unsigned row = 0; row < fragments.rows(); ++row)
                  for (unsigned col = 0; col < fragments.cols(); ++col) {
                    auto origin = layout.coordinates(fragments.reg(row, col, 0), 0, warp);
                    ASSERT_EQ(origin[0] % tileRows, 0);
                    ASSERT_EQ(origin[1] % tileCols, 0);
                    for (unsigned lane = 0; lane < 32; ++lane)
                      for (unsigned i = 0; i < fragments.size(); ++i) {
                        auto position = layout.coordinates(fragments.reg(row, col, i), lane, warp);
                        Position expected = formula(lane, i);
                        ASSERT_EQ(position[0] - origin[0], expected.first);
                        ASSERT_EQ(position[1] - origin[1], expected.second);
                      }
                  }
            };
            ElementKind of = kind;
            check(a, *fa, [&](unsigned lane, unsigned i) { return fragmentA(of, lane, i); }, shape.m, shape.k);
            check(b, *fb, [&](unsigned lane, unsigned i) { return fragmentB(of, lane, i); }, shape.k, shape.n);
            check(c, *fc, fragmentC, shape.m, shape.n);
          }
  }
}

TEST(MmaLayouts, first_registers_are_the_first_fragment) {
  MmaShape shape = shapeOf(ElementKind::F16, ElementKind::F32);
  auto a = MmaFragments::match(mmaOperandA(128, 64, 2, 2, shape), shape, MmaRole::A);
  auto b = MmaFragments::match(mmaOperandB(64, 128, 2, 2, shape), shape, MmaRole::B);
  auto c = MmaFragments::match(mmaAccumulator(128, 128, 2, 2, shape), shape, MmaRole::C);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(a->reg(0, 0, i), i);
    EXPECT_EQ(a->reg(0, 1, i), 8 + i);  // K tiles come next
    EXPECT_EQ(a->reg(1, 0, i), 32 + i); // then M tiles
  }
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(b->reg(1, 0, i), 4 + i);
    EXPECT_EQ(b->reg(0, 1, i), 16 + i);
    EXPECT_EQ(c->reg(0, 1, i), 4 + i);
    EXPECT_EQ(c->reg(1, 0, i), 32 + i);
  }
}

TEST(MmaLayouts, warp_tiles_are_contiguous_for_powers_of_two) {
  MmaShape shape = shapeOf(ElementKind::F16, ElementKind::F32);
  Layout c = mmaAccumulator(128, 256, 2, 4, shape);
  for (unsigned warp = 0; warp < 8; ++warp) {
    EXPECT_EQ(c.threadOffset(0, warp, 0), warp % 2 * 64);
    EXPECT_EQ(c.threadOffset(0, warp, 1), warp / 2 * 64);
  }
  EXPECT_EQ(c.replication(), 1u);
}

TEST(MmaLayouts, odd_extents_are_exact_where_the_warps_divide_them) {
  MmaShape shape = shapeOf(ElementKind::F16, ElementKind::F32);
  EXPECT_EQ(mmaAccumulator(64, 208, 4, 1, shape).paddedExtent(1), 208);
  EXPECT_EQ(mmaAccumulator(64, 208, 2, 2, shape).paddedExtent(1), 208);
  EXPECT_EQ(mmaAccumulator(192, 64, 3, 1, shape).numRegisters(), 192u * 64 / 96);
  EXPECT_EQ(mmaAccumulator(96, 176, 2, 2, shape).numRegisters(), 96u * 176 / 128);
}

TEST(MmaLayouts, negative_other_layouts_do_not_match) {
  MmaShape shape = shapeOf(ElementKind::F16, ElementKind::F32);
  Layout blocked = Layout::blocked({64, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0}, 4);
  EXPECT_FALSE(MmaFragments::match(blocked, shape, MmaRole::A));
  EXPECT_FALSE(mmaAgree(mmaOperandA(64, 64, 2, 2, shape), mmaOperandB(64, 64, 4, 1, shape),
                        mmaAccumulator(64, 64, 2, 2, shape), shape));
}

/// Access plans executed on a numbered image of shared memory and compared with the layouts' coordinates.
#include "lib/Layout/SharedAccess.h"
#include "RandomLayout.h"
#include "lib/Layout/Access.h"
#include "lib/Layout/MmaLayouts.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir::tile;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Every group's every element lies where the shared layout says; every register is moved once.
static void expectPlanRight(const SharedAccessPlan &plan, const Layout &layout, const SharedLayout &shared) {
  std::set<unsigned> moved;
  int64_t bytes = shared.elementBytes();
  for (const SharedGroup &group : plan.groups) {
    for (unsigned reg : group.registers)
      EXPECT_TRUE(moved.insert(reg).second);
    for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 32; ++lane) {
        int64_t address = plan.address(group, lane, warp);
        bool right = address % (bytes * plan.vectorElements) == 0;
        for (auto [i, reg] : llvm::enumerate(group.registers)) {
          auto position = layout.coordinates(reg, lane, warp);
          right &= !layout.isLive(position) || address + int64_t(i) * bytes == shared.offset(position);
        }
        ASSERT_TRUE(right) << layout.str() << shared.str();
      }
  }
  EXPECT_EQ(moved.size(), layout.numRegisters());
}

/// ldmatrix, PTX ISA: lane i of the first 8 · matrices supplies row i % 8 of matrix i / 8, 16 bytes; lane l receives in
/// word m the bytes 4 (l % 4) … of row l / 4 of matrix m, with .trans elements [2 (l % 4)][l / 4] and the row below.
static void expectLdMatrixRight(const LdMatrixPlan &plan, const Layout &layout, const SharedLayout &shared) {
  std::set<unsigned> loaded;
  int64_t bytes = shared.elementBytes();
  for (const SharedGroup &group : plan.groups) {
    ASSERT_EQ(group.registers.size(), plan.matrices * plan.elementsPerWord);
    for (unsigned reg : group.registers)
      EXPECT_TRUE(loaded.insert(reg).second);
    for (unsigned warp = 0; warp < layout.numWarps(); ++warp) {
      int64_t rows[32];
      for (unsigned lane = 0; lane < 8 * plan.matrices; ++lane) {
        rows[lane] = plan.address(group, lane, warp);
        ASSERT_EQ(rows[lane] % 16, 0);
      }
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned matrix = 0; matrix < plan.matrices; ++matrix)
          for (unsigned i = 0; i < plan.elementsPerWord; ++i) {
            int64_t from = plan.transposed ? rows[8 * matrix + 2 * (lane % 4) + i] + lane / 4 * 2
                                           : rows[8 * matrix + lane / 4] + lane % 4 * 4 + i * bytes;
            unsigned reg = group.registers[matrix * plan.elementsPerWord + i];
            ASSERT_EQ(from, shared.offset(layout.coordinates(reg, lane, warp))) << layout.str() << shared.str();
          }
    }
  }
  EXPECT_EQ(loaded.size(), layout.numRegisters());
}

TEST(SharedAccess, plans_address_what_the_layouts_say) {
  std::mt19937 random(11);
  unsigned planned = 0, tried = 0;
  for (unsigned i = 0; i < 90; ++i) {
    Layout layout = randomLayout(random, 1 + i % 3, i & 1, i & 2, 1);
    SmallVector<unsigned> order;
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      order.push_back((dim + i) % layout.rank());
    for (unsigned bits : {8u, 16u, 32u})
      for (int swizzle : {-1, 0})
        for (unsigned padding : {0u, 16u}) {
          auto shared = SharedLayout::create(layout.paddedExtents(), order, bits,
                                             swizzle < 0 ? std::nullopt : std::optional<unsigned>(0), padding);
          ASSERT_TRUE(shared);
          ++tried;
          if (auto plan = planSharedAccess(layout, *shared)) {
            ++planned;
            expectPlanRight(*plan, layout, *shared);
          }
        }
  }
  EXPECT_GT(planned * 4, tried * 3);
}

TEST(SharedAccess, buffers_may_lack_the_dead_positions) {
  Layout layout = Layout::coalesced({64, 176}, {1, 0}, 16, 4);
  EXPECT_TRUE(layout.hasDeadPositions(1));
  auto shared = SharedLayout::create({64, 176}, {1, 0}, 16);
  auto plan = planSharedAccess(layout, *shared);
  ASSERT_TRUE(plan);
  expectPlanRight(*plan, layout, *shared);
}

TEST(SharedAccess, coalesced_tiles_move_in_16_byte_vectors_without_conflicts) {
  for (int64_t m : {16, 64, 96, 176})
    for (int64_t n : {64, 128, 176, 256}) {
      Layout layout = Layout::coalesced({m, n}, {1, 0}, 16, 4);
      auto shared = SharedLayout::create(layout.paddedExtents(), {1, 0}, 16);
      auto plan = planSharedAccess(layout, *shared);
      ASSERT_TRUE(plan) << layout.str() << shared->str();
      expectPlanRight(*plan, layout, *shared);
      if (m * n >= 32 * 4 * 8) {
        EXPECT_EQ(plan->vectorElements, 8u);
        EXPECT_EQ(plan->wavefronts(2), 4 * plan->groups.size()) << layout.str() << shared->str();
      }
    }
}

static void checkOperand(const Layout &layout, ArrayRef<unsigned> order, unsigned bits, bool transposed) {
  auto shared = SharedLayout::create(layout.paddedExtents(), order, bits);
  ASSERT_TRUE(shared);
  auto plan = planLdMatrix(layout, *shared);
  ASSERT_TRUE(plan) << layout.str() << shared->str();
  EXPECT_EQ(plan->transposed, transposed);
  expectLdMatrixRight(*plan, layout, *shared);
  // Conflict-free: one pass per matrix, on every warp.
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    EXPECT_EQ(plan->wavefronts(warp), plan->groups.size() * plan->matrices) << layout.str() << shared->str();
}

TEST(SharedAccess, ldmatrix_loads_mma_operands_without_conflicts) {
  const Target &target = *lookupTarget("sm_89");
  MmaShape half = *target.findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  MmaShape f8 = *target.findMma(ElementKind::F8E4M3, ElementKind::F8E4M3, ElementKind::F32);
  MmaShape tf32 = *target.findMma(ElementKind::TF32, ElementKind::TF32, ElementKind::F32);
  for (int64_t mn : {16, 64, 96, 208, 256})
    for (int64_t k : {32, 96, 176})
      for (auto [warpsM, warpsN] : {std::pair<unsigned, unsigned>{2, 2}}) {
        checkOperand(mmaOperandA(mn, k, warpsM, warpsN, half), {1, 0}, 16, false);
        checkOperand(mmaOperandA(mn, k, warpsM, warpsN, half), {0, 1}, 16, true);
        checkOperand(mmaOperandB(k, mn, warpsM, warpsN, half), {1, 0}, 16, true);
        checkOperand(mmaOperandB(k, mn, warpsM, warpsN, half), {0, 1}, 16, false);
        checkOperand(mmaOperandA(mn, k, warpsM, warpsN, f8), {1, 0}, 8, false);
        checkOperand(mmaOperandB(k, mn, warpsM, warpsN, f8), {0, 1}, 8, false);
        checkOperand(mmaOperandA(mn, k, warpsM, warpsN, tf32), {1, 0}, 32, false);
        checkOperand(mmaOperandB(k, mn, warpsM, warpsN, tf32), {0, 1}, 32, false);
      }
}

TEST(SharedAccess, b_from_n_k_memory_is_a_transposed_shared_layout) {
  MmaShape half = *lookupTarget("sm_80")->findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  auto stored = SharedLayout::create({128, 64}, {1, 0}, 16); // [N, K]
  Layout b = mmaOperandB(64, 128, 2, 2, half);
  auto plan = planLdMatrix(b, stored->transpose({1, 0}));
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->transposed);
  EXPECT_EQ(plan->matrices, 4u);
}

TEST(SharedAccess, negative_ldmatrix_needs_operand_lanes) {
  Layout blocked = Layout::coalesced({64, 64}, {1, 0}, 16, 4);
  EXPECT_FALSE(planLdMatrix(blocked, *SharedLayout::create({64, 64}, {1, 0}, 16)));
  MmaShape f8 = *lookupTarget("sm_89")->findMma(ElementKind::F8E4M3, ElementKind::F8E4M3, ElementKind::F32);
  EXPECT_FALSE(planLdMatrix(mmaOperandA(64, 64, 2, 2, f8), *SharedLayout::create({64, 64}, {0, 1}, 8)));
}

TEST(Access, wavefronts_and_sectors_by_hand) {
  SmallVector<int64_t> dense, spread, same(32, 64), wide, column;
  for (int64_t lane = 0; lane < 32; ++lane) {
    dense.push_back(4 * lane);
    spread.push_back(8 * lane);
    wide.push_back(16 * lane);
    column.push_back(128 * lane);
  }
  EXPECT_EQ(bankWavefronts(dense, 4), 1u);
  EXPECT_EQ(bankWavefronts(spread, 4), 2u);
  EXPECT_EQ(bankWavefronts(same, 4), 1u);
  EXPECT_EQ(bankWavefronts(spread, 8), 2u);
  EXPECT_EQ(bankWavefronts(wide, 16), 4u);
  EXPECT_EQ(bankWavefronts(column, 4), 32u);
  EXPECT_EQ(bankWavefronts(column, 16), 32u);
  EXPECT_EQ(globalSectors(dense, 4), 4u);
  EXPECT_EQ(globalSectors(wide, 16), 16u);
  EXPECT_EQ(globalSectors(column, 4), 32u);
  EXPECT_EQ(globalSectors(same, 4), 1u);
}

/// The rows and columns of a part as the whole buffer has them, for comparison with `offset` of the buffer.
static void expectShiftRight(const Layout &layout, const SharedLayout &shared, ArrayRef<int64_t> offsets) {
  auto at = [&](unsigned reg, unsigned lane, unsigned warp) {
    SmallVector<int64_t> position = layout.coordinates(reg, lane, warp);
    for (auto [coordinate, offset] : llvm::zip(position, offsets))
      coordinate += offset;
    return shared.offset(position);
  };
  auto plan = planSharedAccess(layout, shared);
  ASSERT_TRUE(plan);
  auto moved = plan->shifted(layout, shared, offsets);
  ASSERT_TRUE(moved);
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (const SharedGroup &group : moved->groups)
        ASSERT_EQ(moved->address(group, lane, warp), at(group.registers.front(), lane, warp))
            << layout.str() << shared.str() << offsets[0] << ", " << offsets[1];

  auto matrices = planLdMatrix(layout, shared);
  if (!matrices)
    return;
  auto movedMatrices = matrices->shifted(layout, shared, offsets);
  ASSERT_TRUE(movedMatrices);
  // Lane i supplies the row of matrix i / 8 whose first word lane 4 (i % 8) receives; with .trans, rows run along
  // registers.
  for (auto [group, own] : llvm::zip(movedMatrices->groups, matrices->groups))
    for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
      for (unsigned lane = 0; lane < 8 * matrices->matrices; ++lane) {
        unsigned row = lane % 8, word = lane / 8 * matrices->elementsPerWord;
        unsigned reg = own.registers[word + (matrices->transposed ? row % 2 : 0)];
        unsigned holder = matrices->transposed ? row / 2 : 4 * row;
        ASSERT_EQ(movedMatrices->address(group, lane, warp), at(reg, holder, warp)) << layout.str() << shared.str();
      }
}

TEST(SharedAccess, parts_of_a_buffer_are_other_constants) {
  const Target &target = *lookupTarget("sm_89");
  MmaShape half = *target.findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  MmaShape f8 = *target.findMma(ElementKind::F8E4M3, ElementKind::F8E4M3, ElementKind::F32);
  for (auto [shape, bits] : {std::pair{half, 16u}, std::pair{f8, 8u}})
    for (int64_t mn : {64, 96, 208})
      for (int64_t k : {64, 96, 128})
        for (int64_t slice : {int64_t(shape.k), 2 * int64_t(shape.k)})
          for (SmallVector<unsigned, 2> order : {SmallVector<unsigned, 2>{1, 0}, SmallVector<unsigned, 2>{0, 1}})
            for (auto swizzle : {std::optional<unsigned>(), std::optional<unsigned>(0)}) {
              Layout a = mmaOperandA(mn, slice, 2, 2, shape), b = mmaOperandB(slice, mn, 2, 2, shape);
              SmallVector<int64_t> extentsA{a.paddedExtent(0), k}, extentsB{k, b.paddedExtent(1)};
              auto sharedA = SharedLayout::create(extentsA, order, bits, swizzle),
                   sharedB = SharedLayout::create(extentsB, order, bits, swizzle);
              ASSERT_TRUE(sharedA && sharedB);
              for (int64_t from = 0; from + slice <= k; from += slice) {
                expectShiftRight(a, *sharedA, {0, from});
                expectShiftRight(b, *sharedB, {from, 0});
              }
            }
}

TEST(SharedAccess, parts_along_several_dimensions) {
  for (int swizzle : {-1, 0, 16, 32, 64, 128}) {
    auto shared =
        SharedLayout::create({64, 128}, {1, 0}, 16, swizzle < 0 ? std::nullopt : std::optional<unsigned>(swizzle));
    ASSERT_TRUE(shared);
    for (int64_t rows : {4, 16, 32})
      for (int64_t columns : {8, 16, 64}) {
        Layout layout = Layout::coalesced({rows, columns}, {1, 0}, 16, 2);
        for (int64_t row = 0; row < 64; row += rows)
          for (int64_t column = 0; column < 128; column += columns)
            expectShiftRight(layout, *shared, {row, column});
      }
  }
}

TEST(SharedAccess, parts_that_meet_the_tiles_own_bits_are_refused) {
  Layout layout = Layout::coalesced({16, 16}, {1, 0}, 16, 1);
  auto shared = SharedLayout::create({64, 64}, {1, 0}, 16);
  auto plan = planSharedAccess(layout, *shared);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->shifted(layout, *shared, {0, 8}));
  EXPECT_FALSE(plan->shifted(layout, *shared, {24, 0}));
  EXPECT_TRUE(plan->shifted(layout, *shared, {48, 16}));
  MmaShape half = *lookupTarget("sm_80")->findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  Layout odd = mmaOperandA(96, 16, 1, 1, half);
  auto rows = SharedLayout::create({192, 64}, {1, 0}, 16);
  auto matrices = planLdMatrix(odd, *rows);
  ASSERT_TRUE(matrices);
  EXPECT_FALSE(matrices->shifted(odd, *rows, {96, 0}));
  EXPECT_TRUE(matrices->shifted(odd, *rows, {0, 16}));
}

TEST(SharedAccess, packed_elements_are_loaded_by_matrices_where_they_unpack) {
  Layout layout =
      mmaOperandA(64, 64, 2, 2, *lookupTarget("sm_80")->findMma(ElementKind::I8, ElementKind::I8, ElementKind::I32));
  auto shared = SharedLayout::create({64, 64}, {1, 0}, 8);
  ASSERT_TRUE(shared);
  for (const Target &target : allTargets())
    for (unsigned bits : {4u, 6u, 8u}) {
      auto plan = planSharedLoad(layout, *shared, {0, 0}, bits, /*elementsPerWord=*/4, target);
      ASSERT_TRUE(plan);
      EXPECT_EQ(plan->matrices.has_value(), bits == 8 || target.hasUnpackingLdMatrix) << target.name;
      EXPECT_NE(plan->matrices.has_value(), plan->vectors.has_value());
    }
  // Words of another size than the emitted ones are no use.
  auto plan = planSharedLoad(layout, *shared, {0, 0}, 8, /*elementsPerWord=*/2, allTargets()[0]);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->matrices);
  EXPECT_TRUE(plan->vectors);
  // An offset that the tile's own positions reach.
  EXPECT_FALSE(planSharedLoad(
      mmaOperandA(32, 32, 1, 1, *lookupTarget("sm_80")->findMma(ElementKind::I8, ElementKind::I8, ElementKind::I32)),
      *shared, {16, 0}, 8, 4, allTargets()[0]));
}

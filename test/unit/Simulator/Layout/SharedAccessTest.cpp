/// What lib/Layout says of shared memory against the simulated device: every instruction of a plan takes as many passes
/// as predicted, and moves the elements that the layouts name.
#include "lib/Layout/SharedAccess.h"
#include "lib/Layout/MmaLayouts.h"
#include "test/unit/Layout/RandomLayout.h"
#include "test/unit/Simulator/Layout/PlanKernel.h"

using namespace mlir::tile;
using llvm::SmallVector;
using tilec::sim::elementByte;
using tilec::sim::PlanKernel;

namespace {
/// What a test has seen, so that it is known to have seen something.
struct Seen {
  unsigned plans = 0, conflicts = 0, widths = 0;
};
} // namespace

template <typename Plan> static PlanKernel::Addresses addressesOf(const Plan &plan, const SharedGroup &group, unsigned warps) {
  PlanKernel::Addresses addresses;
  for (unsigned warp = 0; warp < warps; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses.push_back(plan.address(group, lane, warp));
  return addresses;
}

/// Whether element `i` in a thread's cell is that of its register.
static bool holds(const uint8_t *cell, unsigned i, unsigned bytes, const Layout &layout, unsigned reg, unsigned thread) {
  SmallVector<int64_t> position = layout.coordinates(reg, thread % 32, thread / 32);
  for (unsigned byte = 0; byte < bytes; ++byte)
    if (cell[i * bytes + byte] != elementByte(layout, position, byte))
      return false;
  return true;
}

/// Where a tile begins in a buffer; empty: it is the buffer.
using Begin = SmallVector<int64_t>;

/// Calls `body(position, offset)` for every element that a layout holds.
template <typename Body>
static void forElements(const Layout &layout, const SharedLayout &shared, const Begin &begin, Body body) {
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < layout.numRegisters(); ++reg) {
        SmallVector<int64_t> position = layout.coordinates(reg, lane, warp);
        SmallVector<int64_t> inBuffer = position;
        for (unsigned dim = 0; dim < begin.size(); ++dim)
          inBuffer[dim] += begin[dim];
        body(position, shared.offset(inBuffer));
      }
}

/// Stores the tile by its plan, compares the image, and loads it again.
static void checkAccess(const Layout &layout, const SharedLayout &shared, unsigned maxVectorBytes, Seen &seen,
                        const Begin &begin = {}) {
  auto plan = planSharedAccess(layout, shared, maxVectorBytes);
  if (plan && !begin.empty())
    plan = plan->shifted(layout, shared, begin);
  if (!plan || plan->groups.size() > 96)
    return;
  unsigned bytes = shared.elementBytes(), warps = layout.numWarps();
  SCOPED_TRACE(layout.str() + " " + shared.str());
  // Replicated holders store the same value to one place, which is a race all the same.
  PlanKernel kernel(warps, static_cast<uint64_t>(shared.sizeBytes()), /*check=*/layout.replication() == 1);
  SmallVector<uint64_t> stored, loaded;
  for (const SharedGroup &group : plan->groups) {
    uint64_t cells = kernel.newCells();
    for (unsigned thread = 0; thread < kernel.threads; ++thread)
      for (auto [i, reg] : llvm::enumerate(group.registers)) {
        SmallVector<int64_t> position = layout.coordinates(reg, thread % 32, thread / 32);
        for (unsigned byte = 0; byte < bytes; ++byte)
          kernel.cell(cells, thread)[i * bytes + byte] = elementByte(layout, position, byte);
      }
    kernel.store(cells, addressesOf(*plan, group, warps), bytes, plan->vectorElements);
  }
  kernel.barrier();
  for (const SharedGroup &group : plan->groups) {
    loaded.push_back(kernel.newCells());
    kernel.load(loaded.back(), addressesOf(*plan, group, warps), bytes, plan->vectorElements);
  }
  uint64_t predicted = 0;
  for (unsigned warp = 0; warp < warps; ++warp)
    predicted += plan->wavefronts(bytes, warp);
  uint64_t image = kernel.moveImage(/*toShared=*/false);
  ASSERT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.sharedStores().wavefronts, predicted);

  bool right = true;
  for (auto [group, cells] : llvm::zip(plan->groups, loaded))
    for (unsigned thread = 0; thread < kernel.threads; ++thread)
      for (auto [i, reg] : llvm::enumerate(group.registers))
        right &= holds(kernel.result(cells, thread), static_cast<unsigned>(i), bytes, layout, reg, thread);
  EXPECT_TRUE(right) << "registers";
  right = true;
  forElements(layout, shared, begin, [&](llvm::ArrayRef<int64_t> position, int64_t offset) {
    for (unsigned byte = 0; byte < bytes; ++byte)
      right &= kernel.imageResult(image)[offset + byte] == elementByte(layout, position, byte);
  });
  EXPECT_TRUE(right) << "image";
  ++seen.plans;
  seen.conflicts += kernel.sharedStores().wavefronts > kernel.sharedStores().minimumWavefronts;
  seen.widths |= bytes * plan->vectorElements;
}

/// Loads the tile from an image by ldmatrix.
static void checkLdMatrix(const Layout &layout, const SharedLayout &shared, Seen &seen, const Begin &begin = {}) {
  auto plan = planLdMatrix(layout, shared);
  if (plan && !begin.empty())
    plan = plan->shifted(layout, shared, begin);
  if (!plan || plan->groups.size() > 96)
    return;
  unsigned bytes = shared.elementBytes(), warps = layout.numWarps();
  SCOPED_TRACE(layout.str() + " " + shared.str());
  PlanKernel kernel(warps, static_cast<uint64_t>(shared.sizeBytes()), /*check=*/true);
  uint64_t image = kernel.moveImage(/*toShared=*/true);
  forElements(layout, shared, begin, [&](llvm::ArrayRef<int64_t> position, int64_t offset) {
    for (unsigned byte = 0; byte < bytes; ++byte)
      kernel.image(image)[offset + byte] = elementByte(layout, position, byte);
  });
  kernel.barrier();
  SmallVector<uint64_t> loaded;
  for (const SharedGroup &group : plan->groups) {
    loaded.push_back(kernel.newCells());
    kernel.loadMatrices(loaded.back(), addressesOf(*plan, group, warps), plan->matrices, plan->transposed);
  }
  ASSERT_EQ(kernel.run(), "");
  uint64_t predicted = 0;
  for (unsigned warp = 0; warp < warps; ++warp)
    predicted += plan->wavefronts(warp);
  EXPECT_EQ(kernel.sharedLoads().wavefronts, predicted);
  bool right = true;
  for (auto [group, cells] : llvm::zip(plan->groups, loaded))
    for (unsigned thread = 0; thread < kernel.threads; ++thread)
      for (auto [i, reg] : llvm::enumerate(group.registers))
        right &= holds(kernel.result(cells, thread), static_cast<unsigned>(i), bytes, layout, reg, thread);
  EXPECT_TRUE(right) << "registers";
  ++seen.plans;
  seen.conflicts += kernel.sharedLoads().wavefronts > kernel.sharedLoads().minimumWavefronts;
  seen.widths |= plan->matrices | (plan->transposed ? 8 : 0);
}

/// Calls `body` with every shared layout of a tile: orders, swizzles, paddings.
template <typename Body> static void forSharedLayouts(const Layout &layout, unsigned bits, Body body) {
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    order.push_back(dim);
  do {
    for (unsigned swizzle : {0, 16, 32, 64, 128})
      for (unsigned padding : {0, 16, 32})
        if (auto shared = SharedLayout::create(layout.paddedExtents(), order, bits, swizzle, padding))
          body(*shared);
  } while (std::next_permutation(order.begin(), order.end()));
}

static MmaShape shapeOf(ElementKind factor, ElementKind sum = ElementKind::F32) {
  return *lookupTarget("sm_89")->findMma(factor, factor, sum);
}

TEST(SimulatedSharedAccess, blocked_tiles_of_every_width) {
  Seen seen;
  unsigned turn = 0;
  for (const Layout &layout :
       {Layout::coalesced({32, 64}, {1, 0}, 16, 2), Layout::coalesced({64, 32}, {0, 1}, 32, 4),
        Layout::coalesced({16, 48}, {1, 0}, 16, 1), Layout::coalesced({40, 24}, {1, 0}, 32, 2),
        Layout::coalesced({64, 16}, {1, 0}, 8, 1), Layout::coalesced({512}, {0}, 16, 2),
        Layout::blocked({32, 32}, {2, 4}, {8, 4}, {1, 2}, {1, 0}, 2),
        Layout::blocked({32, 32}, {4, 1}, {2, 16}, {2, 1}, {0, 1}, 2),
        Layout::blocked({48, 32}, {1, 8}, {16, 2}, {1, 1}, {1, 0}, 3)})
    for (unsigned bits : {8, 16, 32, 64})
      forSharedLayouts(layout, bits, [&](const SharedLayout &shared) {
        checkAccess(layout, shared, std::max(bits / 8, 16u >> turn++ % 4), seen);
      });
  EXPECT_GT(seen.plans, 200u);
  EXPECT_GT(seen.conflicts, 20u);
  EXPECT_EQ(seen.widths, 1u | 2u | 4u | 8u | 16u);
}

TEST(SimulatedSharedAccess, transposed_tiles) {
  Seen seen;
  for (unsigned bits : {8, 16, 32}) {
    Layout layout = Layout::coalesced({32, 64}, {1, 0}, bits, 2);
    forSharedLayouts(layout.transpose({1, 0}), bits, [&](const SharedLayout &shared) {
      checkAccess(layout, shared.transpose({1, 0}), 16, seen);
      checkAccess(layout.transpose({1, 0}), shared, 16, seen);
    });
  }
  EXPECT_GT(seen.plans, 60u);
  EXPECT_GT(seen.conflicts, 10u);
}

TEST(SimulatedSharedAccess, accumulators_and_operands_of_mma) {
  Seen seen;
  MmaShape half = shapeOf(ElementKind::F16), f8 = shapeOf(ElementKind::F8E4M3), tf32 = shapeOf(ElementKind::TF32);
  for (const Layout &layout :
       {mmaAccumulator(64, 64, 2, 2, half), mmaAccumulator(32, 96, 1, 2, half), mmaAccumulator(48, 32, 3, 1, half),
        mmaOperandA(32, 64, 2, 1, half), mmaOperandB(32, 48, 1, 2, half)})
    for (unsigned bits : {16, 32})
      forSharedLayouts(layout, bits, [&](const SharedLayout &shared) { checkAccess(layout, shared, 16, seen); });
  forSharedLayouts(mmaOperandA(32, 64, 1, 1, f8), 8,
                   [&](const SharedLayout &shared) { checkAccess(mmaOperandA(32, 64, 1, 1, f8), shared, 16, seen); });
  forSharedLayouts(mmaOperandB(32, 32, 1, 2, tf32), 32,
                   [&](const SharedLayout &shared) { checkAccess(mmaOperandB(32, 32, 1, 2, tf32), shared, 16, seen); });
  EXPECT_GT(seen.plans, 80u);
  EXPECT_GT(seen.conflicts, 10u);
}

TEST(SimulatedSharedAccess, random_layouts_with_odd_digits) {
  Seen seen;
  std::mt19937 random(5);
  for (unsigned i = 0; i < 60; ++i) {
    Layout layout = randomLayout(random, 1 + i % 2, i & 1, i & 2, i % 3);
    unsigned bits = 8u << i % 4;
    forSharedLayouts(layout, bits, [&](const SharedLayout &shared) {
      if (random() % 3 == 0)
        checkAccess(layout, shared, 16, seen);
    });
  }
  EXPECT_GT(seen.plans, 60u);
  EXPECT_GT(seen.conflicts, 10u);
}

TEST(SimulatedSharedAccess, ldmatrix_of_every_operand) {
  Seen seen;
  MmaShape half = shapeOf(ElementKind::F16), f8 = shapeOf(ElementKind::F8E4M3), tf32 = shapeOf(ElementKind::TF32);
  for (auto [shape, bits] : {std::pair{half, 16u}, std::pair{f8, 8u}, std::pair{tf32, 32u}})
    for (int64_t mn : {16, 32, 96})
      for (int64_t k : {32, 96})
        for (bool isA : {true, false}) {
          Layout layout = isA ? mmaOperandA(mn, k, 2, 1, shape) : mmaOperandB(k, mn, 1, 2, shape);
          forSharedLayouts(layout, bits, [&](const SharedLayout &shared) { checkLdMatrix(layout, shared, seen); });
          auto stored = SharedLayout::create({layout.paddedExtent(1), layout.paddedExtent(0)}, {1, 0}, bits);
          ASSERT_TRUE(stored);
          checkLdMatrix(layout, stored->transpose({1, 0}), seen);
        }
  EXPECT_GT(seen.plans, 100u);
  // Whole rows without padding conflict.
  EXPECT_GT(seen.conflicts, 10u);
  EXPECT_EQ(seen.widths & 8, 8u);
}

TEST(SimulatedSharedAccess, parts_of_a_buffer) {
  Seen accesses, matrices;
  MmaShape half = shapeOf(ElementKind::F16);
  for (const Layout &layout : {Layout::coalesced({16, 32}, {1, 0}, 16, 2), mmaOperandA(32, 16, 2, 1, half),
                               mmaOperandB(16, 64, 1, 2, half), mmaOperandA(32, 32, 1, 1, half)})
    for (SmallVector<unsigned, 2> order : {SmallVector<unsigned, 2>{1, 0}, SmallVector<unsigned, 2>{0, 1}})
      for (unsigned swizzle : {0, 32, 64, 128}) {
        auto shared = SharedLayout::create({64, 128}, order, 16, swizzle);
        ASSERT_TRUE(shared);
        for (const Begin &begin : {Begin{32, 0}, Begin{0, 64}, Begin{32, 64}}) {
          checkAccess(layout, *shared, 16, accesses, begin);
          checkLdMatrix(layout, *shared, matrices, begin);
        }
      }
  EXPECT_GT(accesses.plans, 60u);
  EXPECT_GT(matrices.plans, 40u);
}

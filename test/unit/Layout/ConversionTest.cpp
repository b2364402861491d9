/// Conversion plans executed on simulated warps: every live element of the destination must arrive.
#include "lib/Layout/Conversion.h"
#include "RandomLayout.h"
#include "lib/Layout/MmaLayouts.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::tile;
using llvm::SmallVector;

namespace {
/// A tile in registers, [warp][lane][register]; each element's value is its row-major number.
struct Registers {
  explicit Registers(const Layout &layout)
      : values(layout.numWarps(),
               std::vector<std::vector<int64_t>>(32, std::vector<int64_t>(layout.numRegisters(), -1))) {}
  std::vector<std::vector<std::vector<int64_t>>> values;
};
} // namespace

static int64_t numberOf(const Layout &layout, unsigned reg, unsigned lane, unsigned warp) {
  int64_t number = 0;
  auto position = layout.coordinates(reg, lane, warp);
  if (!layout.isLive(position))
    return -2;
  for (auto [c, extent] : llvm::zip(position, layout.extents()))
    number = number * extent + c;
  return number;
}

static Registers filled(const Layout &layout) {
  Registers result(layout);
  for (unsigned warp = 0; warp < layout.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
        result.values[warp][lane][reg] = numberOf(layout, reg, lane, warp);
  return result;
}

static void runShared(const SharedConversion &plan, const Registers &src, Registers &dst) {
  std::map<int64_t, int64_t> memory;
  int64_t bytes = plan.shared.elementBytes();
  auto forEach = [&](const SharedAccessPlan &access, auto visit) {
    for (const SharedGroup &group : access.groups)
      for (unsigned warp = 0; warp < src.values.size(); ++warp)
        for (unsigned lane = 0; lane < 32; ++lane)
          for (auto [i, reg] : llvm::enumerate(group.registers))
            visit(warp, lane, reg, access.address(group, lane, warp) + int64_t(i) * bytes);
  };
  forEach(plan.store, [&](unsigned warp, unsigned lane, unsigned reg, int64_t address) {
    EXPECT_LE(address + bytes, plan.shared.sizeBytes());
    memory[address] = src.values[warp][lane][reg];
  });
  forEach(plan.load, [&](unsigned warp, unsigned lane, unsigned reg, int64_t address) {
    EXPECT_LE(address + bytes, plan.shared.sizeBytes());
    dst.values[warp][lane][reg] = memory.count(address) ? memory[address] : -3;
  });
}

static ConversionKind expectConverts(const Layout &src, const Layout &dst, unsigned bits) {
  ConversionPlan plan = planConversion(src, dst, bits);
  Registers from = filled(src), to(dst);
  for (unsigned warp = 0; warp < dst.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (plan.kind == ConversionKind::Identity || plan.kind == ConversionKind::Registers)
        for (unsigned reg = 0; reg < dst.numRegisters(); ++reg)
          to.values[warp][lane][reg] = from.values[warp][lane][plan.registers[reg]];
      if (plan.kind == ConversionKind::Shuffle)
        for (const ShuffleMove &move : plan.shuffle.moves)
          to.values[warp][lane][move.dst] =
              from.values[warp][plan.shuffle.sourceLane(move, lane)][plan.shuffle.sourceRegister(move, lane)];
    }
  if (plan.kind == ConversionKind::Shared)
    runShared(*plan.shared, from, to);
  bool right = true;
  for (unsigned warp = 0; warp < dst.numWarps(); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < dst.numRegisters(); ++reg) {
        int64_t expected = numberOf(dst, reg, lane, warp);
        right &= expected == -2 || to.values[warp][lane][reg] == expected;
      }
  EXPECT_TRUE(right) << "kind " << int(plan.kind) << " " << src.str() << " to " << dst.str();
  return plan.kind;
}

/// The same tile with its bits dealt anew among registers and lanes (and warps).
static std::optional<Layout> redealt(std::mt19937 &random, const Layout &layout, bool warps) {
  std::vector<Basis> bits(layout.registerBases().begin(), layout.registerBases().end());
  bits.insert(bits.end(), layout.laneBases().begin(), layout.laneBases().end());
  if (warps)
    bits.insert(bits.end(), layout.warpBases().begin(), layout.warpBases().end());
  std::shuffle(bits.begin(), bits.end(), random);
  SmallVector<Basis> warpBases(layout.warpBases());
  auto end = bits.end();
  if (warps)
    for (Basis &basis : warpBases)
      basis = *--end;
  SmallVector<Basis> lanes(end - 5, end), regs;
  for (auto it = bits.begin(); it != end - 5; ++it)
    if (llvm::any_of(*it, [](int32_t c) { return c != 0; }))
      regs.push_back(*it);
  return Layout::create(layout.extents(), regs, lanes, warpBases, layout.digits());
}

TEST(Conversion, random_layouts_convert) {
  std::mt19937 random(5);
  std::map<ConversionKind, unsigned> kinds;
  for (unsigned i = 0; i < 160; ++i) {
    Layout src = randomLayout(random, 1 + i % 2, i & 1, i & 2, 1);
    if (auto dst = redealt(random, src, i % 4 == 0))
      ++kinds[expectConverts(src, *dst, i % 3 ? 16 : 32)];
    SmallVector<Basis> regs(src.registerBases());
    std::shuffle(regs.begin(), regs.end(), random);
    ++kinds[expectConverts(src, *Layout::create(src.extents(), regs, src.laneBases(), src.warpBases(), src.digits()), 16)];
  }
  EXPECT_GT(kinds[ConversionKind::Registers], 10u);
  EXPECT_GT(kinds[ConversionKind::Shuffle], 10u);
  EXPECT_GT(kinds[ConversionKind::Shared], 10u);
}

TEST(Conversion, between_the_families_of_layouts) {
  MmaShape shape = *lookupTarget("sm_80")->findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  for (int64_t m : {16, 64, 96})
    for (int64_t n : {8, 64, 96, 176, 208}) {
      Layout rows = Layout::coalesced({m, n}, {1, 0}, 16, 4), columns = Layout::coalesced({m, n}, {0, 1}, 16, 4);
      Layout acc = mmaAccumulator(m, n, 2, 2, shape), a = mmaOperandA(m, n, 2, 2, shape);
      EXPECT_EQ(expectConverts(rows, rows, 16), ConversionKind::Identity);
      for (const Layout *src : {&rows, &columns, &acc, &a})
        for (const Layout *dst : {&rows, &columns, &acc, &a})
          expectConverts(*src, *dst, 16);
    }
}

TEST(Conversion, accumulator_to_left_operand_needs_no_data_movement) {
  // As the probabilities of attention: each warp owns its rows, so C feeds the next A by renaming registers.
  MmaShape shape = *lookupTarget("sm_80")->findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  EXPECT_EQ(expectConverts(mmaAccumulator(64, 128, 4, 1, shape), mmaOperandA(64, 128, 4, 1, shape), 16),
            ConversionKind::Identity);
  EXPECT_EQ(expectConverts(mmaAccumulator(128, 128, 4, 1, shape), mmaOperandA(128, 128, 4, 1, shape), 16),
            ConversionKind::Identity);
}

TEST(Conversion, transposing_and_storing_accumulators_is_nearly_free_of_conflicts) {
  MmaShape shape = *lookupTarget("sm_80")->findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
  Layout acc = mmaAccumulator(128, 128, 2, 2, shape), rows = Layout::coalesced({128, 128}, {1, 0}, 16, 4);
  SharedConversion plan = planSharedConversion(acc, rows, 16);
  // 64 stores of 4 bytes and 16 loads of 16 bytes per thread, without a conflict.
  EXPECT_EQ(plan.store.groups.size(), 64u);
  EXPECT_EQ(plan.load.groups.size(), 16u);
  EXPECT_EQ(plan.wavefronts, 64u + 16 * 4);
}

TEST(Conversion, dropped_replication_is_a_register_choice) {
  Layout wide = Layout::blocked({64}, {2}, {32}, {1}, {0}, 4), same = Layout::blocked({64}, {2}, {32}, {1}, {0}, 4);
  EXPECT_EQ(expectConverts(wide, same, 32), ConversionKind::Identity);
  Layout row = Layout::coalesced({64, 64}, {1, 0}, 32, 4).slice(1);
  expectConverts(row, Layout::coalesced({64}, {0}, 32, 4), 32);
  expectConverts(Layout::coalesced({64}, {0}, 32, 4), row, 32);
}

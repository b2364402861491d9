#include "lib/Simulator/Core/Execution.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::sim;

namespace {
/// A grid of one block with four warps and nothing but a shadow; accesses are made by hand.
class RaceShadowTest : public testing::Test {
protected:
  RaceShadowTest() {
    program.operations.resize(8);
    for (uint32_t i = 0; i < 8; ++i)
      program.operations[i].index = i;
    grid.program = &program;
    grid.blocks = grid.clusterSize = Dim3{1, 1, 1};
    grid.threads = Dim3{128, 1, 1};
    grid.findings = &findings;
    cluster.grid = &grid;
    block.cluster = &cluster;
    region.space = ptx::Space::Shared;
    region.base = 1024;
    region.size = 4096;
    for (unsigned i = 0; i < 4; ++i) {
      warps[i].block = &block;
      warps[i].index = i;
      warps[i].existing = warps[i].alive = allLanes;
      warps[i].stamp = {block.newAgent(), 1};
      warps[i].order.seen.reach(i, 1);
    }
  }

  void access(unsigned warp, unsigned lane, uint64_t offset, uint64_t bytes, AccessKind kind, bool strong = false,
              uint32_t op = 0) {
    Execution x;
    x.enter(warps[warp]);
    AccessRecord record;
    record.kind = kind;
    record.strong = strong;
    record.stamp = warps[warp].stamp;
    record.lane = static_cast<uint8_t>(lane);
    record.op = &program.operations[op];
    shadow.record(x, program.operations[op], lane, region, offset, bytes, record, warps[warp].order);
  }
  void unit(unsigned warp, Stamp chain, uint64_t offset, uint64_t bytes, AccessKind kind) {
    Execution x;
    x.enter(warps[warp]);
    AccessRecord record;
    record.kind = kind;
    record.proxy = Proxy::Async;
    record.stamp = chain;
    record.op = &program.operations[7];
    shadow.record(x, program.operations[7], 0xff, region, offset, bytes, record, warps[warp].order);
  }
  void advance(unsigned warp) {
    warps[warp].stamp.clock += 1;
    warps[warp].order.seen.reach(warps[warp].stamp.agent, warps[warp].stamp.clock);
  }
  /// `to` has seen what `from` has done.
  void order(unsigned from, unsigned to) {
    warps[to].order.join(warps[from].order);
    advance(from);
  }
  /// The kind found since the last call, or -1.
  int found() {
    std::vector<Finding> all = findings.all();
    findings.clear();
    return all.empty() ? -1 : static_cast<int>(all[0].kind);
  }

  static constexpr AccessKind read = AccessKind::Read, write = AccessKind::Write, atomic = AccessKind::Atomic;
  static constexpr int none = -1, race = static_cast<int>(FindingKind::Race);
  Program program;
  Grid grid;
  Cluster cluster;
  Block block;
  Warp warps[4];
  Region region;
  Findings findings;
  RaceShadow shadow{4096};
};
} // namespace

TEST_F(RaceShadowTest, WritesAndReads) {
  access(0, 0, 0, 4, write);
  access(1, 0, 0, 4, read);
  EXPECT_EQ(found(), race);
  access(0, 0, 64, 4, write);
  order(0, 1);
  access(1, 0, 64, 4, read);
  EXPECT_EQ(found(), none);
  access(0, 0, 64, 4, write);
  EXPECT_EQ(found(), race) << "write after read";
}

TEST_F(RaceShadowTest, EveryReaderCounts) {
  for (unsigned warp = 0; warp < 4; ++warp)
    access(warp, 3, 16, 16, read);
  order(1, 0);
  order(3, 0);
  access(0, 3, 16, 16, write);
  EXPECT_EQ(found(), race);
  for (unsigned warp = 0; warp < 4; ++warp)
    access(warp, 3, 32, 16, read);
  for (unsigned warp = 1; warp < 4; ++warp)
    order(warp, 0);
  access(0, 3, 32, 16, write);
  EXPECT_EQ(found(), none);
}

TEST_F(RaceShadowTest, NarrowAccessesDoNotMix) {
  access(0, 0, 0, 16, write);
  order(0, 1);
  access(1, 0, 4, 4, write);
  access(0, 0, 8, 8, read);
  EXPECT_EQ(found(), none);
  access(2, 0, 101, 1, write);
  access(3, 0, 102, 2, write);
  access(1, 0, 100, 1, write);
  EXPECT_EQ(found(), none);
  access(1, 0, 5, 1, read);
  EXPECT_EQ(found(), none);
  access(0, 0, 5, 1, read);
  EXPECT_EQ(found(), race);
}

TEST_F(RaceShadowTest, ReadersSurviveRefinement) {
  access(1, 0, 0, 16, read);
  access(2, 0, 0, 16, read);
  access(3, 0, 99, 1, write);
  order(1, 0);
  access(0, 0, 13, 1, write);
  EXPECT_EQ(found(), race);
  order(2, 0);
  access(0, 0, 14, 1, write);
  EXPECT_EQ(found(), none);
}

TEST_F(RaceShadowTest, LanesOfAWarp) {
  access(0, 0, 0, 4, write);
  access(0, 0, 0, 4, read);
  EXPECT_EQ(found(), none);
  access(0, 1, 0, 4, read);
  EXPECT_EQ(found(), race);
  access(0, 0, 64, 4, write);
  advance(0);
  access(0, 1, 64, 4, read);
  EXPECT_EQ(found(), none);
  access(0, 2, 64, 4, read);
  access(0, 2, 64, 4, write);
  EXPECT_EQ(found(), race) << "another lane has read it";
}

TEST_F(RaceShadowTest, StrongAccesses) {
  for (unsigned warp = 0; warp < 4; ++warp)
    access(warp, 0, 0, 4, atomic, true);
  EXPECT_EQ(found(), none);
  // Ordered after three of the four.
  order(0, 3);
  order(1, 3);
  access(3, 0, 0, 4, read);
  EXPECT_EQ(found(), race);
  access(2, 0, 128, 4, read);
  access(1, 0, 128, 4, atomic, true);
  EXPECT_EQ(found(), race);
}

TEST_F(RaceShadowTest, AsynchronousUnits) {
  Stamp chain{block.newAgent(), 1};
  chain.agent = 40;
  unit(0, chain, 0, 512, write);
  access(1, 0, 16, 4, read);
  EXPECT_EQ(found(), static_cast<int>(FindingKind::AsyncNotWaited));
  warps[2].order.seen.reach(40, 1);
  access(2, 0, 32, 4, read);
  EXPECT_EQ(found(), none);
  warps[0].order.seen.reach(40, 1);
  unit(0, {40, 2}, 32, 16, write);
  EXPECT_EQ(found(), race) << "the unit overwrites what is being read";
}

TEST_F(RaceShadowTest, ProxyFence) {
  access(0, 0, 0, 4, write);
  order(0, 1);
  unit(1, {40, 1}, 0, 16, read);
  EXPECT_EQ(found(), static_cast<int>(FindingKind::MissingProxyFence));
  access(0, 0, 256, 4, write);
  warps[0].order.fenced.join(warps[0].order.seen);
  order(0, 1);
  unit(1, {40, 1}, 256, 16, read);
  EXPECT_EQ(found(), none);
  // Reads need no fence before the unit writes.
  access(0, 0, 512, 4, read);
  order(0, 1);
  unit(1, {40, 1}, 512, 16, write);
  EXPECT_EQ(found(), none);
}

TEST_F(RaceShadowTest, ClearForgets) {
  access(0, 0, 0, 4, write);
  shadow.clear();
  access(1, 0, 0, 4, write);
  EXPECT_EQ(found(), none);
}

#include "lib/Simulator/Core/Execution.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::sim;

namespace {
/// A cluster of one warp that runs nothing, and a log of what its queue performed.
struct Queue {
  Grid grid;
  Cluster cluster;
  Block block;
  Warp warp;
  Counters counters;
  std::vector<int> done;

  explicit Queue(uint64_t seed) {
    grid.options.seed = seed;
    cluster.grid = &grid;
    cluster.counters = &counters;
    cluster.random.seed(seed);
    block.cluster = &cluster;
    warp.block = &block;
  }
  void add(int number, bool ordered = false, unsigned lane = 0) {
    Execution x;
    x.enter(warp);
    AsyncOperation operation;
    operation.warp = &warp;
    operation.lane = lane;
    operation.ordered = ordered;
    operation.perform = [this, number](Execution &) { done.push_back(number); };
    cluster.async.add(x, std::move(operation));
  }
  void finish() {
    while (cluster.async.advance(cluster)) {
    }
  }
};
} // namespace

TEST(AsyncQueue, PlainOrderIsAsLateAsPossible) {
  Queue queue(0);
  for (int i = 0; i < 5; ++i)
    queue.add(i);
  EXPECT_TRUE(queue.done.empty());
  EXPECT_EQ(queue.cluster.async.size(), 5u);
  uint64_t events = queue.cluster.events;
  queue.finish();
  EXPECT_EQ(queue.done, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(queue.cluster.events, events + 5);
  EXPECT_TRUE(queue.cluster.async.empty());
}

TEST(AsyncQueue, SeedsMixEarlyAndLate) {
  bool early = false, late = false, otherOrder = false;
  for (uint64_t seed = 1; seed < 8; ++seed) {
    Queue queue(seed), again(seed);
    for (int i = 0; i < 10; ++i) {
      queue.add(i);
      again.add(i);
    }
    early |= !queue.done.empty();
    late |= queue.done.size() < 10;
    queue.finish();
    again.finish();
    EXPECT_EQ(queue.done.size(), 10u);
    EXPECT_EQ(queue.done, again.done);
    otherOrder |= !std::is_sorted(queue.done.begin(), queue.done.end());
  }
  EXPECT_TRUE(early && late && otherOrder);
}

TEST(AsyncQueue, OrderedUnitsKeepTheirOrder) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Queue queue(seed);
    for (int i = 0; i < 10; ++i)
      queue.add(i, true);
    queue.finish();
    EXPECT_TRUE(std::is_sorted(queue.done.begin(), queue.done.end())) << seed;
  }
}

TEST(AsyncQueue, WaitsCompleteTheirGroups) {
  Queue queue(0);
  AsyncQueue &async = queue.cluster.async;
  queue.add(0, false, 0);
  queue.add(1, false, 1);
  async.commit(queue.warp, AsyncOperation::Unit::CpAsync, 0, 1); // of lane 0 only
  queue.add(2, false, 0);
  async.complete([](const AsyncOperation &operation) { return operation.group == 0; });
  EXPECT_EQ(queue.done, (std::vector<int>{0}));
  async.commit(queue.warp, AsyncOperation::Unit::Bulk, 1, allLanes); // another unit's
  async.commit(queue.warp, AsyncOperation::Unit::CpAsync, 1, allLanes);
  async.complete([](const AsyncOperation &operation) { return operation.group <= 1; });
  EXPECT_EQ(queue.done, (std::vector<int>{0, 1, 2}));
}

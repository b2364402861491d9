#include "lib/Simulator/Core/Races.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace tilec::sim;

namespace {
/// The same by a map.
struct Reference {
  std::map<Agent, uint32_t> clocks;
  void reach(Agent agent, uint32_t clock) {
    if (clock)
      clocks[agent] = std::max(clocks[agent], clock);
  }
  void join(const Reference &other) {
    for (auto [agent, clock] : other.clocks)
      reach(agent, clock);
  }
};

constexpr Agent agents = 24;

void expectSame(const VectorClock &clock, const Reference &reference) {
  for (Agent agent = 0; agent < agents; ++agent) {
    auto at = reference.clocks.find(agent);
    EXPECT_EQ(clock.of(agent), at == reference.clocks.end() ? 0u : at->second) << agent;
  }
}
} // namespace

TEST(VectorClock, KnowsNothingAtFirst) { EXPECT_EQ(VectorClock().of(3), 0u); }

TEST(VectorClock, NeverGoesBack) {
  VectorClock clock;
  clock.reach(7, 5);
  clock.reach(7, 3);
  EXPECT_EQ(clock.of(7), 5u);
  EXPECT_EQ(clock.of(6), 0u);
  clock.clear();
  EXPECT_EQ(clock.of(7), 0u);
}

TEST(VectorClock, JoinIsTheLeastUpperBound) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    VectorClock a, b;
    Reference refA, refB;
    for (unsigned i = random() % 20; i > 0; --i) {
      Agent agent = random() % agents;
      uint32_t clock = random() % 10;
      bool first = random() % 2;
      (first ? a : b).reach(agent, clock);
      (first ? refA : refB).reach(agent, clock);
    }
    VectorClock ab = a, ba = b;
    ab.join(b);
    ba.join(a);
    Reference joined = refA;
    joined.join(refB);
    expectSame(ab, joined);
    expectSame(ba, joined);
    // Idempotent, also with itself.
    ab.join(b);
    ab.join(ab);
    expectSame(ab, joined);
  }
}

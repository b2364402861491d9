// Passes of shared memory and sectors of global memory against a count that knows no shortcuts.
#include "lib/Simulator/Core/Counters.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace tilec::sim;

/// Every word that a group touches, by bank.
static unsigned plainWavefronts(const uint64_t *addresses, uint32_t lanes, unsigned bytes) {
  unsigned group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8, all = 0;
  for (unsigned first = 0; first < 32; first += group) {
    std::map<uint64_t, std::set<uint64_t>> banks;
    for (unsigned lane = first; lane < first + group; ++lane)
      for (unsigned i = 0; (lanes >> lane & 1) && i < bytes; ++i)
        banks[(addresses[lane] + i) / 4 % 32].insert((addresses[lane] + i) / 4);
    size_t most = 0;
    for (auto &[bank, words] : banks)
      most = std::max(most, words.size());
    all += static_cast<unsigned>(most);
  }
  return all;
}

static unsigned plainSectors(const uint64_t *addresses, uint32_t lanes, unsigned bytes) {
  std::set<uint64_t> sectors;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; (lanes >> lane & 1) && i < bytes; ++i)
      sectors.insert((addresses[lane] + i) / 32);
  return static_cast<unsigned>(sectors.size());
}

TEST(Counters, RandomRequestsAsCountedPlainly) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    unsigned bytes = 1u << random() % 5;
    unsigned range = 1u << (3 + random() % 10);
    uint32_t lanes = round % 3 == 0 ? ~0u : random();
    uint64_t addresses[32];
    for (uint64_t &address : addresses)
      address = 1024 + uint64_t(random() % range) * bytes;
    EXPECT_EQ(sharedWavefronts(addresses, lanes, bytes), plainWavefronts(addresses, lanes, bytes));
    EXPECT_EQ(globalSectors(addresses, lanes, bytes), plainSectors(addresses, lanes, bytes));
  }
}

TEST(Counters, StridesOfWords) {
  for (unsigned stride = 0; stride <= 64; ++stride) {
    uint64_t addresses[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = 4 * lane * stride;
    EXPECT_EQ(sharedWavefronts(addresses, ~0u, 4), plainWavefronts(addresses, ~0u, 4)) << stride;
    EXPECT_EQ(globalSectors(addresses, ~0u, 4), plainSectors(addresses, ~0u, 4)) << stride;
  }
}

TEST(Counters, Add) {
  Counters a, b;
  b.accesses.resize(3);
  b.accesses[2].bytes = 128;
  b.warpInstructions[0] = 5;
  b.globalLoads.sectors = 4;
  a.add(b);
  a.add(b);
  EXPECT_EQ(a.accesses.at(2).bytes, 256u);
  EXPECT_EQ(a.allWarpInstructions(), 10u);
  EXPECT_EQ(a.globalLoads.sectors, 8u);
}

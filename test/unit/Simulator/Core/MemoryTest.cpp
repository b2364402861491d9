// Undefined bits against a plain array of them, and global memory's allocations.
#include "lib/Simulator/Core/Memory.h"
#include "lib/Simulator/Core/Races.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace tilec::sim;

TEST(UndefinedBits, RandomOperationsAsOnAnArray) {
  for (bool undefined : {false, true}) {
    constexpr uint64_t size = 3 * UndefinedBits::pageBytes + 1000;
    UndefinedBits bits(size, undefined);
    std::vector<uint8_t> plain(size, undefined ? 0xff : 0);
    std::mt19937 random(undefined);
    for (int round = 0; round < 4000; ++round) {
      uint64_t begin = random() % size;
      uint64_t bytes = random() % 5 == 0 ? random() % (size - begin) : std::min<uint64_t>(random() % 64, size - begin);
      if (random() % 50 == 0)
        begin = 0, bytes = size;
      std::vector<uint8_t> values(bytes);
      switch (random() % 5) {
      case 0:
        bits.setDefined(begin, bytes);
        std::fill_n(plain.begin() + static_cast<long>(begin), bytes, 0);
        break;
      case 1:
        bits.setUndefined(begin, bytes);
        std::fill_n(plain.begin() + static_cast<long>(begin), bytes, 0xff);
        break;
      case 2:
        for (uint8_t &value : values)
          value = random() % 3 == 0 ? static_cast<uint8_t>(random()) : 0;
        bits.write(begin, values.data(), bytes);
        std::copy(values.begin(), values.end(), plain.begin() + static_cast<long>(begin));
        break;
      case 3:
        bits.read(begin, values.data(), bytes);
        ASSERT_TRUE(std::equal(values.begin(), values.end(), plain.begin() + static_cast<long>(begin)));
        break;
      default: {
        auto from = plain.begin() + static_cast<long>(begin), end = from + static_cast<long>(bytes);
        auto first = std::find_if(from, end, [](uint8_t value) { return value != 0; });
        ASSERT_EQ(bits.allDefined(begin, bytes), first == end);
        ASSERT_EQ(bits.firstUndefined(begin, bytes), first == end ? -1 : first - plain.begin());
      }
      }
    }
  }
}

TEST(GlobalMemory, FindsAllocations) {
  GlobalMemory memory;
  memory.tracking = false;
  uint64_t a = memory.allocate(100, "a"), b = memory.allocate(4096, "b");
  EXPECT_EQ(a % 256, 0u);
  EXPECT_GE(b, a + 100 + allocationGap);
  EXPECT_EQ(memory.find(a)->name, "a");
  EXPECT_EQ(memory.find(a + 99)->name, "a");
  EXPECT_EQ(memory.find(a + 100), nullptr);
  EXPECT_EQ(memory.find(a - 1), nullptr);
  EXPECT_EQ(memory.nearest(b - 1)->name, "a");
  EXPECT_EQ(memory.nearest(a - 1), nullptr);
  EXPECT_EQ(memory.allocate(0, "none"), 0u);
}

TEST(GlobalMemory, RemembersWhatWasFreed) {
  GlobalMemory memory;
  uint64_t a = memory.allocate(100, "a");
  EXPECT_FALSE(memory.free(a + 1));
  EXPECT_FALSE(memory.wasFreed(a));
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_TRUE(memory.wasFreed(a + 99));
  EXPECT_FALSE(memory.wasFreed(a + 100));
  EXPECT_NE(memory.allocate(100, "b"), a);
}

TEST(GlobalMemory, ContentIsUndefinedAtFirst) {
  GlobalMemory memory;
  uint64_t a = memory.allocate(10000, "a");
  EXPECT_EQ(memory.find(a)->undefined->firstUndefined(5, 100), 5);
}

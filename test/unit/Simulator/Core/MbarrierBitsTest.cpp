#include "lib/Simulator/Core/Mbarriers.h"

#include <gtest/gtest.h>

using namespace tilec::sim;

TEST(MbarrierBits, RoundTrip) {
  for (uint32_t pending : {0u, 1u, 12345u, MbarrierBits::countLimit})
    for (uint32_t expected : {1u, 777u, MbarrierBits::countLimit})
      for (int64_t transactions : {int64_t(0), int64_t(1), int64_t(-1), int64_t(16384),
                                   int64_t(MbarrierBits::countLimit), -int64_t(MbarrierBits::countLimit)})
        for (unsigned phase = 0; phase < 8; ++phase) {
          MbarrierBits bits;
          bits.pending = pending;
          bits.expected = expected;
          bits.transactions = transactions;
          bits.phase = phase;
          MbarrierBits back = MbarrierBits::unpack(bits.pack());
          EXPECT_EQ(back.pending, pending);
          EXPECT_EQ(back.expected, expected);
          EXPECT_EQ(back.transactions, transactions);
          EXPECT_EQ(back.phase, phase);
        }
}

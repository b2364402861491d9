// Every form of mma against plain matrices; undefined bits; divergence.
#include "test/unit/Simulator/Execute/MatrixCase.h"
#include "test/unit/Simulator/Execute/MemoryKernel.h"

using namespace tilec::sim;

TEST(Mma, everyShapeAndType) {
  for (const MatrixCase &one : mmaCases())
    for (bool check : {false, true}) {
      MatrixCase::Data data = one.make(7);
      MemoryKernel kernel;
      kernel.target = one.target;
      kernel.check = check;
      kernel.buffer = data.words;
      kernel.definedWords = data.words.size();
      ASSERT_EQ(kernel.run(one.body()), "") << one.instruction << "\n" << one.body();
      ASSERT_EQ(kernel.report(), "") << one.instruction;
      std::vector<uint32_t> found(kernel.buffer.begin() + one.startD(), kernel.buffer.end());
      ASSERT_EQ(found.size(), data.expected.size());
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], data.expected[i]) << one.instruction << ", word " << i;
      EXPECT_EQ(kernel.counters.matrixMultiplyAdds, uint64_t(one.m) * one.n * one.kept());
    }
}

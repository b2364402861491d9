#include "test/unit/Simulator/Execute/ControlKernel.h"

using namespace tilec;
using namespace tilec::sim;

/// Each thread stores a mix of special registers, in which `name` counts.
static ControlKernel &store(ControlKernel &kernel, const std::string &name) {
  return kernel.run("mov.u32 %r1, " + name + ";\nst.global.u32 [%mine], %r1;\nret;");
}

namespace {
struct Spot {
  uint32_t thread[3], block[3];
};
} // namespace

/// Expects `value(place)` of every thread in the grid.
template <typename Value> static void expectEach(ControlKernel &kernel, const std::string &name, Value value) {
  SCOPED_TRACE(name);
  store(kernel, name);
  std::vector<uint32_t> expected;
  const Dim3 &blocks = kernel.blocks, &threads = kernel.threads;
  for (uint32_t z = 0; z < blocks.z; ++z)
    for (uint32_t y = 0; y < blocks.y; ++y)
      for (uint32_t x = 0; x < blocks.x; ++x)
        for (uint32_t c = 0; c < threads.z; ++c)
          for (uint32_t b = 0; b < threads.y; ++b)
            for (uint32_t a = 0; a < threads.x; ++a)
              expected.push_back(value(Spot{{a, b, c}, {x, y, z}}));
  kernel.expect(expected);
}

static void expectPlaces(Dim3 blocks, Dim3 threads, Dim3 cluster) {
  ControlKernel kernel;
  kernel.blocks = blocks;
  kernel.threads = threads;
  kernel.cluster = cluster;
  kernel.words = blocks.count() * threads.count();
  const char axes[] = "xyz";
  const uint32_t blockCounts[] = {blocks.x, blocks.y, blocks.z}, threadCounts[] = {threads.x, threads.y, threads.z},
                 sizes[] = {cluster.x, cluster.y, cluster.z};
  for (int i = 0; i < 3; ++i) {
    std::string axis = std::string(".") + axes[i];
    expectEach(kernel, "%tid" + axis, [=](Spot p) { return p.thread[i]; });
    expectEach(kernel, "%ntid" + axis, [=](Spot) { return threadCounts[i]; });
    expectEach(kernel, "%ctaid" + axis, [=](Spot p) { return p.block[i]; });
    expectEach(kernel, "%nctaid" + axis, [=](Spot) { return blockCounts[i]; });
    expectEach(kernel, "%clusterid" + axis, [=](Spot p) { return p.block[i] / sizes[i]; });
    expectEach(kernel, "%nclusterid" + axis, [=](Spot) { return blockCounts[i] / sizes[i]; });
    expectEach(kernel, "%cluster_ctaid" + axis, [=](Spot p) { return p.block[i] % sizes[i]; });
    expectEach(kernel, "%cluster_nctaid" + axis, [=](Spot) { return sizes[i]; });
  }
  auto number = [=](Spot p) { return (p.thread[2] * threads.y + p.thread[1]) * threads.x + p.thread[0]; };
  expectEach(kernel, "%laneid", [=](Spot p) { return number(p) % 32; });
  expectEach(kernel, "%warpid", [=](Spot p) { return number(p) / 32; });
  expectEach(kernel, "%lanemask_eq", [=](Spot p) { return 1u << number(p) % 32; });
  expectEach(kernel, "%lanemask_lt", [=](Spot p) { return (1u << number(p) % 32) - 1; });
  expectEach(kernel, "%lanemask_ge", [=](Spot p) { return ~0u << number(p) % 32; });
  expectEach(kernel, "%lanemask_le", [=](Spot p) { return ~0u >> (31 - number(p) % 32); });
  expectEach(kernel, "%lanemask_gt", [=](Spot p) { return ~(~0u >> (31 - number(p) % 32)); });
  expectEach(kernel, "%cluster_ctarank", [=](Spot p) {
    return (p.block[2] % cluster.z * cluster.y + p.block[1] % cluster.y) * cluster.x + p.block[0] % cluster.x;
  });
  expectEach(kernel, "%cluster_nctarank", [=](Spot) { return uint32_t(cluster.count()); });
}

TEST(SpecialRegisters, OneDimension) { expectPlaces(3, 70, 1); }
TEST(SpecialRegisters, ThreeDimensions) { expectPlaces(Dim3(2, 3, 2), Dim3(5, 3, 3), 1); }
TEST(SpecialRegisters, Clusters) { expectPlaces(Dim3(4, 2, 2), Dim3(3, 4, 1), Dim3(2, 1, 2)); }

TEST(SpecialRegisters, LanesOfAPartialWarp) {
  ControlKernel kernel;
  kernel.threads = Dim3(7, 5, 1);
  kernel.run("activemask.b32 %r1;\nst.global.u32 [%mine], %r1;\nret;");
  kernel.expect(wordsOf(35, [](unsigned t) { return t < 32 ? ~0u : 7u; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 2u);
  EXPECT_EQ(kernel.counters.threadInstructions[static_cast<size_t>(InstructionClass::Store)], 35u);
}

TEST(SpecialRegisters, SharedSizesAndClocks) {
  ControlKernel kernel;
  kernel.threads = 1;
  kernel.sharedBytes = 512;
  kernel.before = ".extern .shared .align 16 .b8 dynamic[];\n";
  kernel.run("mov.u32 %r1, %dynamic_smem_size;\nst.global.u32 [%out], %r1;\nmov.u64 %d0, %clock64;\nmov.u64 %d1, %clock64;\n"
             "setp.lt.u64 %p0, %d0, %d1;\nselp.u32 %r1, 1, 0, %p0;\nst.global.u32 [%out+4], %r1;\nret;");
  kernel.expect({512, 1});
}

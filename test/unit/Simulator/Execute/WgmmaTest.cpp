// wgmma of every type, width and layout against plain matrices; registers in flight, fences, warp groups.
#include "test/unit/Simulator/Execute/MemoryKernel.h"
#include "test/unit/Simulator/Execute/WgmmaCase.h"

using namespace tilec::sim;

static void runCase(const WgmmaCase &one, MemoryKernel &kernel) {
  kernel.threads = 128;
  MatrixCase::Data data = one.make(11);
  kernel.buffer = data.words;
  kernel.definedWords = data.words.size();
  ASSERT_EQ(kernel.run(one.body()), "") << one.name() << "\n" << one.body();
}

TEST(Wgmma, everyTypeAndLayout) {
  uint64_t seed = 0;
  for (const WgmmaCase &one : wgmmaCases()) {
    MemoryKernel kernel;
    kernel.seed = seed++ % 4;
    ASSERT_NO_FATAL_FAILURE(runCase(one, kernel));
    ASSERT_EQ(kernel.report(), "") << one.name();
    MatrixCase::Data data = one.make(11);
    for (size_t i = 0; i < data.expected.size(); ++i)
      ASSERT_EQ(kernel.buffer[one.startD() + i], data.expected[i])
          << one.name() << ", word " << i << ", seed " << kernel.seed;
    EXPECT_EQ(kernel.counters.matrixMultiplyAdds, uint64_t(64) * one.n * one.kept());
  }
}

static void expectFault(const WgmmaCase &one, FindingKind kind, const std::string &part) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    MemoryKernel kernel;
    kernel.seed = seed;
    ASSERT_NO_FATAL_FAILURE(runCase(one, kernel));
    bool found = false;
    for (const Finding &finding : kernel.findings)
      found |= finding.kind == kind && finding.toString("k").find(part) != std::string::npos;
    EXPECT_TRUE(found) << "seed " << seed << ": no '" << part << "' in\n" << kernel.report();
  }
}

TEST(Wgmma, missingWait) {
  WgmmaCase one = wgmmaCases().front();
  one.wait = "wgmma.commit_group.sync.aligned;\n";
  expectFault(one, FindingKind::AsyncNotWaited, "reads a register that is an accumulator");
  one.wait = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\n";
  expectFault(one, FindingKind::AsyncNotWaited, "has not been waited for");
  // The group was never closed.
  one.wait = "wgmma.wait_group.sync.aligned 0;\n";
  expectFault(one, FindingKind::AsyncNotWaited, "has not been waited for");
}

TEST(Wgmma, missingFence) {
  WgmmaCase one = wgmmaCases().front();
  one.fence = "";
  expectFault(one, FindingKind::AsyncNotWaited, "without a wgmma.fence");
  one.fence = "wgmma.fence.sync.aligned;\nmov.b32 x6, x7;\n";
  expectFault(one, FindingKind::AsyncNotWaited, "without a wgmma.fence");
}

TEST(Wgmma, missingProxyFence) {
  WgmmaCase one = wgmmaCases().front();
  one.proxyFence = "";
  expectFault(one, FindingKind::MissingProxyFence, "fence.proxy.async");
}

TEST(Wgmma, operandsOverwritten) {
  WgmmaCase one = wgmmaCases().front();
  // Shared memory is written again while it may still be read.
  one.wait = "wgmma.commit_group.sync.aligned;\nmad.lo.u32 s1, %t, 4, s0;\nst.shared.b32 [s1], x4;\n"
             "wgmma.wait_group.sync.aligned 0;\n";
  expectFault(one, FindingKind::AsyncNotWaited, "has not been waited for");
  // Fragments of A are written again.
  one.aInRegisters = true;
  one.wait = "wgmma.commit_group.sync.aligned;\nmov.b32 x0, 0;\nwgmma.wait_group.sync.aligned 0;\n";
  expectFault(one, FindingKind::AsyncNotWaited, "writes a register that is a fragment of A");
}

TEST(Wgmma, warpGroups) {
  WgmmaCase one = wgmmaCases().front();
  MemoryKernel kernel;
  MatrixCase::Data data = one.make(1);
  kernel.threads = 96;
  kernel.buffer = data.words;
  kernel.definedWords = data.words.size();
  std::string body = one.body();
  body.replace(body.find("fill:"), 5, "bra.uni filled;\nfill:");
  body.replace(body.find("bar.sync"), 8, "filled: bar.sync");
  ASSERT_EQ(kernel.run(body), "");
  EXPECT_NE(kernel.report().find("must execute it together"), std::string::npos) << kernel.report();
  // One warp names another matrix.
  one.beforeFence = "setp.ge.u32 more, %t, 96;\n@more add.u64 db, db, 8;\n";
  expectFault(one, FindingKind::InvalidOperand, "different matrix descriptors");
  one.beforeFence = "@!sd bra other;\nsetp.eq.u32 more, %t, 5;\n@more add.u64 db, db, 8;\nother:\n";
  expectFault(one, FindingKind::InvalidOperand, "differs between threads");
}

TEST(Wgmma, outOfBounds) {
  WgmmaCase one = wgmmaCases().front();
  one.layoutB.stride = 0x3fff0 - 0xffff;
  one.beforeFence = "";
  MemoryKernel kernel;
  kernel.threads = 128;
  WgmmaCase right = wgmmaCases().front();
  kernel.buffer = right.make(1).words;
  kernel.definedWords = kernel.buffer.size();
  ASSERT_EQ(kernel.run(one.body()), "");
  EXPECT_NE(kernel.report().find("out of bounds"), std::string::npos) << kernel.report();
}

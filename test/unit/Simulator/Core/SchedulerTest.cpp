#include "test/unit/Simulator/Execute/ControlKernel.h"

#include <set>

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Interleavings
//===----------------------------------------------------------------------===//

/// Warps take numbers: which one gets which depends on who comes first.
static const char *takeNumbers = "and.b32 %r2, %t, 31;\nsetp.ne.u32 %p0, %r2, 0;\nmov.u32 %r3, 0;\n@%p0 bra DONE;\nLOOP:\n"
                                 "atom.relaxed.gpu.global.add.u32 %r1, [%out+4092], 1;\nadd.u32 %r3, %r3, 1;\n"
                                 "setp.lt.u32 %p1, %r3, 20;\n@%p1 bra LOOP;\nst.global.u32 [%mine], %r1;\nDONE:\nret;";

TEST(Scheduler, SameSeedSameRun) {
  std::set<std::vector<uint32_t>> outcomes;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    ControlKernel first, second;
    first.threads = second.threads = 128;
    first.blocks = second.blocks = 3;
    first.options.seed = second.options.seed = seed;
    first.options.cores = 1;
    second.options.cores = 4;
    first.run(takeNumbers);
    second.run(takeNumbers);
    EXPECT_TRUE(first.status) << first.status.message();
    EXPECT_EQ(first.output, second.output) << seed;
    EXPECT_EQ(first.counters.warpInstructions, second.counters.warpInstructions);
    EXPECT_EQ(first.counters.threadInstructions, second.counters.threadInstructions);
    outcomes.insert(first.output);
  }
  EXPECT_GE(outcomes.size(), 4u);
}

/// All blocks arrive and wait for all others.
static const char *gridBarrier =
    "setp.ne.u32 %p0, %t, 0;\n@%p0 bra JOIN;\nmov.u32 %r2, %nctaid.x;\n"
    "atom.release.gpu.global.add.u32 %r1, [%out+4092], 1;\nWAIT:\nld.acquire.gpu.global.u32 %r1, [%out+4092];\n"
    "setp.lt.u32 %p1, %r1, %r2;\n@%p1 bra WAIT;\nJOIN:\nbar.sync 0;\nmov.u32 %r1, 1;\nst.global.u32 [%mine], %r1;\nret;";

TEST(Scheduler, BlocksWaitForEachOther) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    ControlKernel kernel;
    kernel.blocks = 100;
    kernel.threads = 8;
    kernel.options.seed = seed;
    kernel.run(gridBarrier);
    kernel.expect(wordsOf(800, [](unsigned) { return 1; }));
  }
}

TEST(Scheduler, MoreBlocksThanTheDeviceHoldsDoNotPass) {
  ControlKernel kernel;
  kernel.device = kernel.target = "sm_80";
  kernel.blocks = 109;
  kernel.threads = 1024;
  kernel.words = 109 * 1024;
  kernel.sharedBytes = 160 << 10; // one block on each multiprocessor
  kernel.before = ".extern .shared .align 16 .b8 dynamic[];\n";
  kernel.options.spinLimit = 200;
  kernel.run(gridBarrier);
  kernel.expectFinding(FindingKind::NoProgress, "a block that cannot run before this one ends");
}

//===----------------------------------------------------------------------===//
// Ends that are none
//===----------------------------------------------------------------------===//

TEST(Scheduler, Deadlock) {
  ControlKernel kernel;
  kernel.threads = 64;
  kernel.run("setp.lt.u32 %p0, %t, 32;\n@%p0 bar.sync 1, 64;\n@!%p0 bar.sync 2, 64;\nret;");
  kernel.expectFinding(FindingKind::Deadlock, "no thread of the block can go on: barrier 1: 32 of 64 threads have arrived");
}

TEST(Scheduler, NoProgress) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ControlKernel kernel;
    kernel.threads = 64;
    kernel.options.seed = seed;
    kernel.options.spinLimit = 100;
    kernel.run("WAIT:\nld.volatile.global.u32 %r1, [%out];\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra WAIT;\nret;");
    kernel.expectFinding(FindingKind::NoProgress, "a loop polled 101 times and nothing else changed");
  }
}

/// A loop that polls nothing is no lack of progress: the limit of operations ends it, however many cores run blocks.
TEST(Scheduler, OperationLimit) {
  for (unsigned cores : {1u, 2u}) {
    ControlKernel kernel;
    kernel.blocks = 4;
    kernel.options.cores = cores;
    kernel.options.operationLimit = 1000;
    kernel.run("LOOP:\nadd.u32 %r1, %t, 1;\nbra LOOP;");
    kernel.expectFinding(FindingKind::NoProgress, "the run was ended after 1000 operations of its warps");
    EXPECT_EQ(kernel.findings.size(), 1u);
  }
}

/// Operations of all warps count together, also of those that end in their first turn.
TEST(Scheduler, OperationLimitOfShortWarps) {
  ControlKernel kernel;
  kernel.blocks = 64;
  kernel.threads = 1024;
  kernel.words = 64 * 1024;
  kernel.options.cores = 1;
  kernel.options.operationLimit = 1000;
  kernel.run("ret;");
  kernel.expectFinding(FindingKind::NoProgress, "the run was ended after 1000 operations of its warps");
  kernel.options.operationLimit = 1000000;
  kernel.run("ret;");
  EXPECT_TRUE(kernel.status) << kernel.status.message();
}

TEST(Scheduler, StopsAtTheFindingLimit) {
  ControlKernel kernel;
  kernel.options.findingLimit = 3;
  std::string body;
  for (int i = 0; i < 10; ++i)
    body += "st.global.u32 [%out+" + std::to_string(5000 + 4 * i) + "], %t;\n";
  kernel.run(body + "mov.u32 %r1, 1;\nst.global.u32 [%mine], %r1;\nret;");
  EXPECT_EQ(kernel.findings.size(), 3u);
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

TEST(Scheduler, TellsProgress) {
  for (const char *body : {"ret;", takeNumbers}) {
    std::vector<uint64_t> calls;
    ControlKernel kernel;
    kernel.blocks = 12;
    kernel.cluster = 2;
    kernel.options.cores = 1;
    kernel.options.progressUser = &calls;
    kernel.options.progress = [](uint64_t done, uint64_t all, void *user) {
      EXPECT_EQ(all, 12u);
      static_cast<std::vector<uint64_t> *>(user)->push_back(done);
    };
    kernel.run(body);
    EXPECT_EQ(calls, (std::vector<uint64_t>{2, 4, 6, 8, 10, 12}));
  }
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static void expectOver(const ControlKernel &shape, const std::string &text) {
  ControlKernel kernel = shape;
  kernel.run("ret;");
  ASSERT_EQ(kernel.findings.size(), 1u);
  EXPECT_EQ(kernel.findings[0].kind, FindingKind::Budget);
  EXPECT_EQ(kernel.findings[0].message, "kernel 'k': " + text);
}

TEST(Limits, Threads) {
  ControlKernel kernel;
  kernel.threads = 1025;
  expectOver(kernel, "blocks of 1025 threads, sm_90a takes 1 to 1024");
  kernel.threads = 0;
  expectOver(kernel, "blocks of 0 threads, sm_90a takes 1 to 1024");
  kernel.threads = Dim3(1, 1, 65);
  expectOver(kernel, "blocks of 1 x 1 x 65 threads, the last extent is at most 64");
  kernel.threads = 32;
  kernel.blocks = Dim3(1, 65536, 1);
  expectOver(kernel, "a grid of 1 x 65536 x 1 blocks, at most 2147483647 x 65535 x 65535 are possible");
}

TEST(Limits, DirectivesOfTheKernel) {
  ControlKernel kernel;
  kernel.threads = 64;
  kernel.directives = ".reqntid 32";
  expectOver(kernel, "the kernel requires blocks of other extents (.reqntid), found 64 in dimension 0");
  kernel.directives = ".maxntid 32, 1, 1";
  expectOver(kernel, "blocks of 64 threads, the kernel allows 32 (.maxntid)");
  kernel.directives = ".maxnreg 200";
  kernel.threads = 1024;
  expectOver(kernel, "200 registers (.maxnreg) for 1024 threads, sm_90a has 65536");
}

TEST(Limits, SharedMemory) {
  ControlKernel kernel;
  kernel.sharedBytes = 233472;
  expectOver(kernel, "233472 bytes of shared memory, sm_90a has 232448 for a block");
}

TEST(Limits, Clusters) {
  ControlKernel kernel;
  kernel.blocks = 6;
  kernel.cluster = 4;
  expectOver(kernel, "the grid is not a multiple of the cluster");
  kernel.cluster = 0;
  expectOver(kernel, "clusters of no blocks");
  kernel.blocks = kernel.cluster = 32;
  expectOver(kernel, "clusters of 32 blocks, at most 16 are possible");
  kernel.blocks = kernel.cluster = 4;
  kernel.directives = ".maxclusterrank 2";
  expectOver(kernel, "clusters of 4 blocks, the kernel allows 2 (.maxclusterrank)");
  kernel.directives = ".reqnctapercluster 2, 1, 1";
  expectOver(kernel, "the kernel requires clusters of other extents (.reqnctapercluster), found 4 in dimension 0");
  kernel.directives = "";
  kernel.target = kernel.device = "sm_80";
  expectOver(kernel, "clusters of 4 blocks, sm_80 has no clusters");
}

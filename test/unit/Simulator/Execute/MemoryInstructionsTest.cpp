// ld, st, atom, red, cvta, mapa and cp.async on tiny kernels: values, findings, counters.
#include "test/unit/Simulator/Execute/MemoryKernel.h"

using namespace tilec;
using namespace tilec::sim;

/// Runs and expects no error and no finding.
static void runClean(MemoryKernel &kernel, const std::string &body) {
  EXPECT_EQ(kernel.run(body), "");
  EXPECT_EQ(kernel.report(), "");
}

/// Runs and expects exactly one finding, whose text has `part`.
static void expectFinding(const std::string &body, FindingKind kind, const std::string &part,
                          const std::string &variables = {}) {
  MemoryKernel kernel;
  kernel.variables = variables;
  ASSERT_EQ(kernel.run(body), "");
  ASSERT_EQ(kernel.findings.size(), 1u) << kernel.report();
  EXPECT_EQ(kernel.findings[0].kind, kind) << kernel.report();
  EXPECT_NE(kernel.report().find(part), std::string::npos) << kernel.report();
}

TEST(Load, ExtendsBySignAndByZero) {
  for (bool check : {false, true}) {
    MemoryKernel kernel;
    kernel.check = check;
    kernel.buffer[0] = 0x8081'fe7f;
    runClean(kernel, "ld.global.s8 %r1, [%buf+1];\nld.global.u8 %r2, [%buf+1];\nld.global.s16 %r3, [%buf];\n"
                     "ld.global.u16 %r4, [%buf+2];\nld.global.s32 %rd1, [%buf];\nld.global.s16 %rd2, [%buf+2];\n"
                     "bar.warp.sync -1;\n"
                     "setp.ne.u32 %p1, %t, 0;\n@%p1 ret;\n"
                     "st.global.v4.u32 [%buf+16], {%r1, %r2, %r3, %r4};\nst.global.v2.u64 [%buf+32], {%rd1, %rd2};\n");
    EXPECT_EQ(kernel.buffer[4], 0xffff'fffeu);
    EXPECT_EQ(kernel.buffer[5], 0xfeu);
    EXPECT_EQ(kernel.buffer[6], 0xffff'fe7fu);
    EXPECT_EQ(kernel.buffer[7], 0x8081u);
    EXPECT_EQ(kernel.buffer[8], 0x8081'fe7fu);
    EXPECT_EQ(kernel.buffer[9], 0xffff'ffffu);
    EXPECT_EQ(kernel.buffer[10], 0xffff'8081u);
    EXPECT_EQ(kernel.buffer[11], 0xffff'ffffu);
  }
}

TEST(Load, VectorsAndStrides) {
  MemoryKernel kernel;
  for (uint32_t i = 0; i < 256; ++i)
    kernel.buffer[i] = i;
  // Four words for each thread, stored the other way round; then every third word.
  runClean(kernel, "mad.wide.u32 %rd1, %t, 16, %buf;\nld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%rd1];\n"
                   "st.global.v4.b32 [%rd1+2048], {%r4,%r3,%r2,%r1};\n"
                   "mad.wide.u32 %rd2, %t, 12, %buf;\nld.global.nc.u32 %r5, [%rd2];\nst.global.u32 [%a+1024], %r5;\n");
  for (uint32_t t = 0; t < 32; ++t) {
    for (uint32_t i = 0; i < 4; ++i)
      EXPECT_EQ(kernel.buffer[512 + 4 * t + i], 4 * t + 3 - i);
    EXPECT_EQ(kernel.buffer[256 + t], 3 * t);
  }
  EXPECT_EQ(kernel.countedBy("ld").sectors, 16u);
  EXPECT_EQ(kernel.countedBy("ld").bytes, 512u);
  EXPECT_EQ(kernel.countedBy("ld", 1).sectors, 12u);
  EXPECT_EQ(kernel.countedBy("st", 1).sectors, 4u);
}

TEST(Load, SharedMemoryAndItsPasses) {
  MemoryKernel kernel;
  kernel.variables = ".shared .align 16 .b32 s[1024];";
  runClean(kernel, "mov.u32 %r1, s;\nmad.lo.u32 %r2, %t, 4, %r1;\nst.shared.u32 [%r2], %t;\nbar.warp.sync -1;\n"
                   "shl.b32 %r3, %t, 7;\nadd.u32 %r3, %r3, %r1;\nst.shared.u32 [%r3], %t;\nbar.warp.sync -1;\n"
                   "ld.shared.u32 %r4, [%r3];\nst.global.u32 [%a], %r4;\n");
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(kernel.buffer[t], t);
  EXPECT_EQ(kernel.countedBy("st").wavefronts, 1u);
  EXPECT_EQ(kernel.countedBy("st", 1).wavefronts, 32u);
  EXPECT_EQ(kernel.countedBy("st", 1).minimumWavefronts, 1u);
  EXPECT_EQ(kernel.counters.sharedStores.wavefronts, 33u);
}

TEST(Load, LocalMemoryIsTheThreadsOwn) {
  MemoryKernel kernel;
  runClean(kernel, ".local .align 4 .b32 mine[4];\nmov.u64 %rd1, mine;\ncvta.local.u64 %rd2, %rd1;\n"
                   "st.local.u32 [%rd1+4], %t;\nld.u32 %r1, [%rd2+4];\nst.global.u32 [%a], %r1;\n"
                   "isspacep.local %p1, %rd2;\nisspacep.shared %p2, %rd2;\nselp.u32 %r2, 1, 0, %p1;\n"
                   "selp.u32 %r3, 1, 0, %p2;\nst.global.u32 [%a+128], %r2;\nst.global.u32 [%a+256], %r3;\n");
  EXPECT_EQ(kernel.buffer[7], 7u);
  EXPECT_EQ(kernel.buffer[32 + 7], 1u);
  EXPECT_EQ(kernel.buffer[64 + 7], 0u);
}

TEST(Load, UndefinedBitsTravel) {
  MemoryKernel kernel;
  kernel.definedWords = 100;
  runClean(kernel, "ld.global.u32 %r1, [%buf+2048];\nst.global.u32 [%a], %r1;\nld.global.s8 %r2, [%buf+396];\n"
                   "st.global.u32 [%a+128], %r2;\n");
  EXPECT_EQ(kernel.undefined->firstUndefined(0, 4096), 0);
  EXPECT_FALSE(kernel.undefined->allDefined(124, 4));
  EXPECT_TRUE(kernel.undefined->allDefined(128, 4));
}

TEST(Memory, FaultsAreNamed) {
  expectFinding("ld.global.u32 %r1, [%a+4000];\n", FindingKind::OutOfBounds, "just past the end of 'buffer'");
  expectFinding("ld.global.u32 %r1, [%buf+4112];\n", FindingKind::OutOfBounds, "16 bytes past the end of 'buffer'");
  expectFinding("ld.global.u32 %r1, [%buf+-8];\n", FindingKind::OutOfBounds, "8 bytes before the start of 'buffer'");
  expectFinding("ld.global.u32 %r1, [%buf+2];\n", FindingKind::Misaligned, "multiple of 4");
  expectFinding("mov.u64 %rd1, 0;\nld.u32 %r1, [%rd1];\n", FindingKind::OutOfBounds, "null pointer");
  expectFinding("ld.shared.u32 %r1, [%r2];\n", FindingKind::Undefined, "address depends on undefined bits");
  expectFinding("mov.u32 %r2, s;\nst.shared.u32 [%r2+16], %t;\n", FindingKind::OutOfBounds,
                "shared memory of the block", ".shared .b32 s[4];");
  expectFinding("st.global.u32 [%buf], %t;\n", FindingKind::Race, "different values to one place");
}

TEST(Memory, LanesSideBySideAreKeptApart) {
  // 16 bytes for each lane across a boundary of the race check's pages: its own are the lane's to read, others are not.
  std::string store = "mov.u32 %r1, s;\nmad.lo.u32 %r2, %t, 16, %r1;\nadd.u32 %r2, %r2, 768;\n"
                      "st.shared.v4.u32 [%r2], {%t, %t, %t, %t};\n";
  MemoryKernel kernel;
  kernel.variables = ".shared .align 16 .b32 s[1024];";
  runClean(kernel, store + "ld.shared.v4.u32 {%r3,%r4,%r5,%r6}, [%r2];\nld.shared.u32 %r7, [%r2+12];\n");
  expectFinding(store + "setp.ne.u32 %p1, %t, 20;\n@%p1 ret;\nld.shared.u32 %r3, [%r2+-4];\n", FindingKind::Race,
                "by thread (20,0,0) of block (0,0,0), while thread (19,0,0)", kernel.variables);
  expectFinding("mov.u32 %r1, s;\nmad.lo.u32 %r2, %t, 16, %r1;\nadd.u32 %r2, %r2, 768;\n"
                "setp.eq.u32 %p1, %t, 19;\n@%p1 st.shared.u32 [s+1088], %t;\n"
                "st.shared.v4.u32 [%r2], {%t, %t, %t, %t};\n",
                FindingKind::Race, "by thread (20,0,0) of block (0,0,0), while thread (19,0,0)", kernel.variables);
}

TEST(Memory, WithoutChecksAFaultEndsTheRun) {
  MemoryKernel kernel;
  kernel.check = false;
  EXPECT_EQ(kernel.run("ld.global.u32 %r1, [%buf+5000];\nbar.sync 0;\nst.global.u32 [%a], 2;\n"), "");
  EXPECT_EQ(kernel.findings.size(), 1u) << kernel.report();
  EXPECT_EQ(kernel.findings.at(0).kind, FindingKind::OutOfBounds);
}

TEST(Memory, WhatIsNotKnownIsRefused) {
  EXPECT_NE(MemoryKernel().run("ld.global.fast.u32 %r1, [%buf];\n"), "");
  EXPECT_NE(MemoryKernel().run("multimem.ld_reduce.global.add.u32 %r1, [%buf];\n"), "");
  EXPECT_NE(MemoryKernel().run("ld.param.u64 %rd1, [buf+4];\n"), "");
  EXPECT_NE(MemoryKernel().run("atom.global.add.f16 %h1, [%buf], %h2;\n"), "");
  EXPECT_NE(MemoryKernel().run("st.global.v2.u32 [%buf], {%r1, %r2, %r3};\n"), "");
}

TEST(Atomic, IntegersInEveryOrder) {
  for (uint64_t seed : {0, 1, 2}) {
    MemoryKernel kernel;
    kernel.seed = seed;
    kernel.threads = 96;
    kernel.buffer[2] = 50;
    kernel.buffer[5] = 0xffff'ffff;
    runClean(kernel, "atom.global.add.u32 %r1, [%buf], 1;\nred.global.gpu.relaxed.max.s32 [%buf+4], %t;\n"
                     "red.global.min.u32 [%buf+8], %t;\natom.global.inc.u32 %r2, [%buf+12], 9;\n"
                     "red.global.or.b32 [%buf+16], %t;\nred.global.and.b32 [%buf+20], %t;\n"
                     "atom.global.dec.u32 %r3, [%buf+24], 9;\n"
                     "mad.wide.u32 %rd1, %r1, 4, %buf;\nst.global.u32 [%rd1+512], 1;\n");
    EXPECT_EQ(kernel.buffer[0], 96u);
    EXPECT_EQ(kernel.buffer[1], 95u);
    EXPECT_EQ(kernel.buffer[2], 0u);
    EXPECT_EQ(kernel.buffer[3], 6u);
    EXPECT_EQ(kernel.buffer[4], 127u);
    EXPECT_EQ(kernel.buffer[5], 0u);
    EXPECT_EQ(kernel.buffer[6], 4u);
    for (uint32_t i = 0; i < 96; ++i)
      EXPECT_EQ(kernel.buffer[128 + i], 1u);
    EXPECT_TRUE(kernel.program->blocksCommunicate);
  }
}

TEST(Atomic, FloatsFlushInGlobalMemoryOnly) {
  MemoryKernel kernel;
  kernel.variables = ".shared .align 16 .b32 s[8];";
  kernel.threads = 1;
  kernel.buffer[0] = 0x0000'0001;
  kernel.buffer[2] = 0x3c00'3c00;
  runClean(kernel, "mov.b32 %f1, 0f00000001;\nred.global.add.f32 [%buf], %f1;\n"
                   "st.shared.f32 [s], %f1;\natom.shared.add.f32 %f2, [s], %f1;\nld.shared.f32 %f3, [s];\n"
                   "st.global.f32 [%buf+4], %f3;\nmov.b32 %r1, 0x40003c00;\n"
                   "red.global.add.noftz.f16x2 [%buf+8], %r1;\n"
                   "mov.f32 %f4, 0f3f800000;\natom.global.add.v2.f32 {%f5, %f6}, [%buf+16], {%f4, %f4};\n");
  EXPECT_EQ(kernel.buffer[0], 0u);
  EXPECT_EQ(kernel.buffer[1], 2u);
  EXPECT_EQ(kernel.buffer[2], 0x4200'4000u);
  EXPECT_EQ(kernel.buffer[4], 0x3f80'0000u);
  EXPECT_EQ(kernel.buffer[5], 0x3f80'0000u);
}

TEST(Atomic, Exchanges) {
  MemoryKernel kernel;
  kernel.threads = 1;
  kernel.buffer[0] = 5;
  kernel.buffer[4] = 1;
  runClean(kernel, "atom.global.cas.b32 %r1, [%buf], 5, 6;\natom.global.cas.b32 %r2, [%buf], 5, 7;\n"
                   "atom.acq_rel.gpu.global.exch.b32 %r3, [%buf], 8;\nst.global.v2.u32 [%buf+8], {%r2, %r3};\n"
                   "mov.u64 %rd1, 3;\nmov.u64 %rd2, 4;\nmov.b128 %q1, {%rd1, %rd2};\n"
                   "atom.global.exch.b128 %q2, [%buf+16], %q1;\nmov.b128 {%rd3, %rd4}, %q2;\n"
                   "st.global.u64 [%buf+32], %rd3;\n");
  EXPECT_EQ(kernel.buffer[0], 8u);
  EXPECT_EQ(kernel.buffer[2], 6u);
  EXPECT_EQ(kernel.buffer[3], 6u);
  EXPECT_EQ(kernel.buffer[4], 3u);
  EXPECT_EQ(kernel.buffer[6], 4u);
  EXPECT_EQ(kernel.buffer[8], 1u);
}

TEST(Address, SharedMemoryOfTheCluster) {
  MemoryKernel kernel;
  kernel.blocks = kernel.cluster = 2;
  kernel.variables = ".shared .align 16 .b32 s[32];";
  // Each block writes into the other's shared memory.
  runClean(kernel, "mov.u32 %r1, %cluster_ctarank;\nxor.b32 %r2, %r1, 1;\nmov.u32 %r3, s;\n"
                   "mapa.shared::cluster.u32 %r4, %r3, %r2;\ngetctarank.shared::cluster.u32 %r5, %r4;\n"
                   "mad.lo.u32 %r6, %t, 4, %r4;\nmad.lo.u32 %r7, %r1, 100, %t;\n"
                   "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                   "st.shared::cluster.u32 [%r6], %r7;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                   "mad.lo.u32 %r8, %t, 4, %r3;\nld.shared.u32 %r9, [%r8];\nmad.wide.u32 %rd1, %r1, 128, %a;\n"
                   "st.global.u32 [%rd1], %r9;\nst.global.u32 [%rd1+256], %r5;\n");
  EXPECT_EQ(kernel.buffer[3], 103u);
  EXPECT_EQ(kernel.buffer[32 + 3], 3u);
  EXPECT_EQ(kernel.buffer[64], 1u);
  EXPECT_EQ(kernel.buffer[96], 0u);
}

static const char *const copyVariables = ".shared .align 16 .b32 s[256];";

TEST(Copy, GroupsInEveryInterleaving) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    MemoryKernel kernel;
    kernel.seed = seed;
    kernel.variables = copyVariables;
    for (uint32_t i = 0; i < 256; ++i)
      kernel.buffer[i] = i + 1;
    runClean(kernel, "mov.u32 %r1, s;\nmad.lo.u32 %r2, %t, 16, %r1;\nmad.wide.u32 %rd1, %t, 16, %buf;\n"
                     "cp.async.cg.shared.global.L2::128B [%r2], [%rd1], 16;\ncp.async.commit_group;\n"
                     "cp.async.ca.shared.global [%r2+512], [%rd1+512], 16, 8;\ncp.async.commit_group;\n"
                     "cp.async.wait_group 1;\nld.shared.u32 %r3, [%r2+4];\nst.global.u32 [%a+2048], %r3;\n"
                     "cp.async.wait_all;\nld.shared.v4.u32 {%r4,%r5,%r6,%r7}, [%r2+512];\n"
                     "st.global.u32 [%a+2176], %r5;\nst.global.u32 [%a+2304], %r7;\n");
    for (uint32_t t = 0; t < 32; ++t) {
      EXPECT_EQ(kernel.buffer[512 + t], 4 * t + 2);
      EXPECT_EQ(kernel.buffer[544 + t], 128 + 4 * t + 2);
      EXPECT_EQ(kernel.buffer[576 + t], 0u);
    }
    EXPECT_EQ(kernel.countedBy("cp").sectors, 16u);
    EXPECT_EQ(kernel.countedBy("cp").wavefronts, 4u);
  }
}

TEST(Copy, ReadBeforeTheWaitIsFound) {
  expectFinding("mov.u32 %r1, s;\nmad.lo.u32 %r2, %t, 16, %r1;\nmad.wide.u32 %rd1, %t, 16, %buf;\n"
                "cp.async.cg.shared.global [%r2], [%rd1], 16;\ncp.async.commit_group;\nld.shared.u32 %r3, [%r2];\n"
                "cp.async.wait_all;\n",
                FindingKind::AsyncNotWaited, "cp.async", copyVariables);
}

TEST(Copy, ArrivesAtAnMbarrier) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    MemoryKernel kernel;
    kernel.seed = seed;
    kernel.variables = std::string(copyVariables) + ".shared .align 8 .b64 bar;";
    kernel.buffer[3] = 77;
    runClean(kernel, "mov.u32 %r1, s;\nmov.u32 %r8, bar;\nmad.lo.u32 %r2, %t, 4, %r1;\n"
                     "setp.eq.u32 %p1, %t, 0;\n@%p1 mbarrier.init.shared.b64 [%r8], 32;\nbar.sync 0;\n"
                     "cp.async.ca.shared.global [%r2], [%a], 4;\n"
                     "cp.async.mbarrier.arrive.noinc.shared.b64 [%r8];\n"
                     "wait:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r8], 0;\n@!%p2 bra wait;\n"
                     "ld.shared.u32 %r3, [s+12];\nst.global.u32 [%a+2048], %r3;\n");
    EXPECT_EQ(kernel.buffer[512 + 9], 77u);
  }
}

/// Offsets of an address are added modulo 2^64; a shared address has 32 bits of it.
TEST(Address, OffsetsWrap) {
  MemoryKernel kernel;
  kernel.variables = ".shared .align 8 .b32 s[4];";
  ASSERT_EQ(kernel.run("st.shared.u32 [s+4], 17;\nbar.warp.sync -1;\nld.shared.u32 %r1, [s+0xffffffffffffffff+5];\n"
                       "add.u64 %rd1, %a, 8;\nst.global.u32 [%rd1+-8], %r1;"),
            "");
  EXPECT_EQ(kernel.report(), "");
  EXPECT_EQ(kernel.buffer[5], 17u);
  for (const char *offset : {"9223372036854775807", "-9223372036854775808"}) {
    ASSERT_EQ(kernel.run("ld.shared.b8 %r1, [s+" + std::string(offset) + "];"), "");
    EXPECT_NE(kernel.report().find("out of bounds"), std::string::npos) << kernel.report();
    ASSERT_EQ(kernel.run("ld.global.b8 %r1, [%buf+" + std::string(offset) + "];"), "");
    EXPECT_NE(kernel.report().find("out of bounds"), std::string::npos) << kernel.report();
  }
}

#include "KernelRun.h"

using namespace tilec;
using namespace tilec::sim;

static KernelRun kernel(unsigned threads, std::string body, unsigned blocks = 1, unsigned cluster = 1) {
  KernelRun run;
  run.threads = threads;
  run.blocks = blocks;
  run.cluster = cluster;
  run.body = std::move(body);
  return run;
}

static std::vector<uint32_t> reversed(unsigned count) {
  std::vector<uint32_t> words(count);
  for (unsigned i = 0; i < count; ++i)
    words[i] = count - 1 - i;
  return words;
}

/// Each thread stores its number and reads that of the one at the other end.
static std::string exchange(const std::string &between, unsigned threads) {
  return "  shl.b32 %d, %t, 2;\n  add.u32 %d, %d, %a;\n  st.shared.u32 [%d], %t;\n" + between +
         "\n  sub.u32 %i, " + std::to_string(threads - 1) +
         ", %t;\n  shl.b32 %i, %i, 2;\n  add.u32 %i, %i, %a;\n  ld.shared.u32 %v, [%i];\n"
         "  mul.wide.u32 %p0, %t, 4;\n  add.u64 %p0, %p0, %out;\n  st.global.u32 [%p0], %v;\n";
}

TEST(Barrier, SyncOrders) { expectClean(kernel(128, exchange("  bar.sync 0;", 128)), reversed(128)); }

TEST(Barrier, UnalignedAndCtaForms) {
  expectClean(kernel(128, exchange("  barrier.cta.sync.aligned 3;", 128)), reversed(128));
  expectClean(kernel(128, exchange("  barrier.sync 15, 128;", 128)), reversed(128));
}

TEST(Barrier, MissingSyncIsARace) {
  expectFinding(kernel(128, exchange("", 128)), FindingKind::Race, "is not ordered before it");
}

TEST(Barrier, MissingWarpSyncIsARaceInAWarp) {
  expectFinding(kernel(32, exchange("", 32)), FindingKind::Race, "bar.warp.sync");
  expectClean(kernel(32, exchange("  bar.warp.sync 0xffffffff;", 32)), reversed(32));
}

TEST(Barrier, FenceAloneDoesNotOrder) {
  expectFinding(kernel(64, exchange("  membar.cta;", 64)), FindingKind::Race);
}

TEST(Barrier, WriteAfterReadOfAnotherWarpIsARace) {
  // Without a second barrier the next round's store overtakes the reads of this one.
  std::string round = "  st.shared.u32 [%d], %t;\n  bar.sync 0;\n  ld.shared.u32 %v, [%a];\n";
  std::string start = "  shl.b32 %d, %t, 2;\n  add.u32 %d, %d, %a;\n";
  expectFinding(kernel(64, start + round + round), FindingKind::Race, "'s read at");
  expectClean(kernel(64, start + round + "  bar.sync 0;\n" + round), {});
}

TEST(Barrier, ReductionsOverThreads) {
  std::string body = "  setp.lt.u32 %q, %t, 40;\n"
                     "  bar.red.popc.u32 %v, 0, %q;\n"
                     "  barrier.red.popc.aligned.u32 %i, 1, 96, !%q;\n"
                     "  bar.red.and.pred %pw0, 0, %q;\n  bar.red.or.pred %pw1, 0, %q;\n"
                     "  @%pw0 add.u32 %v, %v, 1000;\n  @%pw1 add.u32 %v, %v, 2000;\n"
                     "  @%p st.global.u32 [%out], %v;\n  @%p st.global.u32 [%out+4], %i;\n";
  expectClean(kernel(96, body), {2040, 56});
}

TEST(Barrier, NamedBarriersOfProducerAndConsumer) {
  std::string body = "  setp.lt.u32 %q, %t, 32;\n  @!%q bra CONSUMER;\n"
                     "  st.shared.u32 [%a], 77;\n  bar.arrive 1, 64;\n  bra END;\n"
                     "CONSUMER:\n  bar.sync 1, 64;\n  ld.shared.u32 %v, [%a];\n"
                     "  setp.eq.u32 %q, %t, 32;\n  @%q st.global.u32 [%out], %v;\nEND:\n";
  std::string store = "st.shared.u32 [%a], 77";
  body.replace(body.find(store), store.size(), "@%p " + store);
  body.insert(body.find("  bar.arrive"), "  bar.warp.sync 0xffffffff;\n");
  expectClean(kernel(64, body), {77});
}

TEST(Barrier, DifferentThreadCounts) {
  expectFinding(kernel(96, "  setp.lt.u32 %q, %t, 32;\n  @%q bra A;\n  bar.sync 1, 96;\n  bra END;\n"
                           "A:\n  bar.sync 1, 64;\nEND:\n"),
                FindingKind::BarrierMisuse, "threads");
}

TEST(Barrier, ExitedWarpsAreNotWaitedFor) {
  expectClean(kernel(96, "  setp.gt.u32 %q, %t, 63;\n  @%q ret;\n" + exchange("  bar.sync 0;", 64)), reversed(64));
}

TEST(Barrier, DivergentBarrier) {
  expectFinding(kernel(32, "  setp.lt.u32 %q, %l, 16;\n  @%q bra A;\n  add.u32 %v, %t, 1;\n  bar.sync 0;\n  bra END;\n"
                           "A:\n  bar.sync 0;\nEND:\n"),
                FindingKind::BarrierDivergence, "lanes 16-31 of the warp are at kernel.ptx:");
  expectFinding(kernel(32, "  setp.lt.u32 %q, %l, 16;\n  @%q bar.sync 0;\n"), FindingKind::BarrierDivergence,
                "skip it by their predicate");
}

TEST(Barrier, LanesMeetAgainBeforeABarrier) {
  expectClean(kernel(64, "  setp.lt.u32 %q, %l, 16;\n  @%q bra A;\n  add.u32 %t, %t, 0;\nA:\n" +
                             exchange("  bar.sync 0;", 64)),
              reversed(64));
}

TEST(Barrier, DeadlockNamesWhoIsMissing) {
  KernelRun run = kernel(128, "  setp.gt.u32 %q, %t, 95;\n  @%q bra A;\n  bar.sync 1, 128;\n  bra END;\n"
                              "A:\n  bar.sync 2, 64;\nEND:\n");
  expectFinding(run, FindingKind::Deadlock, "barrier 1: 96 of 128 threads have arrived");
  expectFinding(run, FindingKind::Deadlock, "missing: warp 3, which waits at kernel.ptx:");
  expectFinding(run, FindingKind::Deadlock, "barrier 2: 32 of 64 threads have arrived");
}

TEST(Barrier, ClusterBarrierOrdersRemoteAccesses) {
  // Each block writes the word of the other and reads its own.
  auto body = [](const std::string &between) {
    return "  mov.u32 %n, %cluster_ctarank;\n  xor.b32 %i, %n, 1;\n  mapa.shared::cluster.u32 %d, %a, %i;\n"
           "  @%p st.shared::cluster.u32 [%d], %n;\n" +
           between +
           "  @%p ld.shared.u32 %v, [%a];\n  mul.wide.u32 %p0, %b, 4;\n  add.u64 %p0, %p0, %out;\n"
           "  @%p st.global.u32 [%p0], %v;\n";
  };
  std::string barrier = "  barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;\n";
  expectClean(kernel(64, body(barrier), 2, 2), {1, 0});
  expectFinding(kernel(64, body("  bar.sync 0;\n"), 2, 2), FindingKind::Race);
  expectFinding(kernel(64, body("  barrier.cluster.arrive.relaxed.aligned;\n  barrier.cluster.wait.aligned;\n"), 2, 2),
                FindingKind::Race);
  expectClean(kernel(64,
                     body("  fence.acq_rel.cluster;\n  barrier.cluster.arrive.relaxed.aligned;\n"
                          "  barrier.cluster.wait.aligned;\n"),
                     2, 2),
              {1, 0});
}

TEST(Barrier, ClusterArriveTwice) {
  expectFinding(kernel(32, "  barrier.cluster.arrive;\n  barrier.cluster.arrive;\n  barrier.cluster.wait;\n", 2, 2),
                FindingKind::BarrierMisuse, "again before it has waited");
}

TEST(Barrier, SetMaxRegistersWaitsForRegisters) {
  // 384 threads have 168 registers each: two groups get 240 once the third has given back.
  std::string body = "  setp.lt.u32 %q, %t, 128;\n  @%q bra PRODUCER;\n  setmaxnreg.inc.sync.aligned.u32 240;\n"
                     "  bra END;\nPRODUCER:\n  setmaxnreg.dec.sync.aligned.u32 24;\nEND:\n";
  expectClean(kernel(384, body), {});
  std::string greedy = body;
  greedy.replace(greedy.find(" 240"), 4, " 248");
  expectFinding(kernel(384, greedy), FindingKind::Deadlock, "setmaxnreg.inc");
}

TEST(Order, FenceAndFlagBetweenBlocks) {
  auto body = [](const std::string &fence) {
    return "  setp.eq.u32 %q, %b, 0;\n  @!%q bra CONSUMER;\n"
           "  @%p st.global.u32 [%out+64], 5;\n" +
           fence +
           "  @%p st.volatile.global.u32 [%out+128], 1;\n  bra END;\n"
           "CONSUMER:\n  @!%p bra END;\nLOOP:\n  ld.volatile.global.u32 %v, [%out+128];\n"
           "  setp.eq.u32 %q, %v, 0;\n  @%q bra LOOP;\n" +
           fence + "  ld.global.u32 %v, [%out+64];\n  st.global.u32 [%out], %v;\nEND:\n";
  };
  expectClean(kernel(32, body("  membar.gl;\n"), 2), {5});
  expectFinding(kernel(32, body(""), 2), FindingKind::Race, "release and acquire");
}

TEST(Order, LastBlockReadsWhatAllWrote) {
  // threadFenceReduction: all threads write, one counts the block in, the last block sums up.
  auto body = [](const std::string &fence) {
    return "  mad.lo.u32 %i, %b, 64, %t;\n  mul.wide.u32 %p0, %i, 4;\n  add.u64 %p0, %p0, %out;\n"
           "  st.global.u32 [%p0+64], %i;\n  bar.sync 0;\n  @!%p bra SKIP;\n" +
           fence +
           "  atom.global.inc.u32 %v, [%out], 3;\n" + fence +
           "  st.shared.u32 [%a], %v;\nSKIP:\n  bar.sync 0;\n  ld.shared.u32 %v, [%a];\n"
           "  setp.ne.u32 %q, %v, 3;\n  @%q bra END;\n  mul.wide.u32 %p0, %t, 4;\n"
           "  add.u64 %p0, %p0, %out;\n  ld.global.u32 %v, [%p0+64];\n  ld.global.u32 %i, [%p0+832];\n"
           "  add.u32 %v, %v, %i;\n  st.global.u32 [%p0+2048], %v;\nEND:\n";
  };
  expectClean(kernel(64, body("  membar.gl;\n"), 4), {0});
  expectFinding(kernel(64, body(""), 4), FindingKind::Race);
}

TEST(Order, AcquireAndRelease) {
  std::string body = "  setp.eq.u32 %q, %w, 0;\n  @!%q bra CONSUMER;\n  @%p st.shared.u32 [%a], 9;\n"
                     "  @%p st.release.cta.shared.u32 [%a+64], 1;\n  bra END;\n"
                     "CONSUMER:\n  setp.ne.u32 %q, %l, 0;\n  @%q bra END;\n"
                     "LOOP:\n  ld.acquire.cta.shared.u32 %v, [%a+64];\n  setp.ne.u32 %q, %v, 1;\n  @%q bra LOOP;\n"
                     "  ld.shared.u32 %v, [%a];\n  st.global.u32 [%out], %v;\nEND:\n";
  std::string init = "  @%p st.shared.u32 [%a+64], 0;\n  bar.sync 0;\n";
  expectClean(kernel(64, init + body), {9});
  std::string relaxed = body;
  relaxed.replace(relaxed.find("release"), 7, "relaxed");
  expectFinding(kernel(64, init + relaxed), FindingKind::Race);
}

TEST(Order, AllFormsOfFences) {
  expectClean(kernel(32, "  membar.cta;\n  membar.gl;\n  membar.sys;\n  membar.proxy.alias;\n  fence.sc.cta;\n"
                         "  fence.acq_rel.gpu;\n  fence.acquire.cluster;\n  fence.release.sys;\n  fence.cta;\n"
                         "  fence.acquire.sync_restrict::shared::cluster.cluster;\n"
                         "  fence.release.sync_restrict::shared::cta.cluster;\n  fence.mbarrier_init.release.cluster;\n"
                         "  fence.proxy.alias;\n  fence.proxy.async;\n  fence.proxy.async.global;\n"
                         "  fence.proxy.async.shared::cluster;\n  fence.proxy.tensormap::generic.release.gpu;\n"
                         "  fence.proxy.tensormap::generic.acquire.gpu [%out], 128;\n"
                         "  fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n"
                         "  fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;\n"
                         "  griddepcontrol.launch_dependents;\n  griddepcontrol.wait;\n"),
              {});
}

TEST(Barrier, ManyPhasesOfBlocksOfManyWarps) {
  std::string body = "  mov.u32 %n, 0;\n  shl.b32 %d, %t, 2;\n  add.u32 %d, %d, %a;\n  st.shared.u32 [%d], 0;\n"
                     "LOOP:\n  bar.sync 0;\n  add.u32 %i, %t, %n;\n  rem.u32 %i, %i, 1024;\n  shl.b32 %i, %i, 2;\n"
                     "  add.u32 %i, %i, %a;\n  ld.shared.u32 %v, [%i];\n  bar.sync 0;\n  add.u32 %v, %v, 1;\n"
                     "  st.shared.u32 [%i], %v;\n  add.u32 %n, %n, 33;\n  setp.lt.u32 %q, %n, 3300;\n  @%q bra LOOP;\n"
                     "  bar.sync 0;\n  ld.shared.u32 %v, [%d];\n  @%p st.global.u32 [%out], %v;\n";
  expectClean(kernel(1024, body), {100});
}

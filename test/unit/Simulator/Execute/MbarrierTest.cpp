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

static std::string init(unsigned bar, unsigned count) {
  return "  @%p mbarrier.init.shared.b64 [bars+" + std::to_string(8 * bar) + "], " + std::to_string(count) + ";\n";
}

/// Waits for a parity given as an operand; labels need a number of their own.
static std::string waitFor(unsigned bar, const std::string &parity, unsigned label) {
  std::string name = "WAIT" + std::to_string(label);
  return name + ":\n  mbarrier.try_wait.parity.shared::cta.b64 %q, [bars+" + std::to_string(8 * bar) + "], " + parity +
         ";\n  @!%q bra " + name + ";\n";
}

TEST(Mbarrier, PhasesAndPendingCount) {
  // Three threads' worth of arrivals by one thread; the state before each arrival has the pending count.
  std::string body = "  @!%p bra END;\n  mbarrier.init.shared.b64 [bars], 3;\n"
                     "  mbarrier.arrive.shared.b64 %st, [bars];\n  mbarrier.pending_count.b64 %v, %st;\n"
                     "  st.global.u32 [%out], %v;\n"
                     "  mbarrier.arrive.noComplete.shared.b64 %st, [bars], 1;\n  mbarrier.pending_count.b64 %v, %st;\n"
                     "  st.global.u32 [%out+4], %v;\n"
                     "  mbarrier.test_wait.shared.b64 %q, [bars], %st;\n  selp.u32 %v, 1, 0, %q;\n"
                     "  st.global.u32 [%out+8], %v;\n"
                     "  mbarrier.arrive.shared.b64 _, [bars];\n"
                     "  mbarrier.test_wait.shared.b64 %q, [bars], %st;\n  selp.u32 %v, 1, 0, %q;\n"
                     "  st.global.u32 [%out+12], %v;\n"
                     "  mbarrier.test_wait.parity.shared.b64 %q, [bars], 1;\n  selp.u32 %v, 1, 0, %q;\n"
                     "  st.global.u32 [%out+16], %v;\nEND:\n";
  expectClean(kernel(32, body), {3, 2, 0, 1, 0});
}

TEST(Mbarrier, DropLowersTheNextPhase) {
  std::string body = "  @!%p bra END;\n  mbarrier.init.shared.b64 [bars], 2;\n"
                     "  mbarrier.arrive_drop.shared.b64 _, [bars];\n  mbarrier.arrive.shared.b64 _, [bars];\n"
                     "  mbarrier.arrive.shared.b64 %st, [bars];\n  mbarrier.pending_count.b64 %v, %st;\n"
                     "  st.global.u32 [%out], %v;\n" +
                     waitFor(0, "1", 0) + "  mbarrier.inval.shared.b64 [bars];\nEND:\n";
  expectClean(kernel(32, body), {1});
}

TEST(Mbarrier, TransactionsHoldThePhase) {
  std::string body = "  @!%p bra END;\n  mbarrier.init.shared.b64 [bars], 1;\n"
                     "  mbarrier.arrive.expect_tx.shared.b64 %st, [bars], 512;\n"
                     "  mbarrier.test_wait.shared.b64 %q, [bars], %st;\n  selp.u32 %v, 1, 0, %q;\n"
                     "  st.global.u32 [%out], %v;\n"
                     "  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bars], 500;\n"
                     "  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bars], 12;\n"
                     "  mbarrier.test_wait.shared.b64 %q, [bars], %st;\n  selp.u32 %v, 1, 0, %q;\n"
                     "  st.global.u32 [%out+4], %v;\nEND:\n";
  expectClean(kernel(32, body), {0, 1});
}

/// Warp 0 fills a ring of two stages, warp 1 adds them up, over eight rounds.
static std::string ring(const std::string &consumerWait, const std::string &producerWait, const std::string &sync) {
  return init(0, 1) + init(1, 1) + init(2, 1) + init(3, 1) + sync +
         "  mov.u32 %n, 0;\n  mov.u32 %b, 0;\n  setp.eq.u32 %pw0, %w, 0;\n  @!%pw0 bra CONSUMER;\n"
         "PLOOP:\n  and.b32 %d, %n, 1;\n  shr.u32 %i, %n, 1;\n  not.b32 %i, %i;\n  and.b32 %i, %i, 1;\n"
         "  shl.b32 %v, %d, 3;\n  add.u32 %c, %v, bars;\n" +
         producerWait +
         "  shl.b32 %d, %d, 7;\n  add.u32 %d, %d, %a;\n  shl.b32 %v, %l, 2;\n  add.u32 %d, %d, %v;\n"
         "  add.u32 %v, %n, %l;\n  st.shared.u32 [%d], %v;\n  bar.warp.sync 0xffffffff;\n"
         "  @%p mbarrier.arrive.shared.b64 _, [%c];\n"
         "  add.u32 %n, %n, 1;\n  setp.lt.u32 %q, %n, 8;\n  @%q bra PLOOP;\n  bra END;\n"
         "CONSUMER:\n  and.b32 %d, %n, 1;\n  shr.u32 %i, %n, 1;\n  and.b32 %i, %i, 1;\n"
         "  shl.b32 %v, %d, 3;\n  add.u32 %c, %v, bars;\n" +
         consumerWait +
         "  shl.b32 %d, %d, 7;\n  add.u32 %d, %d, %a;\n  shl.b32 %v, %l, 2;\n  add.u32 %d, %d, %v;\n"
         "  ld.shared.u32 %v, [%d];\n  add.u32 %b, %b, %v;\n  bar.warp.sync 0xffffffff;\n"
         "  setp.eq.u32 %q, %l, 0;\n  @%q mbarrier.arrive.shared.b64 _, [%c+16];\n"
         "  add.u32 %n, %n, 1;\n  setp.lt.u32 %q, %n, 8;\n  @%q bra CONSUMER;\n"
         "  mul.wide.u32 %p0, %l, 4;\n  add.u64 %p0, %p0, %out;\n  st.global.u32 [%p0], %b;\nEND:\n";
}

// Stage s: full at bars + 8 s, empty at bars + 16 + 8 s.
static const char *const waitFull = "CW:\n  mbarrier.try_wait.parity.shared.b64 %q, [%c], %i;\n  @!%q bra CW;\n";
static const char *const waitEmpty = "PW:\n  mbarrier.try_wait.parity.shared.b64 %q, [%c+16], %i;\n  @!%q bra PW;\n";

TEST(Mbarrier, RingOfProducerAndConsumer) {
  std::vector<uint32_t> sums(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    sums[lane] = 28 + 8 * lane;
  expectClean(kernel(64, ring(waitFull, waitEmpty, "  bar.sync 0;\n")), sums);
  // The same by polling.
  std::string poll = waitFull;
  poll.replace(poll.find("try_wait"), 8, "test_wait");
  expectClean(kernel(64, ring(poll, waitEmpty, "  bar.sync 0;\n")), sums);
}

/// Which fault shows depends on who comes first: a race if the producer does, undefined bits if the consumer does, a phase
/// that is missed if either runs ahead.
static void expectSomeFinding(const KernelRun &run) {
  expectAnyFinding(run, {FindingKind::Race, FindingKind::Undefined, FindingKind::BarrierMisuse, FindingKind::Deadlock});
}

TEST(Mbarrier, ConsumerThatDoesNotWait) { expectSomeFinding(kernel(64, ring("", waitEmpty, "  bar.sync 0;\n"))); }

TEST(Mbarrier, WrongPhaseOfTheConsumer) {
  std::string wrong = waitFull;
  wrong.insert(wrong.find("CW:"), "  xor.b32 %i, %i, 1;\n");
  expectSomeFinding(kernel(64, ring(wrong, waitEmpty, "  bar.sync 0;\n")));
}

TEST(Mbarrier, RingWithoutEmptyBarriersOverwritesWhatIsRead) {
  expectSomeFinding(kernel(64, ring(waitFull, "", "  bar.sync 0;\n")));
}

TEST(Mbarrier, InitNotOrderedBeforeUse) { expectSomeFinding(kernel(64, ring(waitFull, waitEmpty, ""))); }

TEST(Mbarrier, TooManyArrivals) {
  expectFinding(kernel(32, init(0, 1) + "  bar.sync 0;\n  mbarrier.arrive.shared.b64 %st, [bars], 2;\n"),
                FindingKind::BarrierMisuse, "too many arrivals at mbarrier at shared address");
}

TEST(Mbarrier, NotInitialisedOverwrittenInvalidated) {
  expectFinding(kernel(32, "  mbarrier.arrive.shared.b64 %st, [bars];\n"), FindingKind::BarrierMisuse,
                "has not been initialised");
  expectFinding(kernel(32, init(0, 1) + "  @%p st.shared.u32 [bars], 7;\n  @%p mbarrier.arrive.shared.b64 %st, [bars];\n"),
                FindingKind::BarrierMisuse, "was overwritten");
  expectFinding(kernel(32, init(0, 1) + "  @%p mbarrier.inval.shared.b64 [bars];\n"
                                        "  @%p mbarrier.arrive.shared.b64 %st, [bars];\n"),
                FindingKind::BarrierMisuse, "was invalidated at kernel.ptx:");
  expectFinding(kernel(32, init(0, 1) + init(0, 1)), FindingKind::BarrierMisuse, "initialised again");
}

TEST(Mbarrier, TransactionCountOutOfRange) {
  expectFinding(kernel(32, init(0, 1) + "  @%p mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bars], 1048575;\n"
                                        "  @%p mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bars], 1;\n"),
                FindingKind::BarrierMisuse, "outside of");
}

TEST(Mbarrier, Misaligned) {
  expectFinding(kernel(32, "  @%p mbarrier.init.shared.b64 [bars+4], 1;\n"), FindingKind::Misaligned);
}

TEST(Mbarrier, DeadlockNamesThePhase) {
  std::string body = init(0, 2) + "  bar.sync 0;\n  @%p mbarrier.arrive.expect_tx.shared.b64 _, [bars], 16384;\n" +
                     waitFor(0, "0", 0);
  expectFinding(kernel(64, body), FindingKind::Deadlock,
                "phase 0 is not complete: 1 pending arrivals, 16384 pending bytes");
  expectFinding(kernel(64, body), FindingKind::Deadlock, "arrivals in this phase: 1 by warp 0");
}

TEST(Mbarrier, RemoteArrival) {
  // Block 1 writes into block 0's memory and arrives at its mbarrier.
  std::string body = "  mov.u32 %n, %cluster_ctarank;\n" + init(0, 1) +
                     "  fence.mbarrier_init.release.cluster;\n"
                     "  barrier.cluster.arrive.relaxed;\n  barrier.cluster.wait;\n"
                     "  @!%p bra DONE;\n  setp.eq.u32 %q, %n, 0;\n  @%q bra WAIT0;\n"
                     "  mapa.shared::cluster.u32 %d, %a, 0;\n  st.shared::cluster.u32 [%d], 41;\n"
                     "  mapa.shared::cluster.u32 %d, %c, 0;\n"
                     "  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%d];\n  bra DONE;\n" +
                     waitFor(0, "0", 0) + "  ld.shared.u32 %v, [%a];\n  st.global.u32 [%out], %v;\nDONE:\n"
                     "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";
  size_t at = body.find("try_wait.parity.");
  body.insert(at + 16, "acquire.cluster.");
  expectClean(kernel(32, body, 2, 2), {41});
}

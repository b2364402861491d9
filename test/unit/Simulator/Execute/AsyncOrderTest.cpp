/// Bulk copies against barriers: what must be waited for, and what must be fenced.
#include "KernelRun.h"

using namespace tilec;
using namespace tilec::sim;

static KernelRun kernel(std::string body) {
  KernelRun run;
  run.threads = 64;
  run.body = std::move(body);
  return run;
}

/// All threads fill shared memory; one copies it to global memory.
static std::string store(const std::string &fence, const std::string &barrier) {
  return "  shl.b32 %d, %t, 2;\n  add.u32 %d, %d, %a;\n  st.shared.u32 [%d], %t;\n" + fence + barrier +
         "  @%p cp.async.bulk.global.shared::cta.bulk_group [%out], [%a], 256;\n"
         "  @%p cp.async.bulk.commit_group;\n  @%p cp.async.bulk.wait_group 0;\n";
}

TEST(AsyncOrder, StoreNeedsAProxyFence) {
  std::string fence = "  fence.proxy.async.shared::cta;\n", barrier = "  bar.sync 0;\n";
  expectClean(kernel(store(fence, barrier)), {0, 1, 2, 3, 4, 5});
  // The thread that issues may fence for all whose writes it has seen.
  expectClean(kernel(store("", barrier + fence)), {0, 1, 2, 3, 4, 5});
  expectFinding(kernel(store("", barrier)), FindingKind::MissingProxyFence, "fence.proxy.async");
  // Without the barrier: the copy reads what another warp is writing, whichever comes first.
  expectAnyFinding(kernel(store(fence, "")), {FindingKind::Race, FindingKind::AsyncNotWaited});
}

/// One thread copies from global to shared memory; all wait and read.
static std::string load(const std::string &wait) {
  return "  @%p mbarrier.init.shared.b64 [bars], 1;\n  @%p fence.proxy.async.shared::cta;\n  bar.sync 0;\n"
         "  @%p mbarrier.arrive.expect_tx.shared.b64 _, [bars], 256;\n"
         "  @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%out], 256, [%c];\n" +
         wait +
         "  shl.b32 %d, %t, 2;\n  add.u32 %d, %d, %a;\n  ld.shared.u32 %v, [%d];\n  mul.wide.u32 %p0, %t, 4;\n"
         "  add.u64 %p0, %p0, %out;\n  add.u32 %v, %v, %t;\n  st.global.u32 [%p0+1024], %v;\n";
}

TEST(AsyncOrder, LoadMustBeWaitedFor) {
  std::string wait = "W:\n  mbarrier.try_wait.parity.shared.b64 %q, [bars], 0;\n  @!%q bra W;\n";
  expectClean(kernel(load(wait)), {0, 0});
  expectAnyFinding(kernel(load("")), {FindingKind::Race, FindingKind::AsyncNotWaited});
  KernelRun issuer = kernel(load(""));
  issuer.threads = 32;
  expectFinding(issuer, FindingKind::AsyncNotWaited, "has not been waited for");
  std::string wrong = wait;
  wrong.replace(wrong.find(", 0;"), 4, ", 1;");
  expectAnyFinding(kernel(load(wrong)), {FindingKind::Race, FindingKind::AsyncNotWaited});
}

TEST(AsyncOrder, LoadOverWhatIsStillRead) {
  // The other warp's read of the first copy is not ordered before the second copy.
  std::string wait = "W:\n  mbarrier.try_wait.parity.shared.b64 %q, [bars], 0;\n  @!%q bra W;\n";
  std::string second = "  @%p mbarrier.arrive.expect_tx.shared.b64 _, [bars], 256;\n"
                       "  @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%out], 256, [%c];\n"
                       "W2:\n  mbarrier.try_wait.parity.shared.b64 %q, [bars], 1;\n  @!%q bra W2;\n";
  expectAnyFinding(kernel(load(wait) + second),
                   {FindingKind::Race, FindingKind::AsyncNotWaited, FindingKind::BarrierMisuse, FindingKind::Deadlock});
  expectClean(kernel(load(wait) + "  bar.sync 0;\n" + second), {0, 0});
}

TEST(AsyncOrder, TooFewBytesIsADeadlock) {
  std::string wait = "W:\n  mbarrier.try_wait.parity.shared.b64 %q, [bars], 0;\n  @!%q bra W;\n";
  std::string body = load(wait);
  body.replace(body.find("[bars], 256"), 11, "[bars], 512");
  expectFinding(kernel(body), FindingKind::Deadlock, "0 pending arrivals, 256 pending bytes");
}

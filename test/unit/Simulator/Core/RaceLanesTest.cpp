/// Races of lanes whose places do not follow each other: all lanes of a warp are recorded at once, each as itself.
#include "test/unit/Simulator/Execute/KernelRun.h"

using namespace tilec::sim;

namespace {
/// Thread t of 64 stores to word 7 t mod 64, so that the warps' words interleave.
const char *const scatteredStores = R"(
  mul.lo.u32 %v, %t, 7;
  and.b32 %v, %v, 63;
  shl.b32 %v, %v, 2;
  add.u32 %d, %a, %v;
  st.shared.u32 [%d], %t;
)";
} // namespace

TEST(RaceLanes, scattered_stores_and_loads_after_a_barrier_are_clean) {
  KernelRun kernel;
  kernel.threads = 64;
  kernel.body = std::string(scatteredStores) + R"(
  bar.sync 0;
  shl.b32 %i, %t, 2;
  add.u32 %d, %a, %i;
  ld.shared.u32 %n, [%d];
  mul.wide.u32 %p0, %t, 4;
  add.u64 %p0, %p0, %out;
  st.global.u32 [%p0], %n;
)";
  // 7 * 55 = 6 * 64 + 1: word w is stored by thread 55 w mod 64.
  std::vector<uint32_t> expected;
  for (uint32_t word = 0; word < 64; ++word)
    expected.push_back(word * 55 % 64);
  expectClean(kernel, expected);
}

TEST(RaceLanes, negative_one_lane_of_scattered_loads) {
  // Thread 33 stores word 39 = 7 * 33 mod 64, which thread 0 reads without a barrier between.
  KernelRun kernel;
  kernel.threads = 64;
  kernel.body = std::string(scatteredStores) + R"(
  @%p add.u32 %d, %a, 156;
  ld.shared.u32 %n, [%d];
)";
  expectFinding(kernel, FindingKind::Race, "of 4 bytes at shared address 0x49c");
  expectFinding(kernel, FindingKind::Race, "thread (0,0,0)");
  expectFinding(kernel, FindingKind::Race, "thread (33,0,0)");
}

TEST(RaceLanes, negative_lanes_of_one_warp) {
  KernelRun kernel;
  kernel.body = R"(
  mul.lo.u32 %v, %t, 20;
  add.u32 %d, %a, %v;
  st.shared.u32 [%d], %t;
  @%p add.u32 %d, %a, 40;
  ld.shared.u32 %n, [%d];
)";
  expectFinding(kernel, FindingKind::Race, "thread (2,0,0)");
}

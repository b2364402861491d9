#include "test/unit/Simulator/Execute/BulkKernel.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

namespace {

const char *const waitGroup = "  @!%p0 cp.async.bulk.wait_group 0;\n";

std::string loadText(unsigned bytes, unsigned from = 0) {
  return "  @!%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1+" +
         std::to_string(from) + "], " + std::to_string(bytes) + ", [%r2];\n";
}

std::string storeText(unsigned bytes, const std::string &operation = {}) {
  return std::string("  @!%p0 cp.") + (operation.empty() ? "" : "reduce.") +
         "async.bulk.global.shared::cta.bulk_group" + operation + " [%rd2], [%r1], " + std::to_string(bytes) +
         ";\n  @!%p0 cp.async.bulk.commit_group;\n";
}

TEST(BulkCopy, LoadsBytes) {
  BulkRun run(kernelText(initText + expectText(4096) + loadText(4096, 48) + waitText + dumpText(4096)));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    ASSERT_EQ(run.run(seed), Names()) << run.status;
    EXPECT_TRUE(std::equal(run.result.begin(), run.result.begin() + 4096, run.input.begin() + 48));
  }
}

TEST(BulkCopy, SizesAndAddressesAreMultiplesOf16) {
  EXPECT_EQ(BulkRun(kernelText(initText + loadText(40))).run(), Names({"invalid operand"}));
  EXPECT_EQ(BulkRun(kernelText(initText + loadText(48, 8))).run(), Names({"misaligned"}));
  BulkRun over(kernelText(initText + loadText(4096, 65536 - 2048)));
  EXPECT_EQ(over.run(), Names({"out of bounds"}));
}

TEST(BulkCopy, DestinationReadWithoutWait) {
  BulkRun run(kernelText(initText + expectText(4096) + loadText(4096) + dumpText(4096)));
  EXPECT_TRUE(isMissingWait(run.run())) << run.status;
}

TEST(BulkCopy, UndefinedBytesTravel) {
  BulkRun run(kernelText(initText + expectText(64) + loadText(64) + waitText + dumpText(64)));
  ASSERT_TRUE(run.device->copyIn(run.in, run.input.data(), 32, {}));
  ASSERT_EQ(run.launch(), Names()) << run.status;
  EXPECT_FALSE(run.readBack);
  std::vector<uint8_t> host(64);
  EXPECT_TRUE(run.device->copyOut(host.data(), run.out, 32, {}));
  EXPECT_FALSE(run.device->copyOut(host.data(), run.out + 32, 32, {}));
}

TEST(BulkCopy, StoresBytes) {
  BulkRun run(kernelText(fillText(2048) + proxyFenceText + storeText(2048) + waitGroup));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    ASSERT_EQ(run.run(seed), Names()) << run.status;
    EXPECT_TRUE(std::equal(run.result.begin(), run.result.begin() + 2048, run.input.begin()));
  }
}

/// After a wait for reads, the source may be overwritten; what is stored is what was there before.
TEST(BulkCopy, WaitForReadsFreesTheSource) {
  std::string text = fillText(128) + proxyFenceText + storeText(128) + "  @!%p0 cp.async.bulk.wait_group.read 0;\n" +
                     "  @!%p0 st.shared.b32 [%r1], 7;\n";
  BulkRun run(kernelText(text + waitGroup));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    ASSERT_EQ(run.run(seed), Names()) << run.status;
    EXPECT_TRUE(std::equal(run.result.begin(), run.result.begin() + 128, run.input.begin()));
  }
}

TEST(BulkCopy, SourceOverwrittenTooEarly) {
  BulkRun run(
      kernelText(fillText(128) + proxyFenceText + storeText(128) + "  @!%p0 st.shared.b32 [%r1], 7;\n" + waitGroup));
  EXPECT_EQ(run.run(), Names({"asynchronous result not waited for"})) << run.status;
}

/// A wait for reads says nothing about the destination.
TEST(BulkCopy, DestinationReadAfterWaitForReads) {
  BulkRun run(kernelText(fillText(128) + proxyFenceText + storeText(128) +
                         "  @!%p0 cp.async.bulk.wait_group.read 0;\n  @!%p0 ld.global.b32 %r10, [%rd2];\n" +
                         waitGroup));
  EXPECT_EQ(run.run(), Names({"asynchronous result not waited for"})) << run.status;
}

/// With one group pending, only the first one's source may be overwritten.
TEST(BulkCopy, WaitsCountGroups) {
  std::string text = fillText(256) + proxyFenceText + storeText(128) +
                     "  add.u64 %rd2, %rd2, 128;\n  add.u32 %r1, %r1, 128;\n" + storeText(128) +
                     "  add.u32 %r5, %r1, -128;\n  @!%p0 cp.async.bulk.wait_group 1;\n";
  BulkRun right(kernelText(text + "  @!%p0 st.shared.b32 [%r5], 7;\n" + waitGroup));
  for (uint64_t seed = 0; seed < 3; ++seed) {
    ASSERT_EQ(right.run(seed), Names()) << right.status;
    EXPECT_TRUE(std::equal(right.result.begin(), right.result.begin() + 256, right.input.begin()));
  }
  BulkRun wrong(kernelText(text + "  @!%p0 st.shared.b32 [%r1], 7;\n" + waitGroup));
  EXPECT_EQ(wrong.run(), Names({"asynchronous result not waited for"})) << wrong.status;
}

TEST(BulkCopy, ThreadEndsBeforeItsSourceIsRead) {
  BulkRun run(kernelText(fillText(128) + proxyFenceText + storeText(128)));
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_EQ(run.run(seed), Names({"asynchronous result not waited for"})) << run.status;
  EXPECT_NE(run.status.find("reads shared memory of a block whose threads have ended"), std::string::npos);
  BulkRun right(
      kernelText(fillText(128) + proxyFenceText + storeText(128) + "  @!%p0 cp.async.bulk.wait_group.read 0;\n"));
  EXPECT_EQ(right.run(), Names()) << right.status;
}

TEST(BulkCopy, BlockEndsBeforeItsLoad) {
  BulkRun run(kernelText(initText + expectText(128) + loadText(128)));
  EXPECT_EQ(run.run(), Names({"asynchronous result not waited for"})) << run.status;
}

/// Warp 1 reads the tile while warp 0 loads the next one into it; `between` is what should order them.
static std::string ringText(const std::string &between) {
  return initText + expectText(128) + loadText(128) + waitText + R"(
  setp.ge.u32 %p4, %r0, 32;
  @%p4 ld.shared.b32 %r10, [%r1];
)" + between +
         expectText(128) + loadText(128, 128) + R"(
AGAIN:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 1;
  @!%p1 bra AGAIN;
)";
}

TEST(BulkCopy, SlotRefilledWhileItIsRead) {
  BulkRun wrong(kernelText(ringText("")));
  wrong.threads = 64;
  BulkRun right(kernelText(ringText("  bar.sync 0;\n")));
  right.threads = 64;
  unsigned found = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    found += !wrong.run(seed).empty();
    EXPECT_EQ(right.run(seed), Names()) << right.status;
  }
  EXPECT_EQ(found, 8u);
}

TEST(BulkCopy, FewerBytesExpectedThanCome) {
  BulkRun run(kernelText(initText + expectText(112) + loadText(128) + waitText));
  EXPECT_FALSE(run.run().empty());
}

TEST(BulkCopy, BarrierThatWasNotInitialised) {
  BulkRun run(kernelText(loadText(128)));
  Names names = run.run();
  EXPECT_NE(std::find(names.begin(), names.end(), "barrier misuse"), names.end()) << run.status;
}

TEST(BulkCopy, FloatReductions) {
  BulkRun run(kernelText(fillText(256) + proxyFenceText + storeText(256, ".add.f32") + waitGroup));
  for (unsigned i = 0; i < 64; ++i) {
    float a = 0.25f * static_cast<float>(i), b = 1.5f;
    std::memcpy(run.input.data() + 4 * i, &a, 4);
    std::memcpy(run.output.data() + 4 * i, &b, 4);
  }
  ASSERT_EQ(run.run(0, 3), Names()) << run.status;
  for (unsigned i = 0; i < 64; ++i) {
    float sum;
    std::memcpy(&sum, run.result.data() + 4 * i, 4);
    EXPECT_EQ(sum, 1.5f + 0.75f * static_cast<float>(i));
  }
}

TEST(BulkCopy, ReductionsThatDoNotExistAreRefused) {
  auto refusal = [](const char *operation) { return BulkRun(kernelText(storeText(256, operation))).run().at(0); };
  EXPECT_NE(refusal(".min.f32").find("no bulk reduction min of .f32"), std::string::npos);
  EXPECT_NE(refusal(".add.f16").find(".add of f16 and bf16 needs .noftz"), std::string::npos);
  EXPECT_NE(refusal(".add.noftz.f32").find(".noftz is for .add of f16 and bf16"), std::string::npos);
}

TEST(BulkCopy, ByteMask) {
  BulkRun run(kernelText(fillText(128) + proxyFenceText +
                             "  mov.u16 %h0, 0x00f1;\n  @!%p0 cp.async.bulk.global.shared::cta.bulk_group.cp_mask "
                             "[%rd2], [%r1], 128, %h0;\n  @!%p0 cp.async.bulk.commit_group;\n" +
                             waitGroup,
                         "sm_120a"),
              65536, 65536, "sm_120a");
  ASSERT_EQ(run.run(), Names()) << run.status;
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(run.result[i], (0x00f1 >> i % 16 & 1) ? run.input[i] : run.output[i]);
  BulkRun old(kernelText("  cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%r1], 128, %h0;\n"));
  EXPECT_NE(old.run().at(0).find("needs sm_100 or later"), std::string::npos);
}

const char *const clusterMeetText =
    "  barrier.cluster.arrive.release.aligned;\n  barrier.cluster.wait.acquire.aligned;\n";

/// Block 0 copies its tile into block 1's.
TEST(BulkCopy, ToAnotherBlock) {
  std::string text = initText + fillText(512) + "  fence.proxy.async.shared::cta;\n" + clusterMeetText + R"(
  setp.ne.u32 %p3, %r4, 0;
  @%p3 bra RECEIVE;
  mapa.shared::cluster.u32 %r5, %r3, 1;
  mapa.shared::cluster.u32 %r6, %r2, 1;
  @!%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], [%r1], 512, [%r6];
  bra MEET;
RECEIVE:
)" + expectText(512) +
                     waitText + "  mov.u32 %r1, %r3;\n" + dumpText(512) + "MEET:\n" + clusterMeetText;
  BulkRun run(kernelText(text));
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ASSERT_EQ(run.run(seed, 2, 2), Names()) << run.status;
    EXPECT_TRUE(std::equal(run.result.begin() + 512, run.result.begin() + 1024, run.input.begin()));
  }
}

/// Block 0 adds its input to block 1's memory.
TEST(BulkCopy, ReductionInAnotherBlock) {
  std::string text = initText + fillText(256) + R"(
  shl.b32 %r10, %r0, 2;
  add.u32 %r11, %r3, %r10;
  st.shared.b32 [%r11], 5;
  st.shared.b32 [%r11+128], 5;
  fence.proxy.async.shared::cta;
)" + clusterMeetText +
                     R"(
  setp.ne.u32 %p3, %r4, 0;
  @%p3 bra RECEIVE;
  mapa.shared::cluster.u32 %r5, %r3, 1;
  mapa.shared::cluster.u32 %r6, %r2, 1;
  @!%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r5], [%r1], 256, [%r6];
  bra MEET;
RECEIVE:
)" + expectText(256) +
                     waitText + "  mov.u32 %r1, %r3;\n" + dumpText(256) + "MEET:\n" + clusterMeetText;
  BulkRun run(kernelText(text));
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ASSERT_EQ(run.run(seed, 2, 2), Names()) << run.status;
    for (unsigned i = 0; i < 64; ++i) {
      uint32_t in, out;
      std::memcpy(&in, run.input.data() + 4 * i, 4);
      std::memcpy(&out, run.result.data() + 256 + 4 * i, 4);
      EXPECT_EQ(out, in + 5);
    }
  }
}

TEST(BulkCopy, IntoTheBlockItself) {
  BulkRun run(kernelText(initText + std::string("  @!%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
                                                "complete_tx::bytes [%r3], [%r1], 128, [%r2];\n")));
  EXPECT_EQ(run.run(), Names({"invalid operand"})) << run.status;
}

TEST(BulkCopy, PrefetchDoesNothing) {
  BulkRun run(kernelText("  @!%p0 cp.async.bulk.prefetch.L2.global [%rd1], 256;\n"));
  EXPECT_EQ(run.run(), Names()) << run.status;
}

TEST(BulkCopy, EveryLaneIssuesItsOwn) {
  // 32 copies of 32 bytes each.
  std::string text = initText + expectText(1024) + R"(
  shl.b32 %r10, %r0, 5;
  add.u32 %r11, %r1, %r10;
  mul.wide.u32 %rd10, %r10, 1;
  add.u64 %rd11, %rd1, %rd10;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], [%rd11], 32, [%r2];
)" + waitText + dumpText(1024);
  BulkRun run(kernelText(text));
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ASSERT_EQ(run.run(seed), Names()) << run.status;
    EXPECT_TRUE(std::equal(run.result.begin(), run.result.begin() + 1024, run.input.begin()));
  }
}

} // namespace

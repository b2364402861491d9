/// Small kernels around bulk copies for tests: text pieces that every one needs, and a device that runs them.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_BULKKERNEL_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_BULKKERNEL_H

#include "lib/Simulator/SimulatedDevice.h"
#include "lib/Simulator/Tma/TensorMap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace tilec::sim {

/// A kernel `k(map, in, out)` with the body; shared variables `tile` (8192 bytes), `other` (8192 bytes) and `bar`.
/// Registers set at its start: %r0 tid.x, %r1 tile, %r2 bar, %r3 other, %r4 cluster rank; %rd0 map, %rd1 in, %rd2 out;
/// %p0 not thread 0. Bodies have the other registers to themselves.
inline std::string kernelText(const std::string &body, const std::string &target = "sm_90a") {
  return ".version 8.6\n.target " + target + R"(
.address_size 64
.visible .entry k(.param .align 64 .b8 k_map[128], .param .u64 k_in, .param .u64 k_out)
{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<32>;
  .shared .align 1024 .b8 tile[8192];
  .shared .align 1024 .b8 other[8192];
  .shared .align 8 .b64 bar;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, tile;
  mov.u32 %r2, bar;
  mov.u32 %r3, other;
  mov.u32 %r4, %cluster_ctarank;
  mov.b64 %rd0, k_map;
  cvta.param.u64 %rd0, %rd0;
  ld.param.u64 %rd1, [k_in];
  ld.param.u64 %rd2, [k_out];
  setp.ne.u32 %p0, %r0, 0;
)" + body +
         "\n  ret;\n}\n";
}

/// Thread 0 makes the mbarrier for one arrival; then the block meets.
inline const char *const initText = R"(
  @%p0 bra INIT;
  mbarrier.init.shared.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
INIT:
  bar.sync 0;
)";

/// Thread 0 arrives and expects the bytes.
inline std::string expectText(unsigned bytes) {
  return "  @!%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], " + std::to_string(bytes) + ";\n";
}

/// All threads wait for the mbarrier's phase.
inline const char *const waitText = R"(
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
  @!%p1 bra WAIT;
)";

/// Every thread copies words from `tile` to `out` + rank * bytes.
inline std::string dumpText(unsigned bytes) {
  return R"(
  shl.b32 %r20, %r0, 2;
  mul.lo.u32 %r23, %r4, )" +
         std::to_string(bytes) + R"(;
DUMP:
  setp.ge.u32 %p2, %r20, )" +
         std::to_string(bytes) + R"(;
  @%p2 bra DUMPED;
  add.u32 %r21, %r1, %r20;
  ld.shared.b32 %r22, [%r21];
  add.u32 %r21, %r20, %r23;
  mul.wide.u32 %rd20, %r21, 1;
  add.u64 %rd20, %rd2, %rd20;
  st.global.b32 [%rd20], %r22;
  add.u32 %r20, %r20, 128;
  bra DUMP;
DUMPED:
)";
}

/// Every thread copies words from `in` to `tile`.
inline std::string fillText(unsigned bytes) {
  return R"(
  shl.b32 %r20, %r0, 2;
FILL:
  setp.ge.u32 %p2, %r20, )" +
         std::to_string(bytes) + R"(;
  @%p2 bra FILLED;
  mul.wide.u32 %rd20, %r20, 1;
  add.u64 %rd20, %rd1, %rd20;
  ld.global.b32 %r22, [%rd20];
  add.u32 %r21, %r1, %r20;
  st.shared.b32 [%r21], %r22;
  add.u32 %r20, %r20, 128;
  bra FILL;
FILLED:
)";
}

inline const char *const proxyFenceText = "  fence.proxy.async.shared::cta;\n  bar.sync 0;\n";

/// A device with an input and an output buffer.
class BulkRun {
public:
  explicit BulkRun(const std::string &text, size_t inBytes = 65536, size_t outBytes = 65536,
                   const char *target = "sm_90a")
      : device(SimulatedDevice::create(target)), text(text) {
    in = static_cast<std::byte *>(*device->allocate(inBytes));
    out = static_cast<std::byte *>(*device->allocate(outBytes));
    input.resize(inBytes);
    for (size_t i = 0; i < inBytes; ++i)
      input[i] = static_cast<uint8_t>(i * 7 + (i >> 8) * 13 + 1);
    output.resize(outBytes);
  }

  uint64_t inAddress() const { return reinterpret_cast<uintptr_t>(in); }
  uint64_t outAddress() const { return reinterpret_cast<uintptr_t>(out); }

  /// Runs blocks of `threads` threads; the findings' names, one each ("race"), or an error's text.
  std::vector<std::string> run(uint64_t seed = 0, unsigned blocks = 1, unsigned cluster = 1) {
    EXPECT_TRUE(device->copyIn(in, input.data(), input.size(), {}));
    EXPECT_TRUE(device->copyIn(out, output.data(), output.size(), {}));
    return launch(seed, blocks, cluster);
  }

  /// As run, with the buffers as they are.
  std::vector<std::string> launch(uint64_t seed = 0, unsigned blocks = 1, unsigned cluster = 1) {
    device->options().seed = seed;
    const char *pieces[] = {text.c_str()};
    CodeImage image = CodeImage::ofPtx(pieces);
    Result<Function> function = device->load(image, "k", 0);
    if (!function)
      return {function.status().message()};
    void *inPointer = in, *outPointer = out;
    void *parameters[] = {&map, &inPointer, &outPointer};
    uint32_t sizes[] = {tensorMapBytes, 8, 8};
    LaunchRequest request;
    request.function = *function;
    request.blocks = blocks;
    request.threads = threads;
    request.cluster = cluster;
    request.parameters = parameters;
    request.parameterSizes = sizes;
    request.parameterCount = 3;
    status = device->launch(request).message();
    std::vector<std::string> names;
    for (const Finding &finding : device->lastFindings())
      names.push_back(findingName(finding.kind));
    if (names.empty() && !status.empty())
      names.push_back(status);
    result.resize(output.size());
    readBack = static_cast<bool>(device->copyOut(result.data(), out, result.size(), {}));
    return names;
  }

  std::unique_ptr<SimulatedDevice> device;
  std::string text, status;
  std::byte *in = nullptr, *out = nullptr;
  TensorMap map;
  unsigned threads = 32;
  /// Contents before and after.
  std::vector<uint8_t> input, output, result;
  bool readBack = false;
};

using Names = std::vector<std::string>;

/// Whether there are findings, all of a missing wait: at a use, and at the block's end if nothing waited until then.
inline bool isMissingWait(const Names &names) {
  for (const std::string &name : names)
    if (name != "asynchronous result not waited for")
      return false;
  return !names.empty();
}

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_BULKKERNEL_H

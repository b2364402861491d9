/// Runs the kernel `k` of a module of the test's own, with functions and launches of any shape, and keeps its counters.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_CONTROLKERNEL_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_CONTROLKERNEL_H

#include "lib/Simulator/SimulatedDevice.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace tilec::sim {

class ControlKernel {
public:
  Dim3 blocks = 1, threads = 32, cluster = 1;
  uint32_t sharedBytes = 0;
  /// Functions and variables of the module, and the directives of the kernel (".reqntid 32").
  std::string before, directives;
  std::string target = "sm_90a", device = "sm_90a";
  RunOptions options;
  size_t words = 1024;

  std::vector<uint32_t> output;
  std::vector<Finding> findings;
  Counters counters;
  /// Of loading or launching.
  Status status;

  /// In the body, %t is the thread in the block, numbered x fastest; %b the block in the grid likewise; %out the buffer,
  /// %mine the address of the word that belongs to the thread in the grid. Registers %r, %s, %d, %p are there to use.
  std::string text(const std::string &body) const {
    return ".version 9.0\n.target " + target + "\n.address_size 64\n" + before + "\n.visible .entry k(.param .u64 out) " +
           directives +
           "\n{\n.reg .u32 %t, %b, %r<20>, %n;\n.reg .u64 %out, %mine, %d<10>;\n.reg .s32 %s<10>;\n.reg .pred %p<10>;\n"
           "ld.param.u64 %out, [out];\n"
           "mov.u32 %t, %tid.z; mov.u32 %n, %ntid.y; mov.u32 %b, %tid.y; mad.lo.u32 %t, %t, %n, %b;\n"
           "mov.u32 %n, %ntid.x; mov.u32 %b, %tid.x; mad.lo.u32 %t, %t, %n, %b;\n"
           "mov.u32 %b, %ctaid.z; mov.u32 %n, %nctaid.y; mov.u32 %r0, %ctaid.y; mad.lo.u32 %b, %b, %n, %r0;\n"
           "mov.u32 %n, %nctaid.x; mov.u32 %r0, %ctaid.x; mad.lo.u32 %b, %b, %n, %r0;\n"
           "mov.u32 %n, %ntid.x; mov.u32 %r0, %ntid.y; mul.lo.u32 %n, %n, %r0; mov.u32 %r0, %ntid.z;\n"
           "mul.lo.u32 %n, %n, %r0; mad.lo.u32 %r0, %b, %n, %t;\n"
           "mad.wide.u32 %mine, %r0, 4, %out;\n" +
           body + "\n}\n";
  }

  ControlKernel &run(const std::string &body) {
    std::unique_ptr<SimulatedDevice> simulated = SimulatedDevice::create(device);
    simulated->options() = options;
    std::string source = text(body);
    const char *pieces = source.c_str();
    output.assign(words, 0);
    findings.clear();
    counters = Counters();
    Result<Function> function = simulated->load(CodeImage::ofPtx(&pieces), "k", 0);
    if (!function) {
      status = function.status();
      return *this;
    }
    void *buffer = *simulated->allocate(words * 4);
    (void)simulated->fill(buffer, 0, words * 4, {});
    LaunchRequest request;
    request.function = *function;
    request.blocks = blocks;
    request.threads = threads;
    request.cluster = cluster;
    request.sharedBytes = sharedBytes;
    void *parameters[] = {&buffer};
    request.parameters = parameters;
    request.parameterCount = 1;
    status = simulated->launch(request);
    findings = simulated->lastFindings();
    counters = simulated->lastCounters();
    Status copied = simulated->copyOut(output.data(), buffer, words * 4, {});
    EXPECT_TRUE(copied) << copied.message();
    return *this;
  }

  /// Operations of a class that warps executed.
  uint64_t executed(InstructionClass kind) const { return counters.warpInstructions[static_cast<size_t>(kind)]; }

  /// No finding, and these words from the start of the buffer.
  void expect(const std::vector<uint32_t> &expected) const {
    EXPECT_TRUE(status) << status.message();
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(output[i], expected[i]) << "word " << i;
  }
  /// A finding of that kind whose report has the text.
  void expectFinding(FindingKind kind, const std::string &part) const {
    bool found = false;
    for (const Finding &finding : findings)
      found |= finding.kind == kind;
    EXPECT_TRUE(found) << "no '" << findingName(kind) << "' in\n" << status.message();
    EXPECT_NE(status.message().find(part), std::string::npos) << "no '" << part << "' in\n" << status.message();
  }
};

/// A word for each of `count` threads.
template <typename Value> std::vector<uint32_t> wordsOf(unsigned count, Value value) {
  std::vector<uint32_t> words(count);
  for (unsigned i = 0; i < count; ++i)
    words[i] = static_cast<uint32_t>(value(i));
  return words;
}

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_CONTROLKERNEL_H

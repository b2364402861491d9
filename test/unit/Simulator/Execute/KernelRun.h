/// Runs a kernel given as the body of its PTX, with one output buffer, under every interleaving that a few seeds make.
#ifndef TILEC_TEST_UNIT_SIMULATOR_EXECUTE_KERNELRUN_H
#define TILEC_TEST_UNIT_SIMULATOR_EXECUTE_KERNELRUN_H

#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/SimulatedDevice.h"
#include "test/unit/Simulator/Execute/OneBufferGrid.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tilec::sim {

struct KernelRun {
  unsigned blocks = 1, threads = 32, cluster = 1;
  uint64_t seed = 0;
  bool check = true;
  /// Words of the buffer that %out points to; zero at first.
  size_t words = 1024;
  /// 1024 words of shared memory are `s`; mbarriers are `bars` (32 of them). %tid is in %t, its warp in %w.
  std::string body;

  std::vector<uint32_t> output;
  std::vector<Finding> findings;

  /// The whole module.
  std::string text() const {
    return ".version 9.0\n.target sm_90a\n.address_size 64\n"
           ".visible .entry k(.param .u64 out)\n{\n"
           "  .reg .u32 %t, %w, %l, %b, %a, %c, %d, %v, %i, %n;\n  .reg .u64 %out, %p0, %p1, %st;\n"
           "  .reg .pred %p, %q;\n  .reg .pred %pw<4>;\n"
           "  .shared .align 16 .b32 s[1024];\n  .shared .align 8 .b64 bars[32];\n"
           "  ld.param.u64 %out, [out];\n  cvta.to.global.u64 %out, %out;\n"
           "  mov.u32 %t, %tid.x;\n  shr.u32 %w, %t, 5;\n  and.b32 %l, %t, 31;\n  mov.u32 %b, %ctaid.x;\n"
           "  mov.u32 %a, s;\n  mov.u32 %c, bars;\n  setp.eq.u32 %p, %t, 0;\n" +
           body + "\n  ret;\n}\n";
  }

  KernelRun &run() {
    output.assign(words, 0);
    findings.clear();
    auto source = std::make_shared<const std::string>(text());
    ptx::Error error;
    std::shared_ptr<const ptx::Module> module = ptx::parse(*source, error);
    if (!module) {
      ADD_FAILURE() << "line " << error.location.line << ": " << error.message << "\n" << *source;
      return *this;
    }
    const mlir::tile::Target &target = *mlir::tile::lookupTarget("sm_90a");
    ProgramBuilder builder(module, source, target);
    std::unique_ptr<Program> program = builder.build(*module->functions.at(0), error);
    if (!program) {
      ADD_FAILURE() << "line " << error.location.line << ": " << error.message;
      return *this;
    }
    GlobalMemory memory;
    memory.tracking = check;
    uint64_t address = memory.allocate(words * 4, "output");
    Region &region = *memory.find(address);
    std::memset(region.bytes, 0, words * 4);
    if (region.undefined)
      region.undefined->setDefined(0, words * 4);
    OneBufferGrid launch(*program, target, memory, address);
    launch.grid.options.check = check;
    launch.grid.options.seed = seed;
    launch.grid.blocks = Dim3{blocks, 1, 1};
    launch.grid.threads = Dim3{threads, 1, 1};
    launch.grid.clusterSize = Dim3{cluster, 1, 1};
    runGrid(launch.grid);
    findings = launch.findings.all();
    std::memcpy(output.data(), region.bytes, words * 4);
    return *this;
  }

  std::string report() const {
    std::string all;
    for (const Finding &finding : findings)
      all += finding.toString("kernel.ptx") + "\n";
    return all;
  }
  bool has(FindingKind kind) const {
    for (const Finding &finding : findings)
      if (finding.kind == kind)
        return true;
    return false;
  }
};

/// Seeds that tests go through.
constexpr uint64_t seedsOfTests = 8;

/// The kernel raises nothing and leaves these words at the start of its buffer, whatever the interleaving.
inline void expectClean(KernelRun kernel, const std::vector<uint32_t> &expected) {
  for (uint64_t seed = 0; seed < seedsOfTests; ++seed) {
    kernel.seed = seed;
    kernel.run();
    EXPECT_EQ(kernel.report(), "") << "seed " << seed;
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(kernel.output[i], expected[i]) << "word " << i << ", seed " << seed;
  }
}

/// The kernel raises a finding of this kind in every interleaving, and its report has the text.
inline void expectFinding(KernelRun kernel, FindingKind kind, const std::string &part = "") {
  for (uint64_t seed = 0; seed < seedsOfTests; ++seed) {
    kernel.seed = seed;
    kernel.run();
    EXPECT_TRUE(kernel.has(kind)) << "seed " << seed << ": no '" << findingName(kind) << "' in\n" << kernel.report();
    EXPECT_NE(kernel.report().find(part), std::string::npos) << "seed " << seed << ": no '" << part << "' in\n"
                                                             << kernel.report();
  }
}

/// One of these kinds is found in every interleaving: which one, depends on who comes first.
inline void expectAnyFinding(KernelRun kernel, std::initializer_list<FindingKind> kinds) {
  for (uint64_t seed = 0; seed < seedsOfTests; ++seed) {
    kernel.seed = seed;
    kernel.run();
    bool found = false;
    for (FindingKind kind : kinds)
      found |= kernel.has(kind);
    EXPECT_TRUE(found) << "seed " << seed << ":\n" << kernel.report();
  }
}

} // namespace tilec::sim

#endif // TILEC_TEST_UNIT_SIMULATOR_EXECUTE_KERNELRUN_H

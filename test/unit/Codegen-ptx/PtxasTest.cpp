// Running ptxas and reading its report; what needs ptxas itself is skipped where it is absent.
#include "lib/Codegen/Ptxas.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tile;

namespace {
const char *kernel =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry copy(.param .u64 .ptr .global .align 4 p, .param .u64 .ptr .global .align 4 q) {\n"
    "  .shared .align 4 .b8 s[64];\n  .reg .b64 %rd<3>;\n  .reg .b32 %r<3>;\n"
    "  ld.param.b64 %rd1, [p];\n  ld.param.b64 %rd2, [q];\n  ld.global.b32 %r1, [%rd1];\n"
    "  st.shared.b32 [s], %r1;\n  bar.sync 0;\n  ld.shared.b32 %r2, [s];\n"
    "  st.global.b32 [%rd2], %r2;\n  ret;\n}\n";

std::string messageOf(llvm::Expected<PtxasResult> result) { return result ? "" : llvm::toString(result.takeError()); }

class PtxasRun : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<std::string> path = findPtxas();
    if (!path) {
      llvm::consumeError(path.takeError());
      // ptxas is NVIDIA's and optional, as for users; the setup script brings it, and .ci/run fails on any skipped test.
      GTEST_SKIP() << "no ptxas";
    }
  }
};

TEST_F(PtxasRun, gives_machine_code_and_resources) {
  llvm::Expected<PtxasResult> result = runPtxas(kernel);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->cubin.substr(0, 4), "\x7f"
                                        "ELF");
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].name, "copy");
  EXPECT_GT(result->kernels[0].registers, 0u);
  EXPECT_EQ(result->kernels[0].barriers, 1u);
  EXPECT_EQ(result->kernels[0].sharedMemory, 64u);
  EXPECT_FALSE(result->kernels[0].spills());
  EXPECT_TRUE(result->warnings.empty());
}

TEST_F(PtxasRun, same_input_gives_the_same_bytes) {
  llvm::Expected<PtxasResult> first = runPtxas(kernel), second = runPtxas(kernel);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->cubin, second->cubin);
}

TEST_F(PtxasRun, errors_show_the_line) {
  std::string broken = kernel;
  broken.replace(broken.find("bar.sync 0"), 10, "bar.blub 0");
  EXPECT_EQ(messageOf(runPtxas(broken)).substr(0, 40), "ptxas refuses the PTX for sm_80: PTX lin")
      << messageOf(runPtxas(broken));
  EXPECT_NE(messageOf(runPtxas(broken)).find(": bar.blub 0;"), std::string::npos) << messageOf(runPtxas(broken));
  std::string reason;
  EXPECT_FALSE(assembles(broken, "sm_80", &reason));
  EXPECT_FALSE(reason.empty());
  EXPECT_TRUE(assembles(kernel, "sm_90a"));
  EXPECT_FALSE(assembles(kernel, "sm_1"));
  EXPECT_FALSE(assembles("", "sm_80"));
}

TEST(Ptxas, a_program_that_never_ends_is_ended) {
  PtxasOptions options;
  options.path = TILEC_SOURCE_DIR "/test/unit/Codegen-ptx/Inputs/never-ends.sh";
  options.timeoutSeconds = 1;
  std::string message = messageOf(runPtxas(kernel, options));
  EXPECT_NE(message.find("was ended: "), std::string::npos) << message;
}

TEST(Ptxas, a_chosen_program_that_is_absent_is_an_error) {
  setenv("TILEC_PTXAS", "/nonexistent/ptxas", 1);
  EXPECT_EQ(messageOf(runPtxas(kernel)), "TILEC_PTXAS names '/nonexistent/ptxas', which is not a file");
  unsetenv("TILEC_PTXAS");
  PtxasOptions options;
  options.path = TILEC_SOURCE_DIR "/LICENSE";
  EXPECT_NE(messageOf(runPtxas(kernel, options)).find("cannot be run"), std::string::npos)
      << messageOf(runPtxas(kernel, options));
}

TEST(Ptxas, report_of_several_kernels_with_advisories) {
  PtxasResult result;
  parsePtxasReport(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due "
      "to non wgmma instructions defining accumulator registers in function 'one'\n"
      "ptxas a.ptx, line 17; warning : Double is not supported. Demoting to float\n"
      "ptxas info    : Compiling entry function 'one' for 'sm_90a'\n"
      "ptxas info    : Function properties for one\n"
      "    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 2 barriers, 16 bytes cumulative stack size, 1024 bytes smem, "
      "380 bytes cmem[0]\r\n"
      "ptxas info    : Compile time = 72.093 ms\n"
      "ptxas info    : Compiling entry function 'two' for 'sm_90a'\n"
      "ptxas info    : Function properties for helper\n"
      "    99 bytes stack frame, 99 bytes spill stores, 99 bytes spill loads\n"
      "ptxas info    : Function properties for two\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 360 bytes cmem[0]\n",
      result);
  ASSERT_EQ(result.kernels.size(), 2u);
  const KernelResources &one = result.kernels[0], &two = result.kernels[1];
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(one.registers, 255u);
  EXPECT_EQ(one.barriers, 2u);
  EXPECT_EQ(one.stackFrame, 16u);
  EXPECT_EQ(one.spillStores, 12u);
  EXPECT_EQ(one.spillLoads, 8u);
  EXPECT_EQ(one.sharedMemory, 1024u);
  EXPECT_EQ(one.constantMemory, 380u);
  EXPECT_TRUE(one.spills());
  EXPECT_EQ(two.registers, 8u);
  EXPECT_EQ(two.stackFrame, 0u);
  EXPECT_FALSE(two.spills());
  ASSERT_EQ(result.warnings.size(), 2u);
  EXPECT_EQ(result.warnings[0].code, "C7510");
  EXPECT_EQ(result.warnings[0].text.substr(0, 27), "Potential Performance Loss:");
  EXPECT_EQ(result.warnings[1].code, "");
  EXPECT_EQ(result.warnings[1].line, 17u);
}

TEST(Ptxas, broken_reports_give_nothing) {
  for (StringRef report :
       {"", "\n\n", "ptxas", "ptxas info", "ptxas info : Used", "ptxas , line ; error :", "(C", "ptxas info : (C7)"}) {
    PtxasResult result;
    parsePtxasReport(report, result);
    EXPECT_TRUE(result.kernels.empty()) << report.str();
  }
}
} // namespace

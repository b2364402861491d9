#include "test/unit/Simulator/Execute/ControlKernel.h"

using namespace tilec;
using namespace tilec::sim;

/// The kernel with these lines does not decode; the message names the place. `line` counts the body's lines from 1.
static void expectError(const std::string &body, unsigned line, unsigned column, const std::string &message) {
  ControlKernel kernel;
  kernel.run(body);
  std::string all = kernel.text("@");
  auto before = static_cast<unsigned>(std::count(all.begin(), all.begin() + static_cast<ptrdiff_t>(all.find('@')), '\n'));
  EXPECT_EQ(kernel.status.message(), "kernel.ptx:" + std::to_string(before + line) + ":" + std::to_string(column) +
                                         ": error: " + message);
}

TEST(ProgramBuilder, UnknownInstruction) {
  expectError("ret;\n  frobnicate.b32 %r1, %r2;\nret;", 2, 3, "instruction 'frobnicate' is not known");
}

TEST(ProgramBuilder, UnknownModifier) {
  expectError("bra.often DONE;\nDONE:\nret;", 1, 1, "'bra.often': modifier '.often' is not known here");
  expectError("exit.now;", 1, 1, "'exit.now': modifier '.now' is not known here");
}

TEST(ProgramBuilder, Operands) {
  expectError("nanosleep.u32 %d1;", 1, 1, "'nanosleep.u32': register '%d1' of type .u64 where .u32 is expected");
  expectError("nanosleep.u32 %p1;", 1, 1, "'nanosleep.u32': register '%p1' of type .pred where .u32 is expected");
  expectError("ret %r1;", 1, 1, "'ret': expected 0 operands, found 1");
  expectError("nanosleep.u32;", 1, 1, "'nanosleep.u32': expected at least 1 operands, found 0");
  expectError("@%r1 ret;", 1, 2, "expected a predicate after '@', but got '%r1' of type .u32");
}

TEST(ProgramBuilder, Names) {
  expectError("call nowhere;\nret;", 1, 6, "undeclared name 'nowhere': no register, variable, function or label");
  expectError("mov.u32 %r1, %nothing;\nret;", 1, 14, "undeclared register '%nothing'");
  expectError("add.u32 %r1, %clock, 1;\nret;", 1, 1,
              "'add.u32': special register '%clock' changes while the kernel runs and is read by mov only");
}

TEST(ProgramBuilder, Calls) {
  ControlKernel kernel;
  kernel.before = ".func (.reg .u32 %y) twice(.reg .u32 %x)\n{\nadd.u32 %y, %x, %x;\nret;\n}\n";
  kernel.run("call twice, (%r1);\nret;");
  EXPECT_NE(kernel.status.message().find("'call': 'twice' has 1 results, found 0"), std::string::npos)
      << kernel.status.message();
  kernel.run("call (%r1), twice, (%r1, %r2);\nret;");
  EXPECT_NE(kernel.status.message().find("'call': 'twice' has 1 parameters, found 2"), std::string::npos)
      << kernel.status.message();
}

TEST(ProgramBuilder, ModulesForOtherDevices) {
  auto error = [](const char *target, const char *device) {
    ControlKernel kernel;
    kernel.target = target;
    kernel.device = device;
    return kernel.run("ret;").status.message();
  };
  std::string at = "kernel.ptx: error: the module is for ";
  EXPECT_EQ(error("sm_90", "sm_80"), at + "sm_90, the simulated device is sm_80");
  EXPECT_EQ(error("sm_90a", "sm_100a"), at + "sm_90a, the simulated device is sm_100a");
  EXPECT_EQ(error("sm_80", "sm_90a"), "");
  EXPECT_EQ(error("sm_90", "sm_90a"), "");
  EXPECT_EQ(error("sm_90a", "sm_90a"), "");
}

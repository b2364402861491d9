#include "test/unit/Simulator/Execute/ControlKernel.h"

using namespace tilec;
using namespace tilec::sim;

/// The kernel with these lines does not decode; the message names the place. `line` counts the body's lines from 1.
static void expectError(const std::string &body, unsigned line, unsigned column, const std::string &message,
                        const std::string &module = {}) {
  ControlKernel kernel;
  kernel.before = module;
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

TEST(ProgramBuilder, SpecialRegistersAreNoPredicates) {
  expectError("selp.u32 %r1, %r2, %r3, %tid.x;\nret;", 1, 1,
              "'selp.u32': special register '%tid.x' where .pred is expected");
  expectError("mov.pred %p1, %laneid;\nret;", 1, 1, "'mov.pred': special register '%laneid' where .pred is expected");
}

/// An address has 32 or 64 bits, as a value and as the register that it comes in.
TEST(ProgramBuilder, WidthsOfAddresses) {
  const std::string module = ".shared .align 16 .b8 s[16];\n";
  expectError(".reg .b16 %h;\nadd.u16 %h, s, 1;\nret;", 2, 1, "'add.u16': the address of 's' where .u16 is expected",
              module);
  expectError(".reg .b16 %h;\nmov.b16 %h, s;\nret;", 2, 1, "'mov.b16': the address of 's' where .b16 is expected",
              module);
  expectError("st.shared.b8 [s], s;\nret;", 1, 1, "'st.shared.b8': the address of 's' where .b8 is expected", module);
  expectError("st.shared.b128 [s], s;\nret;", 1, 1, "'st.shared.b128': the address of 's' where .b128 is expected",
              module);
  for (const char *type : {"b8", "b16", "b128"})
    expectError(".reg ." + std::string(type) + " %x;\nld.shared.b32 %r1, [%x];\nret;", 2, 1,
                "'ld.shared.b32': an address must be a 32-bit or 64-bit register, found '%x'", module);
}

TEST(ProgramBuilder, OffsetsOfParametersWrap) {
  expectError("ld.param.u32 %r1, [out+9223372036854775807];\nret;", 1, 1,
              "'ld.param.u32': access of 4 bytes at offset 9223372036854775807 of parameter 'out', which has 8");
  expectError("ld.param.u32 %r1, [out-9223372036854775808];\nret;", 1, 1,
              "'ld.param.u32': access of 4 bytes at offset -9223372036854775808 of parameter 'out', which has 8");
}

TEST(ProgramBuilder, KernelsCannotBeCalled) {
  expectError("call other;\nret;", 1, 1, "'call': 'other' is a kernel, which cannot be called",
              ".entry other()\n{\nret;\n}\n");
  expectError("{\n.param .b64 a;\nst.param.u64 [a], %out;\ncall k, (a);\n}\nret;", 4, 1,
              "'call': 'k' is a kernel, which cannot be called");
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

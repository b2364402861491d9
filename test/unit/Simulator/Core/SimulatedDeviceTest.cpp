#include "lib/Simulator/SimulatedDevice.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::sim;

namespace {
/// A device, and what a test does with it, by value.
struct Machine {
  std::unique_ptr<SimulatedDevice> device = SimulatedDevice::create("sm_90a");

  Result<Function> load(const std::string &code, const char *symbol = "k") {
    std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n" + code;
    const char *pieces = text.c_str();
    return device->load(CodeImage::ofPtx(&pieces), symbol, 0);
  }
  Status launch(Function function, std::vector<void *> parameters, std::vector<uint32_t> sizes = {}) {
    LaunchRequest request;
    request.function = function;
    request.blocks = 1;
    request.threads = 1;
    request.parameters = parameters.data();
    request.parameterSizes = sizes.empty() ? nullptr : sizes.data();
    request.parameterCount = parameters.size();
    return device->launch(request);
  }
};
} // namespace

#define EXPECT_MESSAGE(result, text)                                                                                   \
  do {                                                                                                                 \
    Status status = result;                                                                                            \
    EXPECT_FALSE(status);                                                                                              \
    EXPECT_EQ(status.message(), text);                                                                                 \
  } while (false)

TEST(SimulatedDevice, Targets) {
  EXPECT_EQ(SimulatedDevice::create("sm_12345"), nullptr);
  EXPECT_EQ(simulatedDevice("nonsense"), nullptr);
  ASSERT_NE(simulatedDevice("sm_80"), nullptr);
  EXPECT_EQ(simulatedDevice("sm_80"), simulatedDevice("sm_80"));
  EXPECT_EQ(simulatedDevice("sm_80")->properties().name, "simulated sm_80");
}

TEST(SimulatedDevice, FreeTwice) {
  Machine machine;
  void *memory = *machine.device->allocate(64);
  EXPECT_TRUE(machine.device->free(nullptr));
  EXPECT_MESSAGE(machine.device->free(static_cast<char *>(memory) + 4),
                 "free of a pointer that no allocation of this device begins at");
  EXPECT_TRUE(machine.device->free(memory));
  EXPECT_MESSAGE(machine.device->free(memory), "free of a pointer that no allocation of this device begins at");
}

TEST(SimulatedDevice, CopiesOutOfBounds) {
  Machine machine;
  char host[128] = {};
  char *memory = static_cast<char *>(*machine.device->allocate(64));
  EXPECT_MESSAGE(machine.device->copyIn(memory, host, 65, {}),
                 "copy to the device: 65 bytes from offset 0 of an allocation of 64 bytes");
  EXPECT_MESSAGE(machine.device->copyOut(host, memory + 60, 5, {}),
                 "copy from the device: 5 bytes from offset 60 of an allocation of 64 bytes");
  EXPECT_MESSAGE(machine.device->fill(memory + 64, 0, 1, {}), "fill: the pointer lies in no allocation of this device");
  EXPECT_TRUE(machine.device->copyIn(memory + 64, host, 0, {}));
  EXPECT_MESSAGE(machine.device->copyIn(host, host, 1, {}),
                 "copy to the device: the pointer lies in no allocation of this device");
}

TEST(SimulatedDevice, ReadingBackWhatWasNeverWritten) {
  Machine machine;
  char host[64] = {};
  char *memory = static_cast<char *>(*machine.device->allocate(64));
  EXPECT_TRUE(machine.device->copyIn(memory, host, 40, {}));
  EXPECT_TRUE(machine.device->copyOut(host, memory, 40, {}));
  Status status = machine.device->copyOut(host, memory, 64, {});
  EXPECT_EQ(status.code(), StatusCode::CheckFailed);
  EXPECT_EQ(status.message(),
            "copy from the device: undefined: the host reads back undefined bits: byte 40 of the allocation of 64 bytes, "
            "in a copy of 64 bytes\n  note: nothing wrote it, or what was stored there depended on something that was "
            "never written");
  EXPECT_EQ(machine.device->lastFindings().size(), 1u);
  machine.device->options().check = false;
  EXPECT_TRUE(machine.device->copyOut(host, memory, 64, {}));
}

TEST(SimulatedDevice, Parameters) {
  Machine machine;
  Result<Function> function = machine.load(".visible .entry k(.param .u32 a, .param .align 8 .b8 b[24])\n{\nret;\n}\n");
  ASSERT_TRUE(function) << function.status().message();
  uint32_t a = 1;
  char b[24] = {};
  EXPECT_MESSAGE(machine.launch(*function, {&a}), "kernel 'k' has 2 parameters, found 1");
  EXPECT_MESSAGE(machine.launch(*function, {&a, b}, {4, 16}), "parameter 1 of kernel 'k' has 24 bytes, found 16");
  EXPECT_TRUE(machine.launch(*function, {&a, b}, {4, 24}));
  EXPECT_MESSAGE(machine.launch({}, {}), "a launch of no function");
  LaunchRequest none;
  none.function = *function;
  none.threads = 1;
  EXPECT_MESSAGE(machine.device->launch(none), "a grid of no blocks");
}

TEST(SimulatedDevice, LoadsThatFail) {
  Machine machine;
  EXPECT_MESSAGE(machine.load(".visible .entry k()\n{\n  ret;\n}\n", "other").status(), "kernel.ptx: no kernel 'other'");
  Status status = machine.load(".visible .entry k(\n{\n  ret;\n}\n").status();
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_EQ(status.message().rfind("kernel.ptx:5:1: error: ", 0), 0u) << status.message();
  machine.device->nameCode("a.ptx");
  EXPECT_MESSAGE(machine.load(".visible .entry k()\n{\n  mystery;\n}\n").status(),
                 "a.ptx:6:3: error: instruction 'mystery' is not known");
  // A second attempt fails in the same way.
  EXPECT_MESSAGE(machine.load(".visible .entry k()\n{\n  mystery;\n}\n").status(),
                 "a.ptx:6:3: error: instruction 'mystery' is not known");
  EXPECT_MESSAGE(machine.load(".extern .global .u32 there;\n.visible .entry k()\n{\n  ret;\n}\n").status(),
                 "a.ptx:4: variable 'there' is defined in another module");
  CodeImage cubin;
  const unsigned char bytes[] = {0x7f, 'E', 'L', 'F'};
  cubin.binary = bytes;
  cubin.size = sizeof bytes;
  EXPECT_MESSAGE(machine.device->load(cubin, "k", 0).status(), "the simulated device runs PTX, found a cubin");
}

/// Beyond what a thread, a block or a launch can have; sums count, and whatever the host could hold.
TEST(SimulatedDevice, VariablesOverTheirLimits) {
  Machine machine;
  auto kernel = [](const std::string &body, const std::string &parameters = {}) {
    return ".visible .entry k(" + parameters + ")\n{\n" + body + "  ret;\n}\n";
  };
  EXPECT_TRUE(machine.load(kernel("  .local .b8 x[524288];\n")));
  EXPECT_MESSAGE(machine.load(kernel("  .local .b8 x[524289];\n")).status(),
                 "kernel.ptx:6:14: error: variable 'x' of 524289 bytes: with it, '.local' has 524289 bytes, at most "
                 "524288 are possible");
  EXPECT_MESSAGE(machine.load(kernel("  .local .b8 x[524280];\n  .local .align 8 .b8 y[16];\n")).status(),
                 "kernel.ptx:7:23: error: variable 'y' of 16 bytes: with it, '.local' has 524296 bytes, at most 524288 "
                 "are possible");
  EXPECT_MESSAGE(machine.load(kernel("  .local .b8 x[281474976710656];\n")).status(),
                 "kernel.ptx:6:14: error: variable 'x' of 281474976710656 bytes: with it, '.local' has 281474976710656 "
                 "bytes, at most 524288 are possible");
  EXPECT_MESSAGE(
      machine.load(kernel("  .reg .b32 %r;\n  .shared .b8 x[1073741825];\n  mov.u32 %r, x;\n")).status(),
      "kernel.ptx:7:15: error: variable 'x' of 1073741825 bytes: with it, '.shared' has 1073741825 bytes, at "
      "most 1073741824 are possible");
  EXPECT_TRUE(machine.load(kernel("", ".param .b8 x[32764]")));
  EXPECT_MESSAGE(
      machine.load(kernel("", ".param .b8 x[32765]")).status(),
      "kernel.ptx:4:30: error: variable 'x' of 32765 bytes: with it, '.param' has 32765 bytes, at most 32764 "
      "are possible");
  EXPECT_MESSAGE(
      machine.load(kernel("", ".param .b8 x[32764],\n  .param .b8 y")).status(),
      "kernel.ptx:5:14: error: variable 'y' of 1 bytes: with it, '.param' has 32765 bytes, at most 32764 are "
      "possible");
}

TEST(SimulatedDevice, VariablesOfTheModule) {
  Machine machine;
  // Values, zeros, the address of a variable and of a function, and a variable in a function.
  Result<Function> function =
      machine.load(".global .align 4 .u32 numbers[4] = {1, 2, 3};\n.const .align 4 .u32 fixed = 50;\n"
                   ".func (.reg .u32 %y) add7(.reg .u32 %x)\n{\nadd.u32 %y, %x, 7;\nret;\n}\n"
                   ".global .align 8 .u64 places[2] = {generic(numbers)+8, add7};\n"
                   ".visible .entry k(.param .u64 out)\n{\n.reg .u32 %r<9>;\n.reg .u64 %d<9>;\n"
                   ".global .align 4 .u32 calls = 10;\n"
                   "ld.param.u64 %d0, [out];\nld.global.u64 %d1, [places];\nld.u32 %r1, [%d1];\n"
                   "ld.global.u64 %d2, [places+8];\nP: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
                   "call (%r1), %d2, (%r1), P;\nst.global.u32 [%d0], %r1;\n"
                   "ld.global.u32 %r2, [numbers+12];\nst.global.u32 [%d0+4], %r2;\n"
                   "ld.const.u32 %r3, [fixed];\nst.global.u32 [%d0+8], %r3;\n"
                   "ld.global.u32 %r4, [calls];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [calls], %r4;\n"
                   "st.global.u32 [%d0+12], %r4;\nret;\n}\n");
  ASSERT_TRUE(function) << function.status().message();
  void *out = *machine.device->allocate(16);
  // Global variables keep their values between launches.
  for (uint32_t launch = 1; launch < 4; ++launch) {
    Status status = machine.launch(*function, {&out});
    ASSERT_TRUE(status) << status.message();
    uint32_t words[4];
    ASSERT_TRUE(machine.device->copyOut(words, out, 16, {}));
    EXPECT_EQ(words[0], 10u);
    EXPECT_EQ(words[1], 0u);
    EXPECT_EQ(words[2], 50u);
    EXPECT_EQ(words[3], 10 + launch);
  }
}

TEST(SimulatedDevice, Workspace) {
  Machine machine;
  void *first = *machine.device->workspace({}, 100);
  EXPECT_EQ(*machine.device->workspace({}, 50), first);
  void *second = *machine.device->workspace({}, 200);
  EXPECT_NE(second, first);
  EXPECT_FALSE(machine.device->free(first));
  char host[200];
  EXPECT_TRUE(machine.device->copyOut(host, second, 200, {}));
}

TEST(SimulatedDevice, Events) {
  Machine machine;
  Event begin = *machine.device->createEvent(), end = *machine.device->createEvent();
  EXPECT_TRUE(machine.device->record(begin, {}));
  EXPECT_TRUE(machine.device->record(end, {}));
  EXPECT_GE(*machine.device->elapsed(begin, end), 0.0f);
  EXPECT_TRUE(machine.device->destroyEvent(begin));
  EXPECT_TRUE(machine.device->destroyEvent(end));
}

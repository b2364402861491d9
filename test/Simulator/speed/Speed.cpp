// How fast the simulated device is: thread-instructions a second without tensor instructions, and multiply-adds a
// second with them, each with checks off and on. One core, in processor time, so that other work on the host counts
// little.
//
//   simulator-speed [--quick]     --quick: a moment of each, to see that it runs (CI)
//
// Required of one core of a server: 20 million thread-instructions a second with checks off and 5 with checks on, 200
// million multiply-adds with checks off.
#include "lib/Simulator/SimulatedDevice.h"
#include "test/Simulator/speed/Mix.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

using namespace tilec;
using namespace tilec::sim;

namespace {
struct Measured {
  Status status;
  double seconds = 0;
  uint64_t instructions = 0, multiplyAdds = 0;
};
} // namespace

static void replace(std::string &text, const std::string &word, const std::string &by) {
  text.replace(text.find(word), word.size(), by);
}

/// The tensor kernel with its repeated lines: 4 x 8 accumulators, 2 x 4 products, a store of 4 accumulators each.
static std::string tensorText() {
  std::string zeros, products, stores;
  auto accumulators = [](unsigned first) {
    std::string list = "{";
    for (unsigned i = 0; i < 4; ++i)
      list += (i ? ", %f" : "%f") + std::to_string(first + i);
    return list + "}";
  };
  for (unsigned i = 0; i < 32; ++i)
    zeros += "  mov.f32 %f" + std::to_string(i) + ", 0f00000000;\n";
  for (unsigned row = 0; row < 2; ++row)
    for (unsigned column = 0; column < 4; ++column) {
      unsigned a = 30 + 4 * row, b = 38 + 2 * column, c = 16 * row + 4 * column;
      products += "  mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " + accumulators(c) + ", {%r" +
                  std::to_string(a) + ", %r" + std::to_string(a + 1) + ", %r" + std::to_string(a + 2) + ", %r" +
                  std::to_string(a + 3) + "}, {%r" + std::to_string(b) + ", %r" + std::to_string(b + 1) + "}, " +
                  accumulators(c) + ";\n";
      stores += "  st.global.v4.f32 [%rd6+" + std::to_string(4 * c) + "], " + accumulators(c) + ";\n";
    }
  std::string text = tensorKernel;
  replace(text, "  ACCUMULATORS\n", zeros);
  replace(text, "  PRODUCTS\n", products);
  replace(text, "  STORES\n", stores);
  return text;
}

static Measured run(SimulatedDevice &device, const std::string &text, const char *name, uint32_t iterations,
                    bool check) {
  constexpr unsigned blocks = 8, threads = 128;
  constexpr size_t inBytes = 3 * 65536, outBytes = size_t(blocks) * threads * 128;
  Measured measured;
  device.options().check = check;
  device.options().cores = 1;
  const char *pieces = text.c_str();
  Result<Function> function = device.load(CodeImage::ofPtx(&pieces), name, 0);
  Result<void *> in = device.allocate(inBytes), out = device.allocate(outBytes);
  for (const Status &status : {function.status(), in.status(), out.status()})
    if (!status) {
      measured.status = status;
      return measured;
    }
  // 0x3c3c is a small number in bf16 and, twice, in f32.
  measured.status = device.fill(*in, 0x3c, inBytes);
  void *parameters[] = {&*in, &*out, &iterations};
  uint32_t sizes[] = {8, 8, 4};
  LaunchRequest request;
  request.function = *function;
  request.blocks = blocks;
  request.threads = threads;
  request.parameters = parameters;
  request.parameterSizes = sizes;
  request.parameterCount = 3;
  std::clock_t begin = std::clock();
  if (measured.status)
    measured.status = device.launch(request);
  measured.seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  measured.instructions = device.lastCounters().allThreadInstructions();
  measured.multiplyAdds = device.lastCounters().matrixMultiplyAdds;
  for (void *memory : {*in, *out})
    (void)device.free(memory);
  return measured;
}

int main(int argc, char **argv) {
  bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  std::unique_ptr<SimulatedDevice> device = SimulatedDevice::create("sm_80");
  bool right = device != nullptr;
  for (bool tensor : {false, true})
    for (bool check : {false, true}) {
      if (!device)
        break;
      uint32_t iterations = quick ? 20 : tensor ? 1000 : 2500;
      Measured measured = tensor ? run(*device, tensorText(), "tensor", iterations, check)
                                 : run(*device, mixedKernel, "mix", iterations, check);
      if (!measured.status) {
        std::printf("%s\n", measured.status.message().c_str());
        right = false;
        continue;
      }
      double count = static_cast<double>(tensor ? measured.multiplyAdds : measured.instructions);
      std::printf("%-8s checks %-3s  %7.1f million %s a second and core\n", tensor ? "tensor" : "mix",
                  check ? "on" : "off", count / measured.seconds / 1e6,
                  tensor ? "multiply-adds" : "thread-instructions");
    }
  return right ? 0 : 1;
}

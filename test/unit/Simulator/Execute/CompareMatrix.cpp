// Not a test: runs the kernels of MatrixCase.h and WgmmaCase.h on a GPU, so that the places that the tests expect are
// those of hardware. Prints each case that differs.
#include "lib/Runtime/Device.h"
#include "test/unit/Simulator/Execute/WgmmaCase.h"

#include <cstdio>
#include <deque>

using namespace tilec;
using namespace tilec::sim;

static std::string kernelText(const std::string &target, const std::string &body) {
  return ".version 9.0\n.target " + target +
         "\n.address_size 64\n.visible .entry k(.param .u64 buf)\n{\n"
         ".reg .u32 %t;\n.reg .u64 %buf, %a;\nld.param.u64 %buf, [buf];\nmov.u32 %t, %tid.x;\nmad.wide.u32 %a, %t, 4, "
         "%buf;\n" +
         body + "\nret;\n}\n";
}

static bool runOn(Device &device, const std::string &name, const std::string &target, const std::string &body,
                  const MatrixCase::Data &data, unsigned startD, unsigned threads) {
  static std::deque<std::string> texts;
  static std::deque<const char *> pointers;
  texts.push_back(kernelText(target, body));
  pointers.push_back(texts.back().c_str());
  auto function = device.load(CodeImage::ofPtx(&pointers.back()), "k", 0);
  if (!function) {
    std::printf("%s: not loaded: %s\n", name.c_str(), function.status().message().c_str());
    return false;
  }
  size_t bytes = data.words.size() * 4;
  void *buffer = *device.allocate(bytes);
  (void)device.copyIn(buffer, data.words.data(), bytes);
  LaunchRequest request;
  request.function = *function;
  request.blocks = 1;
  request.threads = threads;
  void *parameters[] = {&buffer};
  uint32_t size = 8;
  request.parameters = parameters;
  request.parameterSizes = &size;
  request.parameterCount = 1;
  auto status = device.launch(request);
  std::vector<uint32_t> found(data.words.size());
  (void)device.synchronize();
  auto copied = device.copyOut(found.data(), buffer, bytes);
  (void)device.free(buffer);
  if (!status || !copied) {
    std::printf("%s: %s %s\n", name.c_str(), status.message().c_str(), copied.message().c_str());
    return false;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < data.expected.size(); ++i)
    wrong += found[startD + i] != data.expected[i];
  if (wrong)
    std::printf("%s: %zu of %zu words differ\n", name.c_str(), wrong, data.expected.size());
  return wrong == 0;
}

int main() {
  auto device = Device::gpu();
  if (!device) {
    std::printf("no GPU\n");
    return 1;
  }
  size_t right = 0, all = 0;
  for (const MatrixCase &one : mmaCases())
    if (one.target == "sm_90a") {
      ++all;
      right += runOn(**device, one.instruction + " " + std::to_string(one.selector), one.target, one.body(),
                     one.make(7), one.startD(), 32);
    }
  std::printf("mma: %zu of %zu\n", right, all);
  right = all = 0;
  for (const WgmmaCase &one : wgmmaCases(8)) {
    ++all;
    right += runOn(**device, one.name(), "sm_90a", one.body(), one.make(11), one.startD(), 128);
  }
  std::printf("wgmma: %zu of %zu\n", right, all);
}

#include "test/Simulator/fuzz/Trial.h"

#include "lib/Simulator/Ptx/Module.h"
#include "lib/Simulator/SimulatedDevice.h"
#include "lib/Simulator/Tma/TensorMap.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

using namespace tilec;

namespace {
/// A parameter's bytes, aligned as a tensor map must be.
struct alignas(64) Parameter {
  std::vector<unsigned char> bytes;
};

class Trial {
public:
  explicit Trial(const std::string &text) : text(text), random(std::hash<std::string>()(text)) {}
  void run();

private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random() % n); }
  void makeMemory();
  uint64_t pointer();
  void fillParameter(std::vector<unsigned char> &bytes);
  bool encodeMap(unsigned char *bytes);
  void chooseGrid(const ptx::Function &kernel);
  void launch(const ptx::Function &kernel);

  const std::string &text;
  std::mt19937_64 random;
  std::unique_ptr<sim::SimulatedDevice> device;
  std::vector<uint64_t> allocations;
  LaunchRequest request;
};
} // namespace

static constexpr size_t allocationBytes = 8192;

/// Defined, undefined, and freed memory.
void Trial::makeMemory() {
  std::vector<uint32_t> content(allocationBytes / 4);
  for (int i = 0; i < 4; ++i) {
    Result<void *> memory = device->allocate(allocationBytes);
    if (!memory)
      std::abort();
    allocations.push_back(reinterpret_cast<uintptr_t>(*memory));
    for (uint32_t &word : content)
      word = i == 0 ? 0 : i == 1 ? below(64) : static_cast<uint32_t>(random());
    if (i != 3)
      (void)device->copyIn(*memory, content.data(), allocationBytes);
  }
  if (Result<void *> memory = device->allocate(64)) {
    (void)device->free(*memory);
    allocations.push_back(reinterpret_cast<uintptr_t>(*memory));
  }
}

/// Mostly the address of an allocation, sometimes one near it, or anything.
uint64_t Trial::pointer() {
  uint64_t base = allocations[below(static_cast<unsigned>(allocations.size()))];
  switch (below(24)) {
  case 0:
    return random();
  case 1:
    return base + allocationBytes - 4;
  case 2:
    return base + 1 + below(15);
  case 3:
    return below(100);
  case 4:
    return 0x7100'0000'0000'0000ull + below(1 << 26);
  case 5:
    return 0x7200'0000'0000'0000ull + below(1 << 14);
  default:
    return base;
  }
}

/// A tensor map of some shape, often one that is possible.
bool Trial::encodeMap(unsigned char *bytes) {
  uint32_t rank = 1 + below(5);
  auto type = static_cast<sim::TensorType>(below(14));
  uint64_t size[sim::maxTensorRank], strides[sim::maxTensorRank];
  uint32_t box[sim::maxTensorRank], steps[sim::maxTensorRank];
  for (uint32_t i = 0; i < rank; ++i) {
    size[i] = 1 + below(32);
    strides[i] = 16u << below(7);
    box[i] = 1u << below(6);
    steps[i] = 1 + (below(8) == 0);
  }
  auto *map = reinterpret_cast<sim::TensorMap *>(bytes);
  return sim::encodeTiled(map, type, rank, allocations[0], size, strides, box, steps,
                          static_cast<sim::TensorInterleave>(below(8) ? 0 : below(3)),
                          static_cast<sim::TensorSwizzle>(below(4)), sim::TensorPromotion::None, sim::TensorFill::Zero)
      .empty();
}

void Trial::fillParameter(std::vector<unsigned char> &bytes) {
  for (unsigned char &byte : bytes)
    byte = static_cast<unsigned char>(below(4) ? 0 : random());
  if (bytes.size() == sim::tensorMapBytes) {
    sim::TensorMap map;
    if (below(8) && encodeMap(map.bytes))
      std::memcpy(bytes.data(), map.bytes, sizeof map.bytes);
    return;
  }
  for (size_t at = 0; at + 8 <= bytes.size() && at < 256; at += 8) {
    uint64_t value = pointer();
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  if (bytes.size() <= 4) {
    uint32_t value = below(4) ? below(130) : static_cast<uint32_t>(random());
    std::memcpy(bytes.data(), &value, bytes.size());
  }
}

void Trial::chooseGrid(const ptx::Function &kernel) {
  static constexpr uint32_t threads[] = {32, 64, 128, 1, 33, 31, 256};
  static constexpr uint32_t shared[] = {0, 0, 1024, 16384, 65536, 100};
  request.threads = threads[below(7)];
  if (kernel.requiredThreads[0] && below(16))
    request.threads = Dim3(kernel.requiredThreads[0], std::max(kernel.requiredThreads[1], 1u),
                           std::max(kernel.requiredThreads[2], 1u));
  if (below(6) == 0)
    request.threads.y = 2;
  request.cluster = Dim3(below(3) ? 1 : 2);
  request.blocks = Dim3(request.cluster.x * (1 + below(3)));
  if (kernel.requiredCluster[0])
    request.blocks = Dim3(kernel.requiredCluster[0], std::max(kernel.requiredCluster[1], 1u),
                          std::max(kernel.requiredCluster[2], 1u));
  request.sharedBytes = shared[below(6)];
}

void Trial::launch(const ptx::Function &kernel) {
  const char *pointer = text.c_str();
  Result<Function> function = device->load(CodeImage::ofPtx(&pointer), kernel.name.c_str(), 0);
  if (!function) {
    if (function.message().empty())
      std::abort();
    return;
  }
  request.function = *function;
  chooseGrid(kernel);
  std::vector<Parameter> values(kernel.parameters.size());
  std::vector<void *> pointers;
  std::vector<uint32_t> sizes;
  for (size_t i = 0; i < values.size(); ++i) {
    values[i].bytes.resize(kernel.parameters[i].bytes());
    fillParameter(values[i].bytes);
    pointers.push_back(values[i].bytes.data());
    sizes.push_back(static_cast<uint32_t>(values[i].bytes.size()));
  }
  request.parameters = pointers.data();
  request.parameterSizes = sizes.data();
  request.parameterCount = pointers.size();
  device->options().seed = below(2) ? 0 : random();
  Status status = device->launch(request);
  if (status.ok() != device->lastFindings().empty() && status.ok())
    std::abort();
  if (!status && status.message().empty())
    std::abort();
}

void Trial::run() {
  ptx::Error error;
  std::unique_ptr<ptx::Module> module = ptx::parse(text, error);
  if (!module)
    return;
  device = sim::SimulatedDevice::create(module->target);
  if (!device)
    device = sim::SimulatedDevice::create("sm_90a");
  device->options().cores = 1;
  device->options().operationLimit = fuzz::operationLimit;
  device->options().spinLimit = 64;
  device->options().check = below(8) != 0;
  makeMemory();
  unsigned kernels = 0;
  for (const std::unique_ptr<ptx::Function> &function : module->functions)
    if (function->isKernel && function->hasBody && ++kernels <= 4)
      launch(*function);
}

void fuzz::tryText(const std::string &text) { Trial(text).run(); }

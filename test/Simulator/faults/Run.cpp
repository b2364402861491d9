#include "test/Simulator/faults/Run.h"

#include "lib/Simulator/SimulatedDevice.h"
#include "lib/Simulator/Tma/TensorMap.h"
#include "test/Simulator/faults/References.h"

#include <cstring>
#include <random>

using namespace faults;
using namespace tilec;

namespace {
struct Buffer {
  std::string type;
  size_t count = 0;
  void *memory = nullptr;
};

/// A parameter's bytes, aligned as a tensor map must be.
struct alignas(64) Parameter {
  unsigned char bytes[sim::tensorMapBytes] = {};
  uint32_t size = 0;
};

class Runner {
public:
  Runner(const Script &script, const std::string &fault, uint64_t seed) : script(script), fault(fault), random(7) {
    this->seed = seed;
  }
  Outcome run();

private:
  bool fail(const std::string &why) {
    if (outcome.error.empty())
      outcome.error = why;
    return false;
  }
  bool check(const Status &status) { return status || fail(status.message()); }
  bool read(const std::vector<std::string> &words);
  bool readLaunch(const std::vector<std::string> &words);
  bool addBuffer(const std::vector<std::string> &words, size_t at, Buffer &buffer);
  bool addMap(const std::vector<std::string> &words);
  void addParameter(const void *bytes, size_t size);
  bool launch();
  void compare(const std::vector<std::string> &words);

  const Script &script;
  const std::string &fault;
  uint64_t seed = 0;
  std::mt19937 random;
  std::unique_ptr<sim::SimulatedDevice> device;
  std::map<std::string, Buffer> buffers;
  Contents contents;
  std::vector<Parameter> parameters;
  LaunchRequest request;
  std::vector<std::vector<std::string>> results;
  Outcome outcome;
};
} // namespace

static size_t bytesOf(const std::string &type) { return type == "f16" ? 2 : type == "u64" ? 8 : 4; }

/// The bits of a small integer in a type.
static uint64_t encode(const std::string &type, int64_t value) {
  if (type == "f32") {
    float number = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
  }
  if (type != "f16")
    return static_cast<uint64_t>(value);
  if (value == 0)
    return 0;
  uint64_t magnitude = static_cast<uint64_t>(value < 0 ? -value : value), exponent = 0;
  while (magnitude >> (exponent + 1))
    ++exponent;
  return (value < 0 ? 0x8000u : 0u) | (exponent + 15) << 10 | ((magnitude << (10 - exponent)) & 0x3ff);
}

static int64_t decode(const std::string &type, uint64_t bits) {
  if (type != "f32")
    return static_cast<int64_t>(bits);
  float number;
  uint32_t low = static_cast<uint32_t>(bits);
  std::memcpy(&number, &low, sizeof number);
  return static_cast<int64_t>(number);
}

void Runner::addParameter(const void *bytes, size_t size) {
  Parameter parameter;
  std::memcpy(parameter.bytes, bytes, size);
  parameter.size = static_cast<uint32_t>(size);
  parameters.push_back(parameter);
}

/// NAME TYPE COUNT random|zero|undefined [freed]
bool Runner::addBuffer(const std::vector<std::string> &words, size_t at, Buffer &buffer) {
  buffer.type = words[at + 1];
  buffer.count = std::stoull(words[at + 2]);
  size_t bytes = bytesOf(buffer.type);
  Result<void *> memory = device->allocate(buffer.count * bytes);
  if (!memory)
    return check(memory.status());
  buffer.memory = *memory;
  const std::string &content = words[at + 3];
  bool isFloat = buffer.type[0] == 'f';
  std::vector<int64_t> &values = contents[words[at]];
  std::vector<unsigned char> image(buffer.count * bytes);
  for (size_t i = 0; i < buffer.count; ++i) {
    values.push_back(content != "random" ? 0 : isFloat ? static_cast<int64_t>(random() % 9) - 4 : random() % 1000);
    uint64_t bits = encode(buffer.type, values.back());
    std::memcpy(image.data() + i * bytes, &bits, bytes);
  }
  buffers[words[at]] = buffer;
  if (content != "undefined" && !check(device->copyIn(buffer.memory, image.data(), image.size())))
    return false;
  return words.back() != "freed" || check(device->free(buffer.memory));
}

/// "64x32" to {64, 32}, the innermost first.
static std::vector<uint64_t> extents(const std::string &text) {
  std::vector<uint64_t> list;
  for (size_t at = 0; at < text.size();) {
    list.push_back(std::stoull(text.substr(at)));
    size_t next = text.find('x', at);
    at = next == std::string::npos ? text.size() : next + 1;
  }
  return list;
}

/// arg NAME tensor-map BUFFER TYPE 64x32 box 16x8 [swizzle-128]
bool Runner::addMap(const std::vector<std::string> &words) {
  auto buffer = buffers.find(words[3]);
  if (buffer == buffers.end())
    return fail("the buffer of a tensor map must come before it");
  std::vector<uint64_t> size = extents(words[5]), box = extents(words[7]);
  uint64_t strides[sim::maxTensorRank] = {bytesOf(words[4])};
  uint32_t boxSize[sim::maxTensorRank], steps[sim::maxTensorRank];
  for (size_t i = 0; i < size.size(); ++i) {
    boxSize[i] = static_cast<uint32_t>(box[i]);
    steps[i] = 1;
    if (i > 0)
      strides[i] = strides[i - 1] * size[i - 1];
  }
  sim::TensorMap map;
  std::string error = sim::encodeTiled(
      &map, words[4] == "f16" ? sim::TensorType::F16 : sim::TensorType::U32, static_cast<uint32_t>(size.size()),
      reinterpret_cast<uintptr_t>(buffer->second.memory), size.data(), strides + 1, boxSize, steps,
      sim::TensorInterleave::None, words.back() == "swizzle-128" ? sim::TensorSwizzle::B128 : sim::TensorSwizzle::None,
      sim::TensorPromotion::None, sim::TensorFill::Zero);
  addParameter(map.bytes, sizeof map.bytes);
  return error.empty() || fail(error);
}

/// launch grid 2 block 128 [cluster 2] [shared 1024]
bool Runner::readLaunch(const std::vector<std::string> &words) {
  for (size_t i = 1; i + 1 < words.size(); i += 2) {
    uint32_t value = static_cast<uint32_t>(std::stoul(words[i + 1]));
    if (words[i] == "grid")
      request.blocks = value;
    else if (words[i] == "block")
      request.threads = value;
    else if (words[i] == "cluster")
      request.cluster = value;
    else if (words[i] == "shared")
      request.sharedBytes = value;
    else
      return fail("unknown word '" + words[i] + "' in launch");
  }
  return true;
}

bool Runner::read(const std::vector<std::string> &words) {
  if (words[0] == "target") {
    device = sim::SimulatedDevice::create(words[1]);
    if (!device)
      return fail("no target " + words[1]);
    device->options().seed = seed;
    device->options().cores = 1;
    return true;
  }
  if (words[0] == "launch")
    return readLaunch(words);
  if (words[0] == "result") {
    results.push_back(words);
    return true;
  }
  Buffer buffer;
  if (words[0] == "buffer")
    return addBuffer(words, 1, buffer);
  if (words[0] != "arg" || words.size() < 4)
    return fail("unknown directive '" + words[0] + "'");
  if (words[2] == "tensor-map")
    return addMap(words);
  if (words[3] == "=") {
    uint64_t value = std::stoull(words[4]);
    addParameter(&value, bytesOf(words[2]));
    return true;
  }
  if (!addBuffer(words, 1, buffer))
    return false;
  addParameter(&buffer.memory, sizeof buffer.memory);
  return true;
}

bool Runner::launch() {
  std::string text = script.ptx(fault);
  const char *pointer = text.c_str();
  Result<Function> function = device->load(CodeImage::ofPtx(&pointer), script.kernel.c_str(), request.sharedBytes);
  if (!function)
    return check(function.status());
  request.function = *function;
  std::vector<void *> pointers;
  std::vector<uint32_t> sizes;
  for (Parameter &parameter : parameters) {
    pointers.push_back(parameter.bytes);
    sizes.push_back(parameter.size);
  }
  request.parameters = pointers.data();
  request.parameterSizes = sizes.data();
  request.parameterCount = pointers.size();
  Status status = device->launch(request);
  outcome.findings = device->lastFindings();
  return status || !outcome.findings.empty() || check(status);
}

/// result BUFFER = REFERENCE …
void Runner::compare(const std::vector<std::string> &words) {
  const Buffer &buffer = buffers[words[1]];
  size_t bytes = bytesOf(buffer.type);
  std::vector<unsigned char> image(buffer.count * bytes);
  Status status = device->copyOut(image.data(), buffer.memory, image.size());
  outcome.findings = device->lastFindings();
  if (!status && outcome.findings.empty())
    check(status);
  std::vector<int64_t> expected =
      reference(std::vector<std::string>(words.begin() + 3, words.end()), contents, buffer.count);
  if (expected.empty())
    fail("no reference '" + words[3] + "'");
  for (size_t i = 0; i < expected.size() && outcome.wrongResult.empty(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, image.data() + i * bytes, bytes);
    if (decode(buffer.type, bits) != expected[i])
      outcome.wrongResult = words[1] + "[" + std::to_string(i) + "] is " + std::to_string(decode(buffer.type, bits)) +
                            ", expected " + std::to_string(expected[i]);
  }
}

Outcome Runner::run() {
  for (const std::vector<std::string> &words : script.directives(fault))
    if (!read(words))
      return outcome;
  if (!launch() || !outcome.findings.empty())
    return outcome;
  for (const std::vector<std::string> &words : results)
    compare(words);
  return outcome;
}

Outcome faults::run(const Script &script, const std::string &fault, uint64_t seed) {
  return Runner(script, fault, seed).run();
}

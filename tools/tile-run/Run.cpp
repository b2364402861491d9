#include "tools/tile-run/Run.h"
#include "lib/Runtime/Launch.h"

using namespace tilec;
using namespace tilec::run;

Run::Run(Device &device, sim::SimulatedDevice *simulated, const Kernel &kernel, const std::vector<Value> &values)
    : device(device), simulated(simulated), kernel(kernel), values(values), buffers(values.size()) {}

Run::~Run() {
  for (void *buffer : buffers)
    if (buffer)
      (void)device.free(buffer);
}

Status Run::makeBuffers() {
  for (size_t i = 0; i < values.size(); ++i) {
    const Value &value = values[i];
    if (!value.isBuffer)
      continue;
    Result<void *> memory = device.allocate(value.size());
    if (!memory)
      return {memory.code(), "argument " + std::to_string(i) + ": " + memory.message()};
    buffers[i] = *memory;
    if (value.isWritten && !value.bytes.empty())
      if (Status copied = device.copyIn(*memory, value.bytes.data(), value.bytes.size()); !copied)
        return copied;
  }
  return {};
}

Status Run::launchByTable() {
  std::vector<Argument> arguments;
  const KernelTable &table = kernel.table->table();
  for (size_t i = 0; i < values.size(); ++i) {
    const Value &value = values[i];
    if (value.isBuffer) {
      arguments.emplace_back(
          AnyView::contiguous(buffers[i], value.type, value.extents.data(), int(value.extents.size())));
      continue;
    }
    Argument &scalar = arguments.emplace_back(int64_t(0));
    scalar.type = value.type;
    scalar.scalarBits = value.scalarBits;
  }
  Arguments list(arguments.data(), arguments.size());
  Result<LaunchPlan> plan = explainLaunch(table, list, &device);
  if (!plan)
    return plan.status();
  if (plan->blocks == 0)
    return {};
  const CodeImage *code = plan->usesCubin ? plan->image->cubin : plan->image->ptx;
  Result<Function> loaded = device.load(*code, plan->variant->symbol, plan->variant->sharedBytes);
  if (!loaded)
    return loaded.status();
  function = *loaded;
  return launchKernel(table, list, device);
}

Status Run::launchByHand(const Options &options) {
  if (values.size() != kernel.parameterBytes.size())
    return Status::invalidArgument("kernel '" + kernel.symbol + "' has " +
                                   std::to_string(kernel.parameterBytes.size()) + " parameters, found " +
                                   std::to_string(values.size()) + " times --arg");
  std::vector<uint64_t> slots;
  std::vector<uint32_t> sizes;
  for (size_t i = 0; i < values.size(); ++i) {
    const Value &value = values[i];
    slots.push_back(value.isBuffer ? reinterpret_cast<uintptr_t>(buffers[i]) : value.scalarBits);
    sizes.push_back(value.isBuffer ? 8 : uint32_t(elementBits(value.type) / 8));
    if (sizes.back() != kernel.parameterBytes[i])
      return Status::invalidArgument("--arg " + value.text + " has " + std::to_string(sizes.back()) +
                                     " bytes, parameter " + std::to_string(i) + " of kernel '" + kernel.symbol +
                                     "' has " + std::to_string(kernel.parameterBytes[i]));
  }
  const char *text = kernel.ptx.c_str();
  Result<Function> loaded = device.load(CodeImage::ofPtx(&text), kernel.symbol.c_str(), options.sharedBytes);
  if (!loaded)
    return loaded.status();
  function = *loaded;
  std::vector<void *> pointers;
  for (uint64_t &slot : slots)
    pointers.push_back(&slot);
  LaunchRequest request;
  request.function = function;
  request.blocks = options.blocks;
  request.threads = options.threads;
  request.cluster = options.clusterSize;
  request.sharedBytes = options.sharedBytes;
  request.parameters = pointers.data();
  request.parameterSizes = sizes.data();
  request.parameterCount = pointers.size();
  return device.launch(request);
}

Status Run::launch(const Options &options) {
  Status status = makeBuffers();
  if (status)
    status = kernel.table ? launchByTable() : launchByHand(options);
  return status ? device.synchronize() : status;
}

Status Run::read(size_t argument, std::vector<uint8_t> &bytes) {
  bytes.assign(values[argument].size(), 0);
  return bytes.empty() ? Status() : device.copyOut(bytes.data(), buffers[argument], bytes.size());
}

const sim::Program *Run::program() const {
  return simulated && function.handle ? &simulated->programOf(function) : nullptr;
}

#include "test/Simulator/conformance/Runner.h"

using namespace conformance;
using namespace tilec;

Outcome conformance::runForm(Device &device, const std::string &module, const std::string &entry, const Form &form) {
  Outcome outcome;
  auto failed = [&](const Status &status) {
    outcome.failure = status.message();
    return outcome;
  };
  const char *text = module.c_str();
  Result<Function> function = device.load(CodeImage::ofPtx(&text), entry.c_str(), 0);
  if (!function)
    return failed(function.status());
  const size_t count = static_cast<size_t>(form.total()) * form.destinations.size();
  Result<Buffer<uint64_t>> operands = Buffer<uint64_t>::from(device, operandsOf(form));
  Result<Buffer<uint64_t>> results = Buffer<uint64_t>::from(device, std::vector<uint64_t>(count));
  std::vector<uint32_t> memory(form.blocks() * scratchBytes / 4);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<uint32_t>((i + 1) * 0x9e3779b1u);
  Result<Buffer<uint32_t>> scratch = Buffer<uint32_t>::from(device, memory);
  if (!operands || !results || !scratch)
    return failed(!operands ? operands.status() : !results ? results.status() : scratch.status());
  void *addresses[] = {operands->data(), results->data(), scratch->data()};
  void *parameters[] = {&addresses[0], &addresses[1], &addresses[2]};
  const uint32_t sizes[] = {8, 8, 8};
  LaunchRequest request;
  request.function = *function;
  request.blocks = form.blocks();
  request.threads = form.threads();
  request.parameters = parameters;
  request.parameterSizes = sizes;
  request.parameterCount = 3;
  if (Status launched = device.launch(request); !launched)
    return failed(launched);
  if (Status ended = device.synchronize(); !ended)
    return failed(ended);
  Result<std::vector<uint64_t>> found = results->toHost();
  if (!found)
    return failed(found.status());
  outcome.results = std::move(*found);
  return outcome;
}

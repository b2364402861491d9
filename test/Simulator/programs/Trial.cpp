#include "test/Simulator/programs/Trial.h"

#include <cstdio>

using namespace programs;
using namespace tilec;

Trial::~Trial() {
  for (void *memory : allocations)
    (void)device.free(memory);
}

void Trial::fail(const std::string &why) {
  if (!failed())
    reason = current.empty() ? why : current + ": " + why;
}

void Trial::check(const Status &status, const char *step) {
  if (!status)
    fail(std::string(step) + ": " + status.message());
}

void *Trial::memoryOf(size_t bytes, uint8_t value) {
  if (failed())
    return nullptr;
  Result<void *> memory = device.allocate(bytes);
  if (!memory) {
    check(memory.status(), "allocate");
    return nullptr;
  }
  allocations.push_back(*memory);
  check(device.fill(*memory, value, bytes), "fill");
  return *memory;
}

void *Trial::memoryWith(const void *values, size_t bytes) {
  void *memory = memoryOf(bytes, 0);
  if (memory)
    check(device.copyIn(memory, values, bytes), "copy in");
  return memory;
}

void Trial::copyOut(void *values, const void *memory, size_t bytes) {
  if (!failed())
    check(device.copyOut(values, memory, bytes), "copy out");
}

void Trial::start(const char *kernel, const Shape &shape, void *const *parameters, const uint32_t *parameterSizes,
                  size_t count) {
  if (failed())
    return;
  Result<Function> function = device.load(CodeImage::ofPtx(&text), kernel, shape.sharedBytes);
  if (!function) {
    check(function.status(), kernel);
    return;
  }
  LaunchRequest request;
  request.function = *function;
  request.blocks = shape.blocks;
  request.threads = shape.threads;
  request.sharedBytes = shape.sharedBytes;
  request.cluster = shape.cluster;
  request.programmatic = shape.programmatic;
  request.parameters = parameters;
  request.parameterSizes = parameterSizes;
  request.parameterCount = count;
  check(device.launch(request), kernel);
}

void Trial::synchronize(const char *kernel) {
  if (!failed())
    check(device.synchronize(), kernel);
}

void Trial::mismatch(const char *what, size_t index, double found, double expected, double bound) {
  char text[256];
  std::snprintf(text, sizeof text, "%s[%zu] is %.17g, expected %.17g", what, index, found, expected);
  std::string why = text;
  if (bound > 0) {
    std::snprintf(text, sizeof text, " within %.3g", bound);
    why += text;
  }
  fail(why);
}

/// Makes the simulated device known to lib/Runtime. Linked as an object of its own, so that a program has it by linking
/// the library and naming nothing.
#include "lib/Simulator/SimulatedDevice.h"

#include <atomic>
#include <cstdio>

using namespace tilec;

/// What is simulated where nobody asks for a target: the newest one whose instructions are all simulated.
static constexpr const char *defaultTarget = "sm_90a";

static Result<Device *> makeDevice(const char *target) {
  const char *name = target ? target : defaultTarget;
  sim::SimulatedDevice *device = sim::simulatedDevice(name);
  if (!device)
    return Status(StatusCode::NoDevice,
                  std::string("no target '") + name + "'; known are " + mlir::tile::targetNames());
  // Whoever did not ask for it is told, once.
  static std::atomic<bool> told{false};
  if (!target && !told.exchange(true))
    std::fprintf(stderr, "tilec: no GPU here; kernels run on a simulated %s, with checks and slowly\n", name);
  return static_cast<Device *>(device);
}

namespace {
const struct Registration {
  Registration() { Device::registerSimulator(makeDevice); }
} registration;
} // namespace

/// The simulated GPU as a tilec::Device: host programs, launchers and tests use it as they use a GPU.
///
/// Launches run at once, in the calling thread and worker threads, and return with the result of the checks: a Status
/// with code CheckFailed holds the reports. Streams are ordered trivially. Addresses are the simulator's own.
///
/// Environment variables, for programs that know nothing of the simulator:
///   TILEC_SIMULATE=sm_90a         simulate that target, also where there is a GPU
///   TILEC_SIMULATE_CHECK=off      run without checks, 1.6 to 4 times as fast (README.md)
///   TILEC_SIMULATE_SEED=7         another interleaving
#ifndef TILEC_LIB_SIMULATOR_SIMULATEDDEVICE_H
#define TILEC_LIB_SIMULATOR_SIMULATEDDEVICE_H

#include "lib/Runtime/Device.h"
#include "lib/Simulator/Core/Counters.h"
#include "lib/Simulator/Core/Findings.h"
#include "lib/Simulator/Core/Machine.h"

#include <memory>
#include <string_view>

namespace tilec::sim {

/// The simulated GPU as a device of lib/Runtime.
class SimulatedDevice : public Device {
public:
  /// A device of that target; null if there is no such target.
  static std::unique_ptr<SimulatedDevice> create(std::string_view target);
  ~SimulatedDevice() override;

  /// How the next launches run.
  virtual RunOptions &options() = 0;
  /// What the last launch, or copy from the device, found.
  virtual std::vector<Finding> lastFindings() const = 0;
  /// What the last launch counted.
  virtual const Counters &lastCounters() const = 0;
  /// The decoded program of a loaded function.
  virtual const Program &programOf(Function function) const = 0;
  /// The name that reports give to code loaded from now on; default "kernel.ptx".
  virtual void nameCode(std::string name) = 0;
};

/// The device of that target for the whole program (Device::simulated makes the same); null: no such target.
SimulatedDevice *simulatedDevice(std::string_view target);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_SIMULATEDDEVICE_H

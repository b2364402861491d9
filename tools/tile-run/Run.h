/// One launch with its buffers: made, filled, launched, read back and compared.
#ifndef TOOLS_TILE_RUN_RUN_H
#define TOOLS_TILE_RUN_RUN_H

#include "lib/Simulator/SimulatedDevice.h"
#include "tools/tile-run/Kernel.h"

namespace tilec::run {

/// The buffers and the launch of one seed.
class Run {
public:
  /// `simulated` is the device itself or, where that is a GPU, null.
  Run(Device &device, sim::SimulatedDevice *simulated, const Kernel &kernel, const std::vector<Value> &values);
  ~Run();
  Run(const Run &) = delete;

  /// Makes the buffers, launches and waits.
  Status launch(const Options &options);
  /// The buffer of an argument; also what a check said about reading it.
  Status read(size_t argument, std::vector<uint8_t> &bytes);
  /// What the simulated device ran; null before a launch and where nothing was to run.
  const sim::Program *program() const;

private:
  Status makeBuffers();
  Status launchByTable();
  Status launchByHand(const Options &options);

  Device &device;
  sim::SimulatedDevice *simulated;
  const Kernel &kernel;
  const std::vector<Value> &values;
  std::vector<void *> buffers;
  Function function;
};

} // namespace tilec::run

#endif

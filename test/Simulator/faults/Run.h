/// One run of a script on the simulated device: buffers, tensor maps, the launch, the results.
#ifndef TILEC_TEST_SIMULATOR_FAULTS_RUN_H
#define TILEC_TEST_SIMULATOR_FAULTS_RUN_H

#include "lib/Simulator/Core/Findings.h"
#include "test/Simulator/faults/Script.h"

namespace faults {

/// What one run showed.
struct Outcome {
  /// Not empty: the script could not be run at all.
  std::string error;
  std::vector<tilec::sim::Finding> findings;
  /// Where results differ: "out[3] is 4, expected 5"; empty: nowhere.
  std::string wrongResult;
};

/// Runs the script with that fault (empty: none) under a seed.
Outcome run(const Script &script, const std::string &fault, uint64_t seed);

} // namespace faults

#endif // TILEC_TEST_SIMULATOR_FAULTS_RUN_H

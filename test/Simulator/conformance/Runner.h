/// Runs forms on a device.
#ifndef TILEC_TEST_SIMULATOR_CONFORMANCE_RUNNER_H
#define TILEC_TEST_SIMULATOR_CONFORMANCE_RUNNER_H

#include "lib/Runtime/Device.h"
#include "test/Simulator/conformance/Results.h"

namespace conformance {

/// Runs a form of which the module holds the entry.
Outcome runForm(tilec::Device &device, const std::string &module, const std::string &entry, const Form &form);

/// Whether a form is a tensor copy: its name begins with "tensor" and its options describe the case (TensorCopies.cpp).
bool isTensorCopy(const Form &form);
/// PTX of a tensor copy's kernel, with parameters: the map, global memory for results, coordinates are constants.
std::string tensorModule(const Form &form);
/// `onGpu`: the map is the driver's.
Outcome runTensorCopy(tilec::Device &device, const std::string &module, const Form &form, bool onGpu);

} // namespace conformance

#endif // TILEC_TEST_SIMULATOR_CONFORMANCE_RUNNER_H

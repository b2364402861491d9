/// Runs one text the whole way: parse, decode every kernel, launch it. Whatever the text, each step ends with a result
/// or an error.
#ifndef TILEC_TEST_SIMULATOR_FUZZ_TRIAL_H
#define TILEC_TEST_SIMULATOR_FUZZ_TRIAL_H

#include <string>

namespace fuzz {

/// Operations of a launch's warps after which it is ended.
constexpr unsigned operationLimit = 4000;

/// Loads the text on a device of its target (sm_90a where it names none that is known) and launches its kernels, with
/// parameters, grid and interleaving that follow from the text. Aborts where an error has no message or a launch that
/// ended well left findings.
void tryText(const std::string &text);

} // namespace fuzz

#endif // TILEC_TEST_SIMULATOR_FUZZ_TRIAL_H

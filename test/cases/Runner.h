/// Runs numeric cases on a device: makes the inputs, launches, and compares every output with its reference.
#ifndef TEST_CASES_RUNNER_H
#define TEST_CASES_RUNNER_H

#include "lib/Runtime/Runtime.h"
#include "test/cases/Case.h"

namespace cases {

/// One configuration of a case, as generate.sh compiled it.
struct CompiledCase {
  /// "reduce/sum-rows".
  std::string name;
  std::string definitions;
  /// The case's text.
  std::string text;
  const tilec::KernelTable *table;
};

/// Every case of the bundle; generated.
std::vector<CompiledCase> compiledCases();

/// What came of one run.
struct Outcome {
  enum class Kind { Right, Wrong, Skipped };
  Kind kind = Kind::Right;
  /// Sizes of the run: "M=7 N=1000".
  std::string run;
  /// The error that was measured, by the tolerance's kind; the largest over the expectations.
  double error = 0;
  std::string note;
};

/// Runs the case at all its sizes.
std::vector<Outcome> runCase(tilec::Device &device, const CompiledCase &compiled);

} // namespace cases

#endif // TEST_CASES_RUNNER_H

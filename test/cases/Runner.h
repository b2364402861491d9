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
  double seconds = 0;
};

/// Runs the case at all its sizes.
std::vector<Outcome> runCase(tilec::Device &device, const CompiledCase &compiled);

/// One line about a run.
void print(const CompiledCase &compiled, const Outcome &outcome);

/// What came of all runs.
class Summary {
public:
  /// Counts the outcomes of a case, and prints those that are wrong, or all. False if any is wrong.
  bool add(const CompiledCase &compiled, const std::vector<Outcome> &outcomes, bool verbose);
  size_t wrongRuns() const { return counts[size_t(Outcome::Kind::Wrong)]; }
  /// "12 runs right, 0 wrong (in 0 cases), 1 skipped".
  std::string toString() const;

private:
  size_t counts[3] = {};
  size_t wrongCases = 0;
};

/// The device that "gpu", "sim" or "sim:sm_90a" names; empty: any.
tilec::Result<tilec::Device *> findDevice(const std::string &name);

} // namespace cases

#endif // TEST_CASES_RUNNER_H

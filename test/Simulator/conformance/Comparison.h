/// Judges outcomes: against golden results, or where an instruction is approximate against its bound; and reports a
/// line for each class of instructions.
#ifndef TILEC_TEST_SIMULATOR_CONFORMANCE_COMPARISON_H
#define TILEC_TEST_SIMULATOR_CONFORMANCE_COMPARISON_H

#include "test/Simulator/conformance/Results.h"

namespace conformance {

/// A difference that is understood and stays: forms by a name in which * stands for any text, and the reason.
struct KnownDifference {
  std::string pattern, reason;
};

/// Reads lines of a pattern, a tab and a reason; `#` begins a comment. Returns what is wrong, or an empty text.
std::string readKnownDifferences(const std::string &path, std::vector<KnownDifference> &known);

/// The comparison of a table of forms, form by form.
class Comparison {
public:
  std::map<std::string, Golden> golden;
  std::vector<KnownDifference> known;
  /// Whether a form without golden results is wrong.
  bool needsGolden = false;
  /// Prints every difference rather than three of a class, and the known ones.
  bool verbose = false;

  /// Counts the form; prints how it differs.
  void add(const Form &form, const Outcome &outcome);
  /// Prints the table. Returns whether all forms agree or are known to differ.
  bool report() const;

private:
  struct Tally {
    unsigned forms = 0, agree = 0, differ = 0, known = 0;
    /// Greatest distance of approximate results from the golden ones, in units in the last place.
    double units = 0;
  };

  std::string difference(const Form &form, const Outcome &outcome, Tally &tally) const;

  std::vector<std::string> order;
  std::map<std::string, Tally> tallies;
};

} // namespace conformance

#endif // TILEC_TEST_SIMULATOR_CONFORMANCE_COMPARISON_H

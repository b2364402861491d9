/// Results of forms and the golden file that keeps them.
///
/// A golden file is text, one line a form, fields separated by tabs:
///   name, number of results, hash of all results, 16-bit hashes of each sixteenth part, the first results
/// Numbers are hexadecimal but for the count; hashes are hashOf over the results as 64-bit words, the 16-bit ones its
/// low bits. A line that begins with `!` says that the device refused the form, and why: where it stopped at an illegal
/// instruction or a misaligned address, the simulator must report a finding.
#ifndef TILEC_TEST_SIMULATOR_CONFORMANCE_RESULTS_H
#define TILEC_TEST_SIMULATOR_CONFORMANCE_RESULTS_H

#include "test/Simulator/conformance/Operands.h"

#include <cstdio>

namespace conformance {

/// What a device made of a form: the results in order of threads, or why there are none.
struct Outcome {
  std::string failure;
  std::vector<uint64_t> results;
};

/// What a golden file holds of a form: why it was refused, or its results in short.
struct Golden {
  std::string failure;
  size_t count = 0;
  uint64_t hash = 0;
  std::vector<uint16_t> parts;
  std::vector<uint64_t> first;
  /// All results, where a file of full results was read.
  std::vector<uint64_t> all;
};

/// Parts of the results that are hashed one by one.
constexpr size_t goldenParts = 16;

/// Appends a line.
void writeGolden(std::FILE *file, const Form &form, const Outcome &outcome);
/// Reads a file into the table. Returns what is wrong with it, or an empty text.
std::string readGolden(const std::string &path, std::map<std::string, Golden> &table);

/// \name Files with every result, to look into differences; not kept. Per form: lengths of name and results (32 bits
/// each), the name, the results.
/// @{
void writeFull(std::FILE *file, const Form &form, const Outcome &outcome);
std::string readFull(const std::string &path, std::map<std::string, Golden> &table);
/// @}

/// Where the results first differ from the golden ones; -1: nowhere. `exactly`: whether that result is known to differ,
/// rather than one of the part that begins there.
int64_t firstDifference(const Outcome &outcome, const Golden &golden, bool &exactly);

} // namespace conformance

#endif // TILEC_TEST_SIMULATOR_CONFORMANCE_RESULTS_H

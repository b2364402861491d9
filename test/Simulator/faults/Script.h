/// A kernel with its planted faults: PTX text whose comments `//!` say how to run it, which edits break it, and what
/// the checks must then say. README.md describes the comments. An edit replaces a line and keeps the number of lines,
/// so that a line has the same number in every version.
#ifndef TILEC_TEST_SIMULATOR_FAULTS_SCRIPT_H
#define TILEC_TEST_SIMULATOR_FAULTS_SCRIPT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace faults {

/// What a fault must be reported as; several of one fault are alternatives.
struct Expectation {
  /// findingName, or "wrong result": the run ends without a finding and the results differ.
  std::string kind;
  /// Part of the report, notes included.
  std::string text;
  /// Names of lines (`//! line NAME`), or "host": a report without a line. Empty: any.
  std::vector<std::string> places;
};

/// A planted fault, and how it must be reported.
struct Fault {
  std::string name;
  std::vector<Expectation> expected;
  /// Whether it is enough that some seeds find it.
  bool someSeeds = false;
};

/// A line in all its forms.
struct Line {
  std::string code, directive;
  /// Replacements of the code (of the directive, where there is no code), by fault.
  std::map<std::string, std::string> edits;
};

/// A kernel's file.
struct Script {
  std::vector<Line> lines;
  std::vector<Fault> faults;
  /// Line numbers, from 1.
  std::map<std::string, uint32_t> places;
  std::string kernel;

  /// Reads a script; returns why it cannot be read, or an empty text.
  std::string read(const std::string &text);
  /// The PTX with that fault; empty name: none.
  std::string ptx(const std::string &fault) const;
  /// The directives (`arg …`, `launch …`) with that fault, split into words.
  std::vector<std::vector<std::string>> directives(const std::string &fault) const;
};

/// Words between spaces.
std::vector<std::string> wordsOf(const std::string &text);

} // namespace faults

#endif // TILEC_TEST_SIMULATOR_FAULTS_SCRIPT_H

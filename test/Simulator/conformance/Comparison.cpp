#include "test/Simulator/conformance/Comparison.h"

#include "test/Simulator/conformance/Approximations.h"
#include "test/Simulator/conformance/Runner.h"

#include <algorithm>
#include <cinttypes>
#include <fstream>

using namespace conformance;

static std::string hexOf(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

/// "thread 5 d0: a = 0x…, b = 0x… gives 0x…, expected 0x…".
static std::string describe(const Form &form, const Outcome &outcome, const Golden &golden, size_t at, bool exactly) {
  const size_t width = std::max<size_t>(form.destinations.size(), 1), thread = at / width;
  std::string text = (exactly ? "thread " : "in the part from thread ") + std::to_string(thread) + " d" +
                     std::to_string(at % width) + ":";
  if (!isTensorCopy(form)) {
    const std::vector<uint64_t> operands = operandsOf(form);
    for (size_t k = 0; k < form.sources.size() && k < 6; ++k)
      if (!form.sources[k].constant())
        text += " " + hexOf(operands[k * form.total() + thread]);
  }
  text += " gives " + (at < outcome.results.size() ? hexOf(outcome.results[at]) : "nothing");
  const std::vector<uint64_t> &known = golden.all.empty() ? golden.first : golden.all;
  if (exactly && at < known.size())
    text += ", expected " + hexOf(known[at]);
  if (exactly && !golden.all.empty()) {
    size_t differing = 0;
    for (size_t i = 0; i < known.size() && i < outcome.results.size(); ++i)
      differing += known[i] != outcome.results[i];
    text += " (" + std::to_string(differing) + " of " + std::to_string(known.size()) + " differ)";
  }
  return text;
}

/// Why an approximate form's results are wrong; empty if they are within the bound.
static std::string checkApproximate(const Form &form, const Outcome &outcome) {
  const std::vector<uint64_t> operands = operandsOf(form);
  const unsigned total = form.total();
  size_t wrong = 0;
  std::string first;
  for (unsigned thread = 0; thread < outcome.results.size(); ++thread) {
    const uint64_t a = operands[thread], b = form.sources.size() > 1 ? operands[total + thread] : 0;
    if (withinBound(form, a, b, outcome.results[thread]))
      continue;
    if (wrong++ == 0)
      first = "outside its bound: " + hexOf(a) + " " + hexOf(b) + " gives " + hexOf(outcome.results[thread]);
  }
  return wrong ? first + " (" + std::to_string(wrong) + " such)" : "";
}

static bool matches(const char *pattern, const char *text) {
  if (*pattern == '*')
    return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
  return *pattern == *text && (!*text || matches(pattern + 1, text + 1));
}

std::string conformance::readKnownDifferences(const std::string &path, std::vector<KnownDifference> &known) {
  std::ifstream file(path);
  if (!file)
    return "cannot read " + path;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    const size_t tab = line.find('\t');
    if (tab == std::string::npos)
      return path + ": expects a name, a tab and a reason: " + line;
    known.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return {};
}

/// Whether hardware stopped in the form with an error of the program's, which the simulator reports as a finding.
static bool stoppedOnHardware(const Golden &golden) {
  return golden.failure.find("CUDA_ERROR_ILLEGAL_INSTRUCTION") != std::string::npos ||
         golden.failure.find("CUDA_ERROR_MISALIGNED_ADDRESS") != std::string::npos;
}

std::string Comparison::difference(const Form &form, const Outcome &outcome, Tally &tally) const {
  auto found = golden.find(form.name);
  if (found != golden.end() && stoppedOnHardware(found->second)) {
    const bool isFinding = outcome.failure.find("1 finding") != std::string::npos;
    if (isFinding && outcome.failure.find("not supported") == std::string::npos)
      return "";
    return "no finding, but the hardware stopped: " + found->second.failure + " " + outcome.failure;
  }
  if (!outcome.failure.empty())
    return outcome.failure;
  if (found == golden.end())
    return needsGolden                    ? "there are no golden results"
           : form.options.count("approx") ? checkApproximate(form, outcome)
                                          : "";
  if (!found->second.failure.empty())
    return "the hardware refused it: " + found->second.failure;
  const std::vector<uint64_t> &first = found->second.first;
  if (form.options.count("approx")) {
    // Those of f32 begin with special values, some of which have no bound; the tame operands are drawn at random.
    const bool measured = form.destinations[0].type != "f32" || form.sources[0].kind == "tame";
    for (size_t i = 0; measured && i < first.size() && i < outcome.results.size(); ++i)
      tally.units = std::max(tally.units, unitsApart(form, outcome.results[i], first[i]));
    return checkApproximate(form, outcome);
  }
  bool exactly = false;
  const int64_t at = firstDifference(outcome, found->second, exactly);
  return at < 0 ? "" : describe(form, outcome, found->second, static_cast<size_t>(at), exactly);
}

void Comparison::add(const Form &form, const Outcome &outcome) {
  if (!tallies.count(form.group))
    order.push_back(form.group);
  Tally &tally = tallies[form.group];
  ++tally.forms;
  const std::string why = difference(form, outcome, tally);
  if (why.empty()) {
    ++tally.agree;
    return;
  }
  auto reason = std::find_if(known.begin(), known.end(), [&](const KnownDifference &one) {
    return matches(one.pattern.c_str(), form.name.c_str());
  });
  if (reason != known.end()) {
    ++tally.known;
    if (verbose)
      std::printf("known: %s: %s\n    %s\n", form.name.c_str(), reason->reason.c_str(), why.c_str());
    return;
  }
  if (++tally.differ <= 3 || verbose)
    std::printf("differs: %s\n    %s\n", form.name.c_str(), why.c_str());
}

bool Comparison::report() const {
  Tally all;
  std::printf("%-50s %6s %6s %6s %6s\n", "class", "forms", "agree", "differ", "known");
  for (const std::string &group : order) {
    const Tally &tally = tallies.at(group);
    std::printf("%-50s %6u %6u %6u %6u", group.c_str(), tally.forms, tally.agree, tally.differ, tally.known);
    if (tally.units > 0)
      std::printf("   at most %.0f ulp from the hardware", tally.units);
    std::printf("\n");
    all.forms += tally.forms, all.agree += tally.agree, all.differ += tally.differ, all.known += tally.known;
  }
  std::printf("%-50s %6u %6u %6u %6u\n", "all", all.forms, all.agree, all.differ, all.known);
  return all.differ == 0 && all.forms > 0;
}

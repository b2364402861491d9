// Runs kernels clean and with each of their planted faults: the clean ones must raise nothing and compute what they
// should, the others must be found and named.
#include "test/Simulator/faults/Run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace faults;
using tilec::sim::Finding;

static constexpr const char *usage =
    "usage: simulator-faults FOLDER [--filter TEXT] [--seeds N] [--verbose]\n"
    "Runs the kernels of a folder whose fault's name or file contains TEXT, each under "
    "seeds 0 to N - 1 (8).\nExit status: 0 all as expected, 1 not, 2 bad use.\n";

namespace {
struct Options {
  std::string folder, filter;
  uint64_t seeds = 8;
  bool verbose = false;
};

struct Counts {
  unsigned clean = 0, found = 0, wrong = 0;
};
} // namespace

static std::string describe(const Outcome &outcome) {
  std::string text = outcome.error.empty() ? "" : "cannot run: " + outcome.error + "\n";
  for (const Finding &finding : outcome.findings)
    text += finding.toString("kernel.ptx") + "\n";
  if (!outcome.wrongResult.empty())
    text += "wrong result: " + outcome.wrongResult + "\n";
  return text.empty() ? "nothing found\n" : text;
}

static bool isAt(const Script &script, const Expectation &expectation, uint32_t line) {
  if (expectation.places.empty())
    return true;
  for (const std::string &place : expectation.places)
    if (line == (place == "host" ? 0 : script.places.at(place)))
      return true;
  return false;
}

/// Whether the outcome is what is expected; `said` is then the report's first line.
static bool matches(const Script &script, const Expectation &expectation, const Outcome &outcome, std::string &said) {
  if (expectation.kind == "wrong result") {
    said = "wrong result: " + outcome.wrongResult;
    return outcome.findings.empty() && !outcome.wrongResult.empty() &&
           outcome.wrongResult.find(expectation.text) != std::string::npos;
  }
  for (const Finding &finding : outcome.findings) {
    std::string report = finding.toString("kernel.ptx");
    if (expectation.kind != findingName(finding.kind) || report.find(expectation.text) == std::string::npos ||
        !isAt(script, expectation, finding.at.line))
      continue;
    said = report.substr(0, report.find('\n'));
    return true;
  }
  return false;
}

static void runClean(const Script &script, const std::string &name, const Options &options, Counts &counts) {
  for (uint64_t seed = 0; seed < options.seeds; ++seed) {
    Outcome outcome = run(script, "", seed);
    if (outcome.error.empty() && outcome.findings.empty() && outcome.wrongResult.empty())
      continue;
    std::printf("FALSE ALARM %s, seed %llu\n%s", name.c_str(), static_cast<unsigned long long>(seed),
                describe(outcome).c_str());
    ++counts.wrong;
    return;
  }
  ++counts.clean;
  std::printf("clean  %s\n", name.c_str());
}

static void runFault(const Script &script, const Fault &fault, const std::string &name, const Options &options,
                     Counts &counts) {
  uint64_t hits = 0, missedSeed = 0;
  std::string said, missed;
  for (uint64_t seed = 0; seed < options.seeds; ++seed) {
    Outcome outcome = run(script, fault.name, seed);
    bool hit =
        outcome.error.empty() && std::any_of(fault.expected.begin(), fault.expected.end(), [&](const Expectation &e) {
          std::string text;
          bool match = matches(script, e, outcome, text);
          if (match && said.empty())
            said = text;
          return match;
        });
    hits += hit;
    if (!hit && missed.empty()) {
      missedSeed = seed;
      missed = describe(outcome);
    }
  }
  bool good = fault.someSeeds ? hits > 0 : hits == options.seeds;
  if (good) {
    ++counts.found;
    std::printf("found  %s: %s: %s\n", name.c_str(), fault.name.c_str(),
                options.verbose ? said.c_str() : said.substr(0, 100).c_str());
    return;
  }
  ++counts.wrong;
  std::printf("MISSED %s: %s (found by %llu of %llu seeds); seed %llu says\n%s", name.c_str(), fault.name.c_str(),
              static_cast<unsigned long long>(hits), static_cast<unsigned long long>(options.seeds),
              static_cast<unsigned long long>(missedSeed), missed.c_str());
}

static bool readOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--verbose"))
      options.verbose = true;
    else if (!std::strcmp(argv[i], "--filter") && i + 1 < argc)
      options.filter = argv[++i];
    else if (!std::strcmp(argv[i], "--seeds") && i + 1 < argc)
      options.seeds = std::strtoull(argv[++i], nullptr, 10);
    else if (argv[i][0] != '-' && options.folder.empty())
      options.folder = argv[i];
    else
      return false;
  }
  return !options.folder.empty() && options.seeds > 0;
}

int main(int argc, char **argv) {
  Options options;
  if (!readOptions(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(options.folder, error))
    if (entry.path().extension() == ".ptx")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "no kernels in %s\n", options.folder.c_str());
    return 2;
  }
  Counts counts;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  auto begin = std::chrono::steady_clock::now();
  for (const std::filesystem::path &file : files) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    Script script;
    std::string name = file.stem().string();
    if (std::string why = script.read(text.str()); !why.empty()) {
      std::printf("BAD SCRIPT %s: %s\n", name.c_str(), why.c_str());
      ++counts.wrong;
      continue;
    }
    bool all = name.find(options.filter) != std::string::npos;
    if (all)
      runClean(script, name, options, counts);
    for (const Fault &fault : script.faults)
      if (all || fault.name.find(options.filter) != std::string::npos)
        runFault(script, fault, name, options, counts);
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%u clean kernels raise nothing, %u faults found, %u wrong, %.1f s\n", counts.clean, counts.found,
              counts.wrong, seconds);
  return counts.wrong ? 1 : 0;
}

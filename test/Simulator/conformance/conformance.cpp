// Runs the table of instruction forms on the simulated device or on a GPU, and compares with, or makes, golden files.
#include "test/Simulator/conformance/Approximations.h"
#include "test/Simulator/conformance/Runner.h"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace conformance;
using namespace tilec;

static constexpr const char *usage =
    "usage: simulator-conformance FILE.forms… --device sim[:TARGET]|gpu [--golden FILE] [--known FILE] [--full FILE]\n"
    "           [--write FILE] [--write-full FILE] [--filter TEXT] [--from N] [--verbose] [--check] [--list] [--emit DIR]\n"
    "Runs every form whose name contains TEXT. With --golden compares the results; --known lists differences that are\n"
    "understood. With --write makes the golden file. Exit status: 0 all agree, 1 some differ, 2 bad use.\n";

/// Forms of a module; few, so that a form that a compiler refuses takes few others down to single modules.
static constexpr size_t formsPerModule = 50;
/// Seconds that a form may run on a GPU.
static constexpr unsigned patience = 10;

namespace {
struct Options {
  std::vector<std::string> files;
  std::string device = "sim:sm_90a", golden, known, full, write, writeFull, filter, emit;
  size_t from = 0;
  bool verbose = false, check = false, list = false;
};

/// What the line of a class says.
struct Tally {
  unsigned forms = 0, agree = 0, differ = 0, known = 0;
  double units = 0;
};

struct Known {
  std::string pattern, reason;
};
} // namespace

static bool readOptions(int argc, char **argv, Options &options) {
  const std::map<std::string, std::string Options::*> texts = {
      {"--device", &Options::device}, {"--golden", &Options::golden},         {"--known", &Options::known},
      {"--full", &Options::full},     {"--write", &Options::write},           {"--write-full", &Options::writeFull},
      {"--filter", &Options::filter}, {"--emit", &Options::emit}};
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (auto text = texts.find(option); text != texts.end() && i + 1 < argc)
      options.*text->second = argv[++i];
    else if (option == "--from" && i + 1 < argc)
      options.from = std::strtoul(argv[++i], nullptr, 10);
    else if (option == "--verbose")
      options.verbose = true;
    else if (option == "--check")
      options.check = true;
    else if (option == "--list")
      options.list = true;
    else if (option[0] != '-')
      options.files.push_back(option);
    else
      return false;
  }
  return !options.files.empty();
}

//===--- Running ---===//

namespace {
/// Where a run goes on after a form that a GPU did not survive: the program replaces itself, since a context with a
/// faulting or hanging kernel is lost.
struct Resume {
  char **arguments = nullptr;
  char from[24] = {};
  std::FILE *golden = nullptr;
  const Form *form = nullptr;
  size_t index = 0;
};
} // namespace

static Resume resume;

static void goOnAfter(const char *why) {
  if (resume.golden)
    std::fprintf(resume.golden, "!%s\t%s\n", resume.form->name.c_str(), why);
  std::fprintf(stderr, "lost the device at '%s': %s\n", resume.form->name.c_str(), why);
  std::fflush(nullptr);
  std::snprintf(resume.from, sizeof resume.from, "%zu", resume.index + 1);
  execv("/proc/self/exe", resume.arguments);
  _exit(3);
}

/// Whether a form's failure took the context with it.
static bool isLost(const Outcome &outcome) {
  return !outcome.failure.empty() && outcome.failure.find("cuModuleLoad") == std::string::npos &&
         outcome.failure.find("TensorMapEncode") == std::string::npos;
}

static void onAlarm(int) { goOnAfter("does not end"); }

static std::vector<Outcome> runModule(Device &device, const std::vector<Form> &forms, size_t begin, size_t end,
                                      bool onGpu) {
  std::vector<Outcome> outcomes;
  std::string module = moduleOf(&forms[begin], end - begin), single;
  const char *text = module.c_str();
  const bool whole = !isTensorCopy(forms[begin]) && device.load(CodeImage::ofPtx(&text), "form0", 0).ok();
  for (size_t i = begin; i < end; ++i) {
    resume.form = &forms[i];
    resume.index = i;
    if (onGpu)
      alarm(patience);
    if (isTensorCopy(forms[i])) {
      outcomes.push_back(runTensorCopy(device, tensorModule(forms[i]), forms[i], onGpu));
    } else if (whole) {
      outcomes.push_back(runForm(device, module, "form" + std::to_string(i - begin), forms[i]));
    } else {
      single = moduleOf(&forms[i], 1);
      outcomes.push_back(runForm(device, single, "form0", forms[i]));
    }
    alarm(0);
    if (onGpu && isLost(outcomes.back()))
      return outcomes;
  }
  return outcomes;
}

//===--- Comparing ---===//

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

static std::string difference(const Form &form, const Outcome &outcome, const Golden *golden, Tally &tally) {
  if (!outcome.failure.empty())
    return outcome.failure;
  if (form.options.count("approx")) {
    if (golden)
      for (size_t i = 0; i < golden->first.size() && i < outcome.results.size(); ++i)
        tally.units = std::max(tally.units, unitsApart(form, outcome.results[i], golden->first[i]));
    return checkApproximate(form, outcome);
  }
  if (!golden)
    return {};
  bool exactly = false;
  const int64_t at = firstDifference(outcome, *golden, exactly);
  return at < 0 ? "" : describe(form, outcome, *golden, static_cast<size_t>(at), exactly);
}

//===--- The program ---===//

static std::string readKnown(const std::string &path, std::vector<Known> &known) {
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

static std::string readInputs(const Options &options, std::vector<Form> &forms, std::map<std::string, Golden> &golden,
                              std::vector<Known> &known) {
  for (const std::string &file : options.files)
    if (std::string wrong = readForms(file, forms); !wrong.empty())
      return wrong;
  std::set<std::string> names;
  for (const Form &form : forms)
    if (!names.insert(form.name).second)
      return "two forms have the name '" + form.name + "'";
  forms.erase(std::remove_if(forms.begin(), forms.end(),
                             [&](const Form &form) { return form.name.find(options.filter) == std::string::npos; }),
              forms.end());
  std::string wrong;
  if (!options.golden.empty())
    wrong = readGolden(options.golden, golden);
  if (wrong.empty() && !options.full.empty())
    wrong = readFull(options.full, golden);
  if (wrong.empty() && !options.known.empty())
    wrong = readKnown(options.known, known);
  return wrong;
}

static void emit(const std::string &folder, const std::vector<Form> &forms) {
  for (size_t i = 0; i < forms.size(); ++i) {
    std::ofstream file(folder + "/" + std::to_string(i) + ".ptx");
    file << "// " << forms[i].name << "\n" << (isTensorCopy(forms[i]) ? tensorModule(forms[i]) : moduleOf(&forms[i], 1));
  }
}

static int report(const std::vector<std::string> &order, const std::map<std::string, Tally> &tallies) {
  Tally all;
  std::printf("%-44s %6s %6s %6s %6s\n", "class", "forms", "agree", "differ", "known");
  for (const std::string &group : order) {
    const Tally &tally = tallies.at(group);
    std::printf("%-44s %6u %6u %6u %6u", group.c_str(), tally.forms, tally.agree, tally.differ, tally.known);
    std::printf(tally.units > 0 ? "   at most %.0f ulp from the hardware\n" : "\n", tally.units);
    all.forms += tally.forms, all.agree += tally.agree, all.differ += tally.differ, all.known += tally.known;
  }
  std::printf("%-44s %6u %6u %6u %6u\n", "all", all.forms, all.agree, all.differ, all.known);
  return all.differ == 0 && all.forms > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  Options options;
  std::vector<Form> forms;
  std::map<std::string, Golden> golden;
  std::vector<Known> known;
  if (!readOptions(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (std::string wrong = readInputs(options, forms, golden, known); !wrong.empty()) {
    std::fprintf(stderr, "simulator-conformance: %s\n", wrong.c_str());
    return 2;
  }
  if (options.list || !options.emit.empty()) {
    if (!options.emit.empty())
      emit(options.emit, forms);
    for (const Form &form : forms)
      std::printf("%s\t%s\n", form.group.c_str(), form.name.c_str());
    return 0;
  }
  const bool onGpu = options.device == "gpu";
  setenv("TILEC_SIMULATE_CHECK", options.check ? "on" : "off", 1);
  const char *target = options.device.rfind("sim:", 0) == 0 ? options.device.c_str() + 4 : nullptr;
  Result<Device *> device = onGpu ? Device::gpu() : Device::simulated(target);
  if (!device) {
    std::fprintf(stderr, "simulator-conformance: %s\n", device.message().c_str());
    return 2;
  }
  std::FILE *write = options.write.empty() ? nullptr : std::fopen(options.write.c_str(), options.from ? "a" : "w");
  std::FILE *writeAll =
      options.writeFull.empty() ? nullptr : std::fopen(options.writeFull.c_str(), options.from ? "ab" : "wb");
  std::vector<char *> arguments(argv, argv + argc);
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (!std::strcmp(arguments[i], "--from"))
      arguments.erase(arguments.begin() + static_cast<long>(i), arguments.begin() + static_cast<long>(i) + 2);
  char fromOption[] = "--from";
  arguments.insert(arguments.end(), {fromOption, resume.from, nullptr});
  resume.arguments = arguments.data();
  resume.golden = write;
  struct sigaction action = {};
  action.sa_handler = onAlarm;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGALRM, &action, nullptr);

  std::vector<std::string> order;
  std::map<std::string, Tally> tallies;
  for (size_t begin = options.from, end; begin < forms.size(); begin = end) {
    for (end = begin + 1; end < forms.size() && end - begin < formsPerModule &&
                          isTensorCopy(forms[end]) == isTensorCopy(forms[begin]);)
      ++end;
    const std::vector<Outcome> outcomes = runModule(**device, forms, begin, end, onGpu);
    for (size_t i = 0; i < outcomes.size(); ++i) {
      const Form &form = forms[begin + i];
      if (onGpu && isLost(outcomes[i]))
        goOnAfter(outcomes[i].failure.c_str());
      if (write)
        writeGolden(write, form, outcomes[i]);
      if (writeAll)
        writeFull(writeAll, form, outcomes[i]);
      if (!tallies.count(form.group))
        order.push_back(form.group);
      Tally &tally = tallies[form.group];
      auto found = golden.find(form.name);
      const Golden *expected = found == golden.end() ? nullptr : &found->second;
      std::string why = difference(form, outcomes[i], expected, tally);
      if (!options.golden.empty() && why.empty() && (!expected || !expected->failure.empty()))
        why = expected ? "the hardware refused it: " + expected->failure : "no golden results";
      ++tally.forms;
      if (why.empty()) {
        ++tally.agree;
        continue;
      }
      auto reason = std::find_if(known.begin(), known.end(),
                                 [&](const Known &one) { return matches(one.pattern.c_str(), form.name.c_str()); });
      if (reason != known.end()) {
        ++tally.known;
        if (options.verbose)
          std::printf("known: %s: %s\n    %s\n", form.name.c_str(), reason->reason.c_str(), why.c_str());
        continue;
      }
      ++tally.differ;
      if (tally.differ <= 3 || options.verbose)
        std::printf("differs: %s\n    %s\n", form.name.c_str(), why.c_str());
    }
  }
  return report(order, tallies);
}

// Runs the table of instruction forms on the simulated device or on a GPU, and compares with, or makes, golden files.
#include "test/Simulator/conformance/Comparison.h"
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
    "           [--write FILE] [--write-full FILE] [--filter TEXT] [--from N] [--verbose] [--check] [--list] [--emit "
    "DIR]\n"
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
} // namespace

static bool readOptions(int argc, char **argv, Options &options) {
  const std::map<std::string, std::string Options::*> texts = {
      {"--device", &Options::device}, {"--golden", &Options::golden}, {"--known", &Options::known},
      {"--full", &Options::full},     {"--write", &Options::write},   {"--write-full", &Options::writeFull},
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

//===--- The program ---===//

static std::string readInputs(const Options &options, std::vector<Form> &forms, Comparison &comparison) {
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
  comparison.verbose = options.verbose;
  comparison.needsGolden = !options.golden.empty();
  std::string wrong;
  if (!options.golden.empty())
    wrong = readGolden(options.golden, comparison.golden);
  if (wrong.empty() && !options.full.empty())
    wrong = readFull(options.full, comparison.golden);
  if (wrong.empty() && !options.known.empty())
    wrong = readKnownDifferences(options.known, comparison.known);
  return wrong;
}

static void listForms(const Options &options, const std::vector<Form> &forms) {
  for (size_t i = 0; i < forms.size(); ++i) {
    std::printf("%s\t%s\n", forms[i].group.c_str(), forms[i].name.c_str());
    if (options.emit.empty())
      continue;
    std::ofstream file(options.emit + "/" + std::to_string(i) + ".ptx");
    file << "// " << forms[i].name << "\n"
         << (isTensorCopy(forms[i]) ? tensorModule(forms[i]) : moduleOf(&forms[i], 1));
  }
}

/// How the program calls itself to go on after a form: its arguments, with another --from.
static void prepareResumption(int argc, char **argv, std::vector<char *> &arguments, std::FILE *golden) {
  static char fromOption[] = "--from";
  arguments.assign(argv, argv + argc);
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (!std::strcmp(arguments[i], fromOption))
      arguments.erase(arguments.begin() + static_cast<long>(i), arguments.begin() + static_cast<long>(i) + 2);
  arguments.insert(arguments.end(), {fromOption, resume.from, nullptr});
  resume.arguments = arguments.data();
  resume.golden = golden;
  struct sigaction action = {};
  action.sa_handler = onAlarm;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGALRM, &action, nullptr);
}

static void runAll(Device &device, const Options &options, const std::vector<Form> &forms, Comparison &comparison,
                   std::FILE *golden, std::FILE *full) {
  const bool onGpu = options.device == "gpu";
  for (size_t begin = options.from, end; begin < forms.size(); begin = end) {
    end = begin + 1;
    while (end < forms.size() && end - begin < formsPerModule && isTensorCopy(forms[end]) == isTensorCopy(forms[begin]))
      ++end;
    const std::vector<Outcome> outcomes = runModule(device, forms, begin, end, onGpu);
    for (size_t i = 0; i < outcomes.size(); ++i) {
      resume.form = &forms[begin + i];
      resume.index = begin + i;
      if (onGpu && isLost(outcomes[i]))
        goOnAfter(outcomes[i].failure.c_str());
      if (golden)
        writeGolden(golden, forms[begin + i], outcomes[i]);
      if (full)
        writeFull(full, forms[begin + i], outcomes[i]);
      comparison.add(forms[begin + i], outcomes[i]);
    }
  }
}

int main(int argc, char **argv) {
  Options options;
  std::vector<Form> forms;
  Comparison comparison;
  if (!readOptions(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (std::string wrong = readInputs(options, forms, comparison); !wrong.empty()) {
    std::fprintf(stderr, "simulator-conformance: %s\n", wrong.c_str());
    return 2;
  }
  if (options.list || !options.emit.empty()) {
    listForms(options, forms);
    return 0;
  }
  setenv("TILEC_SIMULATE_CHECK", options.check ? "on" : "off", 1);
  const char *target = options.device.rfind("sim:", 0) == 0 ? options.device.c_str() + 4 : nullptr;
  // The driver encodes tensor maps in the thread's current context.
  Result<Device *> device = options.device == "gpu" ? Device::current() : Device::simulated(target);
  if (!device) {
    std::fprintf(stderr, "simulator-conformance: %s\n", device.message().c_str());
    return 2;
  }
  const bool again = options.from != 0;
  std::FILE *golden = options.write.empty() ? nullptr : std::fopen(options.write.c_str(), again ? "a" : "w");
  std::FILE *full = options.writeFull.empty() ? nullptr : std::fopen(options.writeFull.c_str(), again ? "ab" : "wb");
  std::vector<char *> arguments;
  prepareResumption(argc, argv, arguments, golden);
  runAll(**device, options, forms, comparison, golden, full);
  return comparison.report() ? 0 : 1;
}

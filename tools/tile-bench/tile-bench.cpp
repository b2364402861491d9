// Checks and times the kernels of a bundle on a GPU; tools/tile-bench/README.md says how bundles are made and read.
#include "tools/tile-bench/Bench.h"
#include "tools/tile-bench/CudaLibraries.h"
#include "tools/tile-bench/Report.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace bench;

static constexpr const char *usage =
    "usage: tile-bench [options]\n"
    "Checks every kernel of the bundle against double precision, then times it against a copy or cuBLAS.\n\n"
    "  --filter TEXT     only kernels whose name and label contain TEXT\n"
    "  --quick           fewer sizes, fewer rounds\n"
    "  --check, --time   only check, only time\n"
    "  --verbose         every check on a line of its own\n"
    "  --rounds N        timed rounds (15; 5 with --quick)\n"
    "  --watchdog N      seconds after which a step that does not end ends the program (60)\n"
    "  --json FILE       write the results there too\n"
    "  --list            name the kernels and stop\n"
    "Environment: TILEC_CUBLAS_DIR, TILEC_CUBLAS (a file), TILEC_CUDA_DRIVER.\n";

int64_t KernelEntry::parameter(const std::string &name, int64_t otherwise) const {
  std::string text = "," + parameters, key = "," + name + "=";
  size_t at = text.find(key);
  return at == std::string::npos ? otherwise : std::atoll(text.c_str() + at + key.size());
}

tilec::Status bench::launch(const KernelEntry &entry, tilec::Device &device,
                            const std::vector<NamedArgument> &arguments) {
  std::vector<tilec::Argument> listed;
  for (const tilec::ArgumentInfo &info : entry.table->arguments) {
    const NamedArgument *found = nullptr;
    for (const NamedArgument &argument : arguments)
      if (std::strcmp(argument.name, info.name) == 0)
        found = &argument;
    if (!found)
      return tilec::Status::invalidArgument("tile-bench has no argument '" + std::string(info.name) + "'");
    listed.push_back(found->value);
  }
  return tilec::launchKernel(*entry.table, {listed.data(), listed.size()}, device);
}

/// Reads the command line; false after a message.
static bool readOptions(int argc, char **argv, Options &options, bool &verbose, bool &list) {
  bool roundsGiven = false;
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i];
    auto value = [&]() -> const char * { return i + 1 < argc ? argv[++i] : ""; };
    if (option == "--filter")
      options.filter = value();
    else if (option == "--quick")
      options.quick = true;
    else if (option == "--check")
      options.times = false;
    else if (option == "--time")
      options.checks = false;
    else if (option == "--verbose")
      verbose = true;
    else if (option == "--rounds")
      options.rounds = std::max(1, std::atoi(value())), roundsGiven = true;
    else if (option == "--watchdog")
      options.watchdogSeconds = std::max(1, std::atoi(value()));
    else if (option == "--json")
      options.json = value();
    else if (option == "--list")
      list = true;
    else {
      std::fprintf(option == "--help" ? stdout : stderr, "%s", usage);
      std::exit(option == "--help" ? 0 : 1);
    }
  }
  if (options.quick && !roundsGiven)
    options.rounds = 5;
  return true;
}

int main(int argc, char **argv) {
  Options options;
  bool verbose = false, list = false;
  if (!readOptions(argc, argv, options, verbose, list))
    return 1;
  std::vector<KernelEntry> entries;
  for (const KernelEntry &entry : kernels())
    if (entry.title().find(options.filter) != std::string::npos)
      entries.push_back(entry);
  if (list) {
    for (const KernelEntry &entry : entries)
      std::printf("%s (%s)\n", entry.title().c_str(), entry.parameters.c_str());
    return 0;
  }
  // Makes the context current, which copies and cuBLAS rely on.
  tilec::Result<tilec::Device *> device = tilec::Device::current();
  if (!device) {
    std::printf("no device (%s): nothing was checked or timed\n", device.message().c_str());
    return 0;
  }
  const tilec::DeviceProperties &properties = (*device)->properties();
  std::string name = properties.name + ", sm_" + std::to_string(properties.sm) + ", driver " +
                     std::to_string(properties.driverVersion / 1000) + "." +
                     std::to_string(properties.driverVersion % 1000 / 10);
  std::printf("%s, %zu kernels\n", name.c_str(), entries.size());
  startWatchdog(options.watchdogSeconds);

  std::vector<CheckRow> checks;
  if (options.checks)
    for (const KernelEntry &entry : entries) {
      size_t first = checks.size();
      checkElementwise(**device, entry, checks);
      checkSoftmax(**device, entry, checks);
      checkQuantize(**device, entry, checks);
      checkMatmul(**device, entry, options, checks);
      printChecks({checks.begin() + long(first), checks.end()}, verbose);
      std::fflush(stdout);
    }

  std::vector<TimeRow> times;
  if (options.times) {
    if (tilec::Result<Cublas *> cublas = Cublas::get())
      std::printf("cuBLAS %d from %s\n", (*cublas)->version(), (*cublas)->path().c_str());
    std::set<std::string> labels;
    for (const KernelEntry &entry : entries) {
      timeElementwise(**device, entry, options, times);
      timeSoftmax(**device, entry, options, times);
      timeQuantize(**device, entry, options, times);
      timeMatmul(**device, entry, options, times);
      if (entry.kernel == "sin2_plus_cos2" && labels.insert(entry.label).second)
        timeFiveAgainstOne(**device, kernels(), entry.label, options, times);
    }
    printTimes(times);
  }
  if (!options.json.empty())
    require(writeJson(options.json, name, checks, times));
  size_t wrong = 0;
  for (const CheckRow &row : checks)
    wrong += !row.ok;
  std::printf("%zu checks, %zu wrong; %zu timings\n", checks.size(), wrong, times.size());
  return wrong ? 1 : 0;
}

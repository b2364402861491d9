// Runs the numeric cases of a bundle on a GPU, or on the simulated device where one is linked in.
#include "test/cases/Runner.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace cases;

static constexpr const char *usage =
    "usage: tile-cases [--filter TEXT] [--list] [--verbose] [--watchdog SECONDS] [--from N]\n"
    "                  [--device gpu|sim[:TARGET]]\n"
    "Runs every numeric case, or those whose name contains TEXT, from number N on.\n";

namespace {
/// Ends the process when a case takes too long: a kernel that hangs cannot be stopped otherwise.
class Watchdog {
public:
  void start(int seconds) {
    std::thread([this, seconds] {
      for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        std::lock_guard<std::mutex> lock(mutex);
        if (std::chrono::steady_clock::now() - since < std::chrono::seconds(seconds))
          continue;
        std::fprintf(stderr, "tile-cases: no end after %d s in %s\n", seconds, what.c_str());
        std::fflush(nullptr);
        _exit(3);
      }
    }).detach();
  }
  void now(const std::string &step) {
    std::lock_guard<std::mutex> lock(mutex);
    what = step;
    since = std::chrono::steady_clock::now();
  }

private:
  std::mutex mutex;
  std::string what = "starting";
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

struct Options {
  std::string filter, device;
  bool list = false, verbose = false;
  int watchdogSeconds = 120;
  size_t from = 0;
};
} // namespace

static Options readOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i];
    if (option == "--filter" && i + 1 < argc)
      options.filter = argv[++i];
    else if (option == "--device" && i + 1 < argc)
      options.device = argv[++i];
    else if (option == "--watchdog" && i + 1 < argc)
      options.watchdogSeconds = std::max(1, std::atoi(argv[++i]));
    else if (option == "--from" && i + 1 < argc)
      options.from = size_t(std::atoll(argv[++i]));
    else if (option == "--list")
      options.list = true;
    else if (option == "--verbose")
      options.verbose = true;
    else {
      std::fprintf(option == "--help" ? stdout : stderr, "%s", usage);
      std::exit(option == "--help" ? 0 : 1);
    }
  }
  return options;
}

/// A kernel that broke the device's context leaves nothing to work with: the other cases run in a new process.
static void goOnInNewProcess(const Options &options, const char *program, size_t from) {
  std::printf("the device is lost; going on at case %zu in a new process\n", from);
  std::fflush(nullptr);
  std::string number = std::to_string(from), seconds = std::to_string(options.watchdogSeconds);
  std::vector<const char *> arguments = {program,         "--filter", options.filter.c_str(), "--watchdog",
                                         seconds.c_str(), "--from",   number.c_str(),
                                         "--device",      options.device.c_str()};
  if (options.verbose)
    arguments.push_back("--verbose");
  arguments.push_back(nullptr);
  execv("/proc/self/exe", const_cast<char *const *>(arguments.data()));
  std::perror("execv");
}

int main(int argc, char **argv) {
  Options options = readOptions(argc, argv);
  std::vector<CompiledCase> all;
  for (CompiledCase &compiled : compiledCases())
    if ((compiled.name + " " + compiled.definitions).find(options.filter) != std::string::npos)
      all.push_back(compiled);
  if (options.list) {
    for (const CompiledCase &compiled : all)
      std::printf("%s %s\n", compiled.name.c_str(), compiled.definitions.c_str());
    return 0;
  }
  tilec::Result<tilec::Device *> device = findDevice(options.device);
  if (!device) {
    std::printf("no device (%s); not run: %zu compiled cases\n", device.message().c_str(), all.size());
    return 0;
  }
  std::printf("device: %s, sm_%d\n", (*device)->properties().name.c_str(), (*device)->properties().sm);
  auto *watchdog = new Watchdog; // outlives the watching thread
  watchdog->start(options.watchdogSeconds);

  Summary summary;
  for (size_t number = options.from; number < all.size(); ++number) {
    const CompiledCase &compiled = all[number];
    watchdog->now(compiled.name + " " + compiled.definitions);
    bool right = summary.add(compiled, runCase(**device, compiled), options.verbose);
    if (!right && !(*device)->synchronize()) {
      goOnInNewProcess(options, argv[0], number + 1);
      break;
    }
    std::fflush(stdout);
  }
  std::printf("cases %zu to %zu: %s\n", options.from, all.size(), summary.toString().c_str());
  return summary.wrongRuns() ? 1 : 0;
}

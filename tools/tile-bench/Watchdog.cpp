/// Ends the process when one step takes too long: a kernel that hangs cannot be stopped otherwise, and device time is
/// dear.
#include "tools/tile-bench/Bench.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace {
struct Step {
  std::mutex mutex;
  std::string what = "starting";
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};
} // namespace

static Step &step() {
  static Step *step = new Step; // outlives the watching thread
  return *step;
}

void bench::now(const std::string &what) {
  std::lock_guard<std::mutex> lock(step().mutex);
  step().what = what;
  step().since = std::chrono::steady_clock::now();
}

void bench::startWatchdog(int seconds) {
  (void)step();
  std::thread([seconds] {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      std::lock_guard<std::mutex> lock(step().mutex);
      if (std::chrono::steady_clock::now() - step().since < std::chrono::seconds(seconds))
        continue;
      std::fprintf(stderr, "tile-bench: no end after %d s while %s\n", seconds, step().what.c_str());
      std::fflush(nullptr);
      _exit(3);
    }
  }).detach();
}

void bench::fail(const std::string &message) {
  {
    std::lock_guard<std::mutex> lock(step().mutex);
    std::fprintf(stderr, "tile-bench: while %s: %s\n", step().what.c_str(), message.c_str());
  }
  std::fflush(nullptr);
  _exit(2);
}

void bench::require(const tilec::Status &status) {
  if (!status)
    fail(status.message());
}

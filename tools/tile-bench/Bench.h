/// tile-bench: checks and times the examples' kernels on a GPU. It knows kernels by their tables only, so that one
/// program serves every configuration that generate.sh put into a bundle.
#ifndef TOOLS_TILE_BENCH_BENCH_H
#define TOOLS_TILE_BENCH_BENCH_H

#include "lib/Runtime/Runtime.h"

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One kernel in one configuration.
struct KernelEntry {
  /// The bundle's name for the configuration: "matmul_128x256x32".
  std::string label;
  /// The kernel's name in its text: "matmul".
  std::string kernel;
  /// What differs from the text's own parameters: "BM=128,BN=256".
  std::string parameters;
  const tilec::KernelTable *table;

  /// "matmul matmul_128x256x32".
  std::string title() const { return kernel + " " + label; }
  bool hasParameter(const std::string &text) const {
    return ("," + parameters + ",").find("," + text + ",") != std::string::npos;
  }
  /// The value of an integer parameter, or `otherwise`.
  int64_t parameter(const std::string &name, int64_t otherwise) const;
};

/// Every kernel of the bundle; generated.
std::vector<KernelEntry> kernels();

/// What the command line asks for.
struct Options {
  std::string filter;
  std::string json;
  bool quick = false;
  bool checks = true;
  bool times = true;
  int rounds = 15;
  int watchdogSeconds = 60;
};

/// A named argument of a call. Those that a kernel's table does not list (dead after folding) are left out.
struct NamedArgument {
  const char *name;
  tilec::Argument value;
};

/// Launches on the default stream, with the arguments that the table lists, in its order.
tilec::Status launch(const KernelEntry &entry, tilec::Device &device, const std::vector<NamedArgument> &arguments);

/// The result of one check.
struct CheckRow {
  std::string title;
  std::string shape;
  bool ok = false;
  /// ||out - ref|| / ||ref||, and the largest |out - ref| / max(|ref|, 1).
  double relative = 0;
  double largest = 0;
  std::string note;
};

/// One timed kernel against its reference, both measured in turns.
struct TimeRow {
  std::string title;
  std::string shape;
  std::string against;
  /// Medians over the rounds, milliseconds a launch.
  double ms = 0, referenceMs = 0;
  /// GB/s, or TFLOP/s with `isFlops`, of both at their medians.
  double rate = 0, referenceRate = 0;
  bool isFlops = false;
  /// rate over reference rate in each round: median, 20th and 80th percentile.
  double ratio = 0, ratioLow = 0, ratioHigh = 0;
  double megahertz = 0, watts = 0;
};

/// A family of kernels that is checked and timed alike. Each returns rows; an error message becomes a failed row.
void checkElementwise(tilec::Device &device, const KernelEntry &entry, std::vector<CheckRow> &rows);
void checkSoftmax(tilec::Device &device, const KernelEntry &entry, std::vector<CheckRow> &rows);
void checkQuantize(tilec::Device &device, const KernelEntry &entry, std::vector<CheckRow> &rows);
void checkMatmul(tilec::Device &device, const KernelEntry &entry, const Options &options, std::vector<CheckRow> &rows);
void timeElementwise(tilec::Device &device, const KernelEntry &entry, const Options &options,
                     std::vector<TimeRow> &rows);
void timeFiveAgainstOne(tilec::Device &device, const std::vector<KernelEntry> &entries, const std::string &label,
                        const Options &options, std::vector<TimeRow> &rows);
void timeSoftmax(tilec::Device &device, const KernelEntry &entry, const Options &options, std::vector<TimeRow> &rows);
void timeQuantize(tilec::Device &device, const KernelEntry &entry, const Options &options, std::vector<TimeRow> &rows);
void timeMatmul(tilec::Device &device, const KernelEntry &entry, const Options &options, std::vector<TimeRow> &rows);

/// Says what is going on now; the process ends with a message when nothing is said for `seconds`.
void startWatchdog(int seconds);
void now(const std::string &what);

/// Ends the process with a message; for failures of memory and of the driver, after which nothing is worth trying.
[[noreturn]] void fail(const std::string &message);
void require(const tilec::Status &status);
template <typename T> T require(tilec::Result<T> result) {
  if (!result)
    require(result.status());
  return std::move(*result);
}

} // namespace bench

#endif // TOOLS_TILE_BENCH_BENCH_H

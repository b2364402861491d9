// Runs the programs' PTX on the simulated device or on a GPU and says of each whether its results are right.
#include "test/Simulator/programs/Programs.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace programs;
using namespace tilec;

static constexpr const char *usage =
    "usage: simulator-programs FOLDER [--device sim|gpu] [--filter TEXT] [--seed N] [--list]\n"
    "Runs each program whose name contains TEXT; FOLDER holds the PTX. Exit status: 0 all right, 1 some wrong or not\n"
    "run, 2 bad use. A program that needs another architecture than the device's is left out and said so.\n";

const std::vector<Program> &programs::allPrograms() {
  static const std::vector<Program> table = {
      {"reduce_shuffle", 80, false, checkReduceShuffle},
      {"reduce_shuffle_debug", 80, false, checkReduceShuffle},
      {"reduce_last_block", 80, false, checkReduceLastBlock},
      {"scan_three_kernels", 80, false, checkScanThreeKernels},
      {"scan_lookback", 80, false, checkScanLookback},
      {"histogram", 80, false, checkHistogram},
      {"bitonic_sort", 80, false, checkBitonicSort},
      {"transpose", 80, false, checkTranspose},
      {"transpose_debug", 80, false, checkTranspose},
      {"stencil", 80, false, checkStencil},
      {"gemm_tiled", 80, false, checkGemmTiled},
      {"gemm_wmma", 80, false, checkGemmWmma},
      {"gemm_mma", 80, false, checkGemmMma},
      {"gemm_pipeline", 80, false, checkGemmPipeline},
      {"divergence", 80, false, checkDivergence},
      {"calls", 80, false, checkCalls},
      {"calls_debug", 80, false, checkCalls},
      {"tables", 80, false, checkTables},
      {"cooperative_groups", 80, false, checkCooperativeGroups},
      {"votes", 80, false, checkVotes},
      {"warp_synchronous", 80, false, checkWarpSynchronous},
      {"atomics", 80, false, checkAtomics},
      {"grid_barrier", 80, false, checkGridBarrier},
      {"block_chain", 80, false, checkBlockChain},
      {"producer_consumer", 80, false, checkProducerConsumer},
      {"bits", 80, false, checkBits},
      {"integer64", 80, false, checkInteger64},
      {"black_scholes", 80, false, checkBlackScholes},
      {"black_scholes_fast", 80, false, checkBlackScholesFast},
      {"functions", 80, false, checkFunctions},
      {"rounding", 80, false, checkRounding},
      {"half_precision", 80, false, checkHalfPrecision},
      {"float8", 80, false, checkFloat8},
      {"float8_sm_90a", 90, true, checkFloat8},
      {"bulk_copy", 90, true, checkBulkCopy},
      {"cluster", 90, true, checkCluster},
      {"dependent_launch", 90, true, checkDependentLaunch},
  };
  return table;
}

namespace {
struct Options {
  std::string folder, device = "sim", filter;
  uint64_t seed = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) % 1000000007;
  bool list = false;
};

enum class Outcome { Right, Wrong, LeftOut };
} // namespace

static bool readOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i];
    bool hasValue = i + 1 < argc;
    if (option == "--list")
      options.list = true;
    else if (option == "--device" && hasValue)
      options.device = argv[++i];
    else if (option == "--filter" && hasValue)
      options.filter = argv[++i];
    else if (option == "--seed" && hasValue)
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (option[0] != '-' && options.folder.empty())
      options.folder = option;
    else
      return false;
  }
  bool knownDevice = options.device == "gpu" || options.device == "sim" || options.device.rfind("sim:", 0) == 0;
  return (options.list || !options.folder.empty()) && knownDevice;
}

static Outcome runProgram(const Program &program, Device &device, const Options &options) {
  auto begin = std::chrono::steady_clock::now();
  int sm = device.properties().sm;
  if (program.thisSmOnly ? sm != program.sm : sm < program.sm) {
    std::printf("%-24s left out: it needs sm_%d%s and the device is sm_%d\n", program.name, program.sm,
                program.thisSmOnly ? "a" : " or later", sm);
    return Outcome::LeftOut;
  }
  std::ifstream file(options.folder + "/" + program.name + ".ptx");
  std::stringstream text;
  text << file.rdbuf();
  std::string ptx = text.str(), why;
  if (ptx.empty()) {
    why = "there is no " + options.folder + "/" + program.name + ".ptx";
  } else {
    Trial trial(device, ptx, options.seed);
    program.check(trial);
    why = trial.message();
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%-24s ... %s (%.2f s)%s%s\n", program.name, why.empty() ? "right" : "wrong", seconds,
              why.empty() ? "" : "\n    ", why.c_str());
  return why.empty() ? Outcome::Right : Outcome::Wrong;
}

int main(int argc, char **argv) {
  Options options;
  if (!readOptions(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (options.list) {
    for (const Program &program : allPrograms())
      std::printf("%s\n", program.name);
    return 0;
  }
  const char *target = options.device.rfind("sim:", 0) == 0 ? options.device.c_str() + 4 : nullptr;
  Result<Device *> device = options.device == "gpu" ? Device::gpu() : Device::simulated(target);
  if (!device) {
    std::fprintf(stderr, "simulator-programs: %s\n", device.message().c_str());
    return 1;
  }
  std::printf("%s, seed %llu\n", (*device)->properties().name.c_str(), static_cast<unsigned long long>(options.seed));
  int right = 0, wrong = 0, leftOut = 0;
  for (const Program &program : allPrograms()) {
    if (!std::strstr(program.name, options.filter.c_str()))
      continue;
    switch (runProgram(program, **device, options)) {
    case Outcome::Right:
      ++right;
      break;
    case Outcome::Wrong:
      ++wrong;
      break;
    case Outcome::LeftOut:
      ++leftOut;
      break;
    }
  }
  std::printf("%d right, %d wrong, %d left out\n", right, wrong, leftOut);
  return wrong == 0 && right > 0 ? 0 : 1;
}

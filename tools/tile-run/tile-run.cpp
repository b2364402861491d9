// Runs one kernel once, or once for each seed, and says what the checks found.
#include "lib/Target/Target.h"
#include "tools/tile-run/Report.h"
#include "tools/tile-run/Run.h"
#include "llvm/Support/InitLLVM.h"
#include <cmath>

using namespace tilec;
using namespace tilec::run;
using llvm::Twine;

namespace {
/// What the process ends with.
enum Exit { Right = 0, Found = 1, BadUse = 2 };
} // namespace

static int fail(const Twine &message) {
  llvm::errs() << "tile-run: error: " << message << "\n";
  return BadUse;
}

/// The target to compile for: that of the GPU, with the features of exactly its generation where the compiler has them.
static std::string targetOfGpu(const DeviceProperties &properties) {
  std::string best;
  for (const mlir::tile::Target &target : mlir::tile::allTargets())
    if (int(target.sm) == properties.sm || (int(target.sm) < properties.sm && llvm::isDigit(target.name.back())))
      best = target.name;
  return best;
}

/// Compares and says the worst element. False if it is over the tolerance, or with `error` where nothing can be
/// compared.
static bool compare(size_t number, const Expectation &expectation, const Value &value,
                    const std::vector<uint8_t> &bytes, std::string &error) {
  Value want;
  std::string typed = expectation.path + (value.npyType.empty() ? ":" + std::string(elementTypeName(value.type)) : "");
  if (!readValue(typed, want, error))
    return false;
  if (want.extents != value.extents) {
    error = expectation.path + " has another shape than argument " + std::to_string(number);
    return false;
  }
  int64_t count = 1, worst = 0;
  for (int64_t extent : value.extents)
    count *= extent;
  double largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    double got = elementOf(value.type, bytes, i), expected = elementOf(value.type, want.bytes, i);
    if (got == expected || (std::isnan(got) && std::isnan(expected)))
      continue;
    double difference = std::fabs(got - expected) / std::max(1.0, std::fabs(expected));
    if (std::isnan(difference))
      difference = INFINITY;
    if (difference > largest) {
      largest = difference;
      worst = i;
    }
  }
  bool right = largest <= expectation.tolerance;
  llvm::outs() << "argument " << number << ": " << (right ? "as " : "not as ") << expectation.path;
  if (largest > 0)
    llvm::outs() << llvm::format(", largest difference %.3g at element %lld: %.9g, expected %.9g", largest,
                                 static_cast<long long>(worst), elementOf(value.type, bytes, worst),
                                 elementOf(value.type, want.bytes, worst));
  llvm::outs() << "\n";
  return right;
}

namespace {
/// The device, and the process's view of it.
class Session {
public:
  Session(const Options &options, Device &device, sim::SimulatedDevice *simulated, const Kernel &kernel,
          const std::vector<Value> &values)
      : options(options), device(device), simulated(simulated), kernel(kernel), values(values) {}

  /// Runs one seed.
  int run(uint64_t seed);

private:
  int printFindings(const Status &status, uint64_t seed);
  int finish(Run &run, int code, uint64_t seed);

  const Options &options;
  Device &device;
  sim::SimulatedDevice *simulated;
  const Kernel &kernel;
  const std::vector<Value> &values;
};
} // namespace

/// Findings one by one; what is none is bad use.
int Session::printFindings(const Status &status, uint64_t seed) {
  if (status.code() != StatusCode::CheckFailed)
    return fail(status.message());
  std::vector<sim::Finding> findings = simulated->lastFindings();
  llvm::outs() << findings.size() << (findings.size() == 1 ? " finding" : " findings") << " with seed " << seed << "\n";
  for (const sim::Finding &finding : findings)
    llvm::outs() << finding.toString(kernel.ptxName) << "\n";
  return Found;
}

int Session::finish(Run &run, int code, uint64_t seed) {
  std::string error;
  for (size_t i = 0; i < values.size(); ++i) {
    bool isSaved = options.saved.count(i) != 0;
    auto expected = options.expected.find(i);
    if (!isSaved && expected == options.expected.end())
      continue;
    std::vector<uint8_t> bytes;
    if (Status status = run.read(i, bytes); !status && code == Right)
      code = printFindings(status, seed);
    if (isSaved && !writeNpy(options.saved.at(i), arrayOf(values[i], bytes), error))
      return fail(error);
    if (expected != options.expected.end() && !compare(i, expected->second, values[i], bytes, error)) {
      if (!error.empty())
        return fail(error);
      code = std::max<int>(code, Found);
    }
  }
  return code;
}

int Session::run(uint64_t seed) {
  Progress progress;
  if (simulated) {
    sim::RunOptions &runOptions = simulated->options();
    runOptions.seed = seed;
    progress.attach(runOptions);
  }
  auto begin = std::chrono::steady_clock::now();
  Run run(device, simulated, kernel, values);
  int code = Right;
  if (Status status = run.launch(options); !status)
    code = printFindings(status, seed);
  if (code == BadUse)
    return code;
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  code = finish(run, code, seed);
  if (options.counters && run.program())
    printCounters(simulated->lastCounters(), *run.program(), llvm::outs());
  bool isLast = seed + 1 == options.firstSeed + options.seedCount;
  if (code == Right && isLast) {
    llvm::outs() << (kernel.table ? kernel.table->interface().name : kernel.symbol) << " on "
                 << device.properties().name << ": " << llvm::format("%.2f s", seconds);
    if (simulated && options.checks)
      llvm::outs() << ", checks found nothing";
    if (options.seedCount > 1)
      llvm::outs() << " with " << options.seedCount << " seeds";
    llvm::outs() << "\n";
  }
  return code;
}

static int runAll(Options &options) {
  std::string error;
  std::vector<Value> values(options.arg.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (!readValue(options.arg[i], values[i], error))
      return fail(error);
  for (const auto &[number, path] : options.saved)
    if (!values[number].isBuffer)
      return fail("--save " + Twine(number) + "=" + path + ": argument " + Twine(number) + " is a scalar");
  for (const auto &[number, expectation] : options.expected)
    if (!values[number].isBuffer)
      return fail("--expect " + Twine(number) + "=" + expectation.path + ": argument " + Twine(number) +
                  " is a scalar");

  Device *device = nullptr;
  std::unique_ptr<sim::SimulatedDevice> simulated;
  std::string target = options.target;
  if (options.isGpu) {
    Result<Device *> gpu = Device::gpu();
    if (!gpu)
      return fail(gpu.message());
    device = *gpu;
    target = targetOfGpu(device->properties());
  } else {
    if (target.empty())
      target = options.isMlir ? "sm_80" : targetOfPtx(options.input, error);
    if (!error.empty())
      return fail(error);
    simulated = sim::SimulatedDevice::create(target);
    if (!simulated)
      return fail(options.input + " is for " + target +
                  ", which is not simulated; choose by --device sim:TARGET one of " + mlir::tile::targetNames());
    device = simulated.get();
  }
  Kernel kernel;
  if (!loadKernel(options, target, kernel, error))
    return error.empty() ? int(BadUse) : fail(error);
  if (simulated) {
    simulated->nameCode(kernel.ptxName);
    simulated->options().check = options.checks;
    simulated->options().cores = options.coreCount;
    simulated->options().operationLimit = options.operationLimit;
  }
  Session session(options, *device, simulated.get(), kernel, values);
  for (uint64_t i = 0; i < options.seedCount; ++i)
    if (int code = session.run(options.firstSeed + i); code != Right)
      return code;
  return Right;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's libraries register hundreds of options for their developers, some under our names; users see ours only.
  llvm::cl::ResetCommandLineParser();
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return error.empty() ? int(BadUse) : fail(error);
  return runAll(options);
}

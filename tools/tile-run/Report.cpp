#include "tools/tile-run/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"

using namespace tilec;
using namespace tilec::run;
using llvm::StringRef;

static constexpr std::chrono::seconds quietTime(2);

void Progress::attach(sim::RunOptions &options) {
  options.progress = report;
  options.progressUser = this;
}

void Progress::report(uint64_t done, uint64_t all, void *user) {
  auto &self = *static_cast<Progress *>(user);
  Clock::time_point now = Clock::now();
  if (now - self.last < quietTime)
    return;
  self.last = now;
  llvm::errs() << "tile-run: " << done << " of " << all << " blocks after "
               << std::chrono::duration_cast<std::chrono::seconds>(now - self.begin).count() << " s\n";
}

/// The line of the program's text.
static StringRef lineOf(StringRef text, uint32_t line) {
  for (; line > 1; --line)
    text = text.split('\n').second;
  return text.split('\n').first.trim();
}

static void printMemory(StringRef name, const sim::AccessCounters &counted, bool isShared, llvm::raw_ostream &os) {
  os << llvm::format("  %-14s %12llu requests %14llu bytes", name.str().c_str(),
                     static_cast<unsigned long long>(counted.requests), static_cast<unsigned long long>(counted.bytes));
  if (isShared)
    os << llvm::format(" %12llu wavefronts, %llu without conflicts",
                       static_cast<unsigned long long>(counted.wavefronts),
                       static_cast<unsigned long long>(counted.minimumWavefronts));
  else
    os << llvm::format(" %12llu sectors", static_cast<unsigned long long>(counted.sectors));
  os << "\n";
}

void tilec::run::printCounters(const sim::Counters &counters, const sim::Program &program, llvm::raw_ostream &os) {
  os << "instructions         by warps         by threads\n";
  for (size_t i = 0; i < sim::instructionClasses; ++i)
    if (counters.warpInstructions[i])
      os << llvm::format("  %-14s %12llu %18llu\n", sim::instructionClassName(sim::InstructionClass(i)),
                         static_cast<unsigned long long>(counters.warpInstructions[i]),
                         static_cast<unsigned long long>(counters.threadInstructions[i]));
  os << llvm::format("  %-14s %12llu %18llu\n", "all", static_cast<unsigned long long>(counters.allWarpInstructions()),
                     static_cast<unsigned long long>(counters.allThreadInstructions()))
     << "memory\n";
  printMemory("global loads", counters.globalLoads, false, os);
  printMemory("global stores", counters.globalStores, false, os);
  printMemory("shared loads", counters.sharedLoads, true, os);
  printMemory("shared stores", counters.sharedStores, true, os);
  os << "matrix multiply-adds " << counters.matrixMultiplyAdds << "\n";
  os << "accesses             requests          bytes    sectors wavefronts    minimum\n";
  for (size_t i = 0; i < counters.accesses.size() && i < program.operations.size(); ++i) {
    const sim::AccessCounters &one = counters.accesses[i];
    const ptx::Instruction *text = program.operations[i].text;
    if (!one.requests || !text)
      continue;
    os << llvm::format("  %6u %20llu %14llu %10llu %10llu %10llu  ", text->location.line,
                       static_cast<unsigned long long>(one.requests), static_cast<unsigned long long>(one.bytes),
                       static_cast<unsigned long long>(one.sectors), static_cast<unsigned long long>(one.wavefronts),
                       static_cast<unsigned long long>(one.minimumWavefronts))
       << lineOf(*program.ptxText, text->location.line) << "\n";
  }
}

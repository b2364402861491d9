/// What a run tells people: progress while it goes on, findings, counters.
#ifndef TOOLS_TILE_RUN_REPORT_H
#define TOOLS_TILE_RUN_REPORT_H

#include "lib/Simulator/SimulatedDevice.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace tilec::run {

/// Lines on standard error about a run that takes longer than two seconds, at most one every two seconds.
class Progress {
public:
  /// Makes the run report here; this object must outlive it.
  void attach(sim::RunOptions &options);

private:
  using Clock = std::chrono::steady_clock;
  static void report(uint64_t done, uint64_t all, void *user);

  Clock::time_point begin = Clock::now(), last = begin;
};

/// Instructions by class, memory and matrix work, and what each instruction that accesses memory moved.
void printCounters(const sim::Counters &counters, const sim::Program &program, llvm::raw_ostream &os);

} // namespace tilec::run

#endif

/// The sixteen barriers of a block (PTX ISA, "bar, barrier").
///
/// A barrier counts threads: a warp whose living lanes have all arrived counts as a full one (32), as barrier counts
/// are multiples of the warp size; lanes that arrive one by one count singly until then. Without a thread count the
/// barrier is complete once every living warp of the block has arrived in full, so threads that have exited are not
/// waited for.
#ifndef TILEC_LIB_SIMULATOR_CORE_BLOCKBARRIERS_H
#define TILEC_LIB_SIMULATOR_CORE_BLOCKBARRIERS_H

#include "lib/Simulator/Core/Order.h"

#include <array>
#include <string>
#include <vector>

namespace tilec::sim {

/// Barriers of a block, numbered from 0.
constexpr unsigned blockBarrierCount = 16;

/// The barriers of one block: who has arrived, who waits, who may go on.
class BlockBarriers {
public:
  /// What a reduction over the threads of a barrier yields.
  struct Reduction {
    uint32_t trueThreads = 0;
    bool all = true, any = false;
  };
  /// What one barrier instruction asks for.
  struct Arrival {
    unsigned barrier = 0;
    /// Threads that take part; 0: all of the block.
    uint32_t threads = 0;
    /// bar.arrive: the threads do not wait.
    bool arriveOnly = false;
    bool isReduction = false;
    /// Lanes whose predicate holds, for reductions.
    LaneMask predicate = 0;
  };

  /// Counts those of `lanes` that have not arrived yet, reports misuse, and returns the lanes of which the barrier is
  /// complete. Called again by threads that wait.
  LaneMask arrive(Execution &x, const Operation &op, LaneMask lanes, const Arrival &arrival);
  /// Completed lanes go on; their next arrival is a new one.
  void leave(unsigned warp, unsigned barrier, LaneMask lanes);
  /// The result of the phase that completed last for the warp.
  const Reduction &reduction(unsigned barrier, unsigned warp) const { return state[barrier].warps[warp].result; }

  /// \name For reports
  /// @{
  /// Barriers at which threads wait.
  bool inUse(unsigned barrier) const;
  /// "barrier 1: 96 of 128 threads have arrived".
  std::string text(const Block &block, unsigned barrier) const;
  /// Whether lanes of the warp have arrived in the present phase, and whether they wait.
  LaneMask arrived(unsigned barrier, unsigned warp) const;
  LaneMask waiting(unsigned barrier, unsigned warp) const;
  /// Divergence is reported once a warp.
  bool divergenceReported(unsigned warp) const { return warp < diverged.size() && diverged[warp]; }
  void noteDivergence(unsigned warp);
  /// @}

private:
  struct WarpState {
    /// Arrived in this phase; of these waiting; of an earlier one and free to go.
    LaneMask arrived = 0, waiting = 0, done = 0;
    /// Threads that arrived more than once in this phase.
    uint32_t repeated = 0;
    Reduction result;
  };
  struct State {
    uint32_t threads = 0;
    const Operation *first = nullptr;
    bool firstIsReduction = false;
    uint64_t phase = 0;
    std::vector<WarpState> warps;
    Reduction reduction;
    BarrierOrder order;
  };

  uint32_t counted(const Block &block, const State &barrier) const;
  uint32_t expected(const Block &block, const State &barrier) const;
  void completeIfFull(Execution &x, const Operation &op, unsigned number, State &barrier);

  std::array<State, blockBarrierCount> state;
  std::vector<bool> diverged;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_CORE_BLOCKBARRIERS_H

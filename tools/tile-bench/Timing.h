/// Times two pieces of device work in turns, so that both see the same clocks and temperature.
#ifndef TOOLS_TILE_BENCH_TIMING_H
#define TOOLS_TILE_BENCH_TIMING_H

#include "tools/tile-bench/Bench.h"

namespace bench {

/// Enqueues one launch of the work; `turn` counts up, so that inputs can be rotated.
using Work = std::function<tilec::Status(size_t turn)>;

/// Fills times, ratio, clock and power of `row`. `amount` and `referenceAmount` are bytes or operations of one launch.
/// Each round times a batch of either (the first of them changes), after a warm-up that is not counted.
void timeInTurns(tilec::Device &device, const Options &options, const Work &work, double amount, const Work &reference,
                 double referenceAmount, TimeRow &row);

/// Milliseconds of a launch of the work, without a reference.
void timeAlone(tilec::Device &device, const Options &options, const Work &work, double amount, TimeRow &row);

} // namespace bench

#endif // TOOLS_TILE_BENCH_TIMING_H

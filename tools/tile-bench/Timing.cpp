#include "tools/tile-bench/Timing.h"

#include "tools/tile-bench/CudaLibraries.h"
#include "tools/tile-bench/Numbers.h"

#include <algorithm>
#include <cmath>

using namespace bench;
using tilec::Device;
using tilec::Event;

namespace {
/// A kind of work with its batch: as many launches as take about `batchMilliseconds`, so that the events' resolution
/// and launch gaps do not count.
class Batch {
public:
  Batch(Device &device, const Work &work) : device(device), work(work) {
    begin = require(device.createEvent());
    end = require(device.createEvent());
    (void)run(2); // code loading and first touch
    double once = std::max(1e-3, run(3));
    launches = std::clamp<size_t>(size_t(std::lround(batchMilliseconds / once)), 1, 200);
  }
  ~Batch() {
    (void)device.destroyEvent(begin);
    (void)device.destroyEvent(end);
  }

  /// Milliseconds a launch, over a batch; reads the board while the batch runs.
  double run(BoardReading *board = nullptr) { return run(launches, board); }

private:
  static constexpr double batchMilliseconds = 6;

  double run(size_t count, BoardReading *board = nullptr) {
    require(device.record(begin));
    for (size_t i = 0; i < count; ++i)
      require(work(turn++));
    require(device.record(end));
    if (board)
      *board = readBoard();
    float milliseconds = require(device.elapsed(begin, end));
    require(device.synchronize());
    return milliseconds / double(count);
  }

  Device &device;
  const Work &work;
  Event begin, end;
  size_t launches = 1, turn = 0;
};
} // namespace

void bench::timeInTurns(Device &device, const Options &options, const Work &work, double amount, const Work &reference,
                        double referenceAmount, TimeRow &row) {
  Batch ours(device, work), theirs(device, reference);
  std::vector<double> times, referenceTimes, ratios, clocks, powers;
  int warmUp = std::max(2, options.rounds / 4);
  for (int round = 0; round < warmUp + options.rounds; ++round) {
    double mine, other;
    BoardReading board;
    if (round % 2) {
      other = theirs.run();
      mine = ours.run(&board);
    } else {
      mine = ours.run(&board);
      other = theirs.run();
    }
    if (round < warmUp)
      continue;
    times.push_back(mine);
    referenceTimes.push_back(other);
    ratios.push_back((amount / mine) / (referenceAmount / other));
    clocks.push_back(board.megahertz);
    powers.push_back(board.watts);
  }
  double unit = row.isFlops ? 1e9 : 1e6; // an amount a millisecond, as TFLOP/s or GB/s
  row.ms = quantile(times, 0.5);
  row.referenceMs = quantile(referenceTimes, 0.5);
  row.rate = amount / row.ms / unit;
  row.referenceRate = referenceAmount / row.referenceMs / unit;
  row.ratio = quantile(ratios, 0.5);
  row.ratioLow = quantile(ratios, 0.2);
  row.ratioHigh = quantile(ratios, 0.8);
  row.megahertz = quantile(clocks, 0.5);
  row.watts = quantile(powers, 0.5);
}

void bench::timeAlone(Device &device, const Options &options, const Work &work, double amount, TimeRow &row) {
  Batch batch(device, work);
  std::vector<double> times, clocks, powers;
  int warmUp = std::max(2, options.rounds / 4);
  for (int round = 0; round < warmUp + options.rounds; ++round) {
    BoardReading board;
    double mine = batch.run(&board);
    if (round < warmUp)
      continue;
    times.push_back(mine);
    clocks.push_back(board.megahertz);
    powers.push_back(board.watts);
  }
  row.ms = quantile(times, 0.5);
  row.rate = amount / row.ms / (row.isFlops ? 1e9 : 1e6);
  row.megahertz = quantile(clocks, 0.5);
  row.watts = quantile(powers, 0.5);
}

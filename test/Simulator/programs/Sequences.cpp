// Checks of programs over a sequence: reductions, scans, histogram, sort. Float inputs are small integers where the
// order of additions is free, so that every order gives the same sum.
#include "test/Simulator/programs/Programs.h"

#include <algorithm>
#include <numeric>

using namespace programs;

void programs::checkReduceShuffle(Trial &trial) {
  for (int size : {1, 31, 1000, 5003}) {
    trial.sizes(size);
    std::vector<float> values(size);
    std::vector<int> small = trial.uniform<int>(size, -8, 8), whole = trial.uniform<int>(size, -1000000, 1000000);
    std::copy(small.begin(), small.end(), values.begin());
    float *sum = trial.zeros<float>(1);
    trial.launch("sumFloats", {3, 224}, trial.input(values), size, sum);
    trial.equal("sum", trial.read(sum, 1), {std::accumulate(values.begin(), values.end(), 0.0f)});

    int *total = trial.zeros<int>(1), *largest = trial.input<int>({-2000000});
    unsigned *seen = trial.zeros<unsigned>(1);
    trial.launch("reduceIntegers", {4, 128}, trial.input(whole), size, total, largest, seen);
    int expected = 0;
    unsigned bits = 0;
    for (int value : whole) {
      expected = static_cast<int>(static_cast<unsigned>(expected) + static_cast<unsigned>(value));
      bits |= static_cast<unsigned>(value);
    }
    trial.equal("total", trial.read(total, 1), {expected});
    trial.equal("largest", trial.read(largest, 1), {*std::max_element(whole.begin(), whole.end())});
    trial.equal("bits", trial.read(seen, 1), {bits});
  }
}

void programs::checkReduceLastBlock(Trial &trial) {
  const unsigned blocks = 5;
  unsigned *finished = trial.zeros<unsigned>(1);
  // The counter is left as it was by the launch before.
  for (int size : {1, 127, 4096, 9999}) {
    trial.sizes(size);
    std::vector<double> values = trial.uniform<double>(size, 0, 1);
    double *partial = trial.output<double>(blocks), *result = trial.output<double>(1);
    trial.launch("sumInOrder", {blocks, 128}, trial.input(values), size, partial, finished, result);
    trial.near("sum", trial.read(result, 1), {std::accumulate(values.begin(), values.end(), 0.0)}, 0, 1e-13);
    trial.equal("counter", trial.read(finished, 1), {0u});
  }
}

static std::vector<unsigned> prefixSums(const std::vector<unsigned> &values) {
  std::vector<unsigned> sums(values.size());
  std::partial_sum(values.begin(), values.end(), sums.begin());
  return sums;
}

void programs::checkScanThreeKernels(Trial &trial) {
  const uint32_t threads = 192, shared = 2 * threads * sizeof(unsigned);
  for (int size : {1, 192, 193, 10007}) {
    trial.sizes(size);
    std::vector<unsigned> values = trial.bits<unsigned>(size);
    int blocks = static_cast<int>(blocksFor(size, threads));
    unsigned *output = trial.output<unsigned>(size), *totals = trial.output<unsigned>(blocks);
    Shape shape = {static_cast<uint32_t>(blocks), threads, shared};
    trial.launch("scanBlocks", shape, trial.input(values), size, output, totals);
    trial.launch("scanTotals", {1, threads, shared}, totals, blocks);
    trial.launch("addTotals", {static_cast<uint32_t>(blocks), threads}, output, size, totals);
    trial.equal("prefix", trial.read(output, size), prefixSums(values));
  }
}

void programs::checkScanLookback(Trial &trial) {
  const uint32_t threads = 128;
  for (int size : {1, 128, 1000, 12345}) {
    trial.sizes(size);
    std::vector<unsigned> values = trial.bits<unsigned>(size);
    uint32_t blocks = blocksFor(size, threads);
    unsigned *output = trial.output<unsigned>(size), *ticket = trial.zeros<unsigned>(1);
    unsigned long long *words = trial.zeros<unsigned long long>(blocks);
    trial.launch("scanOnce", {blocks, threads}, trial.input(values), size, output, ticket, words);
    trial.equal("prefix", trial.read(output, size), prefixSums(values));
  }
}

void programs::checkHistogram(Trial &trial) {
  for (int size : {3, 1024, 20001}) {
    trial.sizes(size);
    std::vector<uint8_t> values = trial.bits<uint8_t>(size);
    for (int i = 0; i < size; i += 3)
      values[i] = 42; // one bin is much in demand
    std::vector<unsigned> expected(256);
    for (uint8_t value : values)
      ++expected[value];
    unsigned *counts = trial.zeros<unsigned>(256);
    trial.launch("countBytes", {3, 96, 256 * sizeof(unsigned)}, trial.input(values), size, counts);
    trial.equal("count", trial.read(counts, 256), expected);
  }
}

void programs::checkBitonicSort(Trial &trial) {
  const unsigned tile = 512;
  for (unsigned size : {512u, 4096u}) {
    trial.sizes(size);
    std::vector<unsigned> keys = trial.uniform<unsigned>(size, 0, 5 * size), values(size);
    std::iota(values.begin(), values.end(), 0u);
    unsigned *deviceKeys = trial.input(keys), *deviceValues = trial.input(values);
    trial.launch("sortTile", {size / tile, tile / 2}, deviceKeys, deviceValues, 2u, tile);
    for (unsigned length = 2 * tile; length <= size; length *= 2) {
      for (unsigned distance = length / 2; distance >= tile; distance /= 2)
        trial.launch("sortStep", {size / 2 / 128, 128}, deviceKeys, deviceValues, distance, length);
      trial.launch("sortTile", {size / tile, tile / 2}, deviceKeys, deviceValues, length, length);
    }
    std::vector<unsigned> foundValues = trial.read(deviceValues, size), expected = keys, carried(size);
    std::sort(expected.begin(), expected.end());
    trial.equal("key", trial.read(deviceKeys, size), expected);
    for (unsigned i = 0; i < size; ++i)
      carried[i] = keys[foundValues[i] % size];
    trial.equal("key of value", carried, expected);
    std::sort(foundValues.begin(), foundValues.end());
    trial.equal("value", foundValues, values);
  }
}

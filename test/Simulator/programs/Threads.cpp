// Checks of programs whose threads work together: groups, votes, atomics, barriers over the grid, messages between
// blocks.
#include "test/Simulator/programs/Programs.h"

#include <algorithm>
#include <numeric>

using namespace programs;

static void checkTiles(Trial &trial, uint32_t blocks) {
  const uint32_t threads = 128;
  const size_t count = static_cast<size_t>(blocks) * threads;
  std::vector<int> values = trial.uniform<int>(count, -1000, 1000), sums(count / 8), prefixes(count);
  for (size_t i = 0; i < count; ++i) {
    sums[i / 8] += values[i];
    prefixes[i] = sums[i / 8];
  }
  int *deviceSums = trial.output<int>(sums.size()), *devicePrefixes = trial.output<int>(count);
  trial.launch("sumRows", {blocks, threads}, trial.input(values), deviceSums, devicePrefixes);
  trial.equal("sum of row", trial.read(deviceSums, sums.size()), sums);
  trial.equal("prefix in row", trial.read(devicePrefixes, count), prefixes);

  std::vector<float> floats = trial.uniform<float>(count, 0, 1), rotated(count);
  for (size_t i = 0; i < count; ++i) {
    auto tile = floats.begin() + i / 16 * 16;
    bool negate = std::any_of(tile, tile + 16, [](float value) { return value > 0.9f; });
    rotated[i] = negate ? -tile[(i + 3) % 16] : tile[(i + 3) % 16];
  }
  float *output = trial.output<float>(count);
  trial.launch("rotateTiles", {blocks, threads}, trial.input(floats), output);
  trial.equal("rotated", trial.read(output, count), rotated);
}

void programs::checkCooperativeGroups(Trial &trial) {
  for (uint32_t blocks : {1u, 3u})
    checkTiles(trial, blocks);
  for (int size : {1, 100, 1999}) {
    trial.sizes(size);
    std::vector<int> values = trial.uniform<int>(size, 0, 1000000), odd;
    std::copy_if(values.begin(), values.end(), std::back_inserter(odd), [](int value) { return value % 2 != 0; });
    int *output = trial.output<int>(size), *kept = trial.zeros<int>(1);
    trial.launch("keepOdd", {blocksFor(size, 96), 96}, trial.input(values), size, output, kept);
    trial.equal("number kept", trial.read(kept, 1), {static_cast<int>(odd.size())});
    std::vector<int> found = trial.read(output, odd.size());
    std::sort(found.begin(), found.end());
    std::sort(odd.begin(), odd.end());
    trial.equal("kept", found, odd);

    const int labels = 7;
    std::vector<int> keys = trial.uniform<int>(size, 0, labels - 1), expected(labels);
    for (int key : keys)
      ++expected[key];
    int *counts = trial.zeros<int>(labels);
    trial.launch("countKeys", {blocksFor(size, 96), 96}, trial.input(keys), size, counts);
    trial.equal("count of key", trial.read(counts, labels), expected);
  }
}

static void checkCompaction(Trial &trial, int size) {
  const unsigned limit = 0x60000000u;
  const uint32_t blocks = blocksFor(size, 64), warps = blocks * 2;
  std::vector<unsigned> values = trial.bits<unsigned>(size);
  unsigned *output = trial.output<unsigned>(size);
  int *next = trial.zeros<int>(1), *slots = trial.output<int>(warps);
  trial.launch("compact", {blocks, 64}, trial.input(values), size, limit, output, next, slots);
  // Warps come in any order, so each warp's part is compared where it says that it begins.
  int total = 0;
  std::vector<unsigned> found = trial.read(output, size);
  std::vector<int> begins = trial.read(slots, warps);
  for (uint32_t warp = 0; warp < warps && !trial.failed(); ++warp) {
    std::vector<unsigned> expected, part;
    for (int i = warp * 32; i < std::min<int>(size, warp * 32 + 32); ++i)
      if (values[i] < limit)
        expected.push_back(values[i]);
    total += static_cast<int>(expected.size());
    if (expected.empty())
      continue;
    int end = begins[warp] + static_cast<int>(expected.size());
    if (begins[warp] < 0 || end > size)
      return trial.fail("warp " + std::to_string(warp) + " kept values at " + std::to_string(begins[warp]));
    trial.equal("kept", {found.begin() + begins[warp], found.begin() + end}, expected);
  }
  trial.equal("number kept", trial.read(next, 1), {total});
}

/// What the kernel `ask` tells a lane, in its order.
static std::vector<int> answers(const int *warp, int lane) {
  unsigned greater = 0, same = 0, odd = 0, even = 0;
  bool allSame = true;
  int least = 1 << 30, most = -1;
  const unsigned third = 0x92492492u;
  for (int other = 0; other < 32; ++other) {
    unsigned bit = 1u << other;
    int value = warp[other];
    greater |= value > 6 ? bit : 0;
    same |= value == warp[lane] ? bit : 0;
    allSame = allSame && value / 8 == warp[0] / 8;
    if (third & bit) {
      odd |= value % 2 ? bit : 0;
      least = std::min(least, value);
    } else {
      even |= value % 2 ? 0 : bit;
      most = std::max(most, value);
    }
  }
  bool inThird = third >> lane & 1;
  return {greater != 0,
          greater == 0,
          static_cast<int>(same),
          allSame ? -1 : 0,
          allSame,
          warp[lane ^ 5],
          lane % 8 < 3 ? warp[lane] : warp[lane - 3],
          lane % 16 >= 14 ? warp[lane] : warp[lane + 2],
          warp[lane / 4 * 4 + warp[lane] % 4],
          static_cast<int>(inThird ? odd : even),
          inThird ? least : most};
}

void programs::checkVotes(Trial &trial) {
  for (int size : {5, 64, 1111}) {
    trial.sizes(size);
    checkCompaction(trial, size);
  }
  const int threads = 96;
  for (int most : {0, 7, 9}) {
    trial.begin("values up to " + std::to_string(most));
    std::vector<int> values = trial.uniform<int>(threads, 0, most), expected;
    for (int i = 0; i < threads; ++i)
      for (int answer : answers(&values[i / 32 * 32], i % 32))
        expected.push_back(answer);
    int *output = trial.output<int>(expected.size());
    trial.launch("ask", {1, threads}, trial.input(values), output);
    trial.equal("answer", trial.read(output, expected.size()), expected);
  }
}

void programs::checkWarpSynchronous(Trial &trial) {
  struct Size {
    int rows, columns;
  };
  for (auto [rows, columns] : {Size{1, 5}, Size{6, 64}, Size{9, 301}}) {
    trial.sizes(rows, columns);
    std::vector<float> values = trial.uniform<float>(rows * columns, -2, 3);
    std::vector<double> expected(values.size());
    for (int row = 0; row < rows; ++row) {
      const float *first = &values[row * columns];
      double mean = std::accumulate(first, first + columns, 0.0) / columns, squares = 0;
      for (int i = 0; i < columns; ++i)
        squares += (first[i] - mean) * (first[i] - mean);
      for (int i = 0; i < columns; ++i)
        expected[row * columns + i] = (first[i] - mean) / std::sqrt(squares / columns + 1e-5);
    }
    float *output = trial.output<float>(values.size());
    trial.launch("normaliseRows", {blocksFor(rows, 4), {32, 4}}, trial.input(values), output, rows, columns);
    trial.near("normalised", trial.read(output, values.size()), expected, 1e-5, 1e-5);
  }
}

static void checkIntegerAtomics(Trial &trial, int size) {
  std::vector<unsigned> values = trial.bits<unsigned>(size);
  std::vector<unsigned> expected = {7, 0xffffffffu, 0, 0xffffffffu, 0, 0x1234u, 50, 70, 0, 0x7fffffffu};
  std::vector<unsigned long long> wide = {0, 0};
  unsigned *words = trial.input(expected);
  unsigned long long *deviceWide = trial.input(wide);
  trial.launch("integerAtomics", {blocksFor(size, 96), 96}, trial.input(values), size, words, deviceWide);
  for (unsigned value : values) {
    expected[0] += value;
    expected[1] = std::min(expected[1], value);
    expected[2] = std::max(expected[2], value);
    expected[3] &= value | 0xf00fu;
    expected[4] |= value & 0xff0u;
    expected[5] ^= value;
    expected[6] = expected[6] >= 99 ? 0 : expected[6] + 1;
    expected[7] = expected[7] == 0 || expected[7] > 77 ? 77 : expected[7] - 1;
    expected[9] = static_cast<unsigned>(std::min(static_cast<int>(expected[9]), static_cast<int>(value)));
    wide[0] += static_cast<unsigned long long>(value) * value;
    wide[1] = std::max(wide[1], static_cast<unsigned long long>(value) * 3);
  }
  std::vector<unsigned> found = trial.read(words, expected.size());
  // Which exchange was last is open.
  if (std::find(values.begin(), values.end(), found[8]) == values.end())
    trial.fail("the exchanged word is none of the inputs");
  expected[8] = found[8];
  trial.equal("word", found, expected);
  trial.equal("wide word", trial.read(deviceWide, 2), wide);
}

void programs::checkAtomics(Trial &trial) {
  for (int size : {1, 97, 700}) {
    trial.sizes(size);
    checkIntegerAtomics(trial, size);

    std::vector<int> whole = trial.uniform<int>(size, -1000, 1000);
    std::vector<double> values(whole.begin(), whole.end());
    double sum = std::accumulate(values.begin(), values.end(), 0.0);
    double *sums = trial.zeros<double>(2);
    float *largest = trial.input<float>({-1e6f});
    trial.launch("floatingAtomics", {blocksFor(size, 96), 96}, trial.input(values), size, sums, largest);
    trial.equal("sum", trial.read(sums, 2), {sum, sum});
    trial.equal("largest", trial.read(largest, 1),
                {static_cast<float>(*std::max_element(values.begin(), values.end()))});
  }
  const unsigned blocks = 20;
  std::vector<unsigned> state = {0, 1, 0};
  int *lock = trial.zeros<int>(1);
  unsigned *memory = trial.input(state);
  trial.launch("lockedUpdate", {blocks, 32}, lock, memory);
  for (unsigned i = 0; i < blocks; ++i)
    state = {state[1], state[0] + state[1], state[2] + 1};
  trial.equal("state", trial.read(memory, 3), state);
  trial.equal("lock", trial.read(lock, 1), {0});
}

void programs::checkGridBarrier(Trial &trial) {
  const int rounds = 5;
  unsigned *barrier = trial.zeros<unsigned>(2); // arrived, generation
  for (int size : {3, 256, 1000}) {
    trial.sizes(size);
    std::vector<unsigned> values = trial.bits<unsigned>(size), next(size);
    unsigned *memory = trial.input(values), *other = trial.output<unsigned>(size);
    trial.launch("smoothRing", {4, 64}, memory, other, size, rounds, barrier);
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < size; ++i)
        next[i] = values[(i + size - 1) % size] + 2 * values[i] + values[(i + 1) % size];
      values.swap(next);
    }
    trial.equal("value", trial.read(rounds % 2 ? other : memory, size), values);
  }
}

void programs::checkBlockChain(Trial &trial) {
  const uint32_t threads = 64;
  for (auto [blocks, length] : {std::pair<uint32_t, int>{1, 10}, {6, 64}, {9, 201}}) {
    trial.sizes(blocks, length);
    for (bool releases : {false, true}) {
      std::vector<unsigned> expected(blocks * length);
      for (uint32_t block = 0; block < blocks; ++block)
        for (int i = 0; i < length; ++i) {
          int from = releases ? length - 1 - i : i;
          unsigned previous = block > 0 ? expected[(block - 1) * length + from] : static_cast<unsigned>(i);
          expected[block * length + i] = previous * (releases ? 22695477u : 1664525u) + block;
        }
      unsigned *ticket = trial.zeros<unsigned>(1), *flags = trial.zeros<unsigned>(blocks);
      unsigned *messages = trial.output<unsigned>(expected.size());
      trial.launch(releases ? "chainRelease" : "chainVolatile", {blocks, threads}, ticket, flags, messages, length);
      trial.equal("message", trial.read(messages, expected.size()), expected);
    }
  }
}

void programs::checkProducerConsumer(Trial &trial) {
  const int tile = 96;
  for (int tiles : {1, 4, 23}) {
    trial.sizes(tiles);
    std::vector<float> values = trial.uniform<float>(tiles * tile, -1, 1);
    std::vector<double> expected(values.size());
    for (int i = 0; i < tiles * tile; ++i) {
      double x = values[i], mirrored = values[i / tile * tile + tile - 1 - i % tile];
      expected[i] = (2 * x - 3) * x + mirrored;
    }
    float *output = trial.output<float>(values.size());
    trial.launch("polynomialTiles", {2, 128}, trial.input(values), output, tiles);
    trial.near("value", trial.read(output, values.size()), expected, 1e-6, 1e-6);
  }
}

// Checks of programs for sm_90a: bulk copies, clusters, dependent launches.
#include "test/Simulator/programs/Programs.h"

using namespace programs;

void programs::checkBulkCopy(Trial &trial) {
  const int tile = 1024;
  for (int size : {4, 1024, 1028, 9876}) {
    trial.sizes(size);
    std::vector<int> values = trial.uniform<int>(size, -100000, 100000), expected(size);
    const int factor = 7;
    for (int i = 0; i < size; ++i)
      expected[i] = values[i] * factor + i % tile;
    int *output = trial.output<int>(size);
    trial.launch("scaleInBulk", {2, 128}, trial.input(values), output, size, factor);
    trial.equal("element", trial.read(output, size), expected);
  }
}

void programs::checkCluster(Trial &trial) {
  for (int size : {1, 1000, 4321}) {
    trial.sizes(size);
    std::vector<uint8_t> values = trial.bits<uint8_t>(size);
    std::vector<unsigned> expected(256);
    for (uint8_t value : values)
      ++expected[value];
    unsigned *histogram = trial.zeros<unsigned>(256);
    trial.launch("countInCluster", {8, 96, 0, 4}, trial.input(values), size, histogram);
    trial.equal("count", trial.read(histogram, 256), expected);
  }
  const int threads = 64;
  for (auto [blocks, cluster] : {std::pair<int, int>{2, 2}, {16, 8}}) {
    trial.sizes(blocks, cluster);
    std::vector<int> values = trial.bits<int>(blocks * threads), expected(values.size());
    for (int i = 0; i < blocks * threads; ++i) {
      int block = i / threads, neighbour = block / cluster * cluster + (block + 1) % cluster;
      expected[i] = values[neighbour * threads + threads - 1 - i % threads];
    }
    int *output = trial.output<int>(values.size());
    Shape shape = {static_cast<uint32_t>(blocks), threads, threads * sizeof(int), static_cast<uint32_t>(cluster)};
    trial.launch("rotateTiles", shape, trial.input(values), output);
    trial.equal("element", trial.read(output, values.size()), expected);
  }
}

void programs::checkDependentLaunch(Trial &trial) {
  for (int size : {1, 5000}) {
    trial.sizes(size);
    const unsigned seed = trial.bits<unsigned>(1)[0];
    std::vector<unsigned> values(size), expected(size);
    for (int i = 0; i < size; ++i)
      values[i] = (i + seed) * 2654435761u;
    for (int i = 0; i < size; ++i)
      expected[i] = values[size - 1 - i] ^ (values[i] >> 7);
    unsigned *middle = trial.output<unsigned>(size), *output = trial.output<unsigned>(size);
    Shape shape = {blocksFor(size, 256), 256};
    trial.enqueue("produce", shape, middle, size, seed);
    shape.programmatic = true;
    trial.launch("consume", shape, middle, size, output);
    trial.equal("element", trial.read(output, size), expected);
  }
}

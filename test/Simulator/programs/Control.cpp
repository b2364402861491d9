// Checks of programs that branch and call: divergent loops, a tree, an interpreter; calls with structs, by pointer and
// recursive; initialised memory.
#include "test/Simulator/programs/Programs.h"

#include <algorithm>
#include <numeric>

using namespace programs;

static void checkCollatz(Trial &trial, int size) {
  std::vector<unsigned> starts = trial.uniform<unsigned>(size, 1, 20000);
  std::vector<int> expected(size);
  for (int i = 0; i < size; ++i)
    for (uint64_t n = starts[i]; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++expected[i];
  int *steps = trial.output<int>(size);
  trial.launch("collatz", {blocksFor(size, 64), 64}, trial.input(starts), size, steps);
  trial.equal("steps", trial.read(steps, size), expected);
}

namespace {
struct Node {
  int key, left, right;
};
} // namespace

/// A search tree of the keys in the order given; the root is the first node.
static std::vector<Node> searchTree(const std::vector<int> &keys) {
  std::vector<Node> nodes;
  for (int key : keys) {
    int added = static_cast<int>(nodes.size()), at = 0;
    nodes.push_back({key, -1, -1});
    while (added != 0) {
      int &child = key < nodes[at].key ? nodes[at].left : nodes[at].right;
      if (child < 0) {
        child = added;
        break;
      }
      at = child;
    }
  }
  return nodes;
}

static void checkTree(Trial &trial, int size) {
  std::vector<int> keys(200);
  std::iota(keys.begin(), keys.end(), -50);
  std::vector<unsigned> order = trial.bits<unsigned>(keys.size());
  for (size_t i = keys.size() - 1; i > 0; --i)
    std::swap(keys[i], keys[order[i] % (i + 1)]);
  // Pairs (low, high), as an int2 is.
  std::vector<int> ranges = trial.uniform<int>(2 * size, -60, 160);
  std::vector<int64_t> expected(size);
  for (int i = 0; i < size; ++i)
    for (int key : keys)
      if (key >= ranges[2 * i] && key <= ranges[2 * i + 1])
        expected[i] += key;
  int64_t *sums = trial.output<int64_t>(size);
  trial.launch("sumRange", {blocksFor(size, 64), 64}, trial.input(searchTree(keys)), trial.input(ranges), size, sums);
  trial.equal("sum of range", trial.read(sums, size), expected);
}

static unsigned interpreted(const uint8_t *code, int length, unsigned a) {
  unsigned b = 12345;
  for (int pc = 0; pc < length; ++pc)
    switch (code[pc]) {
    case 0:
      a += b;
      break;
    case 1:
      a -= b;
      break;
    case 2:
      a *= 2654435761u;
      break;
    case 3:
      a ^= a >> 15;
      break;
    case 4:
      b = a;
      break;
    case 5:
      pc += a % 3 == 0;
      break;
    case 6:
      b = ~b;
      break;
    case 7:
      a = (a << 5) | (a >> 27);
      break;
    case 8:
      a = a / (b | 1);
      break;
    case 9:
      a = static_cast<unsigned>(static_cast<int>(a) >> 3);
      break;
    case 10:
      pc = length;
      break;
    default:
      b += 7;
    }
  return a ^ b;
}

void programs::checkDivergence(Trial &trial) {
  for (int size : {1, 64, 333}) {
    trial.sizes(size);
    checkCollatz(trial, size);
    checkTree(trial, size);

    const int length = 24;
    std::vector<uint8_t> code = trial.uniform<uint8_t>(size * length, 0, 12);
    std::vector<unsigned> expected(size);
    for (int i = 0; i < size; ++i)
      expected[i] = interpreted(&code[i * length], length, i);
    unsigned *results = trial.output<unsigned>(size);
    trial.launch("interpret", {blocksFor(size, 64), 64}, trial.input(code), length, size, results);
    trial.equal("interpreted", trial.read(results, size), expected);

    std::vector<unsigned> kinds = trial.uniform<unsigned>(size, 0, 4), values = trial.bits<unsigned>(size);
    unsigned *memory = trial.input(values);
    trial.launch("jump", {blocksFor(size, 64), 64}, trial.input(kinds), size, memory);
    for (int i = 0; i < size; ++i) {
      const unsigned x = values[i], results[] = {x + 1, x * x, ~x, x * x, x};
      values[i] = results[kinds[i]];
    }
    trial.equal("value", trial.read(memory, size), values);
  }
}

namespace {
struct Float3 {
  float x, y, z;
};
struct Particle {
  Float3 position;
  double mass;
  int16_t id;
  int8_t spin[5];
};
struct Box {
  float low[3], high[3];
};
} // namespace

static void checkParticles(Trial &trial, int size) {
  std::vector<float> places = trial.uniform<float>(3 * size, -1, 1);
  std::vector<int16_t> ids = trial.bits<int16_t>(size);
  std::vector<Particle> particles(size);
  for (int i = 0; i < size; ++i)
    particles[i] = {{places[3 * i], places[3 * i + 1], places[3 * i + 2]}, i + 0.25, ids[i], {1, -2, 3, -4, 5}};
  const Box box = {{-0.5f, -0.6f, -0.7f}, {0.5f, 0.6f, 0.7f}};
  const Float3 by = {0.125f, -0.25f, 0.3f};
  Particle *memory = trial.input(particles);
  trial.launch("moveParticles", {blocksFor(size, 64), 64}, memory, size, box, by);
  std::vector<float> found, expected;
  for (const Particle &p : trial.read(memory, size)) {
    found.insert(found.end(), {p.position.x, p.position.y, p.position.z, static_cast<float>(p.mass), float(p.id)});
    found.insert(found.end(), p.spin, p.spin + 5);
  }
  auto clamped = [](float value, float low, float high) { return std::fmin(std::fmax(value, low), high); };
  for (const Particle &p : particles) {
    expected.insert(expected.end(), {clamped(p.position.x + by.x, box.low[0], box.high[0]),
                                     clamped(p.position.y + by.y, box.low[1], box.high[1]),
                                     clamped(p.position.z + by.z, box.low[2], box.high[2]),
                                     static_cast<float>(p.mass * 0.5), float(p.id)});
    for (int8_t spin : p.spin)
      expected.push_back(static_cast<int8_t>(spin + p.id));
  }
  trial.equal("particle field", found, expected);
}

static unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

void programs::checkCalls(Trial &trial) {
  for (int size : {17, 300}) {
    trial.sizes(size);
    checkParticles(trial, size);

    const int window = 9;
    std::vector<int> values = trial.bits<int>(size), expected(size);
    for (int i = 0; i < size; ++i) {
      std::vector<int> part;
      for (int j = 0; j < window; ++j)
        part.push_back(values[(i + j) % size]);
      std::sort(part.begin(), part.end());
      expected[i] = part[window / 2];
    }
    int *medians = trial.output<int>(size);
    trial.launch("medians", {blocksFor(size, 128), 128}, trial.input(values), size, window, medians);
    trial.equal("median", trial.read(medians, size), expected);

    std::vector<int> which = trial.uniform<int>(size, 0, 3);
    std::vector<float> a = trial.uniform<float>(size, -1, 1), b = trial.uniform<float>(size, -1, 1), applied(size);
    for (int i = 0; i < size; ++i) {
      const float results[] = {a[i] + b[i], a[i] - b[i], std::fmax(a[i], b[i]), a[i] * b[i]};
      applied[i] = results[which[i]];
    }
    float *output = trial.output<float>(size);
    trial.launch("applyOperations", {blocksFor(size, 64), 64}, trial.input(which), trial.input(a), trial.input(b), size,
                 output);
    trial.equal("applied", trial.read(output, size), applied);
  }
  const unsigned threads = 45;
  std::vector<unsigned> expected(threads);
  for (unsigned i = 0; i < threads; ++i)
    expected[i] = ackermann(i % 3, i % 5);
  unsigned *output = trial.output<unsigned>(threads);
  trial.launch("recursion", {1, threads}, output);
  trial.equal("recursion", trial.read(output, threads), expected);
}

static unsigned crc32(const uint8_t *begin, const uint8_t *end) {
  unsigned crc = 0xffffffffu;
  for (; begin != end; ++begin) {
    crc ^= *begin;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

void programs::checkTables(Trial &trial) {
  for (int size : {1, 150}) {
    trial.sizes(size);
    std::vector<int> starts = {0};
    for (int length : trial.uniform<int>(size, 0, 40))
      starts.push_back(starts.back() + length);
    std::vector<uint8_t> data = trial.bits<uint8_t>(starts.back() + 1);
    std::vector<unsigned> expected(size);
    for (int i = 0; i < size; ++i)
      expected[i] = crc32(&data[starts[i]], &data[starts[i + 1]]);
    unsigned *sums = trial.output<unsigned>(size);
    trial.launch("checksums", {blocksFor(size, 64), 64}, trial.input(data), trial.input(starts), size, sums);
    trial.equal("checksum", trial.read(sums, size), expected);

    const double coefficients[] = {1.0, -0.5, 0.25, -0.125, 1e-3, -7e-4};
    std::vector<double> x = trial.uniform<double>(size, -3, 3), y(size);
    for (int i = 0; i < size; ++i)
      for (int k = 5; k >= 0; --k)
        y[i] = std::fma(y[i], x[i], coefficients[k]);
    double *output = trial.output<double>(size);
    trial.launch("polynomial", {blocksFor(size, 64), 64}, trial.input(x), size, output);
    trial.equal("polynomial", trial.read(output, size), y);
  }
  // The module stays loaded, so that what a former trial on this device left in it counts.
  unsigned *before = trial.output<unsigned>(2);
  trial.launch("advanceCounters", {1, 2}, 5u, before);
  std::vector<unsigned> first = trial.read(before, 2);
  trial.equal("counter modulo 5", std::vector<unsigned>{first[0] % 5, first[1] - first[0]}, {0u, 10u});
  trial.launch("advanceCounters", {1, 2}, 5u, before);
  trial.equal("counter", trial.read(before, 2), {first[0] + 5, first[1] + 5});
}

// Checks of integer programs: single-instruction bit work and 64-bit arithmetic, against plain C++.
#include "test/Simulator/programs/Programs.h"

#include <algorithm>

using namespace programs;

static unsigned byteOf(unsigned word, int index) { return word >> (8 * index) & 255; }

static int signedByteOf(unsigned word, int index) { return static_cast<int8_t>(byteOf(word, index)); }

static unsigned halfOf(unsigned word, int index) { return word >> (16 * index) & 0xffff; }

static int leadingZeros(uint64_t value, int width) {
  int count = 0;
  while (count < width && !(value >> (width - 1 - count) & 1))
    ++count;
  return count;
}

/// From 1; 0 if there is none.
static int firstSet(uint64_t value) {
  for (int i = 0; i < 64; ++i)
    if (value >> i & 1)
      return i + 1;
  return 0;
}

static int bitsSet(uint64_t value) {
  int count = 0;
  for (; value; value &= value - 1)
    ++count;
  return count;
}

static uint64_t reversed(uint64_t value, int width) {
  uint64_t result = 0;
  for (int i = 0; i < width; ++i)
    result |= (value >> i & 1) << (width - 1 - i);
  return result;
}

/// One thread's results of the kernel, in its order.
static std::vector<unsigned> bitResults(unsigned x, unsigned y, unsigned z) {
  const uint64_t wide = static_cast<uint64_t>(x) << 32 | y, swapped = static_cast<uint64_t>(y) << 32 | x;
  unsigned permuted = 0, dotUnsigned = z, saturated = 0, differences = 0, greater = 0;
  int dotSigned = static_cast<int>(z), dotLow = static_cast<int>(z);
  unsigned dotHigh = z;
  for (int i = 0; i < 4; ++i) {
    permuted |= static_cast<unsigned>(swapped >> (8 * (z >> (4 * i) & 7)) & 255) << (8 * i);
    dotUnsigned += byteOf(x, i) * byteOf(y, i);
    dotSigned = static_cast<int>(static_cast<unsigned>(dotSigned) +
                                 static_cast<unsigned>(signedByteOf(x, i) * signedByteOf(y, i)));
    saturated |= std::min(255u, byteOf(x, i) + byteOf(y, i)) << (8 * i);
    greater |= (byteOf(x, i) > byteOf(y, i) ? 255u : 0u) << (8 * i);
  }
  for (int i = 0; i < 2; ++i) {
    int a = static_cast<int16_t>(halfOf(x, i)), b = static_cast<int16_t>(halfOf(y, i));
    dotLow = static_cast<int>(static_cast<unsigned>(dotLow) + static_cast<unsigned>(a * signedByteOf(y, i)));
    dotHigh += halfOf(x, i) * byteOf(y, 2 + i);
    differences |= (static_cast<unsigned>(std::abs(a - b)) & 0xffff) << (16 * i);
  }
  const int64_t signedProduct = static_cast<int64_t>(static_cast<int>(x)) * static_cast<int>(y);
  const uint64_t product = static_cast<uint64_t>(x) * y;
  return {permuted,
          static_cast<unsigned>(swapped << (z & 31) >> 32),
          static_cast<unsigned>(swapped >> std::min(z, 32u)),
          static_cast<unsigned>(bitsSet(x) + (bitsSet(wide) << 8)),
          static_cast<unsigned>(leadingZeros(x, 32) + (leadingZeros(wide, 64) << 8)),
          static_cast<unsigned>(reversed(x, 32)),
          static_cast<unsigned>(reversed(wide, 64) >> 7),
          static_cast<unsigned>(firstSet(x) + (firstSet(wide) << 8)),
          dotUnsigned,
          static_cast<unsigned>(dotSigned),
          static_cast<unsigned>(dotLow),
          dotHigh,
          (x > y ? x - y : y - x) + z,
          static_cast<unsigned>(signedProduct >> 32),
          static_cast<unsigned>(product >> 32),
          saturated,
          differences,
          greater,
          (x & y) ^ (~y | z),
          (x & 0xffffff) * (y & 0xffffff) + static_cast<unsigned>((static_cast<uint64_t>(x) + z) / 2)};
}

void programs::checkBits(Trial &trial) {
  for (int size : {1, 600}) {
    trial.sizes(size);
    std::vector<unsigned> x = trial.bits<unsigned>(size), y = trial.bits<unsigned>(size),
                          z = trial.bits<unsigned>(size);
    for (int i = 0; i < size; ++i) {
      // Short and empty words, small shifts.
      x[i] >>= i % 3 == 1 ? z[i] % 32 : 0;
      y[i] = i % 11 == 3 ? 0 : y[i];
      x[i] = i % 7 == 2 ? 0 : x[i];
      z[i] = i % 2 ? z[i] % 40 : z[i];
    }
    std::vector<unsigned> expected;
    for (int i = 0; i < size; ++i)
      for (unsigned result : bitResults(x[i], y[i], z[i]))
        expected.push_back(result);
    unsigned *output = trial.output<unsigned>(expected.size());
    trial.launch("bitOperations", {blocksFor(size, 128), 128}, trial.input(x), trial.input(y), trial.input(z), size,
                 output);
    trial.equal("result", trial.read(output, expected.size()), expected);
  }
}

using Wide = unsigned __int128;

/// By trial division, so for numbers below 2^32 only.
static bool isSmallPrime(uint64_t n) {
  if (n < 2)
    return false;
  for (uint64_t d = 2; d * d <= n; ++d)
    if (n % d == 0)
      return false;
  return true;
}

static void checkPrimes(Trial &trial, int size) {
  std::vector<uint64_t> numbers = trial.uniform<uint64_t>(size, 0, 1 << 20);
  std::vector<uint8_t> expected(size);
  for (int i = 0; i < size; ++i)
    expected[i] = isSmallPrime(numbers[i]);
  // Known large ones: two primes, a square of a prime, a strong pseudoprime to the bases up to 31.
  const std::pair<uint64_t, bool> known[] = {{18446744073709551557ull, true},
                                             {9223372036854775783ull, true},
                                             {4294967291ull * 4294967291ull, false},
                                             {3825123056546413051ull, false}};
  for (auto [number, prime] : known) {
    numbers.push_back(number);
    expected.push_back(prime);
  }
  size = static_cast<int>(numbers.size());
  uint8_t *output = trial.output<uint8_t>(size);
  trial.launch("findPrimes", {blocksFor(size, 64), 64}, trial.input(numbers), size, output);
  trial.equal("prime", trial.read(output, size), expected);
}

void programs::checkInteger64(Trial &trial) {
  const size_t fields = 9;
  for (int size : {1, 130}) {
    trial.sizes(size);
    checkPrimes(trial, size / 2);

    std::vector<uint64_t> a = trial.bits<uint64_t>(size), b = trial.bits<uint64_t>(size), expected;
    for (int i = 0; i < size; ++i) {
      a[i] >>= i % 5 == 1 ? 33 : 0;
      b[i] = (b[i] >> (i * 7 % 64)) | 1;
      uint64_t x = a[i], y = b[i];
      int64_t s = static_cast<int64_t>(x), t = static_cast<int64_t>(y);
      Wide sum = (static_cast<Wide>(x) << 64 | y) + (static_cast<Wide>(y) << 64 | x);
      auto signedHigh = static_cast<uint64_t>(static_cast<Wide>(static_cast<__int128>(s) * t) >> 64);
      expected.insert(expected.end(),
                      {static_cast<uint64_t>(static_cast<Wide>(x) * y >> 64), x / y, x % y, static_cast<uint64_t>(sum),
                       static_cast<uint64_t>(sum >> 64), signedHigh, static_cast<uint64_t>(s / t),
                       static_cast<uint64_t>(s % t), static_cast<uint64_t>(s >> (y & 63))});
    }
    uint64_t *output = trial.output<uint64_t>(fields * size);
    trial.launch("arithmetic", {blocksFor(size, 64), 64}, trial.input(a), trial.input(b), size, output);
    trial.equal("result", trial.read(output, expected.size()), expected);
  }
}

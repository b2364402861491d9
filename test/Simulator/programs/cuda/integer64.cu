// 64-bit integers: high halves of products, division and remainder, carries over 128 bits, and a primality test built
// from them (Miller and Rabin's, exact below 2^64 with these bases).
#include <cuda_runtime.h>

using Word = unsigned long long;

static __device__ Word multiplyModulo(Word a, Word b, Word modulus) {
  return static_cast<Word>(static_cast<unsigned __int128>(a) * b % modulus);
}

static __device__ Word power(Word base, Word exponent, Word modulus) {
  Word result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2)
      result = multiplyModulo(result, base, modulus);
    base = multiplyModulo(base, base, modulus);
  }
  return result;
}

static __device__ bool isPrime(Word n) {
  if (n < 2 || n % 2 == 0)
    return n == 2;
  Word odd = n - 1;
  int twos = __ffsll(static_cast<long long>(odd)) - 1;
  odd >>= twos;
  const int bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (int base : bases) {
    if (n == base)
      return true;
    Word x = power(base, odd, n);
    if (x == 1)
      continue;
    int i = 0;
    for (; i < twos && x != n - 1; ++i)
      x = multiplyModulo(x, x, n);
    if (i == twos)
      return false;
  }
  return true;
}

extern "C" __global__ void findPrimes(const Word *numbers, int size, unsigned char *prime) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    prime[i] = isPrime(numbers[i]);
}

struct Results {
  Word high, quotient, remainder, sumLow, sumHigh;
  long long signedHigh, signedQuotient, signedRemainder, shifted;
};

extern "C" __global__ void arithmetic(const Word *a, const Word *b, int size, Results *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  Word x = a[i], y = b[i];
  long long s = static_cast<long long>(x), t = static_cast<long long>(y);
  Results r;
  r.high = __umul64hi(x, y);
  r.quotient = x / y;
  r.remainder = x % y;
  unsigned __int128 sum = (static_cast<unsigned __int128>(x) << 64 | y) + (static_cast<unsigned __int128>(y) << 64 | x);
  r.sumLow = static_cast<Word>(sum);
  r.sumHigh = static_cast<Word>(sum >> 64);
  r.signedHigh = __mul64hi(s, t);
  r.signedQuotient = s / (t | 1);
  r.signedRemainder = s % (t | 1);
  r.shifted = s >> (y & 63);
  results[i] = r;
}

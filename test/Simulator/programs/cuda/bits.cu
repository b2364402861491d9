// Single-instruction integer work: byte permutation, funnel shifts, counting, reversing, dot products of bytes and
// halves, sums of absolute differences, and several small integers in a word.
#include <cuda_runtime.h>

static constexpr int results = 20;

extern "C" __global__ void bitOperations(const unsigned *a, const unsigned *b, const unsigned *c, int size,
                                         unsigned *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  unsigned x = a[i], y = b[i], z = c[i];
  unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y;
  unsigned *out = output + i * results;
  out[0] = __byte_perm(x, y, z);
  out[1] = __funnelshift_l(x, y, z);
  out[2] = __funnelshift_rc(x, y, z);
  out[3] = __popc(x) + (__popcll(wide) << 8);
  out[4] = __clz(x) + (__clzll(wide) << 8);
  out[5] = __brev(x);
  out[6] = static_cast<unsigned>(__brevll(wide) >> 7);
  out[7] = __ffs(x) + (__ffsll(wide) << 8);
  out[8] = __dp4a(x, y, z);
  out[9] = __dp4a(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  out[10] = __dp2a_lo(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  out[11] = __dp2a_hi(x, y, z);
  out[12] = __usad(x, y, z);
  out[13] = __mulhi(static_cast<int>(x), static_cast<int>(y));
  out[14] = __umulhi(x, y);
  out[15] = __vaddus4(x, y);
  out[16] = __vabsdiffs2(x, y);
  out[17] = __vcmpgtu4(x, y);
  out[18] = (x & y) ^ (~y | z);
  out[19] = __umul24(x, y) + __uhadd(x, z);
}

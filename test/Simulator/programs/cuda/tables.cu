// Initialised memory of a module: a constant table that the compiler computes, a table of doubles, a global array that
// a kernel changes, and a pointer that is itself initialised with an address.
#include <cuda_runtime.h>

struct CrcTable {
  unsigned entries[256];
  constexpr CrcTable() : entries() {
    for (unsigned i = 0; i < 256; ++i) {
      unsigned value = i;
      for (int bit = 0; bit < 8; ++bit)
        value = value & 1 ? 0xedb88320u ^ (value >> 1) : value >> 1;
      entries[i] = value;
    }
  }
};

static __constant__ CrcTable crcTable;
static __constant__ double coefficients[6] = {1.0, -0.5, 0.25, -0.125, 1e-3, -7e-4};
__device__ unsigned counters[4] = {10, 20, 30, 40};
static __device__ unsigned *counterPointer = counters + 1;

extern "C" __global__ void checksums(const unsigned char *data, const int *starts, int count, unsigned *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned crc = 0xffffffffu;
  for (int at = starts[i]; at < starts[i + 1]; ++at)
    crc = crcTable.entries[(crc ^ data[at]) & 255] ^ (crc >> 8);
  sums[i] = ~crc;
}

extern "C" __global__ void polynomial(const double *x, int size, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  double sum = 0;
#pragma unroll 1
  for (int k = 5; k >= 0; --k)
    sum = fma(sum, x[i], coefficients[k]);
  y[i] = sum;
}

// Adds to the second and the third counter through the pointer, and tells what was there before.
extern "C" __global__ void advanceCounters(unsigned by, unsigned *before) {
  before[threadIdx.x] = atomicExch(&counterPointer[threadIdx.x], counterPointer[threadIdx.x] + by);
}

// Inclusive prefix sums in three launches: scan within each block, scan of the blocks' totals by one block, and the
// addition of what came before. The shared array is dynamic, sized by the launch.
#include <cuda_runtime.h>

extern __shared__ unsigned buffer[];

// Hillis and Steele's scan of one value per thread, between two halves of the shared array.
static __device__ unsigned scanOfBlock(unsigned value) {
  unsigned *from = buffer, *to = buffer + blockDim.x;
  from[threadIdx.x] = value;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    unsigned sum = from[threadIdx.x];
    if (threadIdx.x >= distance)
      sum += from[threadIdx.x - distance];
    to[threadIdx.x] = sum;
    __syncthreads();
    unsigned *swap = from;
    from = to;
    to = swap;
  }
  return from[threadIdx.x];
}

extern "C" __global__ void scanBlocks(const unsigned *input, int size, unsigned *output, unsigned *totals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = scanOfBlock(i < size ? input[i] : 0);
  if (i < size)
    output[i] = sum;
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = sum;
}

extern "C" __global__ void scanTotals(unsigned *totals, int count) {
  unsigned sum = scanOfBlock(threadIdx.x < count ? totals[threadIdx.x] : 0);
  if (threadIdx.x < count)
    totals[threadIdx.x] = sum;
}

extern "C" __global__ void addTotals(unsigned *output, int size, const unsigned *totals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < size)
    output[i] += totals[blockIdx.x - 1];
}

// Counts of byte values: four bytes a load, one counter array per block in dynamic shared memory, atomics on both
// levels.
#include <cuda_runtime.h>

extern __shared__ unsigned counts[];

extern "C" __global__ void countBytes(const unsigned char *input, int size, unsigned *histogram) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    counts[i] = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const uchar4 *quads = reinterpret_cast<const uchar4 *>(input);
  for (int i = first; i < size / 4; i += stride) {
    uchar4 quad = quads[i];
    atomicAdd(&counts[quad.x], 1u);
    atomicAdd(&counts[quad.y], 1u);
    atomicAdd(&counts[quad.z], 1u);
    atomicAdd(&counts[quad.w], 1u);
  }
  for (int i = size / 4 * 4 + first; i < size; i += stride)
    atomicAdd(&counts[input[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (counts[i] != 0)
      atomicAdd(&histogram[i], counts[i]);
}

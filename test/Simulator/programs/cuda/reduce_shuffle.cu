// Sums and maxima of a grid: a butterfly within each warp, one value per warp through shared memory, one atomic per
// block. Written once with shuffles and once with the reductions that sm_80 has for integers.
#include <cuda_runtime.h>

static __device__ float sumOfWarp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

static __device__ float sumOfBlock(float value) {
  __shared__ float partial[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = sumOfWarp(value);
  if (lane == 0)
    partial[warp] = value;
  __syncthreads();
  int warps = (blockDim.x + 31) / 32;
  value = threadIdx.x < warps ? partial[lane] : 0.0f;
  return warp == 0 ? sumOfWarp(value) : 0.0f;
}

extern "C" __global__ void sumFloats(const float *input, int size, float *result) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
    sum += input[i];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0)
    atomicAdd(result, sum);
}

extern "C" __global__ void reduceIntegers(const int *input, int size, int *sum, int *largest, unsigned *seen) {
  int total = 0, best = -2147483647 - 1;
  unsigned bits = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    total += input[i];
    best = max(best, input[i]);
    bits |= static_cast<unsigned>(input[i]);
  }
  total = __reduce_add_sync(0xffffffffu, total);
  best = __reduce_max_sync(0xffffffffu, best);
  bits = __reduce_or_sync(0xffffffffu, bits);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sum, total);
    atomicMax(largest, best);
    atomicOr(seen, bits);
  }
}

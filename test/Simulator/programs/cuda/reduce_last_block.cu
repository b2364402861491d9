// One launch reduces everything: each block publishes its sum, and the block that finds itself the last one, by a
// counter behind a fence, adds the sums up in a fixed order. The counter wraps to zero for the next launch.
#include <cuda_runtime.h>

template <int threads> static __device__ double sumOfBlock(double value, double *shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

extern "C" __global__ void sumInOrder(const double *input, int size, volatile double *partial, unsigned *finished,
                                      double *result) {
  constexpr int threads = 128;
  __shared__ double shared[threads];
  __shared__ bool isLast;
  double sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < size; i += gridDim.x * threads)
    sum += input[i];
  sum = sumOfBlock<threads>(sum, shared);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!isLast)
    return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += threads)
    sum += partial[i];
  sum = sumOfBlock<threads>(sum, shared);
  if (threadIdx.x == 0)
    *result = sum;
}

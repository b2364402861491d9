// Smooths a ring many times in one launch, with a barrier over the whole grid built from an atomic counter and a spin
// on its generation. All blocks must be resident at once, which the launch ensures by being small.
#include <cuda_runtime.h>

struct GridBarrier {
  unsigned arrived;
  volatile unsigned generation;
};

static __device__ void waitForGrid(GridBarrier *barrier) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned generation = barrier->generation;
    __threadfence();
    if (atomicAdd(&barrier->arrived, 1u) == gridDim.x - 1) {
      atomicExch(&barrier->arrived, 0u);
      __threadfence();
      barrier->generation = generation + 1;
    } else {
      while (barrier->generation == generation)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}

extern "C" __global__ void smoothRing(unsigned *values, unsigned *next, int size, int rounds, GridBarrier *barrier) {
  for (int round = 0; round < rounds; ++round) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
      unsigned left = __ldcg(&values[i == 0 ? size - 1 : i - 1]), right = __ldcg(&values[i == size - 1 ? 0 : i + 1]);
      __stcg(&next[i], left + 2 * __ldcg(&values[i]) + right);
    }
    waitForGrid(barrier);
    unsigned *swap = values;
    values = next;
    next = swap;
  }
}

// sm_90: a kernel that may begin before its predecessor has ended, and waits for its memory where it needs it.
#include <cuda_runtime.h>

extern "C" __global__ void produce(unsigned *values, int size, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < size)
    values[i] = (i + seed) * 2654435761u;
}

extern "C" __global__ void consume(const unsigned *values, int size, unsigned *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaGridDependencySynchronize();
  if (i < size)
    output[i] = values[size - 1 - i] ^ (values[i] >> 7);
}

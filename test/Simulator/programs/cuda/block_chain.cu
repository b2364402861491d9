// Blocks that hand a message on, each spinning on its predecessor's flag: once with volatile words and fences, once
// with acquire and release in inline PTX. Tickets make the order that of arrival, so that no block waits for one not
// begun.
#include <cuda_runtime.h>

extern "C" __global__ void chainVolatile(unsigned *ticket, volatile unsigned *flags, volatile unsigned *messages,
                                         int length) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) {
    mine = atomicAdd(ticket, 1u);
    while (mine > 0 && flags[mine - 1] == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    unsigned previous = mine > 0 ? messages[(mine - 1) * length + i] : i;
    messages[mine * length + i] = previous * 1664525u + mine;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); // after the barrier, so that it covers what the other threads wrote
    flags[mine] = 1;
  }
}

static __device__ unsigned loadAcquire(const unsigned *address) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(address)) : "memory");
  return value;
}

static __device__ void addRelease(unsigned *address, unsigned value) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "r"(value)
               : "memory");
}

// All threads of a block release; the next block begins when the count is complete.
extern "C" __global__ void chainRelease(unsigned *ticket, unsigned *counts, unsigned *messages, int length) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0)
    mine = atomicAdd(ticket, 1u);
  __syncthreads();
  if (mine > 0)
    while (loadAcquire(&counts[mine - 1]) != blockDim.x)
      __nanosleep(20);
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    unsigned previous = mine > 0 ? messages[(mine - 1) * length + length - 1 - i] : i;
    messages[mine * length + i] = previous * 22695477u + mine;
  }
  // The next block reads what other threads than the like-numbered wrote; each of them releases its own part.
  addRelease(&counts[mine], 1u);
}

// sm_90a: one thread asks for whole tiles with cp.async.bulk, an mbarrier counts their bytes, the block works in shared
// memory, and a bulk store takes the result back. Two stages, so that a copy runs under the work.
#include <cuda_runtime.h>

using Barrier = unsigned long long;
static constexpr int tile = 1024, stages = 2;

static __device__ unsigned sharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

static __device__ void initialise(Barrier *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
}

static __device__ void fetch(int *to, const int *from, unsigned bytes, Barrier *barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(sharedAddress(barrier))
               : "memory");
}

static __device__ void waitFor(Barrier *barrier, unsigned parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "retry:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra retry;\n"
               "}" ::"r"(sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}

// size is a multiple of four elements, 16 bytes; the last tile may be short.
extern "C" __global__ void scaleInBulk(const int *input, int *output, int size, int factor) {
  __shared__ alignas(128) int buffer[stages][tile];
  __shared__ Barrier ready[stages];
  int tiles = (size + tile - 1) / tile;
  auto lengthOf = [&](int t) { return min(tile, size - t * tile); };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage)
      initialise(&ready[stage], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (blockIdx.x < tiles)
      fetch(buffer[0], input + blockIdx.x * tile, lengthOf(blockIdx.x) * 4, &ready[0]);
  }
  __syncthreads();
  int round = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x, ++round) {
    int stage = round % stages, following = t + gridDim.x;
    if (threadIdx.x == 0 && following < tiles) {
      // The store that read the other stage must have finished reading before a copy overwrites it.
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      fetch(buffer[1 - stage], input + following * tile, lengthOf(following) * 4, &ready[1 - stage]);
    }
    waitFor(&ready[stage], round / stages % 2);
    for (int i = threadIdx.x; i < lengthOf(t); i += blockDim.x)
      buffer[stage][i] = buffer[stage][i] * factor + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                       __cvta_generic_to_global(output + t * tile)),
                   "r"(sharedAddress(buffer[stage])), "r"(lengthOf(t) * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

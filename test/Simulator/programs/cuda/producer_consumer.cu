// One warp copies with cp.async, the others compute, and cuda::barrier objects (mbarriers) in shared memory say when a
// slot of the ring is full and when it is empty again.
#include <cuda/barrier>
#include <cuda_runtime.h>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
static constexpr int slots = 3, tile = 96;

// Every block takes tiles blockIdx.x, blockIdx.x + gridDim.x, …; 32 threads produce and 96 consume.
extern "C" __global__ void __launch_bounds__(128) polynomialTiles(const float *input, float *output, int tiles) {
  __shared__ float ring[slots][tile];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[slots], empty[slots];
  if (threadIdx.x == 0)
    for (int slot = 0; slot < slots; ++slot) {
      init(&full[slot], 128);
      init(&empty[slot], 128);
    }
  __syncthreads();
  bool producer = threadIdx.x < 32;
  if (!producer)
    for (int slot = 0; slot < slots; ++slot)
      (void)empty[slot].arrive(); // every slot begins empty
  int slot = 0;
  for (int at = blockIdx.x; at < tiles; at += gridDim.x, slot = (slot + 1) % slots) {
    if (producer) {
      empty[slot].arrive_and_wait();
      for (int i = threadIdx.x; i < tile; i += 32)
        cuda::memcpy_async(&ring[slot][i], &input[at * tile + i], sizeof(float), full[slot]);
      (void)full[slot].arrive();
    } else {
      full[slot].arrive_and_wait();
      int i = threadIdx.x - 32;
      float x = ring[slot][i], mirrored = ring[slot][tile - 1 - i];
      output[at * tile + i] = (2.0f * x - 3.0f) * x + mirrored;
      (void)empty[slot].arrive();
    }
  }
}

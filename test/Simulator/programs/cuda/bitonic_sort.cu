// Bitonic sort of pairs: a step whose partners lie in one tile of 512 runs in shared memory, a wider one in global
// memory. The size is a power of two; the keys are unsigned and the values go with them.
#include <cuda_runtime.h>

static constexpr unsigned tile = 512;

static __device__ void order(unsigned &keyA, unsigned &valueA, unsigned &keyB, unsigned &valueB, bool ascending) {
  if ((keyA > keyB) != ascending)
    return;
  unsigned key = keyA, value = valueA;
  keyA = keyB;
  valueA = valueB;
  keyB = key;
  valueB = value;
}

// The steps inside a tile that merge sequences of `first`, 2 * `first`, … up to `length` elements.
extern "C" __global__ void sortTile(unsigned *keys, unsigned *values, unsigned first, unsigned length) {
  __shared__ unsigned key[tile], value[tile];
  unsigned base = blockIdx.x * tile;
  for (unsigned i = threadIdx.x; i < tile; i += tile / 2) {
    key[i] = keys[base + i];
    value[i] = values[base + i];
  }
  for (unsigned size = first; size <= length; size *= 2)
    for (unsigned distance = min(size, tile) / 2; distance > 0; distance /= 2) {
      __syncthreads();
      unsigned low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      bool ascending = ((base + low) & size) == 0;
      order(key[low], value[low], key[low + distance], value[low + distance], ascending);
    }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile; i += tile / 2) {
    keys[base + i] = key[i];
    values[base + i] = value[i];
  }
}

extern "C" __global__ void sortStep(unsigned *keys, unsigned *values, unsigned distance, unsigned size) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned low = 2 * thread - (thread & (distance - 1)), high = low + distance;
  order(keys[low], values[low], keys[high], values[high], (low & size) == 0);
}

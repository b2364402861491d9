// Inclusive prefix sums in a single pass: blocks take tickets, publish their own sum and then their prefix, and look
// back over their predecessors' words with acquire loads (decoupled look-back, Merrill and Garland 2016). A word holds
// the state in its high and the value in its low half, so that both arrive together.
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = unsigned long long;
static constexpr Word sumReady = 1ull << 32, prefixReady = 2ull << 32;

static __device__ Word waitFor(Word &slot) {
  cuda::atomic_ref<Word, cuda::thread_scope_device> word(slot);
  Word seen;
  do
    seen = word.load(cuda::memory_order_acquire);
  while (seen == 0);
  return seen;
}

static __device__ void publish(Word &slot, Word value) {
  cuda::atomic_ref<Word, cuda::thread_scope_device>(slot).store(value, cuda::memory_order_release);
}

extern "C" __global__ void scanOnce(const unsigned *input, int size, unsigned *output, unsigned *ticket, Word *words) {
  __shared__ unsigned tile, before, sums[32];
  if (threadIdx.x == 0)
    tile = atomicAdd(ticket, 1u);
  __syncthreads();
  int i = tile * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned value = i < size ? input[i] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    unsigned other = __shfl_up_sync(0xffffffffu, value, distance);
    value += lane >= distance ? other : 0;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w)
    value += sums[w];
  if (threadIdx.x == blockDim.x - 1) {
    unsigned prefix = 0;
    if (tile > 0) {
      publish(words[tile], sumReady | value);
      for (int previous = tile - 1;; --previous) {
        Word seen = waitFor(words[previous]);
        prefix += static_cast<unsigned>(seen);
        if (seen & prefixReady)
          break;
      }
    }
    publish(words[tile], prefixReady | static_cast<unsigned>(prefix + value));
    before = prefix;
  }
  __syncthreads();
  if (i < size)
    output[i] = value + before;
}

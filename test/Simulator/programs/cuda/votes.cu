// What a warp can ask itself: ballots that compact a stream, any and all, matches, the active mask, and each shuffle.
#include <cuda_runtime.h>

// Keeps the values below the limit, in order within a warp; `slots` says where each warp's values begin.
extern "C" __global__ void compact(const unsigned *input, int size, unsigned limit, unsigned *output, int *next,
                                   int *slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned value = i < size ? input[i] : 0xffffffffu;
  unsigned kept = __ballot_sync(0xffffffffu, value < limit);
  int first = 0;
  if (lane == 0 && kept != 0)
    first = atomicAdd(next, __popc(kept));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (value < limit)
    output[first + __popc(kept & ((1u << lane) - 1))] = value;
  if (lane == 0)
    slots[i / 32] = kept ? first : -1;
}

static constexpr int results = 11;

extern "C" __global__ void ask(const int *input, int *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = input[i], same = 0;
  int *out = output + i * results;
  out[0] = __any_sync(0xffffffffu, value > 6);
  out[1] = __all_sync(0xffffffffu, value < 7);
  out[2] = static_cast<int>(__match_any_sync(0xffffffffu, value));
  out[3] = static_cast<int>(__match_all_sync(0xffffffffu, value / 8, &same));
  out[4] = same;
  out[5] = __shfl_xor_sync(0xffffffffu, value, 5);
  out[6] = __shfl_up_sync(0xffffffffu, value, 3, 8);
  out[7] = __shfl_down_sync(0xffffffffu, value, 2, 16);
  out[8] = __shfl_sync(0xffffffffu, value, value, 4);
  if (lane % 3 == 1) {
    out[9] = static_cast<int>(__ballot_sync(0x92492492u, value % 2));
    out[10] = __reduce_min_sync(0x92492492u, value);
  } else {
    out[9] = static_cast<int>(__ballot_sync(0x6db6db6du, value % 2 == 0));
    out[10] = __reduce_max_sync(0x6db6db6du, value);
  }
}

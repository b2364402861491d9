// Groups smaller than a block: tiles of eight and sixteen threads that reduce and scan, the threads that happen to be
// together in a branch (one atomic for all of them), and the threads of a warp that hold the same key.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void sumRows(const int *input, int *sums, int *prefixes) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  int value = input[row * 8 + tile.thread_rank()];
  int sum = cg::reduce(tile, value, cg::plus<int>());
  prefixes[row * 8 + tile.thread_rank()] = cg::inclusive_scan(tile, value, cg::plus<int>());
  if (tile.thread_rank() == 0)
    sums[row] = sum;
}

extern "C" __global__ void rotateTiles(const float *input, float *output) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = tile.shfl(input[i], (tile.thread_rank() + 3) % 16);
  output[i] = tile.any(value > 0.9f) ? -value : value;
}

// Keeps the odd values, in any order: one atomic for the threads of the branch.
extern "C" __global__ void keepOdd(const int *input, int size, int *output, int *kept) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size || input[i] % 2 == 0)
    return;
  cg::coalesced_group together = cg::coalesced_threads();
  int first = 0;
  if (together.thread_rank() == 0)
    first = atomicAdd(kept, static_cast<int>(together.size()));
  output[together.shfl(first, 0) + together.thread_rank()] = input[i];
}

extern "C" __global__ void countKeys(const int *keys, int size, int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  cg::coalesced_group same = cg::labeled_partition(cg::coalesced_threads(), keys[i]);
  if (same.thread_rank() == 0)
    atomicAdd(&counts[keys[i]], static_cast<int>(same.size()));
}

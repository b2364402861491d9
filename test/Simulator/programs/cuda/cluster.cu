// sm_90a: blocks of a cluster see each other's shared memory. A histogram spread over four blocks, filled with remote
// atomics, and a ring in which each block reads its neighbour's tile.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static constexpr int binsOfBlock = 64;

extern "C" __global__ void __cluster_dims__(4, 1, 1)
    countInCluster(const unsigned char *input, int size, unsigned *histogram) {
  __shared__ unsigned bins[binsOfBlock];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < binsOfBlock; i += blockDim.x)
    bins[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    unsigned *remote = cluster.map_shared_rank(bins, input[i] / binsOfBlock);
    atomicAdd(&remote[input[i] % binsOfBlock], 1u);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < binsOfBlock; i += blockDim.x)
    atomicAdd(&histogram[cluster.block_rank() * binsOfBlock + i], bins[i]);
}

// The cluster's size comes from the launch.
extern "C" __global__ void rotateTiles(const int *input, int *output) {
  extern __shared__ int tile[];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = input[blockIdx.x * blockDim.x + threadIdx.x];
  cluster.sync();
  unsigned neighbour = (cluster.block_rank() + 1) % cluster.num_blocks();
  output[blockIdx.x * blockDim.x + threadIdx.x] =
      cluster.map_shared_rank(tile, neighbour)[blockDim.x - 1 - threadIdx.x];
  cluster.sync(); // no block may end while another reads its memory
}

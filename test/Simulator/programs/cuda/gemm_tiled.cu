// C = alpha * A * B + beta * C in f32 for any sizes: square tiles in shared memory, a two-dimensional block and grid.
#include <cuda_runtime.h>

static constexpr int tile = 16;

extern "C" __global__ void gemmTiled(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                                     float *C) {
  __shared__ float tileA[tile][tile], tileB[tile][tile + 1];
  int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k += tile) {
    tileA[threadIdx.y][threadIdx.x] = row < M && k + threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0;
    tileB[threadIdx.y][threadIdx.x] = column < N && k + threadIdx.y < K ? B[(k + threadIdx.y) * N + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && column < N)
    C[row * N + column] = alpha * sum + beta * C[row * N + column];
}

// C = A * B in f32 with a two-stage cuda::pipeline: while a stage is multiplied, cp.async fills the other. 32 x 32
// tiles, 256 threads, 2 x 2 results a thread; sizes are multiples of 32. The second kernel does the same with the
// primitives of cuda_pipeline.h, four floats a copy and zero fill past K.
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

static constexpr int tile = 32;

struct Stage {
  alignas(16) float a[tile][tile];
  alignas(16) float b[tile][tile];
};

static __device__ void multiply(const Stage &stage, float (&sum)[2][2]) {
  int row = threadIdx.x / 16 * 2, column = threadIdx.x % 16 * 2;
  for (int k = 0; k < tile; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        sum[i][j] += stage.a[row + i][k] * stage.b[k][column + j];
}

static __device__ void store(float *C, int N, const float (&sum)[2][2]) {
  int row = blockIdx.y * tile + threadIdx.x / 16 * 2, column = blockIdx.x * tile + threadIdx.x % 16 * 2;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(row + i) * N + column + j] = sum[i][j];
}

extern "C" __global__ void __launch_bounds__(256) gemmPipeline(const float *A, const float *B, float *C, int N, int K) {
  __shared__ Stage stages[2];
  auto pipeline = cuda::make_pipeline();
  auto fill = [&](int k) {
    pipeline.producer_acquire();
    Stage &stage = stages[k / tile % 2];
    for (int i = threadIdx.x; i < tile * tile; i += blockDim.x) {
      int row = i / tile, column = i % tile;
      cuda::memcpy_async(&stage.a[row][column], &A[(blockIdx.y * tile + row) * K + k + column], sizeof(float),
                         pipeline);
      cuda::memcpy_async(&stage.b[row][column], &B[(k + row) * N + blockIdx.x * tile + column], sizeof(float),
                         pipeline);
    }
    pipeline.producer_commit();
  };
  float sum[2][2] = {};
  fill(0);
  for (int k = 0; k < K; k += tile) {
    if (k + tile < K) {
      fill(k + tile);
      cuda::pipeline_consumer_wait_prior<1>(pipeline);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipeline);
    }
    __syncthreads();
    multiply(stages[k / tile % 2], sum);
    __syncthreads();
    pipeline.consumer_release();
  }
  store(C, N, sum);
}

extern "C" __global__ void __launch_bounds__(256)
    gemmPrimitives(const float *A, const float *B, float *C, int N, int K) {
  __shared__ Stage stages[2];
  int row = threadIdx.x / 8, column = threadIdx.x % 8 * 4;
  auto fill = [&](int k) {
    Stage &stage = stages[k / tile % 2];
    int left = min(max(K - k - column, 0), 4);
    const float *from = left > 0 ? &A[(blockIdx.y * tile + row) * K + k + column] : A;
    __pipeline_memcpy_async(&stage.a[row][column], from, 16, 16 - left * 4);
    bool inside = k + row < K;
    __pipeline_memcpy_async(&stage.b[row][column], inside ? &B[(k + row) * N + blockIdx.x * tile + column] : B, 16,
                            inside ? 0 : 16);
    __pipeline_commit();
  };
  float sum[2][2] = {};
  fill(0);
  for (int k = 0; k < K; k += tile) {
    fill(k + tile); // past the end: zeros, which nobody reads
    __pipeline_wait_prior(1);
    __syncthreads();
    multiply(stages[k / tile % 2], sum);
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  store(C, N, sum);
}

// C = A * B with the warp matrix functions: f16 with f32 accumulators, from row- and column-major operands, and s8 with
// s32 accumulators. Each warp makes one 16 x 16 tile; M, N and K are multiples of 16.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <typename Element, typename Sum, typename LayoutB>
static __device__ void gemm(const Element *A, const Element *B, Sum *C, int N, int K, int strideB) {
  constexpr bool columns = std::is_same<LayoutB, wmma::col_major>::value;
  int row = blockIdx.y * 16, column = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 16;
  if (column >= N)
    return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, Element, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, Element, LayoutB> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sum;
  wmma::fill_fragment(sum, Sum(0));
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + row * K + k, K);
    wmma::load_matrix_sync(b, columns ? B + column * strideB + k : B + k * strideB + column, strideB);
    wmma::mma_sync(sum, a, b, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = sum.x[i] * Sum(2);
  wmma::store_matrix_sync(C + row * N + column, sum, N, wmma::mem_row_major);
}

extern "C" __global__ void gemmHalfRows(const __half *A, const __half *B, float *C, int N, int K) {
  gemm<__half, float, wmma::row_major>(A, B, C, N, K, N);
}

extern "C" __global__ void gemmHalfColumns(const __half *A, const __half *B, float *C, int N, int K) {
  gemm<__half, float, wmma::col_major>(A, B, C, N, K, K);
}

extern "C" __global__ void gemmBytes(const signed char *A, const signed char *B, int *C, int N, int K) {
  gemm<signed char, int, wmma::col_major>(A, B, C, N, K, K);
}

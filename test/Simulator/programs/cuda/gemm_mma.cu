// C = A * B^T in bf16 with f32 sums, by ldmatrix and mma.sync in inline PTX. A block of four warps makes 64 x 32 of C
// from swizzled tiles of 32 along K: the 16-byte chunk c of row r lies at chunk c ^ (r / 2 % 4), so that the eight rows
// of an ldmatrix phase cover all banks. M is a multiple of 64, N of 32, K of 32.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

static constexpr int tileM = 64, tileN = 32, tileK = 32;

static __device__ int placeOf(int row, int chunk) { return row * tileK + (chunk ^ (row / 2 % 4)) * 8; }

static __device__ void loadMatrices(unsigned (&registers)[4], const __nv_bfloat16 *row) {
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(address)
               : "memory");
}

static __device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ void copyTile(__nv_bfloat16 *tile, const __nv_bfloat16 *matrix, int rows, int stride) {
  for (int i = threadIdx.x; i < rows * (tileK / 8); i += blockDim.x) {
    int row = i / (tileK / 8), chunk = i % (tileK / 8);
    *reinterpret_cast<uint4 *>(tile + placeOf(row, chunk)) =
        *reinterpret_cast<const uint4 *>(matrix + row * stride + chunk * 8);
  }
}

extern "C" __global__ void __launch_bounds__(128)
    gemmMma(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int N, int K) {
  __shared__ alignas(16) __nv_bfloat16 tileA[tileM * tileK], tileB[tileN * tileK];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = blockIdx.y * tileM, column = blockIdx.x * tileN;
  float sum[tileN / 8][4] = {};
  for (int k = 0; k < K; k += tileK) {
    copyTile(tileA, A + row * K + k, tileM, K);
    copyTile(tileB, B + column * K + k, tileN, K);
    __syncthreads();
    for (int step = 0; step < tileK / 16; ++step) {
      unsigned a[4], b[4];
      loadMatrices(a, tileA + placeOf(warp * 16 + lane % 16, step * 2 + lane / 16));
      for (int n = 0; n < tileN; n += 16) {
        // Matrices 0 and 1: the low and high K half of eight columns; 2 and 3: of the next eight.
        loadMatrices(b, tileB + placeOf(n + lane % 8 + lane / 16 * 8, step * 2 + lane / 8 % 2));
        multiply(sum[n / 8], a, b[0], b[1]);
        multiply(sum[n / 8 + 1], a, b[2], b[3]);
      }
    }
    __syncthreads();
  }
  for (int n = 0; n < tileN / 8; ++n) {
    float *corner = C + (row + warp * 16 + lane / 4) * N + column + n * 8 + lane % 4 * 2;
    *reinterpret_cast<float2 *>(corner) = make_float2(sum[n][0], sum[n][1]);
    *reinterpret_cast<float2 *>(corner + 8 * N) = make_float2(sum[n][2], sum[n][3]);
  }
}

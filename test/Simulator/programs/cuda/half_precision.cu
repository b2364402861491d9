// f16 and bf16 two at a time: arithmetic, fused multiply-add with ReLU, comparisons, minima that keep NaN, conversions
// with each rounding, and packed atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// output: eight groups of `pairs` results.
extern "C" __global__ void halves(const __half2 *a, const __half2 *b, const __half2 *c, int pairs, __half2 *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  output[i] = __hadd2(a[i], b[i]);
  output[pairs + i] = __hmul2(a[i], b[i]);
  output[2 * pairs + i] = __hfma2(a[i], b[i], c[i]);
  output[3 * pairs + i] = __hfma2_relu(a[i], b[i], c[i]);
  output[4 * pairs + i] = __hmin2_nan(a[i], b[i]);
  output[5 * pairs + i] = __hgt2(a[i], b[i]);
  output[6 * pairs + i] = __hadd2_sat(a[i], b[i]);
  output[7 * pairs + i] = __lowhigh2highlow(__hneg2(__habs2(a[i])));
}

extern "C" __global__ void brains(const __nv_bfloat162 *a, const __nv_bfloat162 *b, const __nv_bfloat162 *c, int pairs,
                                  __nv_bfloat162 *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  output[i] = __hadd2(a[i], b[i]);
  output[pairs + i] = __hmul2(a[i], b[i]);
  output[2 * pairs + i] = __hfma2(a[i], b[i], c[i]);
  output[3 * pairs + i] = __hmax2(a[i], b[i]);
  float2 wide = __bfloat1622float2(c[i]);
  output[4 * pairs + i] = __floats2bfloat162_rn(wide.x * 1.01f, wide.y * 1.01f);
}

extern "C" __global__ void convert(const float *input, int size, __half *output, short *whole) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  output[i] = __float2half_rn(input[i]);
  output[size + i] = __float2half_rz(input[i]);
  output[2 * size + i] = __float2half_ru(input[i]);
  output[3 * size + i] = __float2half_rd(input[i]);
  whole[i] = __half2short_rn(__float2half_rn(input[i]));
}

extern "C" __global__ void addToBins(const __half2 *input, const int *bins, int pairs, __half2 *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    atomicAdd(&sums[bins[i]], input[i]);
}

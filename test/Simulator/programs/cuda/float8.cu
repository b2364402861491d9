// f8 in both formats, from and to f32 and pairs of f16. For sm_80 the header computes with integers, for sm_90a it uses
// the conversions of the hardware; the results are the same.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void toFloat8(const float *input, int size, __nv_fp8_e4m3 *e4m3, __nv_fp8_e5m2 *e5m2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  e4m3[i] = __nv_fp8_e4m3(input[i]);
  e5m2[i] = __nv_fp8_e5m2(input[i]);
}

extern "C" __global__ void fromFloat8(const __nv_fp8x2_e4m3 *e4m3, const __nv_fp8x2_e5m2 *e5m2, int pairs, float2 *wide,
                                      __half2 *half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  wide[i] = static_cast<float2>(e4m3[i]);
  half[i] = static_cast<__half2>(e5m2[i]);
}

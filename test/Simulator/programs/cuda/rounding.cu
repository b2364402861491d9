// Arithmetic and conversions in the four rounding modes; every result is defined to the bit.
#include <cuda_runtime.h>

struct Rounded {
  float sum[4], product[4], quotient[4], root[4], fused[4], narrowed[4];
  int whole[4];
};

extern "C" __global__ void roundSingle(const float *a, const float *b, const float *c, const double *d, int size,
                                       Rounded *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  float x = a[i], y = b[i], z = c[i];
  results[i] = {{__fadd_rn(x, y), __fadd_rz(x, y), __fadd_ru(x, y), __fadd_rd(x, y)},
                {__fmul_rn(x, y), __fmul_rz(x, y), __fmul_ru(x, y), __fmul_rd(x, y)},
                {__fdiv_rn(x, y), __fdiv_rz(x, y), __fdiv_ru(x, y), __fdiv_rd(x, y)},
                {__fsqrt_rn(fabsf(x)), __fsqrt_rz(fabsf(x)), __fsqrt_ru(fabsf(x)), __fsqrt_rd(fabsf(x))},
                {__fmaf_rn(x, y, z), __fmaf_rz(x, y, z), __fmaf_ru(x, y, z), __fmaf_rd(x, y, z)},
                {__double2float_rn(d[i]), __double2float_rz(d[i]), __double2float_ru(d[i]), __double2float_rd(d[i])},
                {__float2int_rn(x), __float2int_rz(x), __float2int_ru(x), __float2int_rd(x)}};
}

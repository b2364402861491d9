// The maths library on arguments of every magnitude: sin and cos reduce large ones with 2/pi to many digits, which
// takes local memory; pow, cbrt, lgamma, tanh and others; and the approximate functions of the hardware.
#include <cuda_runtime.h>

extern "C" __global__ void singleFunctions(const float *x, int size, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  float a = x[i], positive = fabsf(a);
  y[i] = sinf(a);
  y[size + i] = cosf(a);
  y[2 * size + i] = powf(positive, 0.3f);
  y[3 * size + i] = tanhf(a);
  y[4 * size + i] = cbrtf(a);
  y[5 * size + i] = log1pf(positive);
  y[6 * size + i] = fmodf(a, 0.37f);
  y[7 * size + i] = atan2f(a, 1.5f);
  y[8 * size + i] = hypotf(a, 3.0f);
}

extern "C" __global__ void doubleFunctions(const double *x, int size, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  double a = x[i], positive = fabs(a), s, c;
  sincos(a, &s, &c);
  y[i] = s;
  y[size + i] = c;
  y[2 * size + i] = pow(positive, 0.3);
  y[3 * size + i] = tanh(a);
  y[4 * size + i] = cbrt(a);
  y[5 * size + i] = log1p(positive);
  y[6 * size + i] = rsqrt(positive);
  y[7 * size + i] = atan2(a, 1.5);
  y[8 * size + i] = lgamma(positive);
}

// x in [0.1, 3].
extern "C" __global__ void fastFunctions(const float *x, int size, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  y[i] = __sinf(x[i]);
  y[size + i] = __cosf(x[i]);
  y[2 * size + i] = __expf(x[i]);
  y[3 * size + i] = __logf(x[i]);
  y[4 * size + i] = __fdividef(1.0f, x[i]);
  y[5 * size + i] = __powf(x[i], 1.7f);
  y[6 * size + i] = rsqrtf(x[i]);
  y[7 * size + i] = __tanhf(x[i]);
}

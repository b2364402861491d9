// European option prices in double and in single precision: exp, log, sqrt, erfc and division of the maths library.
#include <cuda_runtime.h>

template <typename T> static __device__ T normal(T x) { return T(0.5) * erfc(-x * T(0.70710678118654752440)); }

template <typename T>
static __device__ void price(const T *spot, const T *strike, const T *years, int size, T rate, T volatility, T *call,
                             T *put) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  T root = sqrt(years[i]);
  T d1 = (log(spot[i] / strike[i]) + (rate + T(0.5) * volatility * volatility) * years[i]) / (volatility * root);
  T d2 = d1 - volatility * root;
  T discounted = strike[i] * exp(-rate * years[i]);
  call[i] = spot[i] * normal(d1) - discounted * normal(d2);
  put[i] = discounted * normal(-d2) - spot[i] * normal(-d1);
}

extern "C" __global__ void priceDouble(const double *spot, const double *strike, const double *years, int size,
                                       double rate, double volatility, double *call, double *put) {
  price(spot, strike, years, size, rate, volatility, call, put);
}

extern "C" __global__ void priceSingle(const float *spot, const float *strike, const float *years, int size, float rate,
                                       float volatility, float *call, float *put) {
  price(spot, strike, years, size, rate, volatility, call, put);
}

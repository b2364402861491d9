// Atomics of every kind on shared counters, and what is built from compare-and-swap: a double sum, a float maximum, and
// a lock around a critical section.
#include <cuda_runtime.h>

static __device__ double addByCas(double *address, double value) {
  auto *word = reinterpret_cast<unsigned long long *>(address);
  unsigned long long old = *static_cast<volatile unsigned long long *>(word), assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

static __device__ void maxByCas(float *address, float value) {
  int old = __float_as_int(*static_cast<volatile float *>(address)), assumed;
  while (value > __int_as_float(old)) {
    assumed = old;
    old = atomicCAS(reinterpret_cast<int *>(address), assumed, __float_as_int(value));
    if (assumed == old)
      return;
  }
}

extern "C" __global__ void floatingAtomics(const double *input, int size, double *sums, float *largest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  addByCas(&sums[0], input[i]);
  atomicAdd(&sums[1], input[i]);
  maxByCas(largest, static_cast<float>(input[i]));
}

// words: sum, minimum, maximum, and, or, xor, wrapping increment, wrapping decrement, exchanged, signed minimum.
extern "C" __global__ void integerAtomics(const unsigned *input, int size, unsigned *words, unsigned long long *wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  unsigned value = input[i];
  atomicAdd(&words[0], value);
  atomicMin(&words[1], value);
  atomicMax(&words[2], value);
  atomicAnd(&words[3], value | 0xf00fu);
  atomicOr(&words[4], value & 0xff0u);
  atomicXor(&words[5], value);
  atomicInc(&words[6], 99);
  atomicDec(&words[7], 77);
  atomicExch(&words[8], value);
  atomicMin(reinterpret_cast<int *>(&words[9]), static_cast<int>(value));
  atomicAdd(&wide[0], static_cast<unsigned long long>(value) * value);
  atomicMax(&wide[1], static_cast<unsigned long long>(value) * 3);
}

// One thread of each block holds the lock while it makes a change of three words that belong together.
extern "C" __global__ void lockedUpdate(int *lock, volatile unsigned *state) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  unsigned a = state[0], b = state[1];
  state[0] = b;
  state[1] = a + b;
  state[2] = state[2] + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Functions that stay functions: structs by value in and out, an array by address in local memory, recursion, and calls
// through a table of pointers.
#include <cuda_runtime.h>

struct Particle {
  float3 position;
  double mass;
  short id;
  signed char spin[5];
};

struct Box {
  float low[3], high[3];
};

static __device__ __noinline__ Particle moved(Particle p, float3 by, Box box) {
  p.position.x = fminf(fmaxf(p.position.x + by.x, box.low[0]), box.high[0]);
  p.position.y = fminf(fmaxf(p.position.y + by.y, box.low[1]), box.high[1]);
  p.position.z = fminf(fmaxf(p.position.z + by.z, box.low[2]), box.high[2]);
  p.mass *= 0.5;
  for (int i = 0; i < 5; ++i)
    p.spin[i] = static_cast<signed char>(p.spin[i] + p.id);
  return p;
}

extern "C" __global__ void moveParticles(Particle *particles, int size, Box box, float3 by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    particles[i] = moved(particles[i], by, box);
}

static __device__ __noinline__ void sortSmall(int *values, int count) {
  for (int i = 1; i < count; ++i) {
    int value = values[i], j = i;
    for (; j > 0 && values[j - 1] > value; --j)
      values[j] = values[j - 1];
    values[j] = value;
  }
}

extern "C" __global__ void medians(const int *input, int size, int window, int *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int values[15];
  for (int j = 0; j < window; ++j)
    values[j] = input[(i + j) % size];
  sortSmall(values, window);
  output[i] = values[window / 2];
}

static __device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

extern "C" __global__ void recursion(unsigned *output) {
  output[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5);
}

using Operation = float (*)(float, float);
static __device__ __noinline__ float add(float a, float b) { return a + b; }
static __device__ __noinline__ float subtract(float a, float b) { return a - b; }
static __device__ __noinline__ float larger(float a, float b) { return fmaxf(a, b); }
static __device__ __noinline__ float product(float a, float b) { return a * b; }
static __device__ const Operation operations[4] = {add, subtract, larger, product};

extern "C" __global__ void applyOperations(const int *which, const float *a, const float *b, int size, float *output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    output[i] = operations[which[i]](a[i], b[i]);
}

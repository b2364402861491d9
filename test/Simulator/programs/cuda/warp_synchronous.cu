// One warp per row without any block barrier: shared memory between the lanes, with __syncwarp between its uses. A row
// is reduced to its mean and deviation and then normalised; warps may have no row at all.
#include <cuda_runtime.h>

extern "C" __global__ void normaliseRows(const float *input, float *output, int rows, int columns) {
  __shared__ volatile float shared[4][32];
  int lane = threadIdx.x, warp = threadIdx.y, row = blockIdx.x * blockDim.y + warp;
  if (row >= rows)
    return;
  float sum = 0, squares = 0;
  for (int i = lane; i < columns; i += 32)
    sum += input[row * columns + i];
  shared[warp][lane] = sum;
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    float other = lane < half ? shared[warp][lane + half] : 0;
    __syncwarp();
    if (lane < half)
      shared[warp][lane] += other;
    __syncwarp();
  }
  float mean = shared[warp][0] / columns;
  for (int i = lane; i < columns; i += 32) {
    float centred = input[row * columns + i] - mean;
    squares += centred * centred;
  }
  for (int mask = 16; mask > 0; mask /= 2)
    squares += __shfl_xor_sync(0xffffffffu, squares, mask);
  float scale = 1.0f / sqrtf(squares / columns + 1e-5f);
  for (int i = lane; i < columns; i += 32)
    output[row * columns + i] = (input[row * columns + i] - mean) * scale;
}

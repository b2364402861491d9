// Transposes a matrix of any size through a padded shared tile: 32 x 8 threads, coalesced both ways, no bank conflicts.
// The second kernel moves a batch of complex values with a three-dimensional grid.
#include <cuda_runtime.h>

static constexpr int tile = 32, rowsAtOnce = 8;

template <typename T> static __device__ void transposeTile(const T *input, T *output, int rows, int columns) {
  __shared__ T buffer[tile][tile + 1];
  int column = blockIdx.x * tile + threadIdx.x, row = blockIdx.y * tile + threadIdx.y;
  for (int i = 0; i < tile; i += rowsAtOnce)
    if (column < columns && row + i < rows)
      buffer[threadIdx.y + i][threadIdx.x] = input[(row + i) * columns + column];
  __syncthreads();
  column = blockIdx.y * tile + threadIdx.x;
  row = blockIdx.x * tile + threadIdx.y;
  for (int i = 0; i < tile; i += rowsAtOnce)
    if (column < rows && row + i < columns)
      output[(row + i) * rows + column] = buffer[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose(const float *input, float *output, int rows, int columns) {
  transposeTile(input, output, rows, columns);
}

extern "C" __global__ void transposeBatch(const float2 *input, float2 *output, int rows, int columns) {
  size_t matrix = static_cast<size_t>(blockIdx.z) * rows * columns;
  transposeTile(input + matrix, output + matrix, rows, columns);
}

// Seven-point stencil on a box: a three-dimensional grid of three-dimensional blocks, each with a shared tile and its
// halo.
#include <cuda_runtime.h>

static constexpr int sizeX = 16, sizeY = 4, sizeZ = 4;

struct Extents {
  int x, y, z;
};

extern "C" __global__ void stencil(const float *__restrict__ input, float *__restrict__ output, Extents extents,
                                   float centre, float side) {
  __shared__ float tile[sizeZ + 2][sizeY + 2][sizeX + 2];
  int baseX = blockIdx.x * sizeX - 1, baseY = blockIdx.y * sizeY - 1, baseZ = blockIdx.z * sizeZ - 1;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  constexpr int cells = (sizeZ + 2) * (sizeY + 2) * (sizeX + 2);
  for (int cell = thread; cell < cells; cell += sizeX * sizeY * sizeZ) {
    int dx = cell % (sizeX + 2), dy = cell / (sizeX + 2) % (sizeY + 2), dz = cell / ((sizeX + 2) * (sizeY + 2));
    int x = baseX + dx, y = baseY + dy, z = baseZ + dz;
    bool inside = x >= 0 && y >= 0 && z >= 0 && x < extents.x && y < extents.y && z < extents.z;
    tile[dz][dy][dx] = inside ? input[(z * extents.y + y) * extents.x + x] : 0.0f;
  }
  __syncthreads();
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, tz = threadIdx.z + 1;
  int x = baseX + tx, y = baseY + ty, z = baseZ + tz;
  if (x >= extents.x || y >= extents.y || z >= extents.z)
    return;
  float sum = tile[tz][ty][tx - 1] + tile[tz][ty][tx + 1] + tile[tz][ty - 1][tx] + tile[tz][ty + 1][tx] +
              tile[tz - 1][ty][tx] + tile[tz + 1][ty][tx];
  output[(z * extents.y + y) * extents.x + x] = centre * tile[tz][ty][tx] + side * sum;
}

/// Not a test: asks a GPU what lib/Simulator/Tma assumes or does not know, one line of text for each question, to be
/// compared with lib/Simulator/Tma/README.md.
///     nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a TmaProbe.cu -o tma-probe && ./tma-probe
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr unsigned room = 16384;

__device__ static uint32_t sharedAddress(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

/// Loads a box of rank 2, 3 or 4 at `offset` of shared memory and writes all shared memory out.
__global__ void load(const __grid_constant__ CUtensorMap map, int rank, int4 at, unsigned offset, unsigned bytes,
                     uint8_t *out) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ __align__(8) uint64_t barrier;
  for (unsigned i = threadIdx.x; i < room; i += blockDim.x)
    memory[i] = 0xee;
  uint32_t bar = sharedAddress(&barrier), to = sharedAddress(memory) + offset;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
#define LOAD(DIM, COORDINATES, ...)                                                                                    \
  asm volatile("cp.async.bulk.tensor." DIM ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "          \
               "[%1, {" COORDINATES "}], [%2];" ::"r"(to),                                                             \
               "l"(&map), "r"(bar), __VA_ARGS__                                                                        \
               : "memory")
    if (rank == 2)
      LOAD("2d", "%3, %4", "r"(at.x), "r"(at.y));
    else if (rank == 3)
      LOAD("3d", "%3, %4, %5", "r"(at.x), "r"(at.y), "r"(at.z));
    else
      LOAD("4d", "%3, %4, %5, %6", "r"(at.x), "r"(at.y), "r"(at.z), "r"(at.w));
    long long end = clock64() + 100000000;
    uint32_t done = 0;
    while (!done && clock64() < end)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(bar)
                   : "memory");
    if (!done)
      printf("  (the bytes counted are not the bytes expected)\n");
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < room; i += blockDim.x)
    out[i] = memory[i];
}

/// Stores 128 bytes of `in` as a box of 2 dimensions, or reduces one pair of elements for each operation.
__global__ void store(const __grid_constant__ CUtensorMap map, int x, int y, const uint8_t *in, unsigned bytes) {
  extern __shared__ __align__(1024) uint8_t memory[];
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x)
    memory[i] = in[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n"
                 "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(&map),
                 "r"(x), "r"(y), "r"(sharedAddress(memory))
                 : "memory");
}

#define REDUCTION(NAME, OPERATION)                                                                                     \
  __global__ void NAME(uint8_t *to, const uint8_t *in) {                                                               \
    __shared__ __align__(16) uint8_t memory[64];                                                                       \
    memory[threadIdx.x] = in[threadIdx.x];                                                                             \
    memory[threadIdx.x + 32] = in[threadIdx.x + 32];                                                                   \
    asm volatile("fence.proxy.async;" ::: "memory");                                                                   \
    __syncthreads();                                                                                                   \
    if (threadIdx.x == 0)                                                                                              \
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." OPERATION " [%0], [%1], 64;\n"                \
                   "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(to),                               \
                   "r"(sharedAddress(memory))                                                                          \
                   : "memory");                                                                                        \
  }
REDUCTION(minF16, "min.f16")
REDUCTION(maxF16, "max.f16")
REDUCTION(addF16, "add.noftz.f16")
REDUCTION(minBF16, "min.bf16")
REDUCTION(addBF16, "add.noftz.bf16")
REDUCTION(addF32, "add.f32")
REDUCTION(addF64, "add.f64")

static decltype(&cuTensorMapEncodeTiled) encodeTiled;
static uint8_t *input, *output;
static std::vector<uint8_t> host(1 << 20), result(room);

static bool encode(CUtensorMap &map, CUtensorMapDataType type, std::vector<uint64_t> dim, std::vector<uint64_t> strides,
                   std::vector<uint32_t> box, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                   CUtensorMapFloatOOBfill fill, void *base) {
  std::vector<uint32_t> steps(dim.size(), 1);
  CUresult status = encodeTiled(&map, type, static_cast<uint32_t>(dim.size()), base, dim.data(), strides.data(),
                                box.data(), steps.data(), interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  if (status != CUDA_SUCCESS)
    std::printf("  refused by the driver: %d\n", status);
  return status == CUDA_SUCCESS;
}

static bool check(const char *what) {
  cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess)
    std::printf("  %s: %s\n", what, cudaGetErrorString(status));
  return status == cudaSuccess;
}

static bool runLoad(const CUtensorMap &map, int rank, int4 at, unsigned offset, unsigned bytes) {
  load<<<1, 128, room>>>(map, rank, at, offset, bytes, output);
  bool fine = check("load");
  cudaMemcpy(result.data(), output, room, cudaMemcpyDeviceToHost);
  return fine;
}

/// Where each 8 bytes of the source come to lie; the source holds its own number in every 8 bytes.
static void askSwizzles() {
  for (uint64_t i = 0; i < host.size() / 8; ++i)
    std::memcpy(host.data() + 8 * i, &i, 8);
  cudaMemcpy(input, host.data(), host.size(), cudaMemcpyHostToDevice);
  for (int swizzle = 0; swizzle <= 3; ++swizzle)
    for (unsigned offset : {0u, 128u, 384u, 16u}) {
      CUtensorMap map;
      unsigned span = swizzle == 0 ? 128 : 16u << swizzle;
      std::printf("swizzle %d, offset %u:\n", swizzle, offset);
      if (!encode(map, CU_TENSOR_MAP_DATA_TYPE_UINT64, {span / 8, 1024}, {span}, {span / 8, 1024 / span},
                  CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(swizzle),
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, input) ||
          !runLoad(map, 2, {0, 0, 0, 0}, offset, 1024))
        return;
      for (unsigned i = 0; i < 128 + 16; ++i) {
        uint64_t number;
        std::memcpy(&number, result.data() + offset / 128 * 128 + 8 * i, 8);
        std::printf("%4lld%s", static_cast<long long>(number), i % 16 == 15 ? "\n" : "");
      }
    }
}

static void askFills() {
  const std::pair<CUtensorMapDataType, unsigned> types[] = {{CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},
                                                            {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2},
                                                            {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},
                                                            {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4},
                                                            {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8}};
  for (auto [type, size] : types) {
    CUtensorMap map;
    std::printf("NaN fill of type %d:", type);
    if (encode(map, type, {64, 8}, {64 * size}, {32 / size, 8}, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA, input) &&
        runLoad(map, 2, {-1, 0, 0, 0}, 0, 256))
      for (unsigned i = 0; i < size; ++i)
        std::printf(" %02x", result[i]);
    std::printf("\n");
  }
}

static void askConversions() {
  const uint32_t values[] = {0x3f800fff, 0x3f801000, 0x3f801001, 0x3f802fff, 0x3f803000, 0x3f803001, 0xbf801000,
                             0x00000001, 0x80400000, 0x7f800000, 0x7f800001, 0x7fc12345, 0x7f7fffff, 0x00801000};
  cudaMemset(input, 0, 1024);
  cudaMemcpy(input, values, sizeof values, cudaMemcpyHostToDevice);
  for (CUtensorMapDataType type : {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
                                   CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ}) {
    CUtensorMap map;
    std::printf("conversions of type %d:", type);
    if (encode(map, type, {16, 1}, {64}, {16, 1}, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, input) &&
        runLoad(map, 2, {0, 0, 0, 0}, 0, 64))
      for (unsigned i = 0; i < sizeof values / 4; ++i) {
        uint32_t bits;
        std::memcpy(&bits, result.data() + 4 * i, 4);
        std::printf(" %08x>%08x", values[i], bits);
      }
    std::printf("\n");
  }
}

/// NC/8HWC8 as {C8 slices' elements, W, H, slices}: which coordinate counts what.
static void askInterleave() {
  for (uint16_t i = 0; i < 32768; ++i)
    std::memcpy(host.data() + 2 * i, &i, 2);
  cudaMemcpy(input, host.data(), 65536, cudaMemcpyHostToDevice);
  CUtensorMap map;
  for (uint32_t box : {1u, 2u, 8u}) {
    std::printf("interleave 16B, box %u 2 2 of {4, 4, 4} with strides 64 256, at (1, 1, 1):", box);
    if (encode(map, CU_TENSOR_MAP_DATA_TYPE_UINT16, {32, 4, 4}, {64, 256}, {box, 2, 2}, CU_TENSOR_MAP_INTERLEAVE_16B,
               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, input)) {
      runLoad(map, 3, {1, 1, 1, 0}, 0, box * 2 * 2 * 16);
      for (unsigned i = 0; i < 64; ++i)
        std::printf(" %u", result[2 * i] | result[2 * i + 1] << 8);
    }
    std::printf("\n");
  }
}

template <typename T, typename Kernel>
static void askReduction(const char *name, Kernel kernel, std::vector<std::pair<T, T>> pairs) {
  std::vector<T> to(64 / sizeof(T)), from(64 / sizeof(T));
  for (size_t i = 0; i < pairs.size(); ++i) {
    to[i] = pairs[i].first;
    from[i] = pairs[i].second;
  }
  cudaMemcpy(output, to.data(), 64, cudaMemcpyHostToDevice);
  cudaMemcpy(input, from.data(), 64, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(output, input);
  check(name);
  std::vector<T> sums(64 / sizeof(T));
  cudaMemcpy(sums.data(), output, 64, cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (size_t i = 0; i < pairs.size(); ++i)
    std::printf(" %llx,%llx>%llx", (unsigned long long)to[i], (unsigned long long)from[i], (unsigned long long)sums[i]);
  std::printf("\n");
}

static void askReductions() {
  std::vector<std::pair<uint16_t, uint16_t>> halves = {{0x8000, 0},      {0, 0x8000},      {0x7e01, 0x3c00},
                                                       {0x3c00, 0xfe02}, {0x7c01, 0x7e03}, {0x7c00, 0xfc00},
                                                       {1, 1},           {0x6801, 0x3c00}};
  askReduction<uint16_t>("min.f16", minF16, halves);
  askReduction<uint16_t>("max.f16", maxF16, halves);
  askReduction<uint16_t>("add.f16", addF16, halves);
  halves[2] = {0x7fc1, 0x3f80}, halves[3] = {0x3f80, 0xffc2}, halves[4] = {0x7f81, 0x7fc3},
  halves[5] = {0x7f80, 0xff80};
  askReduction<uint16_t>("min.bf16", minBF16, halves);
  askReduction<uint16_t>("add.bf16", addBF16, halves);
  askReduction<uint32_t>(
      "add.f32", addF32,
      {{1, 1}, {0x80000001, 0x80000000}, {0x7fc12345, 0}, {0x7f800000, 0xff800000}, {0x00800000, 0x80800001}});
  askReduction<uint64_t>("add.f64", addF64,
                         {{1, 1}, {0x7ff8000000012345, 0}, {0x7ff0000000000000, 0xfff0000000000000}});
}

static void askNegativeStore() {
  for (size_t i = 0; i < 128; ++i)
    host[i] = static_cast<uint8_t>(i + 1);
  cudaMemcpy(input, host.data(), 128, cudaMemcpyHostToDevice);
  cudaMemset(output, 0, 1024);
  CUtensorMap map;
  if (!encode(map, CU_TENSOR_MAP_DATA_TYPE_UINT8, {32, 8}, {32}, {32, 4}, CU_TENSOR_MAP_INTERLEAVE_NONE,
              CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, output))
    return;
  store<<<1, 32, room>>>(map, -16, -1, input, 128);
  std::printf("store at (-16, -1):");
  check("store");
  cudaMemcpy(result.data(), output, 128, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 128; ++i)
    std::printf(" %u", result[i]);
  std::printf("\n");
}

int main() {
  void *entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaMalloc(&input, host.size());
  cudaMalloc(&output, host.size());
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found) !=
          cudaSuccess ||
      !entry)
    return 1;
  encodeTiled = reinterpret_cast<decltype(encodeTiled)>(entry);
  askFills();
  askConversions();
  askReductions();
  askNegativeStore();
  askInterleave();
  askSwizzles(); // last: an offset of 16 may be a fault, after which nothing runs
  return 0;
}

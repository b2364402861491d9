#include "tools/tile-bench/CudaLibraries.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

using namespace bench;
using tilec::Status;
using tilec::StatusCode;

template <typename Function> static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

//===-- Driver
//------------------------------------------------------------------------------------------------------===//

Status bench::copyDeviceToDevice(void *to, const void *from, size_t bytes) {
  using Copy = int (*)(unsigned long long, unsigned long long, size_t, void *);
  static Copy copy = [] {
    const char *file = std::getenv("TILEC_CUDA_DRIVER");
    Copy function = nullptr;
    if (void *library = dlopen(file ? file : "libcuda.so.1", RTLD_NOW | RTLD_GLOBAL))
      find(library, "cuMemcpyDtoDAsync_v2", function);
    return function;
  }();
  if (!copy)
    return {StatusCode::NoDevice, "no cuMemcpyDtoDAsync_v2"};
  int error =
      copy(reinterpret_cast<unsigned long long>(to), reinterpret_cast<unsigned long long>(from), bytes, nullptr);
  return error ? Status(StatusCode::DriverError, "cuMemcpyDtoDAsync: error " + std::to_string(error)) : Status();
}

//===-- cuBLAS
//------------------------------------------------------------------------------------------------------===//

/// Values of cublasOperation_t, cudaDataType_t, cublasComputeType_t and cublasGemmAlgo_t.
enum : int { opN = 0, opT = 1, typeF16 = 2, typeBF16 = 14, computeF32 = 68, defaultAlgorithm = -1 };

static void *openCublas(std::string &file) {
  std::vector<std::string> files;
  if (const char *exact = std::getenv("TILEC_CUBLAS"))
    files.push_back(exact);
  std::vector<std::string> folders;
  if (const char *folder = std::getenv("TILEC_CUBLAS_DIR"))
    folders.push_back(std::string(folder) + "/");
  folders.insert(folders.end(), {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/"});
  for (const std::string &folder : folders)
    for (const char *name : {"libcublas.so.13", "libcublas.so.12"})
      files.push_back(folder + name);
  for (const std::string &candidate : files) {
    // Wheels put cublasLt beside cublas without a search path: load it first.
    size_t at = candidate.rfind("libcublas");
    if (at != std::string::npos && at > 0)
      (void)dlopen((candidate.substr(0, at) + "libcublasLt" + candidate.substr(at + 9)).c_str(),
                   RTLD_NOW | RTLD_GLOBAL);
    if (void *library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      file = candidate;
      return library;
    }
  }
  return nullptr;
}

tilec::Result<Cublas *> Cublas::get() {
  static Cublas cublas;
  static Status status = []() -> Status {
    void *library = openCublas(cublas.file);
    if (!library)
      return {StatusCode::Unsupported,
              "cuBLAS is not at hand: set TILEC_CUBLAS_DIR to the folder of libcublas.so.13 or .12"};
    int (*create)(void **) = nullptr;
    int (*getVersion)(void *, int *) = nullptr;
    if (!find(library, "cublasCreate_v2", create) || !find(library, "cublasGetVersion_v2", getVersion) ||
        !find(library, "cublasGemmEx", cublas.gemmEx))
      return {StatusCode::Unsupported, cublas.file + " lacks an entry point"};
    if (int error = create(&cublas.handle))
      return {StatusCode::DriverError, "cublasCreate: error " + std::to_string(error)};
    getVersion(cublas.handle, &cublas.versionNumber);
    return {};
  }();
  if (!status)
    return status;
  return &cublas;
}

Status Cublas::multiply(const Product &p) {
  // cuBLAS is column-major: it sees Cᵀ [N, M] = Bᵀ · Aᵀ. A row-major [N, K] is a column-major [K, N], hence the T.
  int type = p.type == ProductType::F16 ? typeF16 : typeBF16;
  int m = int(p.m), n = int(p.n), k = int(p.k);
  float one = 1, zero = 0;
  int error = gemmEx(handle, p.isKN ? opN : opT, opN, n, m, k, &one, p.b, type, p.isKN ? n : k, p.a, type, k, &zero,
                     p.c, type, n, computeF32, defaultAlgorithm);
  return error ? Status(StatusCode::DriverError, "cublasGemmEx: error " + std::to_string(error)) : Status();
}

//===-- NVML
//--------------------------------------------------------------------------------------------------------===//

namespace {
struct Nvml {
  void *device = nullptr;
  int (*getClock)(void *, int, unsigned *) = nullptr;
  int (*getPower)(void *, unsigned *) = nullptr;

  Nvml() {
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)() = nullptr;
    int (*getDevice)(unsigned, void **) = nullptr;
    if (!library || !find(library, "nvmlInit_v2", init) || !find(library, "nvmlDeviceGetHandleByIndex_v2", getDevice) ||
        !find(library, "nvmlDeviceGetClockInfo", getClock) || !find(library, "nvmlDeviceGetPowerUsage", getPower) ||
        init() || getDevice(0, &device))
      device = nullptr;
  }
};
} // namespace

BoardReading bench::readBoard() {
  static Nvml nvml;
  BoardReading reading;
  if (!nvml.device)
    return reading;
  constexpr int smClock = 1;
  unsigned value = 0;
  if (nvml.getClock(nvml.device, smClock, &value) == 0)
    reading.megahertz = value;
  if (nvml.getPower(nvml.device, &value) == 0)
    reading.watts = value / 1000.0;
  return reading;
}

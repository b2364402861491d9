/// What tile-bench compares with, found at run time: the driver's own copy, cuBLAS, and NVML for clock and power.
/// Nothing of CUDA is needed to build. Signatures follow the CUDA driver, cuBLAS and NVML references.
#ifndef TOOLS_TILE_BENCH_CUDALIBRARIES_H
#define TOOLS_TILE_BENCH_CUDALIBRARIES_H

#include "lib/Runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

/// Copies from device to device on the default stream, asynchronously.
tilec::Status copyDeviceToDevice(void *to, const void *from, size_t bytes);

/// Element types of a product.
enum class ProductType { F16, BF16 };

/// C = A · B in f32 accumulators on the default stream: A is [M, K], B is [N, K] or, with `isKN`, [K, N], C is [M, N],
/// all row-major without gaps and of one type.
struct Product {
  ProductType type = ProductType::BF16;
  bool isKN = false;
  int64_t m = 0, n = 0, k = 0;
  const void *a = nullptr, *b = nullptr;
  void *c = nullptr;
};

/// cuBLAS, from $TILEC_CUBLAS (a file), else $TILEC_CUBLAS_DIR, else by the system's search order and below
/// /usr/local/cuda: libcublas.so.13, then .so.12.
class Cublas {
public:
  /// The one instance; the status says why there is none.
  static tilec::Result<Cublas *> get();
  /// Of the library: 130000 for 13.0.0.
  int version() const { return versionNumber; }
  const std::string &path() const { return file; }
  tilec::Status multiply(const Product &product);

private:
  void *handle = nullptr;
  int versionNumber = 0;
  std::string file;
  int (*gemmEx)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
                const void *, void *, int, int, int, int) = nullptr;
};

/// SM clock and power at this moment; zeros where NVML is not at hand.
struct BoardReading {
  double megahertz = 0;
  double watts = 0;
};
BoardReading readBoard();

} // namespace bench

#endif // TOOLS_TILE_BENCH_CUDALIBRARIES_H

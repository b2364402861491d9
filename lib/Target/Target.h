/// What the compiler knows about GPUs: one row of facts per target, and no SM number anywhere else.
///
/// Limits are from the CUDA C++ Programming Guide, section "Technical Specifications per Compute Capability";
/// instruction shapes and versions from the PTX ISA, sections "Warp-level matrix instructions" and "Release Notes"; the
/// typical part's size, clock and bandwidth from its data sheet (named in Target.cpp).
///
/// Plain C++ without LLVM, since the simulated device reads the table too and host programs link it.
#ifndef TILEC_TARGET_TARGET_H
#define TILEC_TARGET_TARGET_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mlir::tile {

/// Number formats as the hardware's matrix units distinguish them.
enum class ElementKind { F64, F32, TF32, F16, BF16, F8E4M3, F8E5M2, I8, U8, I32 };

/// The width of one element in registers; TF32 takes 32 bits.
unsigned bitWidth(ElementKind kind);
/// The name in PTX ("f16", "e4m3", "s8", …).
std::string_view ptxName(ElementKind kind);

/// A list of rows in static storage.
template <typename T> struct Rows {
  const T *first = nullptr;
  size_t count = 0;

  constexpr Rows() = default;
  constexpr Rows(const T *first, size_t count) : first(first), count(count) {}
  constexpr const T *begin() const { return first; }
  constexpr const T *end() const { return first + count; }
  constexpr size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr const T &operator[](size_t i) const { return first[i]; }
};

/// One shape of the warp-level mma.sync instruction: D[m,n] = A[m,k] · B[k,n] + C[m,n].
struct MmaShape {
  ElementKind a, b, acc;
  unsigned m, n, k;
  /// Multiply-adds per SM and clock, dense, with this instruction (not the asynchronous ones).
  unsigned fmaPerClock;
};

/// One row of facts.
struct Target {
  /// As the user writes it ("sm_90a").
  std::string_view name;
  /// The number in the name (90).
  unsigned sm;
  /// Lowest PTX ISA version, times ten, for what is emitted for this target (f8 mma aside).
  unsigned ptxVersion;
  /// Lowest PTX ISA version, times ten, of mma.sync on e4m3 and e5m2; 0 where there is none.
  unsigned ptxVersionF8Mma;

  /// Most shared memory that one block may ask for, in bytes.
  unsigned sharedPerBlock;
  /// Shared memory of an SM in bytes, of which each resident block also takes `sharedReservedPerBlock`.
  unsigned sharedPerSM;
  unsigned sharedReservedPerBlock;
  unsigned registersPerSM;
  unsigned maxRegistersPerThread;
  unsigned maxThreadsPerBlock;
  unsigned maxThreadsPerSM;
  unsigned maxBlocksPerSM;

  /// The typical part: its SM count, L2 bytes, boost clock and memory bandwidth, for the cost model and the report.
  unsigned numSMs;
  uint64_t l2Bytes;
  unsigned clockMHz;
  uint64_t dramBytesPerSecond;

  bool hasCpAsync;
  bool hasTma;
  bool hasClusters;
  bool hasWgmma;
  bool hasTcgen05;
  bool hasSetmaxnreg;
  /// add/mul/sub on bf16x2; fma.rn.bf16x2 exists on every target.
  bool hasNativeBf16Arith;
  /// cvt between e4m3x2/e5m2x2 and f16x2/f32.
  bool hasF8Cvt;
  /// cvt between e2m1x2/e2m3x2/e3m2x2 and f16x2/f32.
  bool hasNarrowFloatCvt;
  /// ldmatrix that unpacks elements of 4 and 6 bits to bytes (PTX ISA, ldmatrix .b8x16).
  bool hasUnpackingLdMatrix;

  Rows<MmaShape> mmas;

  /// The mma.sync instruction for these kinds (one with the largest k), or null.
  const MmaShape *findMma(ElementKind a, ElementKind b, ElementKind acc) const;
};

/// All rows, by ascending SM.
Rows<Target> allTargets();
/// The row of that name, or null.
const Target *lookupTarget(std::string_view name);
/// "sm_80, sm_89, …" for diagnostics.
std::string targetNames();

} // namespace mlir::tile
#endif // TILEC_TARGET_TARGET_H

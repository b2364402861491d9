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
enum class ElementKind { F64, F32, TF32, F16, BF16, F8E4M3, F8E5M2, F6E2M3, F6E3M2, F4E2M1, I8, U8, I32 };

/// The width of one element's code; TF32 takes 32 bits.
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

/// Formats of block scales that instructions take: 2^(code - 127), or an unsigned e4m3.
enum class ScaleKind { UE8M0, UE4M3 };

/// The name in PTX ("ue8m0", "ue4m3").
std::string_view ptxName(ScaleKind kind);

/// One kind of mma.sync with block scales, "Block Scaling for mma.sync": every row of A and every column of B has
/// `scales` scales along the k of the instruction; the accumulator is f32. A and B are any two of the element kinds.
struct BlockScaledMma {
  /// As in `.kind::` ("mxf4").
  std::string_view kind;
  Rows<ElementKind> elements;
  unsigned m, n, k;
  /// X of `.scale_vec::`.
  unsigned scales;
  ScaleKind scale;
  /// Multiply-adds per SM and clock, dense.
  unsigned fmaPerClock;
  /// Lowest PTX ISA version, times ten.
  unsigned ptxVersion;
  /// Whether two 4-bit elements share a byte, the first in the low bits. Otherwise each has a byte of its own: a 4-bit
  /// code lies in bits 2-5 there, a 6-bit code in bits 0-5.
  bool isPacked;

  /// Four UE8M0 scales of 1 in one word, for an operand without scales: code 127 is 2^0 (OCP Microscaling Formats v1.0,
  /// 5.4.1).
  static constexpr uint32_t unitScales = 0x7f7f7f7f;
  /// The bit of its byte at which a 4-bit element begins where it is not packed (PTX ISA, "Matrix fragments for
  /// mma.m16n8k32", elements of .e2m1 under .kind::mxf8f6f4).
  static constexpr unsigned shiftOfFourBits = 2;

  /// Elements along K that share a scale.
  constexpr unsigned block() const { return k / scales; }
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
  /// Empty where mma.sync has no block scales.
  Rows<BlockScaledMma> blockScaledMmas;

  /// The mma.sync instruction for these kinds (one with the largest k), or null.
  const MmaShape *findMma(ElementKind a, ElementKind b, ElementKind acc) const;
  /// The mma.sync kind for these elements with scales of this format over blocks of this many elements, or null. Where
  /// there are two, the faster one, whose operands are packed.
  const BlockScaledMma *findBlockScaledMma(ElementKind a, ElementKind b, ScaleKind scale, unsigned block) const;
  /// The same for operands that are packed, or that are not.
  const BlockScaledMma *findBlockScaledMma(ElementKind a, ElementKind b, ScaleKind scale, unsigned block,
                                           bool isPacked) const;
};

/// All rows, by ascending SM.
Rows<Target> allTargets();
/// The row of that name, or null.
const Target *lookupTarget(std::string_view name);
/// "sm_80, sm_89, …" for diagnostics.
std::string targetNames();

} // namespace mlir::tile
#endif // TILEC_TARGET_TARGET_H

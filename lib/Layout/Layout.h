/// Who holds which element of a tile: the map (register, lane, warp) → tile coordinates.
///
/// Along each dimension a layout covers a padded extent P ≥ E, where E is the extent of the tile and P = 2^a · o with o
/// odd. The 2^a part is linear over F2: every register bit, lane bit and warp bit owns a vector of coordinates (its
/// *basis*), and a position is the XOR of the bases of the bits that are set. The odd digit o, where it is not 1, lies in
/// exactly one place (registers or warps), outermost; digit value v adds v · 2^a. Positions ≥ E are dead.
///
/// Worked example, the accumulator of one warp for a 16x8 mma.sync (rows by lane / 4, two columns per lane):
///     register bases (0,1) (8,0)   lane bases (0,2) (0,4) (1,0) (2,0) (4,0)
/// Register 3, lane 6 (bits 1 and 2): (0,1)^(8,0)^(0,4)^(1,0) = (9,5). A 16x24 tile has P = 8 · 3 along columns and the
/// digit {dim 1, 3, register}: 12 registers; register 4·2 + 3 of lane 6 is at (9, 5 + 2·8) = (9,21).
///
/// A zero lane or warp basis means replication: the threads that differ in that bit hold the same elements.
#ifndef TILEC_LAYOUT_LAYOUT_H
#define TILEC_LAYOUT_LAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tile {

/// Where an odd digit lives.
enum class Place { Register, Warp };

/// The odd factor of one dimension's padded extent and the place that counts it.
struct Digit {
  /// `dim` of a warp digit that moves no coordinate: the warps that differ in it hold the same elements.
  static constexpr int replicated = -1;
  int dim;
  /// An odd number ≥ 3.
  unsigned odd;
  Place place;
  bool operator==(const Digit &o) const { return dim == o.dim && odd == o.odd && place == o.place; }
  bool operator!=(const Digit &o) const { return !(*this == o); }
};

/// The coordinates that one bit contributes, one entry per dimension.
using Basis = SmallVector<int32_t>;

/// One holder of an element.
struct Holder {
  unsigned reg, lane, warp;
};

/// An immutable map (register, lane, warp) → tile coordinates; the file comment defines it.
/// Register index = bits, then the register digits in their listed order, the first innermost; warp index likewise.
class Layout {
public:
  static constexpr unsigned laneBits = 5;
  static constexpr unsigned numLanes = 32;

  /// Builds a layout, or returns nothing and the reason in `why`. Required: five lane bases, all bases of the tile's
  /// rank and not negative, register bases nonzero and independent, each 2^a part covered entirely, at most one digit per
  /// dimension, P ≥ E, at most 65536 registers and 64 warps.
  [[nodiscard]] static std::optional<Layout> create(ArrayRef<int64_t> extents, ArrayRef<Basis> registerBases,
                                                    ArrayRef<Basis> laneBases, ArrayRef<Basis> warpBases,
                                                    ArrayRef<Digit> digits, std::string *why = nullptr);

  /// Blocks of `perThread` elements, `threads` lanes and `warps` warps per dimension (all powers of two, products of
  /// lanes at most 32), nested in that order; `order` lists the dimensions, the fastest first. Let u = perThread ·
  /// threads · warps. A dimension with E ≥ u gets P = u · ceil(E / u); what exceeds u wraps around in registers, its odd
  /// digit outermost. A dimension with E < u gets P = the power of two above E, and the bits beyond replicate. Lanes and
  /// warps that no dimension uses replicate. An odd factor of `numWarps` becomes a warp digit of the slowest
  /// dimension with the same odd factor, else it replicates.
  [[nodiscard]] static Layout blocked(ArrayRef<int64_t> extents, ArrayRef<int64_t> perThread,
                                      ArrayRef<int64_t> threads, ArrayRef<int64_t> warps, ArrayRef<unsigned> order,
                                      unsigned numWarps);

  /// The layout for a global load or store of a tile whose memory is contiguous along order[0].
  /// Vector: the largest power of two that divides the fastest extent, fits `maxVectorBits` and leaves every thread an
  /// element. Lanes along the fastest dimension: among the counts whose run is at least 64 bytes or the whole row, the one
  /// with the smallest padded extent, and of those the largest count (176 x f16: 8 lanes, 128-byte runs, P = 192; 176 x f32:
  /// 4 lanes, 64-byte runs, P = 176 exactly, digit 11 in registers). The other lanes go to the next dimensions in
  /// order. Warps go to the slower dimensions first, so that a reduction along the fastest stays in a warp. A dimension
  /// is padded for lanes or warps only when otherwise they would replicate. The vector has at least `least` elements, a
  /// power of two that divides the fastest extent, though threads then replicate.
  [[nodiscard]] static Layout coalesced(ArrayRef<int64_t> extents, ArrayRef<unsigned> order, unsigned elementBits,
                                        unsigned numWarps, unsigned maxVectorBits = 128, unsigned least = 1);

  [[nodiscard]] ArrayRef<int64_t> extents() const { return tileExtents; }
  [[nodiscard]] unsigned rank() const { return tileExtents.size(); }
  /// a, where P = 2^a · o along `dim`.
  [[nodiscard]] unsigned bits(unsigned dim) const { return dimBits[dim]; }
  /// o, where P = 2^a · o along `dim`.
  [[nodiscard]] unsigned odd(unsigned dim) const;
  /// P along `dim`.
  [[nodiscard]] int64_t paddedExtent(unsigned dim) const { return (int64_t(1) << dimBits[dim]) * odd(dim); }
  /// P along every dimension.
  [[nodiscard]] SmallVector<int64_t> paddedExtents() const;
  [[nodiscard]] ArrayRef<Basis> registerBases() const { return regs; }
  [[nodiscard]] ArrayRef<Basis> laneBases() const { return lanes; }
  [[nodiscard]] ArrayRef<Basis> warpBases() const { return warps; }
  [[nodiscard]] ArrayRef<Digit> digits() const { return oddDigits; }
  /// Registers (elements) of each thread, dead ones included.
  [[nodiscard]] unsigned numRegisters() const;
  [[nodiscard]] unsigned numWarps() const;

  /// The position of one holder; it may be dead.
  [[nodiscard]] SmallVector<int64_t> coordinates(unsigned reg, unsigned lane, unsigned warp) const;
  /// What the register contributes along `dim`: its bits' XOR plus its digit's term.
  [[nodiscard]] int64_t registerOffset(unsigned reg, unsigned dim) const;
  /// What the thread contributes along `dim`: its bits' XOR plus its digit's term.
  [[nodiscard]] int64_t threadOffset(unsigned lane, unsigned warp, unsigned dim) const;
  /// Whether position = threadOffset + registerOffset along `dim`, that is, no coordinate bit is set by both. Otherwise
  /// the 2^a parts must be XORed.
  [[nodiscard]] bool isAdditive(unsigned dim) const;
  /// Whether each basis moves along at most one dimension.
  [[nodiscard]] bool isSeparable() const;
  /// Whether replication comes from zero bases and replicated digits only, so that the holders with those bits and digits
  /// at zero hold every position exactly once.
  [[nodiscard]] bool hasPlainReplication() const;
  /// The lane bits with a zero basis, as a mask over the lane number.
  [[nodiscard]] unsigned replicatedLanes() const;
  /// The warp bits with a zero basis, as a mask over the low (power-of-two) part of the warp number.
  [[nodiscard]] unsigned replicatedWarpBits() const;
  /// Whether several warps hold the same elements, by such bits or by a replicated digit.
  [[nodiscard]] bool isReplicatedOverWarps() const;
  /// How many (register, lane, warp) hold each position.
  [[nodiscard]] unsigned replication() const;

  [[nodiscard]] bool isLive(ArrayRef<int64_t> coordinates) const;
  [[nodiscard]] bool hasDeadPositions(unsigned dim) const { return paddedExtent(dim) > tileExtents[dim]; }
  [[nodiscard]] bool hasDeadPositions() const;

  /// A holder of a position, the one with the lowest bits; nothing when the position is outside the padded extents.
  [[nodiscard]] std::optional<Holder> find(ArrayRef<int64_t> coordinates) const;
  /// The register whose own contribution is `offsets`, one entry per dimension.
  [[nodiscard]] std::optional<unsigned> registerAt(ArrayRef<int64_t> offsets) const;
  /// For each register of this layout the register of `other` that holds the same coordinates in the same lane and warp,
  /// for all threads; nothing when some thread would need another thread's element. Dead positions of this layout match
  /// anything. A dimension where `other` has extent 1 is broadcast: it matches any coordinate.
  [[nodiscard]] std::optional<SmallVector<unsigned>> registerMapTo(const Layout &other) const;

  /// The largest power of two v such that in every thread each aligned group of v registers holds v consecutive positions
  /// along `dim` that start at a multiple of v: the vector width in elements.
  [[nodiscard]] unsigned contiguity(unsigned dim) const;

  /// Result dimension i is dimension perm[i] of this layout.
  [[nodiscard]] Layout transpose(ArrayRef<unsigned> perm) const;
  /// Drops dimension `axis`, as a reduction along it does: register bits that no longer distinguish elements vanish, lane
  /// and warp bits replicate, a register digit on `axis` vanishes and a warp digit on it stays as a replicated one.
  [[nodiscard]] Layout slice(unsigned axis) const;
  /// The layout of pairs of neighbours along `axis` as one element each: the register bit that counts neighbours goes, and
  /// the extent is halved. Nothing where no register bit does that alone or the extent is odd.
  [[nodiscard]] std::optional<Layout> halved(unsigned axis) const;
  /// For each register of halved() the two registers here that hold its pair, the lower position first. Only where
  /// halved() gives a layout.
  [[nodiscard]] SmallVector<std::pair<unsigned, unsigned>> halvedRegisters(unsigned axis) const;
  /// The layout of both halves of each element, as neighbours along `axis` in the lowest register bit: halved() gives this
  /// layout back.
  [[nodiscard]] Layout doubled(unsigned axis) const;
  /// Inserts a dimension of extent 1 before dimension `axis`.
  [[nodiscard]] Layout expandDims(unsigned axis) const;
  /// Moves every holder to the tile of the new extents with the same row-major order of elements. Nothing when that is
  /// not a layout again, as where an odd digit or dead positions fall into a regrouped dimension.
  [[nodiscard]] std::optional<Layout> reshape(ArrayRef<int64_t> newExtents) const;

  /// One-line text for debugging and reports.
  [[nodiscard]] std::string str() const;

  bool operator==(const Layout &o) const;
  bool operator!=(const Layout &o) const { return !(*this == o); }
  friend llvm::hash_code hash_value(const Layout &layout);

  /// The 2^a part of a position as one bit vector, dimension 0 in the low bits.
  [[nodiscard]] uint64_t pack(ArrayRef<int32_t> basis) const;

private:
  Layout() = default;

  SmallVector<int64_t> tileExtents;
  SmallVector<Basis> regs, lanes, warps;
  SmallVector<Digit> oddDigits;
  SmallVector<unsigned> dimBits;
};

} // namespace mlir::tile
#endif // TILEC_LAYOUT_LAYOUT_H

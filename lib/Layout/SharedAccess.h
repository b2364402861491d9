/// How threads address a shared buffer: the byte address of (register, lane, warp), split into a part that each thread
/// computes once and constants per register group.
///
/// The offset of an element is a sum of strides followed by a swizzle that is linear over F2, and coordinates are XORs
/// of bases. So each bit of the register, lane and warp number contributes a constant that is either XORed or added:
///     address = (thread XORs ^ group.xorPart) + thread sums + group.addPart
/// What lies inside the swizzle's period is XORed, what lies above it is added. A register constant whose bits no
/// thread ever sets may be added as well and then is an immediate offset of the instruction; that is done wherever it
/// is valid.
///
/// A tile that begins elsewhere in the buffer has the same thread part where the offset sets no coordinate bit that the
/// tile's positions set: then it is one more constant, split in the same way. Columns 16 … 31 of the 64x64 f16 tile
/// with a 128-byte swizzle: 16 · 2 = 32 bytes lie within the period of 1024, so 0x20 is XORed; row 64 of 128 is 8192
/// bytes, added.
#ifndef TILEC_LAYOUT_SHAREDACCESS_H
#define TILEC_LAYOUT_SHAREDACCESS_H

#include "lib/Layout/Layout.h"
#include "lib/Layout/SharedLayout.h"
#include "lib/Target/Target.h"

namespace mlir::tile {

/// What one bit contributes to a byte address.
struct AddressTerm {
  int64_t xorPart = 0, addPart = 0;
};

/// The thread's part of an address as a function of the bits of lane and warp.
struct ThreadAddress {
  /// Five terms, one per lane bit.
  SmallVector<AddressTerm> laneBits;
  /// One term per bit of the power-of-two part of the warp number.
  SmallVector<AddressTerm> warpBits;
  /// The digits above those bits, the first innermost: radix and the bytes that each step adds.
  SmallVector<std::pair<unsigned, int64_t>> warpDigits;

  /// The XORed and the added part for one thread.
  [[nodiscard]] AddressTerm at(unsigned lane, unsigned warp) const;
  /// All bits that some thread sets by XOR.
  [[nodiscard]] int64_t xorMask() const;
};

/// One instruction's registers and constant.
struct SharedGroup {
  /// In the order of memory (planSharedAccess) or of the words received (planLdMatrix).
  SmallVector<unsigned> registers;
  int64_t xorPart = 0, addPart = 0;
};

/// Vector loads or stores that move a layout's registers.
struct SharedAccessPlan {
  /// Elements per instruction and thread.
  unsigned vectorElements;
  ThreadAddress thread;
  SmallVector<SharedGroup> groups;

  /// The plan for the tile that begins at `offsets` of the buffer `shared`, one per dimension: other constants, the
  /// same instructions. An offset must be a multiple of the tile's padded extent rounded up to a power of two, and
  /// along its dimension the tile must have no odd digit; otherwise nothing.
  [[nodiscard]] std::optional<SharedAccessPlan> shifted(const Layout &layout, const SharedLayout &shared,
                                                        ArrayRef<int64_t> offsets) const;
  /// Whether every group's constant is an immediate offset.
  [[nodiscard]] bool additive() const;
  /// The byte address that `thread` uses for a group.
  [[nodiscard]] int64_t address(const SharedGroup &group, unsigned lane, unsigned warp) const;
  /// Shared-memory passes of all groups for one warp, exact; `elementBytes` as in the shared layout.
  [[nodiscard]] unsigned wavefronts(unsigned elementBytes, unsigned warp = 0) const;
};

/// The widest vector accesses, at most `maxVectorBytes` (a power of two up to 16), that move a distributed tile to or
/// from a shared one. The shared extents must reach the layout's; where they do not reach its padded extents, the
/// caller masks the dead positions, whose addresses mean nothing. Nothing when the address is not of the form above, as
/// when an odd digit cuts a slab.
[[nodiscard]] std::optional<SharedAccessPlan> planSharedAccess(const Layout &layout, const SharedLayout &shared,
                                                               unsigned maxVectorBytes = 16);

/// ldmatrix.m8n8.b16 instructions that load a layout.
struct LdMatrixPlan {
  /// Whether .trans is used.
  bool transposed;
  /// 8x8 matrices of 16 bits per instruction: 1, 2 or 4.
  unsigned matrices;
  /// Elements per 32-bit word.
  unsigned elementsPerWord;
  /// The address that each lane supplies: lane i that of row i % 8 of matrix i / 8.
  ThreadAddress row;
  /// Registers matrix by matrix, `elementsPerWord` each, the low part of the word first.
  SmallVector<SharedGroup> groups;

  /// As SharedAccessPlan::shifted.
  [[nodiscard]] std::optional<LdMatrixPlan> shifted(const Layout &layout, const SharedLayout &shared,
                                                    ArrayRef<int64_t> offsets) const;
  [[nodiscard]] int64_t address(const SharedGroup &group, unsigned lane, unsigned warp) const;
  /// Shared-memory passes of all groups for one warp, exact.
  [[nodiscard]] unsigned wavefronts(unsigned warp = 0) const;
};

/// Loads a layout by ldmatrix where its lanes are those of an mma operand: without .trans when words run along the
/// fastest memory dimension (8, 16 and 32-bit elements), with it when they run across (16-bit). Otherwise nothing.
[[nodiscard]] std::optional<LdMatrixPlan> planLdMatrix(const Layout &layout, const SharedLayout &shared);

/// How a tile is loaded: one of the two.
struct SharedLoadPlan {
  std::optional<LdMatrixPlan> matrices;
  std::optional<SharedAccessPlan> vectors;
};

/// The load of the tile that begins at `begin` of the buffer, by matrices where `target` has them for these elements
/// and words. `bits`: of an element in the buffer; those of less than 8 are packed at the front of units of 16 bytes.
/// `elementsPerWord`: registers that share a word in the emitted code. Nothing where planSharedAccess has nothing for
/// these layouts, or cannot shift it to `begin`.
[[nodiscard]] std::optional<SharedLoadPlan> planSharedLoad(const Layout &layout, const SharedLayout &shared,
                                                           ArrayRef<int64_t> begin, unsigned bits,
                                                           unsigned elementsPerWord, const Target &target);

} // namespace mlir::tile
#endif // TILEC_LAYOUT_SHAREDACCESS_H

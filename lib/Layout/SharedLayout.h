/// Where each element of a tile lies in one shared-memory buffer.
///
/// The fastest dimension is cut into slabs of W bytes, W a power of two between 16 and 128; a slab holds all rows (the other
/// coordinates, linearised in `order`) at a pitch of W bytes, and slabs follow each other:
///     linear = slab · rows · W + row · W + column bytes,     offset = linear ^ ((linear >> 3) & mask)
/// The mask is that of TMA's swizzles: 128 bytes 0x70, 64 bytes 0x30, 32 bytes 0x10; slabs of 16 bytes need none. So any
/// eight consecutive rows of a 16-byte column hit all 32 banks once. An odd factor of the fastest extent counts slabs: 96 x
/// f16 is three slabs of 64 bytes. Without slabs a tile is row-major, with `padding` bytes after each row.
///
/// Example: 64x64 f16, 128-byte swizzle. Element (5, 9): linear = 5·128 + 18 = 658 = 0x292; bits 7-9 are 5, so
/// offset = 0x292 ^ 0x50 = 0x2c2 = 706.
#ifndef TILEC_LAYOUT_SHAREDLAYOUT_H
#define TILEC_LAYOUT_SHAREDLAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tile {

/// An immutable map from tile coordinates to byte offsets in a buffer.
class SharedLayout {
public:
  /// Builds a layout for `extents` (each a power of two or a multiple of 8; give a distributed layout's padded extents where
  /// its dead positions are stored too). `order` lists the dimensions, the fastest first. `swizzle` is W: 16, 32, 64, 128
  /// (must divide the row's bytes), 0 for whole rows, or nothing for the largest that fits, which is 0 when rows are shorter
  /// than 16 bytes or not a multiple of eight in number. `padding` (a multiple of 16 bytes) goes with whole rows only.
  /// Nothing and the reason in `why` when these do not fit.
  [[nodiscard]] static std::optional<SharedLayout> create(ArrayRef<int64_t> extents, ArrayRef<unsigned> order,
                                                          unsigned elementBits,
                                                          std::optional<unsigned> swizzle = std::nullopt,
                                                          unsigned padding = 0, std::string *why = nullptr);

  [[nodiscard]] ArrayRef<int64_t> extents() const { return tileExtents; }
  [[nodiscard]] unsigned rank() const { return tileExtents.size(); }
  [[nodiscard]] ArrayRef<unsigned> order() const { return dimOrder; }
  [[nodiscard]] unsigned elementBits() const { return bitsPerElement; }
  [[nodiscard]] unsigned elementBytes() const { return bitsPerElement / 8; }
  /// W, or 0 for whole rows. 16 means slabs without any XOR.
  [[nodiscard]] unsigned swizzleBytes() const { return swizzle; }
  /// W; the row's bytes where it is not cut.
  [[nodiscard]] int64_t slabBytes() const { return slab; }
  [[nodiscard]] int64_t numSlabs() const { return rowBytes / slab; }
  /// Bytes from one row to the next within a slab.
  [[nodiscard]] int64_t rowPitch() const { return pitch; }
  [[nodiscard]] int64_t padding() const { return pitch - slab; }
  /// The number of rows, that is the product of all extents but the fastest.
  [[nodiscard]] int64_t numRows() const { return rows; }
  [[nodiscard]] int64_t sizeBytes() const { return numSlabs() * rows * pitch; }
  /// The alignment that the buffer needs: the swizzle's period (128: 1024, 64: 512, 32: 256, 16: 128), else 16.
  [[nodiscard]] unsigned alignment() const { return swizzle ? swizzle * 8 : 16; }

  /// The byte offset of an element.
  [[nodiscard]] int64_t offset(ArrayRef<int64_t> coordinates) const { return swizzled(linear(coordinates)); }
  /// The byte offset before the swizzle.
  [[nodiscard]] int64_t linear(ArrayRef<int64_t> coordinates) const;
  /// The swizzle, an involution on byte offsets that is linear over F2 and keeps 16-byte units whole.
  [[nodiscard]] int64_t swizzled(int64_t linear) const;

  /// Where an element of `bits` bits (4 or 6) lies whose byte would be at `offset`, when each unit of 16 bytes holds its 16
  /// elements packed at its front: the byte, rounded down. For whole bytes (multiples of 2 and 4 elements) this is linear
  /// where no carry enters or leaves the low four bits.
  [[nodiscard]] static int64_t packedOffset(int64_t offset, unsigned bits) {
    return (offset & ~int64_t(15)) + (offset & 15) * bits / 8;
  }

  /// Result dimension i is dimension perm[i]; no byte moves.
  [[nodiscard]] SharedLayout transpose(ArrayRef<unsigned> perm) const;

  [[nodiscard]] std::string str() const;
  bool operator==(const SharedLayout &o) const;
  bool operator!=(const SharedLayout &o) const { return !(*this == o); }
  friend llvm::hash_code hash_value(const SharedLayout &layout);

private:
  SharedLayout() = default;
  SmallVector<int64_t> tileExtents;
  SmallVector<unsigned> dimOrder;
  unsigned bitsPerElement = 0, swizzle = 0;
  int64_t rowBytes = 0, slab = 0, pitch = 0, rows = 1;
};

} // namespace mlir::tile
#endif // TILEC_LAYOUT_SHAREDLAYOUT_H

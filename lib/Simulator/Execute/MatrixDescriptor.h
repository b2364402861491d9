/// A matrix in shared memory as wgmma sees it: a descriptor and a layout of 16-byte chunks. Sources: PTX ISA, "Shared
/// Memory Matrix Layout", "Canonical Layouts", "Matrix Descriptor Format".
///
/// With W the bytes of a swizzle's row (32, 64, 128) and x a byte along the contiguous dimension:
///   K-major,  no swizzle   mn % 8 * 16 + mn / 8 * SBO + x / 16 * LBO + x % 16       (x = byte along K)
///   K-major,  swizzle W    mn % 8 * W + mn / 8 * SBO + x
///   MN-major, no swizzle   x % 16 + x / 16 * SBO + k % 8 * 16 + k / 8 * LBO         (x = byte along M or N)
///   MN-major, swizzle W    x % W + x / W * LBO + k % 8 * W + k / 8 * SBO
/// added to the start address; then the number of the 16-byte chunk within W is combined by exclusive or with the
/// number of the 128-byte line of the address, counted from the start of the pattern (the base offset says where that
/// is). Example: K-major, 128-byte swizzle, start 1024, SBO 1024: row 3, bytes 32 … 47 are chunk 2 of the line 3, which
/// lies at 1024 + 3 * 128 + (2 ^ 3) * 16.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MATRIXDESCRIPTOR_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MATRIXDESCRIPTOR_H

#include <cstdint>

namespace tilec::sim {

/// A descriptor's fields, in bytes where nothing else is said: the start address, LBO and SBO.
struct MatrixDescriptor {
  uint32_t start = 0, leading = 0, stride = 0;
  /// In 128-byte lines.
  uint32_t baseOffset = 0;
  /// Bytes of a swizzled row; 16: no swizzle.
  uint32_t swizzle = 16;
  /// Bits that the format does not define are set.
  bool hasUnknownBits = false;

  explicit MatrixDescriptor(uint64_t bits);
  /// The address of the 16-byte chunk that holds byte `x` of the contiguous dimension at `other` along the other one.
  uint32_t chunk(bool kMajor, uint32_t x, uint32_t other) const;
};

inline MatrixDescriptor::MatrixDescriptor(uint64_t bits)
    : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4), stride((bits >> 32 & 0x3fff) << 4),
      baseOffset(bits >> 49 & 7) {
  constexpr uint32_t rows[4] = {16, 128, 64, 32};
  swizzle = rows[bits >> 62];
  constexpr uint64_t known = 0x3fffull | 0x3fffull << 16 | 0x3fffull << 32 | 7ull << 49 | 3ull << 62;
  hasUnknownBits = (bits & ~known) != 0;
}

inline uint32_t MatrixDescriptor::chunk(bool kMajor, uint32_t x, uint32_t other) const {
  uint32_t offset = other % 8 * swizzle, group = other / 8, within = x % swizzle / 16 * 16, beyond = x / swizzle;
  if (swizzle == 16)
    offset += kMajor ? group * stride + beyond * leading : group * leading + beyond * stride;
  else
    offset += group * stride + beyond * leading;
  uint32_t address = start + offset + within;
  uint32_t mask = swizzle / 16 - 1;
  return address ^ (((address >> 7) - baseOffset) & mask) << 4;
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MATRIXDESCRIPTOR_H

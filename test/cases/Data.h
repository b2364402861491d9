/// The contents of a case's buffers on the host: raw bytes as the device has them, read as numbers.
#ifndef TEST_CASES_DATA_H
#define TEST_CASES_DATA_H

#include "lib/Runtime/GuardedMemory.h"
#include "test/cases/Case.h"

namespace cases {

/// A buffer with the extents of one run. Rows lie `gap` elements apart; elements below eight bits are packed without
/// gaps between them, the first one in the lowest bits.
struct HostBuffer {
  const BufferSpec *spec = nullptr;
  std::vector<int64_t> extents, strides;
  std::vector<uint8_t> bytes;

  /// Elements of the view, without gaps.
  int64_t count() const;
  /// Elements from the first to the last one, gaps included.
  int64_t span() const;
  /// Bytes from the first to the last element.
  size_t size() const { return tilec::packedBytes(spec->type, size_t(span())); }
  /// Gives the memory, with all bits set: every float that has a NaN reads it.
  void allocate() { bytes.assign(size(), 0xFF); }
  /// The number at the indices; 0 outside.
  double at(const int64_t *indices, size_t rank) const;
  void set(int64_t element, uint64_t code);
  uint64_t code(int64_t element) const;
  /// Whether every bit of the element is set, as before the first write.
  bool isPoison(int64_t element) const;
  /// The position in memory, in elements, of element number `i` in row-major order.
  int64_t position(int64_t i, int64_t *indices) const;
};

/// Extents, strides and contents by the spec; outputs stay empty, and so does what a formula fills (Reference.h).
HostBuffer makeBuffer(const BufferSpec &spec, const Sizes &sizes, std::string &error);

/// The value of an expression over sizes.
double evaluateSize(const std::string &text, const Sizes &sizes, std::string &error);

} // namespace cases

#endif // TEST_CASES_DATA_H

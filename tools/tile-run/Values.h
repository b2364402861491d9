/// What --arg says: an argument's element type, shape and content.
#ifndef TOOLS_TILE_RUN_VALUES_H
#define TOOLS_TILE_RUN_VALUES_H

#include "lib/Runtime/ElementType.h"
#include "tools/tile-run/Npy.h"

namespace tilec::run {

/// An argument of the command line.
struct Value {
  /// As written.
  std::string text;
  bool isBuffer = false;
  ElementType type = ElementType::F32;
  /// Of a buffer, in elements.
  std::vector<int64_t> extents;
  /// A buffer's content, packed as the device has it; empty where nothing is written (`empty:`).
  std::vector<uint8_t> bytes;
  bool isWritten = true;
  /// Element type of the .npy file that a buffer came from and is saved as.
  std::string npyType;
  /// A scalar's bytes, at the low addresses.
  uint64_t scalarBits = 0;

  /// Bytes of the buffer.
  size_t size() const;
};

/// Reads one --arg:
///
///     A.npy  A.npy:bf16                     a file; the type where NumPy has none for it
///     zeros:f32:1024x512  ones:bf16:64      filled
///     random:f16:64x64  random:i32:64:7     normal with deviation 1, integers from -9 to 9; by a seed
///     empty:f32:64                          nothing is written: what reads it is found by the checks
///     i32:5  f32:0.5  index:7               a scalar
///
/// False with one line in `error`.
[[nodiscard]] bool readValue(const std::string &text, Value &value, std::string &error);

/// The buffer with this content as an array for a file: types that NumPy lacks travel as unsigned integers, those
/// below eight bits packed along the last dimension.
NpyArray arrayOf(const Value &value, std::vector<uint8_t> bytes);

/// The number that element `i` of a packed buffer holds.
double elementOf(ElementType type, const std::vector<uint8_t> &bytes, int64_t i);

} // namespace tilec::run

#endif

/// Elements below eight bits, as device memory has them and as a program has them. Memory holds them without gaps, the
/// first one in the lowest bits: two of four bits in a byte, four of six bits in three bytes. A program holds one code
/// in each byte: `f4e2m1`, `f6e2m3`, `f6e3m2`, `i4`.
#ifndef TILEC_LIB_RUNTIME_PACKEDELEMENTS_H
#define TILEC_LIB_RUNTIME_PACKEDELEMENTS_H

#include "lib/Runtime/ElementType.h"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tilec {

/// Whether T's elements lie packed in memory.
template <typename T>
inline constexpr bool isPackedElement =
    std::is_same_v<T, i4> || std::is_same_v<T, f6e2m3> || std::is_same_v<T, f6e3m2> || std::is_same_v<T, f4e2m1>;

/// Bytes that `count` elements take in memory, the last one filled up with zero bits.
inline size_t packedBytes(ElementType type, size_t count) {
  return (count * static_cast<size_t>(elementBits(type)) + 7) / 8;
}

/// The code of element `i` in packed memory. Only for types of at most eight bits.
inline uint8_t packedCode(ElementType type, const uint8_t *memory, size_t i) {
  size_t bits = static_cast<size_t>(elementBits(type)), at = i * bits;
  unsigned pair = memory[at / 8];
  if (at % 8 + bits > 8)
    pair |= static_cast<unsigned>(memory[at / 8 + 1]) << 8;
  return static_cast<uint8_t>(pair >> at % 8 & ((1u << bits) - 1));
}

/// Puts a code in its place; its neighbours stay as they are.
inline void setPackedCode(ElementType type, uint8_t *memory, size_t i, uint8_t code) {
  size_t bits = static_cast<size_t>(elementBits(type)), at = i * bits;
  unsigned mask = ((1u << bits) - 1) << at % 8, value = static_cast<unsigned>(code) << at % 8 & mask;
  memory[at / 8] = static_cast<uint8_t>((memory[at / 8] & ~mask) | value);
  if (at % 8 + bits > 8)
    memory[at / 8 + 1] = static_cast<uint8_t>((memory[at / 8 + 1] & ~(mask >> 8)) | value >> 8);
}

/// An image of packed memory that holds these elements.
template <typename T> std::vector<uint8_t> packElements(const std::vector<T> &elements) {
  static_assert(isPackedElement<T>, "elements of whole bytes are their own image");
  std::vector<uint8_t> memory(packedBytes(ElementTypeOf<T>::value, elements.size()));
  for (size_t i = 0; i < elements.size(); ++i)
    setPackedCode(ElementTypeOf<T>::value, memory.data(), i, elements[i].bits);
  return memory;
}

/// The first `count` elements of packed memory.
template <typename T> std::vector<T> unpackElements(const std::vector<uint8_t> &memory, size_t count) {
  static_assert(isPackedElement<T>, "elements of whole bytes are their own image");
  std::vector<T> elements(count);
  for (size_t i = 0; i < count; ++i)
    elements[i] = T::fromBits(packedCode(ElementTypeOf<T>::value, memory.data(), i));
  return elements;
}

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_PACKEDELEMENTS_H

/// Element types on the host. A view's C++ type carries its element type, so that a wrong type is a compile error; the
/// types that C++17 lacks are structs that hold the bits and convert from and to float.
#ifndef TILEC_LIB_RUNTIME_ELEMENTTYPE_H
#define TILEC_LIB_RUNTIME_ELEMENTTYPE_H

#include <cstdint>

namespace tilec {

/// Every element and scalar type of the language, in the order of elementTypeName's table; floating types come last.
enum class ElementType : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  Index,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
};

/// The last one, for loops over all.
inline constexpr ElementType lastElementType = ElementType::F4E2M1FN;

/// Whether it is a floating type, of scales and storage included.
inline bool isFloatType(ElementType type) { return type >= ElementType::F16; }
static_assert(int(ElementType::F16) == int(ElementType::Index) + 1, "floating types follow the integers");

/// Spelling as in MLIR: "bf16", "f8E4M3FN", "index".
const char *elementTypeName(ElementType type);

/// Size in memory in bits. Below 8 the elements are packed without gaps, the first one in the lowest bits. i1 takes a
/// byte, tf32 the four bytes of an f32.
int elementBits(ElementType type);

/// The least number of elements that fill whole bytes: 2 for 4 bits, 4 for 6 bits (three bytes), else 1. Rows of packed
/// elements begin and end at multiples of it.
inline int elementGranule(ElementType type) {
  int bits = elementBits(type);
  return bits == 4 ? 2 : bits == 6 ? 4 : 1;
}

/// The bits of `value` rounded once to `type`, to nearest even. Overflow: f16, bf16 and f8E5M2 give infinity, the
/// types without infinity saturate to the largest finite value, except that f8E4M3FN gives NaN as MLIR's truncf
/// does. f8E8M0FNU takes the nearest power of two of the magnitude (ties upwards). NaN gives NaN where the type has
/// one, else the largest finite value, as tile.cast does. Only for the floating types of at most 16 bits.
uint32_t encodeFloat(ElementType type, float value);

/// The exact value of `bits`, the inverse of encodeFloat on every code.
float decodeFloat(ElementType type, uint32_t bits);

/// Storage of one element of a floating type that C++ lacks; trivially copyable, so arrays of it are device images.
template <ElementType type, typename Bits> struct FloatStorage {
  Bits bits = 0;

  FloatStorage() = default;
  /// Rounds once to nearest even; see encodeFloat.
  FloatStorage(float value) : bits(static_cast<Bits>(encodeFloat(type, value))) {}
  operator float() const { return decodeFloat(type, bits); }

  /// The element with this code.
  static FloatStorage fromBits(Bits bits) {
    FloatStorage result;
    result.bits = bits;
    return result;
  }
};

using bf16 = FloatStorage<ElementType::BF16, uint16_t>;
using f16 = FloatStorage<ElementType::F16, uint16_t>;
using f8e4m3 = FloatStorage<ElementType::F8E4M3FN, uint8_t>;
using f8e5m2 = FloatStorage<ElementType::F8E5M2, uint8_t>;
using f8e8m0 = FloatStorage<ElementType::F8E8M0FNU, uint8_t>;
/// Below 8 bits: one code in the low bits. Views of these types point at packed memory, so such a view's pointer must
/// not be indexed as an array of the struct; PackedElements.h goes from one to the other.
using f6e2m3 = FloatStorage<ElementType::F6E2M3FN, uint8_t>;
using f6e3m2 = FloatStorage<ElementType::F6E3M2FN, uint8_t>;
using f4e2m1 = FloatStorage<ElementType::F4E2M1FN, uint8_t>;

/// A signed integer of four bits, -8 to 7: one code in the low bits, the others zero. Views point at packed memory, as
/// those of the floats below 8 bits do.
struct i4 {
  uint8_t bits = 0;

  i4() = default;
  /// The nearest number of the range.
  i4(int value) : bits(static_cast<uint8_t>((value < -8 ? -8 : value > 7 ? 7 : value) & 15)) {}
  operator int() const { return ((bits & 15) ^ 8) - 8; }

  /// The element with this code, whose upper four bits must be zero.
  static i4 fromBits(uint8_t bits) {
    i4 result;
    result.bits = bits;
    return result;
  }
};

/// An f32 of which the hardware reads 19 bits; its storage is that of a float.
struct tf32 {
  float value = 0;

  tf32() = default;
  tf32(float value) : value(value) {}
  operator float() const { return value; }
};

/// `ElementTypeOf<T>::value` is the element type that C++ type T stands for.
template <typename T> struct ElementTypeOf;
template <typename T> struct ElementTypeOf<const T> : ElementTypeOf<T> {};
template <ElementType type, typename Bits> struct ElementTypeOf<FloatStorage<type, Bits>> {
  static constexpr ElementType value = type;
};
template <> struct ElementTypeOf<tf32> { static constexpr ElementType value = ElementType::TF32; };
template <> struct ElementTypeOf<float> { static constexpr ElementType value = ElementType::F32; };
template <> struct ElementTypeOf<double> { static constexpr ElementType value = ElementType::F64; };
template <> struct ElementTypeOf<i4> { static constexpr ElementType value = ElementType::I4; };
template <> struct ElementTypeOf<bool> { static constexpr ElementType value = ElementType::I1; };
template <> struct ElementTypeOf<int8_t> { static constexpr ElementType value = ElementType::I8; };
template <> struct ElementTypeOf<uint8_t> { static constexpr ElementType value = ElementType::I8; };
template <> struct ElementTypeOf<int16_t> { static constexpr ElementType value = ElementType::I16; };
template <> struct ElementTypeOf<uint16_t> { static constexpr ElementType value = ElementType::I16; };
template <> struct ElementTypeOf<int32_t> { static constexpr ElementType value = ElementType::I32; };
template <> struct ElementTypeOf<uint32_t> { static constexpr ElementType value = ElementType::I32; };
template <> struct ElementTypeOf<int64_t> { static constexpr ElementType value = ElementType::I64; };
template <> struct ElementTypeOf<uint64_t> { static constexpr ElementType value = ElementType::I64; };

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_ELEMENTTYPE_H

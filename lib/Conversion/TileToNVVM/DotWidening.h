/// Codes of 8 bits and fewer as 16-bit floats, exactly and four at a time, for products that have no instruction of
/// their own.
///
/// A float's magnitude lies at a fixed shift in the 16-bit format, with an exponent that is too low by the difference
/// of the biases: the fields are moved into place, and a multiplication with a power of two makes them right,
/// subnormals too. `place` leaves that multiplication to the caller, who may have a factor to combine it with. Integers go
/// under an exponent that makes them whole numbers, for bf16 one that is 16 lower.
#ifndef LIB_CONVERSION_TILETONVVM_DOTWIDENING_H
#define LIB_CONVERSION_TILETONVVM_DOTWIDENING_H

#include "lib/Conversion/TileToNVVM/Emitter.h"
#include <array>

namespace mlir::tile {

/// Two vectors of two 16-bit floats: elements 0, 1 and 2, 3.
using WidePairs = std::array<Value, 2>;

class DotWidening {
public:
  /// From `element` (f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN, i4 or i8) to `half` (f16 or bf16).
  DotWidening(Emitter &emitter, Type element, Type half);

  /// k, where what `place` gives is too small by 2^k. At most 14 for f16, at most 126 for bf16; integers as bf16 have 16.
  [[nodiscard]] unsigned missingExponent() const { return missing; }
  /// Four codes, one per byte of an i32 with the bits above a code zero, as numbers too small by 2^missingExponent().
  /// Infinity and NaN are right.
  [[nodiscard]] WidePairs place(Value codes) const;
  /// The numbers themselves.
  [[nodiscard]] WidePairs widen(Value codes) const;

  /// Both halves times both halves, exact where the result is representable.
  [[nodiscard]] Value multiply(Value pair, Value factor) const;
  /// 2^exponent in both halves; it must be representable.
  [[nodiscard]] Value powerOfTwo(int exponent) const;
  /// The number in byte `byte` of a word of f8E4M3FN codes, in both halves. Bit 7 of each code must be clear.
  [[nodiscard]] Value broadcastE4M3(Value codes, unsigned byte) const;

private:
  [[nodiscard]] WidePairs placeFloats(Value codes) const;
  [[nodiscard]] WidePairs placeIntegers(Value codes) const;
  /// The fields of codes in the upper bytes of both halves of an i32, moved into place there.
  [[nodiscard]] Value moveFields(Value pair) const;
  [[nodiscard]] Value splat(int64_t bits) const;

  Emitter &emitter;
  Type element, half, pairType;
  bool isHalf;
  unsigned missing = 0;
};

} // namespace mlir::tile

#endif

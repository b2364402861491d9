/// Conversions of floats by integer arithmetic, where the target has no instruction: formats of 8 bits and fewer
/// (codes held in an i8, low bits), and roundings on the way that keep a second rounding harmless.
///
/// All functions work on scalars of the LLVM dialect and build plain arithmetic, no target intrinsics.
#ifndef LIB_CONVERSION_TILETONVVM_SMALLFLOATS_H
#define LIB_CONVERSION_TILETONVVM_SMALLFLOATS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/APFloat.h"

namespace mlir::tile {

/// The number (f32, exact) that a code (i8) of the format stands for. The format is one of f8E4M3FN, f8E5M2, f8E8M0FNU,
/// f6E2M3FN, f6E3M2FN, f4E2M1FN; bits above it in the code are ignored.
[[nodiscard]] Value widenSmallFloat(ImplicitLocOpBuilder &b, Value code, const llvm::fltSemantics &from);

/// Two f8E4M3FN codes as a vector of two f16, exact. The codes lie in the upper bytes of the halves of an i32, the
/// other bytes are zero. (f8E5M2 codes there are f16 already.)
[[nodiscard]] Value widenE4M3Pair(ImplicitLocOpBuilder &b, Value codes);

/// Two codes of f6E2M3FN, f6E3M2FN or f4E2M1FN as a vector of two f16, exact. The codes lie in the low bits of the upper
/// bytes of the halves of an i32, all other bits are zero.
[[nodiscard]] Value widenNarrowPair(ImplicitLocOpBuilder &b, Value codes, const llvm::fltSemantics &from);

/// The code (i8, bits above the format zero) nearest to an f32, ties to even, in one rounding. The format is one of
/// those above but f8E8M0FNU. Overflow gives infinity, or NaN in a format without infinity; under `saturate`, and
/// always in formats that have neither, the largest finite number, also for infinity. NaN stays NaN; formats without
/// NaN take the largest positive number for it, as the hardware's conversions do.
[[nodiscard]] Value narrowSmallFloat(ImplicitLocOpBuilder &b, Value value, const llvm::fltSemantics &to, bool saturate);

/// An f64 as the f32 that is equal, or else as the neighbour with an odd last bit. Rounding that to any format of at
/// most 22 significant bits gives what one rounding of the f64 gives (Boldo, Melquiond: "When double rounding is odd").
[[nodiscard]] Value roundToOdd(ImplicitLocOpBuilder &b, Value value);

/// An integer of more than 24 bits as one that, read as float of 24 (`i32`) or 53 (`i64`) significant bits, is exact
/// and rounds on to 16-bit formats as the integer itself: the bits that do not fit are collected in one sticky bit.
[[nodiscard]] Value collectSticky(ImplicitLocOpBuilder &b, Value value, bool isUnsigned);

/// The value (f32 or f64) moved into the finite range of a format; infinities too, NaN stays.
[[nodiscard]] Value clampToFinite(ImplicitLocOpBuilder &b, Value value, const llvm::fltSemantics &to);

} // namespace mlir::tile

#endif

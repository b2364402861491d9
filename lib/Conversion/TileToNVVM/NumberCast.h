/// Conversions of single numbers between element types, which tile.cast and arith's casts of scalars share.
#ifndef LIB_CONVERSION_TILETONVVM_NUMBERCAST_H
#define LIB_CONVERSION_TILETONVVM_NUMBERCAST_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::tile {

class Emitter;

/// The number that a scalar of integer type `type` stands for, where i4 is held as a code of four bits in an i8: its value
/// in an i8 and that type. Other integers as they are.
std::pair<Value, IntegerType> integerNumber(Emitter &e, Value value, IntegerType type, bool isUnsigned);

/// An integer, not i4, in another width, which may be i4: extended or truncated, or clamped where `saturate` is set. i1
/// counts as 0 or 1.
Value castInteger(Emitter &e, Value value, IntegerType from, IntegerType to, bool isUnsigned, bool saturate);

/// An integer as the nearest float, ties to even, rounded once. i1 counts as 0 or 1.
Value integerToFloat(Emitter &e, Value value, IntegerType from, Type to, bool isUnsigned, bool saturate);

/// A float as an integer: rounded toward zero, clamped to the range, 0 for NaN.
Value floatToInteger(Emitter &e, Value value, Type from, IntegerType to, bool isUnsigned);

/// An error at the op if it would round to f8E8M0FNU.
LogicalResult refuseNarrowingToExponent(Operation *op, Type from, Type to);

} // namespace mlir::tile

#endif

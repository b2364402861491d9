/// Functions of one f32 that need no libdevice, built on one hardware instruction: 2^x with an error of about one unit
/// in the last place (ex2.approx), which the caller supplies. Softmax and GELU use these, and linking libdevice costs
/// more compile time than the rest of such a kernel. Bounds below are in units in the last place of the result and are
/// checked over all floats by test/unit/Conversion/FloatFunctionsTest.cpp.
#ifndef LIB_CONVERSION_TILETONVVM_FLOATFUNCTIONS_H
#define LIB_CONVERSION_TILETONVVM_FLOATFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tile {

/// What the target has in hardware, on f32.
struct HardwareFunctions {
  /// 2^x for |x| <= 32, within about one unit in the last place.
  function_ref<Value(Value)> exp2;
  /// 1/x for 1 <= x <= 2^31, likewise.
  function_ref<Value(Value)> reciprocal;
};

/// e^x over the whole range: subnormal results, 0, infinity, NaN. Error: that of `exp2` plus 0.7, and 1 for subnormal
/// results.
[[nodiscard]] Value buildExp(ImplicitLocOpBuilder &b, Value x, const HardwareFunctions &hardware);

/// The hyperbolic tangent: at most 2 units, exact sign of zero, ±1 for large arguments, NaN.
[[nodiscard]] Value buildTanh(ImplicitLocOpBuilder &b, Value x, const HardwareFunctions &hardware);

/// The error function: at most 2 units, exact sign of zero, ±1 for large arguments, NaN.
[[nodiscard]] Value buildErf(ImplicitLocOpBuilder &b, Value x, const HardwareFunctions &hardware);

} // namespace mlir::tile

#endif

/// Arithmetic on rows: one instruction for the 32 lanes of a warp. An executor asks once, when it decodes an
/// instruction, for the row function of its type, operation and modifiers, and calls it for each warp. The frequent
/// forms (.rn of add, sub, mul, fma, min, max) are vector code, compiled for the plain host and for one with AVX2, FMA
/// and F16C; the rest evaluates lane by lane. All give the bits of Arithmetic.h.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_ROWS_H
#define TILEC_LIB_SIMULATOR_NUMERIC_ROWS_H

#include "lib/Simulator/Numeric/Arithmetic.h"

namespace tilec::sim {

/// Lanes of a row.
inline constexpr int warpLanes = 32;

/// d = op(a, b, c) in every lane. Rows have warpLanes elements; d may be one of the operand rows, but rows must not
/// overlap in part. Operands that the operation does not have are not read and may be null. `mode` is the one that the
/// function was chosen for.
using Row32 = void (*)(FloatMode mode, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c);
using Row64 = void (*)(FloatMode mode, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c);

/// What an element of a row holds. F16 and BF16: a 16-bit value in the low half; the operands' upper halves are
/// ignored, the result's are zero. F32x2 is an element of 64 bits, as F64.
enum class RowType : uint8_t { F16, F16x2, BF16, BF16x2, F32, F32x2, F64 };

/// The row function for a type of at most 32 bits.
Row32 selectRow32(RowType type, FloatOp op, FloatMode mode);
/// The row function for F64 and F32x2.
Row64 selectRow64(RowType type, FloatOp op, FloatMode mode);

/// The same for min and max with two operands; c is not read.
using MinMaxRow32 = void (*)(MinMaxMode mode, uint32_t *d, const uint32_t *a, const uint32_t *b);
MinMaxRow32 selectMinMaxRow32(RowType type, MinMaxMode mode);

/// Whether the vector code for AVX2, FMA and F16C is in use. `selectRow32Portable` chooses as on a host without; for
/// tests.
bool usesHostFma();
Row32 selectRow32Portable(RowType type, FloatOp op, FloatMode mode);

/// cvt.rn.f16x2.f32 (f16 or bf16): d = b in the low, a in the upper half.
void packRow(FloatType type, uint32_t *d, const uint32_t *a, const uint32_t *b);
/// cvt.f32.f16 or cvt.f32.bf16 of the low halves.
void widenRow(FloatType type, uint32_t *d, const uint32_t *a);
/// cvt.rn.f16.f32 or cvt.rn.bf16.f32.
void narrowRow(FloatType type, uint32_t *d, const uint32_t *a);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_ROWS_H

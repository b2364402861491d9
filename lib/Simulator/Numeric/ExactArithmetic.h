/// Exact arithmetic on decoded numbers: sums and products without loss, quotients and roots to more bits than any
/// format has with a sticky bit below. Encoding the result rounds once, in any direction, whatever the host's rounding
/// mode.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_EXACTARITHMETIC_H
#define TILEC_LIB_SIMULATOR_NUMERIC_EXACTARITHMETIC_H

#include "lib/Simulator/Numeric/Format.h"

namespace tilec::sim {

/// a + b. The sum of two opposite numbers is +0, or -0 when rounding down (IEEE 754, 6.3). Infinities of opposite sign
/// give NaN. Operands have at most 106 significant bits.
Exact exactSum(const Exact &a, const Exact &b, Rounding rounding);
/// a · b for operands of at most 64 significant bits. Infinity times zero gives NaN.
Exact exactProduct(const Exact &a, const Exact &b);
/// a / b for operands of at most 64 significant bits; 62 bits and a sticky bit. 0/0 and ∞/∞ give NaN, x/0 infinity.
Exact exactQuotient(const Exact &a, const Exact &b);
/// The root of `a`, of at most 64 significant bits; 62 bits and a sticky bit. Below zero NaN; -0 stays.
Exact exactRoot(const Exact &a);
/// `a` rounded to an integral number; the sign of a zero result is that of `a`.
Exact roundToIntegral(const Exact &a, Rounding rounding);
/// The integer of that sign and magnitude.
Exact exactInteger(bool negative, uint64_t magnitude);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_EXACTARITHMETIC_H

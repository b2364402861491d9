/// Number formats for references, by a way of their own: a code's value follows from the definition of the format
/// (sign, exponent, fraction), and a number is rounded by searching the sorted list of all values. Slow and obvious, so
/// that it can judge the compiler's conversions and the runtime's.
#ifndef TEST_CASES_FLOATCODES_H
#define TEST_CASES_FLOATCODES_H

#include "lib/Runtime/ElementType.h"

#include <cstdint>
#include <string>

namespace cases {

/// The type of that name ("bf16", "i8", "f8E4M3FN"); false where there is none.
bool parseElementType(const std::string &name, tilec::ElementType &type);

/// The value of a code of any type; integers are signed, i1 is 0 or 1.
double valueOf(tilec::ElementType type, uint64_t code);

/// The code of a number. Floats: rounded to nearest, ties to even; beyond the range infinity, or NaN in a type without
/// infinity, or, with `saturate`, the largest finite number. NaN in a type without: the largest finite number.
/// f8E8M0FNU: the power of two nearest to the magnitude, of two the larger. Integers: rounded toward zero and clamped;
/// NaN gives 0.
uint64_t codeOf(tilec::ElementType type, double value, bool saturate = false);

/// valueOf(codeOf(value)).
double rounded(tilec::ElementType type, double value, bool saturate = false);

/// Half the distance of 1 to the next number: 2^-8 for bf16.
double unitRoundoff(tilec::ElementType type);

} // namespace cases

#endif // TEST_CASES_FLOATCODES_H

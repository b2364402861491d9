/// Approximate instructions: the ISA bounds their error and fixes special values, not their bits. A form says which:
/// `approx=FUNCTION:BOUND`, BOUND being ulpN (units in the last place), relN or absN (an error of 2^-N, relative or
/// absolute), or none (special values alone). Sources: PTX ISA, "Floating-Point Instructions", the tables of each.
#ifndef TILEC_TEST_SIMULATOR_CONFORMANCE_APPROXIMATIONS_H
#define TILEC_TEST_SIMULATOR_CONFORMANCE_APPROXIMATIONS_H

#include "test/Simulator/conformance/Forms.h"

namespace conformance {

/// Whether a thread's result lies within the bound; `a` and `b` are its operands. Packed pairs: both halves.
bool withinBound(const Form &form, uint64_t a, uint64_t b, uint64_t result);

/// How far two results of the form's type are apart, in units in the last place; 0 for two NaN. Packed pairs: the
/// greater distance of the halves.
double unitsApart(const Form &form, uint64_t one, uint64_t other);

} // namespace conformance

#endif // TILEC_TEST_SIMULATOR_CONFORMANCE_APPROXIMATIONS_H

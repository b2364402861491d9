/// Operands of a form: special values in all combinations, then random ones; the same for equal names on every host.
#ifndef TILEC_TEST_SIMULATOR_CONFORMANCE_OPERANDS_H
#define TILEC_TEST_SIMULATOR_CONFORMANCE_OPERANDS_H

#include "test/Simulator/conformance/Forms.h"

namespace conformance {

/// Operand k of thread i at k * total + i, in the low bits; where the form fills shared memory, one array more with its
/// words. Kinds: shift (mostly 0 to 70), nonzero, small (0 to 15), byte (0 to 255), half (a 16-bit value), narrow (the
/// upper bits are the sign's), exact2 (two small integers as bf16), exact (a small integer of the type), tame (numbers
/// without NaN of moderate size), edge (products around the smallest normal
/// number), lanes (below 32), warp (equal in all lanes of a warp), any (uniform bits).
std::vector<uint64_t> operandsOf(const Form &form);

/// A 64-bit hash of bytes, stable for ever: golden files hold it.
uint64_t hashOf(const void *bytes, size_t size, uint64_t seed = 0);

} // namespace conformance

#endif // TILEC_TEST_SIMULATOR_CONFORMANCE_OPERANDS_H

/// The approximate instructions, PTX ISA 9.0 sections 9.7.3 and 9.7.4. The ISA gives an error bound and a table of
/// special values for each; it does not give bits, so hardware may differ within the bound. Ours are evaluated in f64
/// with polynomials of our own and rounded once: the same bits everywhere, at most a hair over half a unit in the last
/// place off the true value, which is inside every bound below.
///
/// NaN gives the canonical NaN. With `ftz` subnormal inputs and results become zero of the same sign.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_APPROXIMATE_H
#define TILEC_LIB_SIMULATOR_NUMERIC_APPROXIMATE_H

#include "lib/Simulator/Numeric/Arithmetic.h"

namespace tilec::sim {

/// ex2.approx.f32 (9.7.3.21): 2^a, at most 2 ulp off the correctly rounded result. ±0 gives 1, -inf +0, +inf +inf.
uint32_t ex2Approx(uint32_t a, bool ftz);
/// lg2.approx.f32 (9.7.3.20): log2 a. Error at most 2^-22 absolute in (0.5, 2), 2^-22 relative elsewhere. ±0 gives
/// -inf, below zero NaN.
uint32_t lg2Approx(uint32_t a, bool ftz);
/// sin.approx.f32 (9.7.3.18): error at most 2^-20.5 in [-2π, 2π], 2^-14.7 in [-100π, 100π], none promised outside.
/// ±0 stays, ±inf gives NaN.
uint32_t sinApprox(uint32_t a, bool ftz);
/// cos.approx.f32 (9.7.3.19): bounds as for sin. ±0 gives 1, ±inf NaN.
uint32_t cosApprox(uint32_t a, bool ftz);
/// tanh.approx.f32 (9.7.3.22): error at most 2^-11 relative. ±0 stays, ±inf gives ±1; subnormals pass through.
uint32_t tanhApprox(uint32_t a);
/// rcp.approx.f32 (9.7.3.13): at most 1 ulp. ±inf gives ±0, ±0 gives ±inf.
uint32_t rcpApprox(uint32_t a, bool ftz);
/// sqrt.approx.f32 (9.7.3.15): error at most 2^-23 relative. ±0 stays, below zero NaN.
uint32_t sqrtApprox(uint32_t a, bool ftz);
/// rsqrt.approx.f32 (9.7.3.16): error at most 2^-22.9 relative. ±0 gives ±inf, +inf +0, below zero NaN.
uint32_t rsqrtApprox(uint32_t a, bool ftz);
/// div.approx.f32 (9.7.3.8): a · (1/b), at most 2 ulp for |b| in [2^-126, 2^126]; above, zero of the quotient's sign,
/// and NaN for infinite a.
uint32_t divApprox(uint32_t a, uint32_t b, bool ftz);
/// div.full.f32 (9.7.3.8): at most 2 ulp over the full range.
uint32_t divFull(uint32_t a, uint32_t b, bool ftz);

/// rcp.approx.ftz.f64 (9.7.3.14): of the upper 32 bits of a, into the upper 32 bits of the result, the others zero;
/// "gross", without a bound (ours: rounded to 20 mantissa bits). NaN gives 0x7fffffff00000000.
uint64_t rcpApproxFtzF64(uint64_t a);
/// rsqrt.approx.f64 (9.7.3.16): no bound stated; ours is at most 1 ulp off. Specials as rsqrtApprox; NaN as in f64
/// arithmetic.
uint64_t rsqrtApproxF64(uint64_t a);
/// rsqrt.approx.ftz.f64 (9.7.3.17): as rcpApproxFtzF64 for 1/sqrt; below zero NaN.
uint64_t rsqrtApproxFtzF64(uint64_t a);

/// ex2.approx.f16 and ex2.approx.ftz.bf16 (9.7.4.10): error at most 2^-9.9 relative for f16, 2^-7 for bf16. bf16
/// flushes subnormal inputs and results, f16 does not.
uint32_t ex2ApproxHalf(FloatType type, uint32_t a);
/// tanh.approx.f16 and .bf16 (9.7.4.9): error at most 2^-10.987 absolute for f16, 2^-8 for bf16. Subnormals supported.
uint32_t tanhApproxHalf(FloatType type, uint32_t a);
/// The same on both halves of .f16x2 and .bf16x2.
uint32_t ex2ApproxHalves(FloatType type, uint32_t a);
uint32_t tanhApproxHalves(FloatType type, uint32_t a);

/// ex2Approx and rcpApprox in every lane of a row (see Rows.h), as vector code; the same bits.
void ex2ApproxRow(bool ftz, uint32_t *d, const uint32_t *a);
void rcpApproxRow(bool ftz, uint32_t *d, const uint32_t *a);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_NUMERIC_APPROXIMATE_H

/// What a loop over the lanes of a row needs to become vector code; for this folder's sources only.
#ifndef TILEC_LIB_SIMULATOR_NUMERIC_ROWLOOPS_H
#define TILEC_LIB_SIMULATOR_NUMERIC_ROWLOOPS_H

/// Before a loop: rows are equal or disjoint, so lanes are independent; the compiler would else test for overlap.
#if defined(__clang__)
#define TILEC_LANES_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TILEC_LANES_INDEPENDENT _Pragma("GCC ivdep")
#endif

/// Before a function: compile it for AVX2, FMA and F16C. It may only be called where usesHostFma() holds.
#if defined(__x86_64__)
#define TILEC_WITH_FMA __attribute__((target("avx2,fma,f16c")))
#else
#define TILEC_WITH_FMA
#endif

/// Before a loop's own function, which both the plain and the fast function call.
#define TILEC_INLINE inline __attribute__((always_inline))

#endif // TILEC_LIB_SIMULATOR_NUMERIC_ROWLOOPS_H

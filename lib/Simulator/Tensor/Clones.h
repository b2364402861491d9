// Functions compiled for several instruction sets, of which one is picked when the program is loaded. Private to this
// folder. TILEC_TENSOR_BASELINE: only the least of them, to test that all compute the same.
#ifndef TILEC_LIB_SIMULATOR_TENSOR_CLONES_H
#define TILEC_LIB_SIMULATOR_TENSOR_CLONES_H

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(TILEC_TENSOR_BASELINE)
#define TILEC_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TILEC_CLONES
#endif
#define TILEC_INLINE __attribute__((always_inline)) inline

#endif // TILEC_LIB_SIMULATOR_TENSOR_CLONES_H

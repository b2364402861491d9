/// Kernel interfaces made by hand, as the compiler would fill them.
#ifndef TILEC_TEST_UNIT_CODEGEN_SAMPLEKERNELS_H
#define TILEC_TEST_UNIT_CODEGEN_SAMPLEKERNELS_H

#include "lib/Codegen/KernelInterface.h"

namespace sample {

/// C = A * B + bias with a dead bias: two configurations, two targets, a cubin, two variants, no workspace in the
/// first configuration and one in the second.
mlir::tile::KernelInterface gemm();

/// One argument of each scalar type, names that C++ reserves or cannot spell, under the name of a
/// function that its own program space calls.
mlir::tile::KernelInterface scalars();

/// No arguments and no program space, under a name of the C library.
mlir::tile::KernelInterface empty();

/// Views of elements below eight bits: weights W[K, N] packed along N, integers Q[K, N] packed along K, scales.
mlir::tile::KernelInterface packed();

/// All of the above.
std::vector<mlir::tile::KernelInterface> all();

} // namespace sample

#endif // TILEC_TEST_UNIT_CODEGEN_SAMPLEKERNELS_H

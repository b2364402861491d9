/// The extents of a launch that every target takes, whatever its row in the table says (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability").
#ifndef TILEC_LIB_TARGET_LAUNCHLIMITS_H
#define TILEC_LIB_TARGET_LAUNCHLIMITS_H

#include <cstdint>

namespace mlir::tile {

/// Blocks of a grid along x, and along y and z.
constexpr uint32_t maxGridAcross = 0x7fffffff, maxGridDown = 65535;
/// Threads of a block along z; along x and y the block's own limit holds.
constexpr uint32_t maxThreadsDeep = 64;
/// Blocks of a cluster, with the kernel's consent to more than the portable 8.
constexpr uint32_t maxClusterBlocks = 16;

} // namespace mlir::tile

#endif // TILEC_LIB_TARGET_LAUNCHLIMITS_H

/// What one memory instruction of a warp costs, counted exactly.
#ifndef TILEC_LAYOUT_ACCESS_H
#define TILEC_LAYOUT_ACCESS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mlir::tile {

/// Passes that shared memory needs for one instruction of a warp: 32 banks of 4 bytes; lanes that touch the same 4-byte
/// word share it. Accesses of 8 bytes go half warp by half warp, of 16 bytes quarter by quarter, so 2 and 4 are then the
/// least. Lanes with a negative address take no part. Example: 32 lanes, 4 bytes each, 8 bytes apart: 2.
[[nodiscard]] unsigned bankWavefronts(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane);

/// The number of distinct 32-byte sectors of global memory that one instruction of a warp touches. Lanes with a negative
/// address take no part.
[[nodiscard]] unsigned globalSectors(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane);

/// The fewest passes in which shared memory could serve the same words if they lay in the best banks: what bankWavefronts
/// is compared with. The example above touches 32 words: 1.
[[nodiscard]] unsigned leastBankWavefronts(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane);

/// The number of distinct bytes that one instruction of a warp touches. Of global memory, sectors · 32 less this many are
/// moved for nothing, and a 32nd of it, rounded up, is the fewest sectors. Lanes with a negative address take no part.
[[nodiscard]] unsigned distinctBytes(ArrayRef<int64_t> laneByteAddresses, unsigned bytesPerLane);

} // namespace mlir::tile
#endif // TILEC_LAYOUT_ACCESS_H

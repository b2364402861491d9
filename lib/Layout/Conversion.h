/// The cheapest way to bring a tile from one layout into another.
///
/// In order of preference: nothing; a renaming of registers; shuffles within each warp; a round trip through shared memory
/// in the layout with the fewest bank conflicts, counted exactly on both sides.
#ifndef TILEC_LAYOUT_CONVERSION_H
#define TILEC_LAYOUT_CONVERSION_H

#include "lib/Layout/SharedAccess.h"

namespace mlir::tile {

enum class ConversionKind { Identity, Registers, Shuffle, Shared };

/// How one destination register is filled by shuffles: every lane fetches each of `sources` from its source lane and keeps
/// the one that its selectors choose.
struct ShuffleMove {
  unsigned dst;
  /// 2^(number of selectors) registers.
  SmallVector<unsigned> sources;
  unsigned laneXor;
};

/// Shuffles of one conversion, the same in every warp.
struct ShufflePlan {
  /// Source lane of a destination lane = XOR of the entries of its set bits, XOR the move's `laneXor`.
  unsigned sourceLaneBits[Layout::laneBits];
  /// Bit i of the index into `sources` is the parity of (lane & selectors[i]), by destination lane.
  SmallVector<unsigned> selectors;
  SmallVector<ShuffleMove> moves;

  [[nodiscard]] unsigned sourceLane(const ShuffleMove &move, unsigned lane) const;
  [[nodiscard]] unsigned sourceRegister(const ShuffleMove &move, unsigned lane) const;
  /// Shuffles executed per warp for elements of up to 32 bits.
  [[nodiscard]] unsigned count() const { return moves.size() << selectors.size(); }
};

/// A round trip through shared memory: store by `store`, barrier, load by `loadMatrix` if there, else by `load`.
struct SharedConversion {
  SharedLayout shared;
  SharedAccessPlan store, load;
  std::optional<LdMatrixPlan> loadMatrix;
  /// Passes of warp 0, both sides.
  unsigned wavefronts;
};

/// What planConversion decided; the member of that kind is filled.
struct ConversionPlan {
  ConversionKind kind;
  /// Registers: the source register of each destination register.
  SmallVector<unsigned> registers;
  ShufflePlan shuffle;
  std::optional<SharedConversion> shared;
};

/// Plans the conversion of a tile of `elementBits` (1 counts as 8) from `src` to `dst`. Both must have the same extents and
/// number of warps; then there always is a plan. Dead positions receive any value. Stores of replicated holders all write
/// the same value.
[[nodiscard]] ConversionPlan planConversion(const Layout &src, const Layout &dst, unsigned elementBits);

/// The shuffles that turn `src` into `dst`, if every element stays in its warp and both have the same odd digits.
[[nodiscard]] std::optional<ShufflePlan> planShuffles(const Layout &src, const Layout &dst);

/// The best round trip through shared memory among orders, swizzles and paddings.
[[nodiscard]] SharedConversion planSharedConversion(const Layout &src, const Layout &dst, unsigned elementBits);

} // namespace mlir::tile
#endif // TILEC_LAYOUT_CONVERSION_H

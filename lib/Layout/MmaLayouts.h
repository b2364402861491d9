/// Layouts of the operands of mma.sync over whole tiles, and the way back from a layout to instruction fragments.
///
/// Fragments are those of the PTX ISA, "Matrix Fragments for mma.m16n8k16 …". With e elements per 32-bit word (one for
/// f64) and t = lane % 4, g = lane / 4:
///     A: row g (+8), column e·t + i (+4e)      B: row e·t + i (+4e), column g      C: row g (+8), column 2t + {0,1}
/// m8n8k4 has neither the +8 nor the +4e.
///
/// Registers are ordered so that instruction fragments are consecutive: first the fragment in the order of the PTX ISA
/// (a0, a1, …), then the repeats along K, then along M (A: K, M; B: K, N; C: N, M), then the odd digits in that same
/// order. Each warp owns a contiguous warp tile where the extents are powers of two; where an extent has an odd factor o
/// the warps share the 2^a part and the warp tile repeats o times, 2^a apart. Warp number = wm + warpsM · wn. An extent
/// that the warps do not divide is padded, and warps that find no rows left replicate.
#ifndef TILEC_LAYOUT_MMALAYOUTS_H
#define TILEC_LAYOUT_MMALAYOUTS_H

#include "lib/Layout/Layout.h"
#include "lib/Target/Target.h"
#include <map>

namespace mlir::tile {

/// Which matrix of the instruction a tile is: A is [M, K], B is [K, N], C (and D) is [M, N].
enum class MmaRole { A, B, C };

/// The accumulator of an m x n tile over warpsM x warpsN warps. At most one odd factor of a warp count is allowed per
/// dimension; a warp count 3 · 2^i puts the digit 3 on the warps.
[[nodiscard]] Layout mmaAccumulator(int64_t m, int64_t n, unsigned warpsM, unsigned warpsN, const MmaShape &shape);
/// The left operand of that accumulator; the warps along N replicate.
[[nodiscard]] Layout mmaOperandA(int64_t m, int64_t k, unsigned warpsM, unsigned warpsN, const MmaShape &shape);
/// The right operand, tile shape [k, n]; the warps along M replicate.
[[nodiscard]] Layout mmaOperandB(int64_t k, int64_t n, unsigned warpsM, unsigned warpsN, const MmaShape &shape);

/// A layout seen as a grid of instruction fragments per warp.
class MmaFragments {
public:
  /// Reads a layout of a rank-2 tile as fragments; nothing when it is not made of the instruction's fragments. Found by
  /// coordinates, so any register order will do.
  [[nodiscard]] static std::optional<MmaFragments> match(const Layout &layout, const MmaShape &shape, MmaRole role);

  /// Instruction tiles of each warp along dimension 0 and 1 of the tile (A: M, K; B: K, N; C: M, N).
  [[nodiscard]] unsigned rows() const { return offsets[0].size(); }
  [[nodiscard]] unsigned cols() const { return offsets[1].size(); }
  /// Elements per thread of one fragment.
  [[nodiscard]] unsigned size() const { return fragment.size(); }
  /// The register that holds element i of the fragment of instruction tile (row, col). Tiles count in the order of their
  /// coordinates.
  [[nodiscard]] unsigned reg(unsigned row, unsigned col, unsigned i) const;
  /// The register part of the coordinates of the instruction tiles along `dim`. Fragments of A and C with equal offsets
  /// along M (B and C along N, A and B along K) belong together.
  [[nodiscard]] ArrayRef<int64_t> tileOffsets(unsigned dim) const { return offsets[dim]; }

private:
  SmallVector<int64_t> offsets[2];
  SmallVector<std::pair<int64_t, int64_t>> fragment;
  std::map<std::pair<int64_t, int64_t>, unsigned> registers;
};

/// Whether three layouts can feed mma.sync together: each warp's A and B hold what its accumulator needs.
[[nodiscard]] bool mmaAgree(const Layout &a, const Layout &b, const Layout &c, const MmaShape &shape);

} // namespace mlir::tile
#endif // TILEC_LAYOUT_MMALAYOUTS_H

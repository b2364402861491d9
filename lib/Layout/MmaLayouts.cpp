/// Each operand is the instruction's fragment bases followed by repeats and warps per dimension; reading a layout back
/// looks coordinates up in a table.
#include "lib/Layout/MmaLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <set>

using namespace mlir::tile;
using llvm::SmallVector;

namespace {
/// The bases of one instruction fragment and the extents of its tile.
struct FragmentBases {
  SmallVector<Basis> regs, lanes;
  int64_t extent[2];
};
} // namespace

static Basis along(unsigned dim, int64_t offset) {
  Basis basis(2, 0);
  basis[dim] = offset;
  return basis;
}

/// The fragment of one instruction; see the header.
static FragmentBases fragmentBases(const MmaShape &shape, MmaRole role) {
  FragmentBases result;
  bool isC = role == MmaRole::C;
  // The dimension that lanes 0-3 and words run along: K of the operands, N of the accumulator.
  unsigned wordDim = role == MmaRole::B ? 0 : 1, groupDim = 1 - wordDim;
  int64_t word = isC ? 2 : std::max<int64_t>(1, 32 / bitWidth(shape.a));
  int64_t wordExtent = isC ? shape.n : shape.k;
  int64_t groupExtent = role == MmaRole::B ? shape.n : shape.m;
  for (int64_t i = 1; i < word; i *= 2)
    result.regs.push_back(along(wordDim, i));
  if (groupExtent == 16)
    result.regs.push_back(along(groupDim, 8));
  for (int64_t i = 4 * word; i < wordExtent; i *= 2)
    result.regs.push_back(along(wordDim, i));
  for (int64_t i : {word, 2 * word})
    result.lanes.push_back(along(wordDim, i));
  for (int64_t i : {1, 2, 4})
    result.lanes.push_back(along(groupDim, i));
  result.extent[wordDim] = wordExtent;
  result.extent[groupDim] = groupExtent;
  return result;
}

/// A rank-2 tile made of fragments, with warps[dim] warps along each dimension. `inner` is the dimension whose repeats
/// come first in the registers. The warps of both dimensions are counted in the order of `warpOrder`.
static Layout buildOperand(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<unsigned> warps, unsigned inner,
                           llvm::ArrayRef<unsigned> warpOrder, const MmaShape &shape, MmaRole role) {
  FragmentBases fragment = fragmentBases(shape, role);
  SmallVector<Basis> regs(fragment.regs), warpBases[2];
  SmallVector<Digit> digits, warpDigits;
  for (unsigned dim : {inner, 1 - inner}) {
    int64_t warpBits = llvm::countr_zero(warps[dim]), oddWarps = warps[dim] >> warpBits;
    int64_t tile = fragment.extent[dim], unit = tile << warpBits;
    int64_t even, odd;
    if (oddWarps != 1) {
      odd = oddWarps;
      even = std::max<int64_t>(llvm::bit_ceil(uint64_t(llvm::divideCeil(extents[dim], odd))), tile);
    } else {
      int64_t padded = extents[dim] >= unit
                           ? int64_t(llvm::alignTo(extents[dim], unit))
                           : std::max<int64_t>(llvm::bit_ceil(uint64_t(extents[dim])), tile);
      even = padded & -padded;
      odd = padded / even;
    }
    int64_t share = std::max(tile, even >> warpBits);
    for (int64_t i = tile; i < share; i *= 2)
      regs.push_back(along(dim, i));
    for (int64_t i = share, bit = 0; bit < warpBits; ++bit, i *= 2)
      warpBases[dim].push_back(along(dim, i < even ? i : 0));
    if (odd != 1)
      (oddWarps == 1 ? digits : warpDigits).push_back({int(dim), unsigned(odd), oddWarps == 1 ? Place::Register : Place::Warp});
  }
  SmallVector<Basis> allWarps;
  for (unsigned dim : warpOrder)
    allWarps.append(warpBases[dim]);
  // Warp digits follow the warp order too.
  for (unsigned dim : warpOrder)
    for (const Digit &digit : warpDigits)
      if (digit.dim == int(dim))
        digits.push_back(digit);
  std::string why;
  std::optional<Layout> layout = Layout::create(extents, regs, fragment.lanes, allWarps, digits, &why);
  assert(layout && "mma layouts are well formed");
  return *layout;
}

Layout mlir::tile::mmaAccumulator(int64_t m, int64_t n, unsigned warpsM, unsigned warpsN, const MmaShape &shape) {
  return buildOperand({m, n}, {warpsM, warpsN}, /*inner=*/1, {0, 1}, shape, MmaRole::C);
}

/// Adds replicating warps along a dimension that the operand lacks: bits, and digits in the order M, N.
static Layout withReplicas(const Layout &layout, unsigned warpsOther, bool otherFirst) {
  unsigned bits = llvm::countr_zero(warpsOther), odd = warpsOther >> bits;
  SmallVector<Basis> warps(layout.warpBases());
  warps.insert(otherFirst ? warps.begin() : warps.end(), bits, Basis(2, 0));
  SmallVector<Digit> digits(layout.digits());
  if (odd != 1) {
    Digit replica{Digit::replicated, odd, Place::Warp};
    auto firstWarp = llvm::find_if(digits, [](const Digit &digit) { return digit.place == Place::Warp; });
    digits.insert(otherFirst ? firstWarp : digits.end(), replica);
  }
  return *Layout::create(layout.extents(), layout.registerBases(), layout.laneBases(), warps, digits);
}

Layout mlir::tile::mmaOperandA(int64_t m, int64_t k, unsigned warpsM, unsigned warpsN, const MmaShape &shape) {
  Layout layout = buildOperand({m, k}, {warpsM, 1}, /*inner=*/1, {0, 1}, shape, MmaRole::A);
  return withReplicas(layout, warpsN, /*otherFirst=*/false);
}

Layout mlir::tile::mmaOperandB(int64_t k, int64_t n, unsigned warpsM, unsigned warpsN, const MmaShape &shape) {
  Layout layout = buildOperand({k, n}, {1, warpsN}, /*inner=*/0, {0, 1}, shape, MmaRole::B);
  return withReplicas(layout, warpsM, /*otherFirst=*/true);
}

std::optional<MmaFragments> MmaFragments::match(const Layout &layout, const MmaShape &shape, MmaRole role) {
  FragmentBases bases = fragmentBases(shape, role);
  if (layout.rank() != 2 || layout.laneBases() != ArrayRef<Basis>(bases.lanes))
    return std::nullopt;
  for (const Basis &basis : layout.warpBases())
    for (unsigned dim : {0, 1})
      if (basis[dim] & (bases.extent[dim] - 1))
        return std::nullopt;
  MmaFragments result;
  for (unsigned i = 0; i < 1u << bases.regs.size(); ++i) {
    std::pair<int64_t, int64_t> offset{0, 0};
    for (auto [bit, basis] : llvm::enumerate(bases.regs))
      if (i >> bit & 1)
        offset = {offset.first ^ basis[0], offset.second ^ basis[1]};
    result.fragment.push_back(offset);
  }
  std::set<int64_t> starts[2];
  for (unsigned reg = 0, e = layout.numRegisters(); reg < e; ++reg) {
    int64_t row = layout.registerOffset(reg, 0), col = layout.registerOffset(reg, 1);
    result.registers[{row, col}] = reg;
    starts[0].insert(row & -bases.extent[0]);
    starts[1].insert(col & -bases.extent[1]);
  }
  for (unsigned dim : {0, 1})
    result.offsets[dim].assign(starts[dim].begin(), starts[dim].end());
  for (int64_t row : result.offsets[0])
    for (int64_t col : result.offsets[1])
      for (auto [dRow, dCol] : result.fragment)
        if (!result.registers.count({row + dRow, col + dCol}))
          return std::nullopt;
  return result;
}

unsigned MmaFragments::reg(unsigned row, unsigned col, unsigned i) const {
  return registers.at({offsets[0][row] + fragment[i].first, offsets[1][col] + fragment[i].second});
}

bool mlir::tile::mmaAgree(const Layout &a, const Layout &b, const Layout &c, const MmaShape &shape) {
  auto fa = MmaFragments::match(a, shape, MmaRole::A), fb = MmaFragments::match(b, shape, MmaRole::B),
       fc = MmaFragments::match(c, shape, MmaRole::C);
  if (!fa || !fb || !fc || a.numWarps() != c.numWarps() || b.numWarps() != c.numWarps())
    return false;
  if (fa->tileOffsets(0) != fc->tileOffsets(0) || fb->tileOffsets(1) != fc->tileOffsets(1) ||
      fa->tileOffsets(1) != fb->tileOffsets(0))
    return false;
  // Each warp must hold all of K, and the rows and columns of its accumulator.
  for (unsigned warp = 0; warp < c.numWarps(); ++warp)
    if (a.threadOffset(0, warp, 1) != 0 || b.threadOffset(0, warp, 0) != 0 ||
        a.threadOffset(0, warp, 0) != c.threadOffset(0, warp, 0) ||
        b.threadOffset(0, warp, 1) != c.threadOffset(0, warp, 1))
      return false;
  return true;
}

/// Relabellings of a layout's dimensions: no element moves, only the names of the coordinates change.
#include "lib/Layout/Layout.h"
#include "lib/Layout/LinearF2.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace mlir::tile;
using llvm::SmallVector;

/// The bases with `rewrite` applied to each.
template <typename Rewrite>
static SmallVector<Basis> mapBases(llvm::ArrayRef<Basis> bases, Rewrite rewrite) {
  return llvm::map_to_vector(bases, rewrite);
}

Layout Layout::transpose(ArrayRef<unsigned> perm) const {
  assert(perm.size() == rank());
  SmallVector<int64_t> newExtents;
  SmallVector<unsigned> position(rank());
  for (auto [to, from] : llvm::enumerate(perm)) {
    newExtents.push_back(tileExtents[from]);
    position[from] = to;
  }
  auto permute = [&](const Basis &basis) {
    Basis result;
    for (unsigned from : perm)
      result.push_back(basis[from]);
    return result;
  };
  SmallVector<Digit> newDigits(oddDigits);
  for (Digit &digit : newDigits)
    if (digit.dim != Digit::replicated)
      digit.dim = position[digit.dim];
  return *create(newExtents, mapBases(regs, permute), mapBases(lanes, permute), mapBases(warps, permute), newDigits);
}

Layout Layout::slice(unsigned axis) const {
  assert(axis < rank());
  SmallVector<int64_t> newExtents(tileExtents);
  newExtents.erase(newExtents.begin() + axis);
  auto drop = [&](Basis basis) {
    basis.erase(basis.begin() + axis);
    return basis;
  };
  SmallVector<Basis> newRegs;
  F2Span span;
  for (const Basis &basis : regs) {
    Basis masked(basis);
    masked[axis] = 0;
    if (span.insert(pack(masked)))
      newRegs.push_back(drop(basis));
  }
  SmallVector<Digit> newDigits;
  for (Digit digit : oddDigits) {
    if (digit.dim == int(axis)) {
      if (digit.place == Place::Register)
        continue;
      digit.dim = Digit::replicated;
    } else if (digit.dim > int(axis)) {
      --digit.dim;
    }
    newDigits.push_back(digit);
  }
  return *create(newExtents, newRegs, mapBases(lanes, drop), mapBases(warps, drop), newDigits);
}

/// The first basis that moves by one along `axis` and nowhere else, or the end.
static const Basis *findUnit(llvm::ArrayRef<Basis> bases, unsigned rank, unsigned axis) {
  Basis unit(rank, 0);
  unit[axis] = 1;
  return llvm::find(bases, unit);
}

std::optional<Layout> Layout::halved(unsigned axis) const {
  assert(axis < rank());
  const Basis *pair = findUnit(regs, rank(), axis);
  if (pair == regs.end() || tileExtents[axis] % 2 != 0)
    return std::nullopt;
  SmallVector<Basis> others(regs.begin(), pair);
  others.append(pair + 1, regs.end());
  for (ArrayRef<Basis> bases : {ArrayRef<Basis>(others), ArrayRef<Basis>(lanes), ArrayRef<Basis>(warps)})
    for (const Basis &basis : bases)
      if (basis[axis] % 2 != 0)
        return std::nullopt;
  auto halve = [&](Basis basis) {
    basis[axis] /= 2;
    return basis;
  };
  SmallVector<int64_t> newExtents(tileExtents);
  newExtents[axis] /= 2;
  return create(newExtents, mapBases(others, halve), mapBases(lanes, halve), mapBases(warps, halve), oddDigits);
}

SmallVector<std::pair<unsigned, unsigned>> Layout::halvedRegisters(unsigned axis) const {
  const Basis *pair = findUnit(regs, rank(), axis);
  assert(pair != regs.end() && "pairs must lie in one thread's registers");
  const unsigned bit = 1u << (pair - regs.begin());
  SmallVector<std::pair<unsigned, unsigned>> result;
  for (unsigned reg = 0, e = numRegisters(); reg < e; ++reg)
    if (!(reg & bit))
      result.push_back({reg, reg | bit});
  return result;
}

Layout Layout::doubled(unsigned axis) const {
  assert(axis < rank());
  auto twice = [&](Basis basis) {
    basis[axis] *= 2;
    return basis;
  };
  SmallVector<Basis> newRegs(1, Basis(rank(), 0));
  newRegs[0][axis] = 1;
  newRegs.append(mapBases(regs, twice));
  SmallVector<int64_t> newExtents(tileExtents);
  newExtents[axis] *= 2;
  return *create(newExtents, newRegs, mapBases(lanes, twice), mapBases(warps, twice), oddDigits);
}

Layout Layout::expandDims(unsigned axis) const {
  assert(axis <= rank());
  SmallVector<int64_t> newExtents(tileExtents);
  newExtents.insert(newExtents.begin() + axis, 1);
  auto widen = [&](Basis basis) {
    basis.insert(basis.begin() + axis, 0);
    return basis;
  };
  SmallVector<Digit> newDigits(oddDigits);
  for (Digit &digit : newDigits)
    if (digit.dim >= int(axis))
      ++digit.dim;
  return *create(newExtents, mapBases(regs, widen), mapBases(lanes, widen), mapBases(warps, widen), newDigits);
}

namespace {
/// A run of old dimensions that holds the same elements as a run of new ones, in row-major order.
struct Regrouping {
  unsigned oldBegin, oldEnd, newBegin, newEnd;
};
} // namespace

/// The smallest such runs, or nothing when the element counts differ.
static std::optional<SmallVector<Regrouping>> regroup(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  SmallVector<Regrouping> groups;
  unsigned i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    Regrouping group{i, i, j, j};
    // A dimension of extent 1 forms a run of its own against nothing.
    if (i < from.size() && from[i] == 1 && !(j < to.size() && to[j] == 1)) {
      group.oldEnd = ++i;
    } else if (j < to.size() && to[j] == 1 && !(i < from.size() && from[i] == 1)) {
      group.newEnd = ++j;
    } else {
      if (i == from.size() || j == to.size())
        return std::nullopt;
      int64_t a = from[i++], b = to[j++];
      while (a != b) {
        if (a < b && i < from.size())
          a *= from[i++];
        else if (b < a && j < to.size())
          b *= to[j++];
        else
          return std::nullopt;
      }
      group.oldEnd = i;
      group.newEnd = j;
    }
    groups.push_back(group);
  }
  return groups;
}

/// Moves `position` of the old tile to the new one, group by group. Dimensions kept alone pass unchanged, so that their
/// dead positions stay dead.
static SmallVector<int64_t> movePosition(llvm::ArrayRef<int64_t> position, llvm::ArrayRef<Regrouping> groups,
                                         llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  SmallVector<int64_t> result(to.size(), 0);
  for (const Regrouping &group : groups) {
    if (group.oldEnd - group.oldBegin == 1 && group.newEnd - group.newBegin == 1) {
      result[group.newBegin] = position[group.oldBegin];
      continue;
    }
    int64_t flat = 0;
    for (unsigned dim = group.oldBegin; dim < group.oldEnd; ++dim)
      flat = flat * from[dim] + position[dim];
    for (unsigned dim = group.newEnd; dim-- > group.newBegin;) {
      result[dim] = flat % to[dim];
      flat /= to[dim];
    }
  }
  return result;
}

std::optional<Layout> Layout::reshape(ArrayRef<int64_t> newExtents) const {
  auto groups = regroup(tileExtents, newExtents);
  if (!groups)
    return std::nullopt;
  for (const Regrouping &group : *groups)
    if (group.oldEnd - group.oldBegin != 1 || group.newEnd - group.newBegin != 1)
      for (unsigned dim = group.oldBegin; dim < group.oldEnd; ++dim)
        if (hasDeadPositions(dim))
          return std::nullopt;
  auto move = [&](ArrayRef<int64_t> position) { return movePosition(position, *groups, tileExtents, newExtents); };
  auto moveBasis = [&](const Basis &basis) {
    SmallVector<int64_t> moved = move(SmallVector<int64_t>(basis.begin(), basis.end()));
    return Basis(moved.begin(), moved.end());
  };
  SmallVector<Digit> newDigits;
  for (Digit digit : oddDigits) {
    if (digit.dim != Digit::replicated) {
      SmallVector<int64_t> step(rank(), 0);
      step[digit.dim] = int64_t(1) << dimBits[digit.dim];
      SmallVector<int64_t> moved = move(step);
      if (llvm::count_if(moved, [](int64_t c) { return c != 0; }) != 1)
        return std::nullopt;
      digit.dim = llvm::find_if(moved, [](int64_t c) { return c != 0; }) - moved.begin();
    }
    newDigits.push_back(digit);
  }
  std::optional<Layout> result =
      create(newExtents, mapBases(regs, moveBasis), mapBases(lanes, moveBasis), mapBases(warps, moveBasis), newDigits);
  if (!result)
    return std::nullopt;
  // Row-major order is not linear over F2 where an odd extent lies inside, so compare position by position. Powers of
  // two need no such check.
  if (oddDigits.empty() && llvm::all_of(tileExtents, [](int64_t e) { return llvm::isPowerOf2_64(e); }))
    return result;
  for (unsigned warp = 0; warp < numWarps(); ++warp)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      for (unsigned reg = 0, e = numRegisters(); reg < e; ++reg)
        if (move(coordinates(reg, lane, warp)) != result->coordinates(reg, lane, warp))
          return std::nullopt;
  return result;
}

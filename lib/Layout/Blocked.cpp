/// The two families of layouts that follow from extents alone: nested blocks, and coalesced access to global memory.
#include "lib/Layout/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <limits>

using namespace mlir::tile;
using llvm::SmallVector;

/// The padded extent of one dimension whose threads and warps cover `unit` positions at a time.
static int64_t paddedFor(int64_t extent, int64_t unit) {
  return extent >= unit ? llvm::alignTo(extent, unit) : int64_t(llvm::bit_ceil(uint64_t(extent)));
}

/// The power-of-two factor of x.
static int64_t evenPart(int64_t x) { return x & -x; }

Layout Layout::blocked(ArrayRef<int64_t> extents, ArrayRef<int64_t> perThread, ArrayRef<int64_t> threads,
                       ArrayRef<int64_t> warps, ArrayRef<unsigned> order, unsigned numWarps) {
  unsigned rank = extents.size();
  assert(perThread.size() == rank && threads.size() == rank && warps.size() == rank && order.size() == rank);
  SmallVector<int64_t> even(rank), next(rank, 1);
  SmallVector<unsigned> odd(rank);
  for (unsigned dim = 0; dim < rank; ++dim) {
    int64_t padded = paddedFor(extents[dim], perThread[dim] * threads[dim] * warps[dim]);
    even[dim] = evenPart(padded);
    odd[dim] = padded / even[dim];
  }
  // Hands out the next bits of each dimension, in order; bits beyond the dimension replicate (registers: vanish).
  auto take = [&](SmallVector<Basis> &bases, ArrayRef<int64_t> counts, bool replicate) {
    for (unsigned dim : order) {
      for (int64_t i = 1; i < counts[dim]; i *= 2) {
        Basis basis(rank, 0);
        if (next[dim] < even[dim]) {
          basis[dim] = next[dim];
          next[dim] *= 2;
        } else if (!replicate) {
          break;
        }
        bases.push_back(basis);
      }
    }
  };
  SmallVector<Basis> regs, laneBases, warpBases;
  take(regs, perThread, /*replicate=*/false);
  take(laneBases, threads, /*replicate=*/true);
  assert(laneBases.size() <= laneBits && "more than 32 lanes");
  laneBases.resize(laneBits, Basis(rank, 0));
  take(warpBases, warps, /*replicate=*/true);
  unsigned warpBits = llvm::countr_zero(numWarps);
  assert(warpBases.size() <= warpBits && "more warps in use than there are");
  warpBases.resize(warpBits, Basis(rank, 0));
  take(regs, even, /*replicate=*/false);

  SmallVector<Digit> digits;
  unsigned oddWarps = numWarps >> warpBits;
  int warpDim = Digit::replicated;
  if (oddWarps != 1)
    for (unsigned dim : order)
      if (odd[dim] == oddWarps)
        warpDim = dim;
  for (unsigned dim : order)
    if (odd[dim] != 1 && int(dim) != warpDim)
      digits.push_back({int(dim), odd[dim], Place::Register});
  if (oddWarps != 1)
    digits.push_back({warpDim, oddWarps, Place::Warp});
  std::string why;
  std::optional<Layout> layout = create(extents, regs, laneBases, warpBases, digits, &why);
  assert(layout && "blocked layouts are well formed");
  return *layout;
}

/// How many lanes lie along the fastest dimension: see Layout::coalesced.
static int64_t lanesAlongRow(int64_t extent, int64_t vector, int64_t least, unsigned elementBits) {
  int64_t best = 1, bestPadded = std::numeric_limits<int64_t>::max();
  bool bestLong = false;
  for (int64_t lanes = least; lanes <= 32; lanes *= 2) {
    if (lanes > least && vector * lanes / 2 >= extent)
      break; // The last doubling covered the row already.
    bool isLong = vector * lanes * elementBits >= 64 * 8 || vector * lanes >= extent;
    int64_t padded = std::max<int64_t>(paddedFor(extent, vector * lanes), 1);
    if ((isLong && !bestLong) || (isLong == bestLong && (isLong ? padded <= bestPadded : true))) {
      best = lanes;
      bestPadded = padded;
      bestLong = isLong;
    }
  }
  return best;
}

/// Spreads `count` (a power of two) over the dimensions listed in `dims`: first as far as it divides the extent, then
/// with padding. `unit` counts what is covered so far.
static void spread(int64_t count, llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<unsigned> dims,
                   llvm::SmallVectorImpl<int64_t> &unit, llvm::SmallVectorImpl<int64_t> &counts) {
  for (bool pad : {false, true})
    for (unsigned dim : dims)
      while (count > 1 && unit[dim] < (pad ? extents[dim] : evenPart(extents[dim]))) {
        unit[dim] *= 2;
        counts[dim] *= 2;
        count /= 2;
      }
}

Layout Layout::coalesced(ArrayRef<int64_t> extents, ArrayRef<unsigned> order, unsigned elementBits, unsigned numWarps,
                         unsigned maxVectorBits, unsigned least) {
  unsigned rank = extents.size();
  SmallVector<int64_t> perThread(rank, 1), threads(rank, 1), warps(rank, 1), unit(rank, 1);
  if (rank == 0)
    return blocked(extents, perThread, threads, warps, order, numWarps);
  int64_t elements = 1, others = 1;
  for (int64_t extent : extents)
    elements *= extent;
  for (unsigned dim : order.drop_front())
    others *= llvm::bit_ceil(uint64_t(extents[dim]));

  unsigned fast = order[0];
  int64_t share = std::max<int64_t>(1, elements / (int64_t(numLanes) * numWarps));
  int64_t vector = std::max<int64_t>(1, maxVectorBits / std::max(1u, elementBits));
  vector = std::min({vector, evenPart(extents[fast]), int64_t(llvm::bit_floor(uint64_t(share)))});
  vector = std::max<int64_t>(vector, least);
  perThread[fast] = vector;

  int64_t fewest = numLanes / std::min<int64_t>(numLanes, others);
  threads[fast] = lanesAlongRow(extents[fast], vector, fewest, elementBits);
  unit[fast] = vector * threads[fast];
  spread(numLanes / threads[fast], extents, order.drop_front(), unit, threads);

  SmallVector<unsigned> warpOrder(order.drop_front());
  warpOrder.push_back(fast);
  spread(evenPart(numWarps), extents, warpOrder, unit, warps);
  return blocked(extents, perThread, threads, warps, order, numWarps);
}

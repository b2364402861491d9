/// Shuffles come from solving linear equations over F2, shared layouts from trying the candidates and counting.
#include "lib/Layout/Conversion.h"
#include "lib/Layout/LinearF2.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <tuple>

using namespace mlir::tile;
using llvm::ArrayRef;
using llvm::SmallVector;

unsigned ShufflePlan::sourceLane(const ShuffleMove &move, unsigned lane) const {
  unsigned source = move.laneXor;
  for (auto [bit, contribution] : llvm::enumerate(sourceLaneBits))
    if (lane >> bit & 1)
      source ^= contribution;
  return source;
}

unsigned ShufflePlan::sourceRegister(const ShuffleMove &move, unsigned lane) const {
  unsigned index = 0;
  for (auto [bit, selector] : llvm::enumerate(selectors))
    index |= (llvm::popcount(lane & selector) & 1) << bit;
  return move.sources[index];
}

namespace {
/// Where a destination bit's element lies at the source.
struct SourceBits {
  unsigned lane, reg;
};
} // namespace

/// Expresses destination bases by the source's lanes and registers, lanes preferred.
static std::optional<SmallVector<SourceBits>> solveBases(const F2Span &source, const Layout &layout,
                                                         ArrayRef<Basis> bases) {
  SmallVector<SourceBits> result;
  for (const Basis &basis : bases) {
    std::optional<uint64_t> solution = source.solve(layout.pack(basis));
    if (!solution)
      return std::nullopt;
    result.push_back({unsigned(*solution & 31), unsigned(*solution >> Layout::laneBits)});
  }
  return result;
}

std::optional<ShufflePlan> mlir::tile::planShuffles(const Layout &src, const Layout &dst) {
  if (src.extents() != dst.extents() || src.warpBases() != dst.warpBases() || src.digits() != dst.digits())
    return std::nullopt;
  for (unsigned dim = 0; dim < src.rank(); ++dim)
    if (src.bits(dim) != dst.bits(dim))
      return std::nullopt;
  F2Span source;
  for (ArrayRef<Basis> bases : {src.laneBases(), src.registerBases()})
    for (const Basis &basis : bases)
      source.insert(src.pack(basis));
  auto lanes = solveBases(source, dst, dst.laneBases()), regs = solveBases(source, dst, dst.registerBases());
  if (!lanes || !regs)
    return std::nullopt;

  ShufflePlan plan;
  // Which source register a lane needs is a linear function of the lane; its image has a basis `steps`, and selector i
  // collects the lane bits whose image contains step i.
  SmallVector<unsigned> steps, columnToStep;
  F2Span image;
  for (auto [bit, from] : llvm::enumerate(*lanes)) {
    plan.sourceLaneBits[bit] = from.lane;
    columnToStep.push_back(steps.size());
    if (image.insert(from.reg))
      steps.push_back(from.reg);
  }
  plan.selectors.assign(steps.size(), 0);
  for (auto [bit, from] : llvm::enumerate(*lanes)) {
    uint64_t columns = *image.solve(from.reg);
    for (unsigned column = 0; column < columnToStep.size(); ++column)
      if (columns >> column & 1)
        plan.selectors[columnToStep[column]] |= 1u << bit;
  }
  unsigned dstBits = dst.registerBases().size(), srcBits = src.registerBases().size();
  for (unsigned reg = 0, e = dst.numRegisters(); reg < e; ++reg) {
    ShuffleMove move{reg, {}, 0};
    unsigned base = reg >> dstBits << srcBits; // The digits are the same.
    for (auto [bit, from] : llvm::enumerate(*regs))
      if (reg >> bit & 1) {
        base ^= from.reg;
        move.laneXor ^= from.lane;
      }
    for (unsigned index = 0; index < 1u << steps.size(); ++index) {
      unsigned sourceReg = base;
      for (auto [bit, step] : llvm::enumerate(steps))
        if (index >> bit & 1)
          sourceReg ^= step;
      move.sources.push_back(sourceReg);
    }
    plan.moves.push_back(move);
  }
  return plan;
}

/// The orders worth trying: each dimension as the fastest, the others by falling index.
static SmallVector<SmallVector<unsigned>> candidateOrders(unsigned rank) {
  SmallVector<SmallVector<unsigned>> orders;
  for (unsigned fast = rank; fast-- > 0;) {
    SmallVector<unsigned> order{fast};
    for (unsigned dim = rank; dim-- > 0;)
      if (dim != fast)
        order.push_back(dim);
    orders.push_back(order);
  }
  if (rank == 0)
    orders.push_back({});
  return orders;
}

/// Plans one candidate; nothing when an address is not of the required form.
static std::optional<SharedConversion> tryShared(const Layout &src, const Layout &dst, const SharedLayout &shared) {
  auto store = planSharedAccess(src, shared), load = planSharedAccess(dst, shared);
  if (!store || !load)
    return std::nullopt;
  unsigned loads = load->wavefronts(shared.elementBytes());
  std::optional<LdMatrixPlan> matrix = planLdMatrix(dst, shared);
  if (matrix && matrix->wavefronts() < loads)
    loads = matrix->wavefronts();
  else
    matrix.reset();
  unsigned total = store->wavefronts(shared.elementBytes()) + loads;
  return SharedConversion{shared, std::move(*store), std::move(*load), std::move(matrix), total};
}

SharedConversion mlir::tile::planSharedConversion(const Layout &src, const Layout &dst, unsigned elementBits) {
  elementBits = std::max(8u, elementBits);
  SmallVector<int64_t> extents;
  for (unsigned dim = 0; dim < src.rank(); ++dim) {
    int64_t extent = std::max(src.paddedExtent(dim), dst.paddedExtent(dim));
    extents.push_back(extent % 8 ? int64_t(llvm::bit_ceil(uint64_t(extent))) : extent);
  }
  std::optional<SharedConversion> best;
  auto consider = [&](ArrayRef<int64_t> sizes, ArrayRef<unsigned> order, unsigned swizzle, unsigned padding) {
    auto shared = SharedLayout::create(sizes, order, elementBits, swizzle, padding);
    if (!shared)
      return;
    auto candidate = tryShared(src, dst, *shared);
    if (candidate && (!best || std::make_tuple(candidate->wavefronts, candidate->shared.sizeBytes()) <
                                   std::make_tuple(best->wavefronts, best->shared.sizeBytes())))
      best = std::move(candidate);
  };
  for (ArrayRef<unsigned> order : candidateOrders(src.rank())) {
    for (unsigned swizzle : {128, 64, 32, 16, 0})
      consider(extents, order, swizzle, 0);
    consider(extents, order, 0, 16);
  }
  if (!best) {
    // With powers of two every coordinate bit has an address bit of its own, so this always fits.
    for (int64_t &extent : extents)
      extent = llvm::bit_ceil(uint64_t(extent));
    consider(extents, candidateOrders(src.rank()).front(), 0, 0);
  }
  assert(best && "row-major powers of two can always be addressed");
  return *best;
}

ConversionPlan mlir::tile::planConversion(const Layout &src, const Layout &dst, unsigned elementBits) {
  assert(src.extents() == dst.extents() && src.numWarps() == dst.numWarps());
  ConversionPlan plan;
  if (auto registers = dst.registerMapTo(src)) {
    bool identity = registers->size() == src.numRegisters();
    for (auto [to, from] : llvm::enumerate(*registers))
      identity &= to == from;
    plan.kind = identity ? ConversionKind::Identity : ConversionKind::Registers;
    plan.registers = std::move(*registers);
    return plan;
  }
  SharedConversion shared = planSharedConversion(src, dst, elementBits);
  // A shuffle takes two issue slots where a wavefront takes one; a barrier and the latency of a round trip weigh about 32.
  constexpr unsigned shuffleCost = 2, roundTripCost = 32;
  unsigned words = std::max(1u, elementBits / 32);
  if (auto shuffle = planShuffles(src, dst);
      shuffle && shuffle->count() * words * shuffleCost <= shared.wavefronts + roundTripCost) {
    plan.kind = ConversionKind::Shuffle;
    plan.shuffle = std::move(*shuffle);
    return plan;
  }
  plan.kind = ConversionKind::Shared;
  plan.shared = std::move(shared);
  return plan;
}

// Local rules about layouts: how shape ops rename coordinates, what the matrix instructions demand, which layouts make
// good accesses to global memory, and which a reduction can take.
#include "lib/Transforms/LayoutRules.h"
#include "lib/Analysis/Reductions.h"
#include "lib/Analysis/ScaledDots.h"
#include "lib/Layout/FmaLayouts.h"
#include "lib/Layout/ScaledMmaLayouts.h"
#include "dialect/ElementwiseList.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

/// Accesses of at most so many bytes are taken as they come: a conversion would cost more than it saves.
static constexpr int64_t fewBytes = 4096;
/// What one thread moves at a time, at best.
static constexpr unsigned widestVectorBits = 128;

LayoutRules::LayoutRules(KernelOp kernel, const Target &target)
    : kernel(kernel), target(target), warps(kernel.planned("warps", 4)), warpsM(kernel.planned("warps_m", warps)),
      warpsN(kernel.planned("warps_n", 1)), facts(kernel) {}

bool LayoutRules::isRematerialisable(Operation *op) { return isa<arith::ConstantOp, SplatOp, IotaOp>(op); }

bool LayoutRules::keepsLayout(Operation *op) {
  return isa<tile::SelectOp, CastOp, BitcastOp>(op) || (isElementwise(op) && !isa<arith::ConstantOp>(op));
}

bool LayoutRules::isRelabelling(Operation *op) {
  return isa<TransposeOp, ExpandOp, ReshapeOp, BroadcastOp, ReduceOp, PackPairsOp>(op);
}

OpOperand &LayoutRules::deciding(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (Operation *maker = operand.get().getDefiningOp(); !maker || !isRematerialisable(maker))
      return operand;
  return op->getOpOperand(0);
}

const Layout &LayoutRules::layoutOf(LayoutAttr layout, ArrayRef<int64_t> extents) {
  auto key = TileType::get(extents, IntegerType::get(kernel.getContext(), 8), layout);
  std::unique_ptr<Layout> &entry = layouts[key];
  if (!entry)
    entry = std::make_unique<Layout>(*layout.layoutFor(extents));
  return *entry;
}

LayoutAttr LayoutRules::attribute(const Layout &layout) {
  return LayoutAttr::get(kernel.getContext(), layout);
}

//===----------------------------------------------------------------------===//
// Relabelling
//===----------------------------------------------------------------------===//

/// The tile that a relabelling op reads, and the one that it makes; a reduction to a scalar makes none.
static TileType sourceType(Operation *op) { return cast<TileType>(op->getOperand(0).getType()); }
static TileType resultType(Operation *op) { return dyn_cast<TileType>(op->getResult(0).getType()); }

LayoutRules::Question LayoutRules::question(Operation *op, LayoutAttr layout) {
  TileType result = resultType(op);
  return {op->getName().getAsOpaquePointer(), op->getPropertiesAsAttribute().getAsOpaquePointer(),
          layout.getAsOpaquePointer(), sourceType(op).withLayout({}).getAsOpaquePointer(),
          result ? result.withLayout({}).getAsOpaquePointer() : nullptr};
}

LayoutAttr LayoutRules::resultLayout(Operation *op, LayoutAttr source) {
  auto [entry, isNew] = results.try_emplace(question(op, source));
  return isNew ? results[question(op, source)] = computeResult(op, source) : entry->second;
}

LayoutAttr LayoutRules::sourceLayout(Operation *op, LayoutAttr result) {
  auto [entry, isNew] = sources.try_emplace(question(op, result));
  return isNew ? sources[question(op, result)] = computeSource(op, result) : entry->second;
}

LayoutAttr LayoutRules::computeResult(Operation *op, LayoutAttr source) {
  const Layout &layout = layoutOf(source, sourceType(op).getShape());
  return TypeSwitch<Operation *, LayoutAttr>(op)
      .Case<TransposeOp>([&](TransposeOp transpose) {
        SmallVector<int64_t> axes = transpose.axes();
        return attribute(layout.transpose(SmallVector<unsigned>(axes.begin(), axes.end())));
      })
      .Case<ExpandOp>([&](ExpandOp expand) {
        Layout result = layout;
        for (int64_t axis : expand.getAxes())
          result = result.expandDims(axis);
        return attribute(result);
      })
      .Case<ReshapeOp>([&](ReshapeOp) {
        std::optional<Layout> result = layout.reshape(resultType(op).getShape());
        return result ? attribute(*result) : LayoutAttr();
      })
      .Case<PackPairsOp>([&](PackPairsOp pack) {
        std::optional<Layout> result = layout.halved(pack.getAxis());
        return result ? attribute(*result) : LayoutAttr();
      })
      .Case<ReduceOp>([&](ReduceOp reduce) {
        return resultType(op) ? attribute(layout.slice(reduce.getAxis())) : LayoutAttr();
      })
      .Default([](Operation *) { return LayoutAttr(); });
}

LayoutAttr LayoutRules::computeSource(Operation *op, LayoutAttr result) {
  if (!resultType(op))
    return {};
  const Layout &layout = layoutOf(result, resultType(op).getShape());
  /// The layout without some dimensions, from the last to the first.
  auto without = [&](ArrayRef<int64_t> axes) {
    Layout source = layout;
    for (int64_t axis : llvm::reverse(axes))
      source = source.slice(axis);
    return source;
  };
  LayoutAttr source =
      TypeSwitch<Operation *, LayoutAttr>(op)
          .Case<TransposeOp>([&](TransposeOp transpose) {
            SmallVector<unsigned> inverse(layout.rank());
            for (auto [to, from] : llvm::enumerate(transpose.axes()))
              inverse[from] = to;
            return attribute(layout.transpose(inverse));
          })
          .Case<ExpandOp>([&](ExpandOp expand) { return attribute(without(expand.getAxes())); })
          .Case<ReshapeOp>([&](ReshapeOp) {
            std::optional<Layout> source = layout.reshape(sourceType(op).getShape());
            return source ? attribute(*source) : LayoutAttr();
          })
          .Case<PackPairsOp>([&](PackPairsOp pack) { return attribute(layout.doubled(pack.getAxis())); })
          .Case<BroadcastOp>([&](BroadcastOp broadcast) {
            bool keepsRank = sourceType(op).getShape().size() == layout.rank();
            if (!keepsRank && broadcast.getAxes().size() == layout.rank())
              return LayoutAttr();
            Layout source = layout;
            for (int64_t axis : llvm::reverse(broadcast.getAxes())) {
              source = source.slice(axis);
              if (keepsRank)
                source = source.expandDims(axis);
            }
            return attribute(source);
          })
          .Default([](Operation *) { return LayoutAttr(); });
  // Dead positions along a dimension of extent 1 are lost on the way back.
  if (source && !isa<BroadcastOp>(op) && resultLayout(op, source) != result)
    return {};
  return source;
}

bool LayoutRules::canBroadcast(BroadcastOp op, LayoutAttr source, LayoutAttr result) {
  if (source == sourceLayout(op, result))
    return true;
  Question key{source.getAsOpaquePointer(), result.getAsOpaquePointer(),
               sourceType(op).withLayout({}).getAsOpaquePointer(), resultType(op).withLayout({}).getAsOpaquePointer(),
               op->getPropertiesAsAttribute().getAsOpaquePointer()};
  auto [entry, isNew] = broadcasts.try_emplace(key);
  if (isNew) {
    Layout layout = layoutOf(source, sourceType(op).getShape());
    if (layout.rank() != resultType(op).getShape().size())
      for (int64_t axis : op.getAxes())
        layout = layout.expandDims(axis);
    entry->second = layoutOf(result, resultType(op).getShape()).registerMapTo(layout).has_value();
  }
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

const MmaShape *LayoutRules::instruction(DotOp op, const Target &target) {
  if (op.isScaled())
    return &scaledFragmentShape();
  auto element = [](Value value) { return cast<TileType>(value.getType()).getElementType(); };
  std::optional<ElementKind> a = elementKind(element(op.getLhs()), op.getPrecision()),
                             b = elementKind(element(op.getRhs()), op.getPrecision()),
                             c = elementKind(element(op.getAcc()));
  return a && b && c ? target.findMma(*a, *b, *c) : nullptr;
}

LayoutAttr DotLayouts::of(OpOperand &operand) const {
  auto dot = cast<DotOp>(operand.getOwner());
  unsigned number = operand.getOperandNumber();
  if (number < 3)
    return number == 0 ? lhs : number == 1 ? rhs : acc;
  return dot.getLhsScale() && number == 3 ? lhsScale : rhsScale;
}

/// The extents of one product of a dot: m, n, and k of its tiles.
static std::array<int64_t, 3> extentsOf(DotOp op) {
  ArrayRef<int64_t> acc = cast<TileType>(op.getAcc().getType()).getShape();
  return {acc[acc.size() - 2], acc.back(), cast<TileType>(op.getLhs().getType()).getShape().back()};
}

DotLayouts LayoutRules::matrixLayouts(DotOp op, const MmaShape &shape) {
  auto [m, n, k] = extentsOf(op);
  ArrayRef<int64_t> extents = cast<TileType>(op.getAcc().getType()).getShape();
  /// With the batch in front, where there is one.
  auto batched = [&](const Layout &layout) {
    return attribute(extents.size() == 3 ? withBatch(layout, extents.front()) : layout);
  };
  Layout lhs = mmaOperandA(m, k, warpsM, warpsN, shape), rhs = mmaOperandB(k, n, warpsM, warpsN, shape);
  DotLayouts layouts{batched(lhs), batched(rhs), batched(mmaAccumulator(m, n, warpsM, warpsN, shape)), {}, {}};
  bool isNative = op.isScaled() && blockScaledMma(op, target);
  auto blocks = [](Value scales) { return cast<TileType>(scales.getType()).getShape().back(); };
  if (Value scales = op.getLhsScale())
    layouts.lhsScale = batched(isNative ? nativeScaleA(lhs, blocks(scales)) : scaleOperandA(lhs, blocks(scales)));
  if (Value scales = op.getRhsScale())
    layouts.rhsScale = batched(isNative ? nativeScaleB(rhs, blocks(scales)) : scaleOperandB(rhs, blocks(scales)));
  return layouts;
}

FailureOr<DotLayouts> LayoutRules::dotLayouts(DotOp op) {
  auto key = [](Value value) {
    auto type = value ? dyn_cast<TileType>(value.getType()) : TileType();
    return type ? type.withLayout({}).getAsOpaquePointer() : nullptr;
  };
  // The properties hold precision, blocks and packing.
  DotQuestion question{key(op.getLhs()), key(op.getRhs()), key(op.getAcc()), key(op.getLhsScale()),
                       key(op.getRhsScale()), op->getPropertiesAsAttribute().getAsOpaquePointer()};
  if (auto found = dots.find(question); found != dots.end())
    return found->second;
  FailureOr<DotLayouts> layouts = computeDot(op);
  if (succeeded(layouts))
    dots[question] = *layouts;
  return layouts;
}

FailureOr<DotLayouts> LayoutRules::computeDot(DotOp op) {
  auto lhs = sourceType(op), rhs = cast<TileType>(op.getRhs().getType()), acc = cast<TileType>(op.getAcc().getType());
  auto [m, n, k] = extentsOf(op);
  if (lhs.getElementType().isF32() && op.getPrecision() == Precision::IEEE) {
    // No matrix instruction multiplies f32 without rounding it first.
    Layout sums = fmaAccumulator(m, n, warpsM, warpsN);
    auto batched = [&, batch = acc.getShape().front()](const Layout &layout) {
      return attribute(acc.getShape().size() == 3 ? withBatch(layout, batch) : layout);
    };
    return DotLayouts{batched(fmaOperandA(k, sums)), batched(fmaOperandB(k, sums)), batched(sums), {}, {}};
  }
  const MmaShape *shape = instruction(op, target);
  if (op.isScaled() && k % shape->k != 0) {
    int64_t step = op.extentK() / k * shape->k;
    InFlightDiagnostic diag = op.emitOpError("expects K to be a multiple of ")
                              << step << " where operands have scales, found " << op.extentK();
    diag.attachNote() << "such products are made in steps of " << step << " along K; use tiles with a K of " << step
                      << " or another multiple of it";
    return diag;
  }
  if (shape)
    return matrixLayouts(op, *shape);
  auto a = elementKind(lhs.getElementType(), op.getPrecision()),
       b = elementKind(rhs.getElementType(), op.getPrecision()), c = elementKind(acc.getElementType());
  InFlightDiagnostic diag = op.emitOpError("has no matrix instruction on ")
                            << target.name << " for " << lhs.getElementType() << " and " << rhs.getElementType()
                            << " added up in " << acc.getElementType();
  std::string others;
  for (const Target &other : allTargets())
    if (a && b && c && other.findMma(*a, *b, *c))
      others.append(others.empty() ? "" : ", ").append(other.name);
  if (!others.empty())
    diag.attachNote() << "these targets have one: " << others;
  return diag;
}

//===----------------------------------------------------------------------===//
// Accesses to global memory
//===----------------------------------------------------------------------===//

namespace {
/// One load or store, with what both have.
struct Access {
  explicit Access(Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      view = cast<ViewType>(load.getView().getType());
      tile = cast<TileType>(load.getResult().getType());
      offsets = load.getOffsets();
    } else {
      auto store = cast<StoreOp>(op);
      view = cast<ViewType>(store.getView().getType());
      tile = cast<TileType>(store.getValue().getType());
      offsets = store.getOffsets();
    }
  }
  unsigned bits() const { return memoryBits(tile.getElementType()); }
  /// The elements that fill whole bytes.
  unsigned granule() const { return granuleOf(tile.getElementType()); }
  /// The dimension whose elements are neighbours in memory, if one is known.
  std::optional<unsigned> unitDim() const {
    for (unsigned dim = view.getStrides().size(); dim-- > 0;)
      if (view.getStrides()[dim] == 1)
        return dim;
    return std::nullopt;
  }
  ViewType view;
  TileType tile;
  OperandRange offsets{nullptr, 0};
};
} // namespace

int64_t LayoutRules::accessBytes(Operation *op) {
  Access access(op);
  return access.tile.getNumElements() * access.bits() / 8;
}

/// Dimensions from the innermost to the outermost, `first` before all others.
static SmallVector<unsigned> orderFrom(unsigned rank, std::optional<unsigned> first) {
  SmallVector<unsigned> order;
  if (first)
    order.push_back(*first);
  for (unsigned dim = rank; dim-- > 0;)
    if (first != dim)
      order.push_back(dim);
  return order;
}

LayoutAttr LayoutRules::accessLayout(Operation *op, bool exact) {
  Access access(op);
  std::optional<unsigned> unit = access.unitDim();
  // Four 6-bit elements take three accesses of as many bytes as one access to one of 8 bits: 16 are three words.
  const unsigned width = access.bits() == 6 ? 8 : access.bits(), alignment = access.view.alignmentInBytes();
  const uint64_t aligned = access.bits() == 6 ? uint64_t(alignment) * 4 * 8 : uint64_t(alignment) * 8;
  unsigned vectorBits = width;
  if (unit) {
    // 2^16 elements are more than any vector holds, so the product does not overflow.
    uint64_t divisor = facts.divisor(access.offsets[*unit]);
    uint64_t offset = std::min<uint64_t>(uint64_t(1) << 16, divisor & -divisor);
    uint64_t bits = std::min<uint64_t>(aligned, offset * width);
    vectorBits = std::clamp<uint64_t>(llvm::bit_floor(bits), width, widestVectorBits);
  }
  return distributed(access.tile.getShape(), orderFrom(access.tile.getShape().size(), unit), width, vectorBits,
                     access.granule(), exact);
}

/// How many neighbours along `dim` the lanes of a warp access with one instruction, which moves at most `widest` of a lane.
static int64_t runOf(const Layout &layout, unsigned dim, int64_t widest) {
  int64_t run = std::min<int64_t>(layout.contiguity(dim), widest);
  Basis next(layout.rank(), 0);
  for (next[dim] = run; llvm::is_contained(layout.laneBases(), next); next[dim] = run)
    run *= 2;
  return run;
}

bool LayoutRules::suitsAccess(Operation *op, LayoutAttr attr) {
  Access access(op);
  std::optional<unsigned> unit = access.unitDim();
  if (!unit)
    return true;
  const Layout &layout = layoutOf(attr, access.tile.getShape());
  if (layout.contiguity(*unit) < access.granule())
    return false;
  const bool isFew = accessBytes(op) <= fewBytes;
  if (isFew && isa<LoadOp>(op))
    return true;
  int64_t row = access.tile.getShape()[*unit] * access.bits() / 8;
  int64_t widest = std::max<int64_t>(1, widestVectorBits / access.bits());
  int64_t run = runOf(layout, *unit, widest) * access.bits() / 8, piece = layout.contiguity(*unit) * access.bits() / 8;
  if (isa<LoadOp>(op))
    return piece >= std::min<int64_t>(4, row) && run >= std::min<int64_t>(16, row);
  // A sector of the L2 cache has 32 bytes; less than that is read before it is written. Few bytes, such as the scales of
  // columns, are gathered to words only: each word less is a sector less that the cache is asked to change.
  return run >= std::min<int64_t>(isFew ? 4 : 32, row);
}

LayoutAttr LayoutRules::reorderedForAccess(Operation *op, LayoutAttr attr) {
  Access access(op);
  std::optional<unsigned> unit = access.unitDim();
  if (!unit)
    return {};
  const Layout &layout = layoutOf(attr, access.tile.getShape());
  SmallVector<Basis> first, others(layout.registerBases());
  for (int32_t next = 1;; next *= 2) {
    Basis basis(layout.rank(), 0);
    basis[*unit] = next;
    auto *found = llvm::find(others, basis);
    if (found == others.end())
      break;
    first.push_back(basis);
    others.erase(found);
  }
  first.append(others);
  std::optional<Layout> reordered =
      Layout::create(layout.extents(), first, layout.laneBases(), layout.warpBases(), layout.digits());
  assert(reordered && "the order of register bases is free");
  LayoutAttr result = attribute(*reordered);
  return suitsAccess(op, result) ? result : LayoutAttr();
}

//===----------------------------------------------------------------------===//
// Free layouts, reductions
//===----------------------------------------------------------------------===//

/// Deals `count`, a power of two, out to dimensions in the order of `dims`: each takes as much as divides what is
/// `left` of it, which becomes less, and has it multiplied into its `counts`. What no dimension takes stays.
template <typename Dims>
static void spread(int64_t count, Dims dims, MutableArrayRef<int64_t> left, MutableArrayRef<int64_t> counts) {
  for (unsigned dim : dims)
    for (; count > 1 && left[dim] > 1; count /= 2, left[dim] /= 2)
      counts[dim] *= 2;
}

/// As Layout::coalesced, but every extent is a multiple of what threads cover; lanes and warps beyond replicate.
static Layout unpadded(ArrayRef<int64_t> extents, ArrayRef<unsigned> order, unsigned elementBits, unsigned warps,
                       unsigned maxVectorBits, unsigned leastVector) {
  unsigned rank = extents.size();
  SmallVector<int64_t> perThread(rank, 1), threads(rank, 1), inWarps(rank, 1), left;
  int64_t elements = 1;
  for (int64_t extent : extents) {
    left.push_back(extent & -extent);
    elements *= extent;
  }
  int64_t share = llvm::bit_floor(uint64_t(std::max<int64_t>(1, elements / (Layout::numLanes * int64_t(warps)))));
  share = std::max<int64_t>(share, leastVector);
  perThread[order[0]] = std::min({std::max<int64_t>(maxVectorBits / elementBits, leastVector), left[order[0]], share});
  left[order[0]] /= perThread[order[0]];
  spread(Layout::numLanes, order, left, threads);
  spread(warps & -warps, llvm::reverse(order), left, inWarps);
  return Layout::blocked(extents, perThread, threads, inWarps, order, warps);
}

LayoutAttr LayoutRules::reductionLayout(ReduceOp op) {
  std::optional<int64_t> alone = elementsToReduceAlone(op);
  if (!alone || sourceType(op).getNumElements() < *alone * Layout::numLanes * warps)
    return {};
  ArrayRef<int64_t> extents = sourceType(op).getShape();
  unsigned rank = extents.size(), axis = op.getAxis(), last = rank - 1;
  SmallVector<int64_t> perThread(rank, 1), threads(rank, 1), inWarps(rank, 1), left;
  perThread[axis] = extents[axis];
  perThread[last] = 2;
  for (unsigned dim = 0; dim < rank; ++dim)
    left.push_back((extents[dim] / perThread[dim]) & -(extents[dim] / perThread[dim]));
  // The line that is reduced comes first in the registers, the axis that memory likes first among the lanes.
  SmallVector<unsigned> order{axis, last};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != axis && dim != last)
      order.push_back(dim);
  spread(Layout::numLanes, order, left, threads);
  spread(warps & -warps, llvm::reverse(order), left, inWarps);
  return attribute(Layout::blocked(extents, perThread, threads, inWarps, order, warps));
}

LayoutAttr LayoutRules::distributed(ArrayRef<int64_t> extents, ArrayRef<unsigned> order, unsigned elementBits,
                                    unsigned maxVectorBits, unsigned leastVector, bool exact) {
  Layout layout = Layout::coalesced(extents, order, elementBits, warps, maxVectorBits, leastVector);
  if (exact && layout.hasDeadPositions())
    layout = unpadded(extents, order, elementBits, warps, maxVectorBits, leastVector);
  return attribute(layout);
}

LayoutAttr LayoutRules::freeLayout(TileType type, bool exact) {
  return distributed(type.getShape(), orderFrom(type.getShape().size(), std::nullopt),
                     elementBits(type.getElementType()), widestVectorBits, /*leastVector=*/1, exact);
}

bool LayoutRules::needsExact(ReduceOp op) {
  Block &block = op.getCombine().front();
  if (op.getOperands().size() != 1 || !llvm::hasNItems(block, 2))
    return true;
  Operation *combiner = &block.front();
  return !isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp, arith::MaximumFOp, arith::MinimumFOp,
              arith::MaxNumFOp, arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
              arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner) ||
         combiner->getOperand(0) == combiner->getOperand(1) ||
         !llvm::all_of(combiner->getOperands(), [](Value v) { return isa<BlockArgument>(v); });
}

LayoutAttr LayoutRules::reducible(ReduceOp op, LayoutAttr attr) {
  auto type = sourceType(op);
  const Layout &layout = layoutOf(attr, type.getShape());
  auto moves = [&](const Basis &basis) {
    bool along = basis[op.getAxis()] != 0;
    return along && llvm::count_if(basis, [](int32_t c) { return c != 0; }) > 1;
  };
  bool separable = llvm::none_of(layout.registerBases(), moves) && llvm::none_of(layout.laneBases(), moves) &&
                   llvm::none_of(layout.warpBases(), moves);
  if (separable && !(needsExact(op) && layout.hasDeadPositions(op.getAxis())))
    return attr;
  return freeLayout(type, /*exact=*/true);
}

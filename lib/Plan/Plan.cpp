// Kernels with dots are planned for their matrix instructions: warp tiles near 64 x 64, chosen by a small cost model of
// instructions against reads of shared memory, and as many stages as shared memory allows. Other kernels get warps by
// their largest tile. What the author's schedule says replaces the choice, and the rest is chosen to fit it.
#include "lib/Plan/Plan.h"
#include "dialect/Tile.h"
#include "lib/Analysis/Reductions.h"
#include "lib/Analysis/ScaledDots.h"
#include "lib/Plan/Schedule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

FailureOr<const Target *> tile::targetOf(KernelOp kernel) {
  auto name = kernel->getParentOp() ? kernel->getParentOp()->getAttrOfType<StringAttr>("tile.target") : StringAttr();
  if (!name) {
    InFlightDiagnostic diag = kernel.emitOpError("expects its module to name a target");
    diag.attachNote() << "as in 'module attributes {tile.target = \"sm_80\"}'; known are " << targetNames();
    return diag;
  }
  if (const Target *target = lookupTarget(name.getValue()))
    return target;
  return kernel.emitOpError("expects a known target, found '") << name.getValue() << "'; known are " << targetNames();
}

void Plan::write(KernelOp kernel) const {
  kernel.setPlanned("warps", warps);
  kernel.setPlanned("warps_m", warpsM);
  kernel.setPlanned("warps_n", warpsN);
  kernel.setPlanned("stages", stages);
  kernel.setPlanned("group_m", groupM);
  if (blocksPerSM > 1)
    kernel.setPlanned("blocks_per_sm", blocksPerSM);
}

//===----------------------------------------------------------------------===//
// What a kernel does
//===----------------------------------------------------------------------===//

namespace {
/// A dot's extents, k times the batch, and the bits of a sum, times the batch too: one thread holds all of a batch.
struct DotSize {
  int64_t m, n, k;
  unsigned accBits;
};

/// The facts about a kernel that the plan rests on.
struct Workload {
  SmallVector<DotSize> dots;
  /// Whether a dot takes rows of another dot's result as its left operand.
  bool isChained = false;
  /// Whether a dot has scales that the target's instructions do not take: widened operands and partial sums need
  /// registers beside the accumulators.
  bool isEmulated = false;
  /// Bytes that the dots of loops load for one iteration.
  int64_t stageBytes = 0;
  /// The largest tile: elements, and rows where a reduction runs along the last axis (0 where none does).
  int64_t elements = 1, rows = 0;
  /// Elements that a thread needs to reduce lines of a tile alone, or 0.
  int64_t perThread = 0;
  /// The warps of the first layout that the author wrote, or 0.
  int64_t laidOutWarps = 0;
};
} // namespace

static int64_t bytesOf(TileType type) { return type.getNumElements() * elementBits(type.getElementType()) / 8; }

/// Follows elementwise and shape ops back to loads and dots, which it adds to `sources`; an op that was `seen` counts
/// once.
static void trace(Value value, DenseSet<Operation *> &seen, SmallVectorImpl<Operation *> &sources) {
  SmallVector<Value> stack{value};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<LoadOp, DotOp>(op))
      sources.push_back(op);
    else if (op->getNumRegions() == 0)
      for (Value operand : op->getOperands())
        if (isa<TileType>(operand.getType()))
          stack.push_back(operand);
  }
}

static Workload studied(KernelOp kernel, const Target &target) {
  Workload work;
  DenseSet<Operation *> seen, seenFromLeft;
  kernel.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<TileType>(result.getType())) {
        work.elements = std::max(work.elements, type.getNumElements());
        if (type.getLayout() && !work.laidOutWarps)
          work.laidOutWarps = type.distribution().numWarps();
      }
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      auto type = cast<TileType>(reduce.getOperands().front().getType());
      if (reduce.getAxis() + 1 == type.getShape().size())
        work.rows = std::max(work.rows, type.getNumElements() / type.getShape().back());
      work.perThread = std::max(work.perThread, elementsToReduceAlone(reduce).value_or(0));
    }
    auto dot = dyn_cast<DotOp>(op);
    if (!dot)
      return;
    auto lhs = cast<TileType>(dot.getLhs().getType()), acc = cast<TileType>(dot.getAcc().getType());
    ArrayRef<int64_t> shape = acc.getShape();
    int64_t batch = shape.size() == 3 ? shape.front() : 1;
    work.dots.push_back({shape[shape.size() - 2], shape.back(), lhs.getShape().back() * batch,
                         unsigned(elementBits(acc.getElementType()) * batch)});
    work.isEmulated |= dot.isScaled() && !blockScaledMma(dot, target);
    SmallVector<Operation *> sources, left;
    trace(dot.getLhs(), seenFromLeft, left);
    work.isChained |= llvm::any_of(left, [](Operation *source) { return isa<DotOp>(source); });
    for (OpOperand &operand : dot->getOpOperands())
      if (DotOp::isFactor(operand.getOperandNumber()))
        trace(operand.get(), seen, sources);
    for (Operation *source : sources)
      if (isa<LoadOp>(source) && source->getParentOfType<LoopLikeOpInterface>())
        work.stageBytes += llvm::alignTo(bytesOf(cast<TileType>(source->getResult(0).getType())), 1024);
  });
  return work;
}

//===----------------------------------------------------------------------===//
// Kernels with dots
//===----------------------------------------------------------------------===//

namespace {
/// What a split of the warps costs, in units that make instructions and reads of shared memory comparable.
struct Cost {
  int64_t total = 0, instructions = 0;
  bool operator<(const Cost &o) const { return std::tie(total, instructions) < std::tie(o.total, o.instructions); }
};
} // namespace

/// For each step of 16 along K an SM takes 2 clocks for an instruction of 16 x 8, and one for every 128 bytes, 4 rows,
/// of operands: m · n / 64 + (m + n) / 4 for each warp. Between equals, the split that pads less wins.
static Cost costOf(const DotSize &dot, int64_t warpsM, int64_t warpsN) {
  int64_t m = llvm::alignTo(llvm::divideCeil(dot.m, warpsM), 16), n = llvm::alignTo(llvm::divideCeil(dot.n, warpsN), 8);
  int64_t times = warpsM * warpsN * dot.k, instructions = times * m * n;
  return {instructions + times * 16 * (m + n), instructions};
}

/// Splits the warps over rows and columns; a chained dot wants whole rows in a warp.
static void split(Plan &plan, const Workload &work, const Schedule &wish) {
  std::optional<Cost> best;
  for (int64_t m = 1; m <= plan.warps; m *= 2) {
    int64_t n = plan.warps / m;
    if (plan.warps % m != 0 || (wish.warpsM && *wish.warpsM != m) || (wish.warpsN && *wish.warpsN != n) ||
        (work.isChained && n != 1 && !wish.warpsM && !wish.warpsN))
      continue;
    Cost sum;
    for (const DotSize &dot : work.dots) {
      Cost cost = costOf(dot, m, n);
      sum.total += cost.total;
      sum.instructions += cost.instructions;
    }
    if (best && !(sum < *best))
      continue;
    best = sum;
    plan.warpsM = m;
    plan.warpsN = n;
  }
}

/// One warp for 64 x 64 accumulators of 32 bits, half of that where scaled operands are widened; at least 4 warps where each still has 16 x 16, at most 8. Chained dots
/// hold all their accumulators at once, and no warp can have less than 16 of their rows.
static int64_t warpsForDots(const Workload &work) {
  int64_t together = 0, most = 8, warps = 1;
  for (const DotSize &dot : work.dots) {
    int64_t elements = dot.m * dot.n * dot.accBits / 32;
    together = work.isChained ? together + elements : std::max(together, elements);
    if (work.isChained)
      most = std::clamp<int64_t>(llvm::bit_floor(uint64_t(dot.m / 16)), 1, most);
    warps = std::max(warps, std::min<int64_t>(4, llvm::bit_floor(uint64_t(std::max<int64_t>(1, elements / 256)))));
  }
  int64_t perWarp = work.isEmulated ? 64 * 32 : 64 * 64;
  return std::min(most, std::max<int64_t>(warps, llvm::PowerOf2Ceil(llvm::divideCeil(together, perWarp))));
}

/// As deep as shared memory allows, 2 to 4; up to 4 warps leave room for a second block on the SM.
static int64_t stagesFor(const Workload &work, int64_t warps, const Target &target) {
  if (work.stageBytes == 0)
    return 1;
  int64_t half = target.sharedPerSM / 2 - target.sharedReservedPerBlock, whole = target.sharedPerBlock;
  int64_t stages = std::clamp<int64_t>((warps <= 4 ? half : whole) / work.stageBytes, 2, 4);
  return std::max<int64_t>(1, std::min(stages, whole / work.stageBytes));
}

//===----------------------------------------------------------------------===//
// Kernels without dots
//===----------------------------------------------------------------------===//

/// 16 elements for each thread of 4 to 16 warps, fewer warps for tiny tiles; where rows are reduced, whole rows in a
/// warp as long as no thread has more than 64 elements.
static int64_t warpsForElements(const Workload &work) {
  auto byElements = [&](int64_t perThread) {
    return int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(1, work.elements / (32 * perThread)))));
  };
  int64_t warps = std::clamp<int64_t>(byElements(16), std::min<int64_t>(4, byElements(1)), 16);
  if (work.rows > 1 && work.rows < warps)
    warps = std::max(std::max<int64_t>(llvm::bit_floor(uint64_t(work.rows)), std::min<int64_t>(warps, 4)),
                     std::min<int64_t>(warps, byElements(64)));
  if (work.perThread)
    warps = std::min(warps, byElements(work.perThread));
  return warps;
}

FailureOr<Plan> tile::choosePlan(KernelOp kernel, const Target &target) {
  FailureOr<Schedule> wish = Schedule::read(kernel, target);
  if (failed(wish))
    return failure();
  Workload work = studied(kernel, target);
  bool hasDots = !work.dots.empty();
  Plan plan;
  int64_t warps = work.laidOutWarps ? work.laidOutWarps : hasDots ? warpsForDots(work) : warpsForElements(work);
  plan.warps = wish->warps.value_or(warps);
  // One side of the split alone may ask for more warps than there would be.
  plan.warps = std::max({plan.warps, wish->warpsM.value_or(1), wish->warpsN.value_or(1)});
  plan.warpsM = plan.warps;
  plan.warpsN = 1;
  if (hasDots || wish->warpsM || wish->warpsN)
    split(plan, work, *wish);
  plan.stages = wish->stages.value_or(hasDots ? stagesFor(work, plan.warps, target) : 1);
  plan.blocksPerSM = wish->blocksPerSM.value_or(1);
  plan.groupM = wish->groupM.value_or(hasDots && kernel.getSteps().size() >= 2 ? 8 : 1);
  return plan;
}

// Shared memory is the scarcest memory of a block, and most buffers live briefly. The largest buffer is placed first, each
// at the lowest cost: in the smallest gap, between buffers that are alive with it, that is large enough; else after them.
// Sizes, then program order, decide, so that the same kernel gets the same offsets.
#include "lib/Analysis/SharedLiveness.h"
#include "lib/Target/Target.h"
#include "lib/Analysis/Scratch.h"
#include "lib/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILEALLOCATESHAREDPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// The offset for `need` beside those that are placed: best fit.
static int64_t placeBeside(const SharedNeed &need, ArrayRef<std::pair<SharedNeed, int64_t>> placed) {
  // The taken bytes, by offset.
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (const auto &[other, offset] : placed)
    if (need.overlaps(other))
      taken.push_back({offset, offset + other.bytes});
  llvm::sort(taken);
  int64_t free = 0, best = -1, bestGap = 0;
  for (auto [begin, end] : taken) {
    int64_t offset = llvm::alignTo(free, need.alignment), gap = begin - free;
    if (offset + need.bytes <= begin && (best < 0 || gap < bestGap)) {
      best = offset;
      bestGap = gap;
    }
    free = std::max(free, end);
  }
  return best < 0 ? static_cast<int64_t>(llvm::alignTo(free, need.alignment)) : best;
}

/// Places everything; returns the bytes in use.
static int64_t placeAll(MutableArrayRef<SharedNeed> needs) {
  SmallVector<SharedNeed> bySize(needs);
  llvm::stable_sort(bySize, [](const SharedNeed &a, const SharedNeed &b) { return a.bytes > b.bytes; });
  SmallVector<std::pair<SharedNeed, int64_t>> placed;
  int64_t total = 0;
  for (SharedNeed &need : bySize) {
    int64_t offset = placeBeside(need, placed);
    need.setOffset(offset);
    placed.push_back({need, offset});
    total = std::max(total, offset + need.bytes);
  }
  return total;
}

/// What a need is called in a diagnostic.
static std::string describe(const SharedNeed &need) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<ReduceOp>(need.op))
    os << "scratch of a reduction";
  else if (isa<ChannelCreateOp>(need.op))
    os << "channel of type '" << need.op->getResult(0).getType() << "'";
  else
    os << "buffer of type '" << need.op->getResult(0).getType() << "'";
  return text;
}

static LogicalResult checkBudget(KernelOp kernel, ArrayRef<SharedNeed> needs, int64_t total) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto name = module ? module->getAttrOfType<StringAttr>("tile.target") : StringAttr();
  const Target *target = name ? lookupTarget(name.getValue()) : nullptr;
  if (name && !target)
    return kernel.emitOpError("expects a target of ") << targetNames() << ", found '" << name.getValue() << "'";
  if (!target || total <= target->sharedPerBlock)
    return success();
  InFlightDiagnostic diag = kernel.emitOpError("needs ")
                            << total << " bytes of shared memory, but a block has at most " << target->sharedPerBlock
                            << " on " << target->name;
  for (const SharedNeed &need : needs)
    diag.attachNote(need.op->getLoc()) << need.bytes << " bytes at offset " << *need.offset() << ": " << describe(need);
  diag.attachNote() << "use fewer stages in 'schedule', or smaller tiles";
  return failure();
}

namespace {
struct AllocateSharedPass : public tile::impl::TileAllocateSharedPassBase<AllocateSharedPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyReductionsLaidOut(kernel)))
      return signalPassFailure();
    SmallVector<SharedNeed> needs = sharedNeeds(kernel);
    int64_t total = placeAll(needs);
    kernel->setAttr("shared_bytes", IntegerAttr::get(IntegerType::get(&getContext(), 64), total));
    if (failed(checkBudget(kernel, needs, total)))
      signalPassFailure();
  }
};
} // namespace

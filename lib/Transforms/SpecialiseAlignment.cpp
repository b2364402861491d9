// The widest accesses and the cheapest index arithmetic need facts that only the launch knows: that bases and strides are
// multiples of 16 bytes, and that no index exceeds 31 bits. Instead of testing in the kernel, two kernels are made, one of
// which believes in these facts, and the launch header tests once per launch.
#include "lib/Transforms/Passes.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILESPECIALISEALIGNMENTPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// 2³¹ - 1, less what offsets may run ahead of a loop's bound.
static constexpr int64_t maxIndex = (int64_t(1) << 31) - 1 - (int64_t(1) << 20);
/// The widest access, in bytes.
static constexpr unsigned accessBytes = 16;
static constexpr StringLiteral generalSuffix = "__general";

/// Ops that look a view's type up where they use it; others (carried and selected views) fix the type.
static bool takesAnyView(Operation *op) {
  if (auto packed = dyn_cast<PackedViewOp>(op))
    return llvm::all_of(packed.getResult().getUsers(), takesAnyView);
  return isa<LoadOp, StoreOp, DimOp, CopyAsyncOp>(op);
}

/// Bytes of the widest access that the tiles of a view can use: what is asked of a launch beyond that would only send more
/// of them to the general variant. A row of four scales needs no more than 4.
static unsigned usefulAlignment(Value view) {
  auto type = cast<ViewType>(view.getType());
  std::optional<unsigned> axis = type.contiguousAxis();
  unsigned useful = type.alignmentInBytes();
  for (Operation *user : view.getUsers()) {
    if (auto packed = dyn_cast<PackedViewOp>(user))
      useful = std::max(useful, usefulAlignment(packed.getResult()));
    for (Type value : llvm::concat<const Type>(user->getOperandTypes(), user->getResultTypes()))
      if (auto tile = dyn_cast<ShapedType>(value); axis && isa_and_nonnull<TileType, SharedType>(tile)) {
        int64_t bytes = std::max<int64_t>(1, tile.getShape()[*axis] * memoryBits(type.getElementType()) / 8);
        useful = std::max<int64_t>(useful, std::min<int64_t>(accessBytes, bytes & -bytes));
      }
  }
  return useful;
}

/// Lets a view and the views of its bytes promise alignment.
static void promiseAlignment(Value view, unsigned bytes) {
  view.setType(cast<ViewType>(view.getType()).withAlignment(bytes));
  for (Operation *user : view.getUsers())
    if (auto packed = dyn_cast<PackedViewOp>(user))
      promiseAlignment(packed.getResult(), bytes);
}

/// Lets every view of the kernel promise alignment.
static void promiseAlignment(KernelOp kernel) {
  for (BlockArgument argument : kernel.getKernelArguments()) {
    bool isView = isa<ViewType>(argument.getType());
    BlockArgument inSpace = kernel.getSpace().getArgument(argument.getArgNumber());
    if (!isView || !llvm::all_of(argument.getUsers(), takesAnyView) || !llvm::all_of(inSpace.getUsers(), takesAnyView))
      continue;
    unsigned bytes = usefulAlignment(argument);
    promiseAlignment(argument, bytes);
    promiseAlignment(inSpace, bytes);
  }
}

namespace {
struct SpecialiseAlignmentPass : public tile::impl::TileSpecialiseAlignmentPassBase<SpecialiseAlignmentPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (KernelOp kernel : llvm::to_vector(module.getOps<KernelOp>())) {
      if (kernel->hasAttr("max_index") || kernel.getSymName().ends_with(generalSuffix))
        continue;
      std::string generalName = (kernel.getSymName() + generalSuffix).str();
      if (Operation *other = SymbolTable::lookupSymbolIn(module, generalName)) {
        InFlightDiagnostic diag = kernel.emitOpError("expects '") << generalName << "' to be free for its general "
                                                                                    "variant";
        diag.attachNote(other->getLoc()) << "it is defined here; give it another name";
        return signalPassFailure();
      }
      OpBuilder builder(kernel);
      builder.setInsertionPointAfter(kernel);
      auto general = cast<KernelOp>(builder.clone(*kernel));
      general.setSymName(generalName);
      promiseAlignment(kernel);
      kernel->setAttr("max_index", builder.getI64IntegerAttr(maxIndex));
    }
  }
};
} // namespace

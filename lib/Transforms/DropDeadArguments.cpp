// One text describes a kernel with and without an optional operand: a parameter decides, folding removes the uses, and the
// argument that is left over must not stay in the launcher's signature. Removing it here, before anything counts
// arguments, leaves one place that knows: `dropped_arguments`, which the sidecar repeats.
#include "lib/Transforms/Passes.h"

namespace mlir::tile {
#define GEN_PASS_DEF_TILEDROPDEADARGUMENTSPASS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

namespace {
struct DropDeadArgumentsPass : public tile::impl::TileDropDeadArgumentsPassBase<DropDeadArgumentsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    unsigned count = kernel.getNumKernelArguments();
    // Coordinates follow the arguments in the body and always stay.
    llvm::BitVector dead(count + kernel.getSteps().size());
    for (unsigned i = 0; i < count; ++i)
      if (kernel.getBody().getArgument(i).use_empty() && kernel.getSpace().getArgument(i).use_empty())
        dead.set(i);
    if (dead.none())
      return;

    Builder builder(&getContext());
    SmallVector<Attribute> kept, dropped;
    if (auto before = kernel->getAttrOfType<ArrayAttr>("dropped_arguments"))
      llvm::append_range(dropped, before);
    for (unsigned i = 0; i < count; ++i) {
      Attribute name = kernel.getArgNames()[i];
      if (dead.test(i))
        dropped.push_back(builder.getArrayAttr({name, TypeAttr::get(kernel.getBody().getArgument(i).getType())}));
      else
        kept.push_back(name);
    }
    kernel.getBody().front().eraseArguments(dead);
    dead.resize(count);
    kernel.getSpace().front().eraseArguments(dead);
    kernel.setArgNamesAttr(builder.getArrayAttr(kept));
    kernel->setAttr("dropped_arguments", builder.getArrayAttr(dropped));
  }
};
} // namespace

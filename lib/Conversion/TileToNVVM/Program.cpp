// A kernel's frame: parameters and views of them, which program this block is, and facts about arguments.
#include "lib/Conversion/TileToNVVM/PackedElements.h"

using namespace mlir;
using namespace mlir::tile;

Emitter::Emitter(KernelOp kernel, const Target &target, LLVM::LLVMFuncOp function, LLVM::GlobalOp sharedMemory)
    : kernel(kernel), target(target), facts(kernel), b(kernel.getLoc(), kernel.getContext()), function(function),
      sharedMemory(sharedMemory), warps(kernel.planned("warps", 4)) {}

LogicalResult Emitter::run() {
  prologue = function.addEntryBlock(b);
  Block *body = b.createBlock(&function.getBody());
  b.setInsertionPointToStart(prologue);
  LLVM::BrOp::create(b, body);
  b.setInsertionPoint(prologue->getTerminator());
  if (failed(emitParameters()) || failed(emitCoordinates()))
    return failure();
  b.setInsertionPointToStart(body);
  if (failed(emitBlock(kernel.getBody().front())))
    return failure();
  LLVM::ReturnOp::create(b, ValueRange());
  return success();
}

LogicalResult Emitter::emitParameters() {
  unsigned next = 0;
  auto parameter = [&]() -> Value { return function.getArgument(next++); };
  Block &space = kernel.getSpace().front();
  for (BlockArgument argument : kernel.getKernelArguments()) {
    Value inSpace = space.getArgument(argument.getArgNumber());
    auto type = dyn_cast<ViewType>(argument.getType());
    if (!type) {
      Value value = parameter();
      set(inSpace, argument.getType().isIndex() ? resize(value, facts.fits32(inSpace) ? 32 : 64) : value);
      if (argument.getType().isIndex())
        value = resize(value, facts.fits32(argument) ? 32 : 64);
      set(argument, value);
      continue;
    }
    function.setArgAttr(next, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(type.alignmentInBytes()));
    View view;
    view.type = type;
    view.pointer = parameter();
    for (auto [sizes, values] :
         {std::pair(type.getShape(), &view.extents), std::pair(type.getStrides(), &view.strides)})
      for (int64_t size : sizes)
        values->push_back(ShapedType::isDynamic(size) ? parameter() : i64(size));
    views[argument] = view;
    views[inSpace] = view;
  }
  return success();
}

/// The linear block number becomes coordinates. The last two coordinates are walked in groups: `group_m` tiles along the
/// second-last before the next along the last, so that blocks that run together share rows and columns in L2. Coordinates
/// before those are outermost.
LogicalResult Emitter::emitCoordinates() {
  Block &space = kernel.getSpace().front();
  if (failed(emitBlock(space)))
    return failure();
  b.setLoc(kernel.getLoc());
  auto extents = cast<ExtentsOp>(space.getTerminator()).getExtents();
  ArrayRef<int64_t> steps = kernel.getSteps();
  unsigned rank = steps.size();

  SmallVector<Value> counts, programs(rank);
  for (auto [extent, step] : llvm::zip(extents, steps)) {
    Value value = scalar(extent);
    Type type = value.getType();
    if (step != 1)
      value = LLVM::UDivOp::create(b, add(value, constant(type, step - 1)), constant(type, step));
    counts.push_back(resize(value, 32));
  }
  auto divide = [&](Value x, Value y) -> Value { return LLVM::UDivOp::create(b, x, y); };
  auto remainder = [&](Value x, Value quotient, Value y) -> Value {
    return LLVM::SubOp::create(b, x, mul(quotient, y));
  };
  Value rest = NVVM::BlockIdXOp::create(b, b.getI32Type());
  int64_t group = kernel.planned("group_m", 1);
  // Outer coordinates first: how many programs one step of each is.
  unsigned outer = rank >= 2 ? rank - 2 : 0;
  for (unsigned d = 0; d < outer; ++d) {
    Value stride = counts[d + 1];
    for (unsigned e = d + 2; e < rank; ++e)
      stride = mul(stride, counts[e]);
    programs[d] = divide(rest, stride);
    rest = remainder(rest, programs[d], stride);
  }
  if (rank == 1) {
    programs[0] = rest;
  } else if (group <= 1) {
    programs[outer] = divide(rest, counts[outer + 1]);
    programs[outer + 1] = remainder(rest, programs[outer], counts[outer + 1]);
  } else {
    // Example, group 2 over 3 x 4 tiles: (0,0) (1,0) (0,1) (1,1) … (0,3) (1,3), then the group of one row: (2,0) … (2,3).
    Value width = mul(i32(group), counts[outer + 1]);
    Value groupNumber = divide(rest, width);
    Value inGroup = remainder(rest, groupNumber, width);
    Value first = mul(groupNumber, i32(group));
    Value left = LLVM::SubOp::create(b, counts[outer], first);
    Value rows = LLVM::UMinOp::create(b, left, i32(group));
    programs[outer + 1] = divide(inGroup, rows);
    programs[outer] = add(first, remainder(inGroup, programs[outer + 1], rows));
  }
  for (auto [coordinate, program, step] : llvm::zip(kernel.getCoordinates(), programs, steps)) {
    unsigned bits = facts.fits32(coordinate) ? 32 : 64;
    set(coordinate, mul(resize(program, bits), constant(b.getIntegerType(bits), step)));
  }
  return success();
}

void Emitter::emitPackedView(PackedViewOp op) {
  View packed = view(op.getView());
  unsigned contiguous = *packed.type.contiguousAxis(), bits = memoryBits(packed.type.getElementType());
  packed.type = cast<ViewType>(op.getResult().getType());
  auto halve = [&](Value count) { return inPrologue([&]() { return packedBytes(*this, count, bits); }); };
  packed.extents[contiguous] = halve(packed.extents[contiguous]);
  for (auto [dim, stride] : llvm::enumerate(packed.strides))
    if (dim != contiguous)
      stride = halve(stride);
  views[op.getResult()] = packed;
}

LogicalResult Emitter::emitProgram(Operation *op, bool &handled) {
  if (auto dim = dyn_cast<DimOp>(op)) {
    set(dim.getExtent(), resize(view(dim.getView()).extents[dim.getAxis()], facts.fits32(dim.getExtent()) ? 32 : 64));
    handled = true;
  } else if (auto assume = dyn_cast<AssumeOp>(op)) {
    set(assume.getResult(), index(assume.getValue(), facts.fits32(assume.getResult()) ? 32 : 64));
    handled = true;
  } else if (auto packed = dyn_cast<PackedViewOp>(op)) {
    emitPackedView(packed);
    handled = true;
  }
  return success();
}

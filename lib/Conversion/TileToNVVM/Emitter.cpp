// The pass, and the parts of emission that all op families share: values, constants, small arithmetic.
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "dialect/ElementwiseList.h"

namespace mlir::tile {
#define GEN_PASS_DEF_CONVERTTILETONVVMPASS
#include "lib/Conversion/TileToNVVM/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const Fragment &Emitter::get(Value value) {
  auto found = fragments.find(value);
  assert(found != fragments.end() && "value used before it was emitted");
  return found->second;
}

void Emitter::set(Value value, Fragment fragment) { fragments[value] = std::move(fragment); }

Value Emitter::index(Value value, unsigned bits) { return resize(scalar(value), bits); }

Type Emitter::elementType(Type type) const {
  if (isStorageType(type))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

Type Emitter::scalarType(Value value) {
  Type type = value.getType();
  if (type.isIndex())
    return IntegerType::get(type.getContext(), facts.fits32(value) ? 32 : 64);
  return elementType(type);
}

unsigned Emitter::lanesOf(TileType type) {
  return lanesOf(type.getElementType(), type.distribution().numRegisters());
}

unsigned Emitter::lanesOf(Type element, unsigned registers) {
  unsigned bits = element.isInteger(1) ? 32 : elementBits(element);
  unsigned lanes = std::max(1u, 32 / bits);
  while (registers % lanes != 0)
    lanes /= 2;
  return lanes;
}

Type Emitter::wordType(Type element, unsigned lanes) const {
  element = elementType(element);
  return lanes == 1 ? element : VectorType::get({lanes}, element);
}

SmallVector<Type> Emitter::wordTypes(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  if (!tile)
    return {scalarType(value)};
  unsigned lanes = lanesOf(tile);
  return SmallVector<Type>(tile.distribution().numRegisters() / lanes, wordType(tile.getElementType(), lanes));
}

SmallVector<Value> Emitter::elements(const Fragment &fragment) {
  if (fragment.lanes == 1)
    return fragment.words;
  SmallVector<Value> result;
  result.reserve(fragment.size());
  for (Value word : fragment.words)
    for (unsigned i = 0; i < fragment.lanes; ++i)
      result.push_back(LLVM::ExtractElementOp::create(b, word, i32(i)));
  return result;
}

Fragment Emitter::pack(ArrayRef<Value> elements, unsigned lanes) {
  Fragment result;
  result.lanes = lanes;
  if (lanes == 1) {
    result.words.assign(elements.begin(), elements.end());
    return result;
  }
  for (size_t i = 0; i < elements.size(); i += lanes) {
    Value word = LLVM::UndefOp::create(b, VectorType::get({lanes}, elements[i].getType()));
    for (unsigned j = 0; j < lanes; ++j)
      word = LLVM::InsertElementOp::create(b, word, elements[i + j], i32(j));
    result.words.push_back(word);
  }
  return result;
}

Fragment Emitter::permute(const Fragment &source, ArrayRef<unsigned> registers, unsigned lanes) {
  // Whole words move as they are; only where words break up are elements unpacked.
  if (lanes == source.lanes) {
    Fragment result;
    result.lanes = lanes;
    for (size_t i = 0; i < registers.size() && registers[i] % lanes == 0; i += lanes) {
      bool whole = true;
      for (unsigned j = 0; j < lanes; ++j)
        whole &= registers[i + j] == registers[i] + j;
      if (!whole)
        break;
      result.words.push_back(source.words[registers[i] / lanes]);
    }
    if (result.size() == registers.size())
      return result;
  }
  SmallVector<Value> all = elements(source), picked;
  for (unsigned reg : registers)
    picked.push_back(all[reg]);
  return pack(picked, lanes);
}

//===----------------------------------------------------------------------===//
// Small arithmetic
//===----------------------------------------------------------------------===//

Value Emitter::inPrologue(function_ref<Value()> emit) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(prologue->getTerminator());
  return emit();
}

Value Emitter::constant(Type type, int64_t value) {
  Value &known = constants[{type, value}];
  if (!known)
    known = inPrologue([&]() -> Value {
      return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
    });
  return known;
}

Value Emitter::floatConstant(Type type, double value) {
  return LLVM::ConstantOp::create(b, type, b.getFloatAttr(type, value));
}

static std::optional<int64_t> constantOf(Value value) {
  if (auto constant = value.getDefiningOp<LLVM::ConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return integer.getValue().getSExtValue();
  return std::nullopt;
}

Value Emitter::add(Value x, Value y) {
  std::optional<int64_t> cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(x.getType(), *cx + *cy);
  if (cx == 0)
    return y;
  if (cy == 0)
    return x;
  return LLVM::AddOp::create(b, x, y, LLVM::IntegerOverflowFlags::nsw);
}

Value Emitter::mul(Value x, Value y) {
  std::optional<int64_t> cx = constantOf(x), cy = constantOf(y);
  if (cx && cy)
    return constant(x.getType(), *cx * *cy);
  if (cx == 1 || cy == 0)
    return y;
  if (cy == 1 || cx == 0)
    return x;
  return LLVM::MulOp::create(b, x, y, LLVM::IntegerOverflowFlags::nsw);
}

Value Emitter::both(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return LLVM::AndOp::create(b, x, y);
}

Value Emitter::resize(Value x, unsigned bits) {
  unsigned width = x.getType().getIntOrFloatBitWidth();
  Type type = b.getIntegerType(bits);
  if (width == bits)
    return x;
  if (std::optional<int64_t> known = constantOf(x))
    return constant(type, *known);
  if (width < bits)
    return LLVM::SExtOp::create(b, type, x);
  return LLVM::TruncOp::create(b, type, x);
}

Value Emitter::permuteBytes(Value x, Value y, int64_t selector) {
  return intrinsic("llvm.nvvm.prmt", b.getI32Type(), {x, y, i32(selector)});
}

Value Emitter::intrinsic(StringRef name, Type result, ValueRange operands) {
  auto call = LLVM::CallIntrinsicOp::create(b, result ? TypeRange(result) : TypeRange(), b.getStringAttr(name),
                                            operands, LLVM::FastmathFlagsAttr::get(b.getContext(), {}));
  return result ? call.getResults() : Value();
}

Value Emitter::inlinePtx(StringRef text, StringRef constraints, Type result, ValueRange operands, bool volatile_) {
  auto op = LLVM::InlineAsmOp::create(b, result ? TypeRange(result) : TypeRange(), operands, text, constraints,
                                      volatile_, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
  return result ? op.getResult(0) : Value();
}

Value Emitter::member(Value aggregate, unsigned index) {
  return LLVM::ExtractValueOp::create(b, aggregate, ArrayRef<int64_t>(index));
}

void Emitter::barrier() { intrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", Type(), i32(0)); }

//===----------------------------------------------------------------------===//
// Blocks and ops
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break; // its parent's family takes it
    if (failed(emitOp(&op)))
      return failure();
  }
  return success();
}

LogicalResult Emitter::emitOp(Operation *op) {
  b.setLoc(op->getLoc());
  if (auto cast = dyn_cast<CastOp>(op))
    return emitCast(cast);
  if (auto dot = dyn_cast<DotOp>(op))
    return emitDot(dot);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return emitReduce(reduce);
  if (auto relayout = dyn_cast<RelayoutOp>(op))
    return emitRelayout(relayout);
  if (auto bitcast = dyn_cast<BitcastOp>(op))
    return emitBitcast(bitcast);
  if (auto pack = dyn_cast<PackPairsOp>(op))
    return emitPackPairs(pack);
  using Family = LogicalResult (Emitter::*)(Operation *, bool &);
  for (Family family : {&Emitter::emitElementwise, &Emitter::emitGlobal, &Emitter::emitShared, &Emitter::emitShape,
                        &Emitter::emitControlFlow, &Emitter::emitProgram, &Emitter::emitScalarCast}) {
    bool handled = false;
    if (failed((this->*family)(op, handled)))
      return failure();
    if (handled)
      return success();
  }
  return op->emitOpError("has no lowering to ") << target.name;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The parameters' types: see lib/Codegen/KernelInterface.h.
static SmallVector<Type> parameterTypes(KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  Type i64 = IntegerType::get(context, 64);
  SmallVector<Type> types;
  for (BlockArgument argument : kernel.getKernelArguments()) {
    auto view = dyn_cast<ViewType>(argument.getType());
    if (!view) {
      Type type = argument.getType();
      types.push_back(type.isIndex() ? i64 : isStorageType(type) ? IntegerType::get(context, 8) : type);
      continue;
    }
    types.push_back(LLVM::LLVMPointerType::get(context, 1));
    for (ArrayRef<int64_t> sizes : {view.getShape(), view.getStrides()})
      types.append(llvm::count(sizes, ShapedType::kDynamic), i64);
  }
  return types;
}

static LLVM::LLVMFuncOp declareKernel(OpBuilder &builder, KernelOp kernel) {
  MLIRContext *context = builder.getContext();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), parameterTypes(kernel));
  auto function = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernel.getSymName(), type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  int32_t threads = 32 * kernel.planned("warps", 4);
  function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), builder.getDenseI32ArrayAttr({threads}));
  // Bounds registers so that this many blocks fit on an SM at once; 1 leaves ptxas free.
  if (int64_t blocks = kernel.planned("blocks_per_sm", 1); blocks > 1)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(blocks));
  return function;
}

/// Refuses what an earlier pass should have done away with, so that emission may rely on it.
static LogicalResult checkPrepared(KernelOp kernel) {
  if (failed(verifyMicroscalingLowered(kernel)) || failed(verifyViewsAreArguments(kernel)))
    return failure();
  WalkResult result = kernel.getBody().walk([&](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<TileType>(type); tile && !tile.getLayout())
        return op->emitOpError("expects tiles with layouts, found ") << tile << "; run 'tile-assign-layouts' first";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertTileToNVVM : tile::impl::ConvertTileToNVVMPassBase<ConvertTileToNVVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto name = module->getAttrOfType<StringAttr>("tile.target");
    const Target *target = lookupTarget(name ? name.getValue() : "sm_80");
    if (!target) {
      module.emitError("expected tile.target to be one of ") << targetNames() << ", found " << name;
      return signalPassFailure();
    }
    OpBuilder builder(module.getBodyRegion());
    LLVM::GlobalOp shared;
    for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>())) {
      if (failed(checkPrepared(kernel)))
        return signalPassFailure();
      if (!shared) {
        // Dynamic shared memory; its size is the launcher's business.
        auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
        builder.setInsertionPointToStart(module.getBody());
        shared = LLVM::GlobalOp::create(builder, kernel.getLoc(), bytes, /*isConstant=*/false, LLVM::Linkage::External,
                                        "tile_shared_memory", Attribute(), /*alignment=*/1024, /*addrSpace=*/3);
      }
      builder.setInsertionPoint(kernel);
      LLVM::LLVMFuncOp function = declareKernel(builder, kernel);
      if (failed(Emitter(kernel, *target, function, shared).run()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace

// Kernel ops become the plain data of KernelInterface.h. The only computation is the program space: its region of index
// arithmetic becomes infix text.
#include "lib/Pipeline/DescribeKernels.h"
#include "dialect/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr StringLiteral generalSuffix = "__general";

/// An index value of the program space as text in the grammar of KernelInterface.h.
static FailureOr<std::string> expressionOf(KernelOp kernel, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return kernel.argumentName(argument.getArgNumber()).str();
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return std::to_string(integer.getInt());
  if (auto dim = dyn_cast<DimOp>(op)) {
    auto view = cast<BlockArgument>(dim.getView());
    return ("dim(" + kernel.argumentName(view.getArgNumber()) + ", " + Twine(dim.getAxis()) + ")").str();
  }
  if (auto assume = dyn_cast<AssumeOp>(op))
    return expressionOf(kernel, assume.getValue());
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return expressionOf(kernel, op->getOperand(0));
  if (op->getNumOperands() == 2) {
    FailureOr<std::string> x = expressionOf(kernel, op->getOperand(0)), y = expressionOf(kernel, op->getOperand(1));
    if (failed(x) || failed(y))
      return failure();
    auto infix = [&](StringRef sign) { return "(" + *x + " " + sign.str() + " " + *y + ")"; };
    auto call = [&](StringRef name) { return name.str() + "(" + *x + ", " + *y + ")"; };
    // Extents are not negative, so signed, unsigned and floor division agree.
    if (isa<arith::AddIOp>(op))
      return infix("+");
    if (isa<arith::SubIOp>(op))
      return infix("-");
    if (isa<arith::MulIOp>(op))
      return infix("*");
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
      return call("floordiv");
    if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      return call("ceildiv");
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return call("mod");
    if (isa<arith::MinSIOp, arith::MinUIOp>(op))
      return call("min");
    if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
      return call("max");
  }
  op->emitOpError("has no form on the host; a program space may use +, -, *, divisions, remainders, minimum and maximum "
                  "of extents, index arguments and constants");
  return failure();
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static KernelArgument describeArgument(StringRef name, Type type) {
  KernelArgument result;
  result.name = name.str();
  auto view = dyn_cast<ViewType>(type);
  if (!view) {
    result.kind = KernelArgument::Kind::Scalar;
    result.elementType = textOf(type);
    return result;
  }
  auto sizes = [](ArrayRef<int64_t> from, std::vector<std::optional<int64_t>> &to) {
    for (int64_t size : from)
      to.push_back(ShapedType::isDynamic(size) ? std::nullopt : std::optional(size));
  };
  result.elementType = textOf(view.getElementType());
  sizes(view.getShape(), result.extents);
  sizes(view.getStrides(), result.strides);
  result.alignBytes = view.getAlignment();
  return result;
}

/// Whether a store goes to the view, or to one that an op makes of it.
static bool isWritten(Value view) {
  return llvm::any_of(view.getUsers(), [](Operation *op) {
    return isa<StoreOp, MxStoreOp, StoreScalesOp>(op) ||
           (isa<MxViewOp, PackedViewOp>(op) && isWritten(op->getResult(0)));
  });
}

static FailureOr<KernelInterface> describeKernel(KernelOp kernel, StringRef name) {
  KernelInterface result;
  result.name = name.str();
  for (BlockArgument argument : kernel.getKernelArguments()) {
    result.arguments.push_back(describeArgument(kernel.argumentName(argument.getArgNumber()), argument.getType()));
    result.arguments.back().readOnly = isa<ViewType>(argument.getType()) && !isWritten(argument);
  }
  if (auto dropped = kernel->getAttrOfType<ArrayAttr>("dropped_arguments"))
    for (Attribute entry : dropped) {
      auto pair = cast<ArrayAttr>(entry);
      result.arguments.push_back(
          describeArgument(cast<StringAttr>(pair[0]).getValue(), cast<TypeAttr>(pair[1]).getValue()));
      result.arguments.back().dead = true;
    }
  KernelConfiguration configuration;
  auto extents = cast<ExtentsOp>(kernel.getSpace().front().getTerminator());
  for (auto [extent, step] : llvm::zip(extents.getExtents(), kernel.getSteps())) {
    FailureOr<std::string> text = expressionOf(kernel, extent);
    if (failed(text))
      return failure();
    configuration.space.extents.push_back(*text);
    configuration.space.steps.push_back(step);
  }
  result.configurations.push_back(configuration);
  return result;
}

static KernelVariant describeVariant(KernelOp kernel) {
  KernelVariant variant;
  variant.symbol = kernel.getSymName().str();
  variant.threads = 32 * kernel.planned("warps", 4);
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>("shared_bytes"))
    variant.sharedBytes = bytes.getInt();
  if (auto limit = kernel->getAttrOfType<IntegerAttr>("max_index")) {
    variant.maxIndex = limit.getInt();
    bool areEqual = true;
    for (BlockArgument argument : kernel.getKernelArguments()) {
      auto view = dyn_cast<ViewType>(argument.getType());
      variant.alignments.push_back(view ? view.alignmentInBytes() : 0);
      variant.alignBytes = std::max(variant.alignBytes, variant.alignments.back());
    }
    for (auto [argument, bytes] : llvm::zip(kernel.getKernelArguments(), variant.alignments))
      areEqual &= !isa<ViewType>(argument.getType()) || bytes == variant.alignBytes;
    if (areEqual)
      variant.alignments.clear();
  }
  return variant;
}

FailureOr<std::vector<std::pair<KernelInterface, std::vector<KernelVariant>>>>
tile::describeKernels(ModuleOp planned) {
  // The general variant holds the types that the author declared, so the interface is taken from it.
  llvm::MapVector<StringRef, std::vector<KernelVariant>> variants;
  std::map<StringRef, KernelOp> declared;
  for (KernelOp kernel : planned.getOps<KernelOp>()) {
    StringRef name = kernel.getSymName();
    name.consume_back(generalSuffix);
    variants[name].push_back(describeVariant(kernel));
    if (!kernel->hasAttr("max_index"))
      declared[name] = kernel;
    else
      declared.insert({name, kernel});
  }
  std::vector<std::pair<KernelInterface, std::vector<KernelVariant>>> result;
  for (auto &[name, list] : variants) {
    FailureOr<KernelInterface> interface = describeKernel(declared[name], name);
    if (failed(interface))
      return failure();
    result.push_back({*interface, list});
  }
  return result;
}

// Types of memory: global views, shared buffers, channels.
#include "dialect/TileTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// ViewType: <?x?xbf16, strides [?, 1], align 16>
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> defaultStrides(size_t rank) {
  SmallVector<int64_t> strides(rank, ShapedType::kDynamic);
  if (rank)
    strides.back() = 1;
  return strides;
}

/// `[a, ?, …]`, `?` as kDynamic.
static ParseResult parseStrides(AsmParser &parser, SmallVectorImpl<int64_t> &strides) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      strides.push_back(ShapedType::kDynamic);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(strides.emplace_back()))
      return failure();
    // Checked here, since the lowest integer stands for `?`.
    if (strides.back() < 0)
      return parser.emitError(loc) << "expected strides of 0 or more, found " << strides.back();
    return success();
  });
}

Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, strides;
  Type elementType;
  unsigned alignment = 0;
  if (parser.parseLess() || parseExtents(parser, shape, /*dynamic=*/true) || parser.parseType(elementType))
    return {};
  strides = defaultStrides(shape.size());
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("strides"))) {
      strides.clear();
      if (parseStrides(parser, strides))
        return {};
    } else if (parser.parseKeyword("align") || parseCount(parser, "an alignment", alignment)) {
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(parser.getContext(), ArrayRef<int64_t>(shape), elementType,
                                     ArrayRef<int64_t>(strides), alignment);
}

bool ViewType::hasDefaultStrides() const { return getStrides() == ArrayRef(defaultStrides(getShape().size())); }

void ViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getShape());
  printer << getElementType();
  if (!hasDefaultStrides()) {
    printer << ", strides [";
    llvm::interleaveComma(getStrides(), printer, [&](int64_t stride) {
      if (ShapedType::isDynamic(stride))
        printer << "?";
      else
        printer << stride;
    });
    printer << "]";
  }
  if (getAlignment())
    printer << ", align " << getAlignment();
  printer << ">";
}

static std::optional<unsigned> contiguousAxisOf(ArrayRef<int64_t> strides) {
  for (unsigned dim = strides.size(); dim-- > 0;)
    if (strides[dim] == 1)
      return dim;
  return std::nullopt;
}

std::optional<unsigned> ViewType::contiguousAxis() const { return contiguousAxisOf(getStrides()); }

/// Elements narrower than a byte lie packed along the contiguous axis, whose rows consist of whole bytes.
static LogicalResult verifyPacking(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                   Type elementType, ArrayRef<int64_t> strides) {
  int64_t granule = granuleOf(elementType);
  if (granule == 1)
    return success();
  std::optional<unsigned> contiguous = contiguousAxisOf(strides);
  if (!contiguous)
    return emitError() << "expected one stride to be 1, along which elements of " << elementType << " are packed";
  auto verifyMultiple = [&](StringRef what, int64_t value) -> LogicalResult {
    if (ShapedType::isDynamic(value) || value % granule == 0)
      return success();
    return emitError() << "expected " << what << " to be a multiple of " << granule << ", as " << granule
                       << " elements of " << elementType << " fill whole bytes, found " << value;
  };
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != *contiguous && failed(verifyMultiple("every stride but the contiguous axis's", stride)))
      return failure();
  return verifyMultiple("the contiguous axis's extent", shape[*contiguous]);
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type elementType,
                               ArrayRef<int64_t> strides, unsigned alignment) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "expected rank 1 to 5, found " << shape.size();
  if (!isElementType(elementType))
    return emitError() << "expected the element type to be " << elementTypeNames() << ", found " << elementType;
  if (strides.size() != shape.size())
    return emitError() << "expected one stride per extent, got " << strides.size() << " and " << shape.size();
  for (int64_t stride : strides)
    if (!ShapedType::isDynamic(stride) && stride < 0)
      return emitError() << "expected strides of 0 or more, found " << stride;
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent <= 0)
      return emitError() << "expected positive extents, found " << extent;
  if (failed(verifyPacking(emitError, shape, elementType, strides)))
    return failure();
  int64_t bits = memoryBits(elementType), bytes = llvm::divideCeil(bits, 8);
  if (alignment && (!llvm::isPowerOf2_32(alignment) || alignment < bytes || alignment > 4096))
    return emitError() << "expected align to be a power of two from the element's " << bytes << " to 4096, found "
                       << alignment;
  std::optional<unsigned> contiguous = contiguousAxisOf(strides);
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (alignment && dim != contiguous && !ShapedType::isDynamic(stride) &&
        stride % (alignment * 8) * bits % (alignment * 8) != 0)
      return emitError() << "expected every stride but the contiguous axis's to keep align " << alignment
                         << ", but stride " << stride << " of " << bits << "-bit elements does not";
  return success();
}

ViewType ViewType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return ViewType::get(getContext(), shape.value_or(getShape()), elementType, getStrides(), getAlignment());
}

unsigned ViewType::alignmentInBytes() const {
  return std::max(getAlignment(), std::max(1u, memoryBits(getElementType()) / 8));
}

ViewType ViewType::withAlignment(unsigned bytes) const {
  unsigned alignment = std::max(bytes, getAlignment());
  unsigned bits = memoryBits(getElementType());
  for (auto [dim, stride] : llvm::enumerate(getStrides()))
    if (!ShapedType::isDynamic(stride) && dim != contiguousAxis())
      while (alignment * 8 > bits && stride % (alignment * 8) * bits % (alignment * 8) != 0)
        alignment /= 2;
  return ViewType::get(getContext(), getShape(), getElementType(), getStrides(), alignment);
}

//===----------------------------------------------------------------------===//
// SharedType: <128x64xbf16, #swizzle>
//===----------------------------------------------------------------------===//

Type SharedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SwizzleAttr swizzle;
  if (parser.parseLess() || parseExtents(parser, shape, /*dynamic=*/false) || parser.parseType(elementType) ||
      parser.parseComma() || parser.parseAttribute(swizzle) || parser.parseGreater())
    return {};
  return parser.getChecked<SharedType>(parser.getContext(), ArrayRef<int64_t>(shape), elementType, swizzle);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getShape());
  printer << getElementType() << ", " << getSwizzle() << ">";
}

static std::optional<SharedLayout> memoryOf(ArrayRef<int64_t> shape, Type elementType, SwizzleAttr swizzle,
                                            std::string *why) {
  SmallVector<unsigned> order(swizzle.getOrder().begin(), swizzle.getOrder().end());
  return SharedLayout::create(shape, order, elementBits(elementType), swizzle.getSwizzle(), swizzle.getPad(), why);
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                 Type elementType, SwizzleAttr swizzle) {
  if (failed(verifyExtents(emitError, shape)))
    return failure();
  if (!isElementType(elementType))
    return emitError() << "expected the element type to be " << elementTypeNames() << ", found " << elementType;
  if (swizzle.getOrder().size() != shape.size())
    return emitError() << "expected the swizzle's order to have rank " << shape.size() << ", found "
                       << swizzle.getOrder().size();
  if (int64_t fastest = shape[swizzle.getOrder().front()]; granuleOf(elementType) > 1 && fastest % 16 != 0)
    return emitError() << "expected the fastest extent to be a multiple of 16, as 16 elements of " << elementType
                       << " share a unit of 16 bytes, found " << fastest;
  std::string why;
  if (!memoryOf(shape, elementType, swizzle, &why))
    return emitError() << "swizzle does not fit the buffer: " << why;
  return success();
}

SharedType SharedType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return SharedType::get(getContext(), shape.value_or(getShape()), elementType, getSwizzle());
}

SharedLayout SharedType::memory() const { return *memoryOf(getShape(), getElementType(), getSwizzle(), nullptr); }

//===----------------------------------------------------------------------===//
// ChannelType: <3 x (!tile.shared<…>, …)>
//===----------------------------------------------------------------------===//

Type ChannelType::parse(AsmParser &parser) {
  unsigned stages = 0;
  SmallVector<Type> buffers;
  if (parser.parseLess() || parseCount(parser, "a number of stages", stages) || parser.parseKeyword("x") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&]() { return parser.parseType(buffers.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ChannelType>(parser.getContext(), stages, ArrayRef<Type>(buffers));
}

void ChannelType::print(AsmPrinter &printer) const {
  printer << "<" << getStages() << " x (";
  llvm::interleaveComma(getBuffers(), printer);
  printer << ")>";
}

LogicalResult ChannelType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned stages,
                                  ArrayRef<Type> buffers) {
  if (stages == 0 || stages > 64)
    return emitError() << "expected 1 to 64 stages, found " << stages;
  for (Type buffer : buffers)
    if (!isa<SharedType>(buffer))
      return emitError() << "expected slots to hold shared buffers, found " << buffer;
  return success();
}

SmallVector<int64_t> ChannelType::slotOffsets() const {
  SmallVector<int64_t> offsets;
  int64_t offset = 0;
  for (Type buffer : getBuffers()) {
    SharedLayout memory = cast<SharedType>(buffer).memory();
    offset = llvm::alignTo(offset, memory.alignment());
    offsets.push_back(offset);
    offset += memory.sizeBytes();
  }
  offsets.push_back(llvm::alignTo(offset, alignment()));
  return offsets;
}

int64_t ChannelType::alignment() const {
  int64_t result = 16;
  for (Type buffer : getBuffers())
    result = std::max<int64_t>(result, cast<SharedType>(buffer).memory().alignment());
  return result;
}

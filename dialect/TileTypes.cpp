// The tile type, element types, and the extents that all types share.
#include "dialect/TileTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tile;

#define GET_TYPEDEF_CLASSES
#include "dialect/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/TileTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

bool tile::isStorageFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType, Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(
      type);
}

bool tile::isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() || isStorageFloat(type);
}

StringRef tile::elementTypeNames() {
  return "i1, i4, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN";
}

bool tile::isStorageType(Type type) { return isStorageFloat(type) || type.isInteger(4); }

unsigned tile::elementBits(Type elementType) { return std::max(8u, elementType.getIntOrFloatBitWidth()); }

unsigned tile::memoryBits(Type elementType) {
  unsigned bits = elementType.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

unsigned tile::granuleOf(Type elementType) {
  // The least count whose bits are a multiple of 8.
  return 8 / std::gcd(memoryBits(elementType), 8u);
}

//===----------------------------------------------------------------------===//
// Extents: `128x64x` or `[#BM, #BK floordiv 32] x`
//===----------------------------------------------------------------------===//

/// integer | attribute alias of an integer | ( expression )
static ParseResult parseTerm(AsmParser &parser, StringRef what, int64_t &value) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parseIndexExpression(parser, what, value) || parser.parseRParen());
  // MLIR would read these as 1-bit integers.
  if (StringRef boolean; succeeded(parser.parseOptionalKeyword(&boolean, {"true", "false"})))
    return parser.emitError(loc) << "expected " << what << " to be an integer, found '" << boolean << "'";
  if (OptionalParseResult literal = parser.parseOptionalInteger(value); literal.has_value())
    return *literal;
  Attribute attr;
  if (parser.parseAttribute(attr))
    return failure();
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || integer.getType().isInteger(1))
    return parser.emitError(loc) << "expected " << what << " to be an integer, found '" << attr << "'";
  // Of the unsigned types only the widest needs a bit more than the 64 that are kept.
  APSInt number(integer.getValue(), integer.getType().isUnsignedInteger());
  if (!number.isRepresentableByInt64())
    return parser.emitError(loc) << "expected " << what << " to fit 64 bits, found '" << attr << "'";
  value = number.getExtValue();
  return success();
}

ParseResult tile::parseIndexExpression(AsmParser &parser, StringRef what, int64_t &value) {
  if (parseTerm(parser, what, value))
    return failure();
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    int64_t right = 0;
    if (succeeded(parser.parseOptionalStar())) {
      if (parseTerm(parser, what, right))
        return failure();
      if (llvm::MulOverflow(value, right, value))
        return parser.emitError(loc) << "expected " << what << " to fit 64 bits, found a larger product";
      continue;
    }
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword, {"floordiv", "ceildiv"})))
      return success();
    if (parseTerm(parser, what, right))
      return failure();
    if (right <= 0)
      return parser.emitError(loc) << "expected a positive divisor, found " << right;
    value = keyword == "floordiv" ? llvm::divideFloorSigned(value, right) : llvm::divideCeilSigned(value, right);
  }
}

ParseResult tile::parseExtents(AsmParser &parser, SmallVectorImpl<int64_t> &shape, bool dynamic) {
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseDimensionList(shape, /*allowDynamic=*/dynamic, /*withTrailingX=*/true);
  do {
    SMLoc loc = parser.getCurrentLocation();
    if (dynamic && succeeded(parser.parseOptionalQuestion())) {
      shape.push_back(ShapedType::kDynamic);
      continue;
    }
    if (parseIndexExpression(parser, "an extent", shape.emplace_back()))
      return failure();
    if (shape.back() <= 0)
      return parser.emitError(loc) << "expected a positive extent, found " << shape.back();
  } while (succeeded(parser.parseOptionalComma()));
  return failure(parser.parseRSquare() || parser.parseXInDimensionList());
}

ParseResult tile::parseCount(AsmParser &parser, StringRef what, unsigned &value) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  if (number < 0 || number > std::numeric_limits<unsigned>::max())
    return parser.emitError(loc) << "expected " << what << " of 0 or more that fits 32 bits, found " << number;
  value = number;
  return success();
}

void tile::printExtents(AsmPrinter &printer, ArrayRef<int64_t> shape) {
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      printer << "?";
    else
      printer << extent;
    printer << "x";
  }
}

void tile::printShape(InFlightDiagnostic &diag, ArrayRef<int64_t> shape) {
  for (auto [i, extent] : llvm::enumerate(shape))
    diag << (i ? "x" : "") << extent;
}

LogicalResult tile::verifyExtents(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape) {
  constexpr int64_t maxElements = int64_t(1) << 20;
  if (shape.empty() || shape.size() > 5)
    return emitError() << "expected rank 1 to 5, found " << shape.size();
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent <= 0)
      return emitError() << "expected positive extents, found " << extent;
    if (extent != 1 && extent != 2 && extent != 4 && extent % 8 != 0)
      return emitError() << "expected extents of 1, 2, 4 or a multiple of 8, found " << extent
                         << "; give the view the exact size and the tile the next one: loads pad, stores drop";
    if (extent > maxElements || (elements *= extent) > maxElements)
      return emitError() << "expected at most " << maxElements << " elements, found more; loop over smaller tiles";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// TileType: <128x64xbf16> or <128x64xbf16, #layout>
//===----------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  LayoutAttr layout;
  if (parser.parseLess() || parseExtents(parser, shape, /*dynamic=*/false) || parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(parser.getContext(), ArrayRef<int64_t>(shape), elementType, layout);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getShape());
  printer << getElementType();
  if (getLayout())
    printer << ", " << getLayout();
  printer << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type elementType,
                               LayoutAttr layout) {
  if (failed(verifyExtents(emitError, shape)))
    return failure();
  if (!isElementType(elementType))
    return emitError() << "expected the element type to be " << elementTypeNames() << ", found " << elementType;
  std::string why;
  if (layout && !layout.layoutFor(shape, &why))
    return emitError() << "layout does not fit the tile: " << why;
  return success();
}

TileType TileType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return TileType::get(shape.value_or(getShape()), elementType, getLayout());
}

Layout TileType::distribution() const { return *getLayout().layoutFor(getShape()); }

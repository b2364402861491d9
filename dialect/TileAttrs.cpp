// Text form and checks of the attributes.
#include "dialect/TileAttrs.h"
#include "dialect/TileTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

#include "dialect/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/TileAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LayoutAttr: <registers = [[0, 1], …], lanes = […], warps = […], digits = [0 by 13 in register]>
//===----------------------------------------------------------------------===//

/// Parses `[[a, b], …]`; all inner lists must have one length, which `rank` keeps (0: not known yet).
static ParseResult parseBases(AsmParser &parser, StringRef keyword, SmallVectorImpl<int32_t> &bases, unsigned &rank) {
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    unsigned length = 0;
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
          ++length;
          return parser.parseInteger(bases.emplace_back());
        }))
      return failure();
    if (length == 0)
      return parser.emitError(loc) << "expected a basis vector of 1 or more coordinates, found none";
    if (rank && length != rank)
      return parser.emitError(loc) << "expected a basis vector of " << rank << " coordinates, found " << length;
    rank = length;
    return success();
  });
}

static StringRef placeName(Place place) {
  switch (place) {
  case Place::Register:
    return "register";
  case Place::Warp:
    return "warp";
  default:
    return "block";
  }
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int32_t> registers, lanes, warps, digits;
  unsigned rank = 0;
  if (parser.parseLess() || parseBases(parser, "registers", registers, rank) || parser.parseComma() ||
      parseBases(parser, "lanes", lanes, rank) || parser.parseComma() || parseBases(parser, "warps", warps, rank))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    auto parseDigit = [&]() -> ParseResult {
      StringRef place;
      if (parser.parseInteger(digits.emplace_back()) || parser.parseKeyword("by") ||
          parser.parseInteger(digits.emplace_back()) || parser.parseKeyword("in"))
        return failure();
      SMLoc loc = parser.getCurrentLocation();
      if (parser.parseKeyword(&place))
        return failure();
      for (Place candidate : {Place::Register, Place::Warp})
        if (place == placeName(candidate)) {
          digits.push_back(static_cast<int32_t>(candidate));
          return success();
        }
      return parser.emitError(loc) << "expected 'register' or 'warp', found '" << place << "'";
    };
    if (parser.parseKeyword("digits") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDigit))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<LayoutAttr>(parser.getContext(), ArrayRef<int32_t>(registers), ArrayRef<int32_t>(lanes),
                                       ArrayRef<int32_t>(warps), ArrayRef<int32_t>(digits), rank);
}

static void printBases(AsmPrinter &printer, StringRef keyword, ArrayRef<int32_t> bases, unsigned rank) {
  printer << keyword << " = [";
  for (unsigned i = 0; rank && i < bases.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(bases.slice(i, rank), printer);
    printer << "]";
  }
  printer << "]";
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBases(printer, "registers", getRegisters(), getRank());
  printer << ", ";
  printBases(printer, "lanes", getLanes(), getRank());
  printer << ", ";
  printBases(printer, "warps", getWarps(), getRank());
  if (ArrayRef<int32_t> digits = getDigits(); !digits.empty()) {
    printer << ", digits = [";
    for (unsigned i = 0; i < digits.size(); i += 3)
      printer << (i ? ", " : "") << digits[i] << " by " << digits[i + 1] << " in "
              << placeName(static_cast<Place>(digits[i + 2]));
    printer << "]";
  }
  printer << ">";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> registers,
                                 ArrayRef<int32_t> lanes, ArrayRef<int32_t> warps, ArrayRef<int32_t> digits,
                                 unsigned rank) {
  if (rank == 0 || lanes.size() != 5 * rank)
    return emitError() << "expected five lane basis vectors, found " << (rank ? lanes.size() / rank : 0);
  return success();
}

static SmallVector<SmallVector<int32_t>> unflatten(ArrayRef<int32_t> bases, unsigned rank) {
  SmallVector<SmallVector<int32_t>> result;
  for (unsigned i = 0; i < bases.size(); i += rank)
    result.emplace_back(bases.slice(i, rank));
  return result;
}

std::optional<Layout> LayoutAttr::layoutFor(ArrayRef<int64_t> extents, std::string *why) const {
  if (extents.size() != getRank()) {
    if (why)
      *why = ("its basis vectors have " + Twine(getRank()) + " coordinates, the tile has rank " + Twine(extents.size()))
                 .str();
    return std::nullopt;
  }
  SmallVector<Digit> digits;
  for (unsigned i = 0; i < getDigits().size(); i += 3)
    digits.push_back(
        {getDigits()[i], static_cast<unsigned>(getDigits()[i + 1]), static_cast<Place>(getDigits()[i + 2])});
  return Layout::create(extents, unflatten(getRegisters(), getRank()), unflatten(getLanes(), getRank()),
                        unflatten(getWarps(), getRank()), digits, why);
}

static SmallVector<int32_t> flatten(ArrayRef<SmallVector<int32_t>> bases) {
  SmallVector<int32_t> result;
  for (const SmallVector<int32_t> &basis : bases)
    result.append(basis);
  return result;
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const Layout &layout) {
  SmallVector<int32_t> digits;
  for (const Digit &digit : layout.digits())
    digits.append(
        {static_cast<int32_t>(digit.dim), static_cast<int32_t>(digit.odd), static_cast<int32_t>(digit.place)});
  return Base::get(context, ArrayRef<int32_t>(flatten(layout.registerBases())),
                   ArrayRef<int32_t>(flatten(layout.laneBases())), ArrayRef<int32_t>(flatten(layout.warpBases())),
                   ArrayRef<int32_t>(digits), layout.rank());
}

//===----------------------------------------------------------------------===//
// SwizzleAttr: <order = [1, 0], swizzle = 128> or <order = [1, 0], pad = 16>
//===----------------------------------------------------------------------===//

SwizzleAttr SwizzleAttr::get(MLIRContext *context, const SharedLayout &layout) {
  SmallVector<int64_t> order(layout.order().begin(), layout.order().end());
  return Base::get(context, ArrayRef<int64_t>(order), layout.swizzleBytes(), static_cast<unsigned>(layout.padding()));
}

Attribute SwizzleAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> order;
  unsigned swizzle = 0, pad = 0;
  if (parser.parseLess() || parser.parseKeyword("order") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() { return parser.parseInteger(order.emplace_back()); }) ||
      parser.parseComma())
    return {};
  if (succeeded(parser.parseOptionalKeyword("pad"))) {
    if (parser.parseEqual() || parseCount(parser, "a pad", pad))
      return {};
  } else if (parser.parseKeyword("swizzle", " or 'pad'") || parser.parseEqual() ||
             parseCount(parser, "a swizzle", swizzle)) {
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SwizzleAttr>(parser.getContext(), ArrayRef<int64_t>(order), swizzle, pad);
}

void SwizzleAttr::print(AsmPrinter &printer) const {
  printer << "<order = [";
  llvm::interleaveComma(getOrder(), printer);
  if (getPad())
    printer << "], pad = " << getPad() << ">";
  else
    printer << "], swizzle = " << getSwizzle() << ">";
}

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> order,
                                  unsigned swizzle, unsigned pad) {
  if (order.empty())
    return emitError() << "expected order to name the axes, the fastest first, found none";
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  for (auto [i, axis] : llvm::enumerate(sorted))
    if (axis != static_cast<int64_t>(i))
      return emitError() << "expected order to be a permutation of 0 to " << order.size() - 1;
  if (swizzle != 0 && swizzle != 16 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expected swizzle to be 0, 16, 32, 64 or 128 bytes, found " << swizzle;
  if (pad % 16 != 0)
    return emitError() << "expected pad to be a multiple of 16 bytes, found " << pad;
  return success();
}

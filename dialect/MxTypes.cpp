// Microscaled types: `!tile.mx` and `!tile.mx_view`. One table says which families exist.
#include "dialect/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// The families' element, block and scale types.
static LogicalResult verifyFamily(function_ref<InFlightDiagnostic()> emitError, Type element, unsigned block,
                                  Type scale, bool tensorScale) {
  if (!isa<Float8E4M3FNType, Float8E5M2Type, Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(element))
    return emitError() << "expected elements of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or f4E2M1FN, found " << element;
  bool nvfp4 = isa<Float4E2M1FNType>(element) && block == 16;
  if (!nvfp4 && block != 32)
    return emitError() << "expected blocks of 32" << (isa<Float4E2M1FNType>(element) ? " or 16" : "") << " elements of "
                       << element << ", found " << block;
  if (nvfp4 ? !isa<Float8E4M3FNType>(scale) : !isa<Float8E8M0FNUType>(scale))
    return emitError() << "expected the scale of blocks of " << block << " elements to be "
                       << (nvfp4 ? "f8E4M3FN" : "f8E8M0FNU") << ", found " << scale;
  if (tensorScale && !nvfp4)
    return emitError() << "expected tensor_scale only with f4E2M1FN in blocks of 16";
  return success();
}

static LogicalResult verifyBlockAxis(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                     unsigned block, unsigned axis) {
  if (axis >= shape.size())
    return emitError() << "expected the block axis to be below the rank " << shape.size() << ", found " << axis;
  return success();
}

/// `, block 32 (along 0)?, scale T(, tensor_scale)?`
static ParseResult parseFamily(AsmParser &parser, size_t rank, unsigned &block, unsigned &axis, Type &scale) {
  axis = rank - 1;
  if (parser.parseComma() || parser.parseKeyword("block") || parseCount(parser, "a block", block))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("along")) && parseCount(parser, "an axis", axis))
    return failure();
  return failure(parser.parseComma() || parser.parseKeyword("scale") || parser.parseType(scale));
}

static void printFamily(AsmPrinter &printer, size_t rank, unsigned block, unsigned axis, Type scale) {
  printer << ", block " << block;
  if (axis + 1 != rank)
    printer << " along " << axis;
  printer << ", scale " << scale;
}

//===----------------------------------------------------------------------===//
// MxType
//===----------------------------------------------------------------------===//

Type MxType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element, scale;
  unsigned block = 0, axis = 0;
  bool tensorScale = false;
  if (parser.parseLess() || parseExtents(parser, shape, /*dynamic=*/false) || parser.parseType(element) ||
      parseFamily(parser, shape.size(), block, axis, scale))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("tensor_scale"))
      return {};
    tensorScale = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MxType>(parser.getContext(), ArrayRef<int64_t>(shape), element, block, axis, scale,
                                   tensorScale);
}

void MxType::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getShape());
  printer << getElementType();
  printFamily(printer, getShape().size(), getBlock(), getAxis(), getScaleType());
  printer << (getTensorScale() ? ", tensor_scale>" : ">");
}

LogicalResult MxType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                             unsigned block, unsigned axis, Type scale, bool tensorScale) {
  if (failed(verifyExtents(emitError, shape)) || failed(verifyFamily(emitError, element, block, scale, tensorScale)) ||
      failed(verifyBlockAxis(emitError, shape, block, axis)))
    return failure();
  if (shape[axis] % block != 0)
    return emitError() << "expected extent " << axis << " to be a multiple of the block of " << block << ", found "
                       << shape[axis];
  return success();
}

SmallVector<int64_t> MxType::scaleShape() const {
  SmallVector<int64_t> shape(getShape());
  shape[getAxis()] /= getBlock();
  return shape;
}

//===----------------------------------------------------------------------===//
// MxViewType
//===----------------------------------------------------------------------===//

Type MxViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element, scale;
  unsigned block = 0, axis = 0;
  bool tensorScale = false;
  ScaleLayout scales = ScaleLayout::RowMajor;
  if (parser.parseLess() || parseExtents(parser, shape, /*dynamic=*/true) || parser.parseType(element) ||
      parseFamily(parser, shape.size(), block, axis, scale))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("tensor_scale"))) {
      tensorScale = true;
      continue;
    }
    SMLoc loc;
    StringRef name;
    if (parser.parseKeyword("scales"))
      return {};
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    std::optional<ScaleLayout> known = symbolizeScaleLayout(name);
    if (!known) {
      parser.emitError(loc) << "expected row_major, mn_major or interleaved_128x4, found '" << name << "'";
      return {};
    }
    scales = *known;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MxViewType>(parser.getContext(), ArrayRef<int64_t>(shape), element, block, axis, scale,
                                       tensorScale, scales);
}

void MxViewType::print(AsmPrinter &printer) const {
  printer << "<";
  printExtents(printer, getShape());
  printer << getElementType();
  printFamily(printer, getShape().size(), getBlock(), getAxis(), getScaleType());
  if (getTensorScale())
    printer << ", tensor_scale";
  printer << ", scales " << stringifyScaleLayout(getScales()) << ">";
}

LogicalResult MxViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                                 unsigned block, unsigned axis, Type scale, bool tensorScale, ScaleLayout scales) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "expected rank 1 to 5, found " << shape.size();
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent <= 0)
      return emitError() << "expected positive extents, found " << extent;
  if (failed(verifyFamily(emitError, element, block, scale, tensorScale)))
    return failure();
  return verifyBlockAxis(emitError, shape, block, axis);
}

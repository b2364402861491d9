// Microscaled types: `!tile.mx` and `!tile.mx_view`. One table says which families exist.
#include "dialect/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// Integers with a scale for each group.
static LogicalResult verifyGroups(function_ref<InFlightDiagnostic()> emitError, Type element, int64_t block, Type scale,
                                  bool tensorScale) {
  if (block != 32 && block != 64 && block != 128)
    return emitError() << "expected blocks of 32, 64 or 128 elements of " << element << ", found " << block;
  if (!scale.isF16() && !scale.isBF16() && !scale.isF32())
    return emitError() << "expected the scale of " << element << " to be f16, bf16 or f32, found " << scale;
  if (tensorScale)
    return emitError() << "expected tensor_scale only with f4E2M1FN in blocks of 16";
  return success();
}

LogicalResult tile::verifyMxFamily(function_ref<InFlightDiagnostic()> emitError, Type element, int64_t block,
                                   Type scale, bool tensorScale) {
  if (element.isInteger(4) || element.isInteger(8))
    return verifyGroups(emitError, element, block, scale, tensorScale);
  if (!isa<Float8E4M3FNType, Float8E5M2Type, Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(element))
    return emitError() << "expected elements of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN, i4 or i8, found "
                       << element;
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
  if (shape.size() < 2 || shape.size() > 3)
    return emitError() << "expected rank 2, or 3 with a batch first, found " << shape.size();
  if (shape.size() == 3 && axis == 0)
    return emitError() << "expected the block axis to be 1 or 2, as the first of three is the batch, found 0";
  if (axis >= shape.size())
    return emitError() << "expected the block axis to be below the rank " << shape.size() << ", found " << axis;
  return success();
}

/// `, block 32 (along 0)?, scale T(, tensor_scale)?`; the block is an index expression, as extents are.
static ParseResult parseFamily(AsmParser &parser, size_t rank, unsigned &block, unsigned &axis, Type &scale) {
  axis = rank - 1;
  int64_t elements = 0;
  SMLoc loc;
  if (parser.parseComma() || parser.parseKeyword("block") || failed(parser.getCurrentLocation(&loc)) ||
      parseIndexExpression(parser, "a block", elements))
    return failure();
  if (elements < 1 || elements > std::numeric_limits<unsigned>::max())
    return parser.emitError(loc) << "expected a block of 1 or more elements, found " << elements;
  block = elements;
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

/// The extents without the block axis, then the number of blocks.
static SmallVector<int64_t> scaleShapeOf(ArrayRef<int64_t> extents, unsigned block, unsigned axis) {
  SmallVector<int64_t> shape(extents);
  shape.erase(shape.begin() + axis);
  shape.push_back(extents[axis] / block);
  return shape;
}

LogicalResult MxType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                             unsigned block, unsigned axis, Type scale, bool tensorScale) {
  if (failed(verifyExtents(emitError, shape)) || failed(verifyMxFamily(emitError, element, block, scale, tensorScale)) ||
      failed(verifyBlockAxis(emitError, shape, block, axis)))
    return failure();
  if (shape[axis] % block != 0)
    return emitError() << "expected extent " << axis << " to be a multiple of the block of " << block << ", found "
                       << shape[axis];
  // The number of blocks is an extent of a tile of scales; the others are extents of this one.
  int64_t blocks = shape[axis] / block;
  if (blocks != 1 && blocks != 2 && blocks != 4 && blocks % 8 != 0)
    return emitError() << "expected an extent of 1, 2, 4 or a multiple of 8 blocks of " << block << " along axis "
                       << axis << ", found " << shape[axis]
                       << "; give the view the exact size and the tile the next one: loads pad, stores drop";
  return success();
}

SmallVector<int64_t> MxType::scaleShape() const { return scaleShapeOf(getShape(), getBlock(), getAxis()); }

TileType MxType::elementTile() const { return TileType::get(getShape(), getElementType()); }

TileType MxType::scaleTile() const { return TileType::get(scaleShape(), getScaleType()); }

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
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent <= 0)
      return emitError() << "expected positive extents, found " << extent;
  if (failed(verifyMxFamily(emitError, element, block, scale, tensorScale)) ||
      failed(verifyBlockAxis(emitError, shape, block, axis)))
    return failure();
  if (scales == ScaleLayout::Interleaved128x4 && shape.size() != 2)
    return emitError() << "expected interleaved_128x4 with rank 2, found rank " << shape.size()
                       << "; give every matrix of a batch a view of its own, or store scales row_major";
  return success();
}

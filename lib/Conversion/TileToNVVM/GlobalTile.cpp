#include "lib/Conversion/TileToNVVM/GlobalTile.h"
#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include <map>

using namespace mlir;
using namespace mlir::tile;

GlobalTile::GlobalTile(Emitter &emitter, Operation *op, const Emitter::View &view, ValueRange offsets,
                       const Layout &layout, unsigned vector)
    : emitter(emitter), op(op), view(view), offsets(offsets), layout(layout), vector(vector),
      bits(memoryBits(view.type.getElementType())), granule(granuleOf(view.type.getElementType())),
      limits(layout.rank()) {}

unsigned GlobalTile::maxVector(Emitter &emitter, const Emitter::View &view, ValueRange offsets, const Layout &layout,
                               unsigned maxBytes) {
  return maxVector(emitter.facts, view.type, offsets, layout, maxBytes);
}

unsigned GlobalTile::maxVector(IndexFacts &facts, ViewType view, ValueRange offsets, const Layout &layout,
                               unsigned maxBytes) {
  std::optional<unsigned> axis = view.contiguousAxis();
  if (!axis)
    return 1;
  unsigned bits = memoryBits(view.getElementType()), granule = granuleOf(view.getElementType());
  // Of 6 bits, 16 elements are three words.
  int64_t most = bits == 6 ? maxBytes : maxBytes * 8 / bits;
  int64_t vector = std::min<int64_t>(layout.contiguity(*axis), std::max<int64_t>(granule, most));
  int64_t divisor = facts.divisor(offsets[*axis]);
  while (vector > granule && (packedParts(bits, vector).bytes > view.alignmentInBytes() || divisor % vector != 0))
    vector /= 2;
  return vector;
}

LogicalResult GlobalTile::checkPacking(IndexFacts &facts, Operation *op, ViewType view, ValueRange offsets,
                                       const Layout &layout) {
  int64_t granule = granuleOf(view.getElementType());
  if (granule == 1)
    return success();
  unsigned axis = *view.contiguousAxis();
  auto because = [&](InFlightDiagnostic &diag) -> InFlightDiagnostic & {
    return diag << ", as " << granule << " elements of " << view.getElementType() << " fill whole bytes";
  };
  if (int64_t extent = layout.extents()[axis]; extent % granule != 0) {
    InFlightDiagnostic diag = op->emitOpError("expects a tile with a multiple of ") << granule << " along axis " << axis;
    return because(diag) << ", found " << extent;
  }
  if (int64_t divisor = facts.divisor(offsets[axis]); divisor % granule != 0) {
    InFlightDiagnostic diag = op->emitOpError("expects an offset along axis ")
                              << axis << " that is a multiple of " << granule;
    because(diag) << ", but only a multiple of " << divisor << " is known";
    diag.attachNote(offsets[axis].getLoc()) << "if it always is one, say so: 'tile.assume … divisible " << granule << "'";
    return diag;
  }
  if (unsigned run = layout.contiguity(axis); run < granule) {
    InFlightDiagnostic diag = op->emitOpError("expects a layout whose threads hold ")
                              << granule << " neighbours along axis " << axis;
    because(diag) << ", found " << run;
    diag.attachNote() << "leave the layout away, or use 'tile.relayout'";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Whether offset + extent of the tile never leaves the view, and the tile has no dead positions.
bool GlobalTile::isAlwaysInside(unsigned dim) {
  if (layout.hasDeadPositions(dim))
    return false;
  int64_t extent = view.type.getShape()[dim];
  IndexRange range = emitter.facts.range(offsets[dim]);
  return !ShapedType::isDynamic(extent) && range.isWithin(0, extent - layout.extents()[dim]);
}

Value GlobalTile::limit(unsigned dim) {
  Value &known = limits[dim];
  if (known)
    return known;
  ImplicitLocOpBuilder &b = emitter.b;
  // In 32 bits where offset and extent fit; else in 64, clamped to what a tile can reach.
  Value extent = view.extents[dim];
  bool small = emitter.facts.fits32(offsets[dim]) &&
               (emitter.kernel->hasAttr("max_index") || !ShapedType::isDynamic(view.type.getShape()[dim]));
  if (small) {
    known = LLVM::SubOp::create(b, emitter.resize(extent, 32), emitter.index(offsets[dim], 32),
                                LLVM::IntegerOverflowFlags::nsw);
  } else {
    Value left = LLVM::SubOp::create(b, extent, emitter.index(offsets[dim], 64));
    left = LLVM::SMinOp::create(b, left, emitter.i64(int64_t(1) << 30));
    left = LLVM::SMaxOp::create(b, left, emitter.i64(-1));
    known = emitter.resize(left, 32);
  }
  if (layout.hasDeadPositions(dim))
    known = LLVM::SMinOp::create(b, known, emitter.i32(layout.extents()[dim]));
  return known;
}

Value GlobalTile::insideAlong(unsigned dim, unsigned reg) {
  if (isAlwaysInside(dim))
    return {};
  Value &known = conditions[{dim, layout.registerOffset(reg, dim)}];
  if (!known)
    known = LLVM::ICmpOp::create(emitter.b, LLVM::ICmpPredicate::slt, emitter.position(layout, dim, reg), limit(dim));
  return known;
}

Value GlobalTile::noneStraddles() {
  std::optional<unsigned> axis = view.type.contiguousAxis();
  if (vector == granule || !axis || isAlwaysInside(*axis))
    return {};
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t extent = view.type.getShape()[*axis];
  if (!ShapedType::isDynamic(extent) && extent % vector == 0)
    return {};
  // The tile ends inside the view, or the view ends between two pieces (offsets are multiples of a piece).
  Value inside = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::sge, limit(*axis),
                                      emitter.i32(layout.extents()[*axis]));
  Value rest = LLVM::AndOp::create(b, emitter.resize(view.extents[*axis], 32), emitter.i32(vector - 1));
  Value even = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, rest, emitter.i32(0));
  return LLVM::OrOp::create(b, inside, even);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

bool GlobalTile::variesInLoop(Value offset) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  return loop && !loop.isDefinedOutsideOfLoop(offset);
}

Value GlobalTile::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(emitter.b, pointer.getType(), emitter.b.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>(bytes));
}

/// Bytes that `elements` along one axis are, an i64; along the contiguous axis they are a multiple of the granule.
Value GlobalTile::bytesAlong(unsigned dim, Value elements) {
  Value wide = emitter.resize(elements, 64);
  int64_t stride = view.type.getStrides()[dim];
  if (granule != 1 && isContiguous(dim))
    return packedBytes(emitter, wide, bits);
  if (!ShapedType::isDynamic(stride))
    return emitter.mul(wide, emitter.i64(stride * bits / 8));
  Value step = emitter.inPrologue([&]() { return packedBytes(emitter, view.strides[dim], bits); });
  return emitter.mul(wide, step);
}

/// The pointer without the registers' part.
Value GlobalTile::threadPointer() {
  Value pointer = view.pointer;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (!variesInLoop(offsets[dim]))
      pointer = advance(pointer, bytesAlong(dim, emitter.index(offsets[dim], 64)));
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (layout.isAdditive(dim))
      pointer = advance(pointer, bytesAlong(dim, emitter.threadCoordinate(layout, dim)));
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    if (variesInLoop(offsets[dim]))
      pointer = advance(pointer, bytesAlong(dim, emitter.index(offsets[dim], 64)));
  return pointer;
}

Value GlobalTile::pointerFor(unsigned reg, int64_t &immediate) {
  immediate = 0;
  SmallVector<int64_t> key;
  for (unsigned dim = 0; dim < layout.rank(); ++dim) {
    int64_t stride = view.type.getStrides()[dim];
    key.push_back(layout.registerOffset(reg, dim));
    if (!ShapedType::isDynamic(stride) && layout.isAdditive(dim)) {
      immediate += key.back() * stride * bits / 8;
      key.back() = 0;
    }
  }
  Value &known = pointers[key];
  if (known)
    return known;
  if (!lastPointer) {
    lastPointer = threadPointer();
    lastKey.assign(layout.rank(), 0);
  }
  // From the pointer before, so that a loop keeps one pointer and a few steps instead of a pointer per row.
  Value pointer = lastPointer;
  bool separate = false;
  for (unsigned dim = 0; dim < layout.rank(); ++dim) {
    if (!layout.isAdditive(dim)) {
      pointer = advance(pointer, bytesAlong(dim, emitter.position(layout, dim, reg)));
      separate = true;
    } else if (int64_t delta = key[dim] - lastKey[dim]) {
      Value bytes = emitter.inPrologue([&]() { return bytesAlong(dim, emitter.i32(delta)); });
      pointer = advance(pointer, bytes);
    }
  }
  if (!separate) {
    lastPointer = pointer;
    lastKey = key;
  }
  return known = pointer;
}

SmallVector<GlobalPiece> GlobalTile::pieces() {
  SmallVector<GlobalPiece> result;
  std::optional<unsigned> axis = view.type.contiguousAxis();
  for (unsigned reg = 0, e = layout.numRegisters(); reg < e; reg += vector) {
    GlobalPiece piece;
    piece.reg = reg;
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      if (dim != axis)
        piece.insideOthers = emitter.both(piece.insideOthers, insideAlong(dim, reg));
    piece.inside = axis ? emitter.both(piece.insideOthers, insideAlong(*axis, reg)) : piece.insideOthers;
    piece.pointer = pointerFor(reg, piece.immediate);
    if (vector > granule && axis && !isAlwaysInside(*axis))
      piece.left = LLVM::SubOp::create(emitter.b, limit(*axis), emitter.position(layout, *axis, reg),
                                       LLVM::IntegerOverflowFlags::nsw);
    result.push_back(piece);
  }
  return result;
}

#include "lib/Conversion/TileToNVVM/GlobalTile.h"
#include <map>

using namespace mlir;
using namespace mlir::tile;

GlobalTile::GlobalTile(Emitter &emitter, Operation *op, const Emitter::View &view, ValueRange offsets,
                       const Layout &layout, unsigned vector)
    : emitter(emitter), op(op), view(view), offsets(offsets), layout(layout), vector(vector),
      elementBytes(elementBits(view.type.getElementType()) / 8), limits(layout.rank()) {}

unsigned GlobalTile::maxVector(Emitter &emitter, const Emitter::View &view, ValueRange offsets, const Layout &layout,
                               unsigned maxBytes) {
  return maxVector(emitter.facts, view.type, offsets, layout, maxBytes);
}

unsigned GlobalTile::maxVector(IndexFacts &facts, ViewType view, ValueRange offsets, const Layout &layout,
                               unsigned maxBytes) {
  std::optional<unsigned> axis = view.contiguousAxis();
  if (!axis)
    return 1;
  int64_t bytes = elementBits(view.getElementType()) / 8;
  int64_t vector = std::min<int64_t>(layout.contiguity(*axis), std::max<int64_t>(1, maxBytes / bytes));
  int64_t divisor = facts.divisor(offsets[*axis]);
  while (vector > 1 && (vector * bytes > view.alignmentInBytes() || divisor % vector != 0))
    vector /= 2;
  return vector;
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
  if (vector == 1 || !axis || isAlwaysInside(*axis))
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

/// Bytes that `elements` along one axis are, an i64.
Value GlobalTile::bytesAlong(unsigned dim, Value elements) {
  Value wide = emitter.resize(elements, 64);
  int64_t stride = view.type.getStrides()[dim];
  if (!ShapedType::isDynamic(stride))
    return emitter.mul(wide, emitter.i64(stride * elementBytes));
  Value step = emitter.inPrologue([&]() { return emitter.mul(view.strides[dim], emitter.i64(elementBytes)); });
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
      immediate += key.back() * stride * elementBytes;
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
    if (vector > 1 && axis && !isAlwaysInside(*axis))
      piece.left = LLVM::SubOp::create(emitter.b, limit(*axis), emitter.position(layout, *axis, reg),
                                       LLVM::IntegerOverflowFlags::nsw);
    result.push_back(piece);
  }
  return result;
}

// Asynchronous copies from a view to shared memory: cp.async in pieces of 16, 8 or 4 bytes, with the byte count clipped at the
// end of the view, so that what lies outside becomes zero. Packed elements stay packed, 16 at the front of each unit of 16
// bytes: 8 bytes of 4-bit elements or three times 4 of 6-bit ones.
#include "lib/Conversion/TileToNVVM/GlobalTile.h"
#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "lib/Conversion/TileToNVVM/SharedAddress.h"

using namespace mlir;
using namespace mlir::tile;

/// How the block's threads share the copy: as a coalesced load of the buffer's tile.
static Layout copyLayout(Emitter &emitter, const Emitter::View &view, SharedType buffer) {
  SmallVector<unsigned> order(buffer.getSwizzle().getOrder().begin(), buffer.getSwizzle().getOrder().end());
  return Layout::coalesced(buffer.getShape(), order, elementBits(buffer.getElementType()), emitter.numWarps(),
                           /*maxVectorBits=*/128, granuleOf(buffer.getElementType()));
}

/// Whether a piece lies in the buffer at all: false for the layout's dead positions; null for always.
static Value isAlive(Emitter &emitter, const Layout &layout, unsigned reg) {
  Value alive;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    alive = emitter.both(alive, emitter.isLive(layout, dim, reg));
  return alive;
}

/// Bytes of a piece that come from memory; the rest becomes zero. Null where all do. `bits`: an element's width.
static Value bytesToCopy(Emitter &emitter, const GlobalPiece &piece, unsigned vector, unsigned bits) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value bytes, inside = piece.inside;
  if (piece.left) {
    // Clipping to 0 covers the contiguous axis; only the other axes' bounds are left, which loops often keep.
    Value count = LLVM::SMaxOp::create(b, LLVM::SMinOp::create(b, piece.left, emitter.i32(vector)), emitter.i32(0));
    bytes = packedBytes(emitter, count, bits);
    inside = piece.insideOthers;
  }
  if (inside)
    bytes = LLVM::SelectOp::create(b, inside, bytes ? bytes : emitter.i32(vector * bits / 8), emitter.i32(0));
  return bytes;
}

/// One cp.async of `size` bytes, of which `bytes` come from memory (null: all).
static void emitPart(Emitter &emitter, const GlobalPiece &piece, std::pair<Value, int64_t> target, unsigned size,
                     Value bytes, Value condition) {
  SmallVector<Value> operands{target.first, piece.pointer};
  std::string text, constraints = "r,l";
  auto at = [](unsigned operand, int64_t immediate) {
    return "[$" + std::to_string(operand) + (immediate ? "+" + std::to_string(immediate) : "") + "]";
  };
  // Rows of a tile are read to their end: the rest of a 128-byte line is asked for with its first piece.
  text = std::string("cp.async.") + (size == 16 ? "cg.shared.global.L2::128B " : "ca.shared.global ") + at(0, target.second) + ", " +
         at(1, piece.immediate) + ", " + std::to_string(size);
  if (bytes) {
    text += ", $" + std::to_string(operands.size());
    operands.push_back(bytes);
    constraints += ",r";
  }
  text += ";";
  if (condition) {
    text = "@$" + std::to_string(operands.size()) + " " + text;
    operands.push_back(condition);
    constraints += ",b";
  }
  emitter.inlinePtx(text, constraints, Type(), operands, /*volatile_=*/true);
}

/// A piece as the parts in which it is moved.
static void emitPiece(Emitter &emitter, GlobalPiece piece, std::pair<Value, int64_t> target, unsigned vector,
                      unsigned bits, Value condition) {
  ScalarBuilder s(emitter.b);
  Value bytes = bytesToCopy(emitter, piece, vector, bits);
  PackedParts parts = packedParts(bits, vector);
  for (unsigned i = 0; i < parts.count; ++i) {
    Value own = bytes;
    if (bytes && parts.count > 1)
      own = s.smax(s.smin(i ? s.sub(bytes, emitter.i32(i * parts.bytes)) : bytes, emitter.i32(parts.bytes)),
                   emitter.i32(0));
    emitPart(emitter, piece, target, parts.bytes, own, condition);
    piece.immediate += parts.bytes;
    target.second += parts.bytes;
  }
}

/// Ordinary loads and stores, element by element, where no piece of four bytes is aligned. Packed elements go by
/// granules, in `parts`.
static void emitElement(Emitter &emitter, const GlobalPiece &piece, std::pair<Value, int64_t> target,
                        PackedParts parts, Value condition) {
  const unsigned elementBytes = parts.bytes;
  Value inside = emitter.both(piece.inside, condition);
  std::string suffix = elementBytes == 1 ? "b8" : elementBytes == 2 ? "b16" : elementBytes == 4 ? "b32" : "b64";
  std::string reg = elementBytes <= 2 ? "b16" : suffix, text = "{ .reg ." + reg + " x; mov." + reg + " x, 0; ";
  SmallVector<Value> operands{target.first, piece.pointer};
  std::string constraints = "r,l";
  unsigned load = 0, store = 0;
  auto predicate = [&](Value value) -> unsigned {
    operands.push_back(value);
    constraints += ",b";
    return operands.size() - 1;
  };
  if (inside)
    load = predicate(inside);
  if (condition)
    store = predicate(condition);
  auto at = [](unsigned operand, int64_t immediate) {
    return "[$" + std::to_string(operand) + (immediate ? "+" + std::to_string(immediate) : "") + "]";
  };
  for (unsigned i = 0; i < parts.count; ++i) {
    int64_t beyond = i * elementBytes;
    text += (load ? "@$" + std::to_string(load) + " " : "") + "ld.global." + suffix + " x, " +
            at(1, piece.immediate + beyond) + "; ";
    text += (store ? "@$" + std::to_string(store) + " " : "") + "st.shared." + suffix + " " +
            at(0, target.second + beyond) + ", x; ";
  }
  text += "}";
  emitter.inlinePtx(text, constraints, Type(), operands, /*volatile_=*/true);
}

LogicalResult Emitter::emitCopyAsync(CopyAsyncOp op) {
  const View &source = view(op.getView());
  auto type = cast<SharedType>(op.getBuffer().getType());
  SharedLayout memory = type.memory();
  Layout layout = copyLayout(*this, source, type);
  const unsigned bits = memoryBits(type.getElementType()), granule = granuleOf(type.getElementType());
  const unsigned bytes = memory.elementBytes();
  if (failed(GlobalTile::checkPacking(facts, op, source.type, op.getOffsets(), layout)))
    return failure();
  unsigned vector = GlobalTile::maxVector(*this, source, op.getOffsets(), layout, 16);
  std::optional<SharedAccessPlan> plan = planSharedAccess(layout, memory, vector * bytes);
  if (!plan || plan->vectorElements < granule)
    return op.emitOpError("has a buffer whose layout no coalesced copy can address");
  vector = std::min(vector, plan->vectorElements);
  bool async = packedParts(bits, vector).bytes >= 4;
  if (!async)
    vector = granule;
  if (vector < plan->vectorElements)
    plan = planSharedAccess(layout, memory, vector * bytes);
  DenseMap<unsigned, const SharedGroup *> groups;
  for (const SharedGroup &group : plan->groups)
    groups[group.registers.front()] = &group;

  Value condition = op.getCondition() ? scalar(op.getCondition()) : Value();
  condition = both(condition, isFirstHolder(layout));
  GlobalTile tile(*this, op, source, op.getOffsets(), layout, vector);
  SharedAddress address(*this, plan->thread, sharedAddress(op.getBuffer()), std::min(bits, 8u));
  for (const GlobalPiece &piece : tile.pieces()) {
    Value active = both(condition, isAlive(*this, layout, piece.reg));
    std::pair<Value, int64_t> target = address.at(*groups.lookup(piece.reg));
    if (async)
      emitPiece(*this, piece, target, vector, bits, active);
    else
      emitElement(*this, piece, target, packedParts(bits, granule), active);
  }
  return success();
}

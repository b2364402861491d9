// Asynchronous copies from a view to shared memory: cp.async in pieces of 16, 8 or 4 bytes, with the byte count clipped at the
// end of the view, so that what lies outside becomes zero.
#include "lib/Conversion/TileToNVVM/GlobalTile.h"
#include "lib/Conversion/TileToNVVM/SharedAddress.h"

using namespace mlir;
using namespace mlir::tile;

/// How the block's threads share the copy: as a coalesced load of the buffer's tile.
static Layout copyLayout(Emitter &emitter, const Emitter::View &view, SharedType buffer) {
  SmallVector<unsigned> order(buffer.getSwizzle().getOrder().begin(), buffer.getSwizzle().getOrder().end());
  return Layout::coalesced(buffer.getShape(), order, elementBits(buffer.getElementType()), emitter.numWarps());
}

/// Whether a piece lies in the buffer at all: false for the layout's dead positions; null for always.
static Value isAlive(Emitter &emitter, const Layout &layout, unsigned reg) {
  Value alive;
  for (unsigned dim = 0; dim < layout.rank(); ++dim)
    alive = emitter.both(alive, emitter.isLive(layout, dim, reg));
  return alive;
}

/// Bytes of a piece that come from memory; the rest becomes zero. Null where all do.
static Value bytesToCopy(Emitter &emitter, const GlobalPiece &piece, unsigned vector, unsigned elementBytes) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value bytes, inside = piece.inside;
  if (piece.left) {
    // Clipping to 0 covers the contiguous axis; only the other axes' bounds are left, which loops often keep.
    Value count = LLVM::SMaxOp::create(b, LLVM::SMinOp::create(b, piece.left, emitter.i32(vector)), emitter.i32(0));
    bytes = emitter.mul(count, emitter.i32(elementBytes));
    inside = piece.insideOthers;
  }
  if (inside)
    bytes = LLVM::SelectOp::create(b, inside, bytes ? bytes : emitter.i32(vector * elementBytes), emitter.i32(0));
  return bytes;
}

static void emitPiece(Emitter &emitter, const GlobalPiece &piece, std::pair<Value, int64_t> target, unsigned vector,
                      unsigned elementBytes, Value condition) {
  unsigned size = vector * elementBytes;
  Value bytes = bytesToCopy(emitter, piece, vector, elementBytes);
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

/// Ordinary loads and stores, element by element, where no piece of four bytes is aligned.
static void emitElement(Emitter &emitter, const GlobalPiece &piece, std::pair<Value, int64_t> target,
                        unsigned elementBytes, Value condition) {
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
  text += (load ? "@$" + std::to_string(load) + " " : "") + "ld.global." + suffix + " x, " + at(1, piece.immediate) + "; ";
  text += (store ? "@$" + std::to_string(store) + " " : "") + "st.shared." + suffix + " " + at(0, target.second) + ", x; }";
  emitter.inlinePtx(text, constraints, Type(), operands, /*volatile_=*/true);
}

LogicalResult Emitter::emitCopyAsync(CopyAsyncOp op) {
  const View &source = view(op.getView());
  auto type = cast<SharedType>(op.getBuffer().getType());
  SharedLayout memory = type.memory();
  Layout layout = copyLayout(*this, source, type);
  unsigned bytes = elementBits(type.getElementType()) / 8;
  unsigned vector = GlobalTile::maxVector(*this, source, op.getOffsets(), layout, 16);
  std::optional<SharedAccessPlan> plan = planSharedAccess(layout, memory, vector * bytes);
  if (!plan)
    return op.emitOpError("has a buffer whose layout no coalesced copy can address");
  vector = std::min(vector, plan->vectorElements);
  bool async = vector * bytes >= 4;
  if (!async && vector > 1) {
    vector = 1;
    plan = planSharedAccess(layout, memory, bytes);
  }
  DenseMap<unsigned, const SharedGroup *> groups;
  for (const SharedGroup &group : plan->groups)
    groups[group.registers.front()] = &group;

  Value condition = op.getCondition() ? scalar(op.getCondition()) : Value();
  condition = both(condition, isFirstHolder(layout));
  GlobalTile tile(*this, op, source, op.getOffsets(), layout, vector);
  SharedAddress address(*this, plan->thread, sharedAddress(op.getBuffer()));
  for (const GlobalPiece &piece : tile.pieces()) {
    Value active = both(condition, isAlive(*this, layout, piece.reg));
    std::pair<Value, int64_t> target = address.at(*groups.lookup(piece.reg));
    if (async)
      emitPiece(*this, piece, target, vector, bytes, active);
    else
      emitElement(*this, piece, target, bytes, active);
  }
  return success();
}

// Loads and stores of tiles. A piece is moved by one predicated instruction. Where a piece may straddle the end of the view,
// there are two versions: whole pieces, taken by every block in which none straddles, and single elements. Elements
// narrower than a byte are unpacked after the load and packed before the store; their least piece is a granule.
#include "lib/Conversion/TileToNVVM/GlobalTile.h"
#include "lib/Conversion/TileToNVVM/PackedElements.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// How PTX moves a piece: `count` values of `type`.
struct Transfer {
  Type type;
  unsigned count;
  StringRef suffix;
  char constraint;
};
} // namespace

/// 16 bytes as v4.b32, and so on down to one byte.
static Transfer transferOf(Emitter &emitter, unsigned bytes) {
  ImplicitLocOpBuilder &b = emitter.b;
  switch (bytes) {
  case 16:
    return {b.getI32Type(), 4, "v4.b32", 'r'};
  case 8:
    return {b.getI32Type(), 2, "v2.b32", 'r'};
  case 4:
    return {b.getI32Type(), 1, "b32", 'r'};
  case 2:
    return {b.getI16Type(), 1, "b16", 'h'};
  default:
    return {b.getI16Type(), 1, "b8", 'h'};
  }
}

/// Words of the fragment that a piece covers, as the values that the instruction moves.
static SmallVector<Value> toTransfer(Emitter &emitter, ArrayRef<Value> words, const Transfer &transfer, Type element) {
  ImplicitLocOpBuilder &b = emitter.b;
  SmallVector<Value> result;
  for (Value word : words) {
    unsigned bits = 0;
    if (auto vector = dyn_cast<VectorType>(word.getType()))
      bits = vector.getNumElements() * vector.getElementTypeBitWidth();
    else
      bits = word.getType().getIntOrFloatBitWidth();
    if (bits == 64) {
      Value pair = LLVM::BitcastOp::create(b, VectorType::get({2}, b.getI32Type()), word);
      result.push_back(LLVM::ExtractElementOp::create(b, pair, emitter.i32(0)));
      word = LLVM::ExtractElementOp::create(b, pair, emitter.i32(1));
    } else {
      Type integer = b.getIntegerType(bits);
      if (word.getType() != integer)
        word = LLVM::BitcastOp::create(b, integer, word);
      if (bits == 8)
        word = LLVM::ZExtOp::create(b, b.getI16Type(), word);
    }
    result.push_back(word);
  }
  return result;
}

static SmallVector<Value> fromTransfer(Emitter &emitter, ArrayRef<Value> values, Type wordType) {
  ImplicitLocOpBuilder &b = emitter.b;
  SmallVector<Value> result;
  unsigned bits = 0;
  if (auto vector = dyn_cast<VectorType>(wordType))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else
    bits = wordType.getIntOrFloatBitWidth();
  for (unsigned i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (bits == 64) {
      Value pair = LLVM::UndefOp::create(b, VectorType::get({2}, b.getI32Type()));
      pair = LLVM::InsertElementOp::create(b, pair, value, emitter.i32(0));
      pair = LLVM::InsertElementOp::create(b, pair, values[++i], emitter.i32(1));
      result.push_back(LLVM::BitcastOp::create(b, wordType, pair));
      continue;
    }
    if (bits <= 8)
      value = LLVM::TruncOp::create(b, b.getIntegerType(bits), value);
    if (value.getType() != wordType)
      value = LLVM::BitcastOp::create(b, wordType, value);
    result.push_back(value);
  }
  return result;
}

/// `$0` or `{$0, $1, …}`, counting from `first`.
static std::string operandList(unsigned first, unsigned count) {
  std::string text = count > 1 ? "{" : "";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + (count > 1 ? "}" : "");
}

static std::string address(unsigned operand, int64_t immediate) {
  std::string text = "[$" + std::to_string(operand);
  if (immediate)
    text += "+" + std::to_string(immediate);
  return text + "]";
}

/// One predicated load; where it is not executed the result is `pad`.
static SmallVector<Value> emitLoadPiece(Emitter &emitter, const GlobalPiece &piece, const Transfer &transfer,
                                        ArrayRef<Value> pad) {
  ImplicitLocOpBuilder &b = emitter.b;
  unsigned n = transfer.count;
  std::string constraints, text;
  for (unsigned i = 0; i < n; ++i)
    constraints += std::string(i ? "," : "") + "=" + transfer.constraint;
  SmallVector<Value> operands;
  constraints += ",l";
  operands.push_back(piece.pointer);
  if (piece.inside) {
    constraints += ",b";
    operands.push_back(piece.inside);
    for (unsigned i = 0; i < n; ++i)
      constraints += "," + std::to_string(i);
    operands.append(pad.begin(), pad.end());
    text = "@$" + std::to_string(n + 1) + " ";
  }
  text += ("ld.global." + transfer.suffix + " ").str() + operandList(0, n) + ", " + address(n, piece.immediate) + ";";
  Type type = n == 1 ? transfer.type
                     : LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(n, transfer.type));
  Value loaded = emitter.inlinePtx(text, constraints, type, operands, /*volatile_=*/true);
  if (n == 1)
    return {loaded};
  SmallVector<Value> result;
  for (unsigned i = 0; i < n; ++i)
    result.push_back(emitter.member(loaded, i));
  return result;
}

static void emitStorePiece(Emitter &emitter, const GlobalPiece &piece, const Transfer &transfer, ArrayRef<Value> values) {
  unsigned n = transfer.count;
  std::string constraints = "l", text;
  SmallVector<Value> operands{piece.pointer};
  for (unsigned i = 0; i < n; ++i)
    constraints += std::string(",") + transfer.constraint;
  operands.append(values.begin(), values.end());
  if (piece.inside) {
    constraints += ",b";
    operands.push_back(piece.inside);
    text = "@$" + std::to_string(n + 1) + " ";
  }
  text += ("st.global." + transfer.suffix + " ").str() + address(0, piece.immediate) + ", " + operandList(1, n) + ";";
  emitter.inlinePtx(text, constraints, Type(), operands, /*volatile_=*/true);
}

/// Splits the code in two when pieces of `vector` elements may straddle the end: `emit(least)` in the other branch. Where
/// `emit` returns words, they meet in a block's arguments.
static SmallVector<Value> emitVersions(Emitter &emitter, Value whole, unsigned vector, unsigned least,
                                       function_ref<SmallVector<Value>(unsigned)> emit) {
  if (!whole)
    return emit(vector);
  ImplicitLocOpBuilder &b = emitter.b;
  Block *current = b.getInsertionBlock();
  Region *region = current->getParent();
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *fast = b.createBlock(region, region->end()), *slow = b.createBlock(region, region->end()),
        *join = b.createBlock(region, region->end());
  b.restoreInsertionPoint(here);
  LLVM::CondBrOp::create(b, whole, fast, slow);
  b.setInsertionPointToStart(fast);
  SmallVector<Value> fastWords = emit(vector);
  LLVM::BrOp::create(b, fastWords, join);
  b.setInsertionPointToStart(slow);
  SmallVector<Value> slowWords = emit(least);
  LLVM::BrOp::create(b, slowWords, join);
  b.setInsertionPointToStart(join);
  SmallVector<Value> result;
  for (Value word : fastWords)
    result.push_back(join->addArgument(word.getType(), word.getLoc()));
  return result;
}

/// The type as which a tile is in memory: an i1 takes a byte.
static TileType inMemory(TileType type) {
  if (type.getElementType().isInteger(1))
    return type.cloneWith(std::nullopt, IntegerType::get(type.getContext(), 8));
  return type;
}

static LogicalResult emitLoad(Emitter &emitter, LoadOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto type = inMemory(cast<TileType>(op.getResult().getType()));
  const Emitter::View &view = emitter.view(op.getView());
  Layout layout = type.distribution();
  unsigned lanes = Emitter::lanesOf(type), bytes = elementBits(type.getElementType()) / 8;
  unsigned vector = GlobalTile::maxVector(emitter, view, op.getOffsets(), layout, 16);
  Type element = emitter.elementType(type.getElementType()), word = emitter.wordType(element, lanes);
  Value pad = op.getPad() ? emitter.scalar(op.getPad()) : Value(LLVM::ZeroOp::create(b, element));
  if (pad.getType() != element)
    pad = LLVM::ZExtOp::create(b, element, pad);
  Fragment padWord = emitter.pack(SmallVector<Value>(lanes, pad), lanes);

  auto emit = [&](unsigned width) -> SmallVector<Value> {
    GlobalTile tile(emitter, op, view, op.getOffsets(), layout, width);
    bool words = width % lanes == 0;
    Transfer transfer = transferOf(emitter, width * bytes);
    SmallVector<Value> padPiece(words ? width / lanes : width, words ? padWord.words.front() : pad), loaded;
    for (const GlobalPiece &piece : tile.pieces()) {
      SmallVector<Value> values =
          emitLoadPiece(emitter, piece, transfer, toTransfer(emitter, padPiece, transfer, element));
      loaded.append(fromTransfer(emitter, values, words ? word : element));
    }
    return words ? loaded : emitter.pack(loaded, lanes).words;
  };
  // Pieces narrower than a word are single elements: a piece of 2 where 4 share a word is not worth its own path.
  if (vector % lanes != 0)
    vector = 1;
  Value whole = GlobalTile(emitter, op, view, op.getOffsets(), layout, vector).noneStraddles();
  Fragment result{emitVersions(emitter, whole, vector, 1, emit), lanes};
  if (type != op.getResult().getType()) {
    SmallVector<Value> elements = emitter.elements(result);
    for (Value &value : elements)
      value = LLVM::TruncOp::create(b, b.getI1Type(), value);
    result = emitter.pack(elements, Emitter::lanesOf(cast<TileType>(op.getResult().getType())));
  }
  emitter.set(op.getResult(), std::move(result));
  return success();
}

static LogicalResult emitStore(Emitter &emitter, StoreOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto type = inMemory(cast<TileType>(op.getValue().getType()));
  const Emitter::View &view = emitter.view(op.getView());
  Layout layout = type.distribution();
  unsigned lanes = Emitter::lanesOf(type), bytes = elementBits(type.getElementType()) / 8;
  unsigned vector = GlobalTile::maxVector(emitter, view, op.getOffsets(), layout, 16);
  Type element = emitter.elementType(type.getElementType());
  if (vector % lanes != 0)
    vector = 1;
  Fragment fragment = emitter.get(op.getValue());
  if (type != op.getValue().getType()) {
    SmallVector<Value> elements = emitter.elements(fragment);
    for (Value &value : elements)
      value = LLVM::ZExtOp::create(b, element, value);
    fragment = emitter.pack(elements, lanes);
  }
  Value first = emitter.isFirstHolder(layout);
  auto emit = [&](unsigned width) -> SmallVector<Value> {
    GlobalTile tile(emitter, op, view, op.getOffsets(), layout, width);
    bool words = width % lanes == 0;
    Transfer transfer = transferOf(emitter, width * bytes);
    SmallVector<Value> source = words ? fragment.words : emitter.elements(fragment);
    for (GlobalPiece piece : tile.pieces()) {
      piece.inside = emitter.both(piece.inside, first);
      unsigned per = words ? width / lanes : width, begin = words ? piece.reg / lanes : piece.reg;
      emitStorePiece(emitter, piece, transfer,
                     toTransfer(emitter, ArrayRef(source).slice(begin, per), transfer, element));
    }
    return {};
  };
  Value whole = GlobalTile(emitter, op, view, op.getOffsets(), layout, vector).noneStraddles();
  emitVersions(emitter, whole, vector, 1, emit);
  return success();
}

//===----------------------------------------------------------------------===//
// Packed elements
//===----------------------------------------------------------------------===//

static LogicalResult emitPackedLoad(Emitter &emitter, LoadOp op) {
  auto type = cast<TileType>(op.getResult().getType());
  const Emitter::View &view = emitter.view(op.getView());
  Layout layout = type.distribution();
  if (!op.isZeroPad()) {
    InFlightDiagnostic diag = op.emitOpError("expects the pad of packed elements to be zero");
    diag.attachNote(op.getPad().getLoc()) << "leave it away, and select where another is needed";
    return diag;
  }
  if (failed(GlobalTile::checkPacking(emitter.facts, op, view.type, op.getOffsets(), layout)))
    return failure();
  unsigned lanes = Emitter::lanesOf(type), bits = memoryBits(type.getElementType());
  auto emit = [&](unsigned width) -> SmallVector<Value> {
    GlobalTile tile(emitter, op, view, op.getOffsets(), layout, width);
    PackedParts parts = packedParts(bits, width);
    Transfer transfer = transferOf(emitter, parts.bytes);
    SmallVector<Value> zeros(transfer.count, emitter.constant(transfer.type, 0));
    SmallVector<SmallVector<Value>> runs;
    for (GlobalPiece piece : tile.pieces()) {
      SmallVector<Value> loaded;
      for (unsigned i = 0; i < parts.count; ++i, piece.immediate += parts.bytes)
        loaded.append(emitLoadPiece(emitter, piece, transfer, zeros));
      runs.push_back(unpackElements(emitter, chunksOf(emitter, loaded, std::min(parts.bytes, 4u)), bits, width));
    }
    return fragmentOfCodes(emitter, runs, width, lanes).words;
  };
  unsigned vector = GlobalTile::maxVector(emitter, view, op.getOffsets(), layout, 16);
  Value whole = GlobalTile(emitter, op, view, op.getOffsets(), layout, vector).noneStraddles();
  unsigned granule = granuleOf(type.getElementType());
  emitter.set(op.getResult(), Fragment{emitVersions(emitter, whole, vector, granule, emit), lanes});
  return success();
}

static LogicalResult emitPackedStore(Emitter &emitter, StoreOp op) {
  auto type = cast<TileType>(op.getValue().getType());
  const Emitter::View &view = emitter.view(op.getView());
  Layout layout = type.distribution();
  if (failed(GlobalTile::checkPacking(emitter.facts, op, view.type, op.getOffsets(), layout)))
    return failure();
  unsigned bits = memoryBits(type.getElementType());
  Fragment fragment = emitter.get(op.getValue());
  Value first = emitter.isFirstHolder(layout);
  auto emit = [&](unsigned width) -> SmallVector<Value> {
    GlobalTile tile(emitter, op, view, op.getOffsets(), layout, width);
    PackedParts parts = packedParts(bits, width);
    Transfer transfer = transferOf(emitter, parts.bytes);
    for (GlobalPiece piece : tile.pieces()) {
      piece.inside = emitter.both(piece.inside, first);
      SmallVector<Value> words;
      for (unsigned i = 0; i < width; i += 4)
        words.push_back(codeWord(emitter, fragment, piece.reg + i, std::min(width - i, 4u)));
      SmallVector<Value> moved = partsOf(emitter, packElements(emitter, words, bits, width),
                                         std::min(parts.bytes, 4u), parts.count * transfer.count);
      for (unsigned i = 0; i < parts.count; ++i, piece.immediate += parts.bytes)
        emitStorePiece(emitter, piece, transfer, ArrayRef(moved).slice(i * transfer.count, transfer.count));
    }
    return {};
  };
  unsigned vector = GlobalTile::maxVector(emitter, view, op.getOffsets(), layout, 16);
  Value whole = GlobalTile(emitter, op, view, op.getOffsets(), layout, vector).noneStraddles();
  emitVersions(emitter, whole, vector, granuleOf(type.getElementType()), emit);
  return success();
}

LogicalResult Emitter::emitGlobal(Operation *op, bool &handled) {
  handled = isa<LoadOp, StoreOp>(op);
  auto isPacked = [](Value view) { return granuleOf(cast<ViewType>(view.getType()).getElementType()) != 1; };
  if (auto load = dyn_cast<LoadOp>(op))
    return isPacked(load.getView()) ? emitPackedLoad(*this, load) : emitLoad(*this, load);
  if (auto store = dyn_cast<StoreOp>(op))
    return isPacked(store.getView()) ? emitPackedStore(*this, store) : emitStore(*this, store);
  return success();
}

// Changes of layout within a warp: registers that take another number, and shuffles.
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "lib/Layout/Conversion.h"

using namespace mlir;
using namespace mlir::tile;

Value Emitter::shuffle(StringRef mode, Value value, Value laneNumber) {
  Type type = value.getType();
  unsigned bits = 0;
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else
    bits = type.getIntOrFloatBitWidth();
  if (bits == 64) {
    Type pairType = VectorType::get({2}, b.getI32Type());
    Value pair = LLVM::BitcastOp::create(b, pairType, value), result = LLVM::UndefOp::create(b, pairType);
    for (unsigned i = 0; i < 2; ++i)
      result = LLVM::InsertElementOp::create(
          b, result, shuffle(mode, LLVM::ExtractElementOp::create(b, pair, i32(i)), laneNumber), i32(i));
    return LLVM::BitcastOp::create(b, type, result);
  }
  Type integer = b.getIntegerType(bits);
  Value raw = type == integer ? value : Value(LLVM::BitcastOp::create(b, integer, value));
  if (bits < 32)
    raw = LLVM::ZExtOp::create(b, b.getI32Type(), raw);
  raw = intrinsic(("llvm.nvvm.shfl.sync." + mode + ".i32").str(), b.getI32Type(), {i32(-1), raw, laneNumber, i32(31)});
  if (bits < 32)
    raw = LLVM::TruncOp::create(b, integer, raw);
  return type == integer ? raw : Value(LLVM::BitcastOp::create(b, type, raw));
}

/// XOR of `parts[i]` over the set bits i of the lane number.
static Value combineLaneBits(Emitter &emitter, ArrayRef<unsigned> parts) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value lane = emitter.lane();
  return emitter.inPrologue([&]() -> Value {
    Value sum = emitter.i32(0);
    for (auto [i, part] : llvm::enumerate(parts)) {
      if (!part)
        continue;
      Value bit = LLVM::AndOp::create(b, LLVM::LShrOp::create(b, lane, emitter.i32(i)), emitter.i32(1));
      sum = LLVM::XOrOp::create(b, sum, emitter.mul(bit, emitter.i32(part)));
    }
    return sum;
  });
}

static Value parity(Emitter &emitter, unsigned selector) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value lane = emitter.lane();
  return emitter.inPrologue([&]() -> Value {
    Value bits = LLVM::AndOp::create(b, lane, emitter.i32(selector));
    Value odd = LLVM::AndOp::create(b, LLVM::CtPopOp::create(b, b.getI32Type(), bits), emitter.i32(1));
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, odd, emitter.i32(0));
  });
}

static SmallVector<Value> emitShuffles(Emitter &emitter, const ShufflePlan &plan, ArrayRef<Value> source,
                                       unsigned registers) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value lanes = combineLaneBits(emitter, plan.sourceLaneBits);
  SmallVector<Value> conditions, result(registers);
  for (unsigned selector : plan.selectors)
    conditions.push_back(parity(emitter, selector));
  for (const ShuffleMove &move : plan.moves) {
    Value from = emitter.inPrologue(
        [&]() -> Value { return LLVM::XOrOp::create(b, lanes, emitter.i32(move.laneXor)); });
    SmallVector<Value> fetched;
    for (unsigned reg : move.sources)
      fetched.push_back(emitter.shuffle("idx", source[reg], from));
    for (Value condition : conditions) {
      // Bit i of the index is the outermost choice left: halves with bit 0 clear and set.
      SmallVector<Value> chosen;
      for (size_t i = 0; i < fetched.size(); i += 2)
        chosen.push_back(LLVM::SelectOp::create(b, condition, fetched[i + 1], fetched[i]));
      fetched = chosen;
    }
    result[move.dst] = fetched.front();
  }
  return result;
}

LogicalResult Emitter::emitRelayout(RelayoutOp op) {
  auto from = cast<TileType>(op.getSource().getType()), to = cast<TileType>(op.getResult().getType());
  ConversionPlan plan = planConversion(from.distribution(), to.distribution(), elementBits(to.getElementType()));
  const Fragment &source = get(op.getSource());
  switch (plan.kind) {
  case ConversionKind::Identity:
    set(op.getResult(), Fragment(source));
    return success();
  case ConversionKind::Registers:
    set(op.getResult(), permute(source, plan.registers, lanesOf(to)));
    return success();
  case ConversionKind::Shuffle: {
    SmallVector<Value> moved =
        emitShuffles(*this, plan.shuffle, elements(source), to.distribution().numRegisters());
    set(op.getResult(), pack(moved, lanesOf(to)));
    return success();
  }
  case ConversionKind::Shared:
    break;
  }
  return op.emitOpError("moves elements between warps; run 'tile-lower-relayouts' first");
}

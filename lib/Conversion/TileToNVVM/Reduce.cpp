// Reductions: first the registers of each thread, then the lanes of a warp by butterfly shuffles, then, where the axis is
// spread over warps, the warps through shared memory. Every step combines pairs, so that sums have a tree's rounding and the
// order is fixed.
#include "dialect/ElementwiseList.h"
#include "lib/Analysis/Scratch.h"
#include "lib/Conversion/TileToNVVM/Emitter.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// One partial result: a value per operand of the reduction.
using Partial = SmallVector<Value>;

class Reduction {
public:
  Reduction(Emitter &emitter, ReduceOp op)
      : emitter(emitter), b(emitter.b), op(op), axis(op.getAxis()),
        source(cast<TileType>(op.getOperands().front().getType()).distribution()), kept(source.slice(axis)) {}

  LogicalResult run();

private:
  /// combine(x, y), by emitting the region.
  FailureOr<Partial> combine(const Partial &x, const Partial &y);
  /// Combines all, neighbours first.
  FailureOr<Partial> combineAll(SmallVector<Partial> partials);
  /// The neutral element of the region for each operand, where it is one known op.
  FailureOr<Partial> neutral();
  FailureOr<SmallVector<Partial>> reduceRegisters();
  LogicalResult reduceLanes(SmallVectorImpl<Partial> &partials);
  LogicalResult reduceWarps(SmallVectorImpl<Partial> &partials);

  /// This warp's number among those that share the axis, and how many there are.
  std::pair<Value, unsigned> warpAlongAxis();
  /// Element number of a kept register's result in row-major order, an i32; `alive` is false for dead positions (null:
  /// always alive).
  Value resultIndex(unsigned reg, Value &alive);

  Emitter &emitter;
  ImplicitLocOpBuilder &b;
  ReduceOp op;
  unsigned axis;
  Layout source, kept;
};
} // namespace

FailureOr<Partial> Reduction::combine(const Partial &x, const Partial &y) {
  Block &block = op.getCombine().front();
  for (size_t i = 0; i < x.size(); ++i) {
    emitter.set(block.getArgument(i), x[i]);
    emitter.set(block.getArgument(x.size() + i), y[i]);
  }
  if (failed(emitter.emitBlock(block)))
    return failure();
  b.setLoc(op.getLoc());
  Partial result;
  for (Value value : block.getTerminator()->getOperands())
    result.push_back(emitter.scalar(value));
  return result;
}

FailureOr<Partial> Reduction::combineAll(SmallVector<Partial> partials) {
  while (partials.size() > 1) {
    SmallVector<Partial> next;
    for (size_t i = 0; i + 1 < partials.size(); i += 2) {
      FailureOr<Partial> pair = combine(partials[i], partials[i + 1]);
      if (failed(pair))
        return failure();
      next.push_back(*pair);
    }
    if (partials.size() % 2)
      next.push_back(partials.back());
    partials = std::move(next);
  }
  return partials.front();
}

FailureOr<Partial> Reduction::neutral() {
  Block &block = op.getCombine().front();
  Operation *yield = block.getTerminator();
  Partial result;
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    Operation *combiner = value.getDefiningOp();
    Type type = value.getType();
    std::optional<double> number;
    std::optional<APInt> bits;
    unsigned width = type.getIntOrFloatBitWidth();
    if (isa_and_nonnull<arith::AddFOp>(combiner))
      number = -0.0;
    else if (isa_and_nonnull<arith::MulFOp>(combiner))
      number = 1.0;
    else if (isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
      number = -std::numeric_limits<double>::infinity();
    else if (isa_and_nonnull<arith::MinimumFOp, arith::MinNumFOp>(combiner))
      number = std::numeric_limits<double>::infinity();
    else if (isa_and_nonnull<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(combiner))
      bits = APInt::getZero(width);
    else if (isa_and_nonnull<arith::MulIOp>(combiner))
      bits = APInt(width, 1);
    else if (isa_and_nonnull<arith::AndIOp, arith::MinUIOp>(combiner))
      bits = APInt::getAllOnes(width);
    else if (isa_and_nonnull<arith::MaxSIOp>(combiner))
      bits = APInt::getSignedMinValue(width);
    else if (isa_and_nonnull<arith::MinSIOp>(combiner))
      bits = APInt::getSignedMaxValue(width);
    bool own = combiner && llvm::is_contained(combiner->getOperands(), block.getArgument(i)) &&
               llvm::is_contained(combiner->getOperands(), block.getArgument(yield->getNumOperands() + i));
    if (!own || (!number && !bits))
      return op.emitOpError("has a combine region without a known neutral element on a layout with dead positions; "
                            "expected a layout that fits the axis");
    if (number)
      result.push_back(LLVM::ConstantOp::create(b, type, b.getFloatAttr(type, *number)));
    else
      result.push_back(emitter.constant(type, bits->getSExtValue()));
  }
  return result;
}

FailureOr<SmallVector<Partial>> Reduction::reduceRegisters() {
  std::optional<SmallVector<unsigned>> target = source.registerMapTo(kept.expandDims(axis));
  bool separable = target.has_value();
  for (ArrayRef<Basis> bases : {source.registerBases(), source.laneBases(), source.warpBases()})
    for (const Basis &basis : bases)
      for (auto [dim, part] : llvm::enumerate(basis))
        separable &= dim == axis || part == 0 || basis[axis] == 0;
  if (!separable) {
    op.emitOpError("expects a layout whose basis vectors run either along the axis or across it");
    return failure();
  }
  SmallVector<SmallVector<Value>> operands;
  for (Value operand : op.getOperands())
    operands.push_back(emitter.elements(emitter.get(operand)));
  Partial identity;
  if (source.hasDeadPositions(axis)) {
    FailureOr<Partial> known = neutral();
    if (failed(known))
      return failure();
    identity = *known;
  }
  SmallVector<SmallVector<Partial>> groups(kept.numRegisters());
  for (unsigned reg = 0; reg < source.numRegisters(); ++reg) {
    Partial partial;
    for (ArrayRef<Value> operand : operands)
      partial.push_back(operand[reg]);
    if (!identity.empty()) {
      Value thread = emitter.threadCoordinate(source, axis), offset = emitter.i32(source.registerOffset(reg, axis));
      Value alive = emitter.inPrologue([&]() -> Value {
        Value position =
            source.isAdditive(axis) ? emitter.add(thread, offset) : Value(LLVM::XOrOp::create(b, thread, offset));
        return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, position, emitter.i32(source.extents()[axis]));
      });
      for (auto [value, none] : llvm::zip(partial, identity))
        value = LLVM::SelectOp::create(b, alive, value, none);
    }
    groups[(*target)[reg]].push_back(partial);
  }
  SmallVector<Partial> result;
  for (SmallVector<Partial> &group : groups) {
    FailureOr<Partial> one = combineAll(std::move(group));
    if (failed(one))
      return failure();
    result.push_back(*one);
  }
  return result;
}

LogicalResult Reduction::reduceLanes(SmallVectorImpl<Partial> &partials) {
  for (auto [bit, basis] : llvm::enumerate(source.laneBases())) {
    if (basis[axis] == 0)
      continue;
    for (Partial &partial : partials) {
      Partial other;
      for (Value value : partial)
        other.push_back(emitter.shuffle("bfly", value, emitter.i32(1 << bit)));
      FailureOr<Partial> both = combine(partial, other);
      if (failed(both))
        return failure();
      partial = *both;
    }
  }
  return success();
}

std::pair<Value, unsigned> Reduction::warpAlongAxis() {
  Value warp = emitter.warp();
  unsigned count = 1;
  Value number = emitter.inPrologue([&]() -> Value {
    Value sum = emitter.i32(0);
    for (auto [bit, basis] : llvm::enumerate(source.warpBases())) {
      if (basis[axis] == 0)
        continue;
      Value one = LLVM::AndOp::create(b, LLVM::LShrOp::create(b, warp, emitter.i32(bit)), emitter.i32(1));
      sum = emitter.add(sum, emitter.mul(one, emitter.i32(count)));
      count *= 2;
    }
    Value rest = LLVM::LShrOp::create(b, warp, emitter.i32(source.warpBases().size()));
    for (const Digit &digit : source.digits()) {
      if (digit.place != Place::Warp)
        continue;
      Value odd = emitter.i32(digit.odd);
      if (digit.dim == static_cast<int>(axis)) {
        sum = emitter.add(sum, emitter.mul(LLVM::URemOp::create(b, rest, odd), emitter.i32(count)));
        count *= digit.odd;
      }
      rest = LLVM::UDivOp::create(b, rest, odd);
    }
    return sum;
  });
  return {number, count};
}

Value Reduction::resultIndex(unsigned reg, Value &alive) {
  Value index = emitter.i32(0);
  for (unsigned dim = 0; dim < source.rank() - 1; ++dim) {
    Value thread = emitter.threadCoordinate(kept, dim), offset = emitter.i32(kept.registerOffset(reg, dim));
    Value position =
        kept.isAdditive(dim) ? emitter.add(thread, offset) : Value(LLVM::XOrOp::create(b, thread, offset));
    if (kept.hasDeadPositions(dim))
      alive = emitter.both(alive, LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, position,
                                                       emitter.i32(kept.extents()[dim])));
    index = emitter.add(emitter.mul(index, emitter.i32(kept.extents()[dim])), position);
  }
  return index;
}

LogicalResult Reduction::reduceWarps(SmallVectorImpl<Partial> &partials) {
  if (scratchBytes(op) == 0)
    return success();
  if (!op.getScratch())
    return op.emitOpError("has no scratch offset; run 'tile-allocate-shared' first");
  auto [warp, warps] = warpAlongAxis();
  int64_t results = 1;
  for (unsigned dim = 0; dim < source.rank(); ++dim)
    if (dim != axis)
      results *= source.extents()[dim];
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext(), 3);
  auto pointer = [&](Value base, Value element, unsigned bytes) -> Value {
    Value address = emitter.add(base, emitter.mul(element, emitter.i32(bytes)));
    return LLVM::IntToPtrOp::create(b, pointerType, address);
  };
  auto storedType = [&](Type type) { return type.isInteger(1) ? Type(b.getI8Type()) : type; };

  SmallVector<Value> bases, indices;
  SmallVector<unsigned> sizes;
  int64_t offset = op.getScratch().value();
  for (Value operand : op.getOperands()) {
    unsigned bytes = elementBits(cast<TileType>(operand.getType()).getElementType()) / 8;
    bases.push_back(emitter.add(emitter.sharedBase(), emitter.i32(offset)));
    sizes.push_back(bytes);
    offset += llvm::alignTo(warps * results * bytes, 16);
  }
  // Dead positions fold onto element 0 when read, and write what element 0's owner does not: so they must not write.
  for (auto [reg, partial] : llvm::enumerate(partials)) {
    Value alive, index = resultIndex(reg, alive);
    Value slot = emitter.add(emitter.mul(warp, emitter.i32(results)), index);
    Block *join = nullptr;
    if (alive) {
      index = LLVM::SelectOp::create(b, alive, index, emitter.i32(0));
      OpBuilder::InsertPoint here = b.saveInsertionPoint();
      Region *region = b.getInsertionBlock()->getParent();
      Block *store = b.createBlock(region, region->end());
      join = b.createBlock(region, region->end());
      b.restoreInsertionPoint(here);
      LLVM::CondBrOp::create(b, alive, store, join);
      b.setInsertionPointToStart(store);
    }
    for (auto [value, base, bytes] : llvm::zip(partial, bases, sizes)) {
      Value stored = value.getType().isInteger(1) ? Value(LLVM::ZExtOp::create(b, b.getI8Type(), value)) : value;
      LLVM::StoreOp::create(b, stored, pointer(base, slot, bytes), bytes);
    }
    if (join) {
      LLVM::BrOp::create(b, join);
      b.setInsertionPointToStart(join);
    }
    indices.push_back(index);
  }
  emitter.barrier();
  for (auto [reg, partial] : llvm::enumerate(partials)) {
    SmallVector<Partial> all;
    for (unsigned w = 0; w < warps; ++w) {
      Partial one;
      for (auto [value, base, bytes] : llvm::zip(partial, bases, sizes)) {
        Value slot = emitter.add(indices[reg], emitter.i32(w * results));
        Value loaded = LLVM::LoadOp::create(b, storedType(value.getType()), pointer(base, slot, bytes), bytes);
        if (value.getType().isInteger(1))
          loaded = LLVM::TruncOp::create(b, b.getI1Type(), loaded);
        one.push_back(loaded);
      }
      all.push_back(one);
    }
    FailureOr<Partial> total = combineAll(std::move(all));
    if (failed(total))
      return failure();
    partial = *total;
  }
  return success();
}

LogicalResult Reduction::run() {
  FailureOr<SmallVector<Partial>> partials = reduceRegisters();
  if (failed(partials) || failed(reduceLanes(*partials)) || failed(reduceWarps(*partials)))
    return failure();
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    SmallVector<Value> elements;
    for (const Partial &partial : *partials)
      elements.push_back(partial[i]);
    auto type = dyn_cast<TileType>(result.getType());
    emitter.set(result, emitter.pack(elements, type ? Emitter::lanesOf(type) : 1));
  }
  return success();
}

LogicalResult Emitter::emitReduce(ReduceOp op) { return Reduction(*this, op).run(); }

// Ops of arith and math, on scalars and on tiles. Where operands and result are packed alike, and the op has a packed form,
// whole words are computed at once (two f16 or bf16); else element by element.
#include "dialect/ElementwiseList.h"
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tile;

/// The flags of arith as those of LLVM; the bits have the same names.
static LLVM::FastmathFlagsAttr fastMath(Operation *op) {
  LLVM::FastmathFlags flags = LLVM::FastmathFlags::none;
  if (auto interface = dyn_cast<arith::ArithFastMathInterface>(op)) {
    arith::FastMathFlags from = interface.getFastMathFlagsAttr().getValue();
    for (auto [a, l] : {std::pair(arith::FastMathFlags::reassoc, LLVM::FastmathFlags::reassoc),
                        std::pair(arith::FastMathFlags::nnan, LLVM::FastmathFlags::nnan),
                        std::pair(arith::FastMathFlags::ninf, LLVM::FastmathFlags::ninf),
                        std::pair(arith::FastMathFlags::nsz, LLVM::FastmathFlags::nsz),
                        std::pair(arith::FastMathFlags::arcp, LLVM::FastmathFlags::arcp),
                        std::pair(arith::FastMathFlags::contract, LLVM::FastmathFlags::contract),
                        std::pair(arith::FastMathFlags::afn, LLVM::FastmathFlags::afn)})
      if (arith::bitEnumContainsAll(from, a))
        flags = flags | l;
  }
  return LLVM::FastmathFlagsAttr::get(op->getContext(), flags);
}

/// Index arithmetic that cannot leave its width: LLVM may then move it through extensions to 64 bits.
static LLVM::IntegerOverflowFlags overflowFlags(Emitter &emitter, Operation *op) {
  using arith::IntegerOverflowFlags;
  bool signedSafe = op->getResult(0).getType().isIndex();
  if (auto interface = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    signedSafe |= interface.hasNoSignedWrap();
  return signedSafe ? LLVM::IntegerOverflowFlags::nsw : LLVM::IntegerOverflowFlags::none;
}

static Value emitInteger(Emitter &emitter, Operation *op, ValueRange x) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto zero = [&]() -> Value { return LLVM::ZeroOp::create(b, x[0].getType()); };
  auto compare = [&](LLVM::ICmpPredicate predicate, Value l, Value r) -> Value {
    return LLVM::ICmpOp::create(b, predicate, l, r);
  };
  /// Quotient toward zero, plus `by` where the division is inexact and the signs of the operands are alike (or not).
  auto roundedDivision = [&](bool alike, int64_t by) -> Value {
    Value quotient = LLVM::SDivOp::create(b, x[0], x[1]);
    Value rest = LLVM::SubOp::create(b, x[0], LLVM::MulOp::create(b, quotient, x[1]));
    Value inexact = compare(LLVM::ICmpPredicate::ne, rest, zero());
    Value differ = compare(LLVM::ICmpPredicate::slt, LLVM::XOrOp::create(b, x[0], x[1]), zero());
    Value condition = alike ? LLVM::XOrOp::create(b, differ, LLVM::ConstantOp::create(b, b.getI1Type(), 1)) : differ;
    Value moved = LLVM::AddOp::create(b, quotient, LLVM::ConstantOp::create(b, x[0].getType(), by));
    return LLVM::SelectOp::create(b, LLVM::AndOp::create(b, inexact, condition), moved, quotient);
  };
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::AddIOp) { return LLVM::AddOp::create(b, x[0], x[1], overflowFlags(emitter, op)); })
      .Case([&](arith::SubIOp) { return LLVM::SubOp::create(b, x[0], x[1], overflowFlags(emitter, op)); })
      .Case([&](arith::MulIOp) { return LLVM::MulOp::create(b, x[0], x[1], overflowFlags(emitter, op)); })
      .Case([&](arith::DivSIOp) { return LLVM::SDivOp::create(b, x[0], x[1]); })
      .Case([&](arith::DivUIOp) { return LLVM::UDivOp::create(b, x[0], x[1]); })
      .Case([&](arith::RemSIOp) { return LLVM::SRemOp::create(b, x[0], x[1]); })
      .Case([&](arith::RemUIOp) { return LLVM::URemOp::create(b, x[0], x[1]); })
      .Case([&](arith::FloorDivSIOp) { return roundedDivision(false, -1); })
      .Case([&](arith::CeilDivSIOp) { return roundedDivision(true, 1); })
      .Case([&](arith::CeilDivUIOp) -> Value {
        Value quotient = LLVM::UDivOp::create(b, x[0], x[1]);
        if (quotient.getType().isInteger(1))
          return quotient; // by 1, which leaves no rest
        Value rest = LLVM::SubOp::create(b, x[0], LLVM::MulOp::create(b, quotient, x[1]));
        Value up = LLVM::ZExtOp::create(b, x[0].getType(), compare(LLVM::ICmpPredicate::ne, rest, zero()));
        return LLVM::AddOp::create(b, quotient, up);
      })
      .Case([&](arith::AndIOp) { return LLVM::AndOp::create(b, x[0], x[1]); })
      .Case([&](arith::OrIOp) { return LLVM::OrOp::create(b, x[0], x[1]); })
      .Case([&](arith::XOrIOp) { return LLVM::XOrOp::create(b, x[0], x[1]); })
      .Case([&](arith::ShLIOp) { return LLVM::ShlOp::create(b, x[0], x[1]); })
      .Case([&](arith::ShRSIOp) { return LLVM::AShrOp::create(b, x[0], x[1]); })
      .Case([&](arith::ShRUIOp) { return LLVM::LShrOp::create(b, x[0], x[1]); })
      .Case([&](arith::MaxSIOp) { return LLVM::SMaxOp::create(b, x[0], x[1]); })
      .Case([&](arith::MaxUIOp) { return LLVM::UMaxOp::create(b, x[0], x[1]); })
      .Case([&](arith::MinSIOp) { return LLVM::SMinOp::create(b, x[0], x[1]); })
      .Case([&](arith::MinUIOp) { return LLVM::UMinOp::create(b, x[0], x[1]); })
      .Case([&](arith::CmpIOp compareOp) {
        return compare(static_cast<LLVM::ICmpPredicate>(compareOp.getPredicate()), x[0], x[1]);
      })
      .Default([](Operation *) { return Value(); });
}

static LLVM::FCmpPredicate floatPredicate(arith::CmpFPredicate predicate) {
  return *LLVM::symbolizeFCmpPredicate(arith::stringifyCmpFPredicate(predicate) == "false"
                                           ? StringRef("_false")
                                           : (arith::stringifyCmpFPredicate(predicate) == "true"
                                                  ? StringRef("_true")
                                                  : arith::stringifyCmpFPredicate(predicate)));
}

static Value emitFloat(Emitter &emitter, Operation *op, ValueRange x) {
  ImplicitLocOpBuilder &b = emitter.b;
  LLVM::FastmathFlagsAttr flags = fastMath(op);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::AddFOp) { return LLVM::FAddOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::SubFOp) { return LLVM::FSubOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::MulFOp) { return LLVM::FMulOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::DivFOp) { return LLVM::FDivOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::NegFOp) { return LLVM::FNegOp::create(b, x[0], flags); })
      .Case([&](arith::MaximumFOp) { return LLVM::MaximumOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::MinimumFOp) { return LLVM::MinimumOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::MaxNumFOp) { return LLVM::MaxNumOp::create(b, x[0], x[1], flags); })
      .Case([&](arith::MinNumFOp) { return LLVM::MinNumOp::create(b, x[0], x[1], flags); })
      .Case([&](math::FmaOp) { return LLVM::FMAOp::create(b, x[0], x[1], x[2], flags); })
      .Case([&](arith::CmpFOp compare) -> Value {
        auto result = LLVM::FCmpOp::create(b, floatPredicate(compare.getPredicate()), x[0], x[1]);
        result.setFastmathFlagsAttr(flags);
        return result;
      })
      .Default([](Operation *) { return Value(); });
}

Value Emitter::emitScalarOp(Operation *op, ValueRange operands) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return LLVM::SelectOp::create(b, operands[0], operands[1], operands[2]);
  if (isa<arith::ArithDialect>(op->getDialect()))
    if (Value result = emitInteger(*this, op, operands))
      return result;
  if (Value result = emitFloat(*this, op, operands))
    return result;
  return emitMath(op, operands);
}

/// Ops that hardware or LLVM does well on two packed 16-bit numbers, and integer ops on any word.
static bool hasPackedForm(Operation *op, Type element) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxNumFOp, arith::MinNumFOp, math::FmaOp>(op))
    return element.isF16() || element.isBF16();
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
             arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp>(op);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// One element of a constant, as LLVM takes it: f8 and what is narrower than a byte as their bits.
static Value elementConstant(Emitter &emitter, Attribute value) {
  ImplicitLocOpBuilder &b = emitter.b;
  if (auto number = dyn_cast<FloatAttr>(value); number && isStorageFloat(number.getType()))
    return emitter.constant(b.getI8Type(), number.getValue().bitcastToAPInt().getZExtValue());
  if (auto number = dyn_cast<FloatAttr>(value))
    return emitter.inPrologue([&]() -> Value { return LLVM::ConstantOp::create(b, number.getType(), number); });
  auto integer = cast<IntegerAttr>(value);
  if (isStorageType(integer.getType()))
    return emitter.constant(b.getI8Type(), integer.getValue().getZExtValue());
  return emitter.constant(integer.getType(), integer.getValue().getSExtValue());
}

static LogicalResult emitConstant(Emitter &emitter, arith::ConstantOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Attribute value = op.getValue();
  auto type = dyn_cast<TileType>(op.getType());
  if (!type) {
    if (auto integer = dyn_cast<IntegerAttr>(value); integer && !isStorageType(integer.getType()))
      emitter.set(op, emitter.constant(emitter.scalarType(op), integer.getValue().getSExtValue()));
    else
      emitter.set(op, elementConstant(emitter, value));
    return success();
  }
  Layout layout = type.distribution();
  unsigned lanes = Emitter::lanesOf(type), registers = layout.numRegisters();
  auto dense = cast<DenseElementsAttr>(value);
  if (dense.isSplat()) {
    Value element = elementConstant(emitter, dense.getSplatValue<Attribute>());
    Fragment one = emitter.pack(SmallVector<Value>(lanes, element), lanes);
    emitter.set(op, Fragment{SmallVector<Value>(registers / lanes, one.words.front()), lanes});
    return success();
  }
  // Elements that differ: each thread picks its own from a table in constant form. Allowed where all threads agree.
  SmallVector<Value> elements;
  for (unsigned reg = 0; reg < registers; ++reg) {
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      for (ArrayRef<Basis> bases : {layout.laneBases(), layout.warpBases()})
        for (const Basis &basis : bases)
          if (basis[dim] != 0)
            return op.emitOpError("has elements that differ between threads, which has no lowering; compute them from "
                                  "'tile.iota' or load them");
    SmallVector<int64_t> at = layout.coordinates(reg, 0, 0);
    SmallVector<uint64_t> index(at.begin(), at.end());
    elements.push_back(elementConstant(emitter, layout.isLive(at) ? dense.getValues<Attribute>()[index]
                                                                  : *dense.getValues<Attribute>().begin()));
  }
  emitter.set(op, emitter.pack(elements, lanes));
  (void)b;
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars and tiles
//===----------------------------------------------------------------------===//

/// The width in which an index op is computed: its result keeps the low bits of sums and products, so those need no more
/// than the result; everything else needs its operands whole.
static unsigned indexBits(Emitter &emitter, Operation *op) {
  unsigned bits = 32;
  for (Value value : op->getResults())
    if (value.getType().isIndex() && !emitter.facts.fits32(value))
      bits = 64;
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    for (Value value : op->getOperands())
      if (value.getType().isIndex() && !emitter.facts.fits32(value))
        bits = 64;
  return bits;
}

static LogicalResult emitScalar(Emitter &emitter, Operation *op) {
  SmallVector<Value> operands;
  unsigned bits = indexBits(emitter, op);
  for (Value operand : op->getOperands())
    operands.push_back(operand.getType().isIndex() ? emitter.index(operand, bits) : emitter.scalar(operand));
  Value result = emitter.emitScalarOp(op, operands);
  if (!result)
    return op->emitOpError("has no lowering to ") << emitter.target.name << " on " << op->getResult(0).getType();
  if (op->getResult(0).getType().isIndex())
    result = emitter.resize(result, emitter.facts.fits32(op->getResult(0)) ? 32 : 64);
  emitter.set(op->getResult(0), result);
  return success();
}

static LogicalResult emitTile(Emitter &emitter, Operation *op, TileType type) {
  unsigned lanes = Emitter::lanesOf(type), registers = type.distribution().numRegisters();
  bool packed = lanes > 1 && hasPackedForm(op, type.getElementType());
  SmallVector<SmallVector<Value>> columns;
  for (Value operand : op->getOperands()) {
    if (!isa<TileType>(operand.getType())) {
      columns.push_back({emitter.scalar(operand)}); // a select's scalar condition
      continue;
    }
    const Fragment &fragment = emitter.get(operand);
    columns.push_back(packed ? fragment.words : emitter.elements(fragment));
  }
  SmallVector<Value> results;
  for (unsigned i = 0, e = packed ? registers / lanes : registers; i < e; ++i) {
    SmallVector<Value> operands;
    for (ArrayRef<Value> column : columns)
      operands.push_back(column.size() == 1 ? column.front() : column[i]);
    results.push_back(emitter.emitScalarOp(op, operands));
    if (!results.back())
      return op->emitOpError("has no lowering to ") << emitter.target.name << " on " << type.getElementType();
  }
  emitter.set(op->getResult(0), packed ? Fragment{results, lanes} : emitter.pack(results, lanes));
  return success();
}

LogicalResult Emitter::emitElementwise(Operation *op, bool &handled) {
  if (auto select = dyn_cast<SelectOp>(op)) {
    handled = true;
    auto type = cast<TileType>(select.getResult().getType());
    bool scalarCondition = !isa<TileType>(select.getCondition().getType());
    const Fragment &condition = get(select.getCondition());
    const Fragment &trueValue = get(select.getTrueValue()), &falseValue = get(select.getFalseValue());
    bool words = scalarCondition || trueValue.lanes == 1;
    SmallVector<Value> t = words ? trueValue.words : elements(trueValue);
    SmallVector<Value> f = words ? falseValue.words : elements(falseValue), results;
    for (size_t i = 0; i < t.size(); ++i)
      results.push_back(LLVM::SelectOp::create(b, condition.words[scalarCondition ? 0 : i], t[i], f[i]));
    set(op->getResult(0), words ? Fragment{results, trueValue.lanes} : pack(results, lanesOf(type)));
    return success();
  }
  handled = isElementwise(op);
  if (!handled)
    return success();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return emitConstant(*this, constant);
  if (auto type = dyn_cast<TileType>(op->getResult(0).getType()))
    return emitTile(*this, op, type);
  return emitScalar(*this, op);
}

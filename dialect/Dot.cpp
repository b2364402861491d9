// Checks of matrix products.
#include "dialect/Dot.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "dialect/Dot.cpp.inc"

//===----------------------------------------------------------------------===//
// Operands as the checks see them, microscaled or not
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Value operand) {
  if (auto mx = dyn_cast<MxType>(operand.getType()))
    return mx.getShape();
  return cast<TileType>(operand.getType()).getShape();
}

static Type elementOf(Value operand) {
  if (auto mx = dyn_cast<MxType>(operand.getType()))
    return mx.getElementType();
  return cast<TileType>(operand.getType()).getElementType();
}

Type DotOp::lhsElement() { return getPacked() ? Float4E2M1FNType::get(getContext()) : elementOf(getLhs()); }

Type DotOp::rhsElement() { return getPacked() ? Float4E2M1FNType::get(getContext()) : elementOf(getRhs()); }

int64_t DotOp::extentK() { return shapeOf(getLhs()).back() * (getPacked() ? 2 : 1); }

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// Whether a dot without scales of these element types exists.
static bool isSupported(Type lhs, Type rhs, Type acc) {
  if (lhs != rhs && !(isF8(lhs) && isF8(rhs)))
    return false;
  if (acc.isF32())
    return lhs.isF16() || lhs.isBF16() || lhs.isF32() || isF8(lhs);
  if (acc.isF64())
    return lhs.isF64();
  return acc.isInteger(32) && lhs.isInteger(8);
}

/// Whether a dot exists of which one operand at least has scales.
static bool isSupportedScaled(Type lhs, bool lhsScaled, Type rhs, bool rhsScaled, Type acc) {
  if (!acc.isF32())
    return false;
  if (isa<IntegerType>(lhs) || isa<IntegerType>(rhs)) {
    // Integers multiply what is not scaled and has 16 bits.
    Type other = lhsScaled ? rhs : lhs;
    return lhsScaled != rhsScaled && (other.isF16() || other.isBF16());
  }
  auto isPartner = [](Type type) { return type.isF16() || type.isBF16() || isF8(type); };
  return (lhsScaled || isPartner(lhs)) && (rhsScaled || isPartner(rhs));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyShapes(DotOp op) {
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs()), acc = shapeOf(op.getAcc());
  size_t rank = acc.size();
  if (rank < 2 || rank > 3 || lhs.size() != rank || rhs.size() != rank)
    return op.emitOpError("expects lhs, rhs and acc all of rank 2, or of rank 3 with a batch first, found ")
           << op.getLhs().getType() << ", " << op.getRhs().getType() << " and " << op.getAcc().getType();
  auto mismatch = [&](StringRef a, StringRef b, StringRef dim, int64_t x, int64_t y) {
    auto operand = [&](StringRef name) -> Value {
      return name == "lhs" ? op.getLhs() : name == "rhs" ? op.getRhs() : op.getAcc();
    };
    InFlightDiagnostic diag = op.emitOpError("expects ")
                              << a << " and " << b << " to have the same " << dim << ", but got " << x << " and " << y;
    for (StringRef name : {a, b})
      diag.attachNote(operand(name).getLoc()) << name << " has type " << operand(name).getType();
    return diag;
  };
  if (lhs[rank - 1] != rhs[rank - 2]) {
    InFlightDiagnostic diag = mismatch("lhs", "rhs", "K", lhs[rank - 1], rhs[rank - 2]);
    if (lhs[rank - 1] == rhs[rank - 1]) {
      if (isa<MxType>(op.getRhs().getType()))
        diag.attachNote() << "if rhs is stored N x K, say 'transposed' where its view is joined by 'tile.mx_view'";
      else
        diag.attachNote() << "if rhs is stored N x K, transpose it first with 'tile.transpose'";
    }
    return diag;
  }
  if (lhs[rank - 2] != acc[rank - 2])
    return mismatch("lhs", "acc", "M", lhs[rank - 2], acc[rank - 2]);
  if (rhs[rank - 1] != acc[rank - 1])
    return mismatch("rhs", "acc", "N", rhs[rank - 1], acc[rank - 1]);
  if (rank == 3 && lhs[0] != rhs[0])
    return mismatch("lhs", "rhs", "batch", lhs[0], rhs[0]);
  if (rank == 3 && lhs[0] != acc[0])
    return mismatch("lhs", "acc", "batch", lhs[0], acc[0]);
  return success();
}

/// Blocks run along K.
static LogicalResult verifyBlockAxis(DotOp op, StringRef name, Value operand, unsigned expected) {
  auto mx = dyn_cast<MxType>(operand.getType());
  if (!mx || mx.getAxis() == expected)
    return success();
  InFlightDiagnostic diag = op.emitOpError("expects the blocks of ")
                            << name << " along K, axis " << expected << ", found them along " << mx.getAxis();
  diag.attachNote(operand.getLoc()) << name << " has type " << operand.getType();
  diag.attachNote() << "'tile.requantize' makes blocks along another axis";
  return diag;
}

/// The scales beside one operand: rows or columns, then blocks of K.
static LogicalResult verifyScales(DotOp op, StringRef name, Type element, Value scales, IntegerAttr block,
                                  int64_t outer) {
  if (!scales && !block)
    return success();
  if (!scales || !block) {
    InFlightDiagnostic diag = op.emitOpError("expects scales of ")
                              << name << " and the size of their blocks together, found only "
                              << (scales ? "scales" : "a block size");
    diag.attachNote() << "as in '%" << name << " scaled %scales by 32'";
    return diag;
  }
  auto type = cast<TileType>(scales.getType());
  auto emit = [&]() -> InFlightDiagnostic { return op.emitOpError() << name << ": "; };
  if (failed(verifyMxFamily(emit, element, block.getInt(), type.getElementType(), /*tensorScale=*/false)))
    return failure();
  if (op.extentK() % block.getInt() != 0)
    return op.emitOpError("expects K to be a multiple of the block of ")
           << block.getInt() << " of " << name << ", found " << op.extentK();
  SmallVector<int64_t> expected{outer, op.extentK() / block.getInt()};
  ArrayRef<int64_t> batch = shapeOf(op.getAcc()).drop_back(2);
  expected.insert(expected.begin(), batch.begin(), batch.end());
  if (type.getShape() == ArrayRef(expected))
    return success();
  InFlightDiagnostic diag = op.emitOpError("expects the scales of ") << name << " to be ";
  printShape(diag, expected);
  diag << ", found ";
  printShape(diag, type.getShape());
  if (type.getShape().size() == expected.size() && type.getShape().back() == outer)
    diag.attachNote() << "scales have one row for each " << (name == "lhs" ? "row" : "column") << " of " << name
                      << ", with its blocks along K side by side; 'tile.transpose' turns them";
  return diag;
}

LogicalResult DotOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  unsigned rank = shapeOf(getAcc()).size();
  if (failed(verifyBlockAxis(*this, "lhs", getLhs(), rank - 1)) ||
      failed(verifyBlockAxis(*this, "rhs", getRhs(), rank - 2)))
    return failure();
  bool hasValues = isa<MxType>(getLhs().getType()) || isa<MxType>(getRhs().getType());
  if (hasValues && (isScaled() || getPacked()))
    return emitOpError("expects either microscaled operands, or tiles with their scales beside them, but got both");
  if (getPacked() && (!elementOf(getLhs()).isInteger(8) || !elementOf(getRhs()).isInteger(8) || !getLhsScale() ||
                      !getRhsScale()))
    return emitOpError("expects 'packed' operands to be i8 with scales on both sides");
  Type lhs = lhsElement(), rhs = rhsElement(), acc = elementOf(getAcc());
  if (failed(verifyScales(*this, "lhs", lhs, getLhsScale(), getLhsBlockAttr(), shapeOf(getAcc())[rank - 2])) ||
      failed(verifyScales(*this, "rhs", rhs, getRhsScale(), getRhsBlockAttr(), shapeOf(getAcc())[rank - 1])))
    return failure();
  bool lhsScaled = getLhsScale() || isa<MxType>(getLhs().getType()),
       rhsScaled = getRhsScale() || isa<MxType>(getRhs().getType());
  bool supported = lhsScaled || rhsScaled ? isSupportedScaled(lhs, lhsScaled, rhs, rhsScaled, acc)
                                          : isSupported(lhs, rhs, acc);
  if (!supported) {
    InFlightDiagnostic diag = emitOpError("expects element types that can be multiplied, but got ")
                              << lhs << ", " << rhs << " and " << acc;
    if (lhsScaled || rhsScaled)
      diag.attachNote() << "microscaled floats multiply each other, f16, bf16 and f8, microscaled integers f16 and bf16; "
                           "both add up in f32";
    else
      diag.attachNote() << "f16, bf16, f8 and f32 add up in f32, f64 in f64, i8 in i32; both operands are of one type";
    return diag;
  }
  if (getPrecision() == Precision::TF32 && !lhs.isF32())
    return emitOpError("expects 'precision tf32' only on f32 operands, found ") << lhs;
  return success();
}

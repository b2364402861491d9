// Matrix products by mma.sync. K goes outermost: with the fragments of one step along K, every accumulator fragment is
// advanced by one instruction. When operands are read is the IR's business (tile-slice-dots), not that of the emission.
#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "lib/Layout/MmaLayouts.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// One operand: words by fragment.
class Operand {
public:
  /// `kDim` is the operand's dimension along K.
  Operand(Emitter &emitter, Value value, const MmaFragments &fragments, unsigned kDim)
      : emitter(emitter), fragments(fragments), layout(cast<TileType>(value.getType()).distribution()), kDim(kDim) {
    auto type = cast<TileType>(value.getType());
    lanes = Emitter::lanesOf(type);
    words = emitter.get(value).words;
  }

  /// The words of the fragment of instruction tile (row, col).
  SmallVector<Value> at(unsigned row, unsigned col) {
    SmallVector<Value> result;
    for (unsigned i = 0; i < fragments.size(); i += lanes) {
      unsigned reg = fragments.reg(row, col, i);
      result.push_back(layout.hasDeadPositions(kDim) ? clearDead(words[reg / lanes], reg) : words[reg / lanes]);
    }
    return result;
  }

private:
  /// Zero for what lies beyond the tile's K, where the instruction's is larger.
  Value clearDead(Value word, unsigned reg) {
    ImplicitLocOpBuilder &b = emitter.b;
    SmallVector<Value> elements = emitter.elements(Fragment{{word}, lanes});
    for (auto [i, element] : llvm::enumerate(elements)) {
      Value zero = LLVM::ZeroOp::create(b, element.getType());
      element = LLVM::SelectOp::create(b, emitter.isLive(layout, kDim, reg + i), element, zero);
    }
    return emitter.pack(elements, lanes).words.front();
  }

  Emitter &emitter;
  const MmaFragments &fragments;
  Layout layout;
  unsigned kDim;
  unsigned lanes;
  SmallVector<Value> words;
};
} // namespace

static ElementKind kindOf(DotOp op, Type type) {
  if (type.isF64())
    return ElementKind::F64;
  if (type.isF32())
    return op.getPrecision() == Precision::TF32 ? ElementKind::TF32 : ElementKind::F32;
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ElementKind::F8E4M3;
  if (isa<Float8E5M2Type>(type))
    return ElementKind::F8E5M2;
  return ElementKind::I8;
}

/// The intrinsic of an instruction.
static std::string intrinsicName(const MmaShape &shape) {
  std::string size =
      "m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" + std::to_string(shape.k) + ".row.col.";
  std::string name = "llvm.nvvm.mma." + size;
  switch (shape.a) {
  case ElementKind::F16:
    return name + "f32.f32";
  case ElementKind::BF16:
    return name + "bf16";
  case ElementKind::TF32:
    return name + "tf32";
  case ElementKind::F64:
    return name + "f64";
  case ElementKind::I8:
    return name + "s8";
  default:
    return name + "f32." + std::string(ptxName(shape.a)) + "." + std::string(ptxName(shape.b)) + ".f32";
  }
}

/// Words as the instruction takes them: f16 pairs as they are, other packed elements as i32, tf32 rounded.
static void prepare(Emitter &emitter, SmallVectorImpl<Value> &words, ElementKind kind) {
  ImplicitLocOpBuilder &b = emitter.b;
  for (Value &word : words) {
    if (kind == ElementKind::TF32)
      word = emitter.inlinePtx("cvt.rna.tf32.f32 $0, $1;", "=r,f", b.getI32Type(), {word}, /*volatile_=*/false);
    else if (kind != ElementKind::F64 && kind != ElementKind::F16)
      word = LLVM::BitcastOp::create(b, b.getI32Type(), word);
  }
}

LogicalResult Emitter::emitDot(DotOp op) {
  auto lhs = cast<TileType>(op.getLhs().getType()), rhs = cast<TileType>(op.getRhs().getType()),
       acc = cast<TileType>(op.getAcc().getType());
  ElementKind a = kindOf(op, lhs.getElementType()), bKind = kindOf(op, rhs.getElementType());
  ElementKind c = acc.getElementType().isF64()         ? ElementKind::F64
                  : acc.getElementType().isInteger(32) ? ElementKind::I32
                                                       : ElementKind::F32;
  if (a == ElementKind::F32)
    return emitFmaDot(op);
  const MmaShape *shape = target.findMma(a, bKind, c);
  if (!shape)
    return op.emitOpError("has no tensor instruction on ")
           << target.name << " for " << lhs.getElementType() << " and " << rhs.getElementType();
  auto aTiles = MmaFragments::match(lhs.distribution(), *shape, MmaRole::A);
  auto bTiles = MmaFragments::match(rhs.distribution(), *shape, MmaRole::B);
  auto cTiles = MmaFragments::match(acc.distribution(), *shape, MmaRole::C);
  if (!aTiles || !bTiles || !cTiles ||
      !mmaAgree(lhs.distribution(), rhs.distribution(), acc.distribution(), *shape))
    return op.emitOpError("expects layouts of mma.sync.m") << shape->m << "n" << shape->n << "k" << shape->k;

  Operand left(*this, op.getLhs(), *aTiles, /*kDim=*/1), right(*this, op.getRhs(), *bTiles, /*kDim=*/0);
  Fragment result = get(op.getAcc());
  Type element = elementType(acc.getElementType());
  Type resultType = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(cTiles->size(), element));
  std::string name = intrinsicName(*shape);
  for (unsigned k = 0; k < aTiles->cols(); ++k) {
    SmallVector<SmallVector<Value>> as, bs;
    for (unsigned m = 0; m < cTiles->rows(); ++m)
      prepare(*this, as.emplace_back(left.at(m, k)), a);
    for (unsigned n = 0; n < cTiles->cols(); ++n)
      prepare(*this, bs.emplace_back(right.at(k, n)), bKind);
    for (unsigned m = 0; m < cTiles->rows(); ++m)
      for (unsigned i = 0; i < cTiles->cols(); ++i) {
        // To and fro along N, so that neighbouring instructions share an operand.
        unsigned n = m % 2 ? cTiles->cols() - 1 - i : i;
        SmallVector<Value> operands(as[m]);
        operands.append(bs[n]);
        for (unsigned j = 0; j < cTiles->size(); ++j)
          operands.push_back(result.words[cTiles->reg(m, n, j)]);
        Value product = intrinsic(name, resultType, operands);
        for (unsigned j = 0; j < cTiles->size(); ++j)
          result.words[cTiles->reg(m, n, j)] = member(product, j);
      }
  }
  set(op.getResult(), std::move(result));
  return success();
}

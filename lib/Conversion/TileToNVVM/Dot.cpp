// Matrix products by mma.sync. K goes outermost: with the fragments of one step along K, every accumulator fragment is
// advanced by one instruction. When operands are read is the IR's business (tile-slice-dots), not that of the emission.
// A batch is emitted tile by tile.
#include "lib/Conversion/TileToNVVM/Dot.h"
#include "lib/Analysis/ScaledDots.h"
#include "lib/Layout/ScaledMmaLayouts.h"
#include <tuple>
#include <vector>

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> DotWords::at(unsigned row, unsigned col) const {
  const unsigned lanes = tile.fragment.lanes;
  SmallVector<unsigned> registers;
  for (unsigned i = 0; i < fragments.size(); ++i)
    registers.push_back(fragments.reg(row, col, i));
  SmallVector<Value> words = emitter.permute(tile.fragment, registers, lanes).words;
  if (tile.layout.hasDeadPositions(kDim))
    for (auto [i, word] : llvm::enumerate(words))
      word = clearDead(word, ArrayRef(registers).slice(i * lanes, lanes));
  return words;
}

Value DotWords::clearDead(Value word, ArrayRef<unsigned> registers) const {
  ImplicitLocOpBuilder &b = emitter.b;
  const unsigned lanes = tile.fragment.lanes;
  SmallVector<Value> elements = emitter.elements(Fragment{{word}, lanes});
  for (auto [element, reg] : llvm::zip_equal(elements, registers))
    if (Value isLive = emitter.isLive(tile.layout, kDim, reg))
      element = LLVM::SelectOp::create(b, isLive, element, LLVM::ZeroOp::create(b, element.getType()));
  return emitter.pack(elements, lanes).words.front();
}

ElementKind tile::mmaKind(DotOp op, Type element) {
  std::optional<ElementKind> kind = elementKind(element, op.getPrecision());
  assert(kind && "dots have operands that matrix units know");
  return *kind;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

std::string tile::mmaIntrinsic(const MmaShape &shape) {
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

std::string tile::mmaIntrinsic(const BlockScaledMma &mma, ElementKind a, ElementKind b) {
  std::string name = "llvm.nvvm.mma.block.scale.m" + std::to_string(mma.m) + "n" + std::to_string(mma.n) + "k" +
                     std::to_string(mma.k) + ".row.col." + std::string(mma.kind);
  if (mma.scales > 1)
    name += ".scale." + std::to_string(mma.scales) + "x";
  return name + ".f32." + std::string(ptxName(a)) + "." + std::string(ptxName(b)) + ".f32." +
         std::string(ptxName(mma.scale));
}

void tile::emitMma(Emitter &emitter, StringRef intrinsic, ArrayRef<Value> a, ArrayRef<Value> b,
                   MutableArrayRef<Value> sums, ArrayRef<Value> more) {
  SmallVector<Value> operands(a);
  operands.append(b.begin(), b.end());
  operands.append(sums.begin(), sums.end());
  operands.append(more.begin(), more.end());
  Type result =
      LLVM::LLVMStructType::getLiteral(emitter.b.getContext(), SmallVector<Type>(sums.size(), sums.front().getType()));
  Value product = emitter.intrinsic(intrinsic, result, operands);
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = emitter.member(product, i);
}

void tile::forEachSums(Fragment &sums, const MmaFragments &tiles,
                       function_ref<void(unsigned m, unsigned n, MutableArrayRef<Value> sums)> advance) {
  for (unsigned m = 0; m < tiles.rows(); ++m)
    for (unsigned i = 0; i < tiles.cols(); ++i) {
      const unsigned n = m % 2 ? tiles.cols() - 1 - i : i;
      SmallVector<Value> words;
      for (unsigned j = 0; j < tiles.size(); ++j)
        words.push_back(sums.words[tiles.reg(m, n, j)]);
      advance(m, n, words);
      for (unsigned j = 0; j < tiles.size(); ++j)
        sums.words[tiles.reg(m, n, j)] = words[j];
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

/// Scales of 1 for an instruction with block scales, in all four bytes.
static SmallVector<Value> unitScales(Emitter &emitter) {
  Value zero = emitter.constant(emitter.b.getI16Type(), 0), ones = emitter.i32(BlockScaledMma::unitScales);
  return {ones, zero, zero, ones, zero, zero};
}

static FailureOr<Fragment> emitMmaDot(Emitter &emitter, const DotProblem &problem) {
  DotOp op = problem.op;
  const auto &[_, lhs, rhs, acc, lhsScale, rhsScale] = problem;
  ElementKind a = mmaKind(op, lhs.element), b = mmaKind(op, rhs.element);
  ElementKind c = acc.element.isF64()         ? ElementKind::F64
                  : acc.element.isInteger(32) ? ElementKind::I32
                                              : ElementKind::F32;
  const MmaShape *shape = emitter.target.findMma(a, b, c);
  if (!shape)
    return op.emitOpError("has no tensor instruction on ")
           << emitter.target.name << " for " << lhs.element << " and " << rhs.element;
  auto aTiles = MmaFragments::match(lhs.layout, *shape, MmaRole::A);
  auto bTiles = MmaFragments::match(rhs.layout, *shape, MmaRole::B);
  auto cTiles = MmaFragments::match(acc.layout, *shape, MmaRole::C);
  if (!aTiles || !bTiles || !cTiles || !mmaAgree(lhs.layout, rhs.layout, acc.layout, *shape))
    return op.emitOpError("expects layouts of mma.sync.m") << shape->m << "n" << shape->n << "k" << shape->k;

  // The same product with scales of 1, where that instruction has the same fragments and is faster.
  const BlockScaledMma *scaled = emitter.target.findBlockScaledMma(a, b, ScaleKind::UE8M0, 32, /*isPacked=*/false);
  if (scaled && (std::tie(scaled->m, scaled->n, scaled->k) != std::tie(shape->m, shape->n, shape->k) ||
                 scaled->fmaPerClock <= shape->fmaPerClock))
    scaled = nullptr;
  std::string name = scaled ? mmaIntrinsic(*scaled, a, b) : mmaIntrinsic(*shape);
  SmallVector<Value> scales = scaled ? unitScales(emitter) : SmallVector<Value>();

  DotWords left(emitter, lhs, *aTiles, /*kDim=*/1), right(emitter, rhs, *bTiles, /*kDim=*/0);
  Fragment result = acc.fragment;
  for (unsigned k = 0; k < aTiles->cols(); ++k) {
    SmallVector<SmallVector<Value>> as, bs;
    for (unsigned m = 0; m < cTiles->rows(); ++m)
      prepare(emitter, as.emplace_back(left.at(m, k)), a);
    for (unsigned n = 0; n < cTiles->cols(); ++n)
      prepare(emitter, bs.emplace_back(right.at(k, n)), b);
    forEachSums(result, *cTiles, [&](unsigned m, unsigned n, MutableArrayRef<Value> sums) {
      emitMma(emitter, name, as[m], bs[n], sums, scales);
    });
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

static FailureOr<Fragment> emitProduct(Emitter &emitter, const DotProblem &problem) {
  DotOp op = problem.op;
  if (op.isScaled())
    return emitScaledDot(emitter, problem);
  if (mmaKind(op, problem.lhs.element) == ElementKind::F32)
    return emitFmaDot(emitter, problem);
  return emitMmaDot(emitter, problem);
}

/// A value of rank 2 as it is.
static DotTile wholeTile(Emitter &emitter, Value value) {
  auto type = cast<TileType>(value.getType());
  return {emitter.get(value), type.distribution(), type.getElementType()};
}

namespace {
/// A value of rank 3: the layout of its single tiles, and the registers of each.
struct Batch {
  Value value;
  Layout single;
  SmallVector<SmallVector<unsigned>> registers;

  DotTile tile(Emitter &emitter, int64_t index) const {
    Type element = cast<TileType>(value.getType()).getElementType();
    unsigned lanes = Emitter::lanesOf(element, single.numRegisters());
    return {emitter.permute(emitter.get(value), registers[index], lanes), single, element};
  }
};
} // namespace

static LogicalResult emitBatch(Emitter &emitter, DotOp op) {
  auto accType = cast<TileType>(op.getAcc().getType());
  std::vector<Batch> values;
  for (auto [value, name] :
       {std::pair(op.getLhs(), "lhs"), std::pair(op.getRhs(), "rhs"), std::pair(op.getAcc(), "acc"),
        std::pair(op.getLhsScale(), "the scales of lhs"), std::pair(op.getRhsScale(), "the scales of rhs")}) {
    if (!value)
      continue;
    Layout layout = cast<TileType>(value.getType()).distribution();
    std::optional<Layout> single = withoutBatch(layout);
    if (!single)
      return op.emitOpError("expects ") << name << " in a layout that keeps the batch in each thread's registers";
    values.push_back({value, *single, batchRegisters(layout)});
  }
  SmallVector<Value> sums = emitter.elements(emitter.get(op.getAcc()));
  for (int64_t index = 0, e = accType.getShape()[0]; index < e; ++index) {
    auto tile = [&](unsigned i) { return values[i].tile(emitter, index); };
    DotProblem problem{op, tile(0), tile(1), tile(2), std::nullopt, std::nullopt};
    if (op.getLhsScale())
      problem.lhsScale = tile(3);
    if (op.getRhsScale())
      problem.rhsScale = tile(op.getLhsScale() ? 4 : 3);
    FailureOr<Fragment> product = emitProduct(emitter, problem);
    if (failed(product))
      return failure();
    for (auto [reg, sum] : llvm::zip_equal(values[2].registers[index], emitter.elements(*product)))
      sums[reg] = sum;
  }
  emitter.set(op.getResult(), emitter.pack(sums, Emitter::lanesOf(accType)));
  return success();
}

LogicalResult Emitter::emitDot(DotOp op) {
  if (cast<TileType>(op.getAcc().getType()).getShape().size() == 3)
    return emitBatch(*this, op);
  DotProblem problem{op,
                     wholeTile(*this, op.getLhs()),
                     wholeTile(*this, op.getRhs()),
                     wholeTile(*this, op.getAcc()),
                     std::nullopt,
                     std::nullopt};
  if (op.getLhsScale())
    problem.lhsScale = wholeTile(*this, op.getLhsScale());
  if (op.getRhsScale())
    problem.rhsScale = wholeTile(*this, op.getRhsScale());
  FailureOr<Fragment> product = emitProduct(*this, problem);
  if (failed(product))
    return failure();
  set(op.getResult(), std::move(*product));
  return success();
}

// Scaled products by instructions without scales. Codes are widened exactly to 16 bits (bf16 where a partner is bf16,
// f16 otherwise), and the scales are multiplied
//  - into the widened elements, where the product is exact there: e4m3 scales, and the bulk of E8M0 scales in bf16;
//  - else into the sum over a block, in f32.
// Operands have the fragments of an 8-bit m16n8k32. Of each thread's four neighbours along K, the first two are taken
// as the low and the last two as the high k of an m16n8k16: both sides permute K alike, which leaves the sum as it is.
//
// Powers of two as scales span more than f32 does, so that a step on the way may leave the range although the result
// does not. Two of them go to a sum p in three steps, ((p · a1) · b) · a2 with a = a1 · a2 and a1 within 2^±90. That is
// right for all of them: p is 0 or from 2^-32 to 2^37 for any elements, so p · a1 is in the range; a2 differs from 1 only
// where a1 is at an end, and then b cannot lead out of the range on the side from which a2 would lead back.
//
// Widening by a shift leaves elements too small by a power of two. Where a1 follows, it makes up for that as well. Integers
// beside bf16 are too small by 2^16 on purpose, so that a sum of them with the largest bf16 stays in the range: their scale
// s and the 2^16 follow in two steps, s · 2^16 and 1 where s is below 1, and else s and 2^16.
#include "lib/Conversion/TileToNVVM/Dot.h"
#include "lib/Conversion/TileToNVVM/DotWidening.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "lib/Layout/ScaledMmaLayouts.h"

using namespace mlir;
using namespace mlir::tile;
using Cmp = LLVM::ICmpPredicate;

/// The exponents of a1, see above.
static constexpr int64_t mostInFirst = 90;
/// Exponents with which no element leaves the range of bf16: the least are 2^-16, the largest below 2^16.
static constexpr int64_t leastInElements = -117, mostInElements = 111;
static constexpr int64_t exponentOfOne = 127, codeOfNaN = 255;

namespace {
/// How one side's scales come in.
enum class Apply {
  /// There are none.
  Nothing,
  /// Multiplied into the widened elements.
  ToElements,
  /// Multiplied into a block's sum.
  ToSums,
  /// E8M0 in bf16: clamped into the elements, the rest into the sum.
  Split,
};

struct Side {
  const DotTile &tile;
  const std::optional<DotTile> &scaleTile;
  int64_t block;
  DotWords words;
  std::optional<ScaleWords> scales;
  std::optional<DotWidening> widening;
  Apply apply = Apply::Nothing;
  /// Words of another lane's scales, by number of the word: B's for the columns of the sums.
  std::map<unsigned, std::array<Value, 2>> shuffled;
};

/// Factors of the rows (A) or columns (B) of a fragment of sums: two of each. `second` for what is scaled in two steps.
struct Factors {
  std::array<Value, 2> first, second;
};

class EmulatedDot {
public:
  EmulatedDot(Emitter &emitter, const DotProblem &problem, const ScaledFragments &fragments);
  Fragment run();

private:
  Apply howToApply(const Side &side) const;
  SmallVector<WidePairs> widenedWords(Side &side, ArrayRef<Value> words, int64_t outer, int64_t chunk);
  WidePairs scaleElements(Side &side, WidePairs pairs, int64_t outer, int64_t block);
  Factors factorsOf(Side &side, bool isA, int64_t outer, int64_t block);
  std::pair<Value, unsigned> scaleWord(Side &side, bool isA, int64_t outer, int64_t block, unsigned which);
  Value toF32(Side &side, Value word, unsigned place);
  Value exponentCode(Value word, unsigned place);
  Value clamped(Value code, int64_t least, int64_t most);
  void addScaled(ArrayRef<Value> sums, const Factors &rows, const Factors &columns, MutableArrayRef<Value> acc);
  bool isPartial() const;
  bool bothToSums() const { return left.apply == Apply::ToSums && right.apply == Apply::ToSums; }

  Emitter &e;
  ScalarBuilder s;
  const DotProblem &problem;
  const MmaFragments &aTiles, &bTiles, &cTiles;
  Type half;
  Side left, right;
};
} // namespace

static bool isE8M0(const Side &side) { return side.scaleTile && isa<Float8E8M0FNUType>(side.scaleTile->element); }

EmulatedDot::EmulatedDot(Emitter &emitter, const DotProblem &problem, const ScaledFragments &fragments)
    : e(emitter), s(emitter.b), problem(problem), aTiles(fragments.a), bTiles(fragments.b), cTiles(fragments.c),
      left{problem.lhs,
           problem.lhsScale,
           int64_t(DotOp(problem.op).getLhsBlock().value_or(0)),
           DotWords(emitter, problem.lhs, aTiles, /*kDim=*/1),
           {},
           {},
           Apply::Nothing,
           {}},
      right{problem.rhs,
            problem.rhsScale,
            int64_t(DotOp(problem.op).getRhsBlock().value_or(0)),
            DotWords(emitter, problem.rhs, bTiles, /*kDim=*/0),
            {},
            {},
            Apply::Nothing,
            {}} {
  bool hasBf16 = problem.lhs.element.isBF16() || problem.rhs.element.isBF16();
  half = hasBf16 ? Type(e.b.getBF16Type()) : Type(e.b.getF16Type());
  for (Side *side : {&left, &right}) {
    if (side->tile.element != half)
      side->widening.emplace(e, side->tile.element, half);
    if (side->scaleTile)
      side->scales.emplace(e, *side->scaleTile);
    side->apply = howToApply(*side);
  }
}

Apply EmulatedDot::howToApply(const Side &side) const {
  if (!side.scaleTile)
    return Apply::Nothing;
  if (isa<Float8E4M3FNType>(side.scaleTile->element))
    return Apply::ToElements;
  return isE8M0(side) && half.isBF16() ? Apply::Split : Apply::ToSums;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Words of one fragment, as pairs 0, 1 and 2, 3 of each four neighbours along K.
SmallVector<WidePairs> EmulatedDot::widenedWords(Side &side, ArrayRef<Value> words, int64_t outer, int64_t chunk) {
  SmallVector<WidePairs> result;
  if (!side.widening) {
    for (size_t i = 0; i < words.size(); i += 2)
      result.push_back({words[i], words[i + 1]});
    return result;
  }
  // A: rows g, g + 8, then the same of the upper 16 of K; B: the lower and upper 16 of K.
  const bool isA = &side == &left;
  const int64_t chunkK = scaledFragmentShape().k;
  for (auto [i, word] : llvm::enumerate(words)) {
    Value codes = s.bitcast(word, e.b.getI32Type());
    const int64_t row = isA ? outer + (i % 2) * 8 : outer, k = chunk * chunkK + int64_t(isA ? i / 2 : i) * chunkK / 2;
    // The scale makes up for what placing leaves out.
    const bool owes = bothToSums() || isa<IntegerType>(side.tile.element);
    WidePairs pairs = owes ? side.widening->place(codes) : side.widening->widen(codes);
    const bool scales = side.apply == Apply::ToElements || side.apply == Apply::Split;
    result.push_back(scales ? scaleElements(side, pairs, row, k / side.block) : pairs);
  }
  return result;
}

WidePairs EmulatedDot::scaleElements(Side &side, WidePairs pairs, int64_t outer, int64_t block) {
  std::optional<unsigned> reg = side.scales->find(outer, block);
  if (!reg)
    return pairs; // beyond K
  auto [number, place] = side.scales->place(*reg);
  Value word = side.scales->all()[number], factor;
  const DotWidening &widening = *side.widening;
  if (side.apply == Apply::ToElements) {
    factor = widening.broadcastE4M3(s.bitAnd(word, s.i32(0x7f7f7f7f)), place);
  } else {
    Value code = clamped(exponentCode(word, place), leastInElements, mostInElements);
    Value bits = LLVM::MulOp::create(e.b, code, s.i32((1 << 7) * 0x10001));
    factor = s.bitcast(bits, VectorType::get({2}, half));
  }
  for (Value &pair : pairs)
    pair = widening.multiply(pair, factor);
  return pairs;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The code (i32) of an E8M0 scale.
Value EmulatedDot::exponentCode(Value word, unsigned place) { return e.permuteBytes(word, s.i32(0), 0x4440 | place); }

/// The word with a scale of the sums' row (A) or column (B) number `which`, 0 or 1, and its place there.
std::pair<Value, unsigned> EmulatedDot::scaleWord(Side &side, bool isA, int64_t outer, int64_t block, unsigned which) {
  unsigned reg = *side.scales->find(isA ? outer + 8 * which : outer, block);
  auto [number, place] = side.scales->place(reg);
  if (isA)
    return {side.scales->all()[number], place};
  // A thread's sums have columns 2t and 2t + 1, t = lane % 4; lane 4c has the scale of column c.
  auto known = side.shuffled.find(number);
  if (known == side.shuffled.end()) {
    std::array<Value, 2> words;
    for (unsigned column : {0, 1}) {
      Value lane =
          e.inPrologue([&]() -> Value { return s.add(s.shl(s.bitAnd(e.lane(), s.i32(3)), 3), s.i32(4 * column)); });
      words[column] = e.shuffle("idx", side.scales->all()[number], lane);
    }
    known = side.shuffled.emplace(number, words).first;
  }
  return {known->second[which], place};
}

/// A scale as f32: that of a float or of an E8M0 code.
Value EmulatedDot::toF32(Side &side, Value word, unsigned place) {
  Type type = side.scaleTile->element;
  if (type.isF32())
    return s.fromBits(word);
  if (!isE8M0(side)) {
    if (type.isBF16())
      return s.fromBits(place ? s.bitAnd(word, s.i32(int32_t(0xffff0000))) : s.shl(word, 16));
    Value bits = s.trunc(place ? s.lshr(word, 16) : word, e.b.getI16Type());
    return s.fpext(s.bitcast(bits, type), e.b.getF32Type());
  }
  // 2^-127 is the subnormal with the mantissa's top bit.
  Value bits = s.shl(exponentCode(word, place), 23);
  Value number = s.fromBits(LLVM::UMaxOp::create(e.b, bits.getType(), bits, s.i32(0x00400000)));
  // Code 255 reads as infinity so far: infinity · 0 is NaN, and all others stay.
  return s.fma(number, s.f32(0.0), number);
}

/// A code moved to the exponents `least` … `most`.
Value EmulatedDot::clamped(Value code, int64_t least, int64_t most) {
  return s.smin(s.smax(code, s.i32(exponentOfOne + least)), s.i32(exponentOfOne + most));
}

Factors EmulatedDot::factorsOf(Side &side, bool isA, int64_t outer, int64_t block) {
  Factors result;
  if (side.apply == Apply::Nothing || side.apply == Apply::ToElements)
    return result;
  for (unsigned which : {0, 1}) {
    auto [word, place] = scaleWord(side, isA, outer, block, which);
    const bool isInTwoSteps = isA && bothToSums();
    if (side.apply == Apply::ToSums && !isInTwoSteps) {
      Value scale = toF32(side, word, place);
      result.first[which] = scale;
      if (unsigned owed = isa<IntegerType>(side.tile.element) ? side.widening->missingExponent() : 0) {
        Value isSmall = s.fcmp(LLVM::FCmpPredicate::olt, s.fabs(scale), s.f32(1.0)), power = s.f32(std::ldexp(1.0, owed));
        result.first[which] = s.select(isSmall, s.fmul(scale, power), scale);
        result.second[which] = s.select(isSmall, s.f32(1.0), power);
      }
      continue;
    }
    Value code = exponentCode(word, place);
    Value inFirst = isInTwoSteps ? clamped(code, -mostInFirst, mostInFirst)
                                 : clamped(code, leastInElements, mostInElements);
    // What is left is a normal number; NaN comes in here.
    Value bits = s.shl(s.add(s.sub(code, inFirst), s.i32(exponentOfOne)), 23);
    Value isNaN = s.icmp(Cmp::eq, code, s.i32(codeOfNaN));
    Value rest = s.fromBits(s.select(isNaN, s.i32(0x7fc00000), bits));
    if (!isInTwoSteps) { // the elements have the first factor
      result.first[which] = rest;
      continue;
    }
    const int64_t owed = left.widening->missingExponent() + right.widening->missingExponent();
    result.first[which] = s.fromBits(s.shl(s.add(inFirst, s.i32(owed)), 23));
    result.second[which] = rest;
  }
  return result;
}

/// acc += sums · scales; element i of a fragment is in row i / 2 and column i % 2.
void EmulatedDot::addScaled(ArrayRef<Value> sums, const Factors &rows, const Factors &columns,
                            MutableArrayRef<Value> acc) {
  for (auto [i, sum] : llvm::enumerate(acc)) {
    // In the order of the steps; the last one adds.
    SmallVector<Value> steps;
    for (Value factor : {rows.first[i / 2], columns.first[i % 2], rows.second[i / 2], columns.second[i % 2]})
      if (factor)
        steps.push_back(factor);
    Value product = sums[i];
    for (Value factor : ArrayRef(steps).drop_back())
      product = s.fmul(product, factor);
    sum = s.fma(product, steps.back(), sum);
  }
}

bool EmulatedDot::isPartial() const {
  auto is = [](const Side &side) { return side.apply == Apply::ToSums || side.apply == Apply::Split; };
  return is(left) || is(right);
}

Fragment EmulatedDot::run() {
  const int64_t chunkK = scaledFragmentShape().k, extentK = problem.lhs.layout.extents()[1];
  const MmaShape &shape = *e.target.findMma(half.isF16() ? ElementKind::F16 : ElementKind::BF16,
                                            half.isF16() ? ElementKind::F16 : ElementKind::BF16, ElementKind::F32);
  std::string name = mmaIntrinsic(shape);
  auto operand = [&](Value pair) -> Value { return half.isF16() ? pair : s.bitcast(pair, e.b.getI32Type()); };
  Fragment product = problem.acc.fragment;
  SmallVector<Value> &result = product.words;
  Value zero = s.f32(0.0);
  for (unsigned chunk = 0; chunk < aTiles.cols(); ++chunk) {
    // Two instructions for each chunk, where its upper half is not beyond K.
    const int64_t start = aTiles.tileOffsets(1)[chunk];
    const unsigned steps = start + chunkK / 2 < extentK ? 2 : 1;
    auto blockOf = [&](const Side &side) { return side.block ? start / side.block : 0; };
    SmallVector<SmallVector<WidePairs>> as;
    SmallVector<Factors> rows;
    for (unsigned m = 0; m < cTiles.rows(); ++m) {
      const int64_t outer = aTiles.tileOffsets(0)[m];
      as.push_back(widenedWords(left, left.words.at(m, chunk), outer, start / chunkK));
      rows.push_back(isPartial() ? factorsOf(left, /*isA=*/true, outer, blockOf(left)) : Factors());
    }
    for (unsigned n = 0; n < cTiles.cols(); ++n) {
      const int64_t outer = bTiles.tileOffsets(1)[n];
      SmallVector<WidePairs> bs = widenedWords(right, right.words.at(chunk, n), outer, start / chunkK);
      Factors columns = isPartial() ? factorsOf(right, /*isA=*/false, outer, blockOf(right)) : Factors();
      for (unsigned m = 0; m < cTiles.rows(); ++m) {
        SmallVector<Value> acc, sums;
        for (unsigned j = 0; j < cTiles.size(); ++j)
          acc.push_back(result[cTiles.reg(m, n, j)]);
        sums = isPartial() ? SmallVector<Value>(acc.size(), zero) : acc;
        for (unsigned step = 0; step < steps; ++step) {
          const WidePairs &upper = as[m][2 * step], &lower = as[m][2 * step + 1], &b = bs[step];
          emitMma(e, name, {operand(upper[0]), operand(lower[0]), operand(upper[1]), operand(lower[1])},
                  {operand(b[0]), operand(b[1])}, sums);
        }
        if (isPartial())
          addScaled(sums, rows[m], columns, acc);
        for (unsigned j = 0; j < cTiles.size(); ++j)
          result[cTiles.reg(m, n, j)] = isPartial() ? acc[j] : sums[j];
      }
    }
  }
  return product;
}

Fragment tile::emitEmulatedScaledDot(Emitter &emitter, const DotProblem &problem, const ScaledFragments &fragments) {
  return EmulatedDot(emitter, problem, fragments).run();
}

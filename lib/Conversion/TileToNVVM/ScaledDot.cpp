// Matrix products with block scales: what both ways of them share. The layout of the scales says which way it is:
// either the instruction applies them (ScaledDotNative.cpp), or the thread does (ScaledDotEmulated.cpp).
#include "lib/Analysis/ScaledDots.h"
#include "lib/Conversion/TileToNVVM/Dot.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"
#include "lib/Layout/ScaledMmaLayouts.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

ScaleWords::ScaleWords(Emitter &emitter, const DotTile &tile) : lanes(tile.fragment.lanes) {
  ScalarBuilder s(emitter.b);
  Type i32 = emitter.b.getI32Type(), whole = emitter.b.getIntegerType(lanes * elementBits(tile.element));
  for (Value word : tile.fragment.words) {
    Value bits = s.bitcast(word, whole);
    words.push_back(whole == i32 ? bits : s.zext(bits, i32));
  }
  for (unsigned reg = 0, e = tile.layout.numRegisters(); reg < e; ++reg)
    registers.emplace(std::pair(tile.layout.registerOffset(reg, 0), tile.layout.registerOffset(reg, 1)), reg);
}

std::optional<unsigned> ScaleWords::find(int64_t outer, int64_t block) const {
  auto found = registers.find({outer, block});
  return found == registers.end() ? std::nullopt : std::optional(found->second);
}

//===----------------------------------------------------------------------===//
// Which way
//===----------------------------------------------------------------------===//

/// Whether the scales that there are lie as the given functions lay them.
template <typename OfA, typename OfB> static bool scalesLie(const DotProblem &problem, OfA ofA, OfB ofB) {
  auto lies = [](const std::optional<DotTile> &scale, const DotTile &operand, auto of) {
    return !scale || holdsAlike(scale->layout, of(operand.layout, scale->layout.extents()[1]));
  };
  return lies(problem.lhsScale, problem.lhs, ofA) && lies(problem.rhsScale, problem.rhs, ofB);
}

FailureOr<Fragment> tile::emitScaledDot(Emitter &emitter, const DotProblem &problem) {
  DotOp op = problem.op;
  const MmaShape &shape = scaledFragmentShape();
  const Layout &a = problem.lhs.layout, &b = problem.rhs.layout, &c = problem.acc.layout;
  auto aTiles = MmaFragments::match(a, shape, MmaRole::A), bTiles = MmaFragments::match(b, shape, MmaRole::B),
       cTiles = MmaFragments::match(c, shape, MmaRole::C);
  if (!aTiles || !bTiles || !cTiles || !mmaAgree(a, b, c, shape))
    return op.emitOpError("expects layouts of mma.sync.m") << shape.m << "n" << shape.n << "k" << shape.k;
  ScaledFragments fragments{*aTiles, *bTiles, *cTiles};
  const BlockScaledMma *mma = blockScaledMma(op, emitter.target);
  if (mma && scalesLie(problem, nativeScaleA, nativeScaleB))
    return emitNativeScaledDot(emitter, problem, fragments, *mma);
  if (op.getPacked())
    return mma ? op.emitOpError("expects layouts of the scales of ") << mma->kind
               : op.emitOpError("has no instruction for packed operands on ") << emitter.target.name;
  if (!scalesLie(problem, scaleOperandA, scaleOperandB))
    return op.emitOpError("expects layouts of scales that give each thread those of its rows and columns");
  return emitEmulatedScaledDot(emitter, problem, fragments);
}

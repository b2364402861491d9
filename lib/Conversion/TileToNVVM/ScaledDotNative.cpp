// Scaled products by instructions with block scales (PTX ISA, "Block Scaling for mma.sync"). Codes go in as they are; a
// scale is a byte of a word, which the instruction selects. A side without scales has 1 for each.
#include "lib/Conversion/TileToNVVM/Dot.h"
#include "lib/Conversion/TileToNVVM/ScalarBuilder.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// The scales of one side, as the instruction's operands.
class SelectedScales {
public:
  SelectedScales(Emitter &emitter, const std::optional<DotTile> &tile, const BlockScaledMma &mma)
      : emitter(emitter), count(mma.scales) {
    if (tile)
      scales.emplace(emitter, *tile);
  }

  /// Scale data, byte selector and thread selector for the rows or columns at `outer`, step `k`.
  void append(int64_t outer, unsigned k, SmallVectorImpl<Value> &operands) {
    auto [word, byte] =
        scales ? select(outer, int64_t(k) * count) : std::pair(emitter.i32(BlockScaledMma::unitScales), 0u);
    Type i16 = emitter.b.getI16Type();
    operands.append({word, emitter.constant(i16, byte), emitter.constant(i16, 0)});
  }

private:
  std::pair<Value, unsigned> select(int64_t outer, int64_t block) {
    SmallVector<std::optional<unsigned>> registers;
    for (unsigned i = 0; i < count; ++i)
      registers.push_back(scales->find(outer, block + i));
    bool together = registers.front() && scales->place(*registers.front()).second % count == 0;
    for (unsigned i = 1; i < count; ++i)
      together &= registers[i] && *registers[i] == *registers.front() + i &&
                  scales->place(*registers[i]).first == scales->place(*registers.front()).first;
    if (together) {
      auto [word, byte] = scales->place(*registers.front());
      return {scales->all()[word], byte};
    }
    // Scales of other words, and none beyond the last block, where the elements are zero.
    Value &gathered = built[{outer, block}];
    if (!gathered) {
      ScalarBuilder s(emitter.b);
      gathered = emitter.i32(0);
      for (auto [i, reg] : llvm::enumerate(registers))
        if (reg) {
          auto [word, byte] = scales->place(*reg);
          Value scale = s.bitAnd(s.lshr(scales->all()[word], 8 * byte), s.i32(0xff));
          gathered = s.bitOr(gathered, s.shl(scale, 8 * i));
        }
    }
    return {gathered, 0};
  }

  Emitter &emitter;
  unsigned count;
  std::optional<ScaleWords> scales;
  std::map<std::pair<int64_t, int64_t>, Value> built;
};
} // namespace

/// Four codes a word, as the instruction takes them: a 4-bit code that has a byte of its own goes up there.
static SmallVector<Value> containers(Emitter &emitter, ArrayRef<Value> words, ElementKind kind, bool isPacked) {
  ScalarBuilder s(emitter.b);
  return llvm::map_to_vector(words, [&](Value word) {
    Value codes = s.bitcast(word, emitter.b.getI32Type());
    return kind == ElementKind::F4E2M1 && !isPacked ? s.shl(codes, BlockScaledMma::shiftOfFourBits) : codes;
  });
}

Fragment tile::emitNativeScaledDot(Emitter &emitter, const DotProblem &problem, const ScaledFragments &fragments,
                                   const BlockScaledMma &mma) {
  DotOp op = problem.op;
  const auto &[aTiles, bTiles, cTiles] = fragments;
  ElementKind a = mmaKind(op, op.lhsElement()), b = mmaKind(op, op.rhsElement());
  std::string name = mmaIntrinsic(mma, a, b);
  DotWords left(emitter, problem.lhs, aTiles, /*kDim=*/1), right(emitter, problem.rhs, bTiles, /*kDim=*/0);
  SelectedScales leftScales(emitter, problem.lhsScale, mma), rightScales(emitter, problem.rhsScale, mma);
  Fragment result = problem.acc.fragment;
  for (unsigned k = 0; k < aTiles.cols(); ++k) {
    SmallVector<SmallVector<Value>> as, bs, scalesOfA, scalesOfB;
    for (unsigned m = 0; m < cTiles.rows(); ++m) {
      as.push_back(containers(emitter, left.at(m, k), a, mma.isPacked));
      leftScales.append(aTiles.tileOffsets(0)[m], k, scalesOfA.emplace_back());
    }
    for (unsigned n = 0; n < cTiles.cols(); ++n) {
      bs.push_back(containers(emitter, right.at(k, n), b, mma.isPacked));
      rightScales.append(bTiles.tileOffsets(1)[n], k, scalesOfB.emplace_back());
    }
    forEachSums(result, cTiles, [&](unsigned m, unsigned n, MutableArrayRef<Value> sums) {
      SmallVector<Value> scales(scalesOfA[m]);
      scales.append(scalesOfB[n]);
      emitMma(emitter, name, as[m], bs[n], sums, scales);
    });
  }
  return result;
}

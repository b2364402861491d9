/// What the emissions of matrix products share: one product of rank 2, with what a thread holds of its operands.
///
/// A tile.dot of rank 3 is as many of these as its batch has tiles. Each kind of product has a function that takes one
/// and gives the words of its result.
#ifndef LIB_CONVERSION_TILETONVVM_DOT_H
#define LIB_CONVERSION_TILETONVVM_DOT_H

#include "lib/Conversion/TileToNVVM/Emitter.h"
#include "lib/Layout/MmaLayouts.h"
#include <map>

namespace mlir::tile {

/// What a thread holds of one tile of rank 2.
struct DotTile {
  Fragment fragment;
  Layout layout;
  Type element;
};

/// result = acc + lhs · rhs, rank 2; scales beside the operands where the op has them.
struct DotProblem {
  DotOp op;
  DotTile lhs, rhs, acc;
  std::optional<DotTile> lhsScale, rhsScale;
};

/// One operand's words by instruction tile.
class DotWords {
public:
  /// `kDim` is the operand's dimension along K.
  DotWords(Emitter &emitter, const DotTile &tile, const MmaFragments &fragments, unsigned kDim)
      : emitter(emitter), tile(tile), fragments(fragments), kDim(kDim) {}

  /// The words of the fragment of instruction tile (row, col), zero where it lies beyond the tile's K.
  [[nodiscard]] SmallVector<Value> at(unsigned row, unsigned col) const;

private:
  [[nodiscard]] Value clearDead(Value word, ArrayRef<unsigned> registers) const;

  Emitter &emitter;
  const DotTile &tile;
  const MmaFragments &fragments;
  unsigned kDim;
};

/// The scales beside one operand, as 32-bit words.
class ScaleWords {
public:
  /// `tile` is the scales' own: rows or columns by blocks.
  ScaleWords(Emitter &emitter, const DotTile &tile);

  /// The words, with zeros where scales do not fill them.
  [[nodiscard]] ArrayRef<Value> all() const { return words; }
  /// The register whose own offsets are a row or column and a block; nothing beyond the last block.
  [[nodiscard]] std::optional<unsigned> find(int64_t outer, int64_t block) const;
  /// The number of the word that holds a register, and its place in the word.
  [[nodiscard]] std::pair<unsigned, unsigned> place(unsigned reg) const { return {reg / lanes, reg % lanes}; }

private:
  SmallVector<Value> words;
  std::map<std::pair<int64_t, int64_t>, unsigned> registers;
  unsigned lanes;
};

/// How the hardware names an element type.
[[nodiscard]] ElementKind mmaKind(DotOp op, Type element);
/// The intrinsic of an instruction, and of one with block scales for these operands.
[[nodiscard]] std::string mmaIntrinsic(const MmaShape &shape);
[[nodiscard]] std::string mmaIntrinsic(const BlockScaledMma &mma, ElementKind a, ElementKind b);

/// One instruction with a fragment of f32 sums, updated in place.
void emitMma(Emitter &emitter, StringRef intrinsic, ArrayRef<Value> a, ArrayRef<Value> b, MutableArrayRef<Value> sums,
             ArrayRef<Value> more = {});

/// Calls `advance` with the sums of each instruction tile, which it updates in place: to and fro along N, so that
/// neighbouring instructions share an operand.
void forEachSums(Fragment &sums, const MmaFragments &tiles,
                 function_ref<void(unsigned m, unsigned n, MutableArrayRef<Value> sums)> advance);

/// The kinds of product. Each diagnoses layouts that do not fit.
FailureOr<Fragment> emitFmaDot(Emitter &emitter, const DotProblem &problem);
/// A product with scales beside its operands, in the way that the scales' layouts ask for.
FailureOr<Fragment> emitScaledDot(Emitter &emitter, const DotProblem &problem);

/// Which registers of lhs, rhs and acc are which instruction tile of a scaled product.
struct ScaledFragments {
  MmaFragments a, b, c;
};
/// The two ways of a scaled product, after the layouts were found to fit: by the instruction `mma`, …
Fragment emitNativeScaledDot(Emitter &emitter, const DotProblem &problem, const ScaledFragments &fragments,
                             const BlockScaledMma &mma);
/// … or from 16-bit numbers, with the scales applied by the thread.
Fragment emitEmulatedScaledDot(Emitter &emitter, const DotProblem &problem, const ScaledFragments &fragments);

} // namespace mlir::tile

#endif

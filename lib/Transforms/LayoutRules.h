/// What each op demands of layouts and offers: the local rules from which layout assignment decides.
#ifndef LIB_TRANSFORMS_LAYOUTRULES_H
#define LIB_TRANSFORMS_LAYOUTRULES_H

#include "dialect/Tile.h"
#include "lib/Analysis/IndexFacts.h"
#include "lib/Layout/MmaLayouts.h"
#include "lib/Target/Target.h"
#include <array>
#include <map>

namespace mlir::tile {

/// The layouts of a dot's operands; `acc` is also the result's. Those of scales are null where there are none.
struct DotLayouts {
  LayoutAttr lhs, rhs, acc, lhsScale, rhsScale;

  /// That of one operand of the dot.
  [[nodiscard]] LayoutAttr of(OpOperand &operand) const;
};

/// The rules for one kernel on one target. Layouts are attributes, so that equality is a pointer comparison; what is
/// computed from them is remembered.
class LayoutRules {
public:
  /// Reads the plan of the kernel: `warps`, `warps_m`, `warps_n`.
  LayoutRules(KernelOp kernel, const Target &target);

  [[nodiscard]] unsigned numWarps() const { return warps; }
  /// Tiles whose elements can be made anew in any layout at no cost: constants, splats and iotas.
  [[nodiscard]] static bool isRematerialisable(Operation *op);
  /// Ops with one layout for operands and result: those on dialect/ElementwiseList.h, `tile.select`, `tile.cast` and
  /// `tile.bitcast`.
  [[nodiscard]] static bool keepsLayout(Operation *op);
  /// Ops whose result's layout follows from the source's (or, for a broadcast, the source's from the result's):
  /// transpose, expand, reshape, broadcast, reduce, pack_pairs.
  [[nodiscard]] static bool isRelabelling(Operation *op);

  /// The source of a relabelling op whose layout counts: of a reduction of several, the first that is no constant, splat
  /// or iota.
  [[nodiscard]] static OpOperand &deciding(Operation *op);
  /// The layout of a relabelling op's result; null where there is none, or where it does not follow (broadcast).
  [[nodiscard]] LayoutAttr resultLayout(Operation *op, LayoutAttr source);
  /// The layout of a relabelling op's source that gives `result`; null where there is none, or several (reduce).
  [[nodiscard]] LayoutAttr sourceLayout(Operation *op, LayoutAttr result);
  /// Whether a broadcast from `source` to `result` moves no element between threads.
  [[nodiscard]] bool canBroadcast(BroadcastOp op, LayoutAttr source, LayoutAttr result);

  /// The matrix instruction whose fragments the dot's operands have on the target; null where there is none.
  [[nodiscard]] static const MmaShape *instruction(DotOp op, const Target &target);
  /// What the target's mma instruction for the dot demands; an error at the op where there is none.
  [[nodiscard]] FailureOr<DotLayouts> dotLayouts(DotOp op);

  /// The coalesced layout for a `tile.load` or `tile.store`, its vectors as wide as alignment and offsets allow, and of
  /// packed elements at least a granule. `exact` rules out dead positions.
  [[nodiscard]] LayoutAttr accessLayout(Operation *op, bool exact = false);
  /// Bytes of memory that a `tile.load` or `tile.store` moves.
  [[nodiscard]] static int64_t accessBytes(Operation *op);
  /// Whether the access is good enough in this layout: whole words for a load, whole sectors for a store, or few bytes;
  /// of packed elements always whole bytes per thread.
  [[nodiscard]] bool suitsAccess(Operation *op, LayoutAttr layout);

  /// A layout of the same holders with registers in another order, which costs nothing to change to and in which the access
  /// is good enough; null where there is none.
  [[nodiscard]] LayoutAttr reorderedForAccess(Operation *op, LayoutAttr layout);

  /// The layout in which each thread reduces alone; null where that is not worth it (elementsToReduceAlone), or
  /// there are more warps than lines for them.
  [[nodiscard]] LayoutAttr reductionLayout(ReduceOp op);
  /// `layout`, or another one where the reduction cannot take it.
  [[nodiscard]] LayoutAttr reducible(ReduceOp op, LayoutAttr layout);
  /// Whether the reduction needs layouts without dead positions along its axis.
  [[nodiscard]] static bool needsExact(ReduceOp op);
  /// A layout for a tile that nothing else has a say in.
  [[nodiscard]] LayoutAttr freeLayout(TileType type, bool exact = false);

private:
  /// What an answer depends on, as addresses of uniqued objects.
  using Question = std::tuple<const void *, const void *, const void *, const void *, const void *>;
  static Question question(Operation *op, LayoutAttr layout);
  const Layout &layoutOf(LayoutAttr layout, ArrayRef<int64_t> extents);
  LayoutAttr attribute(const Layout &layout);
  LayoutAttr distributed(ArrayRef<int64_t> extents, ArrayRef<unsigned> order, unsigned elementBits,
                         unsigned maxVectorBits, unsigned leastVector, bool exact);
  FailureOr<DotLayouts> computeDot(DotOp op);
  DotLayouts matrixLayouts(DotOp op, const MmaShape &shape);
  LayoutAttr computeResult(Operation *op, LayoutAttr source);
  LayoutAttr computeSource(Operation *op, LayoutAttr result);

  KernelOp kernel;
  const Target &target;
  unsigned warps, warpsM, warpsN;
  IndexFacts facts;
  DenseMap<Type, std::unique_ptr<Layout>> layouts;
  DenseMap<Question, LayoutAttr> results, sources;
  DenseMap<Question, bool> broadcasts;
  /// The types of a dot's operands, null where there is none, and its properties.
  using DotQuestion = std::array<const void *, 6>;
  std::map<DotQuestion, DotLayouts> dots;
};

/// The tile type of a value, or null.
[[nodiscard]] inline TileType tileType(Value value) { return dyn_cast<TileType>(value.getType()); }

} // namespace mlir::tile

#endif

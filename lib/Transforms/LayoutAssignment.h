/// The choice of one layout for every tile of a kernel, apart from the rewriting that it leads to.
///
/// Tiles that elementwise ops, loops, branches and accumulators bind together form a *class* with one layout, so that
/// nothing is converted inside it. A class gets its layout from the strongest anchor that reaches it: what the author
/// wrote, then the accumulator of a matrix instruction, then a short reduction along columns, which each thread does
/// alone, then the access to global memory that moves most bytes. Shape ops carry the layout of a class that has one to
/// neighbours that have none. Larger tiles decide before smaller ones: a bias row is loaded as the accumulator that it
/// is added to wants it.
///
/// Constants, splats and iotas belong to no class: each use makes its own.
#ifndef LIB_TRANSFORMS_LAYOUTASSIGNMENT_H
#define LIB_TRANSFORMS_LAYOUTASSIGNMENT_H

#include "lib/Transforms/LayoutRules.h"

namespace mlir::tile {

/// The layouts chosen for a kernel's values.
class LayoutAssignment {
public:
  /// Decides for a kernel. Fails, with an error at the op, where an anchor cannot be had.
  static FailureOr<LayoutAssignment> compute(KernelOp kernel, LayoutRules &rules);

  /// The layout of a value's class; null for rematerialisable tiles and values that are no tiles.
  [[nodiscard]] LayoutAttr layoutOf(Value value) const;

private:
  /// Tiles with one layout.
  struct Class {
    /// Set once it is decided.
    LayoutAttr layout;
    /// The first tile, for shape and element type.
    Value first;
    /// The load or store of most bytes, or null.
    Operation *access = nullptr;
    /// A dot of which a tile of the class is the left or right operand, or null.
    OpOperand *dotOperand = nullptr;
    /// A reduction of the class that threads do best alone, or null.
    Operation *columnReduction = nullptr;
    /// Whether a reduction runs along the last axis, of the class or of one that a reshape makes of it: its layout is
    /// memory's.
    bool hasRowReduction = false;
    /// Whether some use wants every position live.
    bool exact = false;
    /// Shape ops to and from other classes.
    SmallVector<Operation *, 2> relabellings;
  };

  explicit LayoutAssignment(LayoutRules &rules) : rules(&rules) {}
  void collect(KernelOp kernel);
  LogicalResult anchorAuthors(KernelOp kernel);
  LogicalResult anchorDots(KernelOp kernel);
  void bind(Value a, Value b);
  void bindUses(Operation *op);
  void describe(KernelOp kernel);
  void markRows(KernelOp kernel);
  /// Gives a class its layout, and neighbours what follows from it; with `sparesRows` not those with reductions along
  /// rows.
  void settle(unsigned root, LayoutAttr layout, bool sparesRows = false);
  void settleRest();
  LayoutAttr seed(const Class &of);
  /// The class of a value; nothing for values that have none.
  std::optional<unsigned> find(Value value) const;

  LayoutRules *rules;
  DenseMap<Value, unsigned> numbers;
  mutable SmallVector<unsigned> parents;
  SmallVector<Class> classes;
};

} // namespace mlir::tile

#endif

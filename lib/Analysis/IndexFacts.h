/// What is known about index and integer values of a kernel: between which bounds they lie and what divides them.
#ifndef LIB_ANALYSIS_INDEXFACTS_H
#define LIB_ANALYSIS_INDEXFACTS_H

#include "dialect/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <limits>

namespace mlir::tile {

/// A closed interval of signed 64-bit numbers.
struct IndexRange {
  int64_t lo = std::numeric_limits<int64_t>::min();
  int64_t hi = std::numeric_limits<int64_t>::max();
  /// Whether the interval has one element.
  [[nodiscard]] bool isConstant() const { return lo == hi; }
  /// Whether every element is at least `least` and at most `most`.
  [[nodiscard]] bool isWithin(int64_t least, int64_t most) const { return least <= lo && hi <= most; }
  bool operator==(const IndexRange &o) const { return lo == o.lo && hi == o.hi; }
  bool operator!=(const IndexRange &o) const { return !(*this == o); }
};

/// Facts about the scalars of one kernel, found on demand and remembered. They follow from constants, `tile.assume`,
/// extents, the program space and the kernel's discardable attribute `max_index` (an upper bound of extents, of program
/// coordinates and of the magnitude of index arguments, which the launcher checks). Arithmetic that may wrap around
/// keeps only what wrapping keeps: powers of two in the divisor. Remembered facts are about the kernel as it was when
/// they were asked for: make a new object after a change.
class IndexFacts {
public:
  explicit IndexFacts(KernelOp kernel);

  /// Bounds of an index or integer; the bounds of its type where nothing is known. Integers are read as signed.
  [[nodiscard]] IndexRange range(Value value);
  /// A positive number that divides the value; for a value that is always zero, 2^62.
  [[nodiscard]] int64_t divisor(Value value);
  /// Whether the value is a 32-bit signed number.
  [[nodiscard]] bool fits32(Value value);

private:
  /// `divisor` 0 stands for a value of zero, which everything divides.
  struct Fact {
    IndexRange range;
    int64_t divisor = 1;
  };
  /// The fact about a value, computing what it rests on first, without recursion.
  Fact fact(Value value);
  /// What is remembered about a value; the bounds of its type where nothing is.
  Fact known(Value value) const;
  /// The fact about a value from what is known about what it rests on.
  Fact compute(Value value);
  Fact ofArgument(BlockArgument argument);
  Fact ofOperation(OpResult result) const;
  Fact ofCarried(BlockArgument argument) const;
  Fact ofCoordinate(unsigned index);
  /// The values that compute() looks at.
  SmallVector<Value> restsOn(Value value);

  KernelOp kernel;
  int64_t maxIndex;
  bool hasMaxIndex;
  DenseMap<Value, Fact> facts;
};

} // namespace mlir::tile

#endif

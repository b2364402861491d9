/// Where a tile's pieces lie in a view: addresses and bounds, for loads, stores and asynchronous copies alike.
///
/// A piece is a vector of consecutive elements along the view's contiguous axis that one thread moves by one instruction.
/// Its address is built from the outside in, so that a loop keeps the parts that do not change: base and offsets that are
/// invariant in the loop, the thread's part, offsets that vary, the step from the piece before, and a constant that becomes
/// the instruction's immediate.
///
/// Elements narrower than a byte are packed in memory. Their pieces are multiples of the granule, the elements that fill
/// whole bytes, and so are all positions of pieces and the ends of views: one element takes the granule's place.
#ifndef LIB_CONVERSION_TILETONVVM_GLOBALTILE_H
#define LIB_CONVERSION_TILETONVVM_GLOBALTILE_H

#include "lib/Conversion/TileToNVVM/Emitter.h"

namespace mlir::tile {

/// One vector access of every thread.
struct GlobalPiece {
  /// First register; the piece holds the registers from it on.
  unsigned reg;
  /// Address in global memory, without `immediate`.
  Value pointer;
  int64_t immediate;
  /// Whether the piece's first element is inside the view; null for always.
  Value inside;
  /// The same without the contiguous axis.
  Value insideOthers;
  /// How many elements along the contiguous axis are left in the view from the first one on (i32, may be negative or more
  /// than a piece); null where the whole piece is inside if its first element is.
  Value left;
};

class GlobalTile {
public:
  /// `op` is the memory op, for the loop it stands in. `vector` elements per piece must divide what maxVector() says.
  GlobalTile(Emitter &emitter, Operation *op, const Emitter::View &view, ValueRange offsets, const Layout &layout,
             unsigned vector);

  /// An error at `op` where offsets or layout do not let threads access whole bytes of packed elements.
  [[nodiscard]] static LogicalResult checkPacking(IndexFacts &facts, Operation *op, ViewType view, ValueRange offsets,
                                                  const Layout &layout);
  /// The widest piece, in elements, at most `maxBytes` (of 6-bit elements as many as `maxBytes`): contiguous in the
  /// layout, aligned in the view.
  [[nodiscard]] static unsigned maxVector(Emitter &emitter, const Emitter::View &view, ValueRange offsets,
                                          const Layout &layout, unsigned maxBytes);
  /// The same from what is known about the kernel's indices, for tools that report what will be emitted.
  [[nodiscard]] static unsigned maxVector(IndexFacts &facts, ViewType view, ValueRange offsets, const Layout &layout,
                                          unsigned maxBytes);
  /// A condition that holds for the whole block when no piece straddles the end of the view: true pieces are whole. Null
  /// where that is known.
  [[nodiscard]] Value noneStraddles();
  /// The pieces, in the order of registers.
  [[nodiscard]] SmallVector<GlobalPiece> pieces();

private:
  /// Elements from the offset to the end of the tile or view along one axis, an i32.
  Value limit(unsigned dim);
  /// position < limit, for the position of a register; null where always.
  Value insideAlong(unsigned dim, unsigned reg);
  /// The pointer to a register's element; what is constant of it goes to `immediate`.
  Value pointerFor(unsigned reg, int64_t &immediate);
  Value threadPointer();
  Value bytesAlong(unsigned dim, Value elements);
  bool isContiguous(unsigned dim) const { return view.type.contiguousAxis() == dim; }
  bool isAlwaysInside(unsigned dim);
  bool variesInLoop(Value offset);
  Value advance(Value pointer, Value bytes);

  Emitter &emitter;
  Operation *op;
  const Emitter::View &view;
  ValueRange offsets;
  Layout layout;
  unsigned vector;
  /// Width of an element in memory, and the least piece.
  unsigned bits, granule;
  SmallVector<Value> limits;
  std::map<std::pair<unsigned, int64_t>, Value> conditions;
  std::map<SmallVector<int64_t>, Value> pointers;
  Value lastPointer;
  SmallVector<int64_t> lastKey;
};

} // namespace mlir::tile

#endif

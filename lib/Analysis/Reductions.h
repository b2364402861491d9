/// How reductions are best spread over threads.
#ifndef LIB_ANALYSIS_REDUCTIONS_H
#define LIB_ANALYSIS_REDUCTIONS_H

#include "dialect/Reduce.h"

namespace mlir::tile {

/// How many elements each thread should hold so that it reduces whole lines alone, without exchanging anything: for
/// short reductions (up to 32) along an axis other than the last, of tiles with enough lines for a warp that takes two
/// neighbours each. Nothing for others, which follow the layout that memory wants.
[[nodiscard]] std::optional<int64_t> elementsToReduceAlone(ReduceOp op);

} // namespace mlir::tile

#endif

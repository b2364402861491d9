/// Linear algebra over F2 on vectors of up to 64 bits: a span that remembers which inserted columns make up a vector.
#ifndef TILEC_LAYOUT_LINEARF2_H
#define TILEC_LAYOUT_LINEARF2_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::tile {

/// The span of at most 64 column vectors. Columns are numbered in the order of insertion; a dependent column gets a
/// number too, but never takes part in a solution, so earlier columns are preferred.
class F2Span {
public:
  /// Adds a column; returns true when it is independent of the earlier ones.
  bool insert(uint64_t vector) {
    Row row{vector, uint64_t(1) << columns++};
    reduce(row);
    if (!row.vector)
      return false;
    rows.push_back(row);
    return true;
  }

  /// The set of columns (a bit mask) whose XOR is `vector`, or nothing when it is outside the span.
  [[nodiscard]] std::optional<uint64_t> solve(uint64_t vector) const {
    Row row{vector, 0};
    reduce(row);
    if (row.vector)
      return std::nullopt;
    return row.combination;
  }

  /// The number of independent columns.
  [[nodiscard]] unsigned dimension() const { return rows.size(); }

private:
  struct Row {
    uint64_t vector, combination;
  };
  void reduce(Row &row) const {
    for (const Row &pivot : rows) {
      // Rows are not mutually reduced; each is free of the leading bits of the rows before it.
      uint64_t lead = pivot.vector & (~pivot.vector + 1);
      if (row.vector & lead) {
        row.vector ^= pivot.vector;
        row.combination ^= pivot.combination;
      }
    }
  }
  SmallVector<Row, 16> rows;
  unsigned columns = 0;
};

} // namespace mlir::tile
#endif // TILEC_LAYOUT_LINEARF2_H

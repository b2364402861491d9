/// Which register of which lane holds which element. The fragments of mma with M = 16 or 8 and of each warp's rows in
/// wgmma follow one rule (PTX ISA, "Matrix Fragments for mma.m8n8k4 …" to "mma.m16n8k256", "Register Fragments" of
/// wgmma), with g = lane / 4 and t = lane % 4:
///   A   register r holds 32 bits (64 of f64) of row g + 8 (r % 2), the t-th of the 4 in part r / 2 of the row
///   B   register r holds 32 bits of column g, the t-th of the 4 in part r
///   C   register r holds row g + 8 (r / 2 % 2), column 8 (r / 4) + 2 t + r % 2; two f16 columns in one register
/// With M = 8 there are rows g only. So a register's four lanes of one g are neighbours in memory, and a fragment is
/// gathered by copying four lanes at a time. Example, A of m16n8k16 f16: register 3 of lane 6 (g = 1, t = 2) holds row
/// 9 and the third pair of columns 8 … 15, which is 12 and 13.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MATRIXFRAGMENT_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MATRIXFRAGMENT_H

#include "lib/Simulator/Core/Execution.h"
#include "lib/Simulator/Execute/MatrixProduct.h"

namespace tilec::sim {

/// Whether all 32 lanes execute an instruction that needs them (`.sync.aligned`). If not, `outcome` says what to
/// return: lanes that are still elsewhere are waited for; lanes that have exited, never existed or skip it by their
/// predicate are FindingKind::InvalidOperand, and the run ends.
bool isWholeWarp(Execution &x, const Operation &op, LaneMask active, Outcome &outcome);

/// Registers of a fragment.
unsigned registersOfA(const MatrixProduct &product);
unsigned registersOfB(const MatrixProduct &product);
/// `half`: f16.
unsigned registersOfC(const MatrixProduct &product, bool half);

/// \name Between registers and packed matrices (MatrixProduct.h)
/// @{
void gatherA(const Execution &x, const Row *rows, const MatrixProduct &product, void *a);
void gatherB(const Execution &x, const Row *rows, const MatrixProduct &product, void *b);
void gatherC(const Execution &x, const Row *rows, const MatrixProduct &product, void *c);
void scatterD(const Execution &x, const Row *rows, const MatrixProduct &product, const void *d);
/// @}

/// The places of what a sparse A keeps, from the metadata words of the 32 lanes. Values without a meaning are
/// FindingKind::InvalidOperand; `ordered`: indices must ascend.
void decodeMetadata(Execution &x, const Operation &op, const MatrixProduct &product, const uint32_t *words,
                    unsigned selector, bool ordered, SparseColumns &columns);

/// Which results are undefined: those with an undefined bit in their row of A, in their column of B, or in their C.
class UndefinedResults {
public:
  void addRow(unsigned i) { rows[i] = any = true; }
  void addColumn(unsigned j) { columns[j] = any = true; }
  void addElement(unsigned i, unsigned j, const MatrixProduct &product);
  bool empty() const { return !any; }
  bool operator()(unsigned i, unsigned j, const MatrixProduct &product) const {
    return rows[i] || columns[j] || (!elements.empty() && elements[i * product.n + j]);
  }

  /// \name From fragments
  /// @{
  void addA(const Execution &x, const Row *registers, const MatrixProduct &product);
  void addB(const Execution &x, const Row *registers, const MatrixProduct &product);
  void addC(const Execution &x, const Row *registers, const MatrixProduct &product);
  /// Marks the registers of D.
  void mark(const Execution &x, const Row *registers, const MatrixProduct &product) const;
  /// @}

private:
  bool any = false;
  bool rows[mostRows] = {}, columns[mostColumns] = {};
  std::vector<bool> elements;
};

/// Whether any of the rows may have undefined bits.
bool anyMayBeUndefined(const Execution &x, const Row *rows, unsigned count);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MATRIXFRAGMENT_H

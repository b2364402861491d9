// Operands and results of tensor instructions as a GPU computed them, read from a file.
#ifndef TILEC_TEST_UNIT_SIMULATOR_TENSOR_TENSORVECTORS_H
#define TILEC_TEST_UNIT_SIMULATOR_TENSOR_TENSORVECTORS_H

#include "lib/Simulator/Tensor/Model.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace tilec::sim::test {

/// Element formats as the file numbers them.
enum class VectorFormat : uint32_t { F16, BF16, TF32, E4M3, E5M2, F32, F64, S8, S32, U8 };

/// One multiply-accumulate: bits as in memory. A is m x k(/2 if sparse), C and D are m x n, all row-major; B is column
/// by column.
struct VectorFragment {
  uint32_t distribution;
  const uint8_t *a, *b, *c, *d;
};

/// All fragments of one instruction.
struct VectorClass {
  std::string name;
  uint32_t m, n, k; ///< k of B
  VectorFormat a, b, c;
  bool sparse;      ///< A(i, j) multiplies B(4 * (j / 2) + j % 2)
  bool wgmma, useC; ///< without useC the instruction was told to ignore the accumulator
  std::vector<VectorFragment> fragments;
  std::vector<uint8_t> bytes;

  [[nodiscard]] uint32_t rowLength() const { return sparse ? k / 2 : k; }
  [[nodiscard]] uint32_t rowBytes() const;                                                   ///< of A
  [[nodiscard]] bool isFloat() const { return unsigned(a) <= unsigned(VectorFormat::E5M2); } ///< of at most 32 bits
  /// The table's model of the instruction on a GPU of compute capability `sm`.
  [[nodiscard]] AccumulationModel model(unsigned sm) const;
};

/// Bytes of an element.
[[nodiscard]] unsigned bytesOf(VectorFormat format);

/// The classes of a file; empty, with a message on standard error, if it is none.
[[nodiscard]] std::vector<VectorClass> readVectors(const std::string &path);

/// Writes some rows of A, C and D of one fragment for each distribution, and all of B, as a class of the same form.
/// `chosen`: fragment and rows by distribution; all have the same number of rows.
struct ChosenRows {
  size_t fragment = 0;
  std::vector<unsigned> rows;
};
void appendVectors(std::FILE *file, const VectorClass &of, const std::vector<ChosenRows> &chosen);

/// A fragment for multiplyAccumulate: factors unpacked, B row-major and of a sparse instruction only the rows that
/// count.
struct UnpackedFragment {
  std::vector<Unpacked> a, b;
  std::vector<uint32_t> c, d;
};

/// Unpacks a fragment of floating-point factors of at most 32 bits; where the instruction negated A, so does this.
[[nodiscard]] UnpackedFragment unpackFragment(const VectorClass &of, const VectorFragment &fragment);

/// The elements of D as bits.
[[nodiscard]] std::vector<uint64_t> hardwareOutputs(const VectorClass &of, const VectorFragment &fragment);

/// The same as the simulator computes them, by the table's model; `slowly`: without vectors.
[[nodiscard]] std::vector<uint64_t> simulatedOutputs(const VectorClass &of, const VectorFragment &fragment, unsigned sm,
                                                     bool slowly = false);

} // namespace tilec::sim::test

#endif // TILEC_TEST_UNIT_SIMULATOR_TENSOR_TENSORVECTORS_H

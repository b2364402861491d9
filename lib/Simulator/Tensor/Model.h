// The PTX ISA leaves the order, the precision and the rounding of a tensor core's sums open ("accumulation … with at least single
// precision"). The cores do not round after each addition: they align a group of products, and mostly the accumulator too, to the
// largest exponent among them, drop what lies too far below it, add integers, and round once for the group. A few numbers per
// architecture and operand format describe that; with them the simulator repeats the hardware's bits.
#pragma once

#include "lib/Simulator/Tensor/Operand.h"

namespace tilec::sim {

/// The accumulator's and the result's format of a floating-point multiply-accumulate.
enum class ResultFormat : uint8_t { F16, F32 };

/// The instruction families whose arithmetic may differ on one GPU.
enum class TensorInstruction : uint8_t { Mma, MmaSparse, Wgmma };

/// How much is known about a model.
enum class ModelSource : uint8_t {
  Measured,   ///< fitted to, and bit-identical with, vectors taken from that hardware
  Literature, ///< published by others as bit-identical; not repeated here
  Assumed     ///< neither
};

/// How one multiply-accumulate of a K-long row and column with an accumulator is computed.
///
/// For each group of products in turn: e = the largest exponent of a nonzero addend (of a product the sum of its factors'
/// exponents, so its significand lies in [1, 4); at least minimumExponent); each addend is cut to a multiple of
/// 2^(e - alignmentBits); the integers are added exactly; the sum is rounded to resultBits fraction bits (fewer where the result
/// is subnormal) and is the next group's accumulator. An overflow gives an infinity, a NaN has all bits but the sign set, a zero
/// sum is +0.
struct AccumulationModel {
  /// Products of one aligned sum. A shorter row is one sum.
  unsigned group = 16;
  /// Which products form a group: runs of `interleave` neighbours along K, dealt to the groups in turn; 0: contiguous groups.
  /// With K = 32, group = 16 and interleave = 2, products 0 1 4 5 8 9 … come first, then 2 3 6 7 10 11 ….
  unsigned interleave = 0;
  /// Fraction bits kept below the largest exponent.
  unsigned alignmentBits = 25;
  /// Cut towards zero; otherwise towards minus infinity (a shifted two's complement).
  bool truncate = true;
  /// The accumulator is an addend of the first sum; otherwise that starts at zero, and the accumulator is added last, rounded
  /// to nearest as an add instruction does.
  bool accumulatorInSum = true;
  /// Fraction bits of a group's result, at most the format's.
  unsigned resultBits = 23;
  /// A group's result is rounded to nearest, ties to even; otherwise towards zero.
  bool roundToNearest = false;
  ResultFormat result = ResultFormat::F32;
  /// Nothing is aligned to a smaller exponent than this.
  int minimumExponent = -133;
  ModelSource source = ModelSource::Assumed;
  /// Where it comes from, for a reader of a report.
  const char *reference = "";
};

/// The model of an instruction on a GPU of compute capability `sm` (80, 89, 90, 100, 120; others get the nearest below, or
/// that of 80). `a` and `b` of a mixed pair have the same width; `k` is the instruction's K, of a sparse one the kept half.
[[nodiscard]] AccumulationModel accumulationModel(unsigned sm, TensorInstruction instruction, OperandFormat a, OperandFormat b,
                                                  ResultFormat result, unsigned k);

/// D = A * B + C by a model. A is m x k of format `a`, B is k x n of format `b`, C and D are m x n; all are dense and row-major.
/// C and D are f32 bits, or with ResultFormat::F16 f16 bits in the low half of each word. D may be C. k is a multiple of the
/// model's group, or smaller.
void multiplyAccumulate(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat, unsigned m, unsigned n,
                        unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d);

/// The same, one element after the other and without vectors: the definition that multiplyAccumulate is tested against.
void multiplyAccumulateSlowly(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat, unsigned m,
                              unsigned n, unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d);

/// D = A * B + C in f64: fused multiply-adds along K in order, rounded to nearest. NaNs are canonical.
void multiplyAccumulateF64(unsigned m, unsigned n, unsigned k, const double *a, const double *b, const double *c, double *d);

/// D = A * B + C in 32-bit integers, exactly; an overflow wraps, or with `saturate` the exact sum is clamped. Elements are 8-bit
/// integers sign- or zero-extended by the caller.
void multiplyAccumulateInteger(bool saturate, unsigned m, unsigned n, unsigned k, const int16_t *a, const int16_t *b,
                               const int32_t *c, int32_t *d);

} // namespace tilec::sim

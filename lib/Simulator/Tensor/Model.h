// The PTX ISA leaves the order, the precision and the rounding of a tensor core's sums open ("accumulation … with at
// least single precision"). The cores do not round after each addition: they align a group of products, and mostly the
// accumulator too, to the largest exponent among them, drop what lies too far below it, add integers, and round once
// for the group. A few numbers per architecture and operand format describe that; with them the simulator repeats the
// hardware's bits.
#ifndef TILEC_LIB_SIMULATOR_TENSOR_MODEL_H
#define TILEC_LIB_SIMULATOR_TENSOR_MODEL_H

#include "lib/Simulator/Tensor/Operand.h"

namespace tilec::sim {

/// The accumulator's and the result's format of a floating-point multiply-accumulate.
enum class ResultFormat : uint8_t { F16, F32 };

/// The instruction families whose arithmetic may differ on one GPU.
enum class TensorInstruction : uint8_t { Mma, MmaSparse, Wgmma, WgmmaSparse };

/// How much is known about a model.
///
/// | sm         | instructions                                                                  | source     |
/// |------------|-------------------------------------------------------------------------------|------------|
/// | 90         | mma of f16, bf16, tf32, e4m3, e5m2; mma.sp of f16, bf16, e4m3 to f32          | Measured   |
/// | 90         | wgmma of f16, bf16, tf32, e4m3, e5m2                                          | Measured   |
/// | 90         | mma of f64; mma and wgmma of 8-bit integers                                   | Measured   |
/// | 90         | mma.sp of tf32, e5m2, or to f16; wgmma.mma_async.sp: as the dense instruction | Assumed    |
/// | 90         | mma.m8n8k4 of f16: one sum of four products                                   | Assumed    |
/// | 70, 80, 89 | mma of f16, bf16, tf32; on 89 e4m3, e5m2                                      | Literature |
/// | 100        | mma of f16, bf16, tf32                                                        | Literature |
/// | 100        | mma of e4m3, e5m2: as on 90                                                   | Assumed    |
/// | 120        | mma of f16, bf16, tf32, f8, f6, f4; block-scaled mma                          | Literature |
/// | not 90     | mma.sp: as dense; sparse block-scaled mma; mma of f64: as on 90               | Assumed    |
/// | all        | 4-bit integers and single bits                                                | exact      |
///
/// A row that is not measured may be wrong in its last bits. accumulationErrorBound() holds for it as it stands;
/// hardware that keeps at least as many bits is within the same bound of the exact sum, so the two differ by at most
/// twice the bound.
enum class ModelSource : uint8_t {
  Measured,   ///< fitted to, and bit-identical with, vectors taken from that hardware
  Literature, ///< published by others as bit-identical; not repeated here
  Assumed     ///< neither
};

/// How one multiply-accumulate of a K-long row and column with an accumulator is computed.
///
/// For each group of products in turn: e = the largest exponent of a nonzero addend (of a product the sum of its
/// factors' exponents, so its significand lies in [1, 4); at least minimumExponent); each addend is cut to a multiple
/// of 2^(e - alignmentBits); the integers are added exactly; the sum is rounded to resultBits fraction bits (fewer
/// where the result is subnormal) and is the next group's accumulator. An overflow gives an infinity, a NaN has all
/// bits but the sign set, a sum that is or rounds to zero is +0. Subnormal factors, accumulators and results count in
/// full; of tf32 the low 13 bits do not.
struct AccumulationModel {
  /// Products of one aligned sum. A shorter row is one sum.
  unsigned group = 16;
  /// Which products form a group: runs of `interleave` neighbours along K, dealt to the groups in turn; 0: contiguous
  /// groups. With K = 32, group = 16 and interleave = 2, products 0 1 4 5 8 9 … come first, then 2 3 6 7 10 11 ….
  unsigned interleave = 0;
  /// Fraction bits kept below the largest exponent.
  unsigned alignmentBits = 25;
  /// Cut towards zero; otherwise towards minus infinity (a shifted two's complement).
  bool truncate = true;
  /// The accumulator is an addend of the first sum; otherwise that starts at zero, and the accumulator is added last,
  /// rounded to nearest as an add instruction does.
  bool accumulatorInSum = true;
  /// Fraction bits of a group's result, at most the format's.
  unsigned resultBits = 23;
  /// A group's result is rounded to nearest, ties to even; otherwise towards zero.
  bool roundToNearest = false;
  ResultFormat result = ResultFormat::F32;
  /// Nothing is aligned to a smaller exponent than this.
  int minimumExponent = -133;
  /// Of a block-scaled multiplication only: so many products are added exactly and then scaled, and are one addend,
  /// whose exponent is that of its two scales alone. 0: each product is an addend, and the scales' exponents join its
  /// own.
  unsigned exactRun = 0;
  ModelSource source = ModelSource::Assumed;
  /// Where it comes from, for a reader of a report.
  const char *reference = "";
};

/// The model of an instruction on a GPU of compute capability `sm` (70, 80, 89, 90, 100, 120; others get the nearest
/// below). `a` and `b` of a mixed pair have the same width; `k` is the instruction's K, of a sparse one the kept half.
[[nodiscard]] AccumulationModel accumulationModel(unsigned sm, TensorInstruction instruction, OperandFormat a,
                                                  OperandFormat b, ResultFormat result, unsigned k);

/// D = A * B + C by a model. A is m x k of format `a`, B is k x n of format `b`, C and D are m x n; all are dense and
/// row-major. C and D are f32 bits, or with ResultFormat::F16 f16 bits in the low half of each word. D may be C. k is a
/// multiple of the model's group, or smaller.
void multiplyAccumulate(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat, unsigned m,
                        unsigned n, unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c, uint32_t *d);

/// The same, one element after the other and without vectors: the definition that multiplyAccumulate is tested against.
void multiplyAccumulateSlowly(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat, unsigned m,
                              unsigned n, unsigned k, const Unpacked *a, const Unpacked *b, const uint32_t *c,
                              uint32_t *d);

/// The formats of a block's scale (PTX ISA 9.0, "Block Scaling for mma.sync"). UE8M0: 2^(byte - 127), 255 is NaN.
/// UE4M3: E4M3 without its sign, which is ignored.
enum class ScaleFormat : uint8_t { UE8M0, UE4M3 };

/// The model of mma with .block_scale: .kind::mxf8f6f4 (k = 32), .kind::mxf4 and .kind::mxf4nvf4 (k = 64, both factors
/// E2M1); of a sparse one `k` is the kept half.
[[nodiscard]] AccumulationModel scaledAccumulationModel(unsigned sm, OperandFormat a, OperandFormat b, unsigned k);

/// D = (A * scales of A) * (B * scales of B) + C, as multiplyAccumulate. A row of A and a column of B have `scales`
/// blocks of k / scales elements along K (scale_vec::1X, 2X, 4X: 1, 2, 4), so `aScales` is m x scales and `bScales` is
/// scales x n, both row-major. UE4M3 needs a model with an exactRun. Scales are applied exactly: nothing is rounded
/// before the sum.
void multiplyAccumulateScaled(const AccumulationModel &model, OperandFormat aFormat, OperandFormat bFormat,
                              ScaleFormat scaleFormat, unsigned scales, unsigned m, unsigned n, unsigned k,
                              const Unpacked *a, const uint8_t *aScales, const Unpacked *b, const uint8_t *bScales,
                              const uint32_t *c, uint32_t *d);

/// How far an element can be from the exact a * b + c: for each group, each addend loses less than one unit of the
/// alignment, and the result less than one of its own last place. `largest` is at least the magnitude of the
/// accumulator, of every partial sum and of every product, of a subnormal factor taking the format's least normal
/// number instead; of a block-scaled multiplication with an exactRun also that of every product of two scales.
[[nodiscard]] double accumulationErrorBound(const AccumulationModel &model, unsigned k, double largest);

/// D = A * B + C in f64: fused multiply-adds along K in order, rounded to nearest. A NaN keeps its sign and payload and
/// becomes quiet; of several in one step that of B wins, then the sum's, then that of A. An invalid operation gives
/// 0xFFF8000000000000.
void multiplyAccumulateF64(unsigned m, unsigned n, unsigned k, const double *a, const double *b, const double *c,
                           double *d);

/// Integer factors: elements of bytes, or of four bits with the lower one first.
enum class IntegerFormat : uint8_t { S8, U8, S4, U4 };

/// Takes `count` integers at `bits` apart.
void unpackIntegers(IntegerFormat format, const void *bits, size_t count, int16_t *out);

/// D = A * B + C in 32-bit integers, exactly; an overflow wraps, or with `saturate` the exact sum is clamped. Elements
/// have at most 8 bits and are sign- or zero-extended, as by unpackIntegers.
void multiplyAccumulateInteger(bool saturate, unsigned m, unsigned n, unsigned k, const int16_t *a, const int16_t *b,
                               const int32_t *c, int32_t *d);

/// What mma of .b1 does with two bits before they are counted.
enum class BitOperation : uint8_t { And, Xor };

/// D(i, j) = C(i, j) + the number of ones in row i of A and column j of B, combined; an overflow wraps. A is m rows, B
/// n columns of k / 32 words.
void multiplyAccumulateBits(BitOperation operation, unsigned m, unsigned n, unsigned k, const uint32_t *a,
                            const uint32_t *b, const int32_t *c, int32_t *d);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TENSOR_MODEL_H

/// The product that a matrix instruction computes, apart from where its operands lie: mma, wmma and wgmma gather their
/// fragments into plain matrices, multiply them here, and scatter the result. Sources: PTX ISA, "Warp-level matrix
/// instructions", "Asynchronous warpgroup level matrix instructions", "Block Scaling for mma.sync", "Sparse matrix
/// storage".
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_MATRIXPRODUCT_H
#define TILEC_LIB_SIMULATOR_EXECUTE_MATRIXPRODUCT_H

#include "lib/Simulator/Tensor/Model.h"

#include <cstdint>
#include <string_view>

namespace tilec::sim {

/// Largest matrices of any instruction: a warp's part of wgmma m64n256k16 in rows and columns, wgmma.sp m64nNk64 in k,
/// single bits apart.
constexpr unsigned mostRows = 32, mostColumns = 256, mostDepth = 128;

/// What one matrix instruction multiplies, and how.
struct MatrixProduct {
  enum class Arithmetic : uint8_t { Float, Double, Integer, Bits };
  Arithmetic arithmetic = Arithmetic::Float;
  /// K as the instruction names it; a sparse A keeps half of it.
  unsigned m = 16, n = 8, k = 16;
  bool sparse = false;
  /// Bits of an element of A and of B in registers and memory.
  unsigned bits = 16;
  OperandFormat a = OperandFormat::F16, b = OperandFormat::F16;
  IntegerFormat integerA = IntegerFormat::S8, integerB = IntegerFormat::S8;
  bool saturate = false;
  BitOperation bitOperation = BitOperation::Xor;
  AccumulationModel model;
  /// Whether C and D are f16; else f32 (or f64, s32).
  bool halfC = false, halfD = false;
  /// Blocks of scales along K; 0: none.
  unsigned scales = 0;
  ScaleFormat scaleFormat = ScaleFormat::UE8M0;
  bool negateA = false, negateB = false;

  /// Elements of a row of A that are stored.
  unsigned kept() const { return sparse ? k / 2 : k; }
  /// Elements of A in a chunk of the sparse storage, and how many of them are kept.
  unsigned chunk() const { return bits == 32 ? 2 : bits == 4 ? 8 : 4; }
};

/// Takes the type of a factor by its name ("bf16", "s8", "e2m1", …) into a product: arithmetic, format, width. False:
/// no factor has such a type. `packed`: e2m1 two to a byte.
bool setFactor(MatrixProduct &product, bool isA, std::string_view type, bool packed = false);

/// The columns in K of the elements that sparse rows keep, from the nibbles of their chunks.
struct SparseColumns {
  uint8_t of[16][mostDepth / 2];
};
/// Decodes the nibble of one chunk of row `i`. False: it is none of the values that the ISA gives a meaning, or with
/// `ordered` not in ascending order.
bool decodeChunk(const MatrixProduct &product, unsigned i, unsigned chunk, unsigned nibble, bool ordered,
                 SparseColumns &columns);

/// D = A * B + C. `a`: m rows of kept() elements, packed; `b`: n columns of k elements, packed; `c` and `d`: m x n
/// words of 32 bits, row by row, f16 in the low half (of Double: of 64 bits). `columns` of a sparse product; scales as
/// multiplyAccumulateScaled has them. D may be C.
void multiply(const MatrixProduct &product, const void *a, const void *b, const SparseColumns *columns,
              const uint8_t *aScales, const uint8_t *bScales, const void *c, void *d);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_MATRIXPRODUCT_H

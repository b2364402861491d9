/// Unpacks the factors once and hands them to the models of lib/Simulator/Tensor. To a sparse A the missing zeros are
/// added. Of floating-point numbers the models group the kept products, n of which are among 2 n columns: twice as long
/// groups of the full rows hold the same products, and the zeros' products change no sum. Where B holds an infinity or
/// a NaN, which zero times is no zero, and where there are scales, each row is multiplied with the rows of B that it
/// keeps.
#include "lib/Simulator/Execute/MatrixProduct.h"

#include <cmath>
#include <cstring>

using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool tilec::sim::setFactor(MatrixProduct &product, bool isA, std::string_view type, bool packed) {
  using Arithmetic = MatrixProduct::Arithmetic;
  static constexpr struct {
    std::string_view name;
    OperandFormat format;
    unsigned bits;
  } floats[] = {{"f16", OperandFormat::F16, 16},  {"bf16", OperandFormat::BF16, 16}, {"tf32", OperandFormat::TF32, 32},
                {"e4m3", OperandFormat::E4M3, 8}, {"e5m2", OperandFormat::E5M2, 8},  {"e3m2", OperandFormat::E3M2, 8},
                {"e2m3", OperandFormat::E2M3, 8}, {"e2m1", OperandFormat::E2M1, 8}};
  static constexpr struct {
    std::string_view name;
    IntegerFormat format;
    unsigned bits;
  } integers[] = {{"s8", IntegerFormat::S8, 8},
                  {"u8", IntegerFormat::U8, 8},
                  {"s4", IntegerFormat::S4, 4},
                  {"u4", IntegerFormat::U4, 4}};
  for (const auto &entry : floats)
    if (entry.name == type) {
      product.arithmetic = Arithmetic::Float;
      (isA ? product.a : product.b) = entry.format;
      product.bits = packed ? 4 : entry.bits;
      return !packed || entry.format == OperandFormat::E2M1;
    }
  for (const auto &entry : integers)
    if (entry.name == type) {
      product.arithmetic = Arithmetic::Integer;
      (isA ? product.integerA : product.integerB) = entry.format;
      product.bits = entry.bits;
      return true;
    }
  if (type == "f64") {
    product.arithmetic = Arithmetic::Double;
    product.bits = 64;
    return true;
  }
  if (type == "b1") {
    product.arithmetic = Arithmetic::Bits;
    product.bits = 1;
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Sparse storage
//===----------------------------------------------------------------------===//

bool tilec::sim::decodeChunk(const MatrixProduct &product, unsigned i, unsigned chunk, unsigned nibble, bool ordered,
                             SparseColumns &columns) {
  uint8_t *row = columns.of[i];
  unsigned first = nibble & 3, second = nibble >> 2;
  if (product.bits == 32) {
    // 1:2, named by the two halves of the element: 0100 the first, 1110 the second.
    row[chunk] = static_cast<uint8_t>(2 * chunk + (nibble == 0xe));
    return nibble == 0xe || nibble == 0x4;
  }
  if (first == second || (ordered && first > second)) {
    first = 0;
    second = 1;
  }
  if (product.bits == 4) {
    for (unsigned e = 0; e < 2; ++e) {
      row[4 * chunk + e] = static_cast<uint8_t>(8 * chunk + 2 * first + e);
      row[4 * chunk + 2 + e] = static_cast<uint8_t>(8 * chunk + 2 * second + e);
    }
  } else {
    row[2 * chunk] = static_cast<uint8_t>(4 * chunk + first);
    row[2 * chunk + 1] = static_cast<uint8_t>(4 * chunk + second);
  }
  return first == (nibble & 3) && second == nibble >> 2;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The exact value of an f16 as f32 bits.
static uint32_t widenHalf(uint32_t bits) {
  auto half = static_cast<uint16_t>(bits);
  Unpacked number;
  unpack(OperandFormat::F16, &half, 1, &number);
  uint32_t sign = (bits & 0x8000) << 16;
  if (number.exponent == Unpacked::zero)
    return sign;
  if (number.exponent == Unpacked::infinity)
    return sign | 0x7f800000;
  if (number.exponent == Unpacked::notANumber)
    return 0x7fffffff;
  float value = std::ldexp(static_cast<float>(number.significand), number.exponent - 10);
  uint32_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

template <typename Element> static void transpose(const Element *from, unsigned rows, unsigned columns, Element *to) {
  if (rows == 8) { // the N of mma
    for (unsigned j = 0; j < columns; ++j)
      for (unsigned i = 0; i < 8; ++i)
        to[j * 8 + i] = from[i * columns + j];
    return;
  }
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      to[j * rows + i] = from[i * columns + j];
}

static void unpackFactor(const MatrixProduct &p, OperandFormat format, const void *bits, size_t count, bool negate,
                         Unpacked *out) {
  if (p.bits == 4)
    unpackNibbles(bits, count, out);
  else
    unpack(format, bits, count, out);
  if (negate)
    for (size_t i = 0; i < count; ++i)
      out[i].significand = static_cast<int16_t>(-out[i].significand);
}

/// The row-major m x k matrix that a sparse one stands for.
template <typename Element>
static void expandSparse(const MatrixProduct &p, const Element *stored, const SparseColumns &columns, Element zero,
                         Element *expanded) {
  for (unsigned i = 0; i < p.m * p.k; ++i)
    expanded[i] = zero;
  for (unsigned i = 0; i < p.m; ++i)
    for (unsigned e = 0; e < p.kept(); ++e)
      expanded[i * p.k + columns.of[i][e]] = stored[i * p.kept() + e];
}

/// The model that sums the products of full rows as `model` sums those that a sparse row keeps.
static AccumulationModel modelOfFullRows(AccumulationModel model) {
  model.group *= 2;
  model.interleave *= 2;
  return model;
}

static bool allFinite(const Unpacked *numbers, size_t count) {
  int16_t largest = Unpacked::zero;
  for (size_t i = 0; i < count; ++i)
    largest = numbers[i].exponent > largest ? numbers[i].exponent : largest;
  return largest < Unpacked::infinity;
}

/// As many columns at a time as keep the unpacked factors small.
constexpr unsigned columnsAtOnce = 64;

static void multiplyFloat(const MatrixProduct &p, const void *aBits, const void *bBits, const SparseColumns *columns,
                          const uint8_t *aScales, const uint8_t *bScales, const uint32_t *c, uint32_t *d) {
  unsigned kept = p.kept();
  Unpacked a[mostRows * mostDepth / 2], byColumn[columnsAtOnce * mostDepth], b[columnsAtOnce * mostDepth],
      chosen[columnsAtOnce * mostDepth / 2];
  uint8_t scalesOfColumns[columnsAtOnce * 4];
  uint32_t tileC[mostRows * columnsAtOnce], tileD[mostRows * columnsAtOnce];
  unpackFactor(p, p.a, aBits, p.m * kept, p.negateA, a);
  Unpacked full[16 * mostDepth];
  bool expands = p.sparse && !p.scales;
  if (expands)
    expandSparse(p, a, *columns, Unpacked{Unpacked::zero, 0}, full);
  auto run = [&](unsigned m, unsigned n, const Unpacked *a, const uint8_t *aScales, const Unpacked *b,
                 const uint32_t *c, uint32_t *d) {
    if (p.scales)
      multiplyAccumulateScaled(p.model, p.a, p.b, p.scaleFormat, p.scales, m, n, kept, a, aScales, b, scalesOfColumns,
                               c, d);
    else
      multiplyAccumulate(p.model, p.a, p.b, m, n, kept, a, b, c, d);
  };
  for (unsigned from = 0; from < p.n; from += columnsAtOnce) {
    unsigned n = p.n - from < columnsAtOnce ? p.n - from : columnsAtOnce;
    unpackFactor(p, p.b, static_cast<const std::byte *>(bBits) + size_t(from) * p.k * p.bits / 8, n * p.k, p.negateB,
                 byColumn);
    transpose(byColumn, n, p.k, b);
    for (unsigned s = 0; s < p.scales; ++s)
      for (unsigned j = 0; j < n; ++j)
        scalesOfColumns[s * n + j] = bScales[s * p.n + from + j];
    bool direct = n == p.n && p.halfC == p.halfD;
    const uint32_t *addend = c;
    uint32_t *sum = d;
    if (!direct) {
      for (unsigned i = 0; i < p.m; ++i)
        for (unsigned j = 0; j < n; ++j) {
          uint32_t value = c[i * p.n + from + j];
          tileC[i * n + j] = p.halfC && !p.halfD ? widenHalf(value) : value;
        }
      addend = tileC;
      sum = tileD;
    }
    if (expands && allFinite(byColumn, size_t(n) * p.k)) {
      multiplyAccumulate(modelOfFullRows(p.model), p.a, p.b, p.m, n, p.k, full, b, addend, sum);
    } else if (!p.sparse) {
      run(p.m, n, a, aScales, b, addend, sum);
    } else {
      for (unsigned i = 0; i < p.m; ++i) {
        for (unsigned e = 0; e < kept; ++e)
          std::memcpy(chosen + e * n, b + columns->of[i][e] * n, n * sizeof(Unpacked));
        run(1, n, a + i * kept, aScales + i * p.scales, chosen, addend + i * n, sum + i * n);
      }
    }
    if (!direct)
      for (unsigned i = 0; i < p.m; ++i)
        std::memcpy(d + i * p.n + from, tileD + i * n, n * sizeof(uint32_t));
  }
}

static void multiplyDouble(const MatrixProduct &p, const double *a, const double *byColumn, const double *c,
                           double *d) {
  double b[16 * 8];
  transpose(byColumn, p.n, p.k, b);
  multiplyAccumulateF64(p.m, p.n, p.k, a, b, c, d);
}

static void multiplyInteger(const MatrixProduct &p, const void *aBits, const void *bBits, const SparseColumns *columns,
                            const int32_t *c, int32_t *d) {
  int16_t stored[mostRows * mostDepth], expanded[mostRows * mostDepth], byColumn[columnsAtOnce * mostDepth],
      b[columnsAtOnce * mostDepth];
  int32_t tileC[mostRows * columnsAtOnce], tileD[mostRows * columnsAtOnce];
  unpackIntegers(p.integerA, aBits, p.m * p.kept(), stored);
  const int16_t *a = stored;
  if (p.sparse) {
    expandSparse(p, stored, *columns, int16_t(0), expanded);
    a = expanded;
  }
  for (unsigned from = 0; from < p.n; from += columnsAtOnce) {
    unsigned n = p.n - from < columnsAtOnce ? p.n - from : columnsAtOnce;
    unpackIntegers(p.integerB, static_cast<const std::byte *>(bBits) + size_t(from) * p.k * p.bits / 8, n * p.k,
                   byColumn);
    transpose(byColumn, n, p.k, b);
    if (n == p.n) {
      multiplyAccumulateInteger(p.saturate, p.m, n, p.k, a, b, c, d);
      return;
    }
    for (unsigned i = 0; i < p.m; ++i)
      std::memcpy(tileC + i * n, c + i * p.n + from, n * sizeof(int32_t));
    multiplyAccumulateInteger(p.saturate, p.m, n, p.k, a, b, tileC, tileD);
    for (unsigned i = 0; i < p.m; ++i)
      std::memcpy(d + i * p.n + from, tileD + i * n, n * sizeof(int32_t));
  }
}

void tilec::sim::multiply(const MatrixProduct &p, const void *a, const void *b, const SparseColumns *columns,
                          const uint8_t *aScales, const uint8_t *bScales, const void *c, void *d) {
  switch (p.arithmetic) {
  case MatrixProduct::Arithmetic::Float:
    multiplyFloat(p, a, b, columns, aScales, bScales, static_cast<const uint32_t *>(c), static_cast<uint32_t *>(d));
    return;
  case MatrixProduct::Arithmetic::Double:
    multiplyDouble(p, static_cast<const double *>(a), static_cast<const double *>(b), static_cast<const double *>(c),
                   static_cast<double *>(d));
    return;
  case MatrixProduct::Arithmetic::Integer:
    multiplyInteger(p, a, b, columns, static_cast<const int32_t *>(c), static_cast<int32_t *>(d));
    return;
  case MatrixProduct::Arithmetic::Bits:
    multiplyAccumulateBits(p.bitOperation, p.m, p.n, p.k, static_cast<const uint32_t *>(a),
                           static_cast<const uint32_t *>(b), static_cast<const int32_t *>(c),
                           static_cast<int32_t *>(d));
    return;
  }
}

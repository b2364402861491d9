/// Sparse products through full rows give the bits of the models on the kept products, one row at a time.
#include "lib/Simulator/Execute/MatrixProduct.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace tilec::sim;

namespace {
struct Shape {
  const char *type;
  unsigned k;
  OperandFormat format;
  TensorInstruction instruction;
};

/// Numbers of that format: any bits, or no infinity and no NaN.
uint32_t randomElement(std::mt19937 &random, OperandFormat format, bool onlyFinite) {
  for (;;) {
    uint32_t bits = random();
    if (format == OperandFormat::TF32)
      bits &= 0xffffe000;
    Unpacked number;
    unpack(format, &bits, 1, &number);
    if (!onlyFinite || number.exponent < Unpacked::infinity)
      return bits;
  }
}

void compare(const Shape &shape, unsigned sm, bool onlyFinite, unsigned seed) {
  std::mt19937 random(seed);
  MatrixProduct p;
  p.k = shape.k;
  p.sparse = true;
  ASSERT_TRUE(setFactor(p, true, shape.type) && setFactor(p, false, shape.type));
  p.model = accumulationModel(sm, shape.instruction, p.a, p.b, ResultFormat::F32, p.kept());
  SparseColumns columns;
  for (unsigned i = 0; i < p.m; ++i)
    for (unsigned chunk = 0; chunk < p.k / p.chunk(); ++chunk) {
      static constexpr unsigned pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe}, halves[] = {0x4, 0xe};
      unsigned nibble = p.bits == 32 ? halves[random() % 2] : pairs[random() % 6];
      ASSERT_TRUE(decodeChunk(p, i, chunk, nibble, true, columns));
    }
  unsigned bytes = p.bits / 8;
  std::vector<uint8_t> a(p.m * p.kept() * bytes), b(p.n * p.k * bytes);
  for (std::vector<uint8_t> *matrix : {&a, &b})
    for (size_t i = 0; i < matrix->size(); i += bytes) {
      uint32_t element = randomElement(random, shape.format, onlyFinite);
      for (unsigned byte = 0; byte < bytes; ++byte)
        (*matrix)[i + byte] = static_cast<uint8_t>(element >> (8 * byte));
    }
  std::vector<uint32_t> c(p.m * p.n), d(p.m * p.n);
  for (uint32_t &value : c)
    value = 0x3f800000 + (random() & 0x807fffff);
  multiply(p, a.data(), b.data(), &columns, nullptr, nullptr, c.data(), d.data());

  std::vector<Unpacked> rowsOfA(p.m * p.kept()), columnsOfB(p.n * p.k), chosen(p.kept() * p.n);
  unpack(p.a, a.data(), rowsOfA.size(), rowsOfA.data());
  unpack(p.b, b.data(), columnsOfB.size(), columnsOfB.data());
  for (unsigned i = 0; i < p.m; ++i) {
    for (unsigned e = 0; e < p.kept(); ++e)
      for (unsigned j = 0; j < p.n; ++j)
        chosen[e * p.n + j] = columnsOfB[j * p.k + columns.of[i][e]];
    std::vector<uint32_t> want(p.n);
    multiplyAccumulateSlowly(p.model, p.a, p.b, 1, p.n, p.kept(), rowsOfA.data() + i * p.kept(), chosen.data(),
                             c.data() + i * p.n, want.data());
    for (unsigned j = 0; j < p.n; ++j)
      EXPECT_EQ(d[i * p.n + j], want[j]) << shape.type << " sm_" << sm << " row " << i << " column " << j;
  }
}
} // namespace

TEST(SparseProduct, FullRowsGiveTheBitsOfTheKeptProducts) {
  const Shape shapes[] = {{"f16", 16, OperandFormat::F16, TensorInstruction::MmaSparse},
                          {"f16", 32, OperandFormat::F16, TensorInstruction::MmaSparse},
                          {"bf16", 32, OperandFormat::BF16, TensorInstruction::MmaSparse},
                          {"tf32", 16, OperandFormat::TF32, TensorInstruction::MmaSparse},
                          {"e4m3", 64, OperandFormat::E4M3, TensorInstruction::MmaSparse},
                          {"e5m2", 64, OperandFormat::E5M2, TensorInstruction::WgmmaSparse}};
  unsigned seed = 1;
  for (const Shape &shape : shapes)
    for (unsigned sm : {80u, 89u, 90u, 120u})
      for (int repeat = 0; repeat < 8; ++repeat)
        compare(shape, sm, /*onlyFinite=*/repeat % 2 == 0, seed++);
}

/// mma.m8n8k4 of f16 (PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type"): four products at once,
/// each by four neighbouring lanes and the four that are 16 further on.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MatrixFamilies.h"
#include "lib/Simulator/Execute/MatrixFragment.h"

using namespace tilec;
using namespace tilec::sim;

namespace {
struct QuadPairForm {
  MatrixProduct product;
  bool aByColumn = false, bByColumn = false;
};

/// One element of a product's matrix.
struct Element {
  unsigned row, column;
};
} // namespace

/// Lane's place in its product: 0 … 3, and whether it is of the upper four.
static unsigned inQuad(unsigned lane) { return lane % 4; }
static unsigned upper(unsigned lane) { return lane / 16 * 4; }
static unsigned productOf(unsigned lane) { return lane % 16 / 4; }

static Element elementOfA(const QuadPairForm &form, unsigned lane, unsigned i) {
  return form.aByColumn ? Element{i + upper(lane), inQuad(lane)} : Element{inQuad(lane) + upper(lane), i};
}
static Element elementOfB(const QuadPairForm &form, unsigned lane, unsigned i) {
  return form.bByColumn ? Element{i, inQuad(lane) + upper(lane)} : Element{inQuad(lane), i + upper(lane)};
}
static Element elementOfC(bool half, unsigned lane, unsigned i) {
  if (half)
    return {inQuad(lane) + upper(lane), i};
  return {(lane & 1) + (i & 2) + upper(lane), (i & 4) + (lane & 2) + (i & 1)};
}

static uint32_t halfAt(const Execution &x, const Row *rows, unsigned lane, unsigned i) {
  return x.row<uint32_t>(rows[i / 2])[lane] >> (i % 2 * 16) & 0xffff;
}
static uint64_t undefinedHalf(const Execution &x, const Row *rows, unsigned lane, unsigned i) {
  return x.undefinedBits(rows[i / 2], lane) >> (i % 2 * 16) & 0xffff;
}

static Outcome runQuadPair(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &form = op.detailAs<QuadPairForm>();
  const MatrixProduct &p = form.product;
  const Row *rowsOfA = op.rows + op.destinations, *rowsOfB = rowsOfA + 2, *rowsOfC = rowsOfB + 2;
  uint16_t a[4][8 * 4], b[4][8 * 4];
  uint32_t c[4][8 * 8];
  bool mayBeUndefined = x.check && anyMayBeUndefined(x, op.rows, op.destinations + op.sources);
  UndefinedResults undefined[4];
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned product = productOf(lane);
    for (unsigned i = 0; i < 4; ++i) {
      Element inA = elementOfA(form, lane, i), inB = elementOfB(form, lane, i);
      a[product][inA.row * 4 + inA.column] = static_cast<uint16_t>(halfAt(x, rowsOfA, lane, i));
      b[product][inB.column * 4 + inB.row] = static_cast<uint16_t>(halfAt(x, rowsOfB, lane, i));
      if (mayBeUndefined && undefinedHalf(x, rowsOfA, lane, i))
        undefined[product].addRow(inA.row);
      if (mayBeUndefined && undefinedHalf(x, rowsOfB, lane, i))
        undefined[product].addColumn(inB.column);
    }
    for (unsigned i = 0; i < 8; ++i) {
      Element inC = elementOfC(p.halfC, lane, i);
      c[product][inC.row * 8 + inC.column] = p.halfC ? halfAt(x, rowsOfC, lane, i) : x.row<uint32_t>(rowsOfC[i])[lane];
      if (mayBeUndefined && (p.halfC ? undefinedHalf(x, rowsOfC, lane, i) : x.undefinedBits(rowsOfC[i], lane)))
        undefined[product].addElement(inC.row, inC.column, p);
    }
  }
  for (unsigned product = 0; product < 4; ++product)
    multiply(p, a[product], b[product], nullptr, nullptr, nullptr, c[product], c[product]);
  for (unsigned i = 0; mayBeUndefined && i < op.destinations; ++i)
    x.setDefined(op.destination(i), allLanes);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned product = productOf(lane);
    for (unsigned i = 0; i < 8; ++i) {
      Element inD = elementOfC(p.halfD, lane, i);
      uint32_t value = c[product][inD.row * 8 + inD.column];
      Row row = op.destination(p.halfD ? i / 2 : i);
      uint32_t &word = x.row<uint32_t>(row)[lane];
      if (!p.halfD)
        word = value;
      else
        word = i % 2 ? (word & 0xffff) | value << 16 : value & 0xffff;
      if (mayBeUndefined && undefined[product](inD.row, inD.column, p))
        x.setUndefinedBits(row, lane,
                           p.halfD ? x.undefinedBits(row, lane) | (i % 2 ? 0xffff0000u : 0xffffu) : 0xffffffffu);
    }
  }
  x.counters->matrixMultiplyAdds += 4 * 8 * 8 * 4;
  return Outcome::Next;
}

bool tilec::sim::bindMmaQuadPair(Binder &b) {
  QuadPairForm form;
  MatrixProduct &p = form.product;
  b.take("m8n8k4");
  p.m = p.n = 8;
  p.k = 4;
  for (bool *byColumn : {&form.aByColumn, &form.bByColumn}) {
    std::string_view layout = b.takeNext();
    if (layout != "row" && layout != "col")
      return b.fail("expected the layouts of A and B");
    *byColumn = layout == "col";
  }
  std::string_view d = b.takeNext(), a = b.takeNext(), bType = b.takeNext(), c = b.takeNext();
  p.halfD = d == "f16";
  p.halfC = c == "f16";
  if (a != "f16" || bType != "f16" || (d != "f32" && !p.halfD) || (c != "f32" && !p.halfC) || (p.halfD && !p.halfC))
    return b.fail("these types are not known with '.m8n8k4'");
  if (!b.require(70))
    return false;
  p.model = accumulationModel(b.builder().device().sm, TensorInstruction::Mma, p.a, p.b,
                              p.halfD ? ResultFormat::F16 : ResultFormat::F32, p.k);
  bool right = b.destinations(0, ptx::Type::B32) == (p.halfD ? 4u : 8u);
  right &= b.sources(1, ptx::Type::B32) == 2;
  right &= b.sources(2, ptx::Type::B32) == 2;
  right &= b.sources(3, ptx::Type::B32) == (p.halfC ? 4u : 8u);
  if (!right)
    return b.fail("a and b must have 2 registers, c and d 8 of f32 or 4 of f16");
  b.operation.run = runQuadPair;
  b.operation.kind = InstructionClass::MatrixProduct;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

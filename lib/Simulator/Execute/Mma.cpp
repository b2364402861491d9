/// mma.sync and mma.sp (PTX ISA, "Multiply-and-Accumulate Instruction: mma", "mma.sp", "Block Scaling for mma.sync").
/// One handler for all of them: gather, multiply, scatter. What the text may say is checked by the sizes of the
/// fragments: every shape of the ISA gives A two or four registers of 32 bits (M = 8: one).
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/MatrixFamilies.h"
#include "lib/Simulator/Execute/MatrixFragment.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;
using Arithmetic = MatrixProduct::Arithmetic;

namespace {
/// Where the scales of one factor come from.
struct ScaleSource {
  Row data, byte, thread;
};

struct MmaForm {
  MatrixProduct product;
  /// Metadata of a sparse product.
  bool ordered = false;
  Row metadata;
  unsigned selector = 0;
  ScaleSource scaleA, scaleB;
  uint64_t multiplyAdds = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// Byte and thread selectors, which must be the same in all lanes.
static bool readSelectors(Execution &x, const Operation &op, const ScaleSource &source, unsigned scales, bool isA,
                          unsigned &byte, unsigned &thread) {
  x.requireDefined(op, source.byte, allLanes, "byte selector of a scale");
  x.requireDefined(op, source.thread, allLanes, "thread selector of a scale");
  byte = static_cast<unsigned>(x.value(source.byte, 0));
  thread = static_cast<unsigned>(x.value(source.thread, 0));
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (x.value(source.byte, lane) != byte || x.value(source.thread, lane) != thread) {
      x.stop(FindingKind::InvalidOperand, op, lane, "the selectors of a scale differ between threads of the warp");
      return false;
    }
  bool right = byte + scales <= 4 && byte % scales == 0 && thread < (isA ? 2u : 4u);
  if (!right)
    x.stop(FindingKind::InvalidOperand, op, 0,
           "scale selectors {" + std::to_string(byte) + ", " + std::to_string(thread) + "} of " + (isA ? "A" : "B") +
               " are not allowed with .scale_vec::" + std::to_string(scales) + "X");
  return right;
}

/// Of A, rows g and g + 8 come from the two threads of the selected pair; of B, column g from the selected thread.
static unsigned laneOfScale(bool isA, unsigned thread, unsigned index) {
  return isA ? index % 8 * 4 + 2 * thread + index / 8 : index * 4 + thread;
}

static bool gatherScales(Execution &x, const Operation &op, const MmaForm &form, uint8_t *aScales, uint8_t *bScales,
                         UndefinedResults &undefined) {
  const MatrixProduct &p = form.product;
  for (bool isA : {true, false}) {
    const ScaleSource &source = isA ? form.scaleA : form.scaleB;
    unsigned byte, thread;
    if (!readSelectors(x, op, source, p.scales, isA, byte, thread))
      return false;
    for (unsigned index = 0; index < (isA ? p.m : p.n); ++index) {
      unsigned lane = laneOfScale(isA, thread, index);
      uint32_t word = x.row<uint32_t>(source.data)[lane] >> (8 * byte);
      for (unsigned s = 0; s < p.scales; ++s)
        (isA ? aScales[index * p.scales + s] : bScales[s * p.n + index]) = static_cast<uint8_t>(word >> (8 * s));
      uint64_t mask = (uint64_t(1) << (8 * p.scales)) - 1;
      if (x.check && (x.undefinedBits(source.data, lane) >> (8 * byte) & mask))
        isA ? undefined.addRow(index) : undefined.addColumn(index);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static Outcome runMma(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  const auto &form = op.detailAs<MmaForm>();
  const MatrixProduct &p = form.product;
  const Row *rowsOfA = op.rows + op.destinations, *rowsOfB = rowsOfA + registersOfA(p),
            *rowsOfC = rowsOfB + registersOfB(p);

  alignas(8) std::byte a[16 * 128], b[8 * 128]; // of f64 with k = 16
  alignas(8) uint32_t c[2 * 16 * 8];
  gatherA(x, rowsOfA, p, a);
  gatherB(x, rowsOfB, p, b);
  gatherC(x, rowsOfC, p, c);

  SparseColumns columns;
  uint8_t aScales[16 * 4] = {}, bScales[8 * 4] = {};
  UndefinedResults undefined;
  bool mayBeUndefined = x.check && anyMayBeUndefined(x, op.rows, op.destinations + op.sources);
  if (mayBeUndefined) {
    undefined.addA(x, rowsOfA, p);
    undefined.addB(x, rowsOfB, p);
    undefined.addC(x, rowsOfC, p);
    if (p.sparse)
      forLanes(x.undefinedLanes(form.metadata, allLanes), [&](unsigned lane) {
        undefined.addRow(lane / 4);
        undefined.addRow(lane / 4 + 8);
      });
  }
  if (p.sparse)
    decodeMetadata(x, op, p, x.row<uint32_t>(form.metadata), form.selector, form.ordered, columns);
  if (p.scales && !gatherScales(x, op, form, aScales, bScales, undefined))
    return Outcome::Next;
  multiply(p, a, b, &columns, aScales, bScales, c, c);
  scatterD(x, op.rows, p, c);
  if (mayBeUndefined)
    undefined.mark(x, op.rows, p);
  x.counters->matrixMultiplyAdds += form.multiplyAdds;
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

bool tilec::sim::readShape(std::string_view text, MatrixProduct &p) {
  size_t at = 0;
  auto number = [&](char letter, unsigned &value) {
    if (at >= text.size() || text[at] != letter)
      return false;
    value = 0;
    size_t from = ++at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && at - from < 4; ++at)
      value = value * 10 + static_cast<unsigned>(text[at] - '0');
    return at > from;
  };
  return number('m', p.m) && number('n', p.n) && number('k', p.k) && at == text.size();
}

namespace {
enum class Kind : uint8_t { None, F8F6F4, MxF8F6F4, MxF4, MxF4NvF4 };
} // namespace

/// The kind and its scales.
static bool takeKind(Binder &b, MatrixProduct &p, Kind &kind) {
  int chosen = b.takeOneOf({"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  kind = static_cast<Kind>(chosen + 1);
  bool scaled = b.take("block_scale");
  if (scaled != (kind > Kind::F8F6F4))
    return b.fail(scaled ? "'.block_scale' needs a kind with scales" : "this kind needs '.block_scale'");
  if (chosen >= 0 && !(b.require(120) && b.targetHasFeatures()))
    return b.fail("a kind needs sm_120a");
  if (!scaled)
    return true;
  static constexpr unsigned sizes[] = {1, 2, 4};
  int size = b.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X"});
  if (size < 0 && kind == Kind::MxF4NvF4)
    return b.fail("'.kind::mxf4nvf4' needs a '.scale_vec'");
  p.scales = size >= 0 ? sizes[size] : kind == Kind::MxF8F6F4 ? 1 : 2;
  bool right = kind == Kind::MxF8F6F4 ? p.scales == 1 : kind == Kind::MxF4 ? p.scales == 2 : p.scales >= 2;
  return right || b.fail("this '.scale_vec' does not go with the kind");
}

/// The types `.dtype.atype.btype.ctype`.
static bool takeTypes(Binder &b, MatrixProduct &p, Kind kind) {
  std::string_view d = b.takeNext(), a = b.takeNext(), bType = b.takeNext(), c = b.takeNext();
  bool packed = kind == Kind::MxF4 || kind == Kind::MxF4NvF4;
  MatrixProduct other = p;
  if (!setFactor(p, true, a, packed) || !setFactor(other, false, bType, packed) || other.arithmetic != p.arithmetic ||
      other.bits != p.bits)
    return b.fail("factors of types '." + std::string(a) + "' and '." + std::string(bType) + "' do not go together");
  p.b = other.b;
  p.integerB = other.integerB;
  p.halfD = d == "f16";
  p.halfC = c == "f16";
  bool mixes = p.bits == 8 || (p.arithmetic == Arithmetic::Integer && p.bits == 4);
  if (p.arithmetic == Arithmetic::Float && p.a != p.b && !mixes)
    return b.fail("both factors must have one type");
  std::string_view wide = p.arithmetic == Arithmetic::Double  ? "f64"
                          : p.arithmetic == Arithmetic::Float ? "f32"
                                                              : "s32";
  bool halfAllowed = p.arithmetic == Arithmetic::Float && !p.scales &&
                     (p.a == OperandFormat::F16 || (p.bits == 8 && !(p.sparse && kind == Kind::None)));
  for (std::string_view type : {d, c})
    if (type != wide && !(type == "f16" && halfAllowed))
      return b.fail("accumulators of type '." + std::string(type) + "' are not allowed with factors of type '." +
                    std::string(a) + "'");
  bool six =
      p.arithmetic == Arithmetic::Float && p.bits == 8 && (p.a > OperandFormat::E5M2 || p.b > OperandFormat::E5M2);
  if (six && kind == Kind::None)
    return b.fail("factors of six and four bits need '.kind::f8f6f4'");
  if (kind != Kind::None && (p.arithmetic != Arithmetic::Float || p.bits > 8))
    return b.fail("factors of type '." + std::string(a) + "' have no kind");
  if (p.scales) {
    int format = b.takeOneOf({"ue8m0", "ue4m3"});
    if (format < 0 || (format == 1 && !(kind == Kind::MxF4NvF4 && p.scales == 4)))
      return b.fail("expected a scale type that the kind has");
    p.scaleFormat = format == 0 ? ScaleFormat::UE8M0 : ScaleFormat::UE4M3;
  }
  return true;
}

/// Whether the ISA has the shape with these types, and the target the instruction.
static bool checkShape(Binder &b, const MatrixProduct &p, Kind kind) {
  unsigned rowBits = p.kept() * p.bits;
  bool right;
  if (p.arithmetic == Arithmetic::Double)
    right = p.n == 8 && !p.sparse && ((p.m == 8 && p.k == 4) || (p.m == 16 && (p.k == 4 || p.k == 8 || p.k == 16)));
  else if (p.m == 8)
    right = p.n == 8 && rowBits == 128 && p.arithmetic != Arithmetic::Float && !p.sparse;
  else
    right = p.m == 16 && p.n == 8 && (rowBits == 256 || rowBits == 128) && !(p.sparse && p.bits == 1);
  if (kind != Kind::None || (p.sparse && p.arithmetic == Arithmetic::Float && p.bits == 8))
    right &= rowBits == 256;
  if (!right)
    return b.fail("shape m" + std::to_string(p.m) + "n" + std::to_string(p.n) + "k" + std::to_string(p.k) +
                  " is not known with these types");
  unsigned sm = 80;
  if (p.arithmetic == Arithmetic::Double && p.m == 16)
    sm = 90;
  else if (p.arithmetic == Arithmetic::Float && p.bits == 8)
    sm = 89;
  else if (!p.sparse && (p.m == 8 || (p.a == OperandFormat::F16 && p.bits == 16 && p.k == 8)) &&
           p.arithmetic != Arithmetic::Double && p.bitOperation == BitOperation::Xor)
    sm = 75;
  return b.require(sm);
}

static bool takeFragment(Binder &b, size_t operand, bool isDestination, ptx::Type type, unsigned expected,
                         const char *name) {
  unsigned found = isDestination ? b.destinations(operand, type) : b.sources(operand, type);
  return found == expected || b.fail("operand " + std::string(name) + " must have " + std::to_string(expected) +
                                     " registers, found " + std::to_string(found));
}

static bool takeScale(Binder &b, size_t operand, ScaleSource &scale) {
  scale.data = b.source(operand, ptx::Type::B32);
  const ptx::Operand &selectors = b.operand(operand + 1);
  if (selectors.kind != ptx::Operand::Kind::Vector || selectors.elements.size() != 2)
    return b.fail("expected {byte-id, thread-id} after a scale");
  scale.byte = b.source(selectors.elements[0], ptx::Type::U16);
  scale.thread = b.source(selectors.elements[1], ptx::Type::U16);
  return true;
}

/// Operands after c: `e, f` of a sparse product, then the scales.
static bool takeExtras(Binder &b, MmaForm &form) {
  MatrixProduct &p = form.product;
  size_t next = 4;
  if (p.sparse) {
    form.metadata = b.source(next++, ptx::Type::B32);
    int64_t selector = b.constant(next++);
    unsigned chunks = p.k / p.chunk();
    if (selector < 0 || selector >= (chunks == 4 ? 4 : chunks == 8 ? 2 : 1))
      return b.fail("sparsity selector " + std::to_string(selector) + " is not allowed with this shape");
    form.selector = static_cast<unsigned>(selector);
  }
  return !p.scales || (takeScale(b, next, form.scaleA) && takeScale(b, next + 2, form.scaleB));
}

bool tilec::sim::bindMma(Binder &b) {
  MmaForm form;
  MatrixProduct &p = form.product;
  form.ordered = b.take("sp::ordered_metadata");
  p.sparse = b.take("sp") || form.ordered;
  if (!b.take("sync") || !b.take("aligned"))
    return b.fail("mma must be '.sync.aligned'");
  if (b.has("m8n8k4") && !b.has("f64"))
    return bindMmaQuadPair(b);
  if (!readShape(b.takeNext(), p))
    return b.fail("expected a shape such as '.m16n8k16'");
  if (b.takeNext() != "row" || b.takeNext() != "col")
    return b.fail("the layouts must be '.row.col'");
  p.saturate = b.take("satfinite");
  int bitOperation = b.takeOneOf({"xor", "and"});
  p.bitOperation = bitOperation == 1 ? BitOperation::And : BitOperation::Xor;
  bool counts = b.take("popc");
  bool roundsOtherwise = b.takeOneOf({"rz", "rm", "rp"}) >= 0;
  b.take("rn");
  Kind kind;
  if (!takeKind(b, p, kind) || !takeTypes(b, p, kind) || !checkShape(b, p, kind))
    return false;
  if (roundsOtherwise)
    return b.fail("roundings other than '.rn' are not simulated");
  if ((p.arithmetic == Arithmetic::Bits) != (bitOperation >= 0 && counts))
    return b.fail("'.xor.popc' or '.and.popc' goes with factors of type '.b1'");
  if (p.saturate && p.arithmetic != Arithmetic::Integer)
    return b.fail("'.satfinite' goes with integers");
  if (p.arithmetic != Arithmetic::Bits && p.halfC != p.halfD)
    return b.fail("'.dtype' and '.ctype' must be the same");
  if (kind != Kind::None && p.sparse && !form.ordered)
    return b.fail("a kind needs '.sp::ordered_metadata'");

  unsigned sm = b.builder().device().sm;
  if (p.arithmetic == Arithmetic::Float) {
    TensorInstruction instruction = p.sparse ? TensorInstruction::MmaSparse : TensorInstruction::Mma;
    ResultFormat result = p.halfD ? ResultFormat::F16 : ResultFormat::F32;
    p.model = p.scales ? scaledAccumulationModel(sm, p.a, p.b, p.kept())
                       : accumulationModel(sm, instruction, p.a, p.b, result, p.kept());
  }
  form.multiplyAdds = uint64_t(p.m) * p.n * p.kept();
  ptx::Type factor = p.bits == 64 ? ptx::Type::F64 : ptx::Type::B32, sum = factor;
  if (!takeFragment(b, 0, true, sum, registersOfC(p, p.halfD), "d") ||
      !takeFragment(b, 1, false, factor, registersOfA(p), "a") ||
      !takeFragment(b, 2, false, factor, registersOfB(p), "b") ||
      !takeFragment(b, 3, false, sum, registersOfC(p, p.halfC), "c") || !takeExtras(b, form))
    return false;
  b.operation.run = runMma;
  b.operation.kind = InstructionClass::MatrixProduct;
  b.operation.detail = b.builder().program().keep(form);
  return b.finish();
}

/// The text of wgmma, its fence, and its groups (PTX ISA, "Asynchronous warpgroup level matrix instructions").
#include "lib/Simulator/Execute/Wgmma.h"

#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Core/WarpAsync.h"
#include "lib/Simulator/Execute/MatrixFamilies.h"
#include "lib/Simulator/Execute/MatrixFragment.h"

using namespace tilec;
using namespace tilec::sim;
using Arithmetic = MatrixProduct::Arithmetic;

//===----------------------------------------------------------------------===//
// Fence and groups
//===----------------------------------------------------------------------===//

static Outcome runFence(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  WgmmaRegisters &registers = x.warp->async->wgmma.registers;
  registers.track(x);
  if (registers.isTracking())
    registers.fence();
  return Outcome::Next;
}

static Outcome runCommit(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  WgmmaGroups &groups = x.warp->async->wgmma;
  x.cluster->async.commit(*x.warp, AsyncOperation::Unit::Wgmma, groups.next, allLanes);
  ++groups.next;
  return Outcome::Next;
}

/// data[0]: how many of the latest groups may stay pending.
static Outcome runWait(Execution &x, const Operation &op, LaneMask active) {
  Outcome outcome;
  if (!isWholeWarp(x, op, active, outcome))
    return outcome;
  WgmmaGroups &groups = x.warp->async->wgmma;
  uint64_t done = groups.next > op.data[0] ? groups.next - op.data[0] : 0;
  x.cluster->async.complete([&](const AsyncOperation &operation) {
    return operation.warp == x.warp && operation.unit == AsyncOperation::Unit::Wgmma && operation.group < done;
  });
  if (!x.check)
    return Outcome::Next;
  groups.registers.complete(done);
  if (groups.chain != noAgent && done)
    x.warp->order.seen.reach(groups.chain, static_cast<uint32_t>(done));
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// mma_async
//===----------------------------------------------------------------------===//

static bool takeTypes(Binder &b, MatrixProduct &p) {
  std::string_view d = b.takeNext(), a = b.takeNext(), bType = b.takeNext();
  MatrixProduct other = p;
  if (!setFactor(p, true, a) || !setFactor(other, false, bType) || other.arithmetic != p.arithmetic ||
      other.bits != p.bits || p.arithmetic == Arithmetic::Double || p.bits == 4 ||
      (p.arithmetic == Arithmetic::Float && p.a > OperandFormat::E5M2) ||
      (p.arithmetic == Arithmetic::Float && other.b > OperandFormat::E5M2))
    return b.fail("factors of types '." + std::string(a) + "' and '." + std::string(bType) + "' do not go together");
  p.b = other.b;
  p.integerB = other.integerB;
  bool isFloat = p.arithmetic == Arithmetic::Float;
  if (isFloat && p.bits != 8 && p.a != p.b)
    return b.fail("both factors must have one type");
  p.halfC = p.halfD = d == "f16";
  bool halfAllowed = isFloat && (p.a == OperandFormat::F16 || p.bits == 8);
  if (d != (isFloat ? "f32" : "s32") && !(p.halfD && halfAllowed))
    return b.fail("accumulators of type '." + std::string(d) + "' are not allowed with these factors");
  return true;
}

static bool checkShape(Binder &b, const MatrixProduct &p) {
  bool integer = p.arithmetic != Arithmetic::Float;
  bool right = p.m == 64 && p.n >= 8 && p.n <= 256 && p.n % 8 == 0 && p.kept() * p.bits == 256;
  if (integer && p.n > 32)
    right &= p.n % 16 == 0;
  if (p.sparse)
    right &= p.bits != 1;
  return right || b.fail("shape m" + std::to_string(p.m) + "n" + std::to_string(p.n) + "k" + std::to_string(p.k) +
                         " is not known with these types");
}

/// The immediates after scale-d: signs of both factors, then the transpositions of those in shared memory.
static bool takeImmediates(Binder &b, size_t next, WgmmaForm &form) {
  MatrixProduct &p = form.product;
  if (p.arithmetic != Arithmetic::Float)
    return true;
  for (bool *negate : {&p.negateA, &p.negateB}) {
    int64_t sign = b.constant(next++);
    if (sign != 1 && sign != -1)
      return b.fail("the sign of a factor must be 1 or -1, found " + std::to_string(sign));
    *negate = sign == -1;
  }
  if (p.bits != 16)
    return true;
  for (bool isA : {true, false}) {
    if (isA && form.aInRegisters)
      continue;
    int64_t transposed = b.constant(next++);
    if (transposed != 0 && transposed != 1)
      return b.fail("a transposition must be 0 or 1, found " + std::to_string(transposed));
    (isA ? form.aIsKMajor : form.bIsKMajor) = transposed == 0;
  }
  return true;
}

static bool bindProduct(Binder &b) {
  WgmmaForm form;
  MatrixProduct &p = form.product;
  p.sparse = b.take("sp");
  if (!readShape(b.takeNext(), p))
    return b.fail("expected a shape such as '.m64n128k16'");
  p.saturate = b.take("satfinite");
  bool isAnd = b.take("and"), counts = b.take("popc");
  p.bitOperation = BitOperation::And;
  if (!takeTypes(b, p) || !checkShape(b, p))
    return false;
  if ((p.arithmetic == Arithmetic::Bits) != (isAnd && counts))
    return b.fail("'.and.popc' goes with factors of type '.b1'");
  if (p.saturate && p.arithmetic != Arithmetic::Integer)
    return b.fail("'.satfinite' goes with integers");
  p.m = 16;
  if (p.arithmetic == Arithmetic::Float)
    p.model = accumulationModel(b.builder().device().sm, TensorInstruction::Wgmma, p.a, p.b,
                                p.halfD ? ResultFormat::F16 : ResultFormat::F32, p.kept());

  unsigned expected = registersOfC(p, p.halfD);
  form.accumulatorCount = b.destinations(0, ptx::Type::B32);
  if (form.accumulatorCount != expected)
    return b.fail("expected " + std::to_string(expected) + " accumulator registers, found " +
                  std::to_string(form.accumulatorCount));
  b.sources(0, ptx::Type::B32);
  form.aInRegisters = b.isVector(1);
  if (!form.aInRegisters)
    form.descriptorA = b.source(1, ptx::Type::B64);
  else if (unsigned found = b.sources(1, ptx::Type::B32); found != 4)
    return b.fail("expected 4 registers of A, found " + std::to_string(found));
  form.descriptorB = b.source(2, ptx::Type::B64);
  size_t next = 3;
  if (p.sparse) {
    form.metadata = b.source(next++, ptx::Type::B32);
    int64_t selector = b.constant(next++);
    if (selector < 0 || selector > (p.bits == 8 ? 0 : 1))
      return b.fail("sparsity selector " + std::to_string(selector) + " is not allowed with this shape");
    form.selector = static_cast<unsigned>(selector);
  }
  form.scaleD = b.predicateSource(next++, form.scaleDNegated);
  if (!takeImmediates(b, next, form))
    return false;
  b.operation.run = runWgmma;
  b.operation.kind = InstructionClass::MatrixProduct;
  auto *kept = const_cast<WgmmaForm *>(b.builder().program().keep(form));
  b.operation.detail = kept;
  if (!b.finish())
    return false;
  kept->accumulators = b.operation.rows;
  kept->factors = b.operation.rows + 2 * form.accumulatorCount;
  return true;
}

static bool bindWgmma(Binder &b) {
  bool product = b.take("mma_async"), fence = b.take("fence"), commit = b.take("commit_group"),
       wait = b.take("wait_group");
  if (!b.require(90) || !(b.targetSM() == 90 && b.targetHasFeatures()))
    return b.fail("wgmma needs sm_90a");
  if (!b.take("sync") || !b.take("aligned"))
    return b.fail("must be '.sync.aligned'");
  if (product)
    return bindProduct(b);
  b.operation.kind = fence ? InstructionClass::Fence : InstructionClass::Barrier;
  if (fence)
    b.operation.run = runFence;
  else if (commit)
    b.operation.run = runCommit;
  else if (wait) {
    int64_t pending = b.constant(0);
    if (pending < 0)
      return b.fail("the number of pending groups must not be negative");
    b.operation.data[0] = static_cast<uint64_t>(pending);
    b.operation.run = runWait;
  }
  return b.finish();
}

void tilec::sim::addWgmmaInstructions(InstructionTable &table) { table["wgmma"] = bindWgmma; }

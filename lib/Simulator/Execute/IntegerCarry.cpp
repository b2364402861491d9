/// Extended-precision integer arithmetic (PTX ISA, "Extended-Precision Integer Arithmetic Instructions"): add.cc, addc,
/// sub.cc, subc, mad.cc, madc. The condition code register CC.CF, a bit per thread, is a predicate row of the function
/// that no other instruction can name; it has no defined value before the first .cc.
///
/// The ISA says that sub.cc writes the borrow and subc subtracts it. Where subtractions and additions are mixed,
/// hardware shows what the bit is: a subtraction adds the complement, so its carry is the *absence* of a borrow. The
/// 128-bit division that nvcc emits reads it so (`subc.cc.u32 …; addc.u32 %r, 0, 0` gives 1 where nothing was
/// borrowed).
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// What the instruction does, packed into Operation::data[0].
enum Flag : uint64_t { carryIn = 1, carryOut = 2, high = 4 };

/// The half of the full product of T that is asked for.
template <typename T> std::make_unsigned_t<T> productHalf(T a, T b, bool high) {
  using U = std::make_unsigned_t<T>;
  if (!high)
    return U(a) * U(b);
  if (std::is_signed<T>::value)
    return static_cast<U>((Int128(a) * Int128(b)) >> (8 * sizeof(T)));
  return static_cast<U>((UInt128(U(a)) * UInt128(U(b))) >> (8 * sizeof(T)));
}

/// Runs `d, carry = body(lane, carry)` with the carry row, which is the last source and the second destination where
/// the instruction reads and writes it.
template <typename U, typename Body> Outcome withCarry(Execution &x, const Operation &op, LaneMask active, Body body) {
  LaneMask carry = op.data[0] & carryIn ? x.predicate(op.source(op.sources - 1)) : 0, out = 0;
  U *to = x.row<U>(op.destination());
  forLanes(active, [&](unsigned lane) {
    bool lanesCarry = (carry >> lane) & 1;
    to[lane] = body(lane, lanesCarry);
    out |= LaneMask(lanesCarry) << lane;
  });
  if (op.data[0] & carryOut) {
    LaneMask &row = x.predicate(op.destination(1));
    row = (row & ~active) | out;
  }
  return Outcome::Next;
}

/// a + b + carry, and the carry out of it.
template <typename U> U addWithCarry(U a, U b, bool &carry) {
  UInt128 sum = UInt128(a) + b + (carry ? 1 : 0);
  carry = (sum >> (8 * sizeof(U))) != 0;
  return static_cast<U>(sum);
}

template <typename U> Outcome runAdd(Execution &x, const Operation &op, LaneMask active) {
  const U *a = x.row<U>(op.source(0)), *b = x.row<U>(op.source(1));
  return withCarry<U>(x, op, active, [=](unsigned lane, bool &carry) { return addWithCarry(a[lane], b[lane], carry); });
}

template <typename U> Outcome runSubtract(Execution &x, const Operation &op, LaneMask active) {
  const U *a = x.row<U>(op.source(0)), *b = x.row<U>(op.source(1));
  bool readsCarry = op.data[0] & carryIn;
  return withCarry<U>(x, op, active, [=](unsigned lane, bool &carry) {
    bool borrow = readsCarry && !carry;
    UInt128 subtrahend = UInt128(b[lane]) + (borrow ? 1 : 0);
    carry = subtrahend <= a[lane];
    return static_cast<U>(a[lane] - static_cast<U>(subtrahend));
  });
}

template <typename T> Outcome runMultiplyAdd(Execution &x, const Operation &op, LaneMask active) {
  using U = std::make_unsigned_t<T>;
  const T *a = x.row<T>(op.source(0)), *b = x.row<T>(op.source(1));
  const U *c = x.row<U>(op.source(2));
  bool upper = op.data[0] & high;
  return withCarry<U>(x, op, active, [=](unsigned lane, bool &carry) {
    return addWithCarry(productHalf(a[lane], b[lane], upper), c[lane], carry);
  });
}

template <typename T> Handler handlerOf(std::string_view operation) {
  using U = std::make_unsigned_t<T>;
  return operation == "add" ? runAdd<U> : operation == "sub" ? runSubtract<U> : runMultiplyAdd<T>;
}

} // namespace

bool bindCarryArithmetic(Binder &b) {
  std::string_view opcode = b.instruction.opcode, operation = opcode.substr(0, 3);
  bool product = operation == "mad";
  uint64_t flags = 0;
  if (opcode.size() == 4) // addc, subc, madc
    flags |= carryIn;
  if (b.take("cc"))
    flags |= carryOut;
  if (product) {
    int part = b.takeOneOf({"lo", "hi"});
    if (part < 0)
      return b.fail("expects .lo or .hi");
    if (part == 1)
      flags |= high;
  }
  ptx::Type type = takeTypeOf(b, {ptx::Type::U32, ptx::Type::S32, ptx::Type::U64, ptx::Type::S64});
  unsigned sources = product ? 3 : 2;
  if (type == ptx::Type::None || !expectOperands(b, sources + 1))
    return false;
  Row carry = b.builder().namedRow(b.function, "CC.CF", 0);
  b.destination(0, type);
  if (flags & carryOut)
    b.addDestination(carry);
  for (unsigned i = 1; i <= sources; ++i)
    b.source(i, type);
  if (flags & carryIn)
    b.addSource(carry);
  switch (type) {
  case ptx::Type::U32:
    b.operation.run = handlerOf<uint32_t>(operation);
    break;
  case ptx::Type::S32:
    b.operation.run = handlerOf<int32_t>(operation);
    break;
  case ptx::Type::U64:
    b.operation.run = handlerOf<uint64_t>(operation);
    break;
  default:
    b.operation.run = handlerOf<int64_t>(operation);
    break;
  }
  b.operation.data[0] = flags;
  b.operation.propagate = propagateAll;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

} // namespace tilec::sim

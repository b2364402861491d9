/// Logic, shifts and byte permutation (PTX ISA, "Logic and Shift Instructions" and prmt): and, or, xor, not, cnot,
/// lop3, shl, shr, shf, prmt. Undefined bits are followed exactly: a defined 0 decides an and, a defined shift moves
/// them.
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {
namespace {

template <typename U> constexpr unsigned widthOf = 8 * sizeof(U);

template <typename U> U andOf(U a, U b) { return a & b; }
template <typename U> U orOf(U a, U b) { return a | b; }
template <typename U> U xorOf(U a, U b) { return a ^ b; }
template <typename U> U notOf(U a) { return static_cast<U>(~a); }
template <typename U> U logicalNot(U a) { return a == 0 ? 1 : 0; }

/// A bit of `a and b` is defined if one of them is a defined 0, or both are defined.
void propagateAnd(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t a = x.value(op.source(0), lane), ua = x.undefinedBits(op.source(0), lane);
    uint64_t b = x.value(op.source(1), lane), ub = x.undefinedBits(op.source(1), lane);
    return (ua | ub) & (a | ua) & (b | ub);
  });
}
/// Of `a or b`: if one of them is a defined 1, or both are defined.
void propagateOr(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t a = x.value(op.source(0), lane), ua = x.undefinedBits(op.source(0), lane);
    uint64_t b = x.value(op.source(1), lane), ub = x.undefinedBits(op.source(1), lane);
    return (ua | ub) & (~a | ua) & (~b | ub);
  });
}
/// `a == 0` is decided by any defined 1; its upper bits are always 0.
void propagateLogicalNot(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    uint64_t undefined = x.undefinedBits(op.source(), lane);
    return undefined && !(x.value(op.source(), lane) & ~undefined) ? 1 : 0;
  });
}

template <LaneMask (*Function)(LaneMask, LaneMask)>
Outcome predicateBinary(Execution &x, const Operation &op, LaneMask active) {
  LaneMask result = Function(x.predicate(op.source(0)), x.predicate(op.source(1)));
  LaneMask &to = x.predicate(op.destination());
  to = (to & ~active) | (result & active);
  return Outcome::Next;
}
Outcome predicateNot(Execution &x, const Operation &op, LaneMask active) {
  LaneMask result = ~x.predicate(op.source());
  LaneMask &to = x.predicate(op.destination());
  to = (to & ~active) | (result & active);
  return Outcome::Next;
}

constexpr std::initializer_list<ptx::Type> logicTypes = {ptx::Type::Predicate, ptx::Type::B16, ptx::Type::B32,
                                                         ptx::Type::B64};
constexpr std::initializer_list<ptx::Type> bitTypes = {ptx::Type::B16, ptx::Type::B32, ptx::Type::B64};

bool finishWith(Binder &b, Handler run, Propagator propagate) {
  b.operation.run = run;
  b.operation.propagate = propagate;
  b.operation.kind = InstructionClass::Logic;
  return b.finish();
}

bool bindBitwise(Binder &b) {
  const std::string &opcode = b.instruction.opcode;
  ptx::Type type = takeTypeOf(b, logicTypes);
  if (type == ptx::Type::None || !expectOperands(b, 3))
    return false;
  b.destination(0, type);
  b.source(1, type);
  b.source(2, type);
  Propagator propagate = opcode == "and" ? propagateAnd : opcode == "or" ? propagateOr : propagateBitwise;
  if (type == ptx::Type::Predicate)
    return finishWith(b,
                      opcode == "and"  ? predicateBinary<andOf<LaneMask>>
                      : opcode == "or" ? predicateBinary<orOf<LaneMask>>
                                       : predicateBinary<xorOf<LaneMask>>,
                      propagate);
  Handler run = forIntegerType(type, [&](auto zero) {
    using U = decltype(zero);
    return opcode == "and" ? elementwise<andOf<U>> : opcode == "or" ? elementwise<orOf<U>> : elementwise<xorOf<U>>;
  });
  return finishWith(b, run, propagate);
}

bool bindNot(Binder &b) {
  ptx::Type type = takeTypeOf(b, logicTypes);
  if (type == ptx::Type::None || !expectOperands(b, 2))
    return false;
  b.destination(0, type);
  b.source(1, type);
  if (type == ptx::Type::Predicate)
    return finishWith(b, predicateNot, propagateBitwise);
  return finishWith(b, forIntegerType(type, [](auto zero) { return elementwise<notOf<decltype(zero)>>; }),
                    propagateBitwise);
}

bool bindLogicalNot(Binder &b) {
  ptx::Type type = takeTypeOf(b, bitTypes);
  if (type == ptx::Type::None || !expectOperands(b, 2))
    return false;
  b.destination(0, type);
  b.source(1, type);
  return finishWith(b, forIntegerType(type, [](auto zero) { return elementwise<logicalNot<decltype(zero)>>; }),
                    propagateLogicalNot);
}

//===--- shifts ---===//

/// Shift amounts above the width count as the width.
template <typename U> U shiftLeft(U a, uint32_t count) {
  return count >= widthOf<U> ? U(0) : static_cast<U>(a << count);
}
template <typename T> T shiftRight(T a, uint32_t count) {
  if (count >= widthOf<T>)
    return static_cast<T>(a < 0 ? -1 : 0);
  return static_cast<T>(a >> count);
}

/// A defined amount moves undefined bits as it moves bits (an arithmetic shift also copies an undefined sign).
template <typename T, T (*Function)(T, uint32_t)>
void propagateShift(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    if (x.undefinedBits(op.source(1), lane))
      return ~uint64_t(0);
    uint32_t count = x.row<uint32_t>(op.source(1))[lane];
    return static_cast<std::make_unsigned_t<T>>(Function(static_cast<T>(x.undefinedBits(op.source(0), lane)), count));
  });
}

template <typename T, T (*Function)(T, uint32_t)> void setShift(Binder &b) {
  b.operation.run = elementwise<Function>;
  b.operation.propagate = propagateShift<T, Function>;
}

bool bindShift(Binder &b) {
  bool left = b.instruction.opcode == "shl";
  ptx::Type type = left ? takeTypeOf(b, bitTypes)
                        : takeTypeOf(b, {ptx::Type::B16, ptx::Type::B32, ptx::Type::B64, ptx::Type::U16, ptx::Type::U32,
                                         ptx::Type::U64, ptx::Type::S16, ptx::Type::S32, ptx::Type::S64});
  if (type == ptx::Type::None || !expectOperands(b, 3))
    return false;
  b.destination(0, type);
  b.source(1, type);
  b.source(2, ptx::Type::U32);
  forIntegerType(type, [&](auto zero) -> Handler {
    using T = decltype(zero);
    if (left)
      setShift<T, shiftLeft<T>>(b);
    else
      setShift<T, shiftRight<T>>(b);
    return nullptr;
  });
  return finishWith(b, b.operation.run, b.operation.propagate);
}

/// The funnel of [b:a]: its upper word after a shift to the left, its lower word after one to the right.
template <bool left, bool clamp> uint32_t funnel(uint32_t a, uint32_t b, uint32_t c) {
  unsigned count = clamp ? (c < 32 ? c : 32) : c & 31;
  uint64_t both = uint64_t(b) << 32 | a;
  return static_cast<uint32_t>(left ? (both << count) >> 32 : both >> count);
}
template <bool left, bool clamp> void propagateFunnel(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    uint64_t count = x.undefinedBits(op.source(2), lane);
    if (clamp ? count != 0 : (count & 31) != 0)
      return ~uint64_t(0);
    return funnel<left, clamp>(static_cast<uint32_t>(x.undefinedBits(op.source(0), lane)),
                               static_cast<uint32_t>(x.undefinedBits(op.source(1), lane)),
                               x.row<uint32_t>(op.source(2))[lane]);
  });
}
template <bool left, bool clamp> bool finishFunnel(Binder &b) {
  return finishWith(b, elementwise<funnel<left, clamp>>, propagateFunnel<left, clamp>);
}

bool bindFunnel(Binder &b) {
  int direction = b.takeOneOf({"l", "r"}), mode = b.takeOneOf({"clamp", "wrap"});
  if (direction < 0)
    return b.fail("expects .l or .r");
  if (mode < 0)
    return b.fail("expects .clamp or .wrap");
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, 4))
    return false;
  b.destination(0, ptx::Type::B32);
  b.source(1, ptx::Type::B32);
  b.source(2, ptx::Type::B32);
  b.source(3, ptx::Type::U32);
  if (direction == 0)
    return mode == 0 ? finishFunnel<true, true>(b) : finishFunnel<true, false>(b);
  return mode == 0 ? finishFunnel<false, true>(b) : finishFunnel<false, false>(b);
}

//===--- lop3 ---===//

/// The function of three bits whose value at (a,b,c) is bit 4a+2b+c of the table, on words.
inline uint32_t lookUp(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if ((table >> i) & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

/// data[0]: the table. data[1]: 0, or 1 (.or) or 2 (.and) for the form with a predicate, +4: q is negated.
Outcome runLop3(Execution &x, const Operation &op, LaneMask active) {
  uint32_t *to = x.row<uint32_t>(op.destination());
  const uint32_t *a = x.row<uint32_t>(op.source(0)), *b = x.row<uint32_t>(op.source(1)),
                 *c = x.row<uint32_t>(op.source(2));
  unsigned table = static_cast<unsigned>(op.data[0]);
  // The terms of the table as masks, so that the loop has no branches.
  uint32_t term[8];
  for (unsigned i = 0; i < 8; ++i)
    term[i] = (table >> i) & 1 ? ~0u : 0u;
  forIndependentLanes(active, [=](unsigned lane) {
    // A choice by a, of choices by b, of choices by c.
    uint32_t av = a[lane], bv = b[lane], cv = c[lane];
    uint32_t a0b0 = (cv & term[1]) | (~cv & term[0]), a0b1 = (cv & term[3]) | (~cv & term[2]);
    uint32_t a1b0 = (cv & term[5]) | (~cv & term[4]), a1b1 = (cv & term[7]) | (~cv & term[6]);
    uint32_t a0 = (bv & a0b1) | (~bv & a0b0), a1 = (bv & a1b1) | (~bv & a1b0);
    to[lane] = (av & a1) | (~av & a0);
  });
  if (op.destinations == 1)
    return Outcome::Next;
  LaneMask q = x.predicate(op.source(3)) ^ (op.data[1] & 4 ? allLanes : 0);
  LaneMask nonzero = maskOfLanes([=](unsigned lane) { return to[lane] != 0; });
  LaneMask result = op.data[1] & 1 ? nonzero | q : nonzero & q;
  LaneMask &predicate = x.predicate(op.destination(1));
  predicate = (predicate & ~active) | (result & active);
  return Outcome::Next;
}

/// A bit is undefined if the values that its undefined sources may have give different results.
void propagateLop3(Execution &x, const Operation &op, LaneMask active) {
  unsigned table = static_cast<unsigned>(op.data[0]);
  if (definedThroughout(x, op, active))
    return;
  forLanes(active, [&](unsigned lane) {
    uint32_t v[3], u[3];
    for (unsigned i = 0; i < 3; ++i) {
      v[i] = x.row<uint32_t>(op.source(i))[lane];
      u[i] = static_cast<uint32_t>(x.undefinedBits(op.source(i), lane));
    }
    uint32_t everOne = 0, everZero = 0;
    for (unsigned flips = 0; flips < 8; ++flips) {
      uint32_t result =
          lookUp(v[0] ^ (flips & 4 ? u[0] : 0), v[1] ^ (flips & 2 ? u[1] : 0), v[2] ^ (flips & 1 ? u[2] : 0), table);
      everOne |= result;
      everZero |= ~result;
    }
    uint32_t undefined = everOne & everZero;
    bool predicate = false;
    if (op.destinations == 2) {
      bool valueUndefined = undefined && !(everOne & ~everZero); // a defined 1 decides d != 0
      predicate = valueUndefined || x.undefinedBits(op.source(3), lane);
    }
    x.setUndefinedBits(op.destination(), lane, undefined);
    if (op.destinations == 2)
      x.setUndefinedBits(op.destination(1), lane, predicate);
  });
}

bool bindLop3(Binder &b) {
  int boolean = b.takeOneOf({"or", "and"});
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, boolean < 0 ? 5 : 6))
    return false;
  if (boolean >= 0) {
    if (!b.require(70))
      return false;
    const ptx::Operand &pair = b.operand(0);
    if (pair.kind != ptx::Operand::Kind::Pair || pair.elements.size() != 2)
      return b.fail("expects d|p as its first operand");
    b.destination(pair.elements[0], ptx::Type::B32);
    b.destination(pair.elements[1], ptx::Type::Predicate);
  } else {
    b.destination(0, ptx::Type::B32);
  }
  for (unsigned i = 1; i <= 3; ++i)
    b.source(i, ptx::Type::B32);
  int64_t table = b.constant(4);
  if (table < 0 || table > 255)
    return b.fail("expects a look-up table from 0 to 255, but got " + std::to_string(table));
  b.operation.data[0] = static_cast<uint64_t>(table);
  if (boolean >= 0) {
    bool negated = false;
    b.predicateSource(5, negated);
    b.operation.data[1] = (boolean == 0 ? 1u : 2u) | (negated ? 4u : 0u);
  }
  return finishWith(b, runLop3, propagateLop3);
}

//===--- prmt ---===//

/// Selectors of the eight modes but the first, by the lowest two bits of c: a nibble per byte, lowest first.
constexpr uint16_t permuteModes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
    {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
    {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
    {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
    {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
    {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
};
/// Bytes of [b:a] by four nibbles; the top bit of a nibble spreads the sign of the byte instead.
inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors) {
  uint64_t both = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned selector = (selectors >> (4 * i)) & 15;
    uint8_t byte = static_cast<uint8_t>(both >> (8 * (selector & 7)));
    if (selector & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= uint32_t(byte) << (8 * i);
  }
  return result;
}
/// mode 0: the generic form; else 1 + the row of permuteModes.
template <unsigned mode> uint32_t permuteBy(uint32_t a, uint32_t b, uint32_t c) {
  return permute(a, b, mode == 0 ? c : permuteModes[mode == 0 ? 0 : mode - 1][c & 3]);
}
template <unsigned mode> void propagatePermute(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    uint64_t selectors = x.undefinedBits(op.source(2), lane);
    uint32_t a = static_cast<uint32_t>(x.undefinedBits(op.source(0), lane));
    uint32_t b = static_cast<uint32_t>(x.undefinedBits(op.source(1), lane));
    uint32_t c = x.row<uint32_t>(op.source(2))[lane];
    if (mode != 0)
      return selectors & 3 ? ~uint64_t(0) : permuteBy<mode>(a, b, c);
    uint32_t result = permute(a, b, c);
    for (unsigned i = 0; i < 4; ++i)
      if ((selectors >> (4 * i)) & 15)
        result |= 0xffu << (8 * i);
    return result;
  });
}
template <unsigned mode> bool finishPermute(Binder &b) {
  return finishWith(b, elementwise<permuteBy<mode>>, propagatePermute<mode>);
}

bool bindPermute(Binder &b) {
  int mode = b.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, 4))
    return false;
  b.destination(0, ptx::Type::B32);
  for (unsigned i = 1; i <= 3; ++i)
    b.source(i, ptx::Type::B32);
  switch (mode) {
  case 0:
    return finishPermute<1>(b);
  case 1:
    return finishPermute<2>(b);
  case 2:
    return finishPermute<3>(b);
  case 3:
    return finishPermute<4>(b);
  case 4:
    return finishPermute<5>(b);
  case 5:
    return finishPermute<6>(b);
  default:
    return finishPermute<0>(b);
  }
}

} // namespace

void addLogicInstructions(InstructionTable &table) {
  table["and"] = table["or"] = table["xor"] = bindBitwise;
  table["not"] = bindNot;
  table["cnot"] = bindLogicalNot;
  table["shl"] = table["shr"] = bindShift;
  table["shf"] = bindFunnel;
  table["lop3"] = bindLop3;
  table["prmt"] = bindPermute;
}

} // namespace tilec::sim

/// Moves and selections (PTX ISA, mov, selp, slct). mov also packs elements into a register (`mov.b32 d, {a, b}`) and
/// takes one apart, reads special registers, and takes addresses of variables; undefined bits move along exactly.
#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Core/SpecialRegisters.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {
namespace {

struct Wide128 {
  uint64_t low, high;
};

template <typename U> U same(U a) { return a; }
/// 16-byte rows copy as pairs, which also keeps their shadows.
void copy128(std::byte *to, const std::byte *from, LaneMask active) {
  forLanes(active, [&](unsigned lane) { std::memcpy(to + 16 * lane, from + 16 * lane, 16); });
}
Outcome move128(Execution &x, const Operation &op, LaneMask active) {
  copy128(x.row<std::byte>(op.destination()), x.row<std::byte>(op.source()), active);
  return Outcome::Next;
}
/// Shadows of 128 bits do not fit into the propagators' words.
void propagate128(Execution &x, const Operation &op, LaneMask active) {
  if (definedThroughout(x, op, active))
    return;
  Row to = op.destination(), from = op.source();
  forLanes(active, [&](unsigned lane) {
    // Makes a shadow of the destination that has been defined so far.
    x.setUndefinedBits(to, lane, x.undefinedBits(from, lane));
    if (x.rowMayBeUndefined(to) && x.rowMayBeUndefined(from))
      std::memcpy(x.undefinedRow<std::byte>(to) + 16 * lane, x.undefinedRow<std::byte>(from) + 16 * lane, 16);
  });
}

Outcome movePredicate(Execution &x, const Operation &op, LaneMask active) {
  LaneMask &to = x.predicate(op.destination());
  to = (to & ~active) | (x.predicate(op.source()) & active);
  return Outcome::Next;
}
/// data[0]: the mask.
Outcome moveTruth(Execution &x, const Operation &op, LaneMask active) {
  LaneMask &to = x.predicate(op.destination());
  to = (to & ~active) | (static_cast<LaneMask>(op.data[0]) & active);
  return Outcome::Next;
}

//===--- pack and unpack ---===//

/// Puts the elements' bytes side by side, lowest first, in rows or their shadows.
void packLane(std::byte *base, const Operation &op, unsigned lane) {
  Row to = op.destination();
  std::byte bytes[16] = {};
  unsigned place = 0;
  for (unsigned i = 0; i < op.sources; ++i) {
    Row from = op.source(i);
    std::memcpy(bytes + place, base + from.offset + size_t(from.bytes) * lane, from.bytes);
    place += from.bytes;
  }
  std::memcpy(base + to.offset + size_t(to.bytes) * lane, bytes, to.bytes);
}
void unpackLane(std::byte *base, const Operation &op, unsigned lane) {
  Row from = op.source();
  std::byte bytes[16];
  std::memcpy(bytes, base + from.offset + size_t(from.bytes) * lane, from.bytes);
  unsigned place = 0;
  for (unsigned i = 0; i < op.destinations; ++i) {
    Row to = op.destination(i);
    std::memcpy(base + to.offset + size_t(to.bytes) * lane, bytes + place, to.bytes);
    place += to.bytes;
  }
}
Outcome runPack(Execution &x, const Operation &op, LaneMask active) {
  forLanes(active, [&](unsigned lane) { packLane(x.registers, op, lane); });
  return Outcome::Next;
}
Outcome runUnpack(Execution &x, const Operation &op, LaneMask active) {
  forLanes(active, [&](unsigned lane) { unpackLane(x.registers, op, lane); });
  return Outcome::Next;
}
/// A row whose flag is clear has a shadow of any content: make it zero, so that it can be copied.
void materialise(Execution &x, Row row) {
  if (x.rowMayBeUndefined(row))
    return;
  std::memset(x.undefinedRow<std::byte>(row), 0, size_t(row.bytes) * warpSize);
}
template <void (*Move)(std::byte *, const Operation &, unsigned)>
void propagateBytes(Execution &x, const Operation &op, LaneMask active) {
  if (definedThroughout(x, op, active))
    return;
  for (unsigned i = 0; i < op.sources; ++i)
    materialise(x, op.source(i));
  for (unsigned i = 0; i < op.destinations; ++i) {
    materialise(x, op.destination(i));
    x.noteUndefined(op.destination(i));
  }
  forLanes(active, [&](unsigned lane) { Move(x.undefined, op, lane); });
}

/// The two commonest forms: {b16,b16} ↔ b32 and {b32,b32} ↔ b64.
template <typename Half, typename Whole> Whole joined(Half low, Half high) {
  return static_cast<Whole>(Whole(high) << (8 * sizeof(Half)) | low);
}
template <typename Half, typename Whole> Outcome runSplit(Execution &x, const Operation &op, LaneMask active) {
  Half *low = x.row<Half>(op.destination(0)), *high = x.row<Half>(op.destination(1));
  const Whole *from = x.row<Whole>(op.source());
  forIndependentLanes(active, [=](unsigned lane) {
    Whole value = from[lane];
    low[lane] = static_cast<Half>(value);
    high[lane] = static_cast<Half>(value >> (8 * sizeof(Half)));
  });
  return Outcome::Next;
}

ptx::Type bitsOfWidth(unsigned bytes) {
  switch (bytes) {
  case 1:
    return ptx::Type::B8;
  case 2:
    return ptx::Type::B16;
  case 4:
    return ptx::Type::B32;
  case 8:
    return ptx::Type::B64;
  default:
    return ptx::Type::None;
  }
}

/// mov.b16/b32/b64/b128 with a vector of 2 or 4 elements on one side.
bool bindPacking(Binder &b, ptx::Type type) {
  bool pack = b.isVector(1);
  if (!isOneOf(type, {ptx::Type::B16, ptx::Type::B32, ptx::Type::B64, ptx::Type::B128}))
    return b.fail("expects type .b16, .b32, .b64 or .b128 to pack or unpack");
  if (pack && b.isVector(0))
    return b.fail("expects a vector on one side only");
  size_t count = b.operand(pack ? 1 : 0).elements.size();
  unsigned bytes = ptx::typeBytes(type);
  if ((count != 2 && count != 4) || (type == ptx::Type::B16 && count == 4))
    return b.fail("expects a vector of 2 or 4 elements");
  ptx::Type element = bitsOfWidth(bytes / static_cast<unsigned>(count));
  if (pack) {
    b.destination(0, type);
    b.sources(1, element);
    b.operation.run = runPack;
    if (count == 2 && type == ptx::Type::B32)
      b.operation.run = elementwise<joined<uint16_t, uint32_t>>;
    if (count == 2 && type == ptx::Type::B64)
      b.operation.run = elementwise<joined<uint32_t, uint64_t>>;
    b.operation.propagate = propagateBytes<packLane>;
  } else {
    b.destinations(0, element);
    b.source(1, type);
    b.operation.run = runUnpack;
    if (count == 2 && type == ptx::Type::B32)
      b.operation.run = runSplit<uint16_t, uint32_t>;
    if (count == 2 && type == ptx::Type::B64)
      b.operation.run = runSplit<uint32_t, uint64_t>;
    b.operation.propagate = propagateBytes<unpackLane>;
  }
  return b.finish();
}

//===--- clocks ---===//

/// There is no time here: a clock says how many operations the warp has executed, as far as they have been counted (at
/// the end of a turn), and counts its own readings at once, so that it grows with each.
/// data[0]: bits to shift down (the upper halves).
template <typename U> Outcome runClock(Execution &x, const Operation &op, LaneMask active) {
  U value = static_cast<U>(++x.warp->operations >> op.data[0]);
  U *to = x.row<U>(op.destination());
  forLanes(active, [=](unsigned lane) { to[lane] = value; });
  return Outcome::Next;
}
bool bindClock(Binder &b, ptx::Type type, std::string_view name) {
  bool wide = name == "%clock64" || name == "%globaltimer";
  bool high = name == "%clock_hi" || name == "%globaltimer_hi";
  if (ptx::typeBytes(type) != (wide ? 8 : 4))
    return b.fail("special register '" + std::string(name) + "' has " + (wide ? "64" : "32") + " bits");
  b.destination(0, type);
  b.operation.run = wide ? runClock<uint64_t> : runClock<uint32_t>;
  b.operation.data[0] = high ? 32 : 0;
  b.operation.propagate = propagateDefined;
  return b.finish();
}

bool bindMov(Binder &b) {
  b.operation.kind = InstructionClass::Move;
  ptx::Type type = takeTypeOf(b, {ptx::Type::Predicate, ptx::Type::B16, ptx::Type::B32, ptx::Type::B64, ptx::Type::B128,
                                  ptx::Type::U16, ptx::Type::U32, ptx::Type::U64, ptx::Type::S16, ptx::Type::S32,
                                  ptx::Type::S64, ptx::Type::F32, ptx::Type::F64});
  if (type == ptx::Type::None || !expectOperands(b, 2))
    return false;
  const ptx::Operand &from = b.operand(1);
  if (from.kind == ptx::Operand::Kind::Special && isClock(from.name))
    return bindClock(b, type, from.name);
  if (type == ptx::Type::Predicate && from.kind == ptx::Operand::Kind::Integer) {
    b.destination(0, type);
    b.operation.data[0] = b.constant(1) != 0 ? allLanes : 0;
    b.operation.run = moveTruth;
    b.operation.propagate = propagateDefined;
    return b.finish();
  }
  if (b.isVector(0) || b.isVector(1))
    return bindPacking(b, type);
  b.destination(0, type);
  b.source(1, type);
  b.operation.propagate = propagateBitwise;
  if (type == ptx::Type::Predicate) {
    b.operation.run = movePredicate;
  } else if (type == ptx::Type::B128) {
    b.operation.run = move128;
    b.operation.propagate = propagate128;
  } else {
    b.operation.run = forWidth(ptx::typeBytes(type), [](auto zero) { return elementwise<same<decltype(zero)>>; });
  }
  return b.finish();
}

//===--- selections ---===//

template <typename U> Outcome runSelect(Execution &x, const Operation &op, LaneMask active) {
  U *to = x.row<U>(op.destination());
  const U *a = x.row<U>(op.source(0)), *b = x.row<U>(op.source(1));
  LaneMask mask = x.predicate(op.source(2));
  if constexpr (sizeof(U) < 4) {
    forLanes(active, [=](unsigned lane) { to[lane] = (mask >> lane) & 1 ? a[lane] : b[lane]; });
  } else {
    const U *bits = laneBits<U>.bit;
    forIndependentLanes(active, [=](unsigned lane) {
      U av = a[lane], bv = b[lane];
      to[lane] = mask & bits[lane] ? av : bv;
    });
  }
  return Outcome::Next;
}
/// The chosen one's bits; with an undefined choice, where they differ or are undefined.
void propagateSelect(Execution &x, const Operation &op, LaneMask active) {
  LaneMask mask = x.predicate(op.source(2));
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t ua = x.undefinedBits(op.source(0), lane), ub = x.undefinedBits(op.source(1), lane);
    if (x.undefinedBits(op.source(2), lane))
      return ua | ub | (x.value(op.source(0), lane) ^ x.value(op.source(1), lane));
    return (mask >> lane) & 1 ? ua : ub;
  });
}

constexpr std::initializer_list<ptx::Type> selectTypes = {
    ptx::Type::B16, ptx::Type::B32, ptx::Type::B64, ptx::Type::U16, ptx::Type::U32, ptx::Type::U64,
    ptx::Type::S16, ptx::Type::S32, ptx::Type::S64, ptx::Type::F32, ptx::Type::F64};

bool bindSelect(Binder &b) {
  b.operation.kind = InstructionClass::Move;
  ptx::Type type = takeTypeOf(b, selectTypes);
  if (type == ptx::Type::None || !expectOperands(b, 4))
    return false;
  b.destination(0, type);
  b.source(1, type);
  b.source(2, type);
  b.source(3, ptx::Type::Predicate);
  b.operation.run = forWidth(ptx::typeBytes(type), [](auto zero) -> Handler { return runSelect<decltype(zero)>; });
  b.operation.propagate = propagateSelect;
  return b.finish();
}

/// slct: a if c is not negative. NaN is not; -0 is not negative, and neither, with .ftz, is a negative subnormal.
enum class Sign { Integer, Float, FloatFlushed };
template <Sign sign> bool isNotNegative(uint32_t c) {
  if (sign == Sign::Integer)
    return static_cast<int32_t>(c) >= 0;
  uint32_t magnitude = c & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return false;
  return (c >> 31) == 0 || magnitude == 0 || (sign == Sign::FloatFlushed && magnitude < 0x00800000u);
}
template <typename U, Sign sign> U choose(U a, U b, uint32_t c) { return isNotNegative<sign>(c) ? a : b; }
template <Sign sign> void propagateChoice(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t ua = x.undefinedBits(op.source(0), lane), ub = x.undefinedBits(op.source(1), lane);
    uint64_t uc = x.undefinedBits(op.source(2), lane);
    if (sign == Sign::Integer ? uc >> 31 : uc)
      return ua | ub | (x.value(op.source(0), lane) ^ x.value(op.source(1), lane));
    return isNotNegative<sign>(x.row<uint32_t>(op.source(2))[lane]) ? ua : ub;
  });
}
template <Sign sign> void setChoice(Binder &b, ptx::Type type) {
  b.operation.run = forWidth(ptx::typeBytes(type), [](auto zero) { return elementwise<choose<decltype(zero), sign>>; });
  b.operation.propagate = propagateChoice<sign>;
}

bool bindChoose(Binder &b) {
  b.operation.kind = InstructionClass::Move;
  bool flush = b.take("ftz");
  ptx::Type type = takeTypeOf(b, selectTypes);
  ptx::Type by = takeTypeOf(b, {ptx::Type::S32, ptx::Type::F32});
  if (type == ptx::Type::None || by == ptx::Type::None || !expectOperands(b, 4))
    return false;
  if (flush && by != ptx::Type::F32)
    return b.fail("expects a selection by .f32 with .ftz");
  b.destination(0, type);
  b.source(1, type);
  b.source(2, type);
  b.source(3, by);
  if (by == ptx::Type::S32)
    setChoice<Sign::Integer>(b, type);
  else if (flush)
    setChoice<Sign::FloatFlushed>(b, type);
  else
    setChoice<Sign::Float>(b, type);
  return b.finish();
}

} // namespace

void addMoveInstructions(InstructionTable &table) {
  table["mov"] = bindMov;
  table["selp"] = bindSelect;
  table["slct"] = bindChoose;
  addCompareInstructions(table);
}

} // namespace tilec::sim

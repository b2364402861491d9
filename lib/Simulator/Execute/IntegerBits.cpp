/// Bits of integers (PTX ISA, "Integer Arithmetic Instructions"): popc, clz, bfind, brev, bfe, bfi, fns, szext, bmsk.
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {
namespace {

template <typename U> constexpr unsigned widthOf = 8 * sizeof(U);
/// Ones in the lowest `count` bits; all for counts from the width on.
template <typename U> U lowOnes(unsigned count) {
  return count >= widthOf<U> ? static_cast<U>(~U(0)) : static_cast<U>((U(1) << count) - 1);
}
template <typename U> U shiftedUp(U a, unsigned count) {
  return count >= widthOf<U> ? U(0) : static_cast<U>(a << count);
}
template <typename U> U shiftedDown(U a, unsigned count) {
  return count >= widthOf<U> ? U(0) : static_cast<U>(a >> count);
}

template <typename U> uint32_t countOnes(U a) { return static_cast<uint32_t>(__builtin_popcountll(a)); }
template <typename U> uint32_t leadingZeros(U a) {
  return a == 0 ? widthOf<U> : static_cast<uint32_t>(__builtin_clzll(a)) - (64 - widthOf<U>);
}
/// The place of the highest bit that differs from the sign (unsigned: from 0), or all ones.
template <typename T> uint32_t findHighest(T a) {
  using U = std::make_unsigned_t<T>;
  U bits = a < 0 ? static_cast<U>(~U(a)) : U(a);
  return bits == 0 ? 0xffffffffu : widthOf<U> - 1 - leadingZeros(bits);
}
/// How far it must be shifted up to get to the top.
template <typename T> uint32_t findShift(T a) {
  uint32_t place = findHighest(a);
  return place == 0xffffffffu ? place : 8 * static_cast<uint32_t>(sizeof(T)) - 1 - place;
}
template <typename U> U reversed(U a) {
  uint64_t v = a;
  v = ((v >> 1) & 0x5555555555555555ull) | ((v & 0x5555555555555555ull) << 1);
  v = ((v >> 2) & 0x3333333333333333ull) | ((v & 0x3333333333333333ull) << 2);
  v = ((v >> 4) & 0x0f0f0f0f0f0f0f0full) | ((v & 0x0f0f0f0f0f0f0f0full) << 4);
  return static_cast<U>(__builtin_bswap64(v) >> (64 - widthOf<U>));
}

/// Only the lowest 8 bits of position and length count, as the ISA says (an H200 does not mask them in the 64-bit
/// forms, so values from 256 on differ there). Beyond the top of `a` the sign bit goes on, which is the field's own top
/// bit (or a's, if the field begins or ends above it); 0 for unsigned types and for empty fields.
template <typename T> T extractField(T a, uint32_t position, uint32_t length) {
  using U = std::make_unsigned_t<T>;
  position &= 0xff;
  length &= 0xff;
  unsigned top = position + length; // one above the field
  bool sign = false;
  if (std::is_signed<T>::value && length != 0) {
    unsigned bit = top - 1 < widthOf<U> - 1 ? top - 1 : widthOf<U> - 1;
    sign = (U(a) >> bit) & 1;
  }
  unsigned available = position >= widthOf<U> ? 0 : widthOf<U> - position;
  U mask = lowOnes<U>(length < available ? length : available);
  return static_cast<T>((shiftedDown(U(a), position) & mask) | (sign ? static_cast<U>(~mask) : U(0)));
}
template <typename U> U insertField(U a, U b, uint32_t position, uint32_t length) {
  U mask = shiftedUp(lowOnes<U>(length & 0xff), position & 0xff);
  return (shiftedUp(a, position & 0xff) & mask) | (b & ~mask);
}

/// The offset-th set bit of `mask` from bit `base` on, upwards or downwards; all ones if there is none.
uint32_t findNthSet(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0)
    return base < 32 && ((mask >> base) & 1) ? base : 0xffffffffu;
  int64_t count = (offset < 0 ? -int64_t(offset) : int64_t(offset)) - 1;
  int step = offset > 0 ? 1 : -1;
  for (int64_t place = static_cast<int32_t>(base); place >= 0 && place < 32; place += step) {
    if (!((mask >> place) & 1))
      continue;
    if (count-- == 0)
      return static_cast<uint32_t>(place);
  }
  return 0xffffffffu;
}

template <typename T, bool clamp> T extendFrom(T a, uint32_t b) {
  unsigned bits = b & 0x1f;
  bool tooLarge = clamp && b >= 32;
  uint32_t above = tooLarge ? 0 : ~0u << bits;
  bool sign = std::is_signed<T>::value && bits != 0 && !tooLarge && ((static_cast<uint32_t>(a) >> (bits - 1)) & 1);
  return static_cast<T>((static_cast<uint32_t>(a) & ~above) | (sign ? above : 0));
}

template <bool clamp> uint32_t makeMask(uint32_t a, uint32_t b) {
  unsigned position = a & 0x1f, width = b & 0x1f, sum = position + width;
  bool positionOver = clamp && a >= 32, widthOver = clamp && b >= 32;
  uint32_t from = positionOver ? 0 : ~0u << position;
  uint32_t beyond = sum >= 32 || positionOver || widthOver ? 0 : width == 0 ? ~0u : ~0u << sum;
  return from & ~beyond;
}

/// brev moves undefined bits as it moves bits.
template <typename U> void propagateReversed(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active,
            [&](unsigned lane) -> uint64_t { return reversed(static_cast<U>(x.undefinedBits(op.source(), lane))); });
}
/// bfe and bfi with a defined place of the field move undefined bits as they move bits (bfe's sign: an undefined one is
/// copied as well).
template <typename T> void propagateExtract(Execution &x, const Operation &op, LaneMask active) {
  using U = std::make_unsigned_t<T>;
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    if ((x.undefinedBits(op.source(1), lane) | x.undefinedBits(op.source(2), lane)) & 0xff)
      return ~uint64_t(0);
    uint32_t position = x.row<uint32_t>(op.source(1))[lane], length = x.row<uint32_t>(op.source(2))[lane];
    return static_cast<U>(extractField(static_cast<T>(x.undefinedBits(op.source(), lane)), position, length));
  });
}
template <typename U> void propagateInsert(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    if ((x.undefinedBits(op.source(2), lane) | x.undefinedBits(op.source(3), lane)) & 0xff)
      return ~uint64_t(0);
    uint32_t position = x.row<uint32_t>(op.source(2))[lane], length = x.row<uint32_t>(op.source(3))[lane];
    return insertField(static_cast<U>(x.undefinedBits(op.source(0), lane)),
                       static_cast<U>(x.undefinedBits(op.source(1), lane)), position, length);
  });
}

constexpr std::initializer_list<ptx::Type> bitTypes = {ptx::Type::B32, ptx::Type::B64};
constexpr std::initializer_list<ptx::Type> numberTypes = {ptx::Type::U32, ptx::Type::S32, ptx::Type::U64,
                                                          ptx::Type::S64};

bool finishWith(Binder &b, Handler run, Propagator propagate) {
  b.operation.run = run;
  b.operation.propagate = propagate;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

bool bindCount(Binder &b) {
  bool ones = b.instruction.opcode == "popc";
  ptx::Type type = takeTypeOf(b, bitTypes);
  if (type == ptx::Type::None || !expectOperands(b, 2))
    return false;
  b.destination(0, ptx::Type::U32);
  b.source(1, type);
  Handler run = forIntegerType(type, [&](auto zero) {
    using U = decltype(zero);
    return ones ? elementwise<countOnes<U>> : elementwise<leadingZeros<U>>;
  });
  return finishWith(b, run, propagateAll);
}

bool bindFind(Binder &b) {
  bool shift = b.take("shiftamt");
  ptx::Type type = takeTypeOf(b, numberTypes);
  if (type == ptx::Type::None || !expectOperands(b, 2))
    return false;
  b.destination(0, ptx::Type::U32);
  b.source(1, type);
  Handler run = forIntegerType(type, [&](auto zero) {
    using T = decltype(zero);
    return shift ? elementwise<findShift<T>> : elementwise<findHighest<T>>;
  });
  return finishWith(b, run, propagateAll);
}

bool bindReverse(Binder &b) {
  ptx::Type type = takeTypeOf(b, bitTypes);
  if (type == ptx::Type::None || !expectOperands(b, 2))
    return false;
  b.destination(0, type);
  b.source(1, type);
  bool wide = type == ptx::Type::B64;
  return finishWith(b, wide ? elementwise<reversed<uint64_t>> : elementwise<reversed<uint32_t>>,
                    wide ? propagateReversed<uint64_t> : propagateReversed<uint32_t>);
}

bool bindExtract(Binder &b) {
  ptx::Type type = takeTypeOf(b, numberTypes);
  if (type == ptx::Type::None || !expectOperands(b, 4))
    return false;
  b.destination(0, type);
  b.source(1, type);
  b.source(2, ptx::Type::U32);
  b.source(3, ptx::Type::U32);
  switch (type) {
  case ptx::Type::U32:
    return finishWith(b, elementwise<extractField<uint32_t>>, propagateExtract<uint32_t>);
  case ptx::Type::S32:
    return finishWith(b, elementwise<extractField<int32_t>>, propagateExtract<int32_t>);
  case ptx::Type::U64:
    return finishWith(b, elementwise<extractField<uint64_t>>, propagateExtract<uint64_t>);
  default:
    return finishWith(b, elementwise<extractField<int64_t>>, propagateExtract<int64_t>);
  }
}

bool bindInsert(Binder &b) {
  ptx::Type type = takeTypeOf(b, bitTypes);
  if (type == ptx::Type::None || !expectOperands(b, 5))
    return false;
  b.destination(0, type);
  b.source(1, type);
  b.source(2, type);
  b.source(3, ptx::Type::U32);
  b.source(4, ptx::Type::U32);
  return type == ptx::Type::B64 ? finishWith(b, elementwise<insertField<uint64_t>>, propagateInsert<uint64_t>)
                                : finishWith(b, elementwise<insertField<uint32_t>>, propagateInsert<uint32_t>);
}

bool bindFns(Binder &b) {
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, 4))
    return false;
  b.destination(0, ptx::Type::B32);
  b.source(1, ptx::Type::B32);
  b.source(2, ptx::Type::B32);
  b.source(3, ptx::Type::S32);
  return finishWith(b, lanewise<findNthSet>, propagateAll);
}

bool bindSzext(Binder &b) {
  int mode = b.takeOneOf({"clamp", "wrap"});
  ptx::Type type = takeTypeOf(b, {ptx::Type::U32, ptx::Type::S32});
  if (mode < 0)
    return b.fail("expects .clamp or .wrap");
  if (type == ptx::Type::None || !expectOperands(b, 3) || !b.require(70))
    return false;
  b.destination(0, type);
  b.source(1, type);
  b.source(2, ptx::Type::U32);
  if (type == ptx::Type::S32)
    return finishWith(b, mode == 0 ? elementwise<extendFrom<int32_t, true>> : elementwise<extendFrom<int32_t, false>>,
                      propagateAll);
  return finishWith(b, mode == 0 ? elementwise<extendFrom<uint32_t, true>> : elementwise<extendFrom<uint32_t, false>>,
                    propagateAll);
}

bool bindBmsk(Binder &b) {
  int mode = b.takeOneOf({"clamp", "wrap"});
  if (mode < 0)
    return b.fail("expects .clamp or .wrap");
  if (takeTypeOf(b, {ptx::Type::B32}) == ptx::Type::None || !expectOperands(b, 3) || !b.require(70))
    return false;
  b.destination(0, ptx::Type::B32);
  b.source(1, ptx::Type::U32);
  b.source(2, ptx::Type::U32);
  return finishWith(b, mode == 0 ? elementwise<makeMask<true>> : elementwise<makeMask<false>>, propagateAll);
}

} // namespace

void addIntegerBitInstructions(InstructionTable &table) {
  table["popc"] = table["clz"] = bindCount;
  table["bfind"] = bindFind;
  table["brev"] = bindReverse;
  table["bfe"] = bindExtract;
  table["bfi"] = bindInsert;
  table["fns"] = bindFns;
  table["szext"] = bindSzext;
  table["bmsk"] = bindBmsk;
}

} // namespace tilec::sim

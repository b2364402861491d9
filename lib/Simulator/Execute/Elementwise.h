/// Handlers made from functions of one lane. `elementwise<f>` is the handler that applies `D f(S...)` to each active
/// lane of the source rows; rows have exactly the widths of the function's types. With all lanes active it is one loop
/// that becomes vector instructions: lanes are independent even where a destination is also a source, which the
/// compiler is told, since it could not know.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_ELEMENTWISE_H
#define TILEC_LIB_SIMULATOR_EXECUTE_ELEMENTWISE_H

#include "lib/Simulator/Core/Binder.h"
#include "lib/Simulator/Core/Execution.h"

#include <initializer_list>
#include <type_traits>
#include <utility>

#if defined(__clang__)
// Builds that optimise less, and divisions, do not vectorise; that is not worth a warning.
#pragma clang diagnostic ignored "-Wpass-failed"
#define TILEC_SIM_LANES_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TILEC_SIM_LANES_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace tilec::sim {

/// As forLanes, for bodies that touch only their own lane of each row.
template <typename Body> inline void forIndependentLanes(LaneMask lanes, Body body) {
  if (lanes == allLanes) {
    TILEC_SIM_LANES_INDEPENDENT
    for (unsigned lane = 0; lane < warpSize; ++lane)
      body(lane);
    return;
  }
  while (lanes) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
    lanes &= lanes - 1;
    body(lane);
  }
}

/// The handler behind elementwise and lanewise: `Function(S...)` gives the destination's value from the sources'
/// values.
template <auto Function, bool vectorise> struct Elementwise;
template <typename D, typename... S, D (*Function)(S...), bool vectorise> struct Elementwise<Function, vectorise> {
  static Outcome run(Execution &x, const Operation &op, LaneMask active) {
    apply(x, op, active, std::index_sequence_for<S...>());
    return Outcome::Next;
  }

private:
  template <typename... P> static void loop(LaneMask active, D *to, P *...from) {
    auto body = [=](unsigned lane) { to[lane] = Function(from[lane]...); };
    if (vectorise)
      forIndependentLanes(active, body);
    else
      forLanes(active, body);
  }
  template <size_t... I>
  static void apply(Execution &x, const Operation &op, LaneMask active, std::index_sequence<I...>) {
    loop(active, x.row<D>(op.destination()), x.row<const S>(op.source(I))...);
  }
};
/// The handler of a function of one lane; `lanewise` for functions with loops of their own, which do not vectorise.
template <auto Function> constexpr Handler elementwise = &Elementwise<Function, true>::run;
template <auto Function> constexpr Handler lanewise = &Elementwise<Function, false>::run;

/// The bits of a mask that a condition of each lane makes. The condition is asked for every lane, active or not, so it
/// must be total; the mask is gathered from bytes, eight at a time, since that is what vectorises everywhere.
template <typename Condition> inline LaneMask maskOfLanes(Condition condition) {
  alignas(64) uint8_t bytes[warpSize];
  TILEC_SIM_LANES_INDEPENDENT
  for (unsigned lane = 0; lane < warpSize; ++lane)
    bytes[lane] = condition(lane) ? 1 : 0;
  LaneMask mask = 0;
  for (unsigned part = 0; part < 4; ++part) {
    uint64_t eight;
    std::memcpy(&eight, bytes + 8 * part, 8);
    // Byte i holds bit 0; the product moves it to bit 56 + i: 0x01 of byte 2 (bit 16) times 2^42 is bit 58.
    mask |= static_cast<LaneMask>((eight * 0x0102040810204080ull) >> 56) << (8 * part);
  }
  return mask;
}

/// Lane i's bit of a mask, of the width of the values that it selects; a load vectorises where a shift may not.
template <typename T> struct LaneBits {
  T bit[warpSize];
};
template <typename T> constexpr LaneBits<T> makeLaneBits() {
  LaneBits<T> table{};
  for (unsigned lane = 0; lane < warpSize; ++lane)
    table.bit[lane] = T(1) << lane;
  return table;
}
/// The table: bit `lane` for each lane that T has room for.
template <typename T> inline constexpr LaneBits<T> laneBits = makeLaneBits<T>();

/// The C++ type for an integer (or bit) type: `body(T())`, whose result is a Handler; null for other types.
template <typename Body> inline Handler forIntegerType(ptx::Type type, Body body) {
  switch (type) {
  case ptx::Type::U16:
    return body(uint16_t());
  case ptx::Type::S16:
    return body(int16_t());
  case ptx::Type::U32:
    return body(uint32_t());
  case ptx::Type::S32:
    return body(int32_t());
  case ptx::Type::U64:
    return body(uint64_t());
  case ptx::Type::S64:
    return body(int64_t());
  case ptx::Type::B16:
    return body(uint16_t());
  case ptx::Type::B32:
    return body(uint32_t());
  case ptx::Type::B64:
    return body(uint64_t());
  default:
    return nullptr;
  }
}
/// The same, by width only: 2, 4 or 8 bytes.
template <typename Body> inline Handler forWidth(unsigned bytes, Body body) {
  switch (bytes) {
  case 2:
    return body(uint16_t());
  case 4:
    return body(uint32_t());
  case 8:
    return body(uint64_t());
  default:
    return nullptr;
  }
}

/// Whether the type is among `types`.
inline bool isOneOf(ptx::Type type, std::initializer_list<ptx::Type> types) {
  for (ptx::Type t : types)
    if (t == type)
      return true;
  return false;
}
/// Whether it is a signed integer type.
inline bool isSigned(ptx::Type type) {
  return isOneOf(type, {ptx::Type::S8, ptx::Type::S16, ptx::Type::S32, ptx::Type::S64});
}
/// Takes the next type; an error, and None, if it is not one of `types`.
inline ptx::Type takeTypeOf(Binder &b, std::initializer_list<ptx::Type> types) {
  ptx::Type type = b.takeType();
  if (isOneOf(type, types))
    return type;
  std::string message = "expects a type of";
  for (ptx::Type t : types)
    message += std::string(" .") + ptx::typeName(t);
  b.fail(message + (type == ptx::Type::None ? ", but got none" : std::string(", but got .") + ptx::typeName(type)));
  return ptx::Type::None;
}
/// Whether the instruction has so many operands; an error if not.
inline bool expectOperands(Binder &b, size_t count) {
  return b.operandCount() == count ||
         b.fail("expects " + std::to_string(count) + " operands, but got " + std::to_string(b.operandCount()));
}

/// Whether no source can have undefined bits; then the destinations have none either.
inline bool definedThroughout(Execution &x, const Operation &op, LaneMask active) {
  for (unsigned i = 0; i < op.sources; ++i)
    if (x.rowMayBeUndefined(op.source(i)))
      return false;
  propagateDefined(x, op, active);
  return true;
}
/// Sets the undefined bits of the first destination, lane by lane, to `bits(lane)`.
template <typename Bits> inline void setShadow(Execution &x, const Operation &op, LaneMask active, Bits bits) {
  if (definedThroughout(x, op, active))
    return;
  forLanes(active, [&](unsigned lane) { x.setUndefinedBits(op.destination(), lane, bits(lane)); });
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_ELEMENTWISE_H

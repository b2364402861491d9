/// Dot products of bytes and half words in 32-bit registers (PTX ISA, "Integer Arithmetic Instructions": dp4a, dp2a).
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

namespace tilec::sim {
namespace {

/// Element `i` of a register seen as elements of type E.
template <typename E> int32_t element(uint32_t word, unsigned i) {
  return static_cast<E>(word >> (8 * static_cast<unsigned>(sizeof(E)) * i));
}

/// The sum wraps around in 32 bits, whatever the signs are, so it is computed unsigned.
template <typename A, typename B> uint32_t dotFour(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned i = 0; i < 4; ++i)
    c += static_cast<uint32_t>(element<A>(a, i) * element<B>(b, i));
  return c;
}
/// Two half words of a with the lower or upper two bytes of b.
template <typename A, typename B, bool upper> uint32_t dotTwo(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned i = 0; i < 2; ++i)
    c += static_cast<uint32_t>(element<A>(a, i) * element<B>(b, i + (upper ? 2 : 0)));
  return c;
}

template <typename A, typename B> Handler dotTwoHandler(bool upper) {
  return upper ? elementwise<dotTwo<A, B, true>> : elementwise<dotTwo<A, B, false>>;
}

bool bindDot(Binder &b) {
  bool four = b.instruction.opcode == "dp4a";
  int part = four ? 0 : b.takeOneOf({"lo", "hi"});
  if (part < 0)
    return b.fail("expects .lo or .hi");
  ptx::Type left = takeTypeOf(b, {ptx::Type::U32, ptx::Type::S32});
  ptx::Type right = takeTypeOf(b, {ptx::Type::U32, ptx::Type::S32});
  if (left == ptx::Type::None || right == ptx::Type::None || !expectOperands(b, 4))
    return false;
  bool a = isSigned(left), s = isSigned(right), upper = part == 1;
  if (four)
    b.operation.run = a ? (s ? elementwise<dotFour<int8_t, int8_t>> : elementwise<dotFour<int8_t, uint8_t>>)
                        : (s ? elementwise<dotFour<uint8_t, int8_t>> : elementwise<dotFour<uint8_t, uint8_t>>);
  else
    b.operation.run = a ? (s ? dotTwoHandler<int16_t, int8_t>(upper) : dotTwoHandler<int16_t, uint8_t>(upper))
                        : (s ? dotTwoHandler<uint16_t, int8_t>(upper) : dotTwoHandler<uint16_t, uint8_t>(upper));
  b.destination(0, ptx::Type::B32);
  for (unsigned i = 1; i <= 3; ++i)
    b.source(i, ptx::Type::B32);
  b.operation.propagate = propagateAll;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

} // namespace

void addIntegerDotInstructions(InstructionTable &table) { table["dp4a"] = table["dp2a"] = bindDot; }

} // namespace tilec::sim

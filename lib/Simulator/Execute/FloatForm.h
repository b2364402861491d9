/// What the binders of floating-point instructions share: the types by name, and handlers made from a function of rows
/// (for the frequent forms, see Numeric/Rows.h) or of one lane (for all others). Both are functors that carry the
/// instruction's modifiers; the program owns them.
#ifndef TILEC_LIB_SIMULATOR_EXECUTE_FLOATFORM_H
#define TILEC_LIB_SIMULATOR_EXECUTE_FLOATFORM_H

#include "lib/Simulator/Core/ProgramBuilder.h"
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Numeric/Rows.h"

namespace tilec::sim {

/// A type of arithmetic instructions (PTX ISA, "Floating-Point Instructions", "Half Precision …"): `parts` values of
/// `type` in a register of type `reg`.
struct FloatShape {
  const char *name = "";
  FloatType type = FloatType::F32;
  unsigned parts = 1;
  RowType row = RowType::F32;
  ptx::Type reg = ptx::Type::None;
};

/// Takes the first modifier that names such a type; null, and an error, if there is none.
const FloatShape *takeFloatShape(Binder &b);
/// Float, Double or Half.
InstructionClass classOf(FloatType type);

/// Takes .rn, .rz, .rm or .rp; false if none is there.
bool takeFloatRounding(Binder &b, Rounding &rounding);
/// Adds a source, of a floating-point type as a rule. An integer constant is refused where the type has constants of
/// its own.
Row floatSource(Binder &b, size_t i, ptx::Type type, bool mayBeWider = false);

/// \name How undefined bits go through packed values
/// @{
/// A part of the result is undefined if a bit of that part of a source is. Parts of 16 bits, and of 32.
void propagateHalfwords(Execution &x, const Operation &op, LaneMask active);
void propagateWords(Execution &x, const Operation &op, LaneMask active);
/// The one of these (or propagateAll) for a type.
Propagator arithmeticPropagator(const FloatShape &shape);
/// @}

/// A row in elements of the type that row functions take; registers of 16 bits are widened into `storage`.
template <typename Element, typename Register>
inline const Element *rowElements(const Register *from, Element *storage) {
  if constexpr (sizeof(Element) == sizeof(Register)) {
    return from;
  } else {
    TILEC_SIM_LANES_INDEPENDENT
    for (unsigned lane = 0; lane < warpSize; ++lane)
      storage[lane] = from[lane];
    return storage;
  }
}

/// The handler of a functor `void f(D *d, const S *a, const S *b, const S *c)`, of which the first `sources` operands
/// are given. To and From are the registers' own types.
template <typename D, typename S, typename To, typename From, unsigned sources, typename F>
Outcome runRows(Execution &x, const Operation &op, LaneMask active) {
  const F &function = op.detailAs<F>();
  alignas(64) S storage[sources][warpSize];
  const S *from[3] = {nullptr, nullptr, nullptr};
  for (unsigned i = 0; i < sources; ++i)
    from[i] = rowElements<S>(x.row<const From>(op.source(i)), storage[i]);
  To *to = x.row<To>(op.destination());
  if constexpr (sizeof(D) == sizeof(To)) {
    if (active == allLanes) {
      function(to, from[0], from[1], from[2]);
      return Outcome::Next;
    }
  }
  // Lanes that take no part keep their values.
  alignas(64) D result[warpSize];
  function(result, from[0], from[1], from[2]);
  forIndependentLanes(active, [=, &result](unsigned lane) { to[lane] = static_cast<To>(result[lane]); });
  return Outcome::Next;
}
template <typename D, typename S, typename To, typename From, unsigned sources, typename F>
inline void setRows(Binder &b, F function) {
  b.operation.detail = b.builder().program().keep(std::move(function));
  b.operation.run = runRows<D, S, To, From, sources, F>;
}

/// The handler of a functor `uint64_t f(const uint64_t *sources)`: one lane's values, zero-extended, in the order of
/// the operation's sources. The result is cut to the destination's width.
template <typename F> Outcome runLanes(Execution &x, const Operation &op, LaneMask active) {
  const F &function = op.detailAs<F>();
  forLanes(active, [&](unsigned lane) {
    uint64_t values[5] = {};
    for (unsigned i = 0; i < op.sources; ++i)
      values[i] = x.value(op.source(i), lane);
    x.setValue(op.destination(), lane, function(values));
  });
  return Outcome::Next;
}
template <typename F> inline void setLanes(Binder &b, F function) {
  b.operation.detail = b.builder().program().keep(std::move(function));
  b.operation.run = runLanes<F>;
}
/// The same for a function of one value of `shape` (a 16-bit or 32-bit part is passed zero-extended), on each part.
template <typename F> inline void setPartLanes(Binder &b, const FloatShape &shape, F function) {
  if (shape.parts == 1) {
    setLanes(b, function);
    return;
  }
  unsigned bits = static_cast<unsigned>(formatOf(shape.type).width());
  uint64_t mask = (uint64_t(1) << bits) - 1;
  setLanes(b, [=](const uint64_t *s) {
    uint64_t low[3] = {s[0] & mask, s[1] & mask, s[2] & mask}, high[3] = {s[0] >> bits, s[1] >> bits, s[2] >> bits};
    return function(high) << bits | function(low);
  });
}

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_EXECUTE_FLOATFORM_H

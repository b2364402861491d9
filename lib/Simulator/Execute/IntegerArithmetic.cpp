/// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions"): add, sub, mul, mad, mul24, mad24, sad, div, rem,
/// abs, neg, min, max. All of it wraps around; only .sat (of s32) clamps.
///
/// Division by zero is "an unspecified, machine-specific value" in the ISA. Here quotient and remainder are all ones,
/// which is what an H200 (sm_90) gave for all widths and signs. The most negative number divided by -1 wraps around to
/// itself, with remainder 0.
#include "lib/Simulator/Execute/Elementwise.h"
#include "lib/Simulator/Execute/Families.h"

#include <limits>

namespace tilec::sim {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// Unsigned type in which arithmetic modulo the width of T is well defined (16 bits would be promoted to int).
template <typename T> using Modular = std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;

/// The type of full products.
template <typename T> struct WideType;
template <> struct WideType<uint16_t> {
  using type = uint32_t;
};
template <> struct WideType<int16_t> {
  using type = int32_t;
};
template <> struct WideType<uint32_t> {
  using type = uint64_t;
};
template <> struct WideType<int32_t> {
  using type = int64_t;
};
template <> struct WideType<uint64_t> {
  using type = UInt128;
};
template <> struct WideType<int64_t> {
  using type = Int128;
};
template <typename T> using Wide = typename WideType<T>::type;

int32_t clamp32(int64_t value) {
  int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(value < low ? low : value > high ? high : value);
}

template <typename T> T addLow(T a, T b) { return static_cast<T>(Modular<T>(a) + Modular<T>(b)); }
template <typename T> T subtractLow(T a, T b) { return static_cast<T>(Modular<T>(a) - Modular<T>(b)); }
template <typename T> T multiplyLow(T a, T b) { return static_cast<T>(Modular<T>(a) * Modular<T>(b)); }
template <typename T> Wide<T> multiplyWide(T a, T b) { return Wide<T>(a) * Wide<T>(b); }
template <typename T> T multiplyHigh(T a, T b) { return static_cast<T>(multiplyWide(a, b) >> (8 * sizeof(T))); }
template <typename T> T multiplyAddLow(T a, T b, T c) { return addLow(multiplyLow(a, b), c); }
template <typename T> T multiplyAddHigh(T a, T b, T c) { return addLow(multiplyHigh(a, b), c); }
template <typename T> Wide<T> multiplyAddWide(T a, T b, Wide<T> c) { return addLow<Wide<T>>(multiplyWide(a, b), c); }
int32_t addSaturated(int32_t a, int32_t b) { return clamp32(int64_t(a) + b); }
int32_t subtractSaturated(int32_t a, int32_t b) { return clamp32(int64_t(a) - b); }
int32_t multiplyAddHighSaturated(int32_t a, int32_t b, int32_t c) { return clamp32(int64_t(multiplyHigh(a, b)) + c); }

/// 24-bit operands in 32-bit registers; the product has 48 bits.
int64_t product24(uint32_t a, uint32_t b) { return int64_t(a & 0xffffff) * int64_t(b & 0xffffff); }
int64_t product24(int32_t a, int32_t b) {
  return int64_t(static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8) *
         int64_t(static_cast<int32_t>(static_cast<uint32_t>(b) << 8) >> 8);
}
template <typename T> T multiply24Low(T a, T b) { return static_cast<T>(product24(a, b)); }
template <typename T> T multiply24High(T a, T b) { return static_cast<T>(product24(a, b) >> 16); }
template <typename T> T multiplyAdd24Low(T a, T b, T c) { return addLow(multiply24Low(a, b), c); }
template <typename T> T multiplyAdd24High(T a, T b, T c) { return addLow(multiply24High(a, b), c); }
int32_t multiplyAdd24HighSaturated(int32_t a, int32_t b, int32_t c) {
  return clamp32(int64_t(multiply24High(a, b)) + c);
}

template <typename T> T sumOfAbsoluteDifference(T a, T b, T c) {
  return addLow(c, a < b ? subtractLow(b, a) : subtractLow(a, b));
}
template <typename T> T divide(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if (std::is_signed<T>::value && b == static_cast<T>(-1))
    return subtractLow(T(0), a);
  return static_cast<T>(a / b);
}
template <typename T> T remainder(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if (std::is_signed<T>::value && b == static_cast<T>(-1))
    return 0;
  return static_cast<T>(a % b);
}
template <typename T> T absolute(T a) { return a < 0 ? subtractLow(T(0), a) : a; }
template <typename T> T negate(T a) { return subtractLow(T(0), a); }
template <typename T> T minimum(T a, T b) { return b < a ? b : a; }
template <typename T> T maximum(T a, T b) { return a < b ? b : a; }
template <typename T> T minimumRelu(T a, T b) { return maximum<T>(minimum(a, b), 0); }
template <typename T> T maximumRelu(T a, T b) { return maximum<T>(maximum(a, b), 0); }

/// A function of 16-bit values on both halves of 32-bit registers.
template <typename T, T (*Function)(T, T)> uint32_t onHalves(uint32_t a, uint32_t b) {
  uint16_t low = static_cast<uint16_t>(Function(static_cast<T>(a), static_cast<T>(b)));
  uint16_t high = static_cast<uint16_t>(Function(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return uint32_t(high) << 16 | low;
}

/// An undefined bit makes the whole of its half undefined.
void propagateHalves(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active, [&](unsigned lane) -> uint64_t {
    uint64_t bits = x.undefinedBits(op.source(0), lane) | x.undefinedBits(op.source(1), lane);
    return ((bits & 0xffff) ? 0xffffu : 0u) | ((bits >> 16) ? 0xffff0000u : 0u);
  });
}

constexpr std::initializer_list<ptx::Type> integers = {ptx::Type::U16, ptx::Type::U32, ptx::Type::U64,
                                                       ptx::Type::S16, ptx::Type::S32, ptx::Type::S64};
constexpr std::initializer_list<ptx::Type> signedIntegers = {ptx::Type::S16, ptx::Type::S32, ptx::Type::S64};
constexpr std::initializer_list<ptx::Type> words = {ptx::Type::U32, ptx::Type::S32};

ptx::Type wideType(ptx::Type type) {
  switch (type) {
  case ptx::Type::U16:
    return ptx::Type::U32;
  case ptx::Type::S16:
    return ptx::Type::S32;
  case ptx::Type::U32:
    return ptx::Type::U64;
  case ptx::Type::S32:
    return ptx::Type::S64;
  default:
    return ptx::Type::None;
  }
}

/// One destination of type `to`, sources of type `from`, the last (of three) of type `to`.
bool bindRows(Binder &b, ptx::Type to, ptx::Type from, unsigned sources, Handler run, Propagator propagate) {
  if (to == ptx::Type::None || from == ptx::Type::None || !expectOperands(b, sources + 1))
    return b.finish();
  b.destination(0, to);
  for (unsigned i = 1; i <= sources; ++i)
    b.source(i, i == 3 ? to : from);
  b.operation.run = run;
  b.operation.propagate = propagate;
  b.operation.kind = InstructionClass::Integer;
  return b.finish();
}

bool saturateNeedsS32(Binder &b, ptx::Type type) {
  return type == ptx::Type::S32 || b.fail("expects type .s32 with .sat");
}

bool bindAddSub(Binder &b) {
  if (b.has("cc"))
    return bindCarryArithmetic(b);
  bool add = b.instruction.opcode == "add";
  if (add && (b.has("u16x2") || b.has("s16x2"))) {
    b.takeOneOf({"u16x2", "s16x2"});
    if (!b.require(90))
      return false;
    return bindRows(b, ptx::Type::B32, ptx::Type::B32, 2, elementwise<onHalves<uint16_t, addLow<uint16_t>>>,
                    propagateHalves);
  }
  bool saturate = b.take("sat");
  ptx::Type type = takeTypeOf(b, integers);
  if (saturate) {
    if (!saturateNeedsS32(b, type))
      return false;
    return bindRows(b, type, type, 2, add ? elementwise<addSaturated> : elementwise<subtractSaturated>, propagateAll);
  }
  Handler run = forIntegerType(type, [&](auto zero) {
    using T = decltype(zero);
    return add ? elementwise<addLow<T>> : elementwise<subtractLow<T>>;
  });
  return bindRows(b, type, type, 2, run, propagateUpwards);
}

enum class Part { Low, High, Wide };

/// mul and mad of all integer types.
bool bindProduct(Binder &b, bool add) {
  if (add && b.has("cc"))
    return bindCarryArithmetic(b);
  int part = b.takeOneOf({"lo", "hi", "wide"});
  bool saturate = add && b.take("sat");
  ptx::Type type = takeTypeOf(b, integers);
  unsigned sources = add ? 3 : 2;
  if (part < 0)
    return b.fail("expects .lo, .hi or .wide");
  if (saturate) {
    if (static_cast<Part>(part) != Part::High)
      return b.fail("expects .hi with .sat");
    if (!saturateNeedsS32(b, type))
      return false;
    return bindRows(b, type, type, 3, elementwise<multiplyAddHighSaturated>, propagateAll);
  }
  if (static_cast<Part>(part) == Part::Wide) {
    Handler run = nullptr;
    switch (type) {
    case ptx::Type::U16:
      run = add ? elementwise<multiplyAddWide<uint16_t>> : elementwise<multiplyWide<uint16_t>>;
      break;
    case ptx::Type::S16:
      run = add ? elementwise<multiplyAddWide<int16_t>> : elementwise<multiplyWide<int16_t>>;
      break;
    case ptx::Type::U32:
      run = add ? elementwise<multiplyAddWide<uint32_t>> : elementwise<multiplyWide<uint32_t>>;
      break;
    case ptx::Type::S32:
      run = add ? elementwise<multiplyAddWide<int32_t>> : elementwise<multiplyWide<int32_t>>;
      break;
    default:
      return b.fail("expects a type of 16 or 32 bits with .wide");
    }
    return bindRows(b, wideType(type), type, sources, run, propagateUpwards);
  }
  bool low = static_cast<Part>(part) == Part::Low;
  Handler run = forIntegerType(type, [&](auto zero) {
    using T = decltype(zero);
    if (low)
      return add ? elementwise<multiplyAddLow<T>> : elementwise<multiplyLow<T>>;
    return add ? elementwise<multiplyAddHigh<T>> : elementwise<multiplyHigh<T>>;
  });
  return bindRows(b, type, type, sources, run, low ? propagateUpwards : propagateAll);
}

template <typename T> Handler handler24(bool add, bool low, bool saturate) {
  if (saturate)
    return elementwise<multiplyAdd24HighSaturated>;
  if (add)
    return low ? elementwise<multiplyAdd24Low<T>> : elementwise<multiplyAdd24High<T>>;
  return low ? elementwise<multiply24Low<T>> : elementwise<multiply24High<T>>;
}

bool bindProduct24(Binder &b) {
  bool add = b.instruction.opcode == "mad24";
  int part = b.takeOneOf({"lo", "hi"});
  bool saturate = add && b.take("sat");
  ptx::Type type = takeTypeOf(b, words);
  if (part < 0)
    return b.fail("expects .lo or .hi");
  if (saturate && (part == 0 || !saturateNeedsS32(b, type)))
    return b.fail("expects .hi with .sat");
  Handler run = type == ptx::Type::S32 ? handler24<int32_t>(add, part == 0, saturate)
                                       : handler24<uint32_t>(add, part == 0, saturate);
  return bindRows(b, type, type, add ? 3 : 2, run, part == 0 ? propagateUpwards : propagateAll);
}

bool bindMinMax(Binder &b) {
  bool min = b.instruction.opcode == "min";
  bool relu = b.take("relu");
  int halves = b.takeOneOf({"u16x2", "s16x2"});
  if ((halves >= 0 || relu) && !b.require(90))
    return false;
  if (halves == 0 && relu)
    return b.fail("expects type .s16x2 or .s32 with .relu");
  if (halves == 0)
    return bindRows(b, ptx::Type::B32, ptx::Type::B32, 2,
                    min ? elementwise<onHalves<uint16_t, minimum<uint16_t>>>
                        : elementwise<onHalves<uint16_t, maximum<uint16_t>>>,
                    propagateHalves);
  if (halves == 1) {
    Handler plain =
        min ? elementwise<onHalves<int16_t, minimum<int16_t>>> : elementwise<onHalves<int16_t, maximum<int16_t>>>;
    Handler clamped = min ? elementwise<onHalves<int16_t, minimumRelu<int16_t>>>
                          : elementwise<onHalves<int16_t, maximumRelu<int16_t>>>;
    return bindRows(b, ptx::Type::B32, ptx::Type::B32, 2, relu ? clamped : plain, propagateHalves);
  }
  ptx::Type type = takeTypeOf(b, integers);
  if (relu) {
    if (type != ptx::Type::S32)
      return b.fail("expects type .s16x2 or .s32 with .relu");
    return bindRows(b, type, type, 2, min ? elementwise<minimumRelu<int32_t>> : elementwise<maximumRelu<int32_t>>,
                    propagateAll);
  }
  Handler run = forIntegerType(type, [&](auto zero) {
    using T = decltype(zero);
    return min ? elementwise<minimum<T>> : elementwise<maximum<T>>;
  });
  return bindRows(b, type, type, 2, run, propagateAll);
}

bool bindAbsNeg(Binder &b) {
  bool abs = b.instruction.opcode == "abs";
  ptx::Type type = takeTypeOf(b, signedIntegers);
  Handler run = forIntegerType(type, [&](auto zero) {
    using T = decltype(zero);
    return abs ? elementwise<absolute<T>> : elementwise<negate<T>>;
  });
  return bindRows(b, type, type, 1, run, abs ? propagateAll : propagateUpwards);
}

bool bindDivide(Binder &b) {
  bool quotient = b.instruction.opcode == "div";
  ptx::Type type = takeTypeOf(b, integers);
  Handler run = forIntegerType(type, [&](auto zero) {
    using T = decltype(zero);
    return quotient ? elementwise<divide<T>> : elementwise<remainder<T>>;
  });
  return bindRows(b, type, type, 2, run, propagateAll);
}

bool bindSad(Binder &b) {
  ptx::Type type = takeTypeOf(b, integers);
  Handler run = forIntegerType(type, [](auto zero) { return elementwise<sumOfAbsoluteDifference<decltype(zero)>>; });
  return bindRows(b, type, type, 3, run, propagateAll);
}

} // namespace

bool bindIntegerArithmetic(Binder &b) {
  const std::string &opcode = b.instruction.opcode;
  if (opcode == "add" || opcode == "sub")
    return bindAddSub(b);
  if (opcode == "mul" || opcode == "mad")
    return bindProduct(b, opcode == "mad");
  if (opcode == "min" || opcode == "max")
    return bindMinMax(b);
  if (opcode == "abs" || opcode == "neg")
    return bindAbsNeg(b);
  if (opcode == "div")
    return bindDivide(b);
  return b.fail("has no form for integers");
}

void addIntegerInstructions(InstructionTable &table) {
  addSharedArithmetic(table);
  table["rem"] = bindDivide;
  table["sad"] = bindSad;
  table["mul24"] = table["mad24"] = bindProduct24;
  table["addc"] = table["subc"] = table["madc"] = bindCarryArithmetic;
  addIntegerBitInstructions(table);
  addIntegerDotInstructions(table);
}

} // namespace tilec::sim

// The loops live in templates that are inlined into two functions per form: one for the plain host, one with the
// attribute that lets the compiler use AVX2, FMA and F16C. Which is taken is asked of the processor at selection.
#include "lib/Simulator/Numeric/Rows.h"

#include "lib/Simulator/Numeric/LaneMath.h"
#include "lib/Simulator/Numeric/RowLoops.h"

#include <initializer_list>

namespace tilec::sim {

bool usesHostFma() {
#if defined(__x86_64__)
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  return has;
#else
  return false;
#endif
}

namespace {

//===--- f32 ----------------------------------------------------------------------------------------------------------

template <FloatOp op, bool hasFma, bool ftz, bool sat>
TILEC_INLINE void rowRounded(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i) {
    if constexpr (op == FloatOp::Add)
      d[i] = addF32<ftz, sat>(a[i], b[i]);
    else if constexpr (op == FloatOp::Sub)
      d[i] = subF32<ftz, sat>(a[i], b[i]);
    else if constexpr (op == FloatOp::Mul)
      d[i] = mulF32<ftz, sat>(a[i], b[i]);
    else if constexpr (op == FloatOp::Fma)
      d[i] = fmaF32<hasFma, ftz, sat>(a[i], b[i], c[i]);
    else if constexpr (op == FloatOp::Div)
      d[i] = divF32<ftz>(a[i], b[i]);
    else if constexpr (op == FloatOp::Rcp)
      d[i] = rcpF32<ftz>(a[i]);
    else
      d[i] = sqrtF32<ftz>(a[i]);
  }
}

/// With .ftz, some of what rounds up to the smallest normal number is flushed too (see Arithmetic.h); seldom, so lane
/// by lane.
template <FloatOp op, bool hasFma, bool ftz, bool sat>
TILEC_INLINE void rowF32(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  if constexpr (!ftz || op == FloatOp::Add || op == FloatOp::Sub || op == FloatOp::Sqrt) {
    rowRounded<op, hasFma, ftz, sat>(d, a, b, c);
  } else {
    uint32_t rounded[warpLanes], smallest = 0;
    rowRounded<op, hasFma, ftz, sat>(rounded, a, b, c);
    for (int i = 0; i < warpLanes; ++i)
      smallest |= (rounded[i] & 0x7fffffff) == 0x00800000;
    if (smallest) {
      FloatMode mode;
      mode.ftz = true;
      mode.sat = sat;
      for (int i = 0; i < warpLanes; ++i)
        if ((rounded[i] & 0x7fffffff) == 0x00800000)
          rounded[i] = static_cast<uint32_t>(
              evaluate(FloatType::F32, op, mode, a[i], op == FloatOp::Rcp ? 0 : b[i], op == FloatOp::Fma ? c[i] : 0));
    }
    for (int i = 0; i < warpLanes; ++i)
      d[i] = rounded[i];
  }
}

template <FloatOp op, bool ftz, bool sat>
void plainF32(FloatMode, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  rowF32<op, false, ftz, sat>(d, a, b, c);
}
template <FloatOp op, bool ftz, bool sat>
TILEC_WITH_FMA void fastF32(FloatMode, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  rowF32<op, true, ftz, sat>(d, a, b, c);
}

template <FloatOp op, bool ftz, bool sat> Row32 chooseF32(bool fast) {
  return fast ? fastF32<op, ftz, sat> : plainF32<op, ftz, sat>;
}
template <FloatOp op> Row32 chooseF32(FloatMode mode, bool fast) {
  if constexpr (op > FloatOp::Fma) // no .sat
    return mode.ftz ? chooseF32<op, true, false>(fast) : chooseF32<op, false, false>(fast);
  if (mode.ftz)
    return mode.sat ? chooseF32<op, true, true>(fast) : chooseF32<op, true, false>(fast);
  return mode.sat ? chooseF32<op, false, true>(fast) : chooseF32<op, false, false>(fast);
}

//===--- f16 and bf16 -------------------------------------------------------------------------------------------------

template <FloatType type, FloatOp op, bool packed, bool ftz, Clamp clamp>
TILEC_INLINE void rowHalf(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i) {
    uint32_t third = op == FloatOp::Fma ? c[i] : 0;
    uint32_t low = halfLane<type, op, ftz, clamp>(a[i], b[i], third);
    if constexpr (packed)
      low |= halfLane<type, op, ftz, clamp>(a[i] >> 16, b[i] >> 16, third >> 16) << 16;
    d[i] = low;
  }
}

template <FloatType type, FloatOp op, bool packed, bool ftz, Clamp clamp>
void plainHalf(FloatMode, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  rowHalf<type, op, packed, ftz, clamp>(d, a, b, c);
}
template <FloatType type, FloatOp op, bool packed, bool ftz, Clamp clamp>
TILEC_WITH_FMA void fastHalf(FloatMode, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  rowHalf<type, op, packed, ftz, clamp>(d, a, b, c);
}

template <FloatType type, FloatOp op, bool packed, bool ftz> Row32 chooseHalf(FloatMode mode, bool fast) {
  if (mode.sat)
    return fast ? fastHalf<type, op, packed, ftz, Clamp::Sat> : plainHalf<type, op, packed, ftz, Clamp::Sat>;
  if (mode.relu)
    return fast ? fastHalf<type, op, packed, ftz, Clamp::Relu> : plainHalf<type, op, packed, ftz, Clamp::Relu>;
  return fast ? fastHalf<type, op, packed, ftz, Clamp::None> : plainHalf<type, op, packed, ftz, Clamp::None>;
}
template <FloatType type, FloatOp op> Row32 chooseHalf(FloatMode mode, bool packed, bool fast) {
  if (type == FloatType::F16 && mode.ftz)
    return packed ? chooseHalf<type, op, true, true>(mode, fast) : chooseHalf<type, op, false, true>(mode, fast);
  return packed ? chooseHalf<type, op, true, false>(mode, fast) : chooseHalf<type, op, false, false>(mode, fast);
}

//===--- f64 ----------------------------------------------------------------------------------------------------------

/// The NaN result by the rule in Arithmetic.h.
TILEC_INLINE uint64_t resultF64(double value, uint64_t a, uint64_t b, uint64_t c) {
  constexpr uint64_t quiet = 0x0008000000000000ull, infinity = 0x7ff0000000000000ull, magnitude = ~uint64_t(0) >> 1;
  uint64_t nan = f64Format.canonicalNan;
  nan = (a & magnitude) > infinity ? a | quiet : nan;
  nan = (c & magnitude) > infinity ? c | quiet : nan;
  nan = (b & magnitude) > infinity ? b | quiet : nan;
  return value != value ? nan : bitsOf(value);
}

template <FloatOp op> TILEC_INLINE void rowF64(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i) {
    double x = doubleOf(a[i]), y = doubleOf(b[i]);
    if constexpr (op == FloatOp::Add)
      d[i] = resultF64(x + y, a[i], b[i], 0);
    else if constexpr (op == FloatOp::Sub)
      d[i] = resultF64(x - y, a[i], b[i], 0);
    else if constexpr (op == FloatOp::Mul)
      d[i] = resultF64(x * y, a[i], b[i], 0);
    else if constexpr (op == FloatOp::Div)
      d[i] = resultF64(x / y, b[i], a[i], 0); // a's NaN goes first
    else
      d[i] = resultF64(__builtin_fma(x, y, doubleOf(c[i])), a[i], b[i], c[i]);
  }
}

template <FloatOp op> void plainF64(FloatMode, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
  rowF64<op>(d, a, b, c);
}
template <FloatOp op>
TILEC_WITH_FMA void fastF64(FloatMode, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
  rowF64<op>(d, a, b, c);
}

//===--- lane by lane -------------------------------------------------------------------------------------------------

template <typename Bits> Bits operand(const Bits *row, int lane) { return row ? row[lane] : 0; }

template <RowType type, FloatOp op, typename Bits>
void slowRow(FloatMode mode, Bits *d, const Bits *a, const Bits *b, const Bits *c) {
  const Bits *second = op == FloatOp::Rcp || op == FloatOp::Sqrt ? nullptr : b;
  const Bits *third = op == FloatOp::Fma ? c : nullptr;
  for (int i = 0; i < warpLanes; ++i) {
    Bits x = a[i], y = operand(second, i), z = operand(third, i);
    if constexpr (type == RowType::F32) {
      d[i] = static_cast<Bits>(evaluate(FloatType::F32, op, mode, x, y, z));
    } else if constexpr (type == RowType::F64) {
      d[i] = evaluate(FloatType::F64, op, mode, x, y, z);
    } else if constexpr (type == RowType::F32x2) {
      uint64_t low = evaluate(FloatType::F32, op, mode, x & 0xffffffff, y & 0xffffffff, z & 0xffffffff);
      d[i] = evaluate(FloatType::F32, op, mode, x >> 32, y >> 32, z >> 32) << 32 | low;
    } else {
      constexpr FloatType half = type == RowType::F16 || type == RowType::F16x2 ? FloatType::F16 : FloatType::BF16;
      constexpr bool packed = type == RowType::F16x2 || type == RowType::BF16x2;
      d[i] = packed ? evaluateHalves(half, op, mode, x, y, z)
                    : static_cast<uint32_t>(evaluate(half, op, mode, x & 0xffff, y & 0xffff, z & 0xffff));
    }
  }
}

template <RowType type, typename Bits, typename Row> Row chooseSlow(FloatOp op) {
  switch (op) {
  case FloatOp::Add:
    return slowRow<type, FloatOp::Add, Bits>;
  case FloatOp::Sub:
    return slowRow<type, FloatOp::Sub, Bits>;
  case FloatOp::Mul:
    return slowRow<type, FloatOp::Mul, Bits>;
  case FloatOp::Fma:
    return slowRow<type, FloatOp::Fma, Bits>;
  case FloatOp::Div:
    return slowRow<type, FloatOp::Div, Bits>;
  case FloatOp::Rcp:
    return slowRow<type, FloatOp::Rcp, Bits>;
  case FloatOp::Sqrt:
    break;
  }
  return slowRow<type, FloatOp::Sqrt, Bits>;
}

/// Two f32 per element are a row of f32 twice as long.
template <FloatOp op, bool hasFma, bool ftz>
TILEC_INLINE void rowPair(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
  uint32_t x[2 * warpLanes], y[2 * warpLanes], z[2 * warpLanes] = {};
  std::memcpy(x, a, sizeof x);
  std::memcpy(y, b, sizeof y);
  if constexpr (op == FloatOp::Fma)
    std::memcpy(z, c, sizeof z);
  for (int half : {0, warpLanes})
    rowF32<op, hasFma, ftz, false>(z + half, x + half, y + half, z + half);
  std::memcpy(d, z, sizeof z);
}
template <FloatOp op, bool ftz>
void plainPair(FloatMode, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
  rowPair<op, false, ftz>(d, a, b, c);
}
template <FloatOp op, bool ftz>
TILEC_WITH_FMA void fastPair(FloatMode, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
  rowPair<op, true, ftz>(d, a, b, c);
}
template <FloatOp op> Row64 choosePair(FloatMode mode, bool fast) {
  if (mode.ftz)
    return fast ? fastPair<op, true> : plainPair<op, true>;
  return fast ? fastPair<op, false> : plainPair<op, false>;
}

//===--- min and max --------------------------------------------------------------------------------------------------

template <bool isMax, bool ftz, bool nan>
TILEC_INLINE void rowMinMax(uint32_t *d, const uint32_t *a, const uint32_t *b) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i)
    d[i] = minMaxF32<isMax, ftz, nan>(a[i], b[i]);
}
template <bool isMax, bool ftz, bool nan>
void plainMinMax(MinMaxMode, uint32_t *d, const uint32_t *a, const uint32_t *b) {
  rowMinMax<isMax, ftz, nan>(d, a, b);
}
template <bool isMax, bool ftz, bool nan>
TILEC_WITH_FMA void fastMinMax(MinMaxMode, uint32_t *d, const uint32_t *a, const uint32_t *b) {
  rowMinMax<isMax, ftz, nan>(d, a, b);
}
template <bool isMax, bool ftz> MinMaxRow32 chooseMinMax(MinMaxMode mode, bool fast) {
  if (mode.nan)
    return fast ? fastMinMax<isMax, ftz, true> : plainMinMax<isMax, ftz, true>;
  return fast ? fastMinMax<isMax, ftz, false> : plainMinMax<isMax, ftz, false>;
}

template <RowType type, bool isMax, bool ftz, bool nan>
TILEC_INLINE void rowMinMaxHalf(uint32_t *d, const uint32_t *a, const uint32_t *b) {
  constexpr FloatType half = type == RowType::F16 || type == RowType::F16x2 ? FloatType::F16 : FloatType::BF16;
  constexpr bool packed = type == RowType::F16x2 || type == RowType::BF16x2;
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i) {
    uint32_t low = minMaxHalf<half, isMax, ftz, nan>(a[i], b[i]);
    d[i] = packed ? minMaxHalf<half, isMax, ftz, nan>(a[i] >> 16, b[i] >> 16) << 16 | low : low;
  }
}
template <RowType type, bool isMax, bool ftz, bool nan>
void plainMinMaxHalf(MinMaxMode, uint32_t *d, const uint32_t *a, const uint32_t *b) {
  rowMinMaxHalf<type, isMax, ftz, nan>(d, a, b);
}
template <RowType type, bool isMax, bool ftz, bool nan>
TILEC_WITH_FMA void fastMinMaxHalf(MinMaxMode, uint32_t *d, const uint32_t *a, const uint32_t *b) {
  rowMinMaxHalf<type, isMax, ftz, nan>(d, a, b);
}
template <RowType type, bool isMax, bool ftz> MinMaxRow32 chooseMinMaxHalf(MinMaxMode mode, bool fast) {
  if (mode.nan)
    return fast ? fastMinMaxHalf<type, isMax, ftz, true> : plainMinMaxHalf<type, isMax, ftz, true>;
  return fast ? fastMinMaxHalf<type, isMax, ftz, false> : plainMinMaxHalf<type, isMax, ftz, false>;
}

template <RowType type> void slowMinMax(MinMaxMode mode, uint32_t *d, const uint32_t *a, const uint32_t *b) {
  constexpr FloatType element = type == RowType::F32                             ? FloatType::F32
                                : type == RowType::F16 || type == RowType::F16x2 ? FloatType::F16
                                                                                 : FloatType::BF16;
  constexpr bool packed = type == RowType::F16x2 || type == RowType::BF16x2;
  constexpr uint32_t mask = type == RowType::F32 ? 0xffffffff : 0xffff;
  for (int i = 0; i < warpLanes; ++i) {
    uint32_t result = static_cast<uint32_t>(minMax(element, mode, a[i] & mask, b[i] & mask));
    if (packed)
      result |= static_cast<uint32_t>(minMax(element, mode, a[i] >> 16, b[i] >> 16)) << 16;
    d[i] = result;
  }
}

template <RowType type> MinMaxRow32 chooseMinMaxHalf(MinMaxMode mode, bool fast) {
  constexpr bool isF16 = type == RowType::F16 || type == RowType::F16x2;
  if (mode.abs || mode.xorsign || (mode.ftz && !isF16))
    return slowMinMax<type>;
  if (mode.isMax)
    return mode.ftz ? chooseMinMaxHalf<type, true, isF16>(mode, fast) : chooseMinMaxHalf<type, true, false>(mode, fast);
  return mode.ftz ? chooseMinMaxHalf<type, false, isF16>(mode, fast) : chooseMinMaxHalf<type, false, false>(mode, fast);
}

//===--- conversions --------------------------------------------------------------------------------------------------

template <FloatType type> TILEC_INLINE void loopNarrow(uint32_t *d, const uint32_t *a) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i)
    d[i] = type == FloatType::F16 ? f32ToF16(a[i]) : f32ToBf16(a[i]);
}
template <FloatType type> TILEC_INLINE void loopWiden(uint32_t *d, const uint32_t *a) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i)
    d[i] = type == FloatType::F16 ? f16ToF32(a[i]) : bf16ToF32(a[i]);
}
template <FloatType type> TILEC_INLINE void loopPack(uint32_t *d, const uint32_t *a, const uint32_t *b) {
  TILEC_LANES_INDEPENDENT
  for (int i = 0; i < warpLanes; ++i)
    d[i] = type == FloatType::F16 ? f32ToF16(a[i]) << 16 | f32ToF16(b[i]) : f32ToBf16(a[i]) << 16 | f32ToBf16(b[i]);
}
template <FloatType type> void plainNarrow(uint32_t *d, const uint32_t *a) { loopNarrow<type>(d, a); }
template <FloatType type> TILEC_WITH_FMA void fastNarrow(uint32_t *d, const uint32_t *a) { loopNarrow<type>(d, a); }
template <FloatType type> void plainWiden(uint32_t *d, const uint32_t *a) { loopWiden<type>(d, a); }
template <FloatType type> TILEC_WITH_FMA void fastWiden(uint32_t *d, const uint32_t *a) { loopWiden<type>(d, a); }
template <FloatType type> void plainPack(uint32_t *d, const uint32_t *a, const uint32_t *b) { loopPack<type>(d, a, b); }
template <FloatType type> TILEC_WITH_FMA void fastPack(uint32_t *d, const uint32_t *a, const uint32_t *b) {
  loopPack<type>(d, a, b);
}

template <FloatType type> Row32 chooseHalf(FloatOp op, FloatMode mode, bool packed, bool fast) {
  switch (op) {
  case FloatOp::Add:
    return chooseHalf<type, FloatOp::Add>(mode, packed, fast);
  case FloatOp::Sub:
    return chooseHalf<type, FloatOp::Sub>(mode, packed, fast);
  case FloatOp::Mul:
    return chooseHalf<type, FloatOp::Mul>(mode, packed, fast);
  default:
    return chooseHalf<type, FloatOp::Fma>(mode, packed, fast);
  }
}

Row32 choose32(RowType type, FloatOp op, FloatMode mode, bool fast) {
  bool isFast = op <= FloatOp::Fma && mode.rounding == Rounding::NearestEven && !mode.oob;
  switch (type) {
  case RowType::F16:
  case RowType::F16x2:
    if (isFast)
      return chooseHalf<FloatType::F16>(op, mode, type == RowType::F16x2, fast);
    return type == RowType::F16 ? chooseSlow<RowType::F16, uint32_t, Row32>(op)
                                : chooseSlow<RowType::F16x2, uint32_t, Row32>(op);
  case RowType::BF16:
  case RowType::BF16x2:
    if (isFast && !mode.ftz)
      return chooseHalf<FloatType::BF16>(op, mode, type == RowType::BF16x2, fast);
    return type == RowType::BF16 ? chooseSlow<RowType::BF16, uint32_t, Row32>(op)
                                 : chooseSlow<RowType::BF16x2, uint32_t, Row32>(op);
  default:
    break;
  }
  if (mode.rounding != Rounding::NearestEven || mode.relu || (mode.sat && op > FloatOp::Fma))
    return chooseSlow<RowType::F32, uint32_t, Row32>(op);
  switch (op) {
  case FloatOp::Add:
    return chooseF32<FloatOp::Add>(mode, fast);
  case FloatOp::Sub:
    return chooseF32<FloatOp::Sub>(mode, fast);
  case FloatOp::Mul:
    return chooseF32<FloatOp::Mul>(mode, fast);
  case FloatOp::Fma:
    return chooseF32<FloatOp::Fma>(mode, fast);
  case FloatOp::Div:
    return chooseF32<FloatOp::Div>(mode, fast);
  case FloatOp::Rcp:
    return chooseF32<FloatOp::Rcp>(mode, fast);
  case FloatOp::Sqrt:
    break;
  }
  return chooseF32<FloatOp::Sqrt>(mode, fast);
}

} // namespace

Row32 selectRow32(RowType type, FloatOp op, FloatMode mode) { return choose32(type, op, mode, usesHostFma()); }
Row32 selectRow32Portable(RowType type, FloatOp op, FloatMode mode) { return choose32(type, op, mode, false); }

Row64 selectRow64(RowType type, FloatOp op, FloatMode mode) {
  bool nearest = mode.rounding == Rounding::NearestEven, fast = usesHostFma();
  if (type == RowType::F32x2) {
    if (!nearest || mode.sat || op > FloatOp::Fma)
      return chooseSlow<RowType::F32x2, uint64_t, Row64>(op);
    switch (op) {
    case FloatOp::Add:
      return choosePair<FloatOp::Add>(mode, fast);
    case FloatOp::Sub:
      return choosePair<FloatOp::Sub>(mode, fast);
    case FloatOp::Mul:
      return choosePair<FloatOp::Mul>(mode, fast);
    default:
      return choosePair<FloatOp::Fma>(mode, fast);
    }
  }
  if (nearest && !mode.sat) {
    switch (op) {
    case FloatOp::Add:
      return fast ? fastF64<FloatOp::Add> : plainF64<FloatOp::Add>;
    case FloatOp::Sub:
      return fast ? fastF64<FloatOp::Sub> : plainF64<FloatOp::Sub>;
    case FloatOp::Mul:
      return fast ? fastF64<FloatOp::Mul> : plainF64<FloatOp::Mul>;
    case FloatOp::Fma:
      if (fast)
        return fastF64<FloatOp::Fma>;
      break;
    case FloatOp::Div:
      return fast ? fastF64<FloatOp::Div> : plainF64<FloatOp::Div>;
    default:
      break;
    }
  }
  return chooseSlow<RowType::F64, uint64_t, Row64>(op);
}

MinMaxRow32 selectMinMaxRow32(RowType type, MinMaxMode mode) {
  bool fast = usesHostFma();
  switch (type) {
  case RowType::F16:
    return chooseMinMaxHalf<RowType::F16>(mode, fast);
  case RowType::F16x2:
    return chooseMinMaxHalf<RowType::F16x2>(mode, fast);
  case RowType::BF16:
    return chooseMinMaxHalf<RowType::BF16>(mode, fast);
  case RowType::BF16x2:
    return chooseMinMaxHalf<RowType::BF16x2>(mode, fast);
  default:
    break;
  }
  if (mode.abs || mode.xorsign)
    return slowMinMax<RowType::F32>;
  if (mode.isMax)
    return mode.ftz ? chooseMinMax<true, true>(mode, fast) : chooseMinMax<true, false>(mode, fast);
  return mode.ftz ? chooseMinMax<false, true>(mode, fast) : chooseMinMax<false, false>(mode, fast);
}

void packRow(FloatType type, uint32_t *d, const uint32_t *a, const uint32_t *b) {
  if (usesHostFma())
    return type == FloatType::F16 ? fastPack<FloatType::F16>(d, a, b) : fastPack<FloatType::BF16>(d, a, b);
  return type == FloatType::F16 ? plainPack<FloatType::F16>(d, a, b) : plainPack<FloatType::BF16>(d, a, b);
}

void widenRow(FloatType type, uint32_t *d, const uint32_t *a) {
  if (usesHostFma())
    return type == FloatType::F16 ? fastWiden<FloatType::F16>(d, a) : fastWiden<FloatType::BF16>(d, a);
  return type == FloatType::F16 ? plainWiden<FloatType::F16>(d, a) : plainWiden<FloatType::BF16>(d, a);
}

void narrowRow(FloatType type, uint32_t *d, const uint32_t *a) {
  if (usesHostFma())
    return type == FloatType::F16 ? fastNarrow<FloatType::F16>(d, a) : fastNarrow<FloatType::BF16>(d, a);
  return type == FloatType::F16 ? plainNarrow<FloatType::F16>(d, a) : plainNarrow<FloatType::BF16>(d, a);
}

} // namespace tilec::sim

/// The frequent conversions as vector code. Integers become integers of another width in one loop. All others that have
/// no modifier beyond a rounding go through a row of f64, which holds every value of the types but 64-bit integers:
/// one loop reads, one rounds to integral numbers if need be, one writes. The last one rounds once: to nearest, or, for
/// integers, not at all after clamping.
#include "lib/Simulator/Execute/Conversion.h"

#include "lib/Simulator/Execute/ConversionNarrow.h"
#include "lib/Simulator/Execute/FloatForm.h"
#include "lib/Simulator/Numeric/LaneMath.h"

#include <limits>

namespace tilec::sim {
namespace {

//===--- integers ---===//

/// `body(T())` for the C++ type of an integer type.
template <typename Body> Handler forNumber(NumberType type, Body body) {
  switch (type) {
  case NumberType::U8:
    return body(uint8_t());
  case NumberType::U16:
    return body(uint16_t());
  case NumberType::U32:
    return body(uint32_t());
  case NumberType::U64:
    return body(uint64_t());
  case NumberType::S8:
    return body(int8_t());
  case NumberType::S16:
    return body(int16_t());
  case NumberType::S32:
    return body(int32_t());
  case NumberType::S64:
    return body(int64_t());
  default:
    return nullptr;
  }
}

/// The low bits of a register as a T, extended into another.
template <typename To, typename T, typename From> To extend(From a) { return static_cast<To>(static_cast<T>(a)); }
/// Undefined bits go the same way: a sign's bit is copied to where the sign is.
template <typename T> void propagateExtension(Execution &x, const Operation &op, LaneMask active) {
  setShadow(x, op, active,
            [&](unsigned lane) { return extend<uint64_t, T, uint64_t>(x.undefinedBits(op.source(), lane)); });
}

template <typename To, typename T> Handler extension(unsigned fromBytes) {
  switch (fromBytes) {
  case 2:
    return elementwise<extend<To, T, uint16_t>>;
  case 4:
    return elementwise<extend<To, T, uint32_t>>;
  case 8:
    return elementwise<extend<To, T, uint64_t>>;
  default:
    return nullptr;
  }
}
template <typename T> Handler extension(unsigned toBytes, unsigned fromBytes) {
  switch (toBytes) {
  case 2:
    return extension<uint16_t, T>(fromBytes);
  case 4:
    return extension<uint32_t, T>(fromBytes);
  case 8:
    return extension<uint64_t, T>(fromBytes);
  default:
    return nullptr;
  }
}

bool setExtension(Binder &b, const PlainConversion &c) {
  // What is extended is the narrower type; a negative number in an unsigned type that is narrower than its register
  // would have to be cut once more.
  bool narrows = numberBits(c.to) <= numberBits(c.from);
  NumberType type = narrows ? c.to : c.from;
  bool cutTwice = !narrows && isSigned(c.from) && !isSigned(c.to) && 8 * c.toBytes > unsigned(numberBits(c.to));
  if (c.mode.sat || cutTwice)
    return false;
  Propagator propagate = nullptr;
  Handler run = forNumber(type, [&](auto zero) {
    propagate = propagateExtension<decltype(zero)>;
    return extension<decltype(zero)>(c.toBytes, c.fromBytes);
  });
  if (!run)
    return false;
  b.operation.run = run;
  b.operation.propagate = propagate;
  return true;
}

/// 64-bit integers to floats, rounded to nearest.
template <typename T, typename F, typename Bits> Bits floatOf64(uint64_t a) {
  return bitsOf(static_cast<F>(static_cast<T>(a)));
}
Handler wideToFloat(const PlainConversion &c) {
  bool isS64 = c.from == NumberType::S64;
  if (c.to == NumberType::F32 && c.toBytes == 4)
    return isS64 ? elementwise<floatOf64<int64_t, float, uint32_t>> : elementwise<floatOf64<uint64_t, float, uint32_t>>;
  if (c.to == NumberType::F64)
    return isS64 ? elementwise<floatOf64<int64_t, double, uint64_t>>
                 : elementwise<floatOf64<uint64_t, double, uint64_t>>;
  return nullptr;
}

//===--- through f64 ---===//

using Load = void (*)(const std::byte *row, double *values);
using Round = void (*)(double *values);
using Store = void (*)(std::byte *row, const double *values, LaneMask active);

template <typename T, typename Register> void loadInteger(const std::byte *row, double *values) {
  const Register *from = reinterpret_cast<const Register *>(row);
  TILEC_SIM_LANES_INDEPENDENT
  for (unsigned lane = 0; lane < warpSize; ++lane)
    values[lane] = static_cast<double>(static_cast<T>(from[lane]));
}
template <typename Register, double (*read)(Register)> void loadFloat(const std::byte *row, double *values) {
  const Register *from = reinterpret_cast<const Register *>(row);
  TILEC_SIM_LANES_INDEPENDENT
  for (unsigned lane = 0; lane < warpSize; ++lane)
    values[lane] = read(from[lane]);
}
double readF16(uint16_t a) { return static_cast<double>(floatOf(f16ToF32(a))); }
double readBf16(uint16_t a) { return static_cast<double>(floatOf(bf16ToF32(a))); }
template <bool ftz> double readF32(uint32_t a) { return static_cast<double>(floatOf(flushF32<ftz>(a))); }
double readF64(uint64_t a) { return doubleOf(a); }

template <typename T> Load integerLoad(unsigned bytes) {
  switch (bytes) {
  case 2:
    return loadInteger<T, uint16_t>;
  case 4:
    return loadInteger<T, uint32_t>;
  case 8:
    return loadInteger<T, uint64_t>;
  default:
    return nullptr;
  }
}
Load loadOf(NumberType type, unsigned bytes, bool ftz) {
  bool exact = 8 * bytes == unsigned(numberBits(type));
  switch (type) {
  case NumberType::U8:
    return integerLoad<uint8_t>(bytes);
  case NumberType::S8:
    return integerLoad<int8_t>(bytes);
  case NumberType::U16:
    return integerLoad<uint16_t>(bytes);
  case NumberType::S16:
    return integerLoad<int16_t>(bytes);
  case NumberType::U32:
    return integerLoad<uint32_t>(bytes);
  case NumberType::S32:
    return integerLoad<int32_t>(bytes);
  case NumberType::F16:
    return exact ? loadFloat<uint16_t, readF16> : nullptr;
  case NumberType::BF16:
    return exact ? loadFloat<uint16_t, readBf16> : nullptr;
  case NumberType::F32:
    return !exact ? nullptr : ftz ? loadFloat<uint32_t, readF32<true>> : loadFloat<uint32_t, readF32<false>>;
  case NumberType::F64:
    return exact ? loadFloat<uint64_t, readF64> : nullptr;
  default:
    return nullptr;
  }
}

/// Rounds to an integral number that keeps the sign. Adding and subtracting 2^52 with that sign rounds to nearest even
/// what is smaller; 2^52 and above is integral already. Example: 2.5 + 2^52 is a tie, which goes to 2^52 + 2; the
/// difference is 2. Upwards, 2 is below 2.5, so 3.
template <Rounding rounding> double integral(double value) {
  double magnitude = __builtin_fabs(value);
  double nearest = (magnitude + 0x1p52) - 0x1p52;
  bool isLarge = magnitude >= 0x1p52, negative = value < 0.0;
  bool away = (rounding == Rounding::Up && !negative) || (rounding == Rounding::Down && negative);
  double adjusted = nearest;
  if (rounding != Rounding::NearestEven) {
    double below = nearest > magnitude ? nearest - 1.0 : nearest;
    adjusted = away && below < magnitude ? below + 1.0 : below;
  }
  return __builtin_copysign(isLarge ? magnitude : adjusted, value);
}
template <Rounding rounding> void roundRow(double *values) {
  TILEC_SIM_LANES_INDEPENDENT
  for (unsigned lane = 0; lane < warpSize; ++lane)
    values[lane] = integral<rounding>(values[lane]);
}
Round roundOf(Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
    return roundRow<Rounding::NearestEven>;
  case Rounding::TowardZero:
    return roundRow<Rounding::TowardZero>;
  case Rounding::Down:
    return roundRow<Rounding::Down>;
  case Rounding::Up:
    return roundRow<Rounding::Up>;
  default:
    return nullptr;
  }
}

/// An integral number clamped to the range of T; a NaN becomes 0, or the highest bit alone.
template <typename T, bool nanIsHighBit> T clamped(double value) {
  constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
  constexpr T highBit = static_cast<T>(uint64_t(1) << (8 * sizeof(T) - 1));
  constexpr T nan = nanIsHighBit ? highBit : T(0);
  if constexpr (sizeof(T) == 8) {
    constexpr double end = std::is_signed<T>::value ? 0x1p63 : 0x1p64;
    if (value != value)
      return nan;
    return value >= end   ? std::numeric_limits<T>::max()
           : value <= low ? std::numeric_limits<T>::min()
                          : static_cast<T>(value);
  } else {
    constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
    double inside = value > low ? value : low; // also of a NaN
    inside = inside < high ? inside : high;
    T result = static_cast<T>(static_cast<std::conditional_t<sizeof(T) == 4, int64_t, int32_t>>(inside));
    return value != value ? nan : result;
  }
}
template <typename Register, typename T, bool nanIsHighBit>
void storeInteger(std::byte *row, const double *values, LaneMask active) {
  Register *to = reinterpret_cast<Register *>(row);
  forIndependentLanes(active,
                      [=](unsigned lane) { to[lane] = static_cast<Register>(clamped<T, nanIsHighBit>(values[lane])); });
}
template <typename Register, Register (*write)(double)>
void storeFloat(std::byte *row, const double *values, LaneMask active) {
  Register *to = reinterpret_cast<Register *>(row);
  forIndependentLanes(active, [=](unsigned lane) { to[lane] = write(values[lane]); });
}
uint16_t writeF16(double value) { return static_cast<uint16_t>(f32ToF16(bitsOf(narrowToOdd(value)))); }
uint16_t writeBf16(double value) { return static_cast<uint16_t>(f32ToBf16(bitsOf(narrowToOdd(value)))); }
uint32_t writeF32(double value) { return bitsOf(static_cast<float>(value)); }
uint32_t writeCanonicalF32(double value) { return value != value ? 0x7fffffffu : bitsOf(static_cast<float>(value)); }
uint64_t writeF64(double value) { return bitsOf(value); }

template <typename T, bool nanIsHighBit> Store integerStore(unsigned bytes) {
  switch (bytes) {
  case 2:
    return storeInteger<uint16_t, T, nanIsHighBit>;
  case 4:
    return storeInteger<uint32_t, T, nanIsHighBit>;
  case 8:
    return storeInteger<uint64_t, T, nanIsHighBit>;
  default:
    return nullptr;
  }
}
template <typename T> Store integerStore(unsigned bytes, NumberType from) {
  return sizeof(T) == 8 || from == NumberType::F64 ? integerStore<T, true>(bytes) : integerStore<T, false>(bytes);
}
Store storeOf(NumberType type, unsigned bytes, NumberType from) {
  bool exact = 8 * bytes == unsigned(numberBits(type));
  switch (type) {
  case NumberType::U8:
    return integerStore<uint8_t>(bytes, from);
  case NumberType::S8:
    return integerStore<int8_t>(bytes, from);
  case NumberType::U16:
    return integerStore<uint16_t>(bytes, from);
  case NumberType::S16:
    return integerStore<int16_t>(bytes, from);
  case NumberType::U32:
    return integerStore<uint32_t>(bytes, from);
  case NumberType::S32:
    return integerStore<int32_t>(bytes, from);
  case NumberType::U64:
    return integerStore<uint64_t>(bytes, from);
  case NumberType::S64:
    return integerStore<int64_t>(bytes, from);
  case NumberType::F16:
    return exact ? storeFloat<uint16_t, writeF16> : nullptr;
  case NumberType::BF16:
    return exact ? storeFloat<uint16_t, writeBf16> : nullptr;
  case NumberType::F32:
    return !exact                    ? nullptr
           : from == NumberType::F64 ? storeFloat<uint32_t, writeF32>
                                     : storeFloat<uint32_t, writeCanonicalF32>;
  case NumberType::F64:
    return exact ? storeFloat<uint64_t, writeF64> : nullptr;
  }
  return nullptr;
}

struct Steps {
  Load load;
  Round round;
  Store store;
};
template <bool rounds> Outcome runSteps(Execution &x, const Operation &op, LaneMask active) {
  const Steps &steps = op.detailAs<Steps>();
  alignas(64) double values[warpSize];
  steps.load(x.row<const std::byte>(op.source()), values);
  if (rounds)
    steps.round(values);
  steps.store(x.row<std::byte>(op.destination()), values, active);
  return Outcome::Next;
}

/// Whether an f64 holds the value between reading and writing, and nothing but the rounding happens to it.
bool goesThroughDouble(const PlainConversion &c) {
  bool toFloat = isFloat(c.to), fromFloat = isFloat(c.from);
  if (c.mode.relu || c.mode.satfinite || (c.mode.sat && toFloat))
    return false;
  if (toFloat && !c.mode.toIntegral && c.mode.rounding != Rounding::NearestEven)
    return false;
  if (!toFloat)
    return true;
  // Flushed results, and NaNs that are not what the host makes of them, are the exact path's.
  bool flushesResult = c.mode.ftz && c.to == NumberType::F32 && fromFloat && !(c.mode.toIntegral);
  bool keepsBits = c.from == NumberType::BF16 && c.to == NumberType::F32;
  bool fromHalf = c.from == NumberType::F16 || c.from == NumberType::BF16;
  bool toHalf = c.to == NumberType::F16 || c.to == NumberType::BF16;
  bool otherNan = (c.to == NumberType::F64 && (fromHalf || (c.mode.ftz && c.from == NumberType::F32))) ||
                  (c.from == NumberType::F64 && toHalf);
  return !flushesResult && !keepsBits && !otherNan && (c.from != c.to || c.mode.toIntegral);
}

bool setSteps(Binder &b, const PlainConversion &c) {
  if (!goesThroughDouble(c))
    return false;
  Steps steps{loadOf(c.from, c.fromBytes, c.mode.ftz), nullptr, storeOf(c.to, c.toBytes, c.from)};
  bool rounds = c.mode.toIntegral;
  if (rounds)
    steps.round = roundOf(c.mode.rounding);
  if (!steps.load || !steps.store || (rounds && !steps.round))
    return false;
  b.operation.detail = b.builder().program().keep(steps);
  b.operation.run = rounds ? runSteps<true> : runSteps<false>;
  return true;
}

//===--- f16 and bf16 ---===//

/// Between f32 and the 16-bit types, without modifiers.
bool setHalfRow(Binder &b, const PlainConversion &c) {
  bool plain = !c.mode.relu && !c.mode.satfinite && !c.mode.sat && !c.mode.ftz && !c.mode.toIntegral;
  if (!plain || c.mode.rounding != Rounding::NearestEven)
    return false;
  auto half = [](NumberType type) { return type == NumberType::F16 ? FloatType::F16 : FloatType::BF16; };
  bool toHalf = c.to == NumberType::F16 || c.to == NumberType::BF16;
  bool fromHalf = c.from == NumberType::F16 || c.from == NumberType::BF16;
  if (toHalf && c.from == NumberType::F32 && c.toBytes == 2 && c.fromBytes == 4) {
    setRows<uint32_t, uint32_t, uint16_t, uint32_t, 1>(
        b, [type = half(c.to)](uint32_t *d, const uint32_t *a, const uint32_t *, const uint32_t *) {
          narrowRow(type, d, a);
        });
    return true;
  }
  if (fromHalf && c.to == NumberType::F32 && c.toBytes == 4 && c.fromBytes == 2) {
    setRows<uint32_t, uint32_t, uint32_t, uint16_t, 1>(
        b, [type = half(c.from)](uint32_t *d, const uint32_t *a, const uint32_t *, const uint32_t *) {
          widenRow(type, d, a);
        });
    return true;
  }
  return false;
}

/// f32 to f16 or bf16 with .relu or .satfinite, or to bf16 toward zero.
bool setNarrowRow(Binder &b, const PlainConversion &c) {
  const FloatFormat &format = c.to == NumberType::F16 ? f16Format : bf16Format;
  bool toHalf = c.to == NumberType::F16 || c.to == NumberType::BF16;
  if (!toHalf || c.from != NumberType::F32 || c.toBytes != 2 || c.fromBytes != 4 || !NarrowRow::serves(format, c.mode))
    return false;
  setRows<uint32_t, uint32_t, uint16_t, uint32_t, 1>(
      b, [narrowRow = NarrowRow(format, c.mode)](uint32_t *d, const uint32_t *a, const uint32_t *, const uint32_t *) {
        narrowRow(d, a);
      });
  return true;
}

/// cvt.sat.f32.f32.
template <bool ftz> uint32_t saturateF32(uint32_t a) { return resultF32<ftz, true>(floatOf(flushF32<ftz>(a))); }
bool setSaturation(Binder &b, const PlainConversion &c) {
  if (c.to != NumberType::F32 || c.from != NumberType::F32 || !c.mode.sat || c.mode.toIntegral || c.toBytes != 4 ||
      c.fromBytes != 4)
    return false;
  b.operation.run = c.mode.ftz ? elementwise<saturateF32<true>> : elementwise<saturateF32<false>>;
  return true;
}

} // namespace

bool setFrequentConversion(Binder &b, const PlainConversion &c) {
  if (!isFloat(c.from) && !isFloat(c.to))
    return setExtension(b, c);
  if (c.from == NumberType::S64 || c.from == NumberType::U64) {
    Handler run = c.mode.sat || c.mode.rounding != Rounding::NearestEven ? nullptr : wideToFloat(c);
    if (run)
      b.operation.run = run;
    return run != nullptr;
  }
  return setHalfRow(b, c) || setNarrowRow(b, c) || setSaturation(b, c) || setSteps(b, c);
}

} // namespace tilec::sim

/// The arithmetic of atomics, one function for each operation and type.
#include "lib/Simulator/Execute/AtomicFamilies.h"

#include "lib/Simulator/Numeric/Arithmetic.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::sim;

static bool isHalf(ptx::Type type) { return type >= ptx::Type::F16 && type <= ptx::Type::BF16x2; }

std::string tilec::sim::checkAtomicType(AtomicOp op, ptx::Type type, unsigned elements, bool noFlush) {
  using ptx::Type;
  auto isOneOf = [&](std::initializer_list<Type> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  bool half = isHalf(type);
  if (noFlush != half)
    return half ? "half types need '.noftz'" : "'.noftz' needs a half type";
  if (elements > 1 && !half && type != Type::F32)
    return std::string("vectors of .") + ptx::typeName(type) + " are not atomic";
  bool good = false;
  switch (op) {
  case AtomicOp::Add:
    good = half || isOneOf({Type::U32, Type::S32, Type::U64, Type::S64, Type::F32, Type::F64});
    break;
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    good = isOneOf({Type::B32, Type::B64});
    break;
  case AtomicOp::Increment:
  case AtomicOp::Decrement:
    good = type == Type::U32;
    break;
  case AtomicOp::Minimum:
  case AtomicOp::Maximum:
    good = (half && elements > 1) || isOneOf({Type::U32, Type::S32, Type::U64, Type::S64});
    break;
  case AtomicOp::Exchange:
    good = isOneOf({Type::B32, Type::B64, Type::B128});
    break;
  case AtomicOp::CompareExchange:
    good = isOneOf({Type::B16, Type::B32, Type::B64, Type::B128});
    break;
  }
  if (half && elements * ptx::typeBytes(type) > 16)
    good = false;
  return good ? std::string() : std::string("the operation is not defined for .") + ptx::typeName(type);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <typename T> static uint64_t addIntegers(uint64_t old, uint64_t b) { return static_cast<T>(old + b); }
static uint64_t bitAnd(uint64_t old, uint64_t b) { return old & b; }
static uint64_t bitOr(uint64_t old, uint64_t b) { return old | b; }
static uint64_t bitXor(uint64_t old, uint64_t b) { return old ^ b; }
/// (old >= b) ? 0 : old + 1, and (old == 0 || old > b) ? b : old - 1.
static uint64_t increment(uint64_t old, uint64_t b) { return old >= b ? 0 : old + 1; }
static uint64_t decrement(uint64_t old, uint64_t b) { return old == 0 || old > b ? b : old - 1; }

template <typename T, bool isMax> static uint64_t extremeInteger(uint64_t old, uint64_t b) {
  T x = static_cast<T>(old), y = static_cast<T>(b);
  return static_cast<std::make_unsigned_t<T>>(isMax ? std::max(x, y) : std::min(x, y));
}

template <FloatType type, bool ftz> static uint64_t addFloats(uint64_t old, uint64_t b) {
  FloatMode mode;
  mode.ftz = ftz;
  return evaluate(type, FloatOp::Add, mode, old, b);
}

/// Of f64, as an H200 does it: global memory keeps a NaN's bits, the operand's before its own; shared memory adds what
/// it holds to the operand, so that its own NaN goes first.
template <bool inGlobal> static uint64_t addDoubles(uint64_t old, uint64_t b) {
  if (!inGlobal)
    return evaluate(FloatType::F64, FloatOp::Add, {}, b, old);
  if (f64Format.isNan(b) || f64Format.isNan(old))
    return f64Format.isNan(b) ? b : old;
  return evaluate(FloatType::F64, FloatOp::Add, {}, old, b);
}

template <FloatType type, bool isMax> static uint64_t extremeFloat(uint64_t old, uint64_t b) {
  MinMaxMode mode;
  mode.isMax = isMax;
  return minMax(type, mode, old, b);
}

/// Two halves of 32 bits, each on its own.
template <AtomicCombine half> static uint64_t both(uint64_t old, uint64_t b) {
  return half(old & 0xffff, b & 0xffff) | half(old >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
}

template <FloatType type> static AtomicCombine halfFunction(AtomicOp op, bool packed) {
  switch (op) {
  case AtomicOp::Add:
    return packed ? both<addFloats<type, false>> : addFloats<type, false>;
  case AtomicOp::Minimum:
    return packed ? both<extremeFloat<type, false>> : extremeFloat<type, false>;
  case AtomicOp::Maximum:
    return packed ? both<extremeFloat<type, true>> : extremeFloat<type, true>;
  default:
    return nullptr;
  }
}

static AtomicCombine additionOf(ptx::Type type, bool inGlobal) {
  switch (type) {
  case ptx::Type::F32:
    return inGlobal ? addFloats<FloatType::F32, true> : addFloats<FloatType::F32, false>;
  case ptx::Type::F64:
    return inGlobal ? addDoubles<true> : addDoubles<false>;
  default:
    return ptx::typeBytes(type) == 4 ? addIntegers<uint32_t> : addIntegers<uint64_t>;
  }
}

template <bool isMax> static AtomicCombine extremeOf(ptx::Type type) {
  switch (type) {
  case ptx::Type::U32:
    return extremeInteger<uint32_t, isMax>;
  case ptx::Type::S32:
    return extremeInteger<int32_t, isMax>;
  case ptx::Type::U64:
    return extremeInteger<uint64_t, isMax>;
  default:
    return extremeInteger<int64_t, isMax>;
  }
}

AtomicCombine tilec::sim::atomicCombine(AtomicOp op, ptx::Type type, bool inGlobal) {
  if (type == ptx::Type::F16 || type == ptx::Type::F16x2)
    return halfFunction<FloatType::F16>(op, type == ptx::Type::F16x2);
  if (type == ptx::Type::BF16 || type == ptx::Type::BF16x2)
    return halfFunction<FloatType::BF16>(op, type == ptx::Type::BF16x2);
  switch (op) {
  case AtomicOp::Add:
    return additionOf(type, inGlobal);
  case AtomicOp::And:
    return bitAnd;
  case AtomicOp::Or:
    return bitOr;
  case AtomicOp::Xor:
    return bitXor;
  case AtomicOp::Increment:
    return increment;
  case AtomicOp::Decrement:
    return decrement;
  case AtomicOp::Minimum:
    return extremeOf<false>(type);
  case AtomicOp::Maximum:
    return extremeOf<true>(type);
  default:
    return nullptr;
  }
}

// Every function first settles NaN, infinity and zero, then works on 128-bit integers. Bits that do not fit are folded
// into bit 0 ("sticky"), far enough below the result's last bit to decide every rounding.
#include "lib/Simulator/Numeric/ExactArithmetic.h"

namespace tilec::sim {

using Kind = Exact::Kind;

static Exact special(Kind kind, bool negative) {
  Exact result;
  result.kind = kind;
  result.negative = negative;
  return result;
}

static int highestBit(Significand value) {
  uint64_t high = static_cast<uint64_t>(value >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<uint64_t>(value));
}

/// The same number with its highest bit at `position`, which is not below where it is.
static Exact raised(Exact a, int position) {
  int shift = position - highestBit(a.significand);
  a.significand <<= shift;
  a.exponent -= shift;
  return a;
}

static Significand shiftRightSticky(Significand value, int shift) {
  if (shift == 0)
    return value;
  if (shift >= 128)
    return value != 0;
  return (value >> shift) | ((value & ((Significand(1) << shift) - 1)) != 0);
}

Exact exactSum(const Exact &a, const Exact &b, Rounding rounding) {
  if (a.kind == Kind::Nan || b.kind == Kind::Nan)
    return special(Kind::Nan, false);
  if (a.kind == Kind::Infinity || b.kind == Kind::Infinity) {
    if (a.kind == b.kind && a.negative != b.negative)
      return special(Kind::Nan, false);
    return a.kind == Kind::Infinity ? a : b;
  }
  if (a.kind == Kind::Zero && b.kind == Kind::Zero)
    return special(Kind::Zero, a.negative == b.negative ? a.negative : rounding == Rounding::Down);
  if (a.kind == Kind::Zero)
    return b;
  if (b.kind == Kind::Zero)
    return a;
  // One free bit above for the carry; the larger keeps at least 20 free bits below, so that when the smaller loses
  // bits, at most one bit cancels and the sticky bit stays below everything that decides a rounding.
  Exact x = raised(a, 126), y = raised(b, 126);
  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.significand < y.significand)) {
    Exact swap = x;
    x = y;
    y = swap;
  }
  Significand aligned = shiftRightSticky(y.significand, x.exponent - y.exponent);
  if (x.negative == y.negative) {
    x.significand += aligned;
    return x;
  }
  x.significand -= aligned;
  if (x.significand == 0)
    return special(Kind::Zero, rounding == Rounding::Down);
  return x;
}

Exact exactProduct(const Exact &a, const Exact &b) {
  bool negative = a.negative != b.negative;
  if (a.kind == Kind::Nan || b.kind == Kind::Nan)
    return special(Kind::Nan, false);
  if (a.kind == Kind::Infinity || b.kind == Kind::Infinity) {
    bool invalid = a.kind == Kind::Zero || b.kind == Kind::Zero;
    return special(invalid ? Kind::Nan : Kind::Infinity, negative && !invalid);
  }
  if (a.kind == Kind::Zero || b.kind == Kind::Zero)
    return special(Kind::Zero, negative);
  Exact result = special(Kind::Finite, negative);
  result.significand = a.significand * b.significand;
  result.exponent = a.exponent + b.exponent;
  return result;
}

Exact exactQuotient(const Exact &a, const Exact &b) {
  bool negative = a.negative != b.negative;
  if (a.kind == Kind::Nan || b.kind == Kind::Nan || (a.kind == b.kind && a.kind != Kind::Finite))
    return special(Kind::Nan, false);
  if (a.kind == Kind::Infinity || b.kind == Kind::Zero)
    return special(Kind::Infinity, negative);
  if (a.kind == Kind::Zero || b.kind == Kind::Infinity)
    return special(Kind::Zero, negative);
  Exact x = raised(a, 126), y = raised(b, 63);
  Exact result = special(Kind::Finite, negative);
  Significand quotient = x.significand / y.significand;
  result.significand = (quotient << 1) | (quotient * y.significand != x.significand);
  result.exponent = x.exponent - y.exponent - 1;
  return result;
}

Exact exactRoot(const Exact &a) {
  if (a.kind == Kind::Nan || (a.negative && a.kind != Kind::Zero))
    return special(Kind::Nan, false);
  if (a.kind != Kind::Finite)
    return a;
  Exact x = raised(a, 126);
  if (x.exponent & 1) {  // the root of 2^exponent is exact for even exponents
    x.significand >>= 1; // at most 64 bits were significant, so the lowest bit is zero
    ++x.exponent;
  }
  Significand rest = x.significand, root = 0;
  for (Significand bit = Significand(1) << 126; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  Exact result = special(Kind::Finite, false);
  result.significand = (root << 1) | (rest != 0);
  result.exponent = x.exponent / 2 - 1;
  return result;
}

Exact roundToIntegral(const Exact &a, Rounding rounding) {
  if (a.kind != Kind::Finite || a.exponent >= 0)
    return a;
  int dropped = -a.exponent;
  Significand whole = dropped >= 128 ? 0 : a.significand >> dropped;
  // The cut-off part in quarters of a unit; 1 and 3 also stand for what lies between.
  int quarters = 0;
  if (dropped == 1) {
    quarters = static_cast<int>(a.significand & 1) * 2;
  } else {
    Significand atQuarter = shiftRightSticky(a.significand, dropped - 2);
    quarters = static_cast<int>(atQuarter & 3);
  }
  bool up = false;
  switch (rounding) {
  case Rounding::NearestEven:
    up = quarters == 3 || (quarters == 2 && (whole & 1));
    break;
  case Rounding::NearestAway:
    up = quarters >= 2;
    break;
  case Rounding::Down:
    up = a.negative && quarters != 0;
    break;
  case Rounding::Up:
    up = !a.negative && quarters != 0;
    break;
  case Rounding::TowardZero:
  case Rounding::Stochastic:
    break;
  }
  Exact result = special(Kind::Finite, a.negative);
  result.significand = whole + up;
  if (result.significand == 0)
    result.kind = Kind::Zero;
  return result;
}

Exact exactInteger(bool negative, uint64_t magnitude) {
  Exact result = special(magnitude ? Kind::Finite : Kind::Zero, negative && magnitude);
  result.significand = magnitude;
  return result;
}

} // namespace tilec::sim

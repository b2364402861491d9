/// Index arithmetic of generated headers. Shapes come from users, so a product of extents may overflow; an Index
/// carries whether that happened instead of wrapping around.
#ifndef TILEC_LIB_RUNTIME_INDEX_H
#define TILEC_LIB_RUNTIME_INDEX_H

#include "lib/Runtime/View.h"

namespace tilec {

/// A 64-bit integer, or "overflowed, or divided by zero", which every operation hands on. Comparisons of an invalid
/// index are false.
struct Index {
  int64_t value = 0;
  bool valid = true;

  constexpr Index() = default;
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  constexpr Index(T value) : value(static_cast<int64_t>(value)) {}

  static Index invalid() {
    Index result;
    result.valid = false;
    return result;
  }
};

inline Index operator+(Index a, Index b) {
  int64_t sum;
  return a.valid && b.valid && !__builtin_add_overflow(a.value, b.value, &sum) ? Index(sum) : Index::invalid();
}
inline Index operator-(Index a, Index b) {
  int64_t difference;
  return a.valid && b.valid && !__builtin_sub_overflow(a.value, b.value, &difference) ? Index(difference)
                                                                                      : Index::invalid();
}
inline Index operator*(Index a, Index b) {
  int64_t product;
  return a.valid && b.valid && !__builtin_mul_overflow(a.value, b.value, &product) ? Index(product) : Index::invalid();
}
inline Index operator-(Index a) { return Index(0) - a; }

inline bool operator<(Index a, Index b) { return a.valid && b.valid && a.value < b.value; }
inline bool operator<=(Index a, Index b) { return a.valid && b.valid && a.value <= b.value; }
inline bool operator>(Index a, Index b) { return b < a; }
inline bool operator>=(Index a, Index b) { return b <= a; }
inline bool operator==(Index a, Index b) { return a.valid && b.valid && a.value == b.value; }
inline bool operator!=(Index a, Index b) { return a.valid && b.valid && a.value != b.value; }

/// The functions that index expressions may call.
namespace index {
/// Quotient rounded towards minus infinity: floordiv(-7, 2) = -4.
inline Index floordiv(Index a, Index b) {
  if (!a.valid || !b.valid || b.value == 0 || (a.value == INT64_MIN && b.value == -1))
    return Index::invalid();
  int64_t quotient = a.value / b.value;
  return a.value % b.value != 0 && (a.value < 0) != (b.value < 0) ? quotient - 1 : quotient;
}
/// Quotient rounded towards plus infinity: ceildiv(7, 2) = 4.
inline Index ceildiv(Index a, Index b) {
  if (!a.valid || !b.valid || b.value == 0 || (a.value == INT64_MIN && b.value == -1))
    return Index::invalid();
  int64_t quotient = a.value / b.value;
  return a.value % b.value != 0 && (a.value < 0) == (b.value < 0) ? quotient + 1 : quotient;
}
/// a - b * floordiv(a, b): mod(-7, 4) = 1.
inline Index mod(Index a, Index b) { return a - b * floordiv(a, b); }
inline Index min(Index a, Index b) { return !a.valid ? a : !b.valid ? b : a.value < b.value ? a : b; }
inline Index max(Index a, Index b) { return !a.valid ? a : !b.valid ? b : a.value < b.value ? b : a; }
/// Extent of a dimension, outermost first.
inline Index dim(const AnyView &view, int dimension) { return view.extents[dimension]; }
} // namespace index

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_INDEX_H

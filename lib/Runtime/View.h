/// Strided memory as kernels see it: a pointer, extents and strides. View is typed, so that most mistakes do not
/// compile; AnyView says the same at run time, for tools that read their shapes from files.
#ifndef TILEC_LIB_RUNTIME_VIEW_H
#define TILEC_LIB_RUNTIME_VIEW_H

#include "lib/Runtime/ElementType.h"

#include <array>
#include <cstddef>
#include <type_traits>

namespace tilec {

/// No view has more dimensions.
inline constexpr int maxRank = 8;

/// A view whose type and rank are values. Extents and strides count elements, outermost first; nothing is owned.
struct AnyView {
  void *data = nullptr;
  ElementType type = ElementType::F32;
  int rank = 0;
  int64_t extents[maxRank] = {};
  int64_t strides[maxRank] = {};

  /// A row-major view without gaps. At most maxRank extents are read.
  static AnyView contiguous(void *data, ElementType type, const int64_t *extents, int rank) {
    AnyView view;
    view.data = data;
    view.type = type;
    view.rank = rank;
    int64_t stride = 1;
    for (int dim = rank < maxRank ? rank - 1 : maxRank - 1; dim >= 0; --dim) {
      view.extents[dim] = extents[dim];
      view.strides[dim] = stride;
      stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(extents[dim]));
    }
    return view;
  }
};

/// A view of `Rank` dimensions over elements of type T, in device memory. T may be const where a kernel only reads.
template <typename T, int Rank> struct View {
  static_assert(Rank >= 0 && Rank <= maxRank, "rank out of range");
  using Extents = std::array<int64_t, Rank>;

  T *data = nullptr;
  Extents extents = {};
  /// In elements, outermost first; row-major without gaps unless said otherwise.
  Extents strides = {};

  View() = default;
  View(T *data, const Extents &extents) : data(data), extents(extents) {
    int64_t stride = 1;
    for (int dim = Rank - 1; dim >= 0; --dim) {
      strides[dim] = stride;
      stride = static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(extents[dim]));
    }
  }
  View(T *data, const Extents &extents, const Extents &strides) : data(data), extents(extents), strides(strides) {}
  /// A view of mutable elements serves where a view of const ones is expected.
  template <typename U, typename = std::enable_if_t<std::is_same_v<const U, T> && !std::is_same_v<U, T>>>
  View(const View<U, Rank> &other) : data(other.data), extents(other.extents), strides(other.strides) {}

  /// View<bf16, 2>::contiguous(pointer, rows, columns).
  template <typename... Sizes> static View contiguous(T *data, Sizes... sizes) {
    static_assert(sizeof...(Sizes) == Rank, "one extent per dimension");
    return View(data, Extents{static_cast<int64_t>(sizes)...});
  }

  /// The same memory walked otherwise: withStrides(pitch, 1).
  template <typename... Steps> View withStrides(Steps... steps) const {
    static_assert(sizeof...(Steps) == Rank, "one stride per dimension");
    return View(data, extents, Extents{static_cast<int64_t>(steps)...});
  }

  operator AnyView() const {
    AnyView view;
    view.data = const_cast<std::remove_const_t<T> *>(data);
    view.type = ElementTypeOf<T>::value;
    view.rank = Rank;
    for (int dim = 0; dim < Rank; ++dim) {
      view.extents[dim] = extents[dim];
      view.strides[dim] = strides[dim];
    }
    return view;
  }
};

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_VIEW_H

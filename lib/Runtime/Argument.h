/// The value of a kernel's argument at run time: a view or a scalar, with its type beside it. Typed launchers make
/// these from their parameters; tools make them from files.
#ifndef TILEC_LIB_RUNTIME_ARGUMENT_H
#define TILEC_LIB_RUNTIME_ARGUMENT_H

#include "lib/Runtime/Index.h"
#include "lib/Runtime/View.h"

#include <cstring>

namespace tilec {

/// A view, or a scalar of at most eight bytes.
struct Argument {
  bool isView = false;
  /// Of the scalar, or of the view's elements.
  ElementType type = ElementType::I64;
  /// The scalar's bytes, at the low addresses.
  uint64_t scalarBits = 0;
  AnyView view;

  Argument(const AnyView &view) : isView(true), type(view.type), view(view) {}
  template <typename T, int Rank> Argument(const View<T, Rank> &view) : Argument(static_cast<AnyView>(view)) {}
  /// A scalar of C++ type T.
  template <typename T, ElementType scalarType = ElementTypeOf<T>::value> Argument(T value) : type(scalarType) {
    static_assert(sizeof(T) <= sizeof scalarBits && std::is_trivially_copyable_v<T>, "not a scalar");
    std::memcpy(&scalarBits, &value, sizeof value);
  }

  /// The value of an integer scalar, for index expressions; i1 counts 0 or 1, the others are signed.
  Index index() const {
    switch (elementBits(type)) {
    case 8:
      return type == ElementType::I1 ? Index(read<uint8_t>()) : Index(read<int8_t>());
    case 16:
      return read<int16_t>();
    case 32:
      return read<int32_t>();
    default:
      return read<int64_t>();
    }
  }

private:
  template <typename T> T read() const {
    T value;
    std::memcpy(&value, &scalarBits, sizeof value);
    return value;
  }
};

} // namespace tilec

#endif // TILEC_LIB_RUNTIME_ARGUMENT_H

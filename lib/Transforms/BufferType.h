/// The type of a shared buffer for a tile.
#ifndef LIB_TRANSFORMS_BUFFERTYPE_H
#define LIB_TRANSFORMS_BUFFERTYPE_H

#include "dialect/TileTypes.h"

namespace mlir::tile {
/// A buffer of the tile's shape with the order, swizzle and padding of `memory`, whose extents may be larger. Where that
/// does not fit the shape, the widest swizzle of that order does.
inline SharedType bufferType(TileType tile, const SharedLayout &memory) {
  unsigned bits = elementBits(tile.getElementType());
  // Slabs of 16 bytes have no text form: whole rows instead.
  unsigned swizzle = memory.swizzleBytes() == 16 ? 0 : memory.swizzleBytes();
  std::optional<SharedLayout> fitting =
      SharedLayout::create(tile.getShape(), memory.order(), bits, swizzle, memory.padding());
  if (!fitting)
    fitting = SharedLayout::create(tile.getShape(), memory.order(), bits);
  if (fitting->swizzleBytes() == 16)
    fitting = SharedLayout::create(tile.getShape(), memory.order(), bits, 0);
  return SharedType::get(tile.getContext(), tile.getShape(), tile.getElementType(),
                         SwizzleAttr::get(tile.getContext(), *fitting));
}
} // namespace mlir::tile

#endif

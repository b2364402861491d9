/// The type of a shared buffer for a tile.
#ifndef LIB_TRANSFORMS_BUFFERTYPE_H
#define LIB_TRANSFORMS_BUFFERTYPE_H

#include "dialect/TileTypes.h"

namespace mlir::tile {
/// A buffer for a tile's elements as `memory` lays them out. Its extents may exceed the tile's: then dead positions of the
/// tile's layout have a place too.
inline SharedType bufferType(TileType tile, const SharedLayout &memory) {
  return SharedType::get(tile.getContext(), memory.extents(), tile.getElementType(),
                         SwizzleAttr::get(tile.getContext(), memory));
}
} // namespace mlir::tile

#endif

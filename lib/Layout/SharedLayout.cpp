/// The map itself; how threads address it is in SharedAccess.cpp.
#include "lib/Layout/SharedLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace mlir::tile;
using llvm::SmallVector;

std::optional<SharedLayout> SharedLayout::create(ArrayRef<int64_t> extents, ArrayRef<unsigned> order,
                                                 unsigned elementBits, std::optional<unsigned> swizzle,
                                                 unsigned padding, std::string *why) {
  auto refuse = [&](const llvm::Twine &message) -> std::optional<SharedLayout> {
    if (why)
      *why = message.str();
    return std::nullopt;
  };
  if (elementBits != 8 && elementBits != 16 && elementBits != 32 && elementBits != 64)
    return refuse("elements of " + llvm::Twine(elementBits) + " bits cannot be stored in shared memory");
  if (order.size() != extents.size())
    return refuse("order has " + llvm::Twine(order.size()) + " entries, but the tile has rank " +
                  llvm::Twine(extents.size()));
  SmallVector<bool> seen(extents.size(), false);
  for (unsigned dim : order) {
    if (dim >= extents.size() || seen[dim])
      return refuse("order is not a permutation of the dimensions");
    seen[dim] = true;
  }
  for (int64_t extent : extents)
    if (extent < 1 || (extent % 8 && !llvm::isPowerOf2_64(extent)))
      return refuse("extent " + llvm::Twine(extent) + " is neither a power of two nor a multiple of 8");

  SharedLayout layout;
  layout.tileExtents.assign(extents.begin(), extents.end());
  layout.dimOrder.assign(order.begin(), order.end());
  layout.bitsPerElement = elementBits;
  layout.rowBytes = (extents.empty() ? 1 : extents[order[0]]) * (elementBits / 8);
  for (unsigned dim : order.drop_front(extents.empty() ? 0 : 1))
    layout.rows *= extents[dim];

  int64_t even = layout.rowBytes & -layout.rowBytes;
  int64_t natural = std::min<int64_t>(128, even);
  // With fewer than eight rows the swizzle would reach into the slab number.
  unsigned wanted = swizzle.value_or(padding || natural < 16 || layout.rows % 8 ? 0 : natural);
  if (wanted != 0 && wanted != 16 && wanted != 32 && wanted != 64 && wanted != 128)
    return refuse("swizzle of " + llvm::Twine(wanted) + " bytes, expected 0, 16, 32, 64 or 128");
  if (wanted > natural)
    return refuse("a swizzle of " + llvm::Twine(wanted) + " bytes does not divide rows of " +
                  llvm::Twine(layout.rowBytes) + " bytes");
  if (padding % 16)
    return refuse("padding of " + llvm::Twine(padding) + " bytes is not a multiple of 16");
  if (padding && wanted)
    return refuse("padding and swizzle exclude each other");
  layout.swizzle = wanted;
  layout.slab = wanted ? wanted : layout.rowBytes;
  layout.pitch = layout.slab + padding;
  return layout;
}

int64_t SharedLayout::linear(ArrayRef<int64_t> coordinates) const {
  if (rank() == 0)
    return 0;
  int64_t row = 0, stride = 1;
  for (unsigned dim : order().drop_front()) {
    row += coordinates[dim] * stride;
    stride *= tileExtents[dim];
  }
  int64_t column = coordinates[dimOrder[0]] * elementBytes();
  return column / slab * rows * pitch + row * pitch + column % slab;
}

int64_t SharedLayout::swizzled(int64_t linear) const {
  // 128 → 0x70, 64 → 0x30, 32 → 0x10, 16 → 0.
  int64_t mask = swizzle ? int64_t(swizzle) - 16 : 0;
  return linear ^ ((linear >> 3) & mask);
}

SharedLayout SharedLayout::transpose(ArrayRef<unsigned> perm) const {
  assert(perm.size() == rank());
  SharedLayout result(*this);
  for (auto [to, from] : llvm::enumerate(perm)) {
    result.tileExtents[to] = tileExtents[from];
    auto place = llvm::find(dimOrder, from) - dimOrder.begin();
    result.dimOrder[place] = to;
  }
  return result;
}

std::string SharedLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "shared<";
  llvm::interleave(tileExtents, os, "x");
  os << " x " << bitsPerElement << " bits, order [";
  llvm::interleaveComma(dimOrder, os);
  os << "], swizzle " << swizzle << ", pitch " << pitch << ">";
  return text;
}

bool SharedLayout::operator==(const SharedLayout &o) const {
  return tileExtents == o.tileExtents && dimOrder == o.dimOrder && bitsPerElement == o.bitsPerElement &&
         swizzle == o.swizzle && slab == o.slab && pitch == o.pitch;
}

llvm::hash_code mlir::tile::hash_value(const SharedLayout &layout) {
  return llvm::hash_combine(llvm::hash_combine_range(layout.tileExtents.begin(), layout.tileExtents.end()),
                            llvm::hash_combine_range(layout.dimOrder.begin(), layout.dimOrder.end()),
                            layout.bitsPerElement, layout.swizzle, layout.slab, layout.pitch);
}

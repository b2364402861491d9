/// A box is a list of rows. A row is a run of elements along the innermost dimension, at a place in the other
/// dimensions that is inside the tensor or not; the modes differ only in which rows they visit. Each row is cut where
/// it leaves the tensor, and then into the chunks that the swizzle keeps whole.
#include "lib/Simulator/Tma/Box.h"

namespace tilec::sim {

namespace {

uint32_t interleaveBytes(TensorInterleave interleave) { return interleave == TensorInterleave::B16 ? 16 : 32; }

/// Cuts rows into pieces.
class Rows {
public:
  Rows(const TensorFields &map, bool store, uint64_t sharedAddress, Box &box)
      : map(map), store(store), sharedAddress(sharedAddress), box(box) {}

  /// Elements [first, first + count) along dimension 0 at these coordinates (entry 0 is not looked at).
  void add(int64_t first, uint32_t count, const int64_t *at) {
    bool inside = true;
    uint64_t address = map.globalAddress;
    for (unsigned i = 1; i < map.rank; ++i) {
      inside = inside && at[i] >= 0 && static_cast<uint64_t>(at[i]) < map.globalDim[i];
      address += static_cast<uint64_t>(at[i]) * map.globalStrides[i - 1];
    }
    unsigned bits = tensorTypeBits(map.type);
    int64_t extent = static_cast<int64_t>(map.globalDim[0]), unit = 128 / bits;
    if (store)
      extent = (extent + unit - 1) / unit * unit;
    int64_t begin = inside ? clamp(-first, count) : count, end = inside ? clamp(extent - first, count) : count;
    if (end < begin)
      end = begin;
    addRun(static_cast<uint32_t>(begin * bits / 8), 0, false);
    addRun(static_cast<uint32_t>((end - begin) * bits / 8),
           address + static_cast<uint64_t>((first + begin) * static_cast<int64_t>(bits) / 8), true);
    addRun(static_cast<uint32_t>((count - end) * bits / 8), 0, false);
    pad();
  }

  /// Interleaved: positions [first, first + count) along dimension 0, each of a slice's bytes, `step` apart.
  void addSlices(int64_t first, uint32_t count, uint32_t step, const int64_t *at) {
    bool inside = true;
    uint64_t address = map.globalAddress;
    uint32_t bytes = interleaveBytes(map.interleave);
    for (unsigned i = 1; i < map.rank; ++i) {
      inside = inside && at[i] >= 0 && static_cast<uint64_t>(at[i]) < map.globalDim[i];
      address += static_cast<uint64_t>(at[i]) * map.globalStrides[i - 1];
    }
    for (uint32_t i = 0; i < count; ++i) {
      int64_t position = first + int64_t(i) * step;
      bool here = inside && position >= 0 && static_cast<uint64_t>(position) < map.globalDim[0];
      addRun(bytes, here ? address + static_cast<uint64_t>(position) * bytes : 0, here);
    }
  }

private:
  static int64_t clamp(int64_t value, int64_t most) { return value < 0 ? 0 : value > most ? most : value; }

  /// A row of a swizzled box takes the whole span in shared memory; the bytes after it stay as they are.
  void pad() {
    if (unsigned span = tensorSwizzleSpan(map.swizzle))
      position = (position + span - 1) / span * span;
  }

  void addRun(uint32_t bytes, uint64_t global, bool inside) {
    unsigned atom = swizzleAtom(map.swizzle);
    while (bytes) {
      uint64_t address = sharedAddress + position;
      uint32_t part = bytes;
      if (atom) {
        uint32_t rest = atom - static_cast<uint32_t>(address % atom);
        part = rest < bytes ? rest : bytes;
      }
      int32_t shared = static_cast<int32_t>(swizzleAddress(map.swizzle, address) - sharedAddress);
      append({global, shared, part, inside});
      position += part;
      box.bytes += part;
      bytes -= part;
      global += part;
    }
  }

  void append(const BoxPiece &piece) {
    if (!box.pieces.empty()) {
      BoxPiece &last = box.pieces.back();
      bool follows = last.inside == piece.inside && last.shared + static_cast<int32_t>(last.bytes) == piece.shared;
      if (follows && (!piece.inside || last.global + last.bytes == piece.global)) {
        last.bytes += piece.bytes;
        return;
      }
    }
    box.pieces.push_back(piece);
  }

  const TensorFields &map;
  bool store;
  uint64_t sharedAddress;
  Box &box;
  /// Where the next bytes belong before swizzling, from the beginning of the box.
  uint32_t position = 0;
};

void addTile(const TensorFields &map, const BoxRequest &request, Rows &rows) {
  bool interleaved = map.interleave != TensorInterleave::None;
  uint32_t counts[maxTensorRank], index[maxTensorRank] = {};
  for (unsigned i = interleaved ? 0 : 1; i < map.rank; ++i)
    counts[i] = (map.boxDim[i] + map.elementStrides[i] - 1) / map.elementStrides[i];
  if (interleaved)
    counts[map.rank - 2] = 1; // the dimension of the slices
  for (;;) {
    int64_t at[maxTensorRank];
    for (unsigned i = 1; i < map.rank; ++i)
      at[i] = int64_t(request.coordinates[i]) + int64_t(index[i]) * map.elementStrides[i];
    if (interleaved)
      rows.addSlices(request.coordinates[0], counts[0], map.elementStrides[0], at);
    else
      rows.add(request.coordinates[0], map.boxDim[0], at);
    unsigned i = 1;
    while (i < map.rank && ++index[i] == counts[i])
      index[i++] = 0;
    if (i >= map.rank)
      return;
  }
}

/// The filter's corner walks through the box between the corners, W first, then H, D and N; the offsets are added to
/// where it is. Example: W = 9, corners -1 and -1: the corner goes through -1 … 7, then back to -1 of the next row.
void addPixels(const TensorFields &map, const BoxRequest &request, Rows &rows) {
  unsigned spatial = map.rank - 2, batch = map.rank - 1;
  int64_t corner[maxTensorRank];
  for (unsigned i = 1; i < map.rank; ++i)
    corner[i] = request.coordinates[i];
  bool offsets = request.mode == BoxMode::Im2col;
  for (uint32_t pixel = 0; pixel < map.pixelsPerColumn; ++pixel) {
    int64_t at[maxTensorRank];
    for (unsigned i = 1; i <= spatial; ++i)
      at[i] = corner[i] + (offsets ? request.offsets[i - 1] : 0);
    at[batch] = corner[batch];
    rows.add(request.coordinates[0], map.channelsPerPixel, at);
    unsigned i = 1;
    for (; i <= spatial; ++i) {
      corner[i] += map.elementStrides[i];
      if (corner[i] < static_cast<int64_t>(map.globalDim[i]) + map.upperCorner[i - 1])
        break;
      corner[i] = map.lowerCorner[i - 1];
    }
    if (i > spatial)
      ++corner[batch];
  }
}

/// One row of the image: W walks through its box and then on to the next image; D and H stay.
void addWidePixels(const TensorFields &map, const BoxRequest &request, Rows &rows) {
  unsigned batch = map.rank - 1;
  int64_t at[maxTensorRank], offset = request.offsets[1];
  for (unsigned i = 1; i < map.rank; ++i)
    at[i] = request.coordinates[i];
  at[1] += offset;
  uint32_t pixels = map.mode == TensorMode::Im2colW128 ? 128 : map.pixelsPerColumn;
  for (uint32_t pixel = 0; pixel < pixels; ++pixel) {
    rows.add(request.coordinates[0], map.channelsPerPixel, at);
    at[1] += map.elementStrides[1];
    if (at[1] >= static_cast<int64_t>(map.globalDim[1]) + map.upperCorner[0] + offset) {
      at[1] = map.lowerCorner[0] + offset;
      ++at[batch];
    }
  }
}

std::string checkMode(const TensorFields &map, const BoxRequest &request) {
  TensorMode needed = TensorMode::Tiled;
  switch (request.mode) {
  case BoxMode::Im2col:
  case BoxMode::Im2colNoOffsets:
    needed = TensorMode::Im2col;
    break;
  case BoxMode::Im2colW:
    needed = TensorMode::Im2colW;
    break;
  case BoxMode::Im2colW128:
    needed = TensorMode::Im2colW128;
    break;
  default:
    break;
  }
  if (map.mode != needed)
    return std::string("load mode ") + boxModeName(request.mode) + " needs a tensor map of mode " +
           tensorModeName(needed) + ", but the map's mode is " + tensorModeName(map.mode);
  if (map.rank != request.rank)
    return "the instruction has " + std::to_string(request.rank) + " dimensions, but the tensor map has " +
           std::to_string(map.rank);
  return {};
}

/// PTX ISA, im2col mode: "The filter corner location must be within the bounding box"; im2col::w allows the first
/// element to lie to the left of it.
std::string checkCorner(const TensorFields &map, const BoxRequest &request) {
  bool wide = request.mode == BoxMode::Im2colW || request.mode == BoxMode::Im2colW128;
  for (unsigned i = 1; i + 1 < map.rank && !(wide && i > 1); ++i) {
    int64_t last = static_cast<int64_t>(map.globalDim[i]) + map.upperCorner[i - 1] - 1;
    int64_t at = request.coordinates[i];
    if ((!wide && at < map.lowerCorner[i - 1]) || at > last)
      return "coordinate " + std::to_string(i) + " must be inside the map's pixel box, " +
             std::to_string(map.lowerCorner[i - 1]) + " to " + std::to_string(last) + ", but is " + std::to_string(at);
  }
  if (wide && request.offsets[1] >= 32)
    return "wOffset must be less than 32, but is " + std::to_string(request.offsets[1]);
  static const unsigned limits[] = {65535, 255, 31};
  if (request.mode == BoxMode::Im2col)
    for (unsigned i = 0; i + 2 < map.rank; ++i)
      if (request.offsets[i] > limits[map.rank - 3])
        return "im2col offset " + std::to_string(i) + " must be at most " + std::to_string(limits[map.rank - 3]) +
               " for " + std::to_string(map.rank) + " dimensions, but is " + std::to_string(request.offsets[i]);
  return {};
}

std::string checkFourRows(const TensorFields &map) {
  if (map.rank != 2)
    return "four rows need a tensor map of 2 dimensions, but it has " + std::to_string(map.rank);
  if (map.boxDim[1] != 1)
    return "four rows need boxDim[1] = 1, but it is " + std::to_string(map.boxDim[1]);
  return {};
}

} // namespace

const char *boxModeName(BoxMode mode) {
  switch (mode) {
  case BoxMode::Tile:
    return "tile";
  case BoxMode::Gather4:
    return "tile::gather4";
  case BoxMode::Scatter4:
    return "tile::scatter4";
  case BoxMode::Im2col:
    return "im2col";
  case BoxMode::Im2colNoOffsets:
    return "im2col_no_offs";
  case BoxMode::Im2colW:
    return "im2col::w";
  case BoxMode::Im2colW128:
    return "im2col::w::128";
  }
  return "?";
}

uint64_t swizzleAddress(TensorSwizzle swizzle, uint64_t address) {
  uint64_t line = address >> 7;
  switch (swizzle) {
  case TensorSwizzle::None:
    return address;
  case TensorSwizzle::B32:
    return address ^ ((line & 1) << 4);
  case TensorSwizzle::B64:
    return address ^ ((line & 3) << 4);
  case TensorSwizzle::B128:
    return address ^ ((line & 7) << 4);
  case TensorSwizzle::B128Atom32:
    return address ^ ((line & 3) << 5);
  case TensorSwizzle::B128Atom32Flip8:
    return address ^ ((line & 3) << 5) ^ ((line & 1) << 3);
  case TensorSwizzle::B128Atom64:
    return address ^ ((line & 1) << 6);
  }
  return address;
}

unsigned swizzleAtom(TensorSwizzle swizzle) {
  switch (swizzle) {
  case TensorSwizzle::None:
    return 0;
  case TensorSwizzle::B128Atom32:
    return 32;
  case TensorSwizzle::B128Atom32Flip8:
    return 8;
  case TensorSwizzle::B128Atom64:
    return 64;
  default:
    return 16;
  }
}

/// A box lies in the shared memory of a block; a map may have one that no block could hold, of up to 256 to the fifth.
static std::string checkSize(const TensorFields &map) {
  constexpr uint64_t most = 256 << 10;
  uint64_t bits = tensorTypeBits(map.type);
  for (unsigned i = 0; i < map.rank; ++i) {
    bits *= map.boxDim[i];
    if (bits / 8 > most)
      return "the map's box has more than " + std::to_string(most) + " bytes, which no shared memory holds";
  }
  return {};
}

std::string enumerateBox(const TensorFields &map, const BoxRequest &request, uint64_t sharedAddress, Box &box) {
  box.pieces.clear();
  box.bytes = 0;
  std::string text = checkMode(map, request);
  if (!text.empty())
    return text;
  Rows rows(map, request.store, sharedAddress, box);
  switch (request.mode) {
  case BoxMode::Tile:
    text = checkSize(map);
    if (!text.empty())
      return text;
    addTile(map, request, rows);
    return {};
  case BoxMode::Gather4:
  case BoxMode::Scatter4:
    text = checkFourRows(map);
    if (!text.empty())
      return text;
    for (unsigned i = 1; i <= 4; ++i) {
      int64_t at[maxTensorRank] = {0, request.coordinates[i]};
      rows.add(request.coordinates[0], map.boxDim[0], at);
    }
    return {};
  default:
    break;
  }
  text = checkCorner(map, request);
  if (!text.empty())
    return text;
  if (uint64_t(map.channelsPerPixel) * tensorTypeBits(map.type) % 128)
    return "channelsPerPixel times the element's size must be a multiple of 16 bytes, but is " +
           std::to_string(map.channelsPerPixel) + " times " + std::to_string(tensorTypeBits(map.type)) + " bits";
  if (request.mode == BoxMode::Im2col || request.mode == BoxMode::Im2colNoOffsets)
    addPixels(map, request, rows);
  else
    addWidePixels(map, request, rows);
  return {};
}

std::string unknownLayout(const TensorFields &map, const BoxRequest &request) {
  if (map.interleave != TensorInterleave::None && map.mode != TensorMode::Tiled)
    return "im2col of an interleaved layout";
  // What is counted towards the mbarrier.
  if (map.type == TensorType::U4Align16 || map.type == TensorType::U6Align16)
    return std::string("tensor maps of type ") + tensorTypeName(map.type);
  if (map.type == TensorType::U4Align8 && request.coordinates[0] % 2 != 0)
    return "4-bit boxes that begin inside a byte";
  bool wide = request.mode == BoxMode::Im2colW || request.mode == BoxMode::Im2colW128;
  if (wide && request.offsets[0] != 0)
    return std::string("load mode ") + boxModeName(request.mode) + " with a halo";
  return {};
}

} // namespace tilec::sim

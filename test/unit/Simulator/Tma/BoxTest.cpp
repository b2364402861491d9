#include "lib/Simulator/Tma/Box.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilec::sim;

namespace {

/// What each byte of the box in shared memory must be: a global address, or -1 where it is filled. Found by going
/// through the box element by element, with the swizzle as a table of 16-byte cells.
using Bytes = std::vector<int64_t>;

/// The ISA's tables: where the cell with that number is found, for each line of 8 cells. 8-byte flips come on top.
unsigned swizzledCell(TensorSwizzle swizzle, unsigned line, unsigned cell) {
  static const unsigned b64[4][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}};
  static const unsigned b128[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5},
                                      {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                                      {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
  static const unsigned atom32[4][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}};
  static const unsigned atom64[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}};
  switch (swizzle) {
  case TensorSwizzle::None:
    return cell;
  case TensorSwizzle::B32:
    return b64[line % 2][cell];
  case TensorSwizzle::B64:
    return b64[line % 4][cell];
  case TensorSwizzle::B128:
    return b128[line % 8][cell];
  case TensorSwizzle::B128Atom32:
  case TensorSwizzle::B128Atom32Flip8:
    return atom32[line % 4][cell];
  case TensorSwizzle::B128Atom64:
    return atom64[line % 2][cell];
  }
  return cell;
}

TEST(Box, SwizzlesAreTheTablesOfTheISA) {
  for (unsigned kind = 0; kind < tensorSwizzles; ++kind) {
    auto swizzle = static_cast<TensorSwizzle>(kind);
    for (unsigned line = 0; line < 16; ++line)
      for (unsigned cell = 0; cell < 8; ++cell)
        for (unsigned byte = 0; byte < 16; ++byte) {
          bool flip = swizzle == TensorSwizzle::B128Atom32Flip8 && line % 2;
          uint64_t expected = line * 128 + swizzledCell(swizzle, line, cell) * 16 + (flip ? byte ^ 8 : byte);
          EXPECT_EQ(swizzleAddress(swizzle, 0x10400 + line * 128 + cell * 16 + byte), 0x10400 + expected);
        }
  }
}

Bytes flatten(const Box &box, uint64_t room) {
  Bytes bytes(room, -2);
  for (const BoxPiece &piece : box.pieces)
    for (uint32_t i = 0; i < piece.bytes; ++i) {
      int64_t at = int64_t(piece.shared) + i;
      EXPECT_TRUE(at >= 0 && at < int64_t(room));
      if (at < 0 || at >= int64_t(room))
        return bytes;
      EXPECT_EQ(bytes[at], -2) << "written twice";
      bytes[at] = piece.inside ? static_cast<int64_t>(piece.global + i) : -1;
    }
  return bytes;
}

/// Places `value` for byte `linear` of the box.
void place(Bytes &bytes, const TensorFields &map, uint64_t shared, uint64_t linear, int64_t value) {
  uint64_t address = shared + linear;
  unsigned line = static_cast<unsigned>(address / 128), cell = address % 128 / 16;
  uint64_t byte = address % 16;
  if (map.swizzle == TensorSwizzle::B128Atom32Flip8 && line % 2)
    byte ^= 8;
  bytes[uint64_t(line) * 128 + swizzledCell(map.swizzle, line, cell) * 16 + byte - shared] = value;
}

/// From one row to the next in shared memory: with a swizzle, rows take its whole span.
uint64_t pitchOf(const TensorFields &map, uint64_t elements) {
  uint64_t bytes = elements * tensorTypeBits(map.type) / 8, span = tensorSwizzleSpan(map.swizzle);
  return span ? (bytes + span - 1) / span * span : bytes;
}

/// Room for the rows, and for what a swizzle moves within the last line.
uint64_t roomOf(const TensorFields &map, const Box &box, uint64_t elements) {
  uint64_t rows = box.bytes * 8 / (elements * tensorTypeBits(map.type));
  return (rows * pitchOf(map, elements) + 127) / 128 * 128;
}

Bytes bruteTile(const TensorFields &map, const BoxRequest &request, uint64_t shared, uint64_t room) {
  Bytes bytes(room, -2);
  unsigned size = tensorTypeBits(map.type) / 8;
  uint64_t counts[5] = {1, 1, 1, 1, 1}, all = 1;
  for (unsigned i = 0; i < map.rank; ++i) {
    uint32_t step = i ? map.elementStrides[i] : 1;
    counts[i] = (map.boxDim[i] + step - 1) / step;
    all *= counts[i];
  }
  for (uint64_t element = 0; element < all; ++element) {
    uint64_t rest = element;
    int64_t global = static_cast<int64_t>(map.globalAddress);
    bool inside = true;
    for (unsigned i = 0; i < map.rank; ++i) {
      uint32_t step = i ? map.elementStrides[i] : 1;
      int64_t at = request.coordinates[i] + static_cast<int64_t>(rest % counts[i]) * step;
      rest /= counts[i];
      inside = inside && at >= 0 && at < static_cast<int64_t>(map.globalDim[i]);
      global += at * static_cast<int64_t>(i ? map.globalStrides[i - 1] : size);
    }
    for (unsigned byte = 0; byte < size; ++byte)
      place(bytes, map, shared, element / counts[0] * pitchOf(map, counts[0]) + element % counts[0] * size + byte,
            inside ? global + byte : -1);
  }
  return bytes;
}

TensorFields tiled(TensorType type, std::vector<uint64_t> dim, std::vector<uint32_t> box, TensorSwizzle swizzle) {
  TensorFields map;
  map.type = type;
  map.rank = static_cast<uint32_t>(dim.size());
  map.globalAddress = 0x10000;
  map.swizzle = swizzle;
  uint64_t stride = dim[0] * tensorTypeBits(type) / 8;
  for (unsigned i = 0; i < map.rank; ++i) {
    map.globalDim[i] = dim[i];
    map.boxDim[i] = box[i];
    if (i)
      map.globalStrides[i - 1] = stride = (stride + 31) / 16 * 16, stride *= dim[i];
  }
  return map;
}

TEST(Box, TilesAgainstBruteForce) {
  std::mt19937 random(7);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  static const TensorType types[] = {TensorType::U8, TensorType::F16, TensorType::F32, TensorType::F64};
  for (unsigned round = 0; round < 400; ++round) {
    unsigned rank = 1 + below(5);
    TensorType type = types[below(4)];
    auto swizzle = static_cast<TensorSwizzle>(below(tensorSwizzles));
    unsigned size = tensorTypeBits(type) / 8, span = tensorSwizzleSpan(swizzle);
    unsigned units = 1 + below(span ? span / 16 : 8);
    std::vector<uint64_t> dim{1 + below(40)};
    std::vector<uint32_t> box{units * 16 / size};
    for (unsigned i = 1; i < rank; ++i) {
      dim.push_back(1 + below(9));
      box.push_back(1 + below(rank > 3 ? 3 : 9));
    }
    TensorFields map = tiled(type, dim, box, swizzle);
    for (unsigned i = 1; i < rank; ++i)
      map.elementStrides[i] = 1 + below(3);
    ASSERT_EQ(checkFields(map), "");
    BoxRequest request;
    request.rank = rank;
    for (unsigned i = 0; i < rank; ++i)
      request.coordinates[i] = static_cast<int32_t>(below(24)) - 8;
    uint64_t shared = 0x400 + 128 * below(16);
    Box boxFound;
    ASSERT_EQ(enumerateBox(map, request, shared, boxFound), "");
    uint64_t room = roomOf(map, boxFound, map.boxDim[0]);
    ASSERT_EQ(flatten(boxFound, room), bruteTile(map, request, shared, room))
        << "rank " << rank << ", swizzle " << tensorSwizzleName(swizzle);
  }
}

TEST(Box, RowsThatFollowEachOtherAreOnePiece) {
  TensorFields map = tiled(TensorType::F32, {16, 8}, {16, 8}, TensorSwizzle::None);
  map.globalStrides[0] = 64;
  BoxRequest request;
  request.rank = 2;
  Box box;
  ASSERT_EQ(enumerateBox(map, request, 0x400, box), "");
  ASSERT_EQ(box.pieces.size(), 1u);
  EXPECT_EQ(box.pieces[0].bytes, 512u);
  EXPECT_EQ(box.pieces[0].global, 0x10000u);
}

/// Slices of 16 bytes: dimension 0 counts them, dimension 1 counts slices of channels, of which a box has one.
TEST(Box, InterleavedSlices) {
  TensorFields map = tiled(TensorType::F16, {10, 4, 5}, {4, 4, 2}, TensorSwizzle::None);
  map.interleave = TensorInterleave::B16;
  map.globalStrides[0] = 160;
  map.globalStrides[1] = 640;
  BoxRequest request;
  request.rank = 3;
  request.coordinates[0] = 8;
  request.coordinates[1] = 3;
  request.coordinates[2] = 1;
  Box box;
  ASSERT_EQ(enumerateBox(map, request, 0x400, box), "");
  EXPECT_EQ(box.bytes, 128u);
  ASSERT_EQ(box.pieces.size(), 4u);
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(box.pieces[i].bytes, 32u);
  EXPECT_EQ(box.pieces[0].global, 0x10000u + 640 + 480 + 128);
  EXPECT_FALSE(box.pieces[1].inside);
  EXPECT_EQ(box.pieces[2].global, 0x10000u + 1280 + 480 + 128);
}

TEST(Box, FourBitElementsArePacked) {
  TensorFields map = tiled(TensorType::U4Align8, {64, 4}, {32, 2}, TensorSwizzle::None);
  BoxRequest request;
  request.rank = 2;
  request.coordinates[0] = 48;
  Box box;
  ASSERT_EQ(enumerateBox(map, request, 0x400, box), "");
  EXPECT_EQ(box.bytes, 32u);
  ASSERT_EQ(box.pieces.size(), 4u);
  EXPECT_EQ(box.pieces[0].global, 0x10018u);
  EXPECT_EQ(box.pieces[0].bytes, 8u);
  EXPECT_FALSE(box.pieces[1].inside);
}

TEST(Box, GatherTakesFourRows) {
  TensorFields map = tiled(TensorType::F16, {64, 10}, {8, 1}, TensorSwizzle::None);
  BoxRequest request;
  request.mode = BoxMode::Gather4;
  request.rank = 2;
  int32_t coordinates[] = {1, 2, 5, 0, 10};
  std::copy(std::begin(coordinates), std::end(coordinates), request.coordinates);
  Box box;
  ASSERT_EQ(enumerateBox(map, request, 0x400, box), "");
  EXPECT_EQ(box.bytes, 64u);
  ASSERT_EQ(box.pieces.size(), 4u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(box.pieces[i].global, 0x10000 + map.globalStrides[0] * coordinates[i + 1] + 2);
  EXPECT_FALSE(box.pieces[3].inside);
  map.boxDim[1] = 2;
  EXPECT_EQ(enumerateBox(map, request, 0x400, box), "four rows need boxDim[1] = 1, but it is 2");
}

/// im2col by its meaning: the filter's corner visits output pixels in row-major order.
Bytes bruteColumn(const TensorFields &map, const BoxRequest &request, uint64_t shared, uint64_t room) {
  Bytes bytes(room, -2);
  unsigned size = tensorTypeBits(map.type) / 8, spatial = map.rank - 2;
  // Output pixels along each dimension, and the number of the first one.
  int64_t outputs[3] = {1, 1, 1}, number = 0, scale = 1;
  for (unsigned i = 0; i < spatial; ++i) {
    int64_t step = map.elementStrides[i + 1];
    int64_t extent = static_cast<int64_t>(map.globalDim[i + 1]) + map.upperCorner[i] - map.lowerCorner[i];
    outputs[i] = (extent + step - 1) / step;
    number += (request.coordinates[i + 1] - map.lowerCorner[i]) / step * scale;
    scale *= outputs[i];
  }
  number += request.coordinates[map.rank - 1] * scale;
  for (uint32_t pixel = 0; pixel < map.pixelsPerColumn; ++pixel, ++number) {
    int64_t rest = number, global = static_cast<int64_t>(map.globalAddress);
    bool inside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      bool batch = i + 1 == map.rank;
      int64_t at =
          batch ? rest
                : map.lowerCorner[i - 1] + rest % outputs[i - 1] * map.elementStrides[i] + request.offsets[i - 1];
      if (!batch)
        rest /= outputs[i - 1];
      inside = inside && at >= 0 && at < static_cast<int64_t>(map.globalDim[i]);
      global += at * static_cast<int64_t>(map.globalStrides[i - 1]);
    }
    for (uint32_t channel = 0; channel < map.channelsPerPixel; ++channel) {
      int64_t c = request.coordinates[0] + int64_t(channel);
      bool here = inside && c >= 0 && c < static_cast<int64_t>(map.globalDim[0]);
      for (unsigned byte = 0; byte < size; ++byte)
        place(bytes, map, shared, pixel * pitchOf(map, map.channelsPerPixel) + channel * size + byte,
              here ? global + c * size + byte : -1);
    }
  }
  return bytes;
}

TEST(Box, ColumnsAgainstBruteForce) {
  std::mt19937 random(11);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned round = 0; round < 200; ++round) {
    unsigned rank = 3 + below(3);
    std::vector<uint64_t> dim{8 + below(40)};
    std::vector<uint32_t> box{1};
    for (unsigned i = 1; i < rank; ++i) {
      dim.push_back(3 + below(8));
      box.push_back(1);
    }
    TensorFields map = tiled(TensorType::F16, dim, box, round % 2 ? TensorSwizzle::B64 : TensorSwizzle::None);
    map.mode = TensorMode::Im2col;
    map.channelsPerPixel = 8 * (1 + below(4));
    map.pixelsPerColumn = 1 + below(100);
    BoxRequest request;
    request.mode = BoxMode::Im2col;
    request.rank = rank;
    request.coordinates[0] = static_cast<int32_t>(below(16));
    for (unsigned i = 1; i + 1 < rank; ++i) {
      map.elementStrides[i] = 1 + below(2);
      map.lowerCorner[i - 1] = -static_cast<int>(below(2));
      map.upperCorner[i - 1] = -static_cast<int>(below(3));
      int64_t extent = static_cast<int64_t>(map.globalDim[i]) + map.upperCorner[i - 1] - map.lowerCorner[i - 1];
      unsigned outputs = static_cast<unsigned>((extent + map.elementStrides[i] - 1) / map.elementStrides[i]);
      request.coordinates[i] = map.lowerCorner[i - 1] + static_cast<int32_t>(below(outputs) * map.elementStrides[i]);
      request.offsets[i - 1] = static_cast<uint16_t>(below(3));
    }
    request.coordinates[rank - 1] = static_cast<int32_t>(below(4));
    ASSERT_EQ(checkFields(map), "");
    Box found;
    ASSERT_EQ(enumerateBox(map, request, 0x400, found), "");
    uint64_t room = roomOf(map, found, map.channelsPerPixel);
    ASSERT_EQ(flatten(found, room), bruteColumn(map, request, 0x400, room)) << "rank " << rank;
  }
}

/// The first example of the ISA's section on im2col: 9 columns, corners -1 and -1, first pixel (7, 4).
TEST(Box, ColumnsWrapAtTheUpperCorner) {
  TensorFields map = tiled(TensorType::F16, {64, 9, 14, 64}, {1, 1, 1, 1}, TensorSwizzle::None);
  map.mode = TensorMode::Im2col;
  map.channelsPerPixel = 8;
  map.pixelsPerColumn = 4;
  map.lowerCorner[0] = map.lowerCorner[1] = map.upperCorner[0] = map.upperCorner[1] = -1;
  BoxRequest request;
  request.mode = BoxMode::Im2col;
  request.rank = 4;
  int32_t coordinates[] = {0, 7, 4, 0};
  std::copy(std::begin(coordinates), std::end(coordinates), request.coordinates);
  Box box;
  ASSERT_EQ(enumerateBox(map, request, 0x400, box), "");
  ASSERT_EQ(box.pieces.size(), 4u);
  auto at = [&](int64_t w, int64_t h) { return 0x10000 + w * map.globalStrides[0] + h * map.globalStrides[1]; };
  EXPECT_EQ(box.pieces[0].global, at(7, 4));
  EXPECT_FALSE(box.pieces[1].inside); // w = -1
  EXPECT_EQ(box.pieces[2].global, at(0, 5));
  EXPECT_EQ(box.pieces[3].global, at(1, 5));
  request.coordinates[1] = 8;
  EXPECT_EQ(enumerateBox(map, request, 0x400, box),
            "coordinate 1 must be inside the map's pixel box, -1 to 7, but is 8");
}

TEST(Box, WideColumnsStayInTheirRow) {
  TensorFields map = tiled(TensorType::F16, {64, 9, 7, 64}, {1, 1, 1, 1}, TensorSwizzle::B128);
  map.mode = TensorMode::Im2colW;
  map.channelsPerPixel = 64;
  map.pixelsPerColumn = 12;
  BoxRequest request;
  request.mode = BoxMode::Im2colW;
  request.rank = 4;
  int32_t coordinates[] = {0, 2, 3, 5};
  std::copy(std::begin(coordinates), std::end(coordinates), request.coordinates);
  Box box;
  ASSERT_EQ(enumerateBox(map, request, 0x400, box), "");
  EXPECT_EQ(box.bytes, 12u * 128);
  auto at = [&](int64_t w, int64_t n) {
    return 0x10000 + w * map.globalStrides[0] + 3 * map.globalStrides[1] + n * map.globalStrides[2];
  };
  EXPECT_EQ(box.pieces.front().global, at(2, 5));
  EXPECT_EQ(box.pieces.back().global + box.pieces.back().bytes, at(4, 6) + 128);
  request.offsets[0] = 2;
  EXPECT_EQ(unknownLayout(map, request), "load mode im2col::w with a halo");
}

TEST(Box, ModesMustMatchTheMap) {
  TensorFields map = tiled(TensorType::F16, {64, 9}, {8, 1}, TensorSwizzle::None);
  BoxRequest request;
  request.rank = 3;
  Box box;
  EXPECT_EQ(enumerateBox(map, request, 0, box), "the instruction has 3 dimensions, but the tensor map has 2");
  request.mode = BoxMode::Im2col;
  EXPECT_EQ(enumerateBox(map, request, 0, box),
            "load mode im2col needs a tensor map of mode im2col, but the map's mode is tiled");
}

TEST(Box, AsLargeAsSharedMemoryCanBe) {
  TensorFields map = tiled(TensorType::F32, {256, 256, 9}, {256, 256, 1}, TensorSwizzle::None);
  BoxRequest request;
  request.rank = 3;
  Box box;
  EXPECT_EQ(enumerateBox(map, request, 0, box), "");
  EXPECT_EQ(box.bytes, 256u << 10);
  map.boxDim[2] = 2;
  EXPECT_EQ(enumerateBox(map, request, 0, box),
            "the map's box has more than 262144 bytes, which no shared memory holds");
  map = tiled(TensorType::F64, {256, 256, 256, 256, 256}, {256, 256, 256, 256, 256}, TensorSwizzle::None);
  request.rank = 5;
  EXPECT_EQ(enumerateBox(map, request, 0, box),
            "the map's box has more than 262144 bytes, which no shared memory holds");
}

/// Stores write whole units of 16 bytes, so a row of 9 halves is one of 16; loads fill what follows the 9.
TEST(Box, RowsOfStoresEndWithTheirUnit) {
  TensorFields map = tiled(TensorType::F16, {9, 4}, {24, 1}, TensorSwizzle::None);
  BoxRequest request;
  request.rank = 2;
  auto insideBytes = [&](bool store) {
    request.store = store;
    Box box;
    EXPECT_EQ(enumerateBox(map, request, 0x400, box), "");
    uint32_t bytes = 0;
    for (const BoxPiece &piece : box.pieces)
      bytes += piece.inside ? piece.bytes : 0;
    return bytes;
  };
  EXPECT_EQ(insideBytes(false), 18u);
  EXPECT_EQ(insideBytes(true), 32u);
  map.globalDim[0] = 8;
  EXPECT_EQ(insideBytes(true), 16u);
}

} // namespace

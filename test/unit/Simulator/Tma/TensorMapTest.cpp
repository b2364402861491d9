#include "lib/Simulator/Tma/TensorMap.h"

#include <gtest/gtest.h>

using namespace tilec::sim;

namespace {

/// A legal map of rank 2 whose parts a test changes.
struct Tiled {
  TensorType type = TensorType::F16;
  uint32_t rank = 2;
  uint64_t address = 0x1000;
  uint64_t dim[6] = {256, 128, 8, 4, 2, 1};
  uint64_t strides[5] = {512, 65536, 524288, 2097152, 4194304};
  uint32_t box[6] = {64, 64, 1, 1, 1, 1};
  uint32_t steps[6] = {1, 1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::B128;
  TensorFill fill = TensorFill::Zero;
  TensorMap map;

  std::string encode() {
    return encodeTiled(&map, type, rank, address, dim, strides, box, steps, interleave, swizzle, TensorPromotion::B128,
                       fill);
  }
};

TEST(TensorMap, FieldsComeBack) {
  Tiled t;
  t.rank = 3;
  t.box[2] = 4;
  t.steps[1] = 2;
  t.dim[2] = uint64_t(1) << 32;
  t.fill = TensorFill::NaN;
  ASSERT_EQ(t.encode(), "");
  TensorFields f;
  ASSERT_EQ(readMap(&t.map, f), "");
  EXPECT_EQ(f.mode, TensorMode::Tiled);
  EXPECT_EQ(f.type, TensorType::F16);
  EXPECT_EQ(f.rank, 3u);
  EXPECT_EQ(f.globalAddress, 0x1000u);
  EXPECT_EQ(f.globalDim[0], 256u);
  EXPECT_EQ(f.globalDim[2], uint64_t(1) << 32);
  EXPECT_EQ(f.globalStrides[1], 65536u);
  EXPECT_EQ(f.boxDim[0], 64u);
  EXPECT_EQ(f.boxDim[2], 4u);
  EXPECT_EQ(f.elementStrides[1], 2u);
  EXPECT_EQ(f.swizzle, TensorSwizzle::B128);
  EXPECT_EQ(f.promotion, TensorPromotion::B128);
  EXPECT_EQ(f.fill, TensorFill::NaN);
}

TEST(TensorMap, RankOneNeedsNoStrides) {
  TensorMap map;
  uint64_t dim[] = {1000};
  uint32_t box[] = {256}, step[] = {1};
  EXPECT_EQ(encodeTiled(&map, TensorType::U8, 1, 64, dim, nullptr, box, step, TensorInterleave::None,
                        TensorSwizzle::None, TensorPromotion::None, TensorFill::Zero),
            "");
}

TEST(TensorMap, OverwrittenMapsAreFoundOut) {
  Tiled t;
  ASSERT_EQ(t.encode(), "");
  TensorFields f;
  t.map.bytes[17] ^= 1;
  EXPECT_EQ(readMap(&t.map, f), "the tensor map was overwritten by something else than tensormap.replace");
  TensorMap empty;
  EXPECT_EQ(readMap(&empty, f), "the 128 bytes are no tensor map that a host function encoded");
}

/// A change to the legal map, and the text that refuses it.
struct Refusal {
  void (*change)(Tiled &);
  const char *text;
};

TEST(TensorMap, TiledRefusals) {
  static const Refusal refusals[] = {
      {[](Tiled &t) { t.rank = 0; }, "rank must be 1 to 5, but is 0"},
      {[](Tiled &t) { t.rank = 6; }, "rank must be 1 to 5, but is 6"},
      {[](Tiled &t) { t.address = 0x1008; }, "globalAddress must be a multiple of 16, but is 4104"},
      {[](Tiled &t) { t.dim[1] = 0; }, "globalDim[1] must be 1 to 4294967296, but is 0"},
      {[](Tiled &t) { t.dim[0] = (uint64_t(1) << 32) + 1; }, "globalDim[0] must be 1 to 4294967296, but is 4294967297"},
      {[](Tiled &t) { t.strides[0] = 520; }, "globalStrides[0] must be a multiple of 16 bytes, but is 520"},
      {[](Tiled &t) { t.strides[0] = uint64_t(1) << 40; },
       "globalStrides[0] must be less than 1099511627776, but is 1099511627776"},
      {[](Tiled &t) { t.box[1] = 257; }, "boxDim[1] must be 1 to 256, but is 257"},
      {[](Tiled &t) { t.box[0] = 0; }, "boxDim[0] must be 1 to 256, but is 0"},
      {[](Tiled &t) { t.box[0] = 12; },
       "boxDim[0] times the element's size must be a multiple of 16 bytes, but is 12 times 16 bits"},
      {[](Tiled &t) { t.box[0] = 72; },
       "boxDim[0] must be at most 64 elements (128 bytes) with swizzle 128B, but is 72"},
      {[](Tiled &t) { t.swizzle = TensorSwizzle::B32; },
       "boxDim[0] must be at most 16 elements (32 bytes) with swizzle 32B, but is 64"},
      {[](Tiled &t) { t.steps[1] = 9; }, "elementStrides[1] must be 1 to 8, but is 9"},
      {[](Tiled &t) { t.interleave = TensorInterleave::B16; },
       "rank must be at least 3 with an interleaved layout, but is 2"},
      {[](Tiled &t) {
         t.rank = 3;
         t.interleave = TensorInterleave::B32;
       },
       "swizzle must be 32B with 32B interleave, but is 128B"},
      {[](Tiled &t) {
         t.rank = 3;
         t.address = 0x1010;
         t.interleave = TensorInterleave::B32;
       },
       "globalAddress must be a multiple of 32 with 32B interleave, but is 4112"},
      {[](Tiled &t) {
         t.type = TensorType::U16;
         t.fill = TensorFill::NaN;
       },
       "oobFill must be zero for a type that is not floating-point, but is NaN for u16"},
      {[](Tiled &t) {
         t.type = TensorType::U4Align16;
         t.dim[0] = 192;
       },
       "globalDim[0] must be a multiple of 128 for 16u4_align16, but is 192"},
      {[](Tiled &t) { t.type = TensorType::U4Align16; }, "boxDim[0] must be 128 for 16u4_align16, but is 64"},
      {[](Tiled &t) {
         t.type = TensorType::U6Align16;
         t.box[0] = 128;
         t.swizzle = TensorSwizzle::B64;
       },
       "swizzle must be none, 128B, or 128B with 32B or 64B atoms for 16u6_align16, but is 64B"},
      {[](Tiled &t) {
         t.type = TensorType::U4Align8;
         t.dim[0] = 255;
       },
       "globalDim[0] must be a multiple of 2 for 16u4_align8, but is 255"},
  };
  for (const Refusal &refusal : refusals) {
    Tiled t;
    refusal.change(t);
    EXPECT_EQ(t.encode(), refusal.text);
  }
}

TEST(TensorMap, FirstElementStrideCountsOnlyWithInterleave) {
  Tiled t;
  t.steps[0] = 0;
  EXPECT_EQ(t.encode(), "");
}

TEST(TensorMap, Im2colRanges) {
  TensorMap map;
  uint64_t dim[] = {64, 9, 14, 64}, strides[] = {128, 1152, 16128};
  uint32_t steps[] = {1, 1, 1, 1};
  auto encode = [&](int low, int high, uint32_t channels, uint32_t pixels) {
    int lower[] = {low, low}, upper[] = {high, high};
    return encodeIm2col(&map, TensorType::F16, 4, 0x1000, dim, strides, lower, upper, channels, pixels, steps,
                        TensorInterleave::None, TensorSwizzle::B128, TensorPromotion::None, TensorFill::Zero);
  };
  EXPECT_EQ(encode(-1, -1, 64, 1024), "");
  EXPECT_EQ(encode(-129, -1, 64, 64), "pixelBoxLowerCorner[0] must be -128 to 127, but is -129");
  EXPECT_EQ(encode(0, 128, 64, 64), "pixelBoxUpperCorner[0] must be -128 to 127, but is 128");
  EXPECT_EQ(encode(4, -5, 64, 64), "the box between pixelBoxLowerCorner[0] and pixelBoxUpperCorner[0] must not be "
                                   "empty, but has 0 elements (globalDim[1] 9, corners 4 and -5)");
  EXPECT_EQ(encode(0, 0, 65, 64),
            "channelsPerPixel must be at most 64 elements (128 bytes) with swizzle 128B, but is 65");
  EXPECT_EQ(encode(0, 0, 64, 1025), "pixelsPerColumn must be 1 to 1024, but is 1025");
  TensorFields f;
  ASSERT_EQ(encode(-3, 2, 32, 100), "");
  ASSERT_EQ(readMap(&map, f), "");
  EXPECT_EQ(f.mode, TensorMode::Im2col);
  EXPECT_EQ(f.lowerCorner[1], -3);
  EXPECT_EQ(f.upperCorner[1], 2);
  EXPECT_EQ(f.channelsPerPixel, 32u);
  EXPECT_EQ(f.pixelsPerColumn, 100u);
}

TEST(TensorMap, WideIm2colSwizzles) {
  TensorMap map;
  uint64_t dim[] = {64, 9, 14, 64}, strides[] = {128, 1152, 16128};
  uint32_t steps[] = {1, 1, 1, 1};
  auto encode = [&](TensorMode mode, TensorSwizzle swizzle) {
    return encodeIm2colWide(&map, TensorType::F16, 4, 0x1000, dim, strides, -1, 0, 32, 64, steps,
                            TensorInterleave::None, mode, swizzle, TensorPromotion::None, TensorFill::Zero);
  };
  EXPECT_EQ(encode(TensorMode::Im2colW, TensorSwizzle::B128), "");
  EXPECT_EQ(encode(TensorMode::Im2colW128, TensorSwizzle::None),
            "swizzle must be 64B, 128B or 128B with 32B atoms for im2col wide, but is none");
  EXPECT_EQ(encode(TensorMode::Tiled, TensorSwizzle::B128), "mode must be im2col::w or im2col::w::128, but is tiled");
}

TEST(TensorMap, ReplaceAddress) {
  Tiled t;
  ASSERT_EQ(t.encode(), "");
  EXPECT_EQ(replaceAddress(&t.map, 0x2001), "globalAddress must be a multiple of 16, but is 8193");
  EXPECT_EQ(replaceAddress(&t.map, 0x2000), "");
  TensorFields f;
  ASSERT_EQ(readMap(&t.map, f), "");
  EXPECT_EQ(f.globalAddress, 0x2000u);
}

} // namespace

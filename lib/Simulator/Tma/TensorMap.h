/// Tensor maps: what a tensor copy knows of the tensor in global memory and of the box that it moves.
///
/// On a GPU a tensor map is 128 opaque bytes that the driver makes. Here the functions of the driver have twins with
/// the same parameters in the same order, the same limits and the same refusals; the bytes are an encoding of our own
/// (TensorMap.cpp describes it), which the simulated copies and `tensormap.replace` understand. Nothing here depends on
/// the simulator, so a host program can make maps without it.
///
/// Sources: CUDA driver API, "Tensor Map Object Management" (cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col,
/// cuTensorMapEncodeIm2colWide, cuTensorMapReplaceAddress); PTX ISA, "Tensors" and `tensormap.replace`.
#ifndef TILEC_LIB_SIMULATOR_TMA_TENSORMAP_H
#define TILEC_LIB_SIMULATOR_TMA_TENSORMAP_H

#include <cstdint>
#include <string>

namespace tilec::sim {

/// Bytes of a map.
constexpr unsigned tensorMapBytes = 128;
/// A map in memory must begin at a multiple of this.
constexpr unsigned tensorMapAlignment = 64;
/// The most dimensions of a tensor.
constexpr unsigned maxTensorRank = 5;

/// The 128 bytes.
struct alignas(64) TensorMap {
  unsigned char bytes[tensorMapBytes] = {};
};

/// Element types, numbered as CUtensorMapDataType.
enum class TensorType : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64,
  BF16,
  F32Ftz,
  TF32,
  TF32Ftz,
  /// Sixteen 4-bit values in 8 bytes, without gaps.
  U4Align8,
  /// Sixteen 4-bit values in 8 bytes of global memory, in 16 bytes of shared memory.
  U4Align16,
  /// Sixteen 6-bit values in 12 bytes of global memory, in 16 bytes of shared memory.
  U6Align16,
};
/// How many element types there are.
constexpr unsigned tensorTypes = 16;
/// "f16", "16u4_align8", …
const char *tensorTypeName(TensorType type);
/// Bits of an element in global memory.
unsigned tensorTypeBits(TensorType type);
/// Whether it is a floating-point type.
bool isFloat(TensorType type);

/// Numbered as CUtensorMapInterleave.
enum class TensorInterleave : uint8_t { None, B16, B32 };

/// Numbered as CUtensorMapSwizzle.
enum class TensorSwizzle : uint8_t { None, B32, B64, B128, B128Atom32, B128Atom32Flip8, B128Atom64 };
/// How many swizzles there are.
constexpr unsigned tensorSwizzles = 7;
/// "none", "32B", "128B with 32B atoms", …
const char *tensorSwizzleName(TensorSwizzle swizzle);
/// The bytes that a row of the box may have at most; 0: any.
unsigned tensorSwizzleSpan(TensorSwizzle swizzle);

/// Numbered as CUtensorMapL2promotion. A hint, which changes nothing here.
enum class TensorPromotion : uint8_t { None, B64, B128, B256 };

/// Numbered as CUtensorMapFloatOOBfill.
enum class TensorFill : uint8_t { Zero, NaN };

/// What a map is for.
enum class TensorMode : uint8_t { Tiled, Im2col, Im2colW, Im2colW128 };
/// "tiled", "im2col", …
const char *tensorModeName(TensorMode mode);

/// A map's fields. Arrays begin with the innermost dimension; what lies above the rank is not looked at.
struct TensorFields {
  TensorMode mode = TensorMode::Tiled;
  TensorType type = TensorType::U8;
  uint32_t rank = 1;
  uint64_t globalAddress = 0;
  /// Elements along each dimension.
  uint64_t globalDim[maxTensorRank] = {1, 1, 1, 1, 1};
  /// Bytes from one element to the next along dimension i + 1.
  uint64_t globalStrides[maxTensorRank - 1] = {0, 0, 0, 0};
  uint32_t boxDim[maxTensorRank] = {1, 1, 1, 1, 1};
  uint32_t elementStrides[maxTensorRank] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorPromotion promotion = TensorPromotion::None;
  TensorFill fill = TensorFill::Zero;
  /// Of the im2col modes: where the filter's corner may lie along W, H, D (dimension i + 1), relative to the first and
  /// the last element.
  int32_t lowerCorner[maxTensorRank - 2] = {0, 0, 0};
  int32_t upperCorner[maxTensorRank - 2] = {0, 0, 0};
  uint32_t channelsPerPixel = 0, pixelsPerColumn = 0;
};

/// \name Making maps
/// Each returns an empty text, or the reason why the parameters are refused ("boxDim[1] must be 1 to 256, but is 257");
/// then the map is left alone. Arrays have `rank` entries, `globalStrides` has one less (null for rank 1).
/// @{

/// cuTensorMapEncodeTiled.
std::string encodeTiled(TensorMap *map, TensorType type, uint32_t rank, uint64_t globalAddress,
                        const uint64_t *globalDim, const uint64_t *globalStrides, const uint32_t *boxDim,
                        const uint32_t *elementStrides, TensorInterleave interleave, TensorSwizzle swizzle,
                        TensorPromotion promotion, TensorFill fill);

/// cuTensorMapEncodeIm2col. The corners have `rank` - 2 entries, W first.
std::string encodeIm2col(TensorMap *map, TensorType type, uint32_t rank, uint64_t globalAddress,
                         const uint64_t *globalDim, const uint64_t *globalStrides, const int *pixelBoxLowerCorner,
                         const int *pixelBoxUpperCorner, uint32_t channelsPerPixel, uint32_t pixelsPerColumn,
                         const uint32_t *elementStrides, TensorInterleave interleave, TensorSwizzle swizzle,
                         TensorPromotion promotion, TensorFill fill);

/// cuTensorMapEncodeIm2colWide; `mode` is Im2colW or Im2colW128.
std::string encodeIm2colWide(TensorMap *map, TensorType type, uint32_t rank, uint64_t globalAddress,
                             const uint64_t *globalDim, const uint64_t *globalStrides, int pixelBoxLowerCornerWidth,
                             int pixelBoxUpperCornerWidth, uint32_t channelsPerPixel, uint32_t pixelsPerColumn,
                             const uint32_t *elementStrides, TensorInterleave interleave, TensorMode mode,
                             TensorSwizzle swizzle, TensorPromotion promotion, TensorFill fill);

/// cuTensorMapReplaceAddress.
std::string replaceAddress(TensorMap *map, uint64_t globalAddress);
/// @}

/// Why these fields make no legal map; empty if they do.
std::string checkFields(const TensorFields &fields);

/// Writes the fields, legal or not (`tensormap.replace` goes through states that are not).
void writeMap(void *map, const TensorFields &fields);
/// Reads the fields of 128 bytes; returns why they are no tensor map, or an empty text. The fields may still be
/// illegal: see checkFields.
std::string readMap(const void *map, TensorFields &fields);

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_TMA_TENSORMAP_H

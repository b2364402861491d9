/// Encoding. All numbers are little-endian; the bytes up to the checksum are covered by it, so that a map that was
/// overwritten by plain stores is found out.
///
///     0    magic "TMAP"          4  version   5  mode        6  type          7  rank
///     8    interleave            9  swizzle  10  promotion  11  fill
///     12   channels per pixel (2)           14  pixels per column (2)
///     16   global address (8)
///     24   strides of dimensions 1 to 4 (8 each)
///     56   extents minus 1 (4 each)
///     76   box (2 each)          86  element strides (1 each)
///     92   lower corner (2 each) 98  upper corner (2 each)
///     124  checksum (4)
///
/// Worked example: a map of f16, rank 2, box 64 x 128 with the 128-byte swizzle has 06 02 at 6, 00 03 at 8, and
/// 40 00 80 00 at 76.
#include "lib/Simulator/Tma/TensorMap.h"

#include <cstring>

namespace tilec::sim {

namespace {

constexpr uint32_t magic = 0x50414d54; // "TMAP"
constexpr uint8_t version = 1;
constexpr unsigned checksumOffset = 124;

template <typename T> void put(unsigned char *map, unsigned offset, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i)
    map[offset + i] = static_cast<unsigned char>(static_cast<uint64_t>(value) >> (8 * i));
}
template <typename T> T get(const unsigned char *map, unsigned offset) {
  uint64_t value = 0;
  for (unsigned i = 0; i < sizeof(T); ++i)
    value |= static_cast<uint64_t>(map[offset + i]) << (8 * i);
  return static_cast<T>(value);
}

uint32_t checksum(const unsigned char *map) { // FNV-1a
  uint32_t sum = 2166136261u;
  for (unsigned i = 0; i < checksumOffset; ++i)
    sum = (sum ^ map[i]) * 16777619u;
  return sum;
}

std::string number(uint64_t value) { return std::to_string(value); }
std::string indexed(const char *name, unsigned i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

/// "NAME must be EXPECTED, but is FOUND".
std::string refuse(const std::string &name, const std::string &expected, const std::string &found) {
  return name + " must be " + expected + ", but is " + found;
}

/// Padded types are stricter about alignment.
bool isPadded(TensorType type) { return type == TensorType::U4Align16 || type == TensorType::U6Align16; }
bool isPacked(TensorType type) { return type == TensorType::U4Align8 || isPadded(type); }

std::string checkAddress(const TensorFields &f) {
  unsigned alignment = f.interleave == TensorInterleave::B32 || isPadded(f.type) ? 32 : 16;
  if (f.globalAddress % alignment == 0)
    return {};
  const char *why = isPadded(f.type)                        ? " for this type"
                    : f.interleave == TensorInterleave::B32 ? " with 32B interleave"
                                                            : "";
  return refuse("globalAddress", "a multiple of " + number(alignment) + why, number(f.globalAddress));
}

std::string checkTensor(const TensorFields &f) {
  constexpr uint64_t maxDim = uint64_t(1) << 32, maxStride = uint64_t(1) << 40;
  for (unsigned i = 0; i < f.rank; ++i)
    if (f.globalDim[i] == 0 || f.globalDim[i] > maxDim)
      return refuse(indexed("globalDim", i), "1 to 4294967296", number(f.globalDim[i]));
  unsigned multiple = isPadded(f.type) ? 128 : f.type == TensorType::U4Align8 ? 2 : 1;
  if (f.globalDim[0] % multiple)
    return refuse("globalDim[0]", "a multiple of " + number(multiple) + " for " + tensorTypeName(f.type),
                  number(f.globalDim[0]));
  unsigned strideMultiple = f.interleave == TensorInterleave::B32 || isPadded(f.type) ? 32 : 16;
  for (unsigned i = 0; i + 1 < f.rank; ++i) {
    if (f.globalStrides[i] % strideMultiple)
      return refuse(indexed("globalStrides", i), "a multiple of " + number(strideMultiple) + " bytes",
                    number(f.globalStrides[i]));
    if (f.globalStrides[i] >= maxStride)
      return refuse(indexed("globalStrides", i), "less than 1099511627776", number(f.globalStrides[i]));
  }
  for (unsigned i = f.interleave == TensorInterleave::None ? 1 : 0; i < f.rank; ++i)
    if (f.elementStrides[i] == 0 || f.elementStrides[i] > 8)
      return refuse(indexed("elementStrides", i), "1 to 8", number(f.elementStrides[i]));
  return {};
}

/// The innermost extent of the box against the swizzle; `name` is the parameter that gives it.
std::string checkRow(const TensorFields &f, const char *name, uint32_t elements) {
  if (isPadded(f.type) && elements != 128)
    return refuse(name, std::string("128 for ") + tensorTypeName(f.type), number(elements));
  if (f.interleave != TensorInterleave::None)
    return {};
  unsigned span = tensorSwizzleSpan(f.swizzle);
  uint64_t bits = uint64_t(elements) * tensorTypeBits(f.type);
  if (span && bits > uint64_t(span) * 8)
    return refuse(name,
                  "at most " + number(span * 8 / tensorTypeBits(f.type)) + " elements (" + number(span) +
                      " bytes) with swizzle " + tensorSwizzleName(f.swizzle),
                  number(elements));
  return {};
}

std::string checkBox(const TensorFields &f) {
  for (unsigned i = 0; i < f.rank; ++i)
    if (f.boxDim[i] == 0 || f.boxDim[i] > 256)
      return refuse(indexed("boxDim", i), "1 to 256", number(f.boxDim[i]));
  if (std::string text = checkRow(f, "boxDim[0]", f.boxDim[0]); !text.empty())
    return text;
  uint64_t bits = uint64_t(f.boxDim[0]) * tensorTypeBits(f.type);
  if (f.interleave == TensorInterleave::None && bits % 128)
    return refuse("boxDim[0] times the element's size", "a multiple of 16 bytes",
                  number(f.boxDim[0]) + " times " + number(tensorTypeBits(f.type)) + " bits");
  return {};
}

std::string checkPixels(const TensorFields &f) {
  bool wide = f.mode != TensorMode::Im2col;
  if (f.rank < 3)
    return refuse("rank", "3 to 5 for im2col", number(f.rank));
  if (wide && f.interleave != TensorInterleave::None)
    return "interleave must be none for im2col wide";
  static const int lowest[] = {-32768, -128, -16};
  unsigned corners = wide ? 1 : f.rank - 2;
  int low = lowest[corners - 1];
  for (unsigned i = 0; i < corners; ++i) {
    std::string range = std::to_string(low) + " to " + std::to_string(-low - 1);
    const char *lower = wide ? "pixelBoxLowerCornerWidth" : "pixelBoxLowerCorner";
    const char *upper = wide ? "pixelBoxUpperCornerWidth" : "pixelBoxUpperCorner";
    std::string lowerName = wide ? lower : indexed(lower, i), upperName = wide ? upper : indexed(upper, i);
    if (f.lowerCorner[i] < low || f.lowerCorner[i] > -low - 1)
      return refuse(lowerName, range, std::to_string(f.lowerCorner[i]));
    if (f.upperCorner[i] < low || f.upperCorner[i] > -low - 1)
      return refuse(upperName, range, std::to_string(f.upperCorner[i]));
    int64_t extent = static_cast<int64_t>(f.globalDim[i + 1]) + f.upperCorner[i] - f.lowerCorner[i];
    if (extent <= 0)
      return "the box between " + lowerName + " and " + upperName + " must not be empty, but has " +
             std::to_string(extent) + " elements (" + indexed("globalDim", i + 1) + " " + number(f.globalDim[i + 1]) +
             ", corners " + std::to_string(f.lowerCorner[i]) + " and " + std::to_string(f.upperCorner[i]) + ")";
  }
  if (f.channelsPerPixel == 0 || f.channelsPerPixel > 256)
    return refuse("channelsPerPixel", "1 to 256", number(f.channelsPerPixel));
  if (f.mode != TensorMode::Im2colW128 && (f.pixelsPerColumn == 0 || f.pixelsPerColumn > 1024))
    return refuse("pixelsPerColumn", "1 to 1024", number(f.pixelsPerColumn));
  if (wide && f.swizzle != TensorSwizzle::B64 && f.swizzle != TensorSwizzle::B128 &&
      f.swizzle != TensorSwizzle::B128Atom32)
    return refuse("swizzle", "64B, 128B or 128B with 32B atoms for im2col wide", tensorSwizzleName(f.swizzle));
  return checkRow(f, "channelsPerPixel", f.channelsPerPixel);
}

std::string checkSwizzle(const TensorFields &f) {
  if (f.interleave == TensorInterleave::B32 && f.swizzle != TensorSwizzle::B32)
    return refuse("swizzle", "32B with 32B interleave", tensorSwizzleName(f.swizzle));
  bool common =
      f.swizzle == TensorSwizzle::None || f.swizzle == TensorSwizzle::B128 || f.swizzle == TensorSwizzle::B128Atom32;
  if (f.type == TensorType::U4Align16 && !common)
    return refuse("swizzle", "none, 128B or 128B with 32B atoms for 16u4_align16", tensorSwizzleName(f.swizzle));
  if (f.type == TensorType::U6Align16 && !common && f.swizzle != TensorSwizzle::B128Atom64)
    return refuse("swizzle", "none, 128B, or 128B with 32B or 64B atoms for 16u6_align16",
                  tensorSwizzleName(f.swizzle));
  if (f.type == TensorType::U6Align16 && f.interleave != TensorInterleave::None)
    return "interleave must be none for 16u6_align16";
  return {};
}

/// Copies the parameters that all encodings share; refuses a rank that the arrays cannot have.
std::string gather(TensorFields &f, TensorType type, uint32_t rank, uint64_t globalAddress, const uint64_t *globalDim,
                   const uint64_t *globalStrides, const uint32_t *elementStrides, TensorInterleave interleave,
                   TensorSwizzle swizzle, TensorPromotion promotion, TensorFill fill) {
  if (rank == 0 || rank > maxTensorRank)
    return refuse("rank", "1 to 5", number(rank));
  if (!globalDim)
    return "globalDim must not be null";
  if (rank > 1 && !globalStrides)
    return "globalStrides must not be null";
  if (!elementStrides)
    return "elementStrides must not be null";
  f.type = type;
  f.rank = rank;
  f.globalAddress = globalAddress;
  for (unsigned i = 0; i < rank; ++i) {
    f.globalDim[i] = globalDim[i];
    f.elementStrides[i] = elementStrides[i];
    if (i + 1 < rank)
      f.globalStrides[i] = globalStrides[i];
  }
  f.interleave = interleave;
  f.swizzle = swizzle;
  f.promotion = promotion;
  f.fill = fill;
  return {};
}

std::string finish(TensorMap *map, const TensorFields &f) {
  if (!map)
    return "tensorMap must not be null";
  if (reinterpret_cast<uintptr_t>(map) % tensorMapAlignment)
    return "tensorMap must be aligned to 64 bytes";
  std::string text = checkFields(f);
  if (text.empty())
    writeMap(map, f);
  return text;
}

} // namespace

const char *tensorTypeName(TensorType type) {
  static const char *const names[tensorTypes] = {
      "u8",  "u16",  "u32",     "s32",  "u64",      "s64",         "f16",          "f32",
      "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz", "16u4_align8", "16u4_align16", "16u6_align16"};
  return static_cast<unsigned>(type) < tensorTypes ? names[static_cast<unsigned>(type)] : "?";
}

unsigned tensorTypeBits(TensorType type) {
  static const uint8_t bits[tensorTypes] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 4, 6};
  return static_cast<unsigned>(type) < tensorTypes ? bits[static_cast<unsigned>(type)] : 8;
}

bool isFloat(TensorType type) { return type >= TensorType::F16 && type <= TensorType::TF32Ftz; }

const char *tensorSwizzleName(TensorSwizzle swizzle) {
  static const char *const names[tensorSwizzles] = {
      "none", "32B", "64B", "128B", "128B with 32B atoms", "128B with 32B atoms and 8B flip", "128B with 64B atoms"};
  return static_cast<unsigned>(swizzle) < tensorSwizzles ? names[static_cast<unsigned>(swizzle)] : "?";
}

unsigned tensorSwizzleSpan(TensorSwizzle swizzle) {
  switch (swizzle) {
  case TensorSwizzle::None:
    return 0;
  case TensorSwizzle::B32:
    return 32;
  case TensorSwizzle::B64:
    return 64;
  default:
    return 128;
  }
}

const char *tensorModeName(TensorMode mode) {
  switch (mode) {
  case TensorMode::Tiled:
    return "tiled";
  case TensorMode::Im2col:
    return "im2col";
  case TensorMode::Im2colW:
    return "im2col::w";
  case TensorMode::Im2colW128:
    return "im2col::w::128";
  }
  return "?";
}

std::string checkFields(const TensorFields &f) {
  if (static_cast<unsigned>(f.type) >= tensorTypes)
    return refuse("tensorDataType", "0 to 15", number(static_cast<unsigned>(f.type)));
  if (f.rank == 0 || f.rank > maxTensorRank)
    return refuse("rank", "1 to 5", number(f.rank));
  if (static_cast<unsigned>(f.interleave) > 2)
    return refuse("interleave", "0 to 2", number(static_cast<unsigned>(f.interleave)));
  if (static_cast<unsigned>(f.swizzle) >= tensorSwizzles)
    return refuse("swizzle", "0 to 6", number(static_cast<unsigned>(f.swizzle)));
  if (static_cast<unsigned>(f.promotion) > 3)
    return refuse("l2Promotion", "0 to 3", number(static_cast<unsigned>(f.promotion)));
  if (static_cast<unsigned>(f.fill) > 1)
    return refuse("oobFill", "0 or 1", number(static_cast<unsigned>(f.fill)));
  if (f.interleave != TensorInterleave::None && f.rank < 3)
    return refuse("rank", "at least 3 with an interleaved layout", number(f.rank));
  for (std::string (*check)(const TensorFields &) :
       {checkAddress, checkTensor, checkSwizzle, f.mode == TensorMode::Tiled ? checkBox : checkPixels})
    if (std::string text = check(f); !text.empty())
      return text;
  if (f.fill == TensorFill::NaN && (!isFloat(f.type) || isPacked(f.type)))
    return refuse("oobFill", "zero for a type that is not floating-point",
                  std::string("NaN for ") + tensorTypeName(f.type));
  return {};
}

std::string encodeTiled(TensorMap *map, TensorType type, uint32_t rank, uint64_t globalAddress,
                        const uint64_t *globalDim, const uint64_t *globalStrides, const uint32_t *boxDim,
                        const uint32_t *elementStrides, TensorInterleave interleave, TensorSwizzle swizzle,
                        TensorPromotion promotion, TensorFill fill) {
  TensorFields f;
  std::string text = gather(f, type, rank, globalAddress, globalDim, globalStrides, elementStrides, interleave, swizzle,
                            promotion, fill);
  if (!text.empty())
    return text;
  if (!boxDim)
    return "boxDim must not be null";
  for (unsigned i = 0; i < rank; ++i)
    f.boxDim[i] = boxDim[i];
  return finish(map, f);
}

std::string encodeIm2col(TensorMap *map, TensorType type, uint32_t rank, uint64_t globalAddress,
                         const uint64_t *globalDim, const uint64_t *globalStrides, const int *pixelBoxLowerCorner,
                         const int *pixelBoxUpperCorner, uint32_t channelsPerPixel, uint32_t pixelsPerColumn,
                         const uint32_t *elementStrides, TensorInterleave interleave, TensorSwizzle swizzle,
                         TensorPromotion promotion, TensorFill fill) {
  TensorFields f;
  std::string text = gather(f, type, rank, globalAddress, globalDim, globalStrides, elementStrides, interleave, swizzle,
                            promotion, fill);
  if (!text.empty())
    return text;
  if (!pixelBoxLowerCorner || !pixelBoxUpperCorner)
    return "pixelBoxLowerCorner and pixelBoxUpperCorner must not be null";
  f.mode = TensorMode::Im2col;
  for (unsigned i = 0; i + 2 < rank; ++i) {
    f.lowerCorner[i] = pixelBoxLowerCorner[i];
    f.upperCorner[i] = pixelBoxUpperCorner[i];
  }
  f.channelsPerPixel = channelsPerPixel;
  f.pixelsPerColumn = pixelsPerColumn;
  return finish(map, f);
}

std::string encodeIm2colWide(TensorMap *map, TensorType type, uint32_t rank, uint64_t globalAddress,
                             const uint64_t *globalDim, const uint64_t *globalStrides, int pixelBoxLowerCornerWidth,
                             int pixelBoxUpperCornerWidth, uint32_t channelsPerPixel, uint32_t pixelsPerColumn,
                             const uint32_t *elementStrides, TensorInterleave interleave, TensorMode mode,
                             TensorSwizzle swizzle, TensorPromotion promotion, TensorFill fill) {
  TensorFields f;
  std::string text = gather(f, type, rank, globalAddress, globalDim, globalStrides, elementStrides, interleave, swizzle,
                            promotion, fill);
  if (!text.empty())
    return text;
  if (mode != TensorMode::Im2colW && mode != TensorMode::Im2colW128)
    return refuse("mode", "im2col::w or im2col::w::128", tensorModeName(mode));
  f.mode = mode;
  f.lowerCorner[0] = pixelBoxLowerCornerWidth;
  f.upperCorner[0] = pixelBoxUpperCornerWidth;
  f.channelsPerPixel = channelsPerPixel;
  f.pixelsPerColumn = pixelsPerColumn;
  return finish(map, f);
}

std::string replaceAddress(TensorMap *map, uint64_t globalAddress) {
  TensorFields f;
  if (!map)
    return "tensorMap must not be null";
  std::string text = readMap(map, f);
  if (!text.empty())
    return text;
  f.globalAddress = globalAddress;
  return finish(map, f);
}

void writeMap(void *map, const TensorFields &f) {
  unsigned char bytes[tensorMapBytes] = {};
  put(bytes, 0, magic);
  put(bytes, 4, version);
  put(bytes, 5, static_cast<uint8_t>(f.mode));
  put(bytes, 6, static_cast<uint8_t>(f.type));
  put(bytes, 7, static_cast<uint8_t>(f.rank));
  put(bytes, 8, static_cast<uint8_t>(f.interleave));
  put(bytes, 9, static_cast<uint8_t>(f.swizzle));
  put(bytes, 10, static_cast<uint8_t>(f.promotion));
  put(bytes, 11, static_cast<uint8_t>(f.fill));
  put(bytes, 12, static_cast<uint16_t>(f.channelsPerPixel));
  put(bytes, 14, static_cast<uint16_t>(f.pixelsPerColumn));
  put(bytes, 16, f.globalAddress);
  for (unsigned i = 0; i < maxTensorRank; ++i) {
    if (i + 1 < maxTensorRank)
      put(bytes, 24 + 8 * i, f.globalStrides[i]);
    put(bytes, 56 + 4 * i, static_cast<uint32_t>(f.globalDim[i] - 1));
    put(bytes, 76 + 2 * i, static_cast<uint16_t>(f.boxDim[i] > 0xffff ? 0xffff : f.boxDim[i]));
    put(bytes, 86 + i, static_cast<uint8_t>(f.elementStrides[i] > 0xff ? 0xff : f.elementStrides[i]));
    if (i + 2 < maxTensorRank) {
      put(bytes, 92 + 2 * i, static_cast<int16_t>(f.lowerCorner[i]));
      put(bytes, 98 + 2 * i, static_cast<int16_t>(f.upperCorner[i]));
    }
  }
  put(bytes, checksumOffset, checksum(bytes));
  std::memcpy(map, bytes, tensorMapBytes);
}

std::string readMap(const void *map, TensorFields &f) {
  unsigned char bytes[tensorMapBytes];
  std::memcpy(bytes, map, tensorMapBytes);
  if (get<uint32_t>(bytes, 0) != magic || get<uint8_t>(bytes, 4) != version)
    return "the 128 bytes are no tensor map that a host function encoded";
  if (get<uint32_t>(bytes, checksumOffset) != checksum(bytes))
    return "the tensor map was overwritten by something else than tensormap.replace";
  f = TensorFields();
  f.mode = static_cast<TensorMode>(get<uint8_t>(bytes, 5));
  f.type = static_cast<TensorType>(get<uint8_t>(bytes, 6));
  f.rank = get<uint8_t>(bytes, 7);
  f.interleave = static_cast<TensorInterleave>(get<uint8_t>(bytes, 8));
  f.swizzle = static_cast<TensorSwizzle>(get<uint8_t>(bytes, 9));
  f.promotion = static_cast<TensorPromotion>(get<uint8_t>(bytes, 10));
  f.fill = static_cast<TensorFill>(get<uint8_t>(bytes, 11));
  f.channelsPerPixel = get<uint16_t>(bytes, 12);
  f.pixelsPerColumn = get<uint16_t>(bytes, 14);
  f.globalAddress = get<uint64_t>(bytes, 16);
  for (unsigned i = 0; i < maxTensorRank; ++i) {
    if (i + 1 < maxTensorRank)
      f.globalStrides[i] = get<uint64_t>(bytes, 24 + 8 * i);
    f.globalDim[i] = uint64_t(get<uint32_t>(bytes, 56 + 4 * i)) + 1;
    f.boxDim[i] = get<uint16_t>(bytes, 76 + 2 * i);
    f.elementStrides[i] = get<uint8_t>(bytes, 86 + i);
    if (i + 2 < maxTensorRank) {
      f.lowerCorner[i] = static_cast<int16_t>(get<uint16_t>(bytes, 92 + 2 * i));
      f.upperCorner[i] = static_cast<int16_t>(get<uint16_t>(bytes, 98 + 2 * i));
    }
  }
  return {};
}

} // namespace tilec::sim

/// The table of targets. To add a GPU, add a row.
#include "lib/Target/Target.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

using namespace mlir::tile;
using K = ElementKind;

unsigned mlir::tile::bitWidth(ElementKind kind) {
  switch (kind) {
  case K::F64: return 64;
  case K::F32:
  case K::TF32:
  case K::I32: return 32;
  case K::F16:
  case K::BF16: return 16;
  case K::F8E4M3:
  case K::F8E5M2:
  case K::I8:
  case K::U8: return 8;
  case K::F6E2M3:
  case K::F6E3M2: return 6;
  case K::F4E2M1: return 4;
  }
  assert(false && "unknown element kind");
  return 0;
}

std::string_view mlir::tile::ptxName(ElementKind kind) {
  switch (kind) {
  case K::F64: return "f64";
  case K::F32: return "f32";
  case K::TF32: return "tf32";
  case K::F16: return "f16";
  case K::BF16: return "bf16";
  case K::F8E4M3: return "e4m3";
  case K::F8E5M2: return "e5m2";
  case K::F6E2M3: return "e2m3";
  case K::F6E3M2: return "e3m2";
  case K::F4E2M1: return "e2m1";
  case K::I8: return "s8";
  case K::U8: return "u8";
  case K::I32: return "s32";
  }
  assert(false && "unknown element kind");
  return {};
}

std::string_view mlir::tile::ptxName(ScaleKind kind) { return kind == ScaleKind::UE8M0 ? "ue8m0" : "ue4m3"; }

/// The mma.sync shapes of the PTX ISA that are emitted, with the rates of one target: `f64` … `f8` multiply-adds per SM
/// and clock.
static constexpr std::array<MmaShape, 13> mmaShapes(unsigned f64, unsigned tf32, unsigned f16, unsigned i8,
                                                    unsigned f8) {
  return {{
      {K::F64, K::F64, K::F64, 8, 8, 4, f64},
      {K::TF32, K::TF32, K::F32, 16, 8, 8, tf32},
      {K::F16, K::F16, K::F32, 16, 8, 16, f16},
      {K::F16, K::F16, K::F16, 16, 8, 16, f16},
      {K::BF16, K::BF16, K::F32, 16, 8, 16, f16},
      {K::I8, K::I8, K::I32, 16, 8, 32, i8},
      {K::I8, K::U8, K::I32, 16, 8, 32, i8},
      {K::U8, K::I8, K::I32, 16, 8, 32, i8},
      {K::U8, K::U8, K::I32, 16, 8, 32, i8},
      // From here on sm_89 and later.
      {K::F8E4M3, K::F8E4M3, K::F32, 16, 8, 32, f8},
      {K::F8E4M3, K::F8E5M2, K::F32, 16, 8, 32, f8},
      {K::F8E5M2, K::F8E4M3, K::F32, 16, 8, 32, f8},
      {K::F8E5M2, K::F8E5M2, K::F32, 16, 8, 32, f8},
  }};
}
static constexpr unsigned shapesWithoutF8 = 9;

// Peak rates from the architecture white papers of A100, AD102, H100, and data sheets of B200 and RTX PRO 6000. On
// sm_90a mma.sync reaches about 63 % of what wgmma does; its rates on sm_100a are estimates of the same kind.
static constexpr auto mmas80 = mmaShapes(64, 512, 1024, 2048, 0);
static constexpr auto mmas89 = mmaShapes(2, 256, 512, 1024, 1024);
static constexpr auto mmas90 = mmaShapes(128, 640, 1280, 2560, 2560);
static constexpr auto mmas100 = mmaShapes(64, 512, 1024, 2048, 2048);
// On sm_120a f8 products into f32 run at half the rate of those with block scales.
static constexpr auto mmas120 = mmaShapes(2, 256, 512, 1024, 512);

static constexpr ElementKind scaledElements[] = {K::F8E4M3, K::F8E5M2, K::F6E2M3, K::F6E3M2, K::F4E2M1};
static constexpr ElementKind packedElements[] = {K::F4E2M1};
static constexpr BlockScaledMma blockScaled120[] = {
    {"mxf8f6f4", {scaledElements, std::size(scaledElements)}, 16, 8, 32, /*scales=*/1, ScaleKind::UE8M0,
     /*fmaPerClock=*/1024, /*ptxVersion=*/87, /*isPacked=*/false},
    {"mxf4", {packedElements, std::size(packedElements)}, 16, 8, 64, /*scales=*/2, ScaleKind::UE8M0,
     /*fmaPerClock=*/2048, /*ptxVersion=*/87, /*isPacked=*/true},
    {"mxf4nvf4", {packedElements, std::size(packedElements)}, 16, 8, 64, /*scales=*/4, ScaleKind::UE4M3,
     /*fmaPerClock=*/2048, /*ptxVersion=*/87, /*isPacked=*/true},
};

static constexpr unsigned KiB = 1024;
static constexpr uint64_t MiB = 1024 * 1024;

Rows<Target> mlir::tile::allTargets() {
  static const Target table[] = {
      // A100 SXM 40 GB. cp.async and bf16 mma need PTX 7.0.
      {"sm_80", 80, /*ptxVersion=*/74, /*ptxVersionF8Mma=*/0,
       /*sharedPerBlock=*/163 * KiB, /*sharedPerSM=*/164 * KiB, /*sharedReservedPerBlock=*/KiB,
       /*registersPerSM=*/65536, /*maxRegistersPerThread=*/255, /*maxThreadsPerBlock=*/1024,
       /*maxThreadsPerSM=*/2048, /*maxBlocksPerSM=*/32,
       /*numSMs=*/108, /*l2Bytes=*/40 * MiB, /*clockMHz=*/1410, /*dramBytesPerSecond=*/1555000000000,
       /*hasCpAsync=*/true, /*hasTma=*/false, /*hasClusters=*/false, /*hasWgmma=*/false, /*hasTcgen05=*/false,
       /*hasSetmaxnreg=*/false, /*hasNativeBf16Arith=*/false, /*hasF8Cvt=*/false,
       /*hasNarrowFloatCvt=*/false, /*hasUnpackingLdMatrix=*/false,
       {mmas80.data(), shapesWithoutF8}, {}},
      // L40S.
      {"sm_89", 89, /*ptxVersion=*/81, /*ptxVersionF8Mma=*/84,
       /*sharedPerBlock=*/99 * KiB, /*sharedPerSM=*/100 * KiB, /*sharedReservedPerBlock=*/KiB,
       /*registersPerSM=*/65536, /*maxRegistersPerThread=*/255, /*maxThreadsPerBlock=*/1024,
       /*maxThreadsPerSM=*/1536, /*maxBlocksPerSM=*/24,
       /*numSMs=*/142, /*l2Bytes=*/96 * MiB, /*clockMHz=*/2520, /*dramBytesPerSecond=*/864000000000,
       /*hasCpAsync=*/true, /*hasTma=*/false, /*hasClusters=*/false, /*hasWgmma=*/false, /*hasTcgen05=*/false,
       /*hasSetmaxnreg=*/false, /*hasNativeBf16Arith=*/false, /*hasF8Cvt=*/true,
       /*hasNarrowFloatCvt=*/false, /*hasUnpackingLdMatrix=*/false, {mmas89.data(), mmas89.size()}, {}},
      // H200 SXM.
      {"sm_90a", 90, /*ptxVersion=*/80, /*ptxVersionF8Mma=*/84,
       /*sharedPerBlock=*/227 * KiB, /*sharedPerSM=*/228 * KiB, /*sharedReservedPerBlock=*/KiB,
       /*registersPerSM=*/65536, /*maxRegistersPerThread=*/255, /*maxThreadsPerBlock=*/1024,
       /*maxThreadsPerSM=*/2048, /*maxBlocksPerSM=*/32,
       /*numSMs=*/132, /*l2Bytes=*/50 * MiB, /*clockMHz=*/1980, /*dramBytesPerSecond=*/4800000000000,
       /*hasCpAsync=*/true, /*hasTma=*/true, /*hasClusters=*/true, /*hasWgmma=*/true, /*hasTcgen05=*/false,
       /*hasSetmaxnreg=*/true, /*hasNativeBf16Arith=*/true, /*hasF8Cvt=*/true,
       /*hasNarrowFloatCvt=*/false, /*hasUnpackingLdMatrix=*/false, {mmas90.data(), mmas90.size()}, {}},
      // B200.
      {"sm_100a", 100, /*ptxVersion=*/86, /*ptxVersionF8Mma=*/86,
       /*sharedPerBlock=*/227 * KiB, /*sharedPerSM=*/228 * KiB, /*sharedReservedPerBlock=*/KiB,
       /*registersPerSM=*/65536, /*maxRegistersPerThread=*/255, /*maxThreadsPerBlock=*/1024,
       /*maxThreadsPerSM=*/2048, /*maxBlocksPerSM=*/32,
       /*numSMs=*/148, /*l2Bytes=*/126 * MiB, /*clockMHz=*/1965, /*dramBytesPerSecond=*/8000000000000,
       /*hasCpAsync=*/true, /*hasTma=*/true, /*hasClusters=*/true, /*hasWgmma=*/false, /*hasTcgen05=*/true,
       /*hasSetmaxnreg=*/true, /*hasNativeBf16Arith=*/true, /*hasF8Cvt=*/true,
       /*hasNarrowFloatCvt=*/true, /*hasUnpackingLdMatrix=*/true, {mmas100.data(), mmas100.size()}, {}},
      // RTX PRO 6000 Blackwell.
      {"sm_120a", 120, /*ptxVersion=*/87, /*ptxVersionF8Mma=*/87,
       /*sharedPerBlock=*/99 * KiB, /*sharedPerSM=*/100 * KiB, /*sharedReservedPerBlock=*/KiB,
       /*registersPerSM=*/65536, /*maxRegistersPerThread=*/255, /*maxThreadsPerBlock=*/1024,
       /*maxThreadsPerSM=*/1536, /*maxBlocksPerSM=*/24,
       /*numSMs=*/188, /*l2Bytes=*/128 * MiB, /*clockMHz=*/2617, /*dramBytesPerSecond=*/1792000000000,
       /*hasCpAsync=*/true, /*hasTma=*/true, /*hasClusters=*/true, /*hasWgmma=*/false, /*hasTcgen05=*/false,
       /*hasSetmaxnreg=*/true, /*hasNativeBf16Arith=*/true, /*hasF8Cvt=*/true,
       /*hasNarrowFloatCvt=*/true, /*hasUnpackingLdMatrix=*/true, {mmas120.data(), mmas120.size()},
       {blockScaled120, std::size(blockScaled120)}},
  };
  return {table, std::size(table)};
}

const Target *mlir::tile::lookupTarget(std::string_view name) {
  for (const Target &target : allTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

std::string mlir::tile::targetNames() {
  std::string names;
  for (const Target &target : allTargets())
    names.append(names.empty() ? "" : ", ").append(target.name);
  return names;
}

const MmaShape *Target::findMma(ElementKind a, ElementKind b, ElementKind acc) const {
  const MmaShape *best = nullptr;
  for (const MmaShape &shape : mmas)
    if (shape.a == a && shape.b == b && shape.acc == acc && (!best || shape.k > best->k))
      best = &shape;
  return best;
}

static bool takes(const BlockScaledMma &mma, ElementKind kind) {
  return std::find(mma.elements.begin(), mma.elements.end(), kind) != mma.elements.end();
}

const BlockScaledMma *Target::findBlockScaledMma(ElementKind a, ElementKind b, ScaleKind scale, unsigned block,
                                                 bool isPacked) const {
  for (const BlockScaledMma &mma : blockScaledMmas)
    if (mma.isPacked == isPacked && mma.scale == scale && mma.block() == block && takes(mma, a) && takes(mma, b))
      return &mma;
  return nullptr;
}

const BlockScaledMma *Target::findBlockScaledMma(ElementKind a, ElementKind b, ScaleKind scale, unsigned block) const {
  const BlockScaledMma *packed = findBlockScaledMma(a, b, scale, block, /*isPacked=*/true),
                       *plain = findBlockScaledMma(a, b, scale, block, /*isPacked=*/false);
  if (!packed || !plain)
    return packed ? packed : plain;
  return packed->fmaPerClock >= plain->fmaPerClock ? packed : plain;
}

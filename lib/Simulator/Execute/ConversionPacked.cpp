/// cvt to and from types that hold two or four values, and to tf32 (PTX ISA, "cvt"), and cvt.pack. Of two f32 operands
/// the first goes to the upper part; packed operands keep the order of their parts.
#include "lib/Simulator/Execute/Conversion.h"

#include "lib/Simulator/Execute/ConversionNarrow.h"
#include "lib/Simulator/Execute/FloatForm.h"

#include <array>

namespace tilec::sim {
namespace {

/// A type of several values of one format.
struct PackedType {
  const char *name;
  const FloatFormat *format;
  unsigned parts;
  /// The register.
  ptx::Type reg;
  /// Formats of 8 bits and less.
  bool isSmall;
};
constexpr PackedType packedTypes[] = {
    {"f16x2", &f16Format, 2, ptx::Type::B32, false},    {"bf16x2", &bf16Format, 2, ptx::Type::B32, false},
    {"tf32", &tf32Format, 1, ptx::Type::B32, false},    {"e4m3x2", &e4m3Format, 2, ptx::Type::B16, true},
    {"e5m2x2", &e5m2Format, 2, ptx::Type::B16, true},   {"e2m3x2", &e2m3Format, 2, ptx::Type::B16, true},
    {"e3m2x2", &e3m2Format, 2, ptx::Type::B16, true},   {"e2m1x2", &e2m1Format, 2, ptx::Type::B8, true},
    {"ue8m0x2", &ue8m0Format, 2, ptx::Type::B16, true}, {"e4m3x4", &e4m3Format, 4, ptx::Type::B32, true},
    {"e5m2x4", &e5m2Format, 4, ptx::Type::B32, true},   {"e2m3x4", &e2m3Format, 4, ptx::Type::B32, true},
    {"e3m2x4", &e3m2Format, 4, ptx::Type::B32, true},   {"e2m1x4", &e2m1Format, 4, ptx::Type::B16, true},
};
const PackedType *findPacked(const std::string &name) {
  for (const PackedType &type : packedTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

bool isFp8(const PackedType &type) { return type.format == &e4m3Format || type.format == &e5m2Format; }
bool isScale(const PackedType &type) { return type.format == &ue8m0Format; }

/// The SM that the formats of 8 bits and less need: sm_89 for f8 pairs, the features of sm_100 and later for the rest.
bool requireFormat(Binder &b, const PackedType &type) {
  if (!type.isSmall)
    return true;
  if (isFp8(type) && type.parts == 2)
    return b.require(89);
  if (!b.require(100))
    return false;
  return b.targetHasFeatures() || b.fail("needs the features of an architecture such as sm_100a");
}

/// Stochastic rounding exists on sm_100a and sm_103a and their families.
bool requireStochastic(Binder &b) {
  if (!b.require(100))
    return false;
  return (b.targetHasFeatures() && b.targetSM() < 110) || b.fail("needs sm_100a or sm_103a");
}

constexpr uint64_t part(unsigned bits, unsigned at) { return ((uint64_t(1) << bits) - 1) << at; }

/// Each f32 source becomes one part of the result, the first one the highest; data[0]: bits of a part. The random bits
/// of .rs, if there are any (data[1]), make everything undefined.
void propagatePacked(Execution &x, const Operation &op, LaneMask active) {
  auto bits = static_cast<unsigned>(op.data[0]);
  unsigned values = op.sources - static_cast<unsigned>(op.data[1]);
  setShadow(x, op, active, [&](unsigned lane) {
    if (op.data[1] && x.undefinedBits(op.source(values), lane))
      return ~uint64_t(0);
    uint64_t result = 0;
    for (unsigned i = 0; i < values; ++i)
      if (x.undefinedBits(op.source(i), lane))
        result |= part(bits, bits * (values - 1 - i));
    return result;
  });
}
/// Parts of a source of data[1] bits become parts of data[0] bits.
void propagateRepacked(Execution &x, const Operation &op, LaneMask active) {
  auto to = static_cast<unsigned>(op.data[0]), from = static_cast<unsigned>(op.data[1]);
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t undefined = x.undefinedBits(op.source(), lane), result = 0;
    for (unsigned i = 0; i < 2; ++i)
      if (undefined & part(from, from * i))
        result |= part(to, to * i);
    return result;
  });
}

/// Bits that a part takes in a register.
unsigned partBits(const PackedType &type) { return 8 * ptx::typeBytes(type.reg) / type.parts; }

bool takeSatfinite(Binder &b, const PackedType &to, ConvertMode &mode) {
  mode.satfinite = b.take("satfinite");
  return mode.satfinite || !to.isSmall || isScale(to) || b.fail(std::string("expects .satfinite with .") + to.name);
}

/// Takes the rounding that is allowed for a destination.
bool takePackedRounding(Binder &b, const PackedType &to, ConvertMode &mode) {
  bool rounded = takeFloatRounding(b, mode.rounding);
  Rounding r = mode.rounding;
  if (isScale(to))
    return (rounded && (r == Rounding::TowardZero || r == Rounding::Up)) || b.fail("expects the rounding .rz or .rp");
  if (to.isSmall)
    return (rounded && r == Rounding::NearestEven) || b.fail("expects the rounding .rn");
  return (rounded && (r == Rounding::NearestEven || r == Rounding::TowardZero)) ||
         b.fail("expects the rounding .rn or .rz");
}

/// cvt.rs to f16x2 or bf16x2 from two f32, or to four small values from four.
bool bindStochastic(Binder &b, const PackedType &to) {
  if (!requireStochastic(b))
    return false;
  ConvertMode mode;
  mode.rounding = Rounding::Stochastic;
  mode.relu = b.take("relu");
  if (!takeSatfinite(b, to, mode))
    return false;
  bool four = to.parts == 4;
  if (!expectOperands(b, four ? 3 : 4))
    return false;
  b.destination(0, to.reg);
  if (four) {
    const ptx::Operand &values = b.operand(1);
    if (values.kind != ptx::Operand::Kind::Vector || values.elements.size() != 4)
      return b.fail("expects four sources in braces");
    b.sources(1, ptx::Type::F32);
    b.source(2, ptx::Type::B32);
    setLanes(b, [=, &format = *to.format](const uint64_t *s) -> uint64_t {
      auto at = [&](unsigned i) { return static_cast<uint32_t>(s[i]); };
      return packFour(format, at(0), at(1), at(2), at(3), mode, at(4));
    });
  } else {
    floatSource(b, 1, ptx::Type::F32);
    floatSource(b, 2, ptx::Type::F32);
    b.source(3, ptx::Type::B32);
    setLanes(b, [=, &format = *to.format](const uint64_t *s) -> uint64_t {
      return packTwo(format, static_cast<uint32_t>(s[0]), static_cast<uint32_t>(s[1]), mode,
                     static_cast<uint32_t>(s[2]));
    });
  }
  b.operation.data[0] = partBits(to);
  b.operation.data[1] = 1;
  b.operation.propagate = propagatePacked;
  return b.finish();
}

/// cvt.tf32.f32.
bool bindTf32(Binder &b) {
  ConvertMode mode;
  if (b.take("rna")) {
    mode.rounding = Rounding::NearestAway;
  } else {
    if (!b.require(90) || !takePackedRounding(b, *findPacked("tf32"), mode))
      return false;
    mode.relu = b.take("relu");
  }
  mode.satfinite = b.take("satfinite");
  // The assembler has .rn and .rz with .satfinite from sm_100 on.
  if (mode.satfinite && mode.rounding != Rounding::NearestAway && !b.require(100))
    return false;
  if (!expectOperands(b, 2))
    return false;
  b.destination(0, ptx::Type::B32);
  floatSource(b, 1, ptx::Type::F32);
  b.operation.propagate = propagateAll;
  // All roundings of tf32 keep f32's exponents.
  setRows<uint32_t, uint32_t, uint32_t, uint32_t, 1>(
      b, [narrowRow = NarrowRow(tf32Format, mode)](uint32_t *d, const uint32_t *a, const uint32_t *, const uint32_t *) {
        narrowRow(d, a);
      });
  return b.finish();
}

/// Two f32 into one register.
bool bindPack(Binder &b, const PackedType &to) {
  if ((to.parts == 4 || !to.isSmall) && b.take("rs"))
    return bindStochastic(b, to);
  ConvertMode mode;
  if (to.parts == 4)
    return b.fail("expects the rounding .rs");
  if (!takePackedRounding(b, to, mode) || !takeSatfinite(b, to, mode))
    return false;
  mode.relu = !isScale(to) && b.take("relu");
  if (!expectOperands(b, 3))
    return false;
  b.destination(0, to.reg);
  floatSource(b, 1, ptx::Type::F32);
  floatSource(b, 2, ptx::Type::F32);
  b.operation.data[0] = partBits(to);
  b.operation.propagate = propagatePacked;
  if (!to.isSmall && mode.rounding == Rounding::NearestEven && !mode.relu && !mode.satfinite) {
    FloatType type = to.format == &f16Format ? FloatType::F16 : FloatType::BF16;
    setRows<uint32_t, uint32_t, uint32_t, uint32_t, 2>(
        b, [=](uint32_t *d, const uint32_t *p, const uint32_t *q, const uint32_t *) { packRow(type, d, p, q); });
  } else if (NarrowRow::serves(*to.format, mode) && to.reg != ptx::Type::B8) {
    auto pack = [narrowRow = NarrowRow(*to.format, mode), bits = partBits(to)](uint32_t *d, const uint32_t *p,
                                                                               const uint32_t *q, const uint32_t *) {
      narrowRow.pack(bits, d, p, q);
    };
    if (to.reg == ptx::Type::B16)
      setRows<uint32_t, uint32_t, uint16_t, uint32_t, 2>(b, pack);
    else
      setRows<uint32_t, uint32_t, uint32_t, uint32_t, 2>(b, pack);
  } else {
    setLanes(b, [=, &format = *to.format](const uint64_t *s) -> uint64_t {
      return packTwo(format, static_cast<uint32_t>(s[0]), static_cast<uint32_t>(s[1]), mode);
    });
  }
  return b.finish();
}

/// Two halves to two values of 8 bits.
bool bindHalvesToSmall(Binder &b, const PackedType &to, const PackedType &from) {
  ConvertMode mode;
  if (!takePackedRounding(b, to, mode) || !takeSatfinite(b, to, mode))
    return false;
  mode.relu = !isScale(to) && b.take("relu");
  if (!expectOperands(b, 2))
    return false;
  b.destination(0, to.reg);
  b.source(1, from.reg);
  b.operation.data[0] = partBits(to);
  b.operation.data[1] = partBits(from);
  b.operation.propagate = propagateRepacked;
  setLanes(b, [=, &toFormat = *to.format, &fromFormat = *from.format](const uint64_t *s) -> uint64_t {
    return packHalves(toFormat, fromFormat, static_cast<uint32_t>(s[0]), mode);
  });
  return b.finish();
}

/// Two small values to two halves. There are few codes, so what each becomes is looked up.
bool bindSmallToHalves(Binder &b, const PackedType &to, const PackedType &from) {
  ConvertMode mode;
  if (!b.take("rn"))
    return b.fail("expects the rounding .rn");
  mode.relu = !isScale(from) && b.take("relu");
  if (!expectOperands(b, 2))
    return false;
  b.destination(0, to.reg);
  b.source(1, from.reg);
  unsigned bits = partBits(from);
  b.operation.data[0] = partBits(to);
  b.operation.data[1] = bits;
  b.operation.propagate = propagateRepacked;
  std::array<uint16_t, 256> halves{};
  for (uint32_t code = 0; code < (1u << bits); ++code)
    halves[code] = static_cast<uint16_t>(unpackTwo(*to.format, *from.format, code, mode));
  setLanes(b, [=](const uint64_t *s) -> uint64_t {
    uint64_t mask = part(bits, 0);
    return uint64_t(halves[(s[0] >> bits) & mask]) << 16 | halves[s[0] & mask];
  });
  return b.finish();
}

} // namespace

bool isPackedConversion(const std::string &to, const std::string &from) { return findPacked(to) || findPacked(from); }

bool bindPackedConversion(Binder &b, const std::string &to, const std::string &from) {
  const PackedType *toType = findPacked(to), *fromType = findPacked(from);
  if ((toType && !requireFormat(b, *toType)) || (fromType && !requireFormat(b, *fromType)))
    return false;
  if (to == "tf32" && from == "f32")
    return bindTf32(b);
  if (toType && toType->parts > 1 && from == "f32")
    return bindPack(b, *toType);
  bool f8FromF16 = toType && fromType && isFp8(*toType) && toType->parts == 2 && from == "f16x2";
  bool scaleFromBf16 = to == "ue8m0x2" && from == "bf16x2";
  if (f8FromF16 || scaleFromBf16)
    return bindHalvesToSmall(b, *toType, *fromType);
  bool f16FromSmall = to == "f16x2" && fromType && fromType->isSmall && fromType->parts == 2 && !isScale(*fromType);
  bool bf16FromScale = to == "bf16x2" && from == "ue8m0x2";
  if (f16FromSmall || bf16FromScale)
    return bindSmallToHalves(b, *toType, *fromType);
  return b.fail("does not know a conversion to ." + to + " from ." + from);
}

//===--- cvt.pack ---===//

/// Clamping looks at a whole source; the low bits of c move up. data[0]: bits of a part.
static void propagateIntegerPack(Execution &x, const Operation &op, LaneMask active) {
  auto bits = static_cast<unsigned>(op.data[0]);
  setShadow(x, op, active, [&](unsigned lane) {
    uint64_t result = op.sources == 3 ? x.undefinedBits(op.source(2), lane) << 2 * bits : 0;
    if (x.undefinedBits(op.source(0), lane))
      result |= part(bits, bits);
    if (x.undefinedBits(op.source(1), lane))
      result |= part(bits, 0);
    return result;
  });
}

bool bindIntegerPack(Binder &b) {
  constexpr int widths[] = {16, 16, 8, 8, 4, 4, 2, 2};
  if (!b.take("sat"))
    return b.fail("expects .sat");
  int choice = b.takeOneOf({"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"});
  if (choice < 0 || !b.take("s32"))
    return b.fail("expects a type of .u16 .s16 .u8 .s8 .u4 .s4 .u2 .s2 and then .s32");
  int bits = widths[choice];
  bool isSigned = choice % 2 == 1, three = bits < 16;
  if (three && !b.take("b32"))
    return b.fail("expects .b32, the type of c");
  if (!expectOperands(b, three ? 4 : 3))
    return false;
  b.destination(0, ptx::Type::B32);
  b.source(1, ptx::Type::S32);
  b.source(2, ptx::Type::S32);
  if (three)
    b.source(3, ptx::Type::B32);
  b.operation.data[0] = static_cast<uint64_t>(bits);
  b.operation.propagate = propagateIntegerPack;
  setLanes(b, [=](const uint64_t *s) -> uint64_t {
    return packIntegers(bits, isSigned, static_cast<uint32_t>(s[0]), static_cast<uint32_t>(s[1]),
                        static_cast<uint32_t>(s[2]));
  });
  return b.finish();
}

} // namespace tilec::sim

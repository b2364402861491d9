/// cvt of every pair of types against Numeric: modifiers, registers wider than the types, lanes; and what is refused.
#include "test/unit/Simulator/Execute/InstructionRun.h"

#include "lib/Simulator/Numeric/Convert.h"

#include <string>

using namespace tilec::sim;

namespace {

struct Number {
  const char *name;
  NumberType type;
};
constexpr Number numbers[] = {
    {"u8", NumberType::U8},   {"u16", NumberType::U16},   {"u32", NumberType::U32}, {"u64", NumberType::U64},
    {"s8", NumberType::S8},   {"s16", NumberType::S16},   {"s32", NumberType::S32}, {"s64", NumberType::S64},
    {"f16", NumberType::F16}, {"bf16", NumberType::BF16}, {"f32", NumberType::F32}, {"f64", NumberType::F64},
};
const char *const integralNames[] = {".rni", ".rzi", ".rmi", ".rpi"};
const char *const roundingNames[] = {".rn", ".rz", ".rm", ".rp"};
constexpr Rounding roundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up};

std::string registerOf(int bits) { return "b" + std::to_string(bits); }

/// One pair with one set of modifiers, in registers of these widths.
void expectConversion(const std::string &modifiers, Number to, Number from, ConvertMode mode, int toBits,
                      int fromBits) {
  expectInstruction("cvt" + modifiers + "." + to.name + "." + from.name + " d, a;",
                    registerOf(toBits) + " " + registerOf(fromBits),
                    [=](auto *s, auto *r) { r[0] = convert(to.type, from.type, s[0], mode); });
}

/// Whether .sat has anything to clamp.
bool canSaturate(NumberType to, NumberType from) {
  if (to == NumberType::BF16 || from == NumberType::BF16)
    return false;
  if (isFloat(to) || isFloat(from))
    return true;
  for (uint64_t value : {uint64_t(0), ~uint64_t(0), ~uint64_t(0) >> 1, uint64_t(1) << (numberBits(from) - 1),
                         (uint64_t(1) << (numberBits(from) - 1)) - 1}) {
    ConvertMode sat;
    sat.sat = true;
    uint64_t same = convert(isSigned(from) ? NumberType::S64 : NumberType::U64, from, value, {});
    bool negative = isSigned(from) && same >> 63;
    uint64_t clamped = convert(to, from, value, sat);
    if (clamped != same || (negative && !isSigned(to)) || (!negative && isSigned(to) && clamped >> 63))
      return true;
  }
  return false;
}

void expectPair(Number to, Number from) {
  int toBits = numberBits(to.type), fromBits = numberBits(from.type);
  bool f32 = to.type == NumberType::F32 || from.type == NumberType::F32;
  bool integral = isFloat(from.type) && (!isFloat(to.type) || to.type == from.type);
  bool exact = isFloat(to.type) && isFloat(from.type) && (to.type == from.type || (toBits > fromBits));
  bool rounded = isFloat(to.type) && !exact;
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned set = 0; set < 4; ++set) {
      for (bool toIntegral : {false, true}) {
        if (toIntegral ? !integral : !rounded && !(r == 0 && (exact || !integral)))
          continue;
        ConvertMode mode;
        mode.toIntegral = toIntegral;
        mode.rounding = roundings[r];
        mode.ftz = set & 1;
        mode.sat = set & 2;
        if ((mode.ftz && !f32) || (mode.sat && !canSaturate(to.type, from.type)))
          continue;
        std::string modifiers = toIntegral ? integralNames[r] : rounded ? roundingNames[r] : "";
        modifiers += std::string(mode.ftz ? ".ftz" : "") + (mode.sat ? ".sat" : "");
        expectConversion(modifiers, to, from, mode, std::max(toBits, 16), std::max(fromBits, 16));
        if (set || to.type == NumberType::BF16 || from.type == NumberType::BF16)
          continue;
        for (int d = std::max(2 * toBits, 32); d <= 64; d *= 2)
          expectConversion(modifiers, to, from, mode, d, std::max(fromBits, 16));
        for (int a = std::max(2 * fromBits, 32); a <= 64; a *= 2)
          expectConversion(modifiers, to, from, mode, std::max(toBits, 16), a);
        expectConversion(modifiers, to, from, mode, 64, 64);
      }
    }
}

using PackReference = std::function<uint64_t(const uint64_t *)>;
void expectPacked(const std::string &text, const std::string &types, const PackReference &reference,
                  const std::string &target = "sm_100a") {
  expectInstruction(text, types, [=](auto *s, auto *r) { r[0] = reference(s); }, 1, target);
}
uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }

} // namespace

TEST(Conversion, IntegersToIntegers) {
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned k = 0; k < 8; ++k)
      expectPair(numbers[i], numbers[k]);
}
TEST(Conversion, IntegersToFloats) {
  for (unsigned i = 8; i < 12; ++i)
    for (unsigned k = 0; k < 8; ++k)
      expectPair(numbers[i], numbers[k]);
}
TEST(Conversion, FloatsToIntegers) {
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned k = 8; k < 12; ++k)
      expectPair(numbers[i], numbers[k]);
}
TEST(Conversion, FloatsToFloats) {
  for (unsigned i = 8; i < 12; ++i)
    for (unsigned k = 8; k < 12; ++k)
      expectPair(numbers[i], numbers[k]);
}

TEST(Conversion, ByteRegisters) {
  expectInstruction("cvt.u32.u8 d, a;", "b32 b8", [](auto *s, auto *r) { r[0] = s[0]; });
  expectInstruction("cvt.s8.s32 d, a;", "b8 b32", [](auto *s, auto *r) { r[0] = s[0]; });
  expectInstruction("cvt.rn.f32.s8 d, a;", "f32 b8",
                    [](auto *s, auto *r) { r[0] = convert(NumberType::F32, NumberType::S8, s[0], {}); });
}

TEST(Conversion, ReluAndSatfinite) {
  for (unsigned i : {8u, 9u})
    for (unsigned set = 1; set < 4; ++set)
      for (unsigned r : {0u, 1u}) {
        ConvertMode mode;
        mode.rounding = roundings[r];
        mode.relu = set & 1;
        mode.satfinite = set & 2;
        std::string modifiers =
            std::string(roundingNames[r]) + (mode.relu ? ".relu" : "") + (mode.satfinite ? ".satfinite" : "");
        expectConversion(modifiers, numbers[i], numbers[10], mode, 16, 32);
        expectPacked(
            "cvt" + modifiers + "." + numbers[i].name + "x2.f32 d, a, b;", "b32 f32 f32",
            [=](auto *s) -> uint64_t { return packTwo(i == 8 ? f16Format : bf16Format, low(s[0]), low(s[1]), mode); });
      }
}

TEST(Conversion, PairsOfHalves) {
  for (unsigned r : {0u, 1u}) {
    ConvertMode mode;
    mode.rounding = roundings[r];
    std::string start = std::string("cvt") + roundingNames[r];
    expectPacked(
        start + ".f16x2.f32 d, a, b;", "b32 f32 f32",
        [=](auto *s) -> uint64_t { return packTwo(f16Format, low(s[0]), low(s[1]), mode); }, "sm_80");
    expectPacked(
        start + ".bf16x2.f32 d, a, b;", "b32 f32 f32",
        [=](auto *s) -> uint64_t { return packTwo(bf16Format, low(s[0]), low(s[1]), mode); }, "sm_80");
  }
  // A constant, as compilers write it for the half that is not used.
  expectPacked(
      "cvt.rn.bf16x2.f32 d, 0f00000000, a;", "b32 f32",
      [=](auto *s) -> uint64_t { return packTwo(bf16Format, 0, low(s[0]), {}); }, "sm_80");
}

TEST(Conversion, TensorFloat) {
  for (bool satfinite : {false, true}) {
    ConvertMode mode;
    mode.satfinite = satfinite;
    std::string end = satfinite ? ".satfinite.tf32.f32 d, a;" : ".tf32.f32 d, a;";
    mode.rounding = Rounding::NearestAway;
    expectPacked(
        "cvt.rna" + end, "b32 f32", [=](auto *s) -> uint64_t { return narrow(tf32Format, low(s[0]), mode); }, "sm_80");
    mode.rounding = Rounding::TowardZero;
    mode.relu = true;
    expectPacked(
        "cvt.rz.relu" + end, "b32 f32", [=](auto *s) -> uint64_t { return narrow(tf32Format, low(s[0]), mode); },
        satfinite ? "sm_100a" : "sm_90a");
  }
}

TEST(Conversion, SmallFormats) {
  struct Small {
    const char *name, *reg;
    const FloatFormat &format;
  };
  const Small all[] = {{"e4m3x2", "b16", e4m3Format},
                       {"e5m2x2", "b16", e5m2Format},
                       {"e2m3x2", "b16", e2m3Format},
                       {"e3m2x2", "b16", e3m2Format},
                       {"e2m1x2", "b8", e2m1Format}};
  for (const Small &small : all)
    for (bool relu : {false, true}) {
      ConvertMode mode;
      mode.relu = relu;
      std::string name = small.name, reg = small.reg, start = relu ? "cvt.rn.relu." : "cvt.rn.";
      expectPacked(start + "f16x2." + name + " d, a;", "b32 " + reg,
                   [&](auto *s) -> uint64_t { return unpackTwo(f16Format, small.format, low(s[0]), mode); });
      mode.satfinite = true;
      start = relu ? "cvt.rn.satfinite.relu." : "cvt.rn.satfinite.";
      expectPacked(start + name + ".f32 d, a, b;", reg + " f32 f32",
                   [&](auto *s) -> uint64_t { return packTwo(small.format, low(s[0]), low(s[1]), mode); });
      if (name[0] == 'e' && (name[1] == '4' || name[1] == '5'))
        expectPacked(
            start + name + ".f16x2 d, a;", reg + " b32",
            [&](auto *s) -> uint64_t { return packHalves(small.format, f16Format, low(s[0]), mode); }, "sm_90a");
    }
}

TEST(Conversion, Scales) {
  for (bool satfinite : {false, true})
    for (unsigned r : {1u, 3u}) {
      ConvertMode mode;
      mode.satfinite = satfinite;
      mode.rounding = roundings[r];
      std::string start = std::string("cvt") + roundingNames[r] + (satfinite ? ".satfinite" : "");
      expectPacked(start + ".ue8m0x2.f32 d, a, b;", "b16 f32 f32",
                   [=](auto *s) -> uint64_t { return packTwo(ue8m0Format, low(s[0]), low(s[1]), mode); });
      expectPacked(start + ".ue8m0x2.bf16x2 d, a;", "b16 b32",
                   [=](auto *s) -> uint64_t { return packHalves(ue8m0Format, bf16Format, low(s[0]), mode); });
    }
  expectPacked("cvt.rn.bf16x2.ue8m0x2 d, a;", "b32 b16",
               [](auto *s) -> uint64_t { return unpackTwo(bf16Format, ue8m0Format, low(s[0]), {}); });
}

TEST(Conversion, StochasticRounding) {
  ConvertMode mode;
  mode.rounding = Rounding::Stochastic;
  expectPacked("cvt.rs.f16x2.f32 d, a, b, c;", "b32 f32 f32 b32",
               [=](auto *s) -> uint64_t { return packTwo(f16Format, low(s[0]), low(s[1]), mode, low(s[2])); });
  mode.relu = mode.satfinite = true;
  expectPacked("cvt.rs.relu.satfinite.bf16x2.f32 d, a, b, c;", "b32 f32 f32 b32",
               [=](auto *s) -> uint64_t { return packTwo(bf16Format, low(s[0]), low(s[1]), mode, low(s[2])); });
  const std::tuple<const char *, const char *, const FloatFormat *> formats[] = {{"e4m3x4", "b32", &e4m3Format},
                                                                                 {"e5m2x4", "b32", &e5m2Format},
                                                                                 {"e2m3x4", "b32", &e2m3Format},
                                                                                 {"e3m2x4", "b32", &e3m2Format},
                                                                                 {"e2m1x4", "b16", &e2m1Format}};
  for (auto [name, reg, format] : formats)
    expectPacked(std::string("cvt.rs.relu.satfinite.") + name + ".f32 d, {a, b, c, e}, f;",
                 std::string(reg) + " f32 f32 f32 f32 b32", [=, format = format](auto *s) -> uint64_t {
                   return packFour(*format, low(s[0]), low(s[1]), low(s[2]), low(s[3]), mode, low(s[4]));
                 });
}

TEST(Conversion, IntegerPack) {
  for (int bits : {2, 4, 8, 16})
    for (bool isSigned : {false, true}) {
      std::string type = (isSigned ? ".s" : ".u") + std::to_string(bits);
      std::string text = "cvt.pack.sat" + type + ".s32" + (bits == 16 ? " d, a, b;" : ".b32 d, a, b, c;");
      expectPacked(text, bits == 16 ? "b32 s32 s32" : "b32 s32 s32 b32",
                   [=](auto *s) -> uint64_t { return packIntegers(bits, isSigned, low(s[0]), low(s[1]), low(s[2])); });
    }
}

/// An f32 or f64 whose exponent is between two powers of two, often halfway between two numbers of few digits.
uint64_t numberBetween(std::mt19937_64 &random, bool isF64, int low, int high) {
  uint64_t mantissa = random() & ~uint64_t(0) << random() % 53;
  int exponent = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  uint64_t sign = random() & 1;
  return isF64 ? sign << 63 | uint64_t(exponent + 1023) << 52 | (mantissa & 0xfffffffffffff)
               : sign << 31 | uint64_t(exponent + 127) << 23 | (mantissa >> 29 & 0x7fffff);
}
/// Results over numbers around the range where the destination rounds.
void expectNear(const std::string &text, const std::string &types, bool isF64, int lowest, int highest,
                const PackReference &reference) {
  SCOPED_TRACE(text);
  InstructionRun run(text, types, "sm_100a");
  ASSERT_EQ(run.error, "");
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 100; ++round) {
    uint64_t sources[warpSize][2];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned reg = 1; reg < run.rows.size(); ++reg) {
        sources[lane][reg - 1] = numberBetween(random, isF64, lowest, highest);
        run.set(reg, lane, sources[lane][reg - 1]);
      }
    run.run(allLanes);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      ASSERT_EQ(run.get(0, lane), truncated(reference(sources[lane]), run.bits(0))) << std::hex << sources[lane][0];
  }
}

TEST(Conversion, RoundingsOfSmallFormats) {
  const std::tuple<const char *, const FloatFormat *> formats[] = {{"e4m3x2", &e4m3Format}, {"e5m2x2", &e5m2Format},
                                                                   {"e2m3x2", &e2m3Format}, {"e3m2x2", &e3m2Format},
                                                                   {"f16x2", &f16Format},   {"bf16x2", &bf16Format}};
  for (auto [name, format] : formats)
    for (const char *rounding : {".rn", ".rz"}) {
      ConvertMode mode;
      mode.satfinite = true;
      bool wide = format->width() == 16;
      if (rounding[2] == 'z') {
        if (!wide)
          continue;
        mode.rounding = Rounding::TowardZero;
      }
      int top = 1 << format->exponentBits;
      expectNear(std::string("cvt") + rounding + ".satfinite." + name + ".f32 d, a, b;",
                 wide ? "b32 f32 f32" : "b16 f32 f32", false, std::max(-126, -format->bias - format->mantissaBits - 2),
                 std::min(127, top - format->bias + 1),
                 [=, format = format](auto *s) -> uint64_t { return packTwo(*format, low(s[0]), low(s[1]), mode); });
    }
  for (auto [name, rounding] : {std::pair(".rna", Rounding::NearestAway), std::pair(".rn", Rounding::NearestEven),
                                std::pair(".rz", Rounding::TowardZero)}) {
    ConvertMode mode;
    mode.rounding = rounding;
    expectNear(std::string("cvt") + name + ".tf32.f32 d, a;", "b32 f32", false, -127, 127,
               [=](auto *s) -> uint64_t { return narrow(tf32Format, low(s[0]), mode); });
  }
}

TEST(Conversion, RoundingsToIntegers) {
  for (unsigned to = 0; to < 12; ++to)
    for (unsigned from : {10u, 11u})
      for (unsigned r = 0; r < 4; ++r) {
        if (isFloat(numbers[to].type) && to != from)
          continue;
        ConvertMode mode;
        mode.rounding = roundings[r];
        mode.toIntegral = true;
        expectNear(std::string("cvt") + integralNames[r] + "." + numbers[to].name + "." + numbers[from].name + " d, a;",
                   to == 10   ? "f32 f32"
                   : to == 11 ? "f64 f64"
                              : std::string("b64 ") + numbers[from].name,
                   from == 11, -3, 66,
                   [=](auto *s) { return convert(numbers[to].type, numbers[from].type, s[0], mode); });
      }
}

TEST(Conversion, RoundingsOfDoubles) {
  for (unsigned to : {8u, 9u, 10u})
    expectNear(std::string("cvt.rn.") + numbers[to].name + ".f64 d, a;", to == 10 ? "f32 f64" : "b16 f64", true,
               to == 8 ? -30 : -160, to == 8 ? 17 : 129,
               [=](auto *s) { return convert(numbers[to].type, NumberType::F64, s[0], {}); });
}

TEST(Conversion, UndefinedBits) {
  InstructionRun extend("cvt.s64.s32 d, a;", "b64 b32");
  ASSERT_EQ(extend.error, "");
  extend.x.setUndefinedBits(extend.rows[1], 1, 0x7);
  extend.x.setUndefinedBits(extend.rows[1], 2, 0x80000000);
  extend.run(allLanes);
  EXPECT_EQ(extend.x.undefinedBits(extend.rows[0], 1), 0x7u);
  EXPECT_EQ(extend.x.undefinedBits(extend.rows[0], 2), 0xffffffff80000000u);
  InstructionRun cut("cvt.u32.u64 d, a;", "b32 b64");
  cut.x.setUndefinedBits(cut.rows[1], 1, uint64_t(1) << 40);
  cut.run(allLanes);
  EXPECT_EQ(cut.x.undefinedBits(cut.rows[0], 1), 0u);
  InstructionRun pack("cvt.rn.f16x2.f32 d, a, b;", "b32 f32 f32");
  pack.x.setUndefinedBits(pack.rows[1], 1, 1);
  pack.run(allLanes);
  EXPECT_EQ(pack.x.undefinedBits(pack.rows[0], 1), 0xffff0000u);
  EXPECT_EQ(pack.operation().kind, InstructionClass::Conversion);
}

TEST(Conversion, Refusals) {
  EXPECT_EQ(refusal("cvt.s32.f32 d, a;", "b32 f32"),
            "'cvt.s32.f32': expects an integer rounding: .rni, .rzi, .rmi or .rpi");
  EXPECT_EQ(refusal("cvt.rn.s32.f32 d, a;", "b32 f32"),
            "'cvt.rn.s32.f32': expects an integer rounding: .rni, .rzi, .rmi or .rpi");
  EXPECT_EQ(refusal("cvt.f32.s32 d, a;", "f32 b32"), "'cvt.f32.s32': expects a rounding: .rn, .rz, .rm or .rp");
  EXPECT_EQ(refusal("cvt.rn.f64.f32 d, a;", "f64 f32"),
            "'cvt.rn.f64.f32': a rounding is not allowed where every value can be represented");
  EXPECT_EQ(
      refusal("cvt.rzi.f64.f32 d, a;", "f64 f32"),
      "'cvt.rzi.f64.f32': an integer rounding is allowed from a floating-point type to an integer or to itself only");
  EXPECT_EQ(refusal("cvt.ftz.s32.s16 d, a;", "b32 b16"), "'cvt.ftz.s32.s16': modifier '.ftz' is not known here");
  EXPECT_EQ(refusal("cvt.rn.relu.f32.f64 d, a;", "f32 f64"),
            "'cvt.rn.relu.f32.f64': modifier '.relu' is not known here");
  EXPECT_EQ(refusal("cvt.rp.relu.f16.f32 d, a;", "b16 f32"),
            "'cvt.rp.relu.f16.f32': expects the rounding .rn or .rz with .relu and .satfinite");
  EXPECT_EQ(refusal("cvt.u32.e4m3x2 d, a;", "b32 b16"),
            "'cvt.u32.e4m3x2': does not know a conversion to .u32 from .e4m3x2");
  EXPECT_EQ(refusal("cvt.u32.q7 d, a;", "b32 b16"), "'cvt.u32.q7': does not know a conversion to .u32 from .q7");
  EXPECT_EQ(refusal("cvt.u32.u16 d, a;", "b16 b16"), "'cvt.u32.u16': register 'd' of type .b16 where .u32 is expected");
  EXPECT_EQ(refusal("cvt.rn.f16.f32 d, a;", "f32 f32"),
            "'cvt.rn.f16.f32': register 'd' of type .f32 is wider than the instruction's type");
  EXPECT_EQ(refusal("cvt.u32.u64 d, a;", "f32 b64"),
            "'cvt.u32.u64': register 'd' of type .f32 where an integer is expected");
  EXPECT_EQ(refusal("cvt.rn.f32.u64 d, a;", "u32 b64"),
            "'cvt.rn.f32.u64': register 'd' of type .u32 where a floating-point number is expected");
  EXPECT_EQ(refusal("cvt.sat.u32.u16 d, a;", "b32 b16"), "'cvt.sat.u32.u16': modifier '.sat' is not known here");
  EXPECT_EQ(refusal("cvt.ftz.f32.bf16 d, a;", "f32 b16", "sm_80"),
            "'cvt.ftz.f32.bf16': needs sm_90 or later, the module is for sm_80");
  EXPECT_EQ(refusal("cvt.rn.satfinite.e4m3x2.f32 d, a, b;", "b16 f32 f32", "sm_80"),
            "'cvt.rn.satfinite.e4m3x2.f32': needs sm_89 or later, the module is for sm_80");
  EXPECT_EQ(refusal("cvt.rn.e4m3x2.f32 d, a, b;", "b16 f32 f32"),
            "'cvt.rn.e4m3x2.f32': expects .satfinite with .e4m3x2");
  EXPECT_EQ(refusal("cvt.rn.satfinite.e2m1x2.f32 d, a, b;", "b8 f32 f32"),
            "'cvt.rn.satfinite.e2m1x2.f32': needs sm_100 or later, the module is for sm_90a");
  EXPECT_EQ(refusal("cvt.rs.f16x2.f32 d, a, b, c;", "b32 f32 f32 b32", "sm_120a"),
            "'cvt.rs.f16x2.f32': needs sm_100a or sm_103a");
  EXPECT_EQ(refusal("cvt.rs.satfinite.e4m3x2.f32 d, a, b, c;", "b16 f32 f32 b32", "sm_100a"),
            "'cvt.rs.satfinite.e4m3x2.f32': expects the rounding .rn");
  EXPECT_EQ(refusal("cvt.rn.bf16.f32 d, a;", "b32 f32"),
            "'cvt.rn.bf16.f32': register 'd' of type .b32 where .bf16 is expected");
  EXPECT_EQ(refusal("cvt.rp.f16x2.f32 d, a, b;", "b32 f32 f32"), "'cvt.rp.f16x2.f32': expects the rounding .rn or .rz");
  EXPECT_EQ(refusal("cvt.rn.ue8m0x2.f32 d, a, b;", "b16 f32 f32", "sm_100a"),
            "'cvt.rn.ue8m0x2.f32': expects the rounding .rz or .rp");
  EXPECT_EQ(refusal("cvt.pack.s16.s32 d, a, b;", "b32 b32 b32"), "'cvt.pack.s16.s32': expects .sat");
}

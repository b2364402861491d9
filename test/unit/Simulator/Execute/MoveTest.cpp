/// Moves, packing, selections and comparisons.
#include "test/unit/Simulator/Execute/InstructionRun.h"

#include <array>
#include <cmath>

using namespace tilec::sim;

static float single(uint64_t bits) {
  auto narrow = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &narrow, sizeof value);
  return value;
}
static double wide(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
static float half(uint64_t bits) {
  int exponent = static_cast<int>((bits >> 10) & 31), fraction = static_cast<int>(bits & 0x3ff);
  float magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                    : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                    : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}
static float brain(uint64_t bits) { return single(bits << 16); }

TEST(Move, Registers) {
  for (std::string type : {"b16", "b32", "b64", "u16", "s32", "u64", "f32", "f64"}) {
    std::string reg = type[0] == 'f' ? type : "b" + type.substr(1);
    expectInstruction("mov." + type + " d, a;", reg + " " + reg, [](auto *s, auto *r) { r[0] = s[0]; });
  }
  expectInstruction("mov.pred d, a;", "pred pred", [](auto *s, auto *r) { r[0] = s[0]; });
  expectInstruction("mov.pred d, -1;", "pred", [](auto *, auto *r) { r[0] = 1; });
  expectInstruction("mov.pred d, 0;", "pred", [](auto *, auto *r) { r[0] = 0; });
  expectInstruction("mov.b32 d, 0f3F800000;", "b32", [](auto *, auto *r) { r[0] = 0x3f800000; });
  expectInstruction("mov.s64 d, -3;", "b64", [](auto *, auto *r) { r[0] = ~uint64_t(2); });
}

TEST(Move, PacksAndUnpacks) {
  expectInstruction("mov.b32 d, {a, b};", "b32 b16 b16", [](auto *s, auto *r) { r[0] = s[0] | s[1] << 16; });
  expectInstruction("mov.b64 d, {a, b};", "b64 b32 b32", [](auto *s, auto *r) { r[0] = s[0] | s[1] << 32; });
  expectInstruction("mov.b64 d, {a, b, c, e};", "b64 b16 b16 b16 b16",
                    [](auto *s, auto *r) { r[0] = s[0] | s[1] << 16 | s[2] << 32 | s[3] << 48; });
  expectInstruction("mov.b32 d, {a, b, c, e};", "b32 b8 b8 b8 b8",
                    [](auto *s, auto *r) { r[0] = s[0] | s[1] << 8 | s[2] << 16 | s[3] << 24; });
  expectInstruction("mov.b16 d, {a, b};", "b16 b8 b8", [](auto *s, auto *r) { r[0] = s[0] | s[1] << 8; });
  expectInstruction(
      "mov.b32 {d, a}, b;", "b16 b16 b32",
      [](auto *s, auto *r) {
        r[0] = s[0];
        r[1] = s[0] >> 16;
      },
      2);
  expectInstruction("mov.b64 {d, _}, a;", "b32 b64", [](auto *s, auto *r) { r[0] = s[0]; });
  expectInstruction(
      "mov.b64 {d, a, b, c}, e;", "b16 b16 b16 b16 b64",
      [](auto *s, auto *r) {
        for (unsigned i = 0; i < 4; ++i)
          r[i] = s[0] >> (16 * i);
      },
      4);
}

TEST(Move, HundredAndTwentyEightBits) {
  InstructionRun run("mov.b128 e, {a, b};\nmov.b128 f, e;\nmov.b128 {d, c}, f;", "b64 b64 b64 b64 b128 b128");
  ASSERT_EQ(run.error, "");
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    run.set(1, lane, lane + 100);
    run.set(2, lane, ~uint64_t(lane));
  }
  run.x.setUndefinedBits(run.rows[2], 8, 0xf);
  for (unsigned i = 0; i < 3; ++i)
    run.run(allLanes, i);
  EXPECT_EQ(run.get(0, 9), 109u);
  EXPECT_EQ(run.get(3, 9), ~uint64_t(9));
  EXPECT_EQ(run.x.undefinedBits(run.rows[3], 8), 0xfu);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 8), 0u);
  EXPECT_EQ(run.x.undefinedBits(run.rows[3], 9), 0u);
}

TEST(Move, SpecialRegistersAndClocks) {
  InstructionRun lane("mov.u32 d, %laneid;", "b32");
  ASSERT_EQ(lane.error, "");
  lane.run(allLanes);
  EXPECT_EQ(lane.get(0, 13), 13u);
  for (std::string text : {"mov.u32 d, %clock;", "mov.u32 d, %globaltimer_lo;"}) {
    InstructionRun clock(text, "b32");
    ASSERT_EQ(clock.error, "");
    clock.run(allLanes);
    uint64_t first = clock.get(0, 0);
    clock.run(allLanes);
    EXPECT_GT(clock.get(0, 0), first);
  }
  for (std::string text : {"mov.u64 d, %clock64;", "mov.u64 d, %globaltimer;"})
    EXPECT_EQ(refusal(text, "b64"), "");
  EXPECT_EQ(refusal("mov.u32 d, %clock_hi;", "b32"), "");
  EXPECT_EQ(refusal("mov.u32 d, %clock64;", "b32"), "'mov.u32': special register '%clock64' has 64 bits");
}

TEST(Move, Selections) {
  for (std::string type : {"b16", "b32", "b64"}) {
    std::string registers = type + " " + type + " " + type;
    expectInstruction("selp." + type + " d, a, b, c;", registers + " pred",
                      [](auto *s, auto *r) { r[0] = s[2] ? s[0] : s[1]; });
    expectInstruction("slct." + type + ".s32 d, a, b, c;", registers + " b32",
                      [](auto *s, auto *r) { r[0] = static_cast<int32_t>(s[2]) >= 0 ? s[0] : s[1]; });
    expectInstruction("slct." + type + ".f32 d, a, b, c;", registers + " f32",
                      [](auto *s, auto *r) { r[0] = single(s[2]) >= 0 ? s[0] : s[1]; });
    expectInstruction("slct.ftz." + type + ".f32 d, a, b, c;", registers + " f32", [](auto *s, auto *r) {
      float c = single(s[2]);
      r[0] = c >= 0 || std::fpclassify(c) == FP_SUBNORMAL ? s[0] : s[1];
    });
  }
  expectInstruction("selp.s32 d, 1, 0, a;", "b32 pred", [](auto *s, auto *r) { r[0] = s[0]; });
}

namespace {
/// Whether a comparison by name holds.
template <typename T> bool holds(const std::string &name, T a, T b) {
  bool nan = a != a || b != b;
  if (name == "num" || name == "nan")
    return (name == "nan") == nan;
  bool unordered = name.size() == 3 && nan;
  std::string plain = name.substr(0, 2);
  if (nan)
    return unordered;
  return plain == "eq"                    ? a == b
         : plain == "ne"                  ? a != b
         : plain == "lt" || plain == "lo" ? a < b
         : plain == "le" || plain == "ls" ? a <= b
         : plain == "gt" || plain == "hi" ? a > b
                                          : a >= b;
}
const char *const ordered[] = {"eq", "ne", "lt", "le", "gt", "ge"};
const char *const allOfFloat[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                  "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
} // namespace

TEST(Compare, Integers) {
  auto check = [](const std::string &type, const std::string &reg, auto convert) {
    for (std::string op : ordered)
      expectInstruction("setp." + op + "." + type + " d, a, b;", "pred " + reg + " " + reg,
                        [=](auto *s, auto *r) { r[0] = holds(op, convert(s[0]), convert(s[1])); });
  };
  check("u16", "b16", [](uint64_t v) { return static_cast<uint16_t>(v); });
  check("s16", "b16", [](uint64_t v) { return static_cast<int16_t>(v); });
  check("u32", "b32", [](uint64_t v) { return static_cast<uint32_t>(v); });
  check("s32", "b32", [](uint64_t v) { return static_cast<int32_t>(v); });
  check("u64", "b64", [](uint64_t v) { return v; });
  check("s64", "b64", [](uint64_t v) { return static_cast<int64_t>(v); });
  for (std::string op : {"lo", "ls", "hi", "hs"})
    expectInstruction("setp." + op + ".u32 d, a, b;", "pred b32 b32",
                      [=](auto *s, auto *r) { r[0] = holds(op, s[0], s[1]); });
  expectInstruction("setp.eq.b64 d, a, b;", "pred b64 b64", [](auto *s, auto *r) { r[0] = s[0] == s[1]; });
}

TEST(Compare, Floats) {
  auto flushed = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL ? 0.0f : value; };
  auto flushedHalf = [](uint64_t bits) { return half((bits & 0x7c00) == 0 ? bits & 0x8000 : bits); };
  for (std::string op : allOfFloat) {
    expectInstruction("setp." + op + ".f32 d, a, b;", "pred f32 f32",
                      [=](auto *s, auto *r) { r[0] = holds(op, single(s[0]), single(s[1])); });
    expectInstruction("setp." + op + ".ftz.f32 d, a, b;", "pred f32 f32",
                      [=](auto *s, auto *r) { r[0] = holds(op, flushed(single(s[0])), flushed(single(s[1]))); });
    expectInstruction("setp." + op + ".f64 d, a, b;", "pred f64 f64",
                      [=](auto *s, auto *r) { r[0] = holds(op, wide(s[0]), wide(s[1])); });
    expectInstruction("setp." + op + ".f16 d, a, b;", "pred b16 b16",
                      [=](auto *s, auto *r) { r[0] = holds(op, half(s[0]), half(s[1])); });
    expectInstruction("setp." + op + ".ftz.f16 d, a, b;", "pred b16 b16",
                      [=](auto *s, auto *r) { r[0] = holds(op, flushedHalf(s[0]), flushedHalf(s[1])); });
    expectInstruction("setp." + op + ".bf16 d, a, b;", "pred b16 b16",
                      [=](auto *s, auto *r) { r[0] = holds(op, brain(s[0]), brain(s[1])); });
    auto low = [](uint64_t v) { return v & 0xffff; };
    expectInstruction(
        "setp." + op + ".f16x2 d|a, b, c;", "pred pred b32 b32",
        [=](auto *s, auto *r) {
          r[0] = holds(op, half(low(s[0])), half(low(s[1])));
          r[1] = holds(op, half(s[0] >> 16), half(s[1] >> 16));
        },
        2);
    expectInstruction(
        "setp." + op + ".bf16x2 d|a, b, c;", "pred pred b32 b32",
        [=](auto *s, auto *r) {
          r[0] = holds(op, brain(low(s[0])), brain(low(s[1])));
          r[1] = holds(op, brain(s[0] >> 16), brain(s[1] >> 16));
        },
        2);
  }
}

TEST(Compare, Combinations) {
  auto combined = [](const std::string &how, bool t, bool c) {
    return how == "and" ? t && c : how == "or" ? t || c : t != c;
  };
  for (std::string how : {"and", "or", "xor"})
    for (bool negated : {false, true}) {
      std::string c = negated ? "!e" : "e";
      expectInstruction(
          "setp.lt." + how + ".s32 d|a, b, c, " + c + ";", "pred pred b32 b32 pred",
          [=](auto *s, auto *r) {
            bool t = static_cast<int32_t>(s[0]) < static_cast<int32_t>(s[1]);
            r[0] = combined(how, t, (s[2] != 0) != negated);
            r[1] = combined(how, !t, (s[2] != 0) != negated);
          },
          2);
    }
}

TEST(Compare, SetWritesNumbers) {
  expectInstruction("set.eq.u32.u32 d, a, b;", "b32 b32 b32",
                    [](auto *s, auto *r) { r[0] = s[0] == s[1] ? 0xffffffff : 0; });
  expectInstruction("set.lt.and.f32.s32 d, a, b, c;", "f32 b32 b32 pred", [](auto *s, auto *r) {
    r[0] = static_cast<int32_t>(s[0]) < static_cast<int32_t>(s[1]) && s[2] ? 0x3f800000 : 0;
  });
  expectInstruction("set.gtu.f16.f32 d, a, b;", "b16 f32 f32",
                    [](auto *s, auto *r) { r[0] = holds("gtu", single(s[0]), single(s[1])) ? 0x3c00 : 0; });
  expectInstruction("set.ge.u16.f16 d, a, b;", "b16 b16 b16",
                    [](auto *s, auto *r) { r[0] = holds("ge", half(s[0]), half(s[1])) ? 0xffff : 0; });
  for (bool isFloat : {false, true})
    expectInstruction(std::string("set.le.") + (isFloat ? "bf16x2" : "u32") + ".bf16x2 d, a, b;", "b32 b32 b32",
                      [=](auto *s, auto *r) {
                        uint64_t yes = isFloat ? 0x3f80 : 0xffff;
                        for (unsigned shift : {0u, 16u})
                          if (holds("le", brain((s[0] >> shift) & 0xffff), brain((s[1] >> shift) & 0xffff)))
                            r[0] |= yes << shift;
                      });
}

TEST(Compare, DefinedBitsDecide) {
  InstructionRun run("setp.eq.u32 d, a, b;", "pred b32 b32");
  ASSERT_EQ(run.error, "");
  run.set(1, 0, 0x100);
  run.set(2, 0, 0x200);
  run.set(1, 1, 7);
  run.set(2, 1, 7);
  run.x.setUndefinedBits(run.rows[1], 0, 0xf);
  run.x.setUndefinedBits(run.rows[1], 1, 0xf);
  run.run(allLanes);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 0), 0u);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 1), 1u);
}

TEST(Compare, Refusals) {
  EXPECT_EQ(refusal("setp.lt.b32 d, a, b;", "pred b32 b32"), "'setp.lt.b32': has only .eq and .ne for type .b32");
  EXPECT_EQ(refusal("setp.lo.s32 d, a, b;", "pred b32 b32"),
            "'setp.lo.s32': has .lo, .ls, .hi and .hs for unsigned types only, but got .s32");
  EXPECT_EQ(refusal("setp.ltu.s32 d, a, b;", "pred b32 b32"),
            "'setp.ltu.s32': has no unordered comparison for type .s32");
  EXPECT_EQ(refusal("setp.lt.ftz.f64 d, a, b;", "pred f64 f64"), "'setp.lt.ftz.f64': has no .ftz for type .f64");
  EXPECT_EQ(refusal("setp.lt.bf16 d, a, b;", "pred b16 b16", "sm_80"),
            "'setp.lt.bf16': needs sm_90 or later, the module is for sm_80");
  EXPECT_EQ(refusal("setp.lt.f16x2 d, a, b;", "pred b32 b32"), "'setp.lt.f16x2': expects two destinations p|q");
  EXPECT_EQ(refusal("set.lt.f32.f16 d, a, b;", "f32 b16 b16"), "'set.lt.f32.f16': has no form with types .f32.f16");
  EXPECT_EQ(refusal("mov.b16 d, {a, b, c, e};", "b16 b8 b8 b8 b8"), "'mov.b16': expects a vector of 2 or 4 elements");
  EXPECT_EQ(refusal("mov.volatile.b32 d, a;", "b32 b32"), "'mov.volatile.b32': modifier '.volatile' is not known here");
}

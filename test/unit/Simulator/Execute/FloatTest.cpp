/// Floating-point instructions against Numeric, whose results have tests of their own: what is shown here is that the
/// modifiers, operands and lanes get there, and what is refused.
#include "test/unit/Simulator/Execute/InstructionRun.h"

#include "lib/Simulator/Numeric/Approximate.h"

#include <string>

using namespace tilec::sim;

namespace {

const char *const roundingNames[] = {"rn", "rz", "rm", "rp"};
constexpr Rounding roundings[] = {Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up};

struct Shape {
  const char *name, *reg;
  FloatType type;
  unsigned bits, parts;
};
constexpr Shape shapes[] = {
    {"f16", "b16", FloatType::F16, 16, 1},   {"f16x2", "b32", FloatType::F16, 16, 2},
    {"bf16", "b16", FloatType::BF16, 16, 1}, {"bf16x2", "b32", FloatType::BF16, 16, 2},
    {"f32", "f32", FloatType::F32, 32, 1},   {"f32x2", "b64", FloatType::F32, 32, 2},
    {"f64", "f64", FloatType::F64, 64, 1},
};

/// A reference of one part, applied to each.
template <typename Function> Reference onParts(const Shape &shape, Function function) {
  return [=](const uint64_t *s, uint64_t *r) {
    for (unsigned part = 0; part < shape.parts; ++part) {
      unsigned at = part * shape.bits;
      auto cut = [&](uint64_t value) { return truncated(value >> at, shape.bits); };
      uint64_t values[3] = {cut(s[0]), cut(s[1]), cut(s[2])};
      r[0] |= function(values) << at;
    }
  };
}

std::string registers(const std::string &type, unsigned count) {
  std::string all = type;
  while (--count)
    all += " " + type;
  return all;
}

void expectRounded(const std::string &text, const Shape &shape, FloatOp op, FloatMode mode, unsigned sources) {
  const char *operands[] = {"", " d, a;", " d, a, b;", " d, a, b, c;"};
  expectInstruction(text + operands[sources], registers(shape.reg, sources + 1),
                    onParts(shape, [=](const uint64_t *v) { return evaluate(shape.type, op, mode, v[0], v[1], v[2]); }),
                    1, "sm_100a");
}

} // namespace

TEST(Float, SumsAndProducts) {
  const std::pair<const char *, FloatOp> ops[] = {
      {"add", FloatOp::Add}, {"sub", FloatOp::Sub}, {"mul", FloatOp::Mul}, {"fma", FloatOp::Fma}};
  for (auto [opcode, op] : ops)
    for (const Shape &shape : shapes) {
      unsigned sources = op == FloatOp::Fma ? 3 : 2;
      bool isHalf = shape.bits == 16, isF16 = shape.type == FloatType::F16, isF32 = shape.bits == 32;
      std::string name = opcode, type = std::string(".") + shape.name;
      for (unsigned r = 0; r < (isHalf ? 1u : 4u); ++r) {
        FloatMode mode;
        mode.rounding = roundings[r];
        std::string rounded = name + "." + roundingNames[r];
        expectRounded(rounded + type, shape, op, mode, sources);
        if (!isF16 && !isF32)
          continue;
        mode.ftz = true;
        expectRounded(rounded + ".ftz" + type, shape, op, mode, sources);
        if (shape.bits == 32 && shape.parts == 2)
          continue;
        mode.sat = true;
        expectRounded(rounded + ".ftz.sat" + type, shape, op, mode, sources);
        mode.ftz = false;
        expectRounded(rounded + ".sat" + type, shape, op, mode, sources);
      }
      if (op != FloatOp::Fma)
        expectRounded(name + type, shape, op, {}, sources);
      if (op == FloatOp::Fma && isHalf) {
        FloatMode mode;
        mode.relu = true;
        expectRounded("fma.rn.relu" + type, shape, op, mode, sources);
        mode.oob = true;
        expectRounded("fma.rn.oob.relu" + type, shape, op, mode, sources);
      }
    }
  FloatMode up;
  up.rounding = Rounding::Up;
  up.sat = true;
  expectRounded("mad.rp.sat.f32", shapes[4], FloatOp::Fma, up, 3);
}

TEST(Float, MixedPrecision) {
  for (auto [name, type] : {std::pair("f16", FloatType::F16), std::pair("bf16", FloatType::BF16)}) {
    FloatMode mode;
    mode.rounding = Rounding::Down;
    mode.sat = true;
    for (auto [opcode, op] : {std::pair("add", FloatOp::Add), std::pair("sub", FloatOp::Sub)})
      expectInstruction(
          std::string(opcode) + ".rm.sat.f32." + name + " d, a, b;", "f32 b16 f32",
          [=, type = type, op = op](auto *s, auto *r) {
            r[0] = evaluateMixed(type, op, mode, uint32_t(s[0]), 0, uint32_t(s[1]));
          },
          1, "sm_100a");
    expectInstruction(
        std::string("fma.rn.f32.") + name + " d, a, b, c;", "f32 b16 b16 f32",
        [type = type](auto *s, auto *r) {
          r[0] = evaluateMixed(type, FloatOp::Fma, {}, uint32_t(s[0]), uint32_t(s[1]), uint32_t(s[2]));
        },
        1, "sm_100a");
  }
}

TEST(Float, QuotientsInversesRoots) {
  for (const Shape &shape : {shapes[4], shapes[6]})
    for (unsigned r = 0; r < 4; ++r)
      for (bool ftz : {false, true}) {
        if (ftz && shape.bits == 64)
          continue;
        FloatMode mode;
        mode.rounding = roundings[r];
        mode.ftz = ftz;
        std::string end = std::string(".") + roundingNames[r] + (ftz ? ".ftz." : ".") + shape.name;
        expectRounded("div" + end, shape, FloatOp::Div, mode, 2);
        expectRounded("rcp" + end, shape, FloatOp::Rcp, mode, 1);
        expectRounded("sqrt" + end, shape, FloatOp::Sqrt, mode, 1);
      }
  for (bool ftz : {false, true}) {
    std::string end = ftz ? ".ftz.f32 d, a, b;" : ".f32 d, a, b;";
    expectInstruction("div.approx" + end, "f32 f32 f32",
                      [=](auto *s, auto *r) { r[0] = divApprox(uint32_t(s[0]), uint32_t(s[1]), ftz); });
    expectInstruction("div.full" + end, "f32 f32 f32",
                      [=](auto *s, auto *r) { r[0] = divFull(uint32_t(s[0]), uint32_t(s[1]), ftz); });
  }
}

TEST(Float, Approximations) {
  using Function = uint32_t (*)(uint32_t, bool);
  const std::pair<const char *, Function> functions[] = {
      {"ex2", ex2Approx}, {"lg2", lg2Approx},   {"sin", sinApprox},    {"cos", cosApprox},
      {"rcp", rcpApprox}, {"sqrt", sqrtApprox}, {"rsqrt", rsqrtApprox}};
  for (auto [name, function] : functions)
    for (bool ftz : {false, true})
      expectInstruction(std::string(name) + (ftz ? ".approx.ftz" : ".approx") + ".f32 d, a;", "f32 f32",
                        [=, function = function](auto *s, auto *r) { r[0] = function(uint32_t(s[0]), ftz); });
  expectInstruction("tanh.approx.f32 d, a;", "f32 f32", [](auto *s, auto *r) { r[0] = tanhApprox(uint32_t(s[0])); });
  expectInstruction("rcp.approx.ftz.f64 d, a;", "f64 f64", [](auto *s, auto *r) { r[0] = rcpApproxFtzF64(s[0]); });
  expectInstruction("rsqrt.approx.ftz.f64 d, a;", "f64 f64", [](auto *s, auto *r) { r[0] = rsqrtApproxFtzF64(s[0]); });
  expectInstruction("rsqrt.approx.f64 d, a;", "f64 f64", [](auto *s, auto *r) { r[0] = rsqrtApproxF64(s[0]); });
  for (unsigned i = 0; i < 4; ++i) {
    const Shape &shape = shapes[i];
    std::string types = registers(shape.reg, 2), end = std::string(".") + shape.name + " d, a;";
    expectInstruction((shape.type == FloatType::F16 ? "ex2.approx" : "ex2.approx.ftz") + end, types,
                      onParts(shape, [&](auto *v) -> uint64_t { return ex2ApproxHalf(shape.type, uint32_t(v[0])); }));
    expectInstruction("tanh.approx" + end, types,
                      onParts(shape, [&](auto *v) -> uint64_t { return tanhApproxHalf(shape.type, uint32_t(v[0])); }));
  }
}

TEST(Float, MinimumAndMaximum) {
  for (const Shape &shape : shapes)
    for (bool isMax : {false, true}) {
      if (shape.bits == 32 && shape.parts == 2)
        continue;
      for (unsigned set = 0; set < 8; ++set) {
        MinMaxMode mode;
        mode.isMax = isMax;
        mode.ftz = set & 1;
        mode.nan = set & 2;
        mode.abs = mode.xorsign = set & 4;
        if ((shape.bits == 64 && set) || (shape.type == FloatType::BF16 && mode.ftz))
          continue;
        expectInstruction(std::string(isMax ? "max" : "min") + (mode.ftz ? ".ftz" : "") + (mode.nan ? ".NaN" : "") +
                              (mode.abs ? ".xorsign.abs." : ".") + shape.name + " d, a, b;",
                          registers(shape.reg, 3),
                          onParts(shape, [=](auto *v) { return minMax(shape.type, mode, v[0], v[1]); }));
        if (shape.bits != 32)
          continue;
        mode.xorsign = false;
        expectInstruction(
            std::string(isMax ? "max" : "min") + (mode.ftz ? ".ftz" : "") + (mode.nan ? ".NaN" : "") +
                (mode.abs ? ".abs.f32" : ".f32") + " d, a, b, c;",
            registers(shape.reg, 4), [=](auto *s, auto *r) { r[0] = minMax3(FloatType::F32, mode, s[0], s[1], s[2]); },
            1, "sm_100a");
      }
    }
}

TEST(Float, Signs) {
  for (const Shape &shape : shapes)
    for (bool ftz : {false, true}) {
      if ((shape.bits == 32 && shape.parts == 2) || (ftz && (shape.bits == 64 || shape.type == FloatType::BF16)))
        continue;
      std::string end = std::string(ftz ? ".ftz." : ".") + shape.name + " d, a;", types = registers(shape.reg, 2);
      expectInstruction("abs" + end, types, onParts(shape, [=](auto *v) { return absolute(shape.type, ftz, v[0]); }));
      expectInstruction("neg" + end, types, onParts(shape, [=](auto *v) { return negated(shape.type, ftz, v[0]); }));
    }
  expectInstruction("copysign.f32 d, a, b;", "f32 f32 f32",
                    [](auto *s, auto *r) { r[0] = copySign(FloatType::F32, s[0], s[1]); });
  expectInstruction("copysign.f64 d, a, b;", "f64 f64 f64",
                    [](auto *s, auto *r) { r[0] = copySign(FloatType::F64, s[0], s[1]); });
}

TEST(Float, Properties) {
  const char *const names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (unsigned i = 0; i < 6; ++i) {
    auto property = static_cast<TestProperty>(i);
    expectInstruction(std::string("testp.") + names[i] + ".f32 d, a;", "pred f32",
                      [=](auto *s, auto *r) { r[0] = testProperty(FloatType::F32, property, s[0]); });
    expectInstruction(std::string("testp.") + names[i] + ".f64 d, a;", "pred f64",
                      [=](auto *s, auto *r) { r[0] = testProperty(FloatType::F64, property, s[0]); });
  }
}

TEST(Float, Constants) {
  expectInstruction("fma.rn.f32 d, a, 0f40000000, 0.5;", "f32 f32", [](auto *s, auto *r) {
    r[0] = evaluate(FloatType::F32, FloatOp::Fma, {}, s[0], 0x40000000, 0x3f000000);
  });
  expectInstruction("add.f64 d, a, 0.1;", "f64 f64",
                    [](auto *s, auto *r) { r[0] = evaluate(FloatType::F64, FloatOp::Add, {}, s[0], bitsOf(0.1)); });
}

TEST(Float, Classes) {
  EXPECT_EQ(InstructionRun("add.f32 d, a, b;", "f32 f32 f32").operation().kind, InstructionClass::Float);
  EXPECT_EQ(InstructionRun("add.f64 d, a, b;", "f64 f64 f64").operation().kind, InstructionClass::Double);
  EXPECT_EQ(InstructionRun("add.f16x2 d, a, b;", "b32 b32 b32").operation().kind, InstructionClass::Half);
}

TEST(Float, UndefinedBitsStayInTheirHalf) {
  InstructionRun run("mul.f16x2 d, a, b;", "b32 b32 b32");
  ASSERT_EQ(run.error, "");
  run.x.setUndefinedBits(run.rows[1], 3, 0x00010000);
  run.run(allLanes);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 3), 0xffff0000u);
  InstructionRun sign("copysign.f32 d, a, b;", "f32 f32 f32");
  sign.x.setUndefinedBits(sign.rows[1], 3, 0xffffffff);
  sign.run(allLanes);
  EXPECT_EQ(sign.x.undefinedBits(sign.rows[0], 3), 0x80000000u);
}

TEST(Float, Refusals) {
  EXPECT_EQ(refusal("fma.f32 d, a, b, c;", "f32 f32 f32 f32"), "'fma.f32': expects a rounding: .rn, .rz, .rm or .rp");
  EXPECT_EQ(refusal("add.rz.f16 d, a, b;", "b16 b16 b16"), "'add.rz.f16': expects the rounding .rn with .f16");
  EXPECT_EQ(refusal("add.ftz.f64 d, a, b;", "f64 f64 f64"), "'add.ftz.f64': modifier '.ftz' is not known here");
  EXPECT_EQ(refusal("add.rn.relu.bf16 d, a, b;", "b16 b16 b16"),
            "'add.rn.relu.bf16': modifier '.relu' is not known here");
  EXPECT_EQ(refusal("add.bf16 d, a, b;", "b16 b16 b16", "sm_80"),
            "'add.bf16': needs sm_90 or later, the module is for sm_80");
  EXPECT_EQ(refusal("fma.rn.f32x2 d, a, b, c;", "b64 b64 b64 b64"),
            "'fma.rn.f32x2': needs sm_100 or later, the module is for sm_90a");
  EXPECT_EQ(refusal("min.xorsign.f32 d, a, b;", "f32 f32 f32"), "'min.xorsign.f32': expects .abs after .xorsign");
  EXPECT_EQ(refusal("min.abs.f32 d, a, b;", "f32 f32 f32"), "'min.abs.f32': modifier '.abs' is not known here");
  EXPECT_EQ(refusal("div.f32 d, a, b;", "f32 f32 f32"),
            "'div.f32': expects .approx, .full, or a rounding: .rn, .rz, .rm or .rp");
  EXPECT_EQ(refusal("rcp.approx.f64 d, a;", "f64 f64"), "'rcp.approx.f64': expects .ftz with .approx and .f64");
  EXPECT_EQ(refusal("sqrt.approx.ftz.f64 d, a;", "f64 f64"),
            "'sqrt.approx.ftz.f64': expects a rounding with .f64: .rn, .rz, .rm or .rp");
  EXPECT_EQ(refusal("sin.f32 d, a;", "f32 f32"), "'sin.f32': expects .approx");
  EXPECT_EQ(refusal("cos.approx.f64 d, a;", "f64 f64"), "'cos.approx.f64': has no form for .f64");
  EXPECT_EQ(refusal("ex2.approx.bf16 d, a;", "b16 b16"), "'ex2.approx.bf16': expects .ftz with .bf16");
  EXPECT_EQ(refusal("testp.f32 d, a;", "pred f32"),
            "'testp.f32': expects .finite, .infinite, .number, .notanumber, .normal or .subnormal");
  EXPECT_EQ(refusal("add.f32 d, a, 1;", "f32 f32"),
            "'add.f32': expects a floating-point constant such as 0f3F800000 or 1.0, found an integer");
  EXPECT_EQ(refusal("add.f32 d, a, b;", "f32 f32 f64"), "'add.f32': register 'b' of type .f64 where .f32 is expected");
  EXPECT_EQ(refusal("mul.f32 d, a;", "f32 f32"), "'mul.f32': expects 3 operands, but got 2");
}

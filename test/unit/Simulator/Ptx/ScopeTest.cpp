/// Nested scopes: registers, variables and labels that shadow others, and ranges of registers.
#include "test/unit/Simulator/Ptx/ParseText.h"

using namespace tilec::ptx;

TEST(PtxScopes, registersOfARangeAreMadeOnUse) {
  Parsed parsed = parseModule(".func f() { .reg .b32 %r<4000000000>; .reg .f32 a; mov.b32 %r7, %r3999999999; "
                              "mov.b32 %r7, a; ret; }");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function();
  ASSERT_EQ(f.registers.size(), 3u);
  EXPECT_EQ(f.registers[0].name, "a");
  EXPECT_EQ(f.registers[1].name, "%r7");
  EXPECT_EQ(f.registers[2].name, "%r3999999999");
  EXPECT_EQ(f.instructions[0].operands[0].reg, f.instructions[1].operands[0].reg);
}

TEST(PtxScopes, innerRegistersShadow) {
  Parsed parsed = parseBody(R"(mov.b32 %r1, %r2;
    { .reg .b64 %r<2>; .reg .f32 p; mov.b32 %r1, %r5; { mov.b32 p, %r1; .reg .b16 %r1; mov.b32 p, %r1; } }
    mov.b32 %r1, %r0;
    @p ret;)");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function();
  auto type = [&](size_t instruction, size_t operand) { return f.instructions[instruction].operands[operand].type; };
  EXPECT_EQ(type(0, 0), Type::B32);
  EXPECT_EQ(type(1, 0), Type::B64); // the inner range
  EXPECT_EQ(type(1, 1), Type::B32); // beyond it, the outer one
  EXPECT_EQ(type(2, 0), Type::F32);
  EXPECT_EQ(type(2, 1), Type::B64);
  EXPECT_EQ(type(3, 1), Type::B16);
  EXPECT_EQ(type(4, 0), Type::B32);
  EXPECT_EQ(f.instructions[0].operands[0].reg, f.instructions[4].operands[0].reg);
}

TEST(PtxScopes, variablesGetUniqueNames) {
  Parsed parsed = parseBody(R"({ .param .b32 param0; st.param.b32 [param0], %r1; }
    { .param .b64 param0; st.param.b64 [param0+0], %rd1; { .local .u8 array[4]; ld.u8 %r1, [array]; } }
    ld.u32 %r1, [array];)");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function();
  ASSERT_EQ(f.variables.size(), 3u);
  EXPECT_EQ(f.variables[0].name, "param0");
  EXPECT_NE(f.variables[1].name, "param0");
  EXPECT_NE(f.variables[2].name, "array");
  EXPECT_EQ(f.instructions[0].operands[0].elements[0].name, f.variables[0].name);
  EXPECT_EQ(f.instructions[1].operands[0].elements[0].name, f.variables[1].name);
  EXPECT_EQ(f.instructions[2].operands[1].elements[0].name, f.variables[2].name);
  EXPECT_EQ(f.instructions[3].operands[1].elements[0].name, "array");
}

TEST(PtxScopes, labelsOfScopes) {
  Parsed parsed = parseBody(R"(bra L;
    { L: bra L; bra M; }
    { bra L; { L: bra M; } }
    L: ret;
    M:)");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function();
  auto target = [&](size_t instruction) { return f.labels.at(f.instructions[instruction].operands[0].name); };
  EXPECT_EQ(target(0), 5u);
  EXPECT_EQ(target(1), 1u);
  EXPECT_EQ(target(2), 6u);
  EXPECT_EQ(target(3), 5u);
  EXPECT_EQ(target(4), 6u);
  EXPECT_EQ(f.labels.size(), 4u);
}

TEST(PtxScopes, labelsBeforeSymbols) {
  Parsed parsed = parseBody("bra array; array: ret;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.function().labels.count(parsed.operand(0).name), 1u);
  EXPECT_NE(parsed.operand(0).name, "array");
}

TEST(PtxScopes, duplicates) {
  EXPECT_EQ(parseBody(".reg .b32 %r3;").error, "3:11: expected a new name, but '%r3' is declared already");
  EXPECT_EQ(parseBody(".reg .b32 a7; .reg .b32 a<7>; .reg .b32 a<8>;").error,
            "3:41: expected a new name, but 'a' is declared already");
  EXPECT_EQ(parseBody(".reg .b32 a7, a<8>;").error, "3:15: expected a new name, but 'a' is declared already");
  EXPECT_EQ(parseBody("L: L: ret;").error, "3:4: expected a new name, but 'L' is declared already");
  EXPECT_EQ(parseBody("p: ret;").error, "3:1: expected a new name, but 'p' is declared already");
  EXPECT_EQ(parseBody(".local .b32 x, x;").error, "3:16: expected a new name, but 'x' is declared already");
  EXPECT_EQ(parseModule(".global .u32 a; .func a();").error, "2:23: expected a new name, but 'a' is declared already");
  EXPECT_EQ(parseModule(".global .u32 a, a;").error, "2:17: expected a new name, but 'a' is declared already");
  EXPECT_EQ(parseModule(".func a() {ret;} .func a() {ret;}").error,
            "2:24: expected a new name, but 'a' is declared already");
  EXPECT_EQ(parseModule(".func a(.reg .u32 x, .reg .u32 x) {ret;}").error,
            "2:32: expected a new name, but 'x' is declared already");
  EXPECT_EQ(parseModule(".extern .global .u32 a; .visible .global .u32 a;").error, "");
}

TEST(PtxScopes, nestingIsBounded) {
  EXPECT_EQ(parseBody(std::string(100, '{') + std::string(100, '}')).error, "");
  EXPECT_EQ(parseBody(std::string(100000, '{')).error, "3:128: expected blocks nested at most 128 deep");
}

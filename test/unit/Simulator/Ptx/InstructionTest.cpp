/// Operands and what precedes them.
#include "test/unit/Simulator/Ptx/ParseText.h"

using namespace tilec::ptx;
using Kind = Operand::Kind;

TEST(PtxInstruction, opcodeAndModifiers) {
  Parsed parsed = parseBody("ld.global.L1::no_allocate.L2::128B .v2\n .b32 {%r1, _}, [%rd1+-16];");
  ASSERT_EQ(parsed.error, "");
  const Instruction &load = parsed.instruction();
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_EQ(load.modifiers, (std::vector<std::string>{"global", "L1::no_allocate", "L2::128B", "v2", "b32"}));
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].kind, Kind::Vector);
  EXPECT_EQ(load.operands[0].elements[1].kind, Kind::Sink);
  EXPECT_EQ(load.operands[1].kind, Kind::Address);
  EXPECT_EQ(load.operands[1].offset, -16);
  EXPECT_EQ(load.operands[1].elements[0].type, Type::B64);
  EXPECT_EQ(load.location.line, 3u);
  EXPECT_EQ(load.location.column, 1u);
  EXPECT_EQ(load.guard, -1);
}

TEST(PtxInstruction, guards) {
  Parsed parsed = parseBody("@p ret; @!q ret; L: @p bra L;");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function();
  EXPECT_EQ(f.registers[f.instructions[0].guard].name, "p");
  EXPECT_FALSE(f.instructions[0].guardNegated);
  EXPECT_EQ(f.registers[f.instructions[1].guard].name, "q");
  EXPECT_TRUE(f.instructions[1].guardNegated);
  EXPECT_EQ(f.labels.at("L"), 2u);
  EXPECT_EQ(f.instructions[2].operands[0].kind, Kind::Symbol);
}

TEST(PtxInstruction, predicatesAndPairs) {
  Parsed parsed = parseBody("setp.lt.and.s32 p|_, %r1, 5, !q;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.operand(0).kind, Kind::Pair);
  EXPECT_EQ(parsed.operand(0).elements[1].kind, Kind::Sink);
  EXPECT_TRUE(parsed.operand(3).negated);
  EXPECT_EQ(parsed.operand(3).type, Type::Predicate);
  parsed = parseBody("shfl.sync.idx.b32 %r1|p, %r2, 0, 31, -1;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.operand(4).kind, Kind::Integer);
  EXPECT_EQ(parsed.operand(4).bits, ~uint64_t(0));
}

TEST(PtxInstruction, addresses) {
  Parsed parsed = parseBody("x [%rd1], [%rd1+4], [%rd1-4], [array], [array+4], [16], [array+2*3];");
  ASSERT_EQ(parsed.error, "");
  int64_t offsets[] = {0, 4, -4, 0, 4, 0, 6};
  Kind bases[] = {Kind::Register, Kind::Register, Kind::Register, Kind::Symbol,
                  Kind::Symbol,   Kind::Integer,  Kind::Symbol};
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(parsed.operand(i).kind, Kind::Address);
    EXPECT_EQ(parsed.operand(i).offset, offsets[i]) << i;
    EXPECT_EQ(parsed.operand(i).elements.at(0).kind, bases[i]) << i;
  }
  EXPECT_EQ(parsed.operand(5).elements[0].bits, 16u);
}

TEST(PtxInstruction, tensorAddresses) {
  Parsed parsed = parseBody("x [%rd1, {%r1, 7}], [%rd2, {%r1}, {%r2}], [array, %r3];");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.operand(0).elements.size(), 2u);
  EXPECT_EQ(parsed.operand(0).elements[1].kind, Kind::Vector);
  EXPECT_EQ(parsed.operand(0).elements[1].elements[1].bits, 7u);
  EXPECT_EQ(parsed.operand(1).elements.size(), 3u);
  EXPECT_EQ(parsed.operand(2).elements[1].kind, Kind::Register);
}

TEST(PtxInstruction, symbolsAndIndices) {
  Parsed parsed =
      parseBody("mov.u64 %rd1, array+4; mov.u64 %rd1, array[2]; ld.global.u32 %r1, array[3]; mov.u64 %rd1, g;");
  ASSERT_EQ(parsed.error, "");
  const auto &list = parsed.function().instructions;
  EXPECT_EQ(list[0].operands[1].kind, Kind::Symbol);
  EXPECT_EQ(list[0].operands[1].offset, 4);
  EXPECT_EQ(list[0].operands[1].component, -1);
  EXPECT_EQ(list[1].operands[1].kind, Kind::Symbol);
  EXPECT_EQ(list[1].operands[1].offset, 8);
  EXPECT_EQ(list[2].operands[1].kind, Kind::Address);
  EXPECT_EQ(list[2].operands[1].offset, 12);
  EXPECT_EQ(list[3].operands[1].name, "g");
}

TEST(PtxInstruction, specialRegistersAndComponents) {
  Parsed parsed =
      parseBody("x %tid.x, %clock64, %lanemask_lt, WARP_SZ, quad.w, %ctaid.y, %envreg31, %pm0_64, quad, %tid;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.operand(0).name, "%tid.x");
  EXPECT_EQ(parsed.operand(0).component, 0);
  EXPECT_EQ(parsed.operand(0).type, Type::U32);
  EXPECT_EQ(parsed.operand(1).type, Type::U64);
  EXPECT_EQ(parsed.operand(2).name, "%lanemask_lt");
  EXPECT_EQ(parsed.operand(3).bits, 32u);
  EXPECT_EQ(parsed.operand(4).component, 3);
  EXPECT_EQ(parsed.operand(5).name, "%ctaid.y");
  EXPECT_EQ(parsed.operand(7).type, Type::U64);
  EXPECT_EQ(parsed.operand(8).component, -1);
  EXPECT_EQ(parsed.operand(9).name, "%tid");
}

TEST(PtxInstruction, constants) {
  struct {
    const char *text;
    uint64_t bits;
  } rows[] = {{"0x10", 16},
              {"-5", uint64_t(-5)},
              {"(1 << 4) | 3", 19},
              {"7 % 4", 3},
              {"2 + 3 * 4", 14},
              {"(2 + 3) * 4", 20},
              {"~0", ~uint64_t(0)},
              {"!3", 0},
              {"1 ? 2 : 3", 2},
              {"0 ? 2 : 1 ? 4 : 5", 4},
              {"-8 >> 1", uint64_t(-4)},
              {"(.u64)-8 >> 1", uint64_t(-8) >> 1},
              {"-1 < 1", 1},
              {"-1 < 1U", 0},
              {"5 == 5 && 1 != 2 || 0", 1},
              {"6 ^ 3 & 2", 4},
              {"1 << 64", 0},
              {"-1 >> 70", ~uint64_t(0)},
              {"(.s64)2.9", 2},
              {"-7 / 2", uint64_t(-3)},
              {"8 - 4 - 2", 2},
              {"(.s64)-9223372036854775808 / -1", uint64_t(1) << 63}};
  for (const auto &row : rows) {
    Parsed parsed = parseBody(std::string("x ") + row.text + ";");
    ASSERT_EQ(parsed.error, "") << row.text;
    EXPECT_EQ(parsed.operand(0).kind, Kind::Integer) << row.text;
    EXPECT_EQ(parsed.operand(0).bits, row.bits) << row.text;
  }
  Parsed parsed = parseBody("x 0f3F800000, -0f3F800000, 1.5, -1.5, 1.0 + 2, 0d3FF0000000000000;");
  ASSERT_EQ(parsed.error, "");
  uint64_t bits[] = {0x3f800000,         0xbf800000,         0x3ff8000000000000,
                     0xbff8000000000000, 0x4008000000000000, 0x3ff0000000000000};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(parsed.operand(i).kind, Kind::Float);
    EXPECT_EQ(parsed.operand(i).type, i < 2 ? Type::F32 : Type::F64);
    EXPECT_EQ(parsed.operand(i).bits, bits[i]) << i;
  }
}

TEST(PtxInstruction, calls) {
  Parsed parsed = parseBody(R"({
    .param .b32 param0;
    .param .b32 retval0;
    call.uni (retval0), g, (param0, %r1);
    call g;
    proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;
    call (retval0), %rd1, (param0), proto;
    call g, ();
  })");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.operand(0).kind, Kind::List);
  EXPECT_EQ(parsed.operand(0).elements[0].name, "retval0");
  EXPECT_EQ(parsed.operand(1).name, "g");
  EXPECT_EQ(parsed.operand(2).elements[1].kind, Kind::Register);
  const LabelList &proto = parsed.function().labelLists.at("proto");
  EXPECT_EQ(proto.kind, LabelList::Kind::Prototype);
  EXPECT_EQ(proto.results.size(), 1u);
  EXPECT_EQ(proto.parameters.at(1).bytes(), 16u);
  EXPECT_EQ(parsed.instruction(2).operands[3].name, "proto");
  EXPECT_TRUE(parsed.instruction(3).operands[1].elements.empty());
}

TEST(PtxInstruction, sourceLocations) {
  Parsed parsed = parseBody(R"(bar.sync 0;
    .loc 1 10 3
    bar.sync 0;
    .loc 2 20 0, function_name $L__info_string0+4, inlined_at 1 10 3
    bar.sync 0; ret;)");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.instruction(0).source.file, 0u);
  EXPECT_EQ(parsed.instruction(1).source.line, 10u);
  EXPECT_EQ(parsed.instruction(1).source.column, 3u);
  EXPECT_EQ(parsed.instruction(2).source.file, 2u);
  EXPECT_EQ(parsed.instruction(3).source.line, 20u);
}

/// Logic, shifts and byte permutation against references bit by bit.
#include "test/unit/Simulator/Execute/InstructionRun.h"

#include <array>

using namespace tilec::sim;

static int bit(uint64_t value, unsigned i) { return static_cast<int>((value >> i) & 1); }

TEST(Logic, Bitwise) {
  for (unsigned bits : {16u, 32u, 64u}) {
    std::string type = "b" + std::to_string(bits), three = type + " " + type + " " + type;
    expectInstruction("and." + type + " d, a, b;", three, [](auto *s, auto *r) { r[0] = s[0] & s[1]; });
    expectInstruction("or." + type + " d, a, b;", three, [](auto *s, auto *r) { r[0] = s[0] | s[1]; });
    expectInstruction("xor." + type + " d, a, b;", three, [](auto *s, auto *r) { r[0] = s[0] ^ s[1]; });
    expectInstruction("not." + type + " d, a;", type + " " + type, [](auto *s, auto *r) { r[0] = ~s[0]; });
    expectInstruction("cnot." + type + " d, a;", type + " " + type, [](auto *s, auto *r) { r[0] = s[0] == 0; });
  }
  expectInstruction("and.b32 d, a, 0xff00;", "b32 b32", [](auto *s, auto *r) { r[0] = s[0] & 0xff00; });
  expectInstruction("and.pred d, a, b;", "pred pred pred", [](auto *s, auto *r) { r[0] = s[0] & s[1]; });
  expectInstruction("or.pred d, a, b;", "pred pred pred", [](auto *s, auto *r) { r[0] = s[0] | s[1]; });
  expectInstruction("xor.pred d, a, b;", "pred pred pred", [](auto *s, auto *r) { r[0] = s[0] ^ s[1]; });
  expectInstruction("not.pred d, a;", "pred pred", [](auto *s, auto *r) { r[0] = !s[0]; });
}

TEST(Logic, ShiftsClampTheirCounts) {
  for (unsigned bits : {16u, 32u, 64u}) {
    std::string width = std::to_string(bits), type = "b" + width, registers = type + " " + type + " b32";
    auto left = [=](auto *s, auto *r) { r[0] = s[1] >= bits ? 0 : s[0] << s[1]; };
    auto right = [=](auto *s, auto *r) { r[0] = s[1] >= bits ? 0 : s[0] >> s[1]; };
    auto arithmetic = [=](auto *s, auto *r) {
      for (unsigned i = 0; i < bits; ++i)
        r[0] |= uint64_t(bit(s[0], s[1] + i < bits ? static_cast<unsigned>(s[1] + i) : bits - 1)) << i;
    };
    expectInstruction("shl." + type + " d, a, b;", registers, left);
    expectInstruction("shr." + type + " d, a, b;", registers, right);
    expectInstruction("shr.u" + width + " d, a, b;", registers, right);
    expectInstruction("shr.s" + width + " d, a, b;", registers, arithmetic);
  }
}

TEST(Logic, FunnelShifts) {
  auto funnel = [](bool left, bool clamp) {
    return [=](auto *s, auto *r) {
      uint64_t n = clamp ? std::min<uint64_t>(s[2], 32) : s[2] & 31;
      uint64_t a = s[0], b = s[1];
      r[0] = left ? (n == 32  ? a
                     : n == 0 ? b
                              : (b << n) | (a >> (32 - n)))
                  : (n == 32  ? b
                     : n == 0 ? a
                              : (b << (32 - n)) | (a >> n));
    };
  };
  expectInstruction("shf.l.clamp.b32 d, a, b, c;", "b32 b32 b32 b32", funnel(true, true));
  expectInstruction("shf.l.wrap.b32 d, a, b, c;", "b32 b32 b32 b32", funnel(true, false));
  expectInstruction("shf.r.clamp.b32 d, a, b, c;", "b32 b32 b32 b32", funnel(false, true));
  expectInstruction("shf.r.wrap.b32 d, a, b, c;", "b32 b32 b32 b32", funnel(false, false));
}

TEST(Logic, Lop3LooksUpEachBit) {
  auto lookUp = [](const uint64_t *s, unsigned table) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; ++i)
      result |= uint64_t(bit(table, static_cast<unsigned>(bit(s[0], i) * 4 + bit(s[1], i) * 2 + bit(s[2], i)))) << i;
    return result;
  };
  for (unsigned table : {0x00u, 0xffu, 0x80u, 0x96u, 0xe8u, 0xcau, 0x1bu, 0xf0u})
    expectInstruction("lop3.b32 d, a, b, c, " + std::to_string(table) + ";", "b32 b32 b32 b32",
                      [=](auto *s, auto *r) { r[0] = lookUp(s, table); });
  // d and p are the registers d and a, the sources b, c, e, and q is f.
  expectInstruction(
      "lop3.and.b32 d|a, b, c, e, 0xe8, f;", "b32 pred b32 b32 b32 pred",
      [=](auto *s, auto *r) {
        r[0] = lookUp(s, 0xe8);
        r[1] = r[0] != 0 && s[3];
      },
      2);
  expectInstruction(
      "lop3.or.b32 d|a, b, c, e, 0x80, f;", "b32 pred b32 b32 b32 pred",
      [=](auto *s, auto *r) {
        r[0] = lookUp(s, 0x80);
        r[1] = r[0] != 0 || s[3];
      },
      2);
}

TEST(Logic, Permute) {
  auto bytes = [](const uint64_t *s, std::array<unsigned, 4> highestFirst) {
    uint64_t both = s[0] | s[1] << 32, result = 0;
    for (unsigned i = 0; i < 4; ++i)
      result |= ((both >> (8 * highestFirst[3 - i])) & 0xff) << (8 * i);
    return result;
  };
  expectInstruction("prmt.b32 d, a, b, c;", "b32 b32 b32 b32", [](auto *s, auto *r) {
    uint64_t both = s[0] | s[1] << 32;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned selector = (s[2] >> (4 * i)) & 15;
      uint64_t byte = (both >> (8 * (selector & 7))) & 0xff;
      if (selector & 8)
        byte = byte & 0x80 ? 0xff : 0;
      r[0] |= byte << (8 * i);
    }
  });
  // The tables of the ISA, d.b3 first.
  struct Mode {
    const char *name;
    std::array<unsigned, 4> byC[4];
  };
  const Mode modes[] = {
      {"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
      {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
      {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
      {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
      {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
      {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}},
  };
  for (const Mode &mode : modes)
    expectInstruction(std::string("prmt.b32.") + mode.name + " d, a, b, c;", "b32 b32 b32 b32",
                      [&](auto *s, auto *r) { r[0] = bytes(s, mode.byC[s[2] & 3]); });
}

TEST(Logic, DefinedBitsDecide) {
  InstructionRun run("and.b32 d, a, b;", "b32 b32 b32");
  ASSERT_EQ(run.error, "");
  run.set(1, 0, 0);
  run.set(2, 0, 0x0f);
  run.x.setUndefinedBits(run.rows[1], 0, 0xff);
  run.run(allLanes);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 0), 0x0fu);
  InstructionRun shift("shl.b32 d, a, 4;", "b32 b32");
  shift.x.setUndefinedBits(shift.rows[1], 3, 0x81);
  shift.run(allLanes);
  EXPECT_EQ(shift.x.undefinedBits(shift.rows[0], 3), 0x810u);
}

TEST(Logic, Refusals) {
  EXPECT_EQ(refusal("and.s32 d, a, b;", "b32 b32 b32"),
            "'and.s32': expects a type of .pred .b16 .b32 .b64, but got .s32");
  EXPECT_EQ(refusal("shf.l.b32 d, a, b, c;", "b32 b32 b32 b32"), "'shf.l.b32': expects .clamp or .wrap");
  EXPECT_EQ(refusal("lop3.b32 d, a, b, c, 256;", "b32 b32 b32 b32"),
            "'lop3.b32': expects a look-up table from 0 to 255, but got 256");
  EXPECT_EQ(refusal("xor.sat.b32 d, a, b;", "b32 b32 b32"), "'xor.sat.b32': modifier '.sat' is not known here");
  EXPECT_EQ(refusal("not.b32 d, a, b;", "b32 b32 b32"), "'not.b32': expects 2 operands, but got 3");
}

/// Integer arithmetic, carries, bits and dot products against references in wider arithmetic.
#include "test/unit/Simulator/Execute/InstructionRun.h"

#include <array>

using namespace tilec::sim;

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

namespace {
struct IntegerType {
  const char *name;
  unsigned bits;
  bool isSigned;
  std::string reg() const { return "b" + std::to_string(bits); }
  /// The number that a register's bits stand for.
  Int128 number(uint64_t value) const {
    if (!isSigned || !((value >> (bits - 1)) & 1))
      return static_cast<Int128>(value);
    return static_cast<Int128>(value) - (static_cast<Int128>(1) << bits);
  }
};
const IntegerType types[] = {{"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                             {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};

uint64_t low(Int128 value) { return static_cast<uint64_t>(value); }
Int128 clamped(Int128 value) {
  Int128 high = 0x7fffffff, bottom = -high - 1;
  return value > high ? high : value < bottom ? bottom : value;
}
} // namespace

TEST(Integer, SumsAndProducts) {
  for (const IntegerType &t : types) {
    std::string n = t.name, r = t.reg(), three = r + " " + r + " " + r, four = three + " " + r;
    auto num = [&t](uint64_t v) { return t.number(v); };
    expectInstruction("add." + n + " d, a, b;", three, [](auto *s, auto *d) { d[0] = s[0] + s[1]; });
    expectInstruction("sub." + n + " d, a, b;", three, [](auto *s, auto *d) { d[0] = s[0] - s[1]; });
    expectInstruction("mul.lo." + n + " d, a, b;", three, [](auto *s, auto *d) { d[0] = s[0] * s[1]; });
    // Unsigned 64-bit products need the unsigned type.
    auto high = [=](uint64_t a, uint64_t b) -> uint64_t {
      if (!t.isSigned)
        return static_cast<uint64_t>((static_cast<UInt128>(a) * b) >> t.bits);
      return low((num(a) * num(b)) >> t.bits);
    };
    expectInstruction("mul.hi." + n + " d, a, b;", three, [=](auto *s, auto *d) { d[0] = high(s[0], s[1]); });
    expectInstruction("mad.lo." + n + " d, a, b, c;", four, [](auto *s, auto *d) { d[0] = s[0] * s[1] + s[2]; });
    expectInstruction("mad.hi." + n + " d, a, b, c;", four, [=](auto *s, auto *d) { d[0] = high(s[0], s[1]) + s[2]; });
    expectInstruction("sad." + n + " d, a, b, c;", four, [=](auto *s, auto *d) {
      d[0] = num(s[0]) < num(s[1]) ? s[2] + s[1] - s[0] : s[2] + s[0] - s[1];
    });
    expectInstruction("min." + n + " d, a, b;", three,
                      [=](auto *s, auto *d) { d[0] = num(s[0]) < num(s[1]) ? s[0] : s[1]; });
    expectInstruction("max." + n + " d, a, b;", three,
                      [=](auto *s, auto *d) { d[0] = num(s[0]) > num(s[1]) ? s[0] : s[1]; });
    expectInstruction("div." + n + " d, a, b;", three,
                      [=](auto *s, auto *d) { d[0] = s[1] == 0 ? ~uint64_t(0) : low(num(s[0]) / num(s[1])); });
    expectInstruction("rem." + n + " d, a, b;", three,
                      [=](auto *s, auto *d) { d[0] = s[1] == 0 ? ~uint64_t(0) : low(num(s[0]) % num(s[1])); });
    if (t.bits < 64) {
      std::string wide = "b" + std::to_string(2 * t.bits);
      expectInstruction("mul.wide." + n + " d, a, b;", wide + " " + r + " " + r,
                        [=](auto *s, auto *d) { d[0] = low(num(s[0]) * num(s[1])); });
      expectInstruction("mad.wide." + n + " d, a, b, c;", wide + " " + r + " " + r + " " + wide,
                        [=](auto *s, auto *d) { d[0] = low(num(s[0]) * num(s[1])) + s[2]; });
    }
    if (t.isSigned) {
      expectInstruction("abs." + n + " d, a;", r + " " + r,
                        [=](auto *s, auto *d) { d[0] = num(s[0]) < 0 ? 0 - s[0] : s[0]; });
      expectInstruction("neg." + n + " d, a;", r + " " + r, [](auto *s, auto *d) { d[0] = 0 - s[0]; });
    }
  }
  expectInstruction("add.s32 d, a, -5;", "b32 b32", [](auto *s, auto *d) { d[0] = s[0] - 5; });
}

TEST(Integer, Saturation) {
  auto num = [](uint64_t v) { return types[4].number(v); };
  expectInstruction("add.sat.s32 d, a, b;", "b32 b32 b32",
                    [=](auto *s, auto *d) { d[0] = low(clamped(num(s[0]) + num(s[1]))); });
  expectInstruction("sub.sat.s32 d, a, b;", "b32 b32 b32",
                    [=](auto *s, auto *d) { d[0] = low(clamped(num(s[0]) - num(s[1]))); });
  expectInstruction("mad.hi.sat.s32 d, a, b, c;", "b32 b32 b32 b32",
                    [=](auto *s, auto *d) { d[0] = low(clamped(((num(s[0]) * num(s[1])) >> 32) + num(s[2]))); });
  expectInstruction("min.relu.s32 d, a, b;", "b32 b32 b32",
                    [=](auto *s, auto *d) { d[0] = low(std::max<Int128>(0, std::min(num(s[0]), num(s[1])))); });
  expectInstruction("max.relu.s32 d, a, b;", "b32 b32 b32",
                    [=](auto *s, auto *d) { d[0] = low(std::max<Int128>(0, std::max(num(s[0]), num(s[1])))); });
}

TEST(Integer, Halves) {
  auto halves = [](bool isSigned, auto f) {
    return [=](const uint64_t *s, uint64_t *d) {
      for (unsigned shift : {0u, 16u}) {
        int a = static_cast<int>((s[0] >> shift) & 0xffff), b = static_cast<int>((s[1] >> shift) & 0xffff);
        if (isSigned) {
          a = static_cast<int16_t>(a);
          b = static_cast<int16_t>(b);
        }
        d[0] |= (static_cast<uint64_t>(f(a, b)) & 0xffff) << shift;
      }
    };
  };
  auto min = [](int a, int b) { return std::min(a, b); };
  auto max = [](int a, int b) { return std::max(a, b); };
  auto add = [](int a, int b) { return a + b; };
  for (bool isSigned : {false, true}) {
    std::string type = isSigned ? "s16x2" : "u16x2";
    expectInstruction("add." + type + " d, a, b;", "b32 b32 b32", halves(isSigned, add));
    expectInstruction("min." + type + " d, a, b;", "b32 b32 b32", halves(isSigned, min));
    expectInstruction("max." + type + " d, a, b;", "b32 b32 b32", halves(isSigned, max));
  }
  expectInstruction("min.relu.s16x2 d, a, b;", "b32 b32 b32",
                    halves(true, [](int a, int b) { return std::max(0, std::min(a, b)); }));
  expectInstruction("max.s16x2.relu d, a, b;", "b32 b32 b32",
                    halves(true, [](int a, int b) { return std::max(0, std::max(a, b)); }));
}

TEST(Integer, Products24) {
  auto product = [](bool isSigned, uint64_t a, uint64_t b) {
    int64_t x = static_cast<int64_t>(a & 0xffffff), y = static_cast<int64_t>(b & 0xffffff);
    if (isSigned) {
      x -= (x >> 23) << 24;
      y -= (y >> 23) << 24;
    }
    return x * y;
  };
  for (bool isSigned : {false, true}) {
    std::string type = isSigned ? "s32" : "u32";
    expectInstruction("mul24.lo." + type + " d, a, b;", "b32 b32 b32",
                      [=](auto *s, auto *d) { d[0] = static_cast<uint64_t>(product(isSigned, s[0], s[1])); });
    expectInstruction("mul24.hi." + type + " d, a, b;", "b32 b32 b32",
                      [=](auto *s, auto *d) { d[0] = static_cast<uint64_t>(product(isSigned, s[0], s[1]) >> 16); });
    expectInstruction("mad24.lo." + type + " d, a, b, c;", "b32 b32 b32 b32",
                      [=](auto *s, auto *d) { d[0] = static_cast<uint64_t>(product(isSigned, s[0], s[1])) + s[2]; });
    expectInstruction("mad24.hi." + type + " d, a, b, c;", "b32 b32 b32 b32", [=](auto *s, auto *d) {
      d[0] = static_cast<uint64_t>(product(isSigned, s[0], s[1]) >> 16) + s[2];
    });
  }
  expectInstruction("mad24.hi.sat.s32 d, a, b, c;", "b32 b32 b32 b32", [=](auto *s, auto *d) {
    d[0] = low(clamped(static_cast<Int128>(static_cast<int32_t>(product(true, s[0], s[1]) >> 16)) +
                       static_cast<int32_t>(s[2])));
  });
}

TEST(Integer, CarriesGoFromInstructionToInstruction) {
  // A 96-bit sum, difference and product-sum: d is written by the last one of the chain.
  InstructionRun sum("add.cc.u32 d, a, b;\naddc.cc.u32 d, a, b;\naddc.u32 d, c, c;", "b32 b32 b32 b32");
  ASSERT_EQ(sum.error, "");
  InstructionRun difference("sub.cc.u32 d, a, b;\nsubc.u32 d, c, b;", "b32 b32 b32 b32");
  ASSERT_EQ(difference.error, "");
  InstructionRun product("mad.lo.cc.u64 d, a, b, c;\nmadc.hi.u64 d, a, b, c;", "b64 b64 b64 b64");
  ASSERT_EQ(product.error, "");
  InstructionRun signedProduct("mad.lo.cc.s32 d, a, b, c;\nmadc.hi.s32 d, a, b, c;", "b32 b32 b32 b32");
  ASSERT_EQ(signedProduct.error, "");
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 50; ++round)
    for (InstructionRun *run : {&sum, &difference, &product, &signedProduct}) {
      for (unsigned lane = 0; lane < warpSize; ++lane)
        for (unsigned reg = 1; reg < 4; ++reg)
          run->set(reg, lane, truncated(operandValue(random), run->bits(reg)));
      run->run(allLanes, 0);
      run->run(allLanes, 1);
      if (run == &sum)
        run->run(allLanes, 2);
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        uint64_t a = run->get(1, lane), b = run->get(2, lane), c = run->get(3, lane), wanted = 0;
        if (run == &sum) {
          uint64_t first = a + b;
          uint64_t second = a + b + (first >> 32);
          wanted = 2 * c + (second >> 32);
        } else if (run == &difference) {
          wanted = c - b - (a < b);
        } else if (run == &product) {
          UInt128 full = static_cast<UInt128>(a) * b;
          UInt128 bottom = static_cast<UInt128>(static_cast<uint64_t>(full)) + c;
          wanted = static_cast<uint64_t>(full >> 64) + c + static_cast<uint64_t>(bottom >> 64);
        } else {
          int64_t full = static_cast<int64_t>(static_cast<int32_t>(a)) * static_cast<int32_t>(b);
          uint64_t bottom = static_cast<uint64_t>(static_cast<uint32_t>(full)) + c;
          wanted = static_cast<uint64_t>(full >> 32) + c + (bottom >> 32);
        }
        ASSERT_EQ(run->get(0, lane), truncated(wanted, run->bits(0)));
      }
    }
  // Without a .cc before it, the carry is undefined.
  InstructionRun first("addc.u32 d, a, b;", "b32 b32 b32");
  first.run(allLanes);
  EXPECT_NE(first.x.undefinedBits(first.rows[0], 0), 0u);
}

TEST(Integer, Bits) {
  for (unsigned bits : {32u, 64u}) {
    std::string w = std::to_string(bits), b = "b" + w;
    auto clz = [=](uint64_t v) {
      uint64_t count = 0;
      while (count < bits && !((v >> (bits - 1 - count)) & 1))
        ++count;
      return count;
    };
    expectInstruction("popc.b" + w + " d, a;", "b32 " + b, [=](auto *s, auto *d) {
      for (unsigned i = 0; i < bits; ++i)
        d[0] += (s[0] >> i) & 1;
    });
    expectInstruction("clz.b" + w + " d, a;", "b32 " + b, [=](auto *s, auto *d) { d[0] = clz(s[0]); });
    expectInstruction("brev.b" + w + " d, a;", b + " " + b, [=](auto *s, auto *d) {
      for (unsigned i = 0; i < bits; ++i)
        d[0] |= ((s[0] >> i) & 1) << (bits - 1 - i);
    });
    for (bool isSigned : {false, true})
      for (bool shift : {false, true})
        expectInstruction(std::string("bfind.") + (shift ? "shiftamt." : "") + (isSigned ? "s" : "u") + w + " d, a;",
                          "b32 " + b, [=](auto *s, auto *d) {
                            bool negative = isSigned && (s[0] >> (bits - 1)) & 1;
                            uint64_t zeros = clz(negative ? truncated(~s[0], bits) : s[0]);
                            d[0] = zeros == bits ? ~uint64_t(0) : shift ? zeros : bits - 1 - zeros;
                          });
    // As the ISA spells it.
    for (bool isSigned : {false, true})
      expectInstruction(std::string("bfe.") + (isSigned ? "s" : "u") + w + " d, a, b, c;", b + " " + b + " b32 b32",
                        [=](auto *s, auto *d) {
                          unsigned msb = bits - 1, pos = s[1] & 0xff, len = s[2] & 0xff;
                          uint64_t sign = !isSigned || len == 0 ? 0 : (s[0] >> std::min(pos + len - 1, msb)) & 1;
                          for (unsigned i = 0; i <= msb; ++i)
                            d[0] |= (i < len && pos + i <= msb ? (s[0] >> (pos + i)) & 1 : sign) << i;
                        });
    expectInstruction("bfi.b" + w + " d, a, b, c, e;", b + " " + b + " " + b + " b32 b32", [=](auto *s, auto *d) {
      unsigned pos = s[2] & 0xff, len = s[3] & 0xff;
      d[0] = s[1];
      for (unsigned i = 0; i < len && pos + i < bits; ++i)
        d[0] = (d[0] & ~(uint64_t(1) << (pos + i))) | ((s[0] >> i) & 1) << (pos + i);
    });
  }
}

TEST(Integer, NthSetBit) {
  expectInstruction("fns.b32 d, a, b, c;", "b32 b32 b32 b32", [](auto *s, auto *d) {
    int64_t base = static_cast<int32_t>(s[1]), offset = static_cast<int32_t>(s[2]);
    d[0] = 0xffffffff;
    if (offset == 0) {
      if (base >= 0 && base < 32 && (s[0] >> base) & 1)
        d[0] = static_cast<uint64_t>(base);
      return;
    }
    int64_t count = (offset < 0 ? -offset : offset) - 1;
    for (int64_t pos = base; pos >= 0 && pos < 32; pos += offset > 0 ? 1 : -1)
      if ((s[0] >> pos) & 1 && count-- == 0) {
        d[0] = static_cast<uint64_t>(pos);
        return;
      }
  });
}

TEST(Integer, ExtensionsAndMasks) {
  for (bool clamp : {false, true}) {
    std::string mode = clamp ? ".clamp" : ".wrap";
    for (bool isSigned : {false, true})
      expectInstruction("szext" + mode + (isSigned ? ".s32" : ".u32") + " d, a, b;", "b32 b32 b32",
                        [=](auto *s, auto *d) {
                          if (clamp && s[1] >= 32) {
                            d[0] = s[0];
                            return;
                          }
                          unsigned n = s[1] & 31;
                          d[0] = n == 0 ? 0 : s[0] & ((1u << n) - 1);
                          if (isSigned && n != 0 && (s[0] >> (n - 1)) & 1)
                            d[0] |= ~uint64_t(0) << n;
                        });
    expectInstruction("bmsk" + mode + ".b32 d, a, b;", "b32 b32 b32", [=](auto *s, auto *d) {
      uint64_t from = clamp ? s[0] : s[0] & 31, width = clamp ? s[1] : s[1] & 31;
      for (uint64_t i = from; i < 32 && i < from + width; ++i)
        d[0] |= uint64_t(1) << i;
    });
  }
}

TEST(Integer, DotProducts) {
  for (bool aSigned : {false, true})
    for (bool bSigned : {false, true}) {
      std::string ending = std::string(aSigned ? ".s32" : ".u32") + (bSigned ? ".s32" : ".u32");
      auto byte = [](bool isSigned, uint64_t v, unsigned i) -> int64_t {
        auto value = static_cast<uint8_t>(v >> (8 * i));
        return isSigned ? static_cast<int8_t>(value) : value;
      };
      expectInstruction("dp4a" + ending + " d, a, b, c;", "b32 b32 b32 b32", [=](auto *s, auto *d) {
        d[0] = s[2];
        for (unsigned i = 0; i < 4; ++i)
          d[0] += static_cast<uint64_t>(byte(aSigned, s[0], i) * byte(bSigned, s[1], i));
      });
      for (unsigned upper : {0u, 1u})
        expectInstruction(std::string("dp2a.") + (upper ? "hi" : "lo") + ending + " d, a, b, c;", "b32 b32 b32 b32",
                          [=](auto *s, auto *d) {
                            d[0] = s[2];
                            for (unsigned i = 0; i < 2; ++i) {
                              auto half = static_cast<uint16_t>(s[0] >> (16 * i));
                              int64_t a = aSigned ? static_cast<int16_t>(half) : half;
                              d[0] += static_cast<uint64_t>(a * byte(bSigned, s[1], i + 2 * upper));
                            }
                          });
    }
}

TEST(Integer, Refusals) {
  EXPECT_EQ(refusal("add.sat.u32 d, a, b;", "b32 b32 b32"), "'add.sat.u32': expects type .s32 with .sat");
  EXPECT_EQ(refusal("mul.s32 d, a, b;", "b32 b32 b32"), "'mul.s32': expects .lo, .hi or .wide");
  EXPECT_EQ(refusal("mul.wide.s64 d, a, b;", "b64 b64 b64"),
            "'mul.wide.s64': expects a type of 16 or 32 bits with .wide");
  EXPECT_EQ(refusal("add.s32 d, a, b;", "b32 b64 b32"), "'add.s32': register 'a' of type .b64 where .s32 is expected");
  EXPECT_EQ(refusal("add.b32 d, a, b;", "b32 b32 b32"),
            "'add.b32': expects a type of .u16 .u32 .u64 .s16 .s32 .s64, but got .b32");
  EXPECT_EQ(refusal("add.u16x2 d, a, b;", "b32 b32 b32", "sm_80"),
            "'add.u16x2': needs sm_90 or later, the module is for sm_80");
  EXPECT_EQ(refusal("sub.u16x2 d, a, b;", "b32 b32 b32"), "'sub.u16x2': expected a type");
  EXPECT_EQ(refusal("min.relu.u32 d, a, b;", "b32 b32 b32"), "'min.relu.u32': expects type .s16x2 or .s32 with .relu");
  EXPECT_EQ(refusal("addc.cc.u16 d, a, b;", "b16 b16 b16"),
            "'addc.cc.u16': expects a type of .u32 .s32 .u64 .s64, but got .u16");
  EXPECT_EQ(refusal("szext.u32 d, a, b;", "b32 b32 b32"), "'szext.u32': expects .clamp or .wrap");
  EXPECT_EQ(refusal("popc.b16 d, a;", "b32 b16"), "'popc.b16': expects a type of .b32 .b64, but got .b16");
}

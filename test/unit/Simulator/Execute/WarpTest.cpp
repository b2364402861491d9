/// Exchange between lanes: shuffles against the ISA's own pseudocode, votes, matches, reductions, member masks,
/// waiting.
#include "test/unit/Simulator/Execute/InstructionRun.h"

#include <array>

using namespace tilec::sim;

static size_t findingsOf(InstructionRun &run, FindingKind kind) {
  size_t count = 0;
  for (const Finding &finding : run.findings.all())
    count += finding.kind == kind;
  return count;
}

TEST(Warp, Shuffles) {
  const char *const modes[] = {"up", "down", "bfly", "idx"};
  std::mt19937_64 random(3);
  for (unsigned mode = 0; mode < 4; ++mode) {
    SCOPED_TRACE(modes[mode]);
    InstructionRun run(std::string("shfl.sync.") + modes[mode] + ".b32 d|a, b, c, e, 0xffffffff;",
                       "b32 pred b32 b32 b32");
    ASSERT_EQ(run.error, "");
    for (unsigned round = 0; round < 50; ++round) {
      // The bounds that compilers use: c = clamp | segment mask << 8 for widths 1 … 32.
      uint32_t segment = 32u - (1u << random() % 6), bound = mode == 0 ? 0 : 31;
      std::array<uint64_t, warpSize> values{}, offsets{};
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        run.set(2, lane, values[lane] = random() & 0xffffffff);
        run.set(3, lane, offsets[lane] = random() % 40);
        run.set(4, lane, segment << 8 | bound);
      }
      ASSERT_EQ(run.run(allLanes), Outcome::Next);
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        unsigned b = offsets[lane] & 31, maxLane = (lane & segment) | (bound & ~segment), minLane = lane & segment;
        int from = 0;
        switch (mode) {
        case 0:
          from = static_cast<int>(lane) - static_cast<int>(b);
          break;
        case 1:
          from = static_cast<int>(lane + b);
          break;
        case 2:
          from = static_cast<int>(lane ^ b);
          break;
        default:
          from = static_cast<int>(minLane | (b & ~segment));
          break;
        }
        bool inRange = mode == 0 ? from >= static_cast<int>(maxLane) : from <= static_cast<int>(maxLane);
        EXPECT_EQ(run.get(0, lane), values[inRange ? static_cast<unsigned>(from) : lane]);
        EXPECT_EQ(run.get(1, lane), inRange);
      }
      EXPECT_TRUE(run.findings.empty());
    }
  }
}

TEST(Warp, ShufflesByConstants) {
  for (std::string mode : {"up", "down", "bfly", "idx"})
    for (unsigned b : {0u, 1u, 5u, 16u, 31u})
      for (unsigned c : {0u, 31u, 0x181fu, 0x1c1fu, 0x1800u}) {
        std::string constants = std::to_string(b) + ", " + std::to_string(c);
        InstructionRun fixed("shfl.sync." + mode + ".b32 d|a, b, " + constants + ", -1;", "b32 pred b32");
        InstructionRun general("shfl.sync." + mode + ".b32 d|a, b, c, e, -1;", "b32 pred b32 b32 b32");
        ASSERT_EQ(fixed.error + general.error, "");
        for (unsigned lane = 0; lane < warpSize; ++lane) {
          fixed.set(2, lane, lane * 3);
          general.set(2, lane, lane * 3);
          general.set(3, lane, b);
          general.set(4, lane, c);
        }
        fixed.run(allLanes);
        general.run(allLanes);
        for (unsigned lane = 0; lane < warpSize; ++lane) {
          EXPECT_EQ(fixed.get(0, lane), general.get(0, lane));
          EXPECT_EQ(fixed.get(1, lane), general.get(1, lane));
        }
      }
}

TEST(Warp, ShuffleMovesUndefinedBits) {
  InstructionRun run("shfl.sync.bfly.b32 d, a, 1, 31, 0xffffffff;", "b32 b32");
  ASSERT_EQ(run.error, "");
  run.x.setUndefinedBits(run.rows[1], 4, 0xf0);
  run.run(allLanes);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 5), 0xf0u);
  EXPECT_EQ(run.x.undefinedBits(run.rows[0], 4), 0u);
  // A destination that is the source.
  InstructionRun same("shfl.sync.idx.b32 d, d, 0, 31, 0xffffffff;", "b32");
  for (unsigned lane = 0; lane < warpSize; ++lane)
    same.set(0, lane, lane + 7);
  same.run(allLanes);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(same.get(0, lane), 7u);
}

/// What comes from a lane that is not there may not be used; that it was asked for is no error.
TEST(Warp, ShuffleFromAnAbsentLaneIsUndefined) {
  InstructionRun run("shfl.sync.down.b32 d, a, 16, 31, 0x0000ffff;", "b32 b32");
  ASSERT_EQ(run.error, "");
  run.x.split->lanes = 0xffff;
  ASSERT_EQ(run.run(0xffff), Outcome::Next);
  EXPECT_TRUE(run.findings.empty());
  EXPECT_NE(run.x.undefinedBits(run.rows[0], 3), 0u);
}

TEST(Warp, HalvesWithTheirOwnMasks) {
  InstructionRun run("redux.sync.add.s32 d, a, b;", "b32 b32 b32");
  ASSERT_EQ(run.error, "");
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    run.set(1, lane, lane);
    run.set(2, lane, lane < 16 ? 0x0000ffff : 0xffff0000);
  }
  ASSERT_EQ(run.run(allLanes), Outcome::Next);
  EXPECT_EQ(run.get(0, 3), 120u);
  EXPECT_EQ(run.get(0, 20), 376u);
  EXPECT_TRUE(run.findings.empty());
  run.set(2, 5, 0xff);
  run.run(allLanes);
  EXPECT_GE(findingsOf(run, FindingKind::InvalidOperand), 1u);
}

TEST(Warp, WaitsForTheLanesOfTheMask) {
  InstructionRun run("vote.sync.any.pred d, a, 0xffffffff;", "pred pred");
  ASSERT_EQ(run.error, "");
  run.x.split->lanes = 0xff;
  EXPECT_EQ(run.run(0xff), Outcome::Blocked);
  // Lanes that have exited are not waited for.
  run.x.warp->alive = 0xff;
  EXPECT_EQ(run.run(0xff), Outcome::Next);
  EXPECT_TRUE(run.findings.empty());
}

TEST(Warp, MasksWithoutTheExecutingLane) {
  InstructionRun run("vote.sync.ballot.b32 d, a, 0x0000000f;", "b32 pred");
  ASSERT_EQ(run.error, "");
  run.run(allLanes);
  EXPECT_EQ(findingsOf(run, FindingKind::InvalidOperand), 1u);
  InstructionRun guarded("vote.sync.ballot.b32 d, a, 0xffffffff;", "b32 pred");
  guarded.run(0xff);
  EXPECT_EQ(findingsOf(guarded, FindingKind::InvalidOperand), 1u);
}

TEST(Warp, Votes) {
  for (bool negated : {false, true})
    for (uint64_t value : {uint64_t(0), uint64_t(0xffffffff), uint64_t(0x00ff0000)}) {
      auto vote = [&](const std::string &mode, const std::string &type) {
        InstructionRun run("vote.sync." + mode + "." + type + " d, " + (negated ? "!" : "") + "a, 0xffffffff;",
                           type + " pred");
        EXPECT_EQ(run.error, "");
        for (unsigned lane = 0; lane < warpSize; ++lane)
          run.set(1, lane, (value >> lane) & 1);
        run.run(allLanes);
        return run.get(0, 9);
      };
      uint64_t yes = negated ? ~value & 0xffffffff : value;
      EXPECT_EQ(vote("all", "pred"), yes == 0xffffffff);
      EXPECT_EQ(vote("any", "pred"), yes != 0);
      EXPECT_EQ(vote("uni", "pred"), yes == 0 || yes == 0xffffffff);
      EXPECT_EQ(vote("ballot", "b32"), yes);
    }
  InstructionRun ballot("vote.sync.ballot.b32 d, a, 0xffffffff;", "b32 pred");
  ballot.x.setUndefinedBits(ballot.rows[1], 6, 1);
  ballot.run(allLanes);
  EXPECT_EQ(ballot.x.undefinedBits(ballot.rows[0], 0), 0x40u);
}

TEST(Warp, Matches) {
  for (std::string type : {"b32", "b64"}) {
    InstructionRun any("match.any.sync." + type + " d, a, 0xffffffff;", "b32 " + type);
    ASSERT_EQ(any.error, "");
    for (unsigned lane = 0; lane < warpSize; ++lane)
      any.set(1, lane, lane % 3);
    any.run(allLanes);
    EXPECT_EQ(any.get(0, 0), 0x49249249u);
    EXPECT_EQ(any.get(0, 1), 0x92492492u);
    InstructionRun all("match.all.sync." + type + " d|a, b, 0xffffffff;", "b32 pred " + type);
    ASSERT_EQ(all.error, "");
    for (unsigned lane = 0; lane < warpSize; ++lane)
      all.set(2, lane, 5);
    all.run(allLanes);
    EXPECT_EQ(all.get(0, 4), 0xffffffffu);
    EXPECT_EQ(all.get(1, 4), 1u);
    all.set(2, 31, 6);
    all.run(allLanes);
    EXPECT_EQ(all.get(0, 4), 0u);
    EXPECT_EQ(all.get(1, 4), 0u);
  }
}

TEST(Warp, Reductions) {
  std::mt19937_64 random(5);
  std::array<uint32_t, warpSize> values{};
  auto reduce = [&](const std::string &how, const std::string &type, const std::string &target) {
    InstructionRun run("redux.sync." + how + "." + type + " d, a, 0xffffffff;", "b32 b32", target);
    EXPECT_EQ(run.error, "");
    if (!run.error.empty())
      return uint64_t(0);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      run.set(1, lane, values[lane]);
    run.run(allLanes);
    return run.get(0, 17);
  };
  for (unsigned round = 0; round < 5; ++round) {
    for (uint32_t &value : values)
      value = static_cast<uint32_t>(random());
    uint32_t sum = 0, conjunction = ~0u, disjunction = 0, parity = 0;
    uint32_t low = ~0u, high = 0;
    int32_t lowSigned = 0x7fffffff, highSigned = -lowSigned - 1;
    for (uint32_t value : values) {
      sum += value;
      conjunction &= value;
      disjunction |= value;
      parity ^= value;
      low = std::min(low, value);
      high = std::max(high, value);
      lowSigned = std::min(lowSigned, static_cast<int32_t>(value));
      highSigned = std::max(highSigned, static_cast<int32_t>(value));
    }
    EXPECT_EQ(reduce("add", "u32", "sm_80"), sum);
    EXPECT_EQ(reduce("and", "b32", "sm_80"), conjunction);
    EXPECT_EQ(reduce("or", "b32", "sm_80"), disjunction);
    EXPECT_EQ(reduce("xor", "b32", "sm_80"), parity);
    EXPECT_EQ(reduce("min", "u32", "sm_80"), low);
    EXPECT_EQ(reduce("max", "u32", "sm_80"), high);
    EXPECT_EQ(reduce("min", "s32", "sm_80"), static_cast<uint32_t>(lowSigned));
    EXPECT_EQ(reduce("max", "s32", "sm_80"), static_cast<uint32_t>(highSigned));
  }
  values.fill(0x80000000u); // -0
  values[3] = 0;
  EXPECT_EQ(reduce("max", "f32", "sm_100a"), 0u);
  EXPECT_EQ(reduce("min", "f32", "sm_100a"), 0x80000000u);
  values[5] = 0xc0000000u; // -2
  values[6] = 0x7fc00001u;
  EXPECT_EQ(reduce("min", "f32", "sm_100a"), 0xc0000000u);
  EXPECT_EQ(reduce("max.abs", "f32", "sm_100a"), 0x40000000u);
  EXPECT_EQ(reduce("min.NaN", "f32", "sm_100a"), 0x7fffffffu);
  EXPECT_EQ(refusal("redux.sync.min.f32 d, a, 0xffffffff;", "b32 b32"),
            "'redux.sync.min.f32': needs sm_100a for type .f32");
}

TEST(Warp, ActiveMaskAndElection) {
  InstructionRun mask("activemask.b32 d;", "b32");
  ASSERT_EQ(mask.error, "");
  mask.run(0x00f0);
  EXPECT_EQ(mask.get(0, 4), 0xf0u);
  InstructionRun elect("elect.sync d|a, 0xfffffff0;", "b32 pred");
  ASSERT_EQ(elect.error, "");
  elect.x.split->lanes = 0xfffffff0;
  elect.run(0xfffffff0);
  EXPECT_EQ(elect.get(0, 31), 4u);
  EXPECT_EQ(elect.get(1, 4), 1u);
  EXPECT_EQ(elect.get(1, 5), 0u);
  elect.x.warp->alive = ~0x80u;
  elect.run(0xffffff70);
  EXPECT_EQ(findingsOf(elect, FindingKind::InvalidOperand), 1u);
}

TEST(Warp, FormsWithoutSync) {
  InstructionRun shuffle("shfl.idx.b32 d, a, 2, 31;", "b32 b32", "sm_80", warpSize, "6.3");
  ASSERT_EQ(shuffle.error, "");
  for (unsigned lane = 0; lane < warpSize; ++lane)
    shuffle.set(1, lane, lane * 3);
  shuffle.run(allLanes);
  EXPECT_EQ(shuffle.get(0, 30), 6u);
  InstructionRun vote("vote.any.pred d, a;", "pred pred", "sm_80", warpSize, "6.3");
  ASSERT_EQ(vote.error, "");
  vote.set(1, 30, 1);
  vote.run(allLanes);
  EXPECT_EQ(vote.get(0, 0), 1u);
  EXPECT_EQ(refusal("shfl.idx.b32 d, a, 2, 31;", "b32 b32"),
            "'shfl.idx.b32': expects .sync for sm_70 and later from PTX ISA 6.4 on");
  EXPECT_EQ(refusal("elect.sync d, 0xffffffff;", "b32"), "'elect.sync': expects two destinations d|p");
  EXPECT_EQ(refusal("vote.sync.most.pred d, a, 1;", "pred pred"),
            "'vote.sync.most.pred': expects .all, .any, .uni or .ballot");
}

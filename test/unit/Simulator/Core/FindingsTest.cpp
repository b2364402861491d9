#include "lib/Simulator/Core/Findings.h"

#include <gtest/gtest.h>

using namespace tilec::sim;

static Finding finding(uint32_t line, FindingKind kind, uint32_t block = 0, uint32_t thread = 0) {
  Finding result;
  result.kind = kind;
  result.at.line = line;
  result.message = "something";
  result.thread.known = true;
  result.thread.block[0] = block;
  result.thread.thread[0] = thread;
  return result;
}

TEST(Findings, SameLineKindAndKeyAreCounted) {
  Findings findings;
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(findings.add(finding(7, FindingKind::Race)), 1u);
  EXPECT_EQ(findings.add(finding(7, FindingKind::Race)), 1u);
  EXPECT_EQ(findings.add(finding(7, FindingKind::Race), 1), 2u);
  EXPECT_EQ(findings.add(finding(7, FindingKind::Undefined)), 3u);
  EXPECT_EQ(findings.add(finding(8, FindingKind::Race)), 4u);
  std::vector<Finding> all = findings.all();
  EXPECT_EQ(all[0].kind, FindingKind::Undefined);
  EXPECT_EQ(all[1].kind, FindingKind::Race);
  EXPECT_EQ(all[1].count, 2u);
  EXPECT_EQ(all[2].count, 1u);
  EXPECT_EQ(all[3].at.line, 8u);
  findings.clear();
  EXPECT_TRUE(findings.empty());
}

TEST(Findings, TheFirstThreadOfTheGridIsNamed) {
  Findings findings;
  findings.add(finding(7, FindingKind::Race, 1, 3));
  findings.add(finding(7, FindingKind::Race, 0, 9));
  findings.add(finding(7, FindingKind::Race, 0, 12));
  EXPECT_EQ(findings.all().at(0).toString("a.ptx"),
            "a.ptx:7: race: something\n  note: in thread (9,0,0) of block (0,0,0); seen 3 times");
}

TEST(Findings, Text) {
  Finding full = finding(7, FindingKind::OutOfBounds, 1, 3);
  full.instruction = "ld.global.u32 %r1, [%d1];";
  full.source = "a.cu:3";
  full.notes = {"one", "two"};
  EXPECT_EQ(full.toString("a.ptx"), "a.ptx:7: out of bounds: something\n    ld.global.u32 %r1, [%d1];\n"
                                    "  note: from a.cu:3\n  note: in thread (3,0,0) of block (1,0,0)\n"
                                    "  note: one\n  note: two");
  Finding bare;
  bare.message = "nothing known";
  EXPECT_EQ(bare.toString("a.ptx"), "a.ptx: not supported: nothing known");
}

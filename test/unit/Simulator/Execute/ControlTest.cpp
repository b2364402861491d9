#include "ControlKernel.h"

using namespace tilec;
using namespace tilec::sim;

//===----------------------------------------------------------------------===//
// Branches. Stores mark how often a piece of code was executed by a warp.
//===----------------------------------------------------------------------===//

static const char *store = "st.global.u32 [%mine], %r1;\n";

TEST(Control, IfElseMeetsAgain) {
  ControlKernel kernel;
  kernel.run("setp.lt.u32 %p0, %t, 10;\n@%p0 bra LESS;\nmov.u32 %r1, 7;\nbra.uni DONE;\nLESS:\nmov.u32 %r1, 5;\nDONE:\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return t < 10 ? 5 : 7; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 1u);
}

TEST(Control, LoopOfDifferentLengthsMeetsAfterIt) {
  ControlKernel kernel;
  kernel.run("mov.u32 %r1, 0;\nLOOP:\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%mine], %r1;\nsetp.lt.u32 %p0, %r1, %t;\n"
             "@%p0 bra LOOP;\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return t ? t : 1; }));
  // 31 turns and one store after the loop, all lanes at once.
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 32u);
}

TEST(Control, NestedDivergence) {
  ControlKernel kernel;
  kernel.run("and.b32 %r2, %t, 1;\nsetp.eq.u32 %p0, %r2, 0;\nand.b32 %r2, %t, 2;\nsetp.eq.u32 %p1, %r2, 0;\n"
             "@%p0 bra EVEN;\n@%p1 bra ODDLOW;\nmov.u32 %r1, 3;\nbra ODD;\nODDLOW:\nmov.u32 %r1, 1;\nODD:\n"
             "st.global.u32 [%mine], %r1;\nbra DONE;\n"
             "EVEN:\n@%p1 bra EVENLOW;\nmov.u32 %r1, 2;\nbra BOTH;\nEVENLOW:\nmov.u32 %r1, 0;\nBOTH:\n"
             "st.global.u32 [%mine], %r1;\nDONE:\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return t & 3; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 3u);
}

TEST(Control, UniformBranchThatIsNot) {
  ControlKernel kernel;
  kernel.run("setp.lt.u32 %p0, %t, 10;\n@%p0 bra.uni DONE;\nmov.u32 %r1, 7;\nDONE:\nret;");
  kernel.expectFinding(FindingKind::InvalidOperand, "the branch is marked .uni, but lane 0 of the warp goes another way");
}

TEST(Control, IndexedBranch) {
  ControlKernel kernel;
  std::string body = "and.b32 %r2, %t, 3;\nTABLE: .branchtargets A, B, C, A;\nsetp.lt.u32 %p0, %t, 30;\n"
                     "mov.u32 %r1, 9;\n@%p0 brx.idx %r2, TABLE;\nbra DONE;\n"
                     "A:\nmov.u32 %r1, 100;\nbra DONE;\nB:\nmov.u32 %r1, 200;\nbra DONE;\nC:\nmov.u32 %r1, 300;\nDONE:\n";
  kernel.run(body + store + "ret;");
  const uint32_t values[] = {100, 200, 300, 100};
  kernel.expect(wordsOf(32, [&](unsigned t) { return t < 30 ? values[t & 3] : 9; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 1u);
}

TEST(Control, IndexedBranchBeyondTheList) {
  ControlKernel kernel;
  kernel.run("TABLE: .branchtargets A, A;\nbrx.idx %t, TABLE;\nA:\nret;");
  kernel.expectFinding(FindingKind::InvalidOperand, "index 2 of a list of 2 branch targets");
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

TEST(Control, UndefinedGuards) {
  ControlKernel kernel;
  kernel.run("@%p1 bra DONE;\nmov.u32 %r1, 7;\nDONE:\nret;");
  kernel.expectFinding(FindingKind::Undefined, "branch depends on undefined bits");
  kernel.run("@%p1 exit;\nret;");
  kernel.expectFinding(FindingKind::Undefined, "branch depends on undefined bits");
  kernel.run("@%p1 st.global.u32 [%mine], %t;\nret;");
  kernel.expectFinding(FindingKind::Undefined, "guard predicate depends on undefined bits");
  kernel.run("@%p1 atom.global.add.u32 %r1, [%mine], %t;\nret;");
  kernel.expectFinding(FindingKind::Undefined, "guard predicate depends on undefined bits");
}

TEST(Control, UndefinedGuardMakesItsOwnResultUndefined) {
  ControlKernel kernel;
  kernel.run("@%p1 setp.lt.u32 %p1, %t, 40;\n@%p1 st.global.u32 [%mine], %t;\nret;");
  kernel.expectFinding(FindingKind::Undefined, "guard predicate depends on undefined bits");
}

TEST(Control, ReturnAndExitUnderGuards) {
  ControlKernel kernel;
  kernel.threads = 64;
  kernel.run("setp.lt.u32 %p0, %t, 8;\nmov.u32 %r1, 1;\nst.global.u32 [%mine], %r1;\n@%p0 exit;\n"
             "mov.u32 %r1, 2;\nst.global.u32 [%mine], %r1;\nsetp.lt.u32 %p0, %t, 48;\n@%p0 ret;\nmov.u32 %r1, 3;\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(64, [](unsigned t) { return t < 8 ? 1 : t < 48 ? 2 : 3; }));
}

TEST(Control, ThreadsThatHaveEndedAreNotWaitedFor) {
  ControlKernel kernel;
  kernel.threads = 128;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    kernel.options.seed = seed;
    // Odd lanes wait, even ones end in the meantime; of the last warp all end.
    kernel.run("and.b32 %r2, %t, 1;\nsetp.eq.u32 %p0, %r2, 0;\nsetp.gt.u32 %p1, %t, 95;\nor.pred %p0, %p0, %p1;\n"
               "@%p0 bra LEAVE;\nbarrier.sync 0;\nmov.u32 %r1, 1;\nst.global.u32 [%mine], %r1;\nret;\nLEAVE:\nexit;");
    kernel.expect(wordsOf(128, [](unsigned t) { return t < 96 && t % 2; }));
  }
}

TEST(Control, Trap) {
  ControlKernel kernel;
  kernel.run("setp.eq.u32 %p0, %t, 5;\n@%p0 trap;\nret;");
  kernel.expectFinding(FindingKind::Trap, "in thread (5,0,0) of block (0,0,0)");
}

TEST(Control, NoReturnAtTheEnd) {
  ControlKernel kernel;
  kernel.run("mov.u32 %r1, 4;\n" + std::string(store));
  kernel.expect(wordsOf(32, [](unsigned) { return 4; }));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(Control, CallWithParameterVariables) {
  ControlKernel kernel;
  kernel.before = ".func (.param .b32 result) twice(.param .b32 value)\n{\n.reg .u32 %x;\nld.param.u32 %x, [value];\n"
                  "add.u32 %x, %x, %x;\nst.param.u32 [result], %x;\nret;\n}\n";
  kernel.run("{\n.param .b32 a;\n.param .b32 b;\nst.param.u32 [a], %t;\ncall.uni (b), twice, (a);\n"
             "ld.param.u32 %r1, [b];\n}\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return 2 * t; }));
}

TEST(Control, CallWithRegisters) {
  ControlKernel kernel;
  kernel.before = ".func (.reg .u32 %y) twice(.reg .u32 %x)\n{\nadd.u32 %y, %x, %x;\nret;\n}\n";
  kernel.run("call (%r1), twice, (%t);\ncall (%r1), twice, (%r1);\n" + std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return 4 * t; }));
}

/// Arrays without a size take no memory: there is nothing to pass, and nowhere to pass it.
TEST(Control, CallWithParametersOfNoBytes) {
  ControlKernel kernel;
  kernel.before = ".func nothing(.param .b8 value[])\n{\nret;\n}\n";
  kernel.run("{\n.param .b8 a[];\ncall nothing, (a);\n}\nmov.u32 %r1, 7;\n" + std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned) { return 7; }));
}

static const char *writer = ".func write(.reg .u64 %at, .reg .u32 %x)\n{\nst.global.u32 [%at], %x;\nret;\n}\n";

TEST(Control, LanesThatCallMeetThoseThatDoNot) {
  ControlKernel kernel;
  kernel.before = writer;
  kernel.run("setp.lt.u32 %p0, %t, 10;\nmov.u32 %r1, 3;\n@%p0 call write, (%mine, %r1);\n@%p0 ld.global.u32 %r1, [%mine];\n"
             "add.u32 %r1, %r1, %t;\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return t + 3; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 2u);
}

TEST(Control, LanesThatComeToACallLaterMeetInTheCallee) {
  ControlKernel kernel;
  kernel.before = writer;
  // Some lanes take a way around, all call at one place.
  kernel.run("setp.lt.u32 %p0, %t, 10;\nmov.u32 %r1, 3;\n@%p0 bra CALL;\nmov.u32 %r1, 4;\nmov.u32 %r2, 4;\nCALL:\n"
             "call write, (%mine, %r1);\nret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return t < 10 ? 3 : 4; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 1u);
}

TEST(Control, RecursionOfDifferentDepths) {
  ControlKernel kernel;
  kernel.before = ".func (.param .b32 result) sum(.param .b32 n)\n{\n.reg .u32 %x, %y;\n.reg .pred %z;\n"
                  ".param .b32 a;\n.param .b32 b;\nld.param.u32 %x, [n];\nsetp.eq.u32 %z, %x, 0;\nmov.u32 %y, 0;\n"
                  "@%z bra END;\nsub.u32 %y, %x, 1;\nst.param.u32 [a], %y;\ncall (b), sum, (a);\n"
                  "ld.param.u32 %y, [b];\nadd.u32 %y, %y, %x;\nEND:\nst.param.u32 [result], %y;\nret;\n}\n";
  for (bool check : {true, false}) {
    kernel.options.check = check;
    kernel.run("{\n.param .b32 a;\n.param .b32 b;\nst.param.u32 [a], %t;\ncall (b), sum, (a);\nld.param.u32 %r1, [b];\n}\n" +
               std::string(store) + "ret;");
    kernel.expect(wordsOf(32, [](unsigned t) { return t * (t + 1) / 2; }));
    EXPECT_EQ(kernel.executed(InstructionClass::Store) > 0, true);
  }
}

TEST(Control, RecursionOverRegisterParametersTwoCalls) {
  ControlKernel kernel;
  kernel.before = ".func (.reg .u32 %f) fib(.reg .u32 %n)\n{\n.reg .u32 %a, %b;\n.reg .pred %z;\n"
                  "mov.u32 %f, %n;\nsetp.lt.u32 %z, %n, 2;\n@%z ret;\nsub.u32 %a, %n, 1;\ncall (%b), fib, (%a);\n"
                  "sub.u32 %a, %n, 2;\ncall (%a), fib, (%a);\nadd.u32 %f, %a, %b;\nret;\n}\n";
  kernel.run("and.b32 %r1, %t, 7;\ncall (%r1), fib, (%r1);\n" + std::string(store) + "ret;");
  const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
  kernel.expect(wordsOf(32, [&](unsigned t) { return fib[t & 7]; }));
}

TEST(Control, RecursionWithoutEnd) {
  ControlKernel kernel;
  kernel.before = ".func again(.reg .u32 %x)\n{\n.reg .u32 %y;\nadd.u32 %y, %x, 1;\ncall again, (%y);\nret;\n}\n";
  kernel.run("call again, (%t);\nret;");
  kernel.expectFinding(FindingKind::Budget, "calls lie more than 4096 deep within each other");
}

static const char *three = ".func (.reg .u32 %y) f0(.reg .u32 %x)\n{\nadd.u32 %y, %x, 1000;\nret;\n}\n"
                           ".func (.reg .u32 %y) f1(.reg .u32 %x)\n{\nadd.u32 %y, %x, 2000;\nret;\n}\n"
                           ".func (.reg .u32 %y) f2(.reg .u32 %x)\n{\nadd.u32 %y, %x, 3000;\nret;\n}\n"
                           ".global .align 8 .u64 table[3] = {f0, f1, f2};\n";

TEST(Control, IndirectCallWithDivergentTargets) {
  ControlKernel kernel;
  kernel.before = three;
  kernel.run("rem.u32 %r2, %t, 3;\nmov.u64 %d0, table;\nmad.wide.u32 %d0, %r2, 8, %d0;\nld.global.u64 %d1, [%d0];\n"
             "PROTO: .callprototype (.reg .u32 _) _ (.reg .u32 _);\nsetp.lt.u32 %p0, %t, 31;\nmov.u32 %r1, 5;\n"
             "@%p0 call (%r1), %d1, (%t), PROTO;\n" +
             std::string(store) + "ret;");
  kernel.expect(wordsOf(32, [](unsigned t) { return t < 31 ? t + 1000 * (t % 3 + 1) : 5; }));
  EXPECT_EQ(kernel.executed(InstructionClass::Store), 1u);
}

TEST(Control, IndirectCallOfNothing) {
  ControlKernel kernel;
  kernel.before = three;
  kernel.run("mov.u64 %d1, 77;\nPROTO: .callprototype (.reg .u32 _) _ (.reg .u32 _);\ncall (%r1), %d1, (%t), PROTO;\n"
             "mov.u64 %d0, table;\nret;");
  kernel.expectFinding(FindingKind::InvalidOperand, "call of 77, which is no function of the program");
}

TEST(Control, FunctionsWithoutBody) {
  ControlKernel kernel;
  kernel.before = ".extern .func away(.reg .u32 %x);\n";
  kernel.run("setp.gt.u32 %p0, %t, 99;\n@%p0 call away, (%t);\nret;");
  kernel.expect({});
  kernel.run("call away, (%t);\nret;");
  kernel.expectFinding(FindingKind::Unsupported, "call of 'away', which has no body in the module");
}

//===----------------------------------------------------------------------===//
// Several loops that wait for each other in one warp
//===----------------------------------------------------------------------===//

TEST(Control, LanesOfOneWarpWaitForEachOther) {
  // Lane 0 waits for lane 2, lane 2 for lane 1, which stands between them in the program.
  std::string body = "setp.eq.u32 %p0, %t, 0;\nsetp.eq.u32 %p1, %t, 1;\nsetp.eq.u32 %p2, %t, 2;\nmov.u32 %r3, 1;\n"
                     "@%p2 bra TWO;\n@%p1 bra ONE;\n@!%p0 bra DONE;\n"
                     "WAIT0:\nld.acquire.gpu.global.u32 %r2, [%out+400];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra WAIT0;\n"
                     "bra DONE;\n"
                     "ONE:\nmov.u32 %r4, 0;\nWORK:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, 1000;\n@%p3 bra WORK;\n"
                     "st.release.gpu.global.u32 [%out+404], %r3;\nbra DONE;\n"
                     "TWO:\nld.acquire.gpu.global.u32 %r2, [%out+404];\nsetp.eq.u32 %p3, %r2, 0;\n@%p3 bra TWO;\n"
                     "st.release.gpu.global.u32 [%out+400], %r3;\nDONE:\nret;";
  ControlKernel kernel;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    kernel.options.seed = seed;
    kernel.options.spinLimit = 4096;
    kernel.run(body);
    kernel.expect({});
    EXPECT_EQ(kernel.output[100], 1u);
  }
}

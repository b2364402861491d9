/// Directives of a module, variables with their content, and the heads of functions.
#include "test/unit/Simulator/Ptx/ParseText.h"

#include <fstream>
#include <iterator>

using namespace tilec::ptx;

static std::vector<int> contentOf(const Variable &variable) {
  std::vector<int> result;
  for (std::byte byte : variable.initial)
    result.push_back(int(byte));
  return result;
}

TEST(PtxModule, head) {
  Parsed parsed = parseWhole(".version 8.7\n.target sm_90a, debug, texmode_independent\n.address_size 32\n"
                             ".file 1 \"a.cu\"\n.file 2 \"b.cu\", 17, 4\n.pragma \"nounroll\";");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.module->version, 87u);
  EXPECT_EQ(parsed.module->target, "sm_90a");
  EXPECT_EQ(parsed.module->targetOptions, (std::vector<std::string>{"debug", "texmode_independent"}));
  EXPECT_EQ(parsed.module->addressSize, 32u);
  EXPECT_EQ(parsed.module->files.at(2), "b.cu");
}

TEST(PtxModule, variables) {
  Parsed parsed = parseModule(".visible .global .align 16 .v4 .f32 a[2][3]; .extern .shared .align 16 .b8 b[];\n"
                              ".global .attribute(.managed) .u32 c, d[4]; .weak .const .b64 e;"
                              ".common .global .u16 f; .global .attribute(.unified(1, 2)) .u8 g;");
  ASSERT_EQ(parsed.error, "");
  const Variable &a = parsed.variable(0);
  EXPECT_EQ(a.linkage, Linkage::Visible);
  EXPECT_EQ(a.vector, 4u);
  EXPECT_EQ(a.extents, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(a.bytes(), 96u);
  EXPECT_EQ(a.alignment, 16u);
  EXPECT_EQ(parsed.variable(1).space, Space::Shared);
  EXPECT_EQ(parsed.variable(1).linkage, Linkage::Extern);
  EXPECT_EQ(parsed.variable(1).extents, std::vector<uint64_t>{0});
  EXPECT_EQ(parsed.variable(1).bytes(), 0u);
  EXPECT_EQ(parsed.variable(2).alignment, 4u);
  EXPECT_EQ(parsed.variable(3).name, "d");
  EXPECT_EQ(parsed.variable(4).linkage, Linkage::Weak);
  EXPECT_EQ(parsed.variable(5).linkage, Linkage::Common);
  EXPECT_EQ(parsed.variable(3).location.line, 3u);
}

TEST(PtxModule, initialContent) {
  Parsed parsed = parseModule(".global .b8 a[8] = {1, -1, 300, 0x10};"
                              ".global .u16 b[2][3] = {{1}, {2, 3}};"
                              ".const .f32 c[] = {1.0, 0f40000000};"
                              ".const .f64 d = 0f3F800000;"
                              ".global .v2 .u32 e[2] = {{1, 2}, {3, 4}};"
                              ".global .u32 f = 4 * (2 + 1);");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(contentOf(parsed.variable(0)), (std::vector<int>{1, 255, 44, 16}));
  EXPECT_EQ(contentOf(parsed.variable(1)), (std::vector<int>{1, 0, 0, 0, 0, 0, 2, 0, 3, 0}));
  EXPECT_EQ(contentOf(parsed.variable(2)), (std::vector<int>{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}));
  EXPECT_EQ(parsed.variable(2).extents, std::vector<uint64_t>{2});
  EXPECT_EQ(contentOf(parsed.variable(3)), (std::vector<int>{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  EXPECT_EQ(parsed.variable(4).initial.size(), 16u);
  EXPECT_EQ(int(parsed.variable(4).initial[12]), 4);
  EXPECT_EQ(contentOf(parsed.variable(5)), (std::vector<int>{12, 0, 0, 0}));
}

TEST(PtxModule, initialAddresses) {
  Parsed parsed = parseModule(".global .u32 a; .func f();"
                              ".global .u64 b[5] = {a, a+4, generic(a)-8, f, 7};"
                              ".global .u8 c[2] = {0xFF(a), 0xFF00(generic(a)+4)};");
  ASSERT_EQ(parsed.error, "");
  const auto &b = parsed.variable(1).relocations;
  ASSERT_EQ(b.size(), 4u);
  EXPECT_EQ(b[1].offset, 8u);
  EXPECT_EQ(b[1].addend, 4);
  EXPECT_EQ(b[1].bytes, 8u);
  EXPECT_FALSE(b[1].generic);
  EXPECT_EQ(b[1].mask, ~uint64_t(0));
  EXPECT_TRUE(b[2].generic);
  EXPECT_EQ(b[2].addend, -8);
  EXPECT_EQ(b[3].symbol, "f");
  EXPECT_EQ(int(parsed.variable(1).initial[32]), 7);
  const auto &c = parsed.variable(2).relocations;
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].mask, 0xffu);
  EXPECT_EQ(c[1].mask, 0xff00u);
  EXPECT_EQ(c[1].offset, 1u);
  EXPECT_EQ(c[1].addend, 4);
  EXPECT_TRUE(c[1].generic);
}

TEST(PtxModule, kernelHead) {
  Parsed parsed = parseModule(R"(.visible .entry f(
    .param .u64 .ptr .global .align 16 a,
    .param .align 64 .b8 b[128], .param .f32 c)
    .maxntid 128, 2 .reqntid 64 .minnctapersm 2 .maxnreg 80 .reqnctapercluster 2, 1, 1 .maxclusterrank 4
    .explicitcluster .blocksareclusters .pragma "x";
    { ret; })");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function();
  EXPECT_TRUE(f.isKernel && f.hasBody && f.explicitCluster && f.blocksAreClusters);
  EXPECT_EQ(f.linkage, Linkage::Visible);
  ASSERT_EQ(f.parameters.size(), 3u);
  EXPECT_EQ(f.parameters[0].alignment, 8u);
  EXPECT_EQ(f.parameters[1].alignment, 64u);
  EXPECT_EQ(f.parameters[1].bytes(), 128u);
  EXPECT_EQ(f.parameters[2].type, Type::F32);
  EXPECT_EQ(f.parameters[2].space, Space::Parameter);
  EXPECT_EQ(f.maxThreads[1], 2u);
  EXPECT_EQ(f.maxThreads[2], 1u);
  EXPECT_EQ(f.requiredThreads[0], 64u);
  EXPECT_EQ(f.requiredThreads[1], 1u);
  EXPECT_EQ(f.minBlocksPerSM, 2u);
  EXPECT_EQ(f.maxRegisters, 80u);
  EXPECT_EQ(f.requiredCluster[0], 2u);
  EXPECT_EQ(f.maxClusterRank, 4u);
}

TEST(PtxModule, deviceFunctions) {
  Parsed parsed = parseModule(R"(.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
    .func (.reg .u32 r) f(.reg .u32 a) .noreturn .abi_preserve 4 .abi_preserve_control 2;
    .visible .func (.reg .u32 r) f(.reg .u32 a) { .reg .b32 x; add.u32 r, a, x; ret; }
    .func other(); .alias other, target;)");
  EXPECT_EQ(parsed.error, "5:34: expected a function that is declared before '.alias', but got 'target'");
  parsed = parseModule(R"(.func (.reg .u32 r) f(.reg .u32 a);
    .visible .func (.reg .u32 r) f(.reg .u32 a) { .reg .b32 x; add.u32 r, a, x; ret; }
    .func (.reg .u32 r) other(.reg .u32 a); .alias other, f;)");
  ASSERT_EQ(parsed.error, "");
  ASSERT_EQ(parsed.module->functions.size(), 2u);
  const Function &f = parsed.function();
  EXPECT_TRUE(f.hasBody);
  EXPECT_EQ(f.linkage, Linkage::Visible);
  EXPECT_TRUE(f.parameters[0].inRegister);
  EXPECT_EQ(f.results[0].reg, 0u);
  EXPECT_EQ(f.parameters[0].reg, 1u);
  EXPECT_EQ(f.instructions[0].operands[1].reg, 1u);
  EXPECT_EQ(f.registers[2].name, "x");
  EXPECT_EQ(parsed.module->aliases.at("other"), "f");
  EXPECT_EQ(parsed.module->findFunction("nothing"), nullptr);
}

TEST(PtxModule, branchTargets) {
  Parsed parsed = parseBody("T: .branchtargets A, B; brx.idx %r1, T; A: ret; B:");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.function().labelLists.at("T").names, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(parsed.instruction().operands[1].name, "T");
  EXPECT_EQ(parsed.function().labels.at("B"), 2u);
  parsed = parseBody("T: .calltargets g, f; call %rd1, (), T;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.function().labelLists.at("T").kind, LabelList::Kind::Calls);
}

TEST(PtxModule, debugSectionsAreSkipped) {
  Parsed parsed = parseModule(R"(.func f() { ret; }
    .section .debug_str { $L__info_string0: .b8 95, 90, 0
      .b32 $L__a-$L__b
      .b64 .debug_abbrev+4 }
    .section .debug_macinfo { }
    .func g() { ret; })");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.module->functions.size(), 2u);
}

static Parsed parseInput(const std::string &name) {
  std::ifstream file(TILEC_SOURCE_DIR "/test/unit/Simulator/Ptx/Inputs/" + name);
  return parseWhole(std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()));
}

TEST(PtxModule, everyFormThatPtxasTakes) {
  Parsed parsed = parseInput("everything.ptx");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.function("kernel").requiredThreads[0], 128u);
}

TEST(PtxModule, operandsOfManyFamilies) {
  Parsed parsed = parseInput("syntax.ptx");
  ASSERT_EQ(parsed.error, "");
  const Function &f = parsed.function("forms");
  EXPECT_EQ(f.instructions[0].modifiers, (std::vector<std::string>{"mma", "cta_group::1", "kind::f8f6f4"}));
  EXPECT_EQ(f.instructions[3].modifiers[2], "mbarrier::arrive::one");
  EXPECT_EQ(f.labels.at("$L__BB0_2"), f.instructions.size() - 1);
}

TEST(PtxModule, linesForMessages) {
  EXPECT_EQ(lineOf("a\r\nb\nc", 1), "a");
  EXPECT_EQ(lineOf("a\nb\nc", 2), "b");
  EXPECT_EQ(lineOf("a\nb\nc", 3), "c");
  EXPECT_EQ(lineOf("a", 4), "");
  EXPECT_EQ(lineOf("a", 0), "");
}

TEST(PtxModule, namesOfTypesAndSpaces) {
  EXPECT_EQ(typeOfName("bf16x2"), Type::BF16x2);
  EXPECT_EQ(typeOfName("none"), Type::None);
  EXPECT_EQ(typeBytes(Type::B128), 16u);
  EXPECT_STREQ(typeName(Type::Predicate), "pred");
  EXPECT_STREQ(spaceName(Space::Parameter), "param");
}

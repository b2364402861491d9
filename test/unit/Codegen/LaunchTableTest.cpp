// The table made in memory says what the generated header says: the same launch plans for the same arguments.
#include "lib/Codegen/LaunchTable.h"
#include "lib/Codegen/Sidecar.h"
#include "lib/Codegen/SidecarReader.h"
#include "gtest/gtest.h"

using namespace mlir::tile;

/// A kernel with a view, an index and a predicate.
static KernelInterface sample() {
  KernelInterface kernel;
  kernel.name = "sample";
  KernelArgument view;
  view.name = "A";
  view.elementType = "bf16";
  view.extents = {std::nullopt, 64};
  view.strides = {std::nullopt, 1};
  view.alignBytes = 16;
  KernelArgument dead = view;
  dead.name = "D";
  dead.dead = true;
  KernelArgument scalar;
  scalar.name = "n";
  scalar.kind = KernelArgument::Kind::Scalar;
  scalar.elementType = "index";
  kernel.arguments = {dead, view, scalar};
  KernelConfiguration configuration;
  configuration.parameters = {{"BM", "128"}};
  configuration.predicate = "dim(A, 0) >= 2 && !(n == 3)";
  configuration.space.extents = {"ceildiv(dim(A, 0) * 2, 3)", "max(n, -n) + 1"};
  configuration.space.steps = {128, 1};
  configuration.workspaceBytes = "4 * n";
  KernelImage image;
  image.arch = "sm_90a";
  image.ptx = ".version 8.0\n";
  image.ptxVersion = 80;
  image.variants = {{"sample_fast", 16, 1000, 128, 2048, 40, 0, {8, 0}}};
  configuration.images = {image};
  kernel.configurations = {configuration};
  return kernel;
}

static tilec::SpaceValues evaluate(const LaunchTable &table, int64_t rows, int64_t n) {
  tilec::AnyView view;
  view.rank = 2;
  view.extents[0] = rows;
  tilec::Argument arguments[] = {view, n};
  tilec::SpaceValues values;
  table.table().configurations[0].valuesFor(arguments, values);
  return values;
}

TEST(LaunchTable, HoldsTheFacts) {
  auto made = LaunchTable::make(sample());
  ASSERT_TRUE(bool(made));
  const tilec::KernelTable &table = (*made)->table();
  EXPECT_STREQ(table.name, "sample");
  ASSERT_EQ(table.arguments.count, 2u);
  EXPECT_STREQ(table.arguments[0].name, "A");
  EXPECT_EQ(table.arguments[0].type, tilec::ElementType::BF16);
  EXPECT_EQ(table.arguments[0].extents[0], tilec::dynamicSize);
  EXPECT_EQ(table.arguments[0].extents[1], 64);
  EXPECT_FALSE(table.arguments[1].isView);
  const tilec::ConfigurationInfo &configuration = table.configurations[0];
  EXPECT_STREQ(configuration.name, "BM=128");
  EXPECT_TRUE(configuration.hasWorkspace);
  EXPECT_EQ(configuration.images[0].sm, 90);
  EXPECT_EQ(configuration.images[0].feature, 'a');
  EXPECT_EQ(configuration.images[0].ptx->join(), ".version 8.0\n");
  EXPECT_STREQ(configuration.images[0].variants[0].symbol, "sample_fast");
  EXPECT_EQ(configuration.images[0].variants[0].alignmentOf(0), 8);
}

TEST(LaunchTable, Evaluates) {
  auto made = LaunchTable::make(sample());
  ASSERT_TRUE(bool(made));
  tilec::SpaceValues values = evaluate(**made, 100, -5);
  EXPECT_TRUE(values.applies);
  EXPECT_EQ(values.extents[0].value, 67);
  EXPECT_EQ(values.extents[1].value, 6);
  EXPECT_EQ(values.workspaceBytes.value, -20);
  EXPECT_FALSE(evaluate(**made, 1, 0).applies);
  EXPECT_FALSE(evaluate(**made, 2, 3).applies);
  EXPECT_FALSE(evaluate(**made, INT64_MAX, 0).extents[0].valid);
}

TEST(LaunchTable, RefusesWhatTheHeaderRefuses) {
  KernelInterface wrong = sample();
  wrong.configurations[0].predicate = "dim(D, 0) > 1";
  auto made = LaunchTable::make(wrong);
  ASSERT_FALSE(bool(made));
  EXPECT_NE(llvm::toString(made.takeError()).find("'D' is dead"), std::string::npos);
}

TEST(SidecarReader, ReadsWhatThePrinterPrints) {
  auto text = emitSidecar({sample()});
  ASSERT_TRUE(bool(text));
  auto read = readSidecar(*text);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  // Printed again, all facts are the same.
  auto again = emitSidecar(*read);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*again, *text);
}

TEST(SidecarReader, NamesThePlaceOfAnError) {
  auto read = readSidecar(R"({"tilec": 1, "kernels": [{"name": "k", "arguments": 3, "configurations": []}]})");
  ASSERT_FALSE(bool(read));
  EXPECT_NE(llvm::toString(read.takeError()).find("sidecar.kernels[0].arguments"), std::string::npos);
  auto other = readSidecar(R"({"tilec": 2, "kernels": []})");
  ASSERT_FALSE(bool(other));
  EXPECT_EQ(llvm::toString(other.takeError()), "sidecar of version 2, expected version 1");
  auto broken = readSidecar("{");
  ASSERT_FALSE(bool(broken));
  llvm::consumeError(broken.takeError());
}

#include "SampleHeader.h"

#include "test/unit/Runtime/FakeDriverClient.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilec;
using fake::as;

const tilec::KernelTable *tableInOtherFile();

namespace {
struct Matrices {
  View<bf16, 2> A = View<bf16, 2>::contiguous(reinterpret_cast<bf16 *>(0x10000), 100, 40);
  View<bf16, 2> B = View<bf16, 2>::contiguous(reinterpret_cast<bf16 *>(0x20000), 40, 64);
  View<bf16, 2> C = View<bf16, 2>::contiguous(reinterpret_cast<bf16 *>(0x30000), 100, 64);
};
int streamObject;
const Stream stream = &streamObject;
} // namespace

TEST(GeneratedHeader, launchPassesWhatTheInterfaceSays) {
  fake::State &driver = fake::driver();
  fake::freshContext(80);
  Matrices m;
  Status status = gemm::launch(stream, m.A, m.B, m.C, 0.5f);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(driver.launches.size(), 1u);
  const fake::Launch &launch = driver.launches[0];
  EXPECT_EQ(launch.symbol, "gemm_fast");
  EXPECT_EQ(launch.blocks, 2u);
  EXPECT_EQ(launch.threads, 128u);
  EXPECT_EQ(launch.sharedBytes, 65536u);
  const auto &p = launch.parameters;
  ASSERT_EQ(p.size(), 12u);
  int64_t expected[] = {0x10000, 100, 40, 40, 0x20000, 40, 64, 0x30000, 100, 64};
  for (size_t i = 0; i < 10; ++i)
    EXPECT_EQ(as<int64_t>(p[i]), expected[i]) << i;
  EXPECT_EQ(as<float>(p[10]), 0.5f);
  EXPECT_EQ(driver.memory.at(as<void *>(p[11])), 8u);
}

TEST(GeneratedHeader, ptxArrivesByteForByte) {
  fake::State &driver = fake::driver();
  fake::freshContext(80);
  Matrices m;
  ASSERT_TRUE(gemm::launch(stream, m.A, m.B, m.C, 1.0f).ok());
  ASSERT_EQ(driver.modules.size(), 1u);
  const std::string &text = driver.modules[0];
  EXPECT_EQ(text.find("// \"quotes\", \\backslashes\\ and )ptx\" inside\n.target sm_80\n.entry gemm_fast("), 0u);
  EXPECT_NE(text.find("// filler line 2999\n//" + std::string(40000, '-') + "\n"), std::string::npos);
  EXPECT_EQ(text.size(), gemm::table().configurations[1].images[0].ptx->size);
}

TEST(GeneratedHeader, configurationImageAndVariantByCall) {
  fake::freshContext(90);
  Matrices m;
  Result<LaunchPlan> plan = gemm::explain(m.A, m.B, m.C, 1.0f);
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_STREQ(plan->configuration->name, "BM=64,T=bf16");
  EXPECT_STREQ(plan->image->arch, "sm_90a");
  EXPECT_TRUE(plan->usesCubin);
  EXPECT_EQ(plan->workspaceBytes, 8);
  EXPECT_EQ(plan->variant->registers, 168);
  EXPECT_EQ(plan->passedOver, std::vector<std::string>{
                                  "configuration 'BM=256,T=bf16': needs dim(A, 0) >= 4096 && mod(dim(A, 1), 8) == 0"});

  m.A.extents[0] = m.C.extents[0] = 5000;
  plan = gemm::explain(m.A, m.B, m.C, 1.0f);
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->configuration->name, "BM=256,T=bf16");
  EXPECT_EQ(plan->blocks, 20);

  m.A.strides[0] = 42;
  plan = gemm::explain(m.A, m.B, m.C, 1.0f);
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->variant->symbol, "gemm_general");
}

TEST(GeneratedHeader, workspaceOfTheCallers) {
  fake::State &driver = fake::driver();
  fake::freshContext(80);
  Matrices m;
  Result<size_t> bytes = gemm::workspaceBytes(m.A, m.B, m.C, 1.0f);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, 8u);
  Workspace workspace = {reinterpret_cast<void *>(0x50000), *bytes};
  ASSERT_TRUE(gemm::launch(stream, workspace, m.A, m.B, m.C, 1.0f).ok());
  EXPECT_EQ(as<int64_t>(driver.launches[0].parameters[11]), 0x50000);

  Device &device = **Device::current();
  ASSERT_TRUE(gemm::launch(device, stream, workspace, m.A, m.B, m.C, 1.0f).ok());
  ASSERT_TRUE(gemm::launch(device, m.A, m.B, m.C, 1.0f).ok());
  EXPECT_EQ(driver.launches[2].stream, nullptr);
  EXPECT_TRUE(gemm::explain(device, m.A, m.B, m.C, 1.0f).ok());
}

TEST(GeneratedHeader, wrongArguments) {
  fake::freshContext(80);
  Matrices m;
  m.B.extents[1] = 65;
  EXPECT_EQ(gemm::launch(stream, m.A, m.B, m.C, 1.0f).message(),
            "argument 'B' (view of bf16, rank 2): extent 1 is 65, expected 64");
  m = {};
  m.A.data = reinterpret_cast<bf16 *>(0x10002);
  EXPECT_EQ(gemm::launch(stream, m.A, m.B, m.C, 1.0f).message(),
            "argument 'A' (view of bf16, rank 2): the pointer is 2 bytes past a multiple of 4, expected alignment to 4 "
            "bytes");
}

TEST(GeneratedHeader, nullStreamsAndRuntimeHandlesConvert) {
  fake::freshContext(80);
  struct CUstream_st *handle = nullptr;
  Matrices m;
  EXPECT_TRUE(gemm::launch(handle, m.A, m.B, m.C, 1.0f).ok());
  EXPECT_TRUE(gemm::launch(nullptr, m.A, m.B, m.C, 1.0f).ok());
  View<const bf16, 2> constant = m.A;
  EXPECT_TRUE(gemm::launch({}, constant, m.B, m.C, 1.0f).ok());
}

TEST(GeneratedHeader, scalarsOfEveryTypeUnderAwkwardNames) {
  fake::State &driver = fake::driver();
  fake::freshContext(80);
  ASSERT_TRUE(max::launch(stream, true, 2, -3, -4, int64_t(1) << 40, 5, 1.0f, -2.0f, 0.25, 448.0f).ok());
  ASSERT_EQ(driver.launches.size(), 1u);
  EXPECT_EQ(driver.launches[0].blocks, 10u);
  const auto &p = driver.launches[0].parameters;
  ASSERT_EQ(p.size(), 10u);
  EXPECT_EQ(as<uint8_t>(p[0]), 1);
  EXPECT_EQ(as<int8_t>(p[1]), 2);
  EXPECT_EQ(as<int16_t>(p[2]), -3);
  EXPECT_EQ(as<int32_t>(p[3]), -4);
  EXPECT_EQ(as<int64_t>(p[4]), int64_t(1) << 40);
  EXPECT_EQ(as<int64_t>(p[5]), 5);
  EXPECT_EQ(as<uint16_t>(p[6]), 0x3c00);
  EXPECT_EQ(as<uint16_t>(p[7]), 0xc000);
  EXPECT_EQ(as<double>(p[8]), 0.25);
  EXPECT_EQ(as<uint8_t>(p[9]), 0x7e);
}

TEST(GeneratedHeader, packedViews) {
  fake::State &driver = fake::driver();
  fake::freshContext(80);
  auto W = View<f4e2m1, 2>::contiguous(reinterpret_cast<f4e2m1 *>(0x10000), 32, 96);
  auto Q = View<i4, 2>::contiguous(reinterpret_cast<i4 *>(0x20000), 32, 96).withStrides(1, 64);
  auto S = View<f8e8m0, 2>::contiguous(reinterpret_cast<f8e8m0 *>(0x30000), 96, 16);
  auto Y = View<f6e2m3, 2>::contiguous(reinterpret_cast<f6e2m3 *>(0x40000), 32, 128);
  Status status = dequantize::launch(stream, W, Q, S, Y);
  ASSERT_TRUE(status.ok()) << status.message();
  const fake::Launch &launch = driver.launches.at(0);
  EXPECT_EQ(launch.symbol, "dequantize_fast");
  EXPECT_EQ(launch.blocks, 2u);
  ASSERT_EQ(launch.parameters.size(), 16u);
  EXPECT_EQ(as<int64_t>(launch.parameters[3]), 96) << "strides count elements";

  // 20 rows of 4 bits are ten bytes: whole bytes, but no multiple of sixteen.
  Q.strides[1] = 20;
  ASSERT_TRUE(dequantize::launch(stream, W, Q, S, Y).ok());
  EXPECT_EQ(driver.launches.at(1).symbol, "dequantize_general");

  Y.extents[1] = 126;
  EXPECT_EQ(dequantize::launch(stream, W, Q, S, Y).message(),
            "argument 'Y' (view of f6E2M3FN, rank 2): extent 1 is 126 elements of 6 bits, expected a multiple of 4, "
            "which fill whole bytes");
}

TEST(GeneratedHeader, kernelWithoutArguments) {
  fake::State &driver = fake::driver();
  fake::freshContext(80);
  ASSERT_TRUE(exp_::launch(stream).ok());
  EXPECT_EQ(driver.launches[0].blocks, 1u);
  EXPECT_TRUE(driver.launches[0].parameters.empty());
  EXPECT_EQ(*exp_::workspaceBytes(), 0u);
}

TEST(GeneratedHeader, isOneDefinitionInTheWholeProgram) { EXPECT_EQ(tableInOtherFile(), &gemm::table()); }

#include "lib/Runtime/LaunchChoice.h"

#include "test/unit/Runtime/SampleTable.h"

#include "gtest/gtest.h"

using namespace tilec;
using sample::Call;

static DeviceProperties gpu(int sm, int driverVersion = 12080) {
  DeviceProperties facts;
  facts.sm = sm;
  facts.driverVersion = driverVersion;
  facts.maxSharedBytes = 101376;
  return facts;
}

static Result<LaunchPlan> choose(Call &call, const DeviceProperties &device) {
  return chooseLaunch(sample::table, call.pack(), device, /*explain=*/true);
}

TEST(LaunchChoice, firstConfigurationWhosePredicateHolds) {
  Call call;
  auto plan = choose(call, gpu(80));
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_STREQ(plan->configuration->name, "small");
  EXPECT_EQ(plan->blocks, 2 * 2);
  EXPECT_EQ(plan->passedOver, std::vector<std::string>{"configuration 'large': needs dim(A, 0) >= 1000"});

  call.A.extents[0] = 1000;
  plan = choose(call, gpu(80));
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->configuration->name, "large");
  EXPECT_EQ(plan->blocks, 4 * 1);
  EXPECT_TRUE(plan->passedOver.empty());
}

TEST(LaunchChoice, imagesByDevice) {
  struct Case {
    int sm, driver;
    const char *arch;
    bool cubin;
  };
  for (Case c : {Case{80, 12080, "sm_80", true}, Case{80, 12030, "sm_80", false}, Case{86, 12080, "sm_80", false},
                 Case{90, 12080, "sm_90a", false}, Case{90, 11080, "sm_80", false}, Case{120, 13000, "sm_80", false},
                 Case{80, 0, "sm_80", true}}) {
    Call call;
    auto plan = choose(call, gpu(c.sm, c.driver));
    ASSERT_TRUE(plan) << plan.message();
    EXPECT_STREQ(plan->image->arch, c.arch) << c.sm << " " << c.driver;
    EXPECT_EQ(plan->usesCubin, c.cubin) << c.sm << " " << c.driver;
  }
}

TEST(LaunchChoice, alignmentThatOneViewNeedsLessOf) {
  // C, with a pitch of 8 floats, is 8 bytes past a multiple of 16.
  static constexpr int64_t alignments[] = {16, 8, 0};
  static constexpr VariantInfo variants[] = {{"fast", 16, INT32_MAX, 128, 0, -1, -1, {alignments, 3}},
                                             {"general", 0, INT64_MAX, 64, 0, -1, -1}};
  static constexpr VariantInfo strict[] = {{"fast", 16, INT32_MAX, 128, 0, -1, -1},
                                           {"general", 0, INT64_MAX, 64, 0, -1, -1}};
  static constexpr ImageInfo images[] = {{"sm_80", 80, 0, &sample::ptx, nullptr, 80, 0, 0, {variants, 2}}};
  static constexpr ImageInfo strictImages[] = {{"sm_80", 80, 0, &sample::ptx, nullptr, 80, 0, 0, {strict, 2}}};
  static constexpr ConfigurationInfo configurations[] = {
      {"only", "", {sample::extents, 2}, {sample::steps, 2}, true, sample::evaluate, {images, 1}}};
  static constexpr ConfigurationInfo strictConfigurations[] = {
      {"only", "", {sample::extents, 2}, {sample::steps, 2}, true, sample::evaluate, {strictImages, 1}}};
  static constexpr KernelTable table = {"k", {sample::arguments, 3}, {configurations, 1}};
  static constexpr KernelTable strictTable = {"k", {sample::arguments, 3}, {strictConfigurations, 1}};
  Call call;
  call.C.data = reinterpret_cast<float *>(reinterpret_cast<char *>(call.C.data) + 8);
  auto symbolOf = [&](const KernelTable &table) {
    auto plan = chooseLaunch(table, call.pack(), gpu(80), false);
    return plan ? std::string(plan->variant->symbol) : plan.message();
  };
  EXPECT_EQ(symbolOf(table), "fast");
  EXPECT_EQ(symbolOf(strictTable), "general");
}

TEST(LaunchChoice, deviceThatRunsNoCubins) {
  Call call;
  DeviceProperties device = gpu(80);
  device.runsCubins = false;
  auto plan = choose(call, device);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->usesCubin);
}

TEST(LaunchChoice, familyAndExactTargets) {
  static constexpr ImageInfo images[] = {
      {"sm_90", 90, 0, &sample::ptx, nullptr, 80, 0, 0, {sample::variants, 2}},
      {"sm_100", 100, 0, &sample::ptx, nullptr, 86, 0, 0, {sample::variants, 2}},
      {"sm_100f", 100, 'f', &sample::ptx, nullptr, 88, 0, 0, {sample::variants, 2}},
      {"sm_100a", 100, 'a', &sample::ptx, nullptr, 86, 0, 0, {sample::variants, 2}},
  };
  static constexpr ConfigurationInfo configurations[] = {
      {"only", "", {sample::extents, 2}, {sample::steps, 2}, true, sample::evaluate, {images, 4}}};
  static constexpr KernelTable table = {"k", {sample::arguments, 3}, {configurations, 1}};
  auto archFor = [&](int sm) {
    Call call;
    auto plan = chooseLaunch(table, call.pack(), gpu(sm), false);
    return plan ? std::string(plan->image->arch) : plan.message();
  };
  EXPECT_EQ(archFor(100), "sm_100a");
  EXPECT_EQ(archFor(103), "sm_100f");
  EXPECT_EQ(archFor(110), "sm_100");
  EXPECT_EQ(archFor(120), "sm_100");
  EXPECT_EQ(archFor(90), "sm_90");
  EXPECT_EQ(archFor(80), "kernel 'k': has images for sm_90, sm_100, sm_100f, sm_100a; the device is sm_80");
}

TEST(LaunchChoice, noImageForThisDevice) {
  Call call;
  auto plan = choose(call, gpu(75));
  EXPECT_EQ(plan.code(), StatusCode::Unsupported);
  EXPECT_EQ(plan.message(), "kernel 'scale': configuration 'large': needs dim(A, 0) >= 1000; configuration 'small': "
                            "has images for sm_80, sm_90a; the device is sm_75");
}

TEST(LaunchChoice, driverTooOldNamesTheNumberNeeded) {
  Call call;
  call.A.extents[0] = 2000;
  auto plan = choose(call, gpu(86, 10020));
  EXPECT_EQ(plan.code(), StatusCode::DriverTooOld);
  EXPECT_NE(plan.message().find("PTX ISA 7.0 for sm_80 needs a driver for CUDA 11.0 or later (11000); the driver is "
                                "for CUDA 10.2 (10020)"),
            std::string::npos)
      << plan.message();
}

TEST(LaunchChoice, stridesThatHappenToBeOneKeepNoAlignment) {
  Call call;
  call.A.extents[1] = 1;
  call.A.strides[0] = 2;
  auto plan = choose(call, gpu(80));
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_STREQ(plan->variant->symbol, "general");
  // Rows one element apart break the declared alignment of 4 bytes.
  call.A.strides[0] = 1;
  Status status = checkArguments(sample::table, call.pack());
  EXPECT_NE(status.message().find("stride 0 is 1 elements of bf16, expected a multiple of 4 bytes"), std::string::npos)
      << status.message();
}

TEST(LaunchChoice, generalVariantAndWhy) {
  auto variantAndReason = [](Call call) {
    auto plan = choose(call, gpu(80));
    return plan ? std::string(plan->variant->symbol) + " / " + plan->passedOver.back() : plan.message();
  };
  Call call;
  call.A.data = reinterpret_cast<bf16 *>(0x10004);
  EXPECT_EQ(variantAndReason(call), "general / variant 'fast': argument 'A': the pointer is 4 bytes past one, expected "
                                    "a multiple of 16 bytes");
  call = {};
  call.A.strides[0] = 42;
  EXPECT_EQ(variantAndReason(call), "general / variant 'fast': argument 'A': stride 0 is 42 elements of bf16, expected "
                                    "a multiple of 16 bytes");
  call = {};
  call.C.extents[0] = int64_t(1) << 31;
  EXPECT_EQ(variantAndReason(call),
            "general / variant 'fast': argument 'C': extent 0 is 2147483648, expected <= 2146435071");
  call = {};
  call.C.strides[0] = int64_t(1) << 40;
  EXPECT_EQ(variantAndReason(call),
            "general / variant 'fast': argument 'C': stride 0 is 1099511627776, expected <= 2146435071");
}

TEST(LaunchChoice, variantThatNeedsTooMuchSharedMemory) {
  Call call;
  DeviceProperties device = gpu(80);
  device.maxSharedBytes = 49152;
  auto plan = choose(call, device);
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->variant->symbol, "general");
  EXPECT_EQ(plan->passedOver.back(), "variant 'fast': needs 65536 bytes of shared memory, the device has 49152");

  device.maxSharedBytes = 512;
  EXPECT_EQ(choose(call, device).message(),
            "kernel 'scale': no variant takes these arguments: variant 'fast': needs 65536 bytes of shared memory, the "
            "device has 512; variant 'general': needs 1024 bytes of shared memory, the device has 512");
}

TEST(LaunchChoice, gridLimits) {
  Call call;
  call.A.extents = {0, 40};
  auto plan = choose(call, gpu(80));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->blocks, 0);

  call.A.extents = {int64_t(1) << 40, 1};
  EXPECT_EQ(choose(call, gpu(80)).message(),
            "kernel 'scale': the program space has 4294967296 programs, expected <= 2147483647");
}

TEST(LaunchChoice, spaceThatOverflowsOrIsNegative) {
  static constexpr const char *text[] = {"n - 5"};
  static constexpr ConfigurationInfo configurations[] = {
      {"only",
       "",
       {text, 1},
       {sample::steps, 1},
       false,
       [](const Argument *arguments, SpaceValues &values) { values.extents[0] = arguments[2].index() - Index(5); },
       {sample::images, 2}}};
  static constexpr ConfigurationInfo overflowing[] = {
      {"only",
       "",
       {text, 1},
       {sample::steps, 1},
       false,
       [](const Argument *, SpaceValues &values) { values.extents[0] = Index(INT64_MAX) + Index(1); },
       {sample::images, 2}}};
  static constexpr KernelTable table = {"k", {sample::arguments, 3}, {configurations, 1}};
  static constexpr KernelTable overflowingTable = {"k", {sample::arguments, 3}, {overflowing, 1}};
  Call call;
  EXPECT_EQ(chooseLaunch(table, call.pack(), gpu(80), false).message(),
            "kernel 'k': dimension 0 of the program space, n - 5, is -5, expected >= 0");
  EXPECT_EQ(chooseLaunch(overflowingTable, call.pack(), gpu(80), false).message(),
            "kernel 'k': dimension 0 of the program space, n - 5, overflows 64 bits or divides by zero");
}

TEST(LaunchChoice, workspaceSize) {
  Call call;
  call.n = 3;
  Result<size_t> bytes = workspaceBytes(sample::table, call.pack());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, 192u);
  call.n = -1;
  EXPECT_EQ(workspaceBytes(sample::table, call.pack()).message(),
            "kernel 'scale': the workspace size is -64, expected >= 0");
}

TEST(LaunchChoice, planInWords) {
  Call call;
  call.A.strides[0] = 42;
  auto plan = choose(call, gpu(86));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->toString(),
            "kernel scale\n  configuration small\n  image sm_80 (PTX)\n  variant general\n"
            "  grid 4 blocks of 64 threads, 1024 bytes of shared memory\n  workspace 0 bytes\n"
            "  passed over: configuration 'large': needs dim(A, 0) >= 1000\n"
            "  passed over: variant 'fast': argument 'A': stride 0 is 42 elements of bf16, expected a "
            "multiple of 16 bytes\n");
}

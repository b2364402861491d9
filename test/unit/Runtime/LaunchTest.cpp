#include "test/unit/Runtime/FakeDriverClient.h"
#include "test/unit/Runtime/SampleTable.h"

#include "gtest/gtest.h"

#include <thread>

using namespace tilec;
using fake::as;
using sample::Call;

/// A stream of the fake driver.
static int streamObject;
static const Stream stream = &streamObject;

TEST(Launch, gridBlockSharedAndParameterBytes) {
  fake::State &driver = fake::driver();
  void *context = fake::freshContext();
  Call call;
  Workspace workspace = {reinterpret_cast<void *>(0x40000), 4096};
  call.n = 7;
  Status status = launchKernel(sample::table, call.pack(), {stream, workspace});
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(driver.launches.size(), 1u);
  const fake::Launch &launch = driver.launches[0];
  EXPECT_EQ(launch.symbol, "fast");
  EXPECT_EQ(launch.blocks, 4u);
  EXPECT_EQ(launch.threads, 128u);
  EXPECT_EQ(launch.sharedBytes, 65536u);
  EXPECT_EQ(launch.stream, stream.handle);
  EXPECT_EQ(launch.context, context);
  EXPECT_EQ(driver.optedIn["fast"], 65536);

  // A: pointer, two extents, the dynamic stride; C: pointer, the dynamic extent, two strides; n; the workspace.
  const auto &p = launch.parameters;
  ASSERT_EQ(p.size(), 10u);
  int64_t expected[] = {0x10000, 100, 40, 64, 0x20000, 100, 8, 1};
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(as<int64_t>(p[i]), expected[i]) << i;
  EXPECT_EQ(as<int32_t>(p[8]), 7);
  EXPECT_EQ(as<int64_t>(p[9]), 0x40000);
}

TEST(Launch, nothingToOptInToBelow48KiB) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  Call call;
  call.A.strides[0] = 42;
  ASSERT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  EXPECT_EQ(driver.launches[0].symbol, "general");
  EXPECT_TRUE(driver.optedIn.empty());
}

TEST(Launch, emptySpaceLaunchesNothing) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  Call call;
  call.A.extents[1] = 0;
  EXPECT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  EXPECT_TRUE(driver.launches.empty());
  EXPECT_TRUE(driver.modules.empty());
}

TEST(Launch, imageIsLoadedOncePerContextByManyThreads) {
  fake::State &driver = fake::driver();
  void *context = fake::freshContext();
  auto launchOften = [&] {
    fake::setContext(context);
    for (int i = 0; i < 100; ++i) {
      Call call;
      call.A.strides[0] = i % 2 ? 64 : 42;
      EXPECT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
    }
  };
  std::thread threads[] = {std::thread(launchOften), std::thread(launchOften), std::thread(launchOften)};
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(driver.launches.size(), 300u);
  EXPECT_EQ(driver.modules.size(), 1u);

  fake::freshContext();
  Call call;
  EXPECT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  EXPECT_EQ(driver.modules.size(), 1u) << "another context loads it again";
}

TEST(Launch, piecesOfPtxAreJoined) {
  fake::State &driver = fake::driver();
  fake::freshContext(86);
  Call call;
  ASSERT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  ASSERT_EQ(driver.modules.size(), 1u);
  EXPECT_EQ(driver.modules[0], std::string(sample::ptxPieces[0]) + sample::ptxPieces[1]);
}

TEST(Launch, onADeviceOfAnotherContext) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  Device *gpu = *Device::gpu(1);
  void *mine = fake::freshContext();
  Call call;
  ASSERT_TRUE(launchKernel(sample::table, call.pack(), *gpu).ok());
  EXPECT_EQ(fake::getContext(), mine);
  EXPECT_NE(driver.launches[0].context, mine);
}

TEST(Launch, ownWorkspaceAndCapture) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  Call call;
  call.n = 2;
  ASSERT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  void *block = as<void *>(driver.launches[0].parameters[9]);
  EXPECT_EQ(driver.memory.at(block), 128u);
  ASSERT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  EXPECT_EQ(as<void *>(driver.launches[1].parameters[9]), block);

  driver.capturing.insert(stream.handle);
  Status status = launchKernel(sample::table, call.pack(), stream);
  EXPECT_EQ(status.code(), StatusCode::Capturing);
  EXPECT_EQ(status.message(), "the stream is being captured into a graph, which must not hold a workspace that the "
                              "runtime may replace; pass a zeroed workspace of 128 bytes to launch(stream, workspace, "
                              "...)");
  Workspace workspace = {block, 128};
  EXPECT_TRUE(launchKernel(sample::table, call.pack(), {stream, workspace}).ok());
  call.n = 0;
  EXPECT_TRUE(launchKernel(sample::table, call.pack(), stream).ok()) << "needs none, so may be captured";
}

TEST(Launch, modulesMayBeLoadedDuringCapture) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  driver.capturing.insert(stream.handle);
  Call call;
  ASSERT_TRUE(launchKernel(sample::table, call.pack(), stream).ok());
  ASSERT_GE(driver.captureModes.size(), 2u);
  EXPECT_EQ(driver.captureModes.front(), 2) << "relaxed while loading";
  EXPECT_EQ(driver.captureModes.back(), 0) << "and back";
}

TEST(Launch, workspaceOfTheCallers) {
  fake::freshContext();
  Call call;
  call.n = 2;
  auto message = [&](Workspace workspace) {
    return launchKernel(sample::table, call.pack(), {stream, workspace}).message();
  };
  EXPECT_EQ(message({reinterpret_cast<void *>(0x40000), 100}),
            "kernel 'scale': workspace: has 100 bytes, expected at least 128");
  EXPECT_EQ(message({nullptr, 128}),
            "kernel 'scale': workspace: the pointer is null, expected device memory of 128 bytes");
  EXPECT_EQ(message({reinterpret_cast<void *>(0x40010), 128}),
            "kernel 'scale': workspace: the pointer is not a multiple of 256 bytes");
}

TEST(Launch, refusalsOfTheDriverNameKernelAndImage) {
  fake::State &driver = fake::driver();
  fake::freshContext(86);
  Call call;
  driver.errors["cuLaunchKernelEx"] = 1;
  EXPECT_EQ(launchKernel(sample::table, call.pack(), stream).message(),
            "kernel 'scale' (sm_80 PTX): cuLaunchKernelEx failed: CUDA_ERROR_FAKE (1): as the test asked");
  driver.errors.clear();

  fake::freshContext(80);
  driver.errors["cuModuleLoadDataEx"] = 222;
  Status status = launchKernel(sample::table, call.pack(), stream);
  EXPECT_EQ(status.code(), StatusCode::DriverTooOld);
  EXPECT_EQ(status.message(), "kernel 'scale' (sm_80 cubin): cuModuleLoadDataEx failed: "
                              "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222): as the test asked");
  driver.errors.clear();
  driver.errors["cuFuncSetAttribute"] = 1;
  EXPECT_EQ(launchKernel(sample::table, call.pack(), stream).message(),
            "kernel 'scale' (sm_80 cubin): cuFuncSetAttribute failed: CUDA_ERROR_FAKE (1): as the test asked (65536 "
            "bytes of dynamic shared memory for entry 'fast')");
}

TEST(Launch, wrongArgumentsReachNoDriver) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  Call call;
  call.A.extents[0] = -3;
  EXPECT_EQ(launchKernel(sample::table, call.pack(), stream).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(explainLaunch(sample::table, call.pack()).code(), StatusCode::InvalidArgument);
  EXPECT_TRUE(driver.modules.empty());
}

TEST(Launch, explainUsesTheCurrentDeviceOrTheOneGiven) {
  fake::freshContext(90);
  Call call;
  Result<LaunchPlan> plan = explainLaunch(sample::table, call.pack());
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->image->arch, "sm_90a");
  Device *device90 = *Device::current();
  fake::freshContext(80);
  EXPECT_STREQ(explainLaunch(sample::table, call.pack())->image->arch, "sm_80");
  EXPECT_STREQ(explainLaunch(sample::table, call.pack(), device90)->image->arch, "sm_90a");
}

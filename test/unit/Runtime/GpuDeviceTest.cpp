#include "test/unit/Runtime/FakeDriverClient.h"

#include "lib/Runtime/Driver.h"
#include "lib/Runtime/GuardedMemory.h"

#include "gtest/gtest.h"

#include <thread>

using namespace tilec;

static Device &currentDevice() {
  Result<Device *> device = Device::current();
  EXPECT_TRUE(device) << device.message();
  return **device;
}

TEST(GpuDevice, properties) {
  fake::freshContext(90, 12040);
  const DeviceProperties &facts = currentDevice().properties();
  EXPECT_EQ(facts.name, "Fake GPU");
  EXPECT_EQ(facts.sm, 90);
  EXPECT_EQ(facts.multiprocessors, 108);
  EXPECT_EQ(facts.driverVersion, 12040);
  EXPECT_EQ(facts.maxSharedBytes, 101376);
}

TEST(GpuDevice, oneDevicePerContext) {
  void *first = fake::freshContext();
  Device *device = &currentDevice();
  fake::freshContext();
  EXPECT_NE(&currentDevice(), device);
  fake::setContext(first);
  EXPECT_EQ(&currentDevice(), device);
}

TEST(GpuDevice, primaryContextWhereNoneIsCurrent) {
  fake::freshContext();
  fake::setContext(nullptr);
  Result<Device *> gpu = Device::gpu(0);
  ASSERT_TRUE(gpu);
  EXPECT_EQ(fake::getContext(), nullptr) << "gpu() must leave the thread's context alone";
  EXPECT_EQ(&currentDevice(), *gpu);
  EXPECT_NE(fake::getContext(), nullptr);
  ASSERT_TRUE(Device::any());
  EXPECT_EQ(*Device::any(), *gpu);
  EXPECT_NE(*Device::gpu(1), *gpu);
}

TEST(GpuDevice, contextOfTheStreamWhereNoneIsCurrent) {
  void *context = fake::freshContext();
  Device *device = &currentDevice();
  fake::setContext(nullptr);
  Result<Device *> found = Device::current(Stream(&context));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, device);
  EXPECT_EQ(fake::getContext(), context);
}

TEST(GpuDevice, unknownOrdinal) {
  fake::freshContext();
  EXPECT_EQ(Device::gpu(7).message(), "no GPU with number 7: the driver reports 2 GPUs");
  EXPECT_EQ(Device::gpu(-1).code(), StatusCode::NoDevice);
}

TEST(GpuDevice, packedElementsMoveThroughBuffers) {
  fake::freshContext();
  std::vector<f4e2m1> host = {1.0f, 6.0f, -0.5f};
  Result<Buffer<f4e2m1>> buffer = Buffer<f4e2m1>::from(currentDevice(), host);
  ASSERT_TRUE(buffer);
  uint8_t image[2] = {};
  ASSERT_TRUE(currentDevice().copyOut(image, buffer->data(), 2).ok());
  EXPECT_EQ(image[0], 0x72);
  EXPECT_EQ(image[1], 0x09);
  Result<std::vector<f4e2m1>> back = buffer->toHost();
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), 3u);
  EXPECT_EQ(float((*back)[1]), 6.0f);
  EXPECT_EQ(float((*back)[2]), -0.5f);
}

TEST(GpuDevice, packedElementsMoveThroughGuardedMemory) {
  fake::freshContext();
  std::vector<i4> host = {1, -8, 7, -1};
  Result<GuardedMemory> memory = GuardedMemory::from(currentDevice(), host);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->size(), 2u);
  Result<std::vector<i4>> back = memory->toHost<i4>();
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), 4u);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(int((*back)[i]), int(host[i])) << i;
}

TEST(GpuDevice, memoryMovesThroughBuffers) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  size_t before = driver.memory.size();
  {
    std::vector<bf16> host = {1.0f, 2.0f, 3.0f};
    Result<Buffer<bf16>> buffer = Buffer<bf16>::from(currentDevice(), host);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(driver.memory.size(), before + 1);
    EXPECT_EQ(driver.memory.at(buffer->data()), 6u);
    Result<std::vector<bf16>> back = buffer->toHost();
    ASSERT_TRUE(back);
    EXPECT_EQ(float((*back)[2]), 3.0f);
    View<bf16, 2> view = buffer->view(1, 3);
    EXPECT_EQ(view.data, buffer->data());
    Buffer<bf16> moved = std::move(*buffer);
    EXPECT_EQ(moved.size(), 3u);
  }
  EXPECT_EQ(driver.memory.size(), before);

  Result<Buffer<f4e2m1>> packed = Buffer<f4e2m1>::allocate(currentDevice(), 7);
  ASSERT_TRUE(packed);
  EXPECT_EQ(driver.memory.at(packed->data()), 4u);
  EXPECT_TRUE(Buffer<float>::allocate(currentDevice(), 0));
}

TEST(GpuDevice, outOfMemory) {
  fake::freshContext();
  fake::driver().errors["cuMemAlloc_v2"] = driver::outOfMemory;
  Result<Buffer<float>> buffer = Buffer<float>::allocate(currentDevice(), 10);
  EXPECT_EQ(buffer.code(), StatusCode::OutOfMemory);
  EXPECT_EQ(buffer.message(),
            "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY (2): as the test asked (asked for 40 bytes)");
}

TEST(GpuDevice, methodsUseTheirOwnContext) {
  void *mine = fake::freshContext();
  Device &device = currentDevice();
  const char *text = ".entry k() {}";
  Result<Function> function = device.load(CodeImage::ofPtx(&text), "k", 0);
  ASSERT_TRUE(function) << function.message();
  std::thread([&] {
    LaunchRequest request;
    request.function = *function;
    request.blocks = 3;
    request.threads = 32;
    request.cluster = 2;
    request.programmatic = true;
    EXPECT_TRUE(device.launch(request).ok());
    EXPECT_EQ(fake::getContext(), nullptr);
  }).join();
  ASSERT_EQ(fake::driver().launches.size(), 1u);
  EXPECT_EQ(fake::driver().launches[0].context, mine);
  EXPECT_EQ(fake::driver().launches[0].cluster, 2u);
  EXPECT_TRUE(fake::driver().launches[0].programmatic);
}

TEST(GpuDevice, eventsMeasureTime) {
  fake::freshContext();
  Device &device = currentDevice();
  Result<Event> begin = device.createEvent(), end = device.createEvent();
  ASSERT_TRUE(begin && end);
  EXPECT_TRUE(device.record(*begin).ok());
  EXPECT_TRUE(device.record(*end).ok());
  EXPECT_EQ(*device.elapsed(*begin, *end), 1.5f);
  EXPECT_TRUE(device.destroyEvent(*begin).ok());
  EXPECT_TRUE(device.destroyEvent(*end).ok());
}

TEST(GpuDevice, workspaceGrowsAndIsZero) {
  fake::State &driver = fake::driver();
  fake::freshContext();
  Device &device = currentDevice();
  int streams[2];
  size_t before = driver.memory.size();
  auto small = static_cast<char *>(*device.workspace(&streams[0], 100));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(small[i], 0);
  EXPECT_EQ(*device.workspace(&streams[0], 50), small);
  EXPECT_NE(*device.workspace(&streams[1], 50), small);
  EXPECT_NE(*device.workspace(&streams[0], 1000), nullptr);
  EXPECT_EQ(driver.memory.size(), before + 2) << "the small block is freed when a larger one replaces it";
}

TEST(GpuDevice, loadsAreRefusedWithTheCompilersWords) {
  fake::freshContext();
  fake::driver().errors["cuModuleLoadDataEx"] = driver::invalidPtx;
  fake::driver().jitLog = "line 7: unknown instruction";
  const char *text = ".entry k() {}";
  Result<Function> function = currentDevice().load(CodeImage::ofPtx(&text), "k", 0);
  EXPECT_EQ(function.message(), "cuModuleLoadDataEx failed: CUDA_ERROR_FAKE (218): as the test asked; the driver's "
                                "compiler says: line 7: unknown instruction");
  fake::driver().errors.clear();
  function = currentDevice().load(CodeImage::ofPtx(&text), "other", 0);
  EXPECT_EQ(function.message(), "cuModuleGetFunction failed: CUDA_ERROR_FAKE (500): as the test asked (entry 'other')");
}

TEST(Driver, isLoadedOnce) {
  fake::freshContext();
  EXPECT_EQ(driver::load("elsewhere.so").message(), "the CUDA driver is loaded already");
}

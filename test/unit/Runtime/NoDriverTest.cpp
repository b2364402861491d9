#include "lib/Runtime/Runtime.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace tilec;

namespace {
class StillDevice : public Device {
public:
  const DeviceProperties &properties() const override { return facts; }
  Result<void *> allocate(size_t) override { return refuse; }
  Status free(void *) override { return refuse; }
  Status copyIn(void *, const void *, size_t, Stream) override { return refuse; }
  Status copyOut(void *, const void *, size_t, Stream) override { return refuse; }
  Status fill(void *, uint8_t, size_t, Stream) override { return refuse; }
  Result<Function> load(const CodeImage &, const char *, uint32_t) override { return refuse; }
  Status launch(const LaunchRequest &) override { return refuse; }
  Status synchronize(Stream) override { return refuse; }
  Result<bool> isCapturing(Stream) override { return refuse; }
  Result<Event> createEvent() override { return refuse; }
  Status destroyEvent(Event) override { return refuse; }
  Status record(Event, Stream) override { return refuse; }
  Result<float> elapsed(Event, Event) override { return refuse; }
  Result<void *> workspace(Stream, size_t) override { return refuse; }

private:
  Status refuse = {StatusCode::Unsupported, "stands still"};
  DeviceProperties facts;
};
} // namespace

TEST(NoDriver, isAStatusAndTheSimulatorStepsIn) {
  setenv("TILEC_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  Result<Device *> gpu = Device::gpu(0);
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.code(), StatusCode::NoDevice);
  EXPECT_EQ(gpu.message().find("no CUDA driver: "), 0u) << gpu.message();
  EXPECT_NE(gpu.message().find("/nowhere/libcuda.so.1"), std::string::npos);
  EXPECT_EQ(Device::current().code(), StatusCode::NoDevice);

  EXPECT_EQ(Device::any().message(), gpu.message());
  EXPECT_EQ(Device::simulated().message(), "no simulated device is linked into this program");

  static StillDevice device;
  Device::registerSimulator([](const char *) -> Result<Device *> { return &device; });
  Result<Device *> any = Device::any();
  ASSERT_TRUE(any);
  EXPECT_EQ(*any, &device);
  Device::registerSimulator(nullptr);
}

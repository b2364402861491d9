/// What only a real driver can show: that our declarations match it, that images compile, that capture works. Skipped
/// where there is no GPU.
#include "lib/Runtime/Runtime.h"

#include "gtest/gtest.h"

#include <thread>

#include <dlfcn.h>

using namespace tilec;

static const char *scaleText = R"(.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 staging[];
.visible .entry scale(.param .u64 a, .param .s64 extent, .param .s64 stride, .param .f32 factor, .param .u64 workspace)
{
  .reg .pred %out;
  .reg .b64 %l<8>;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  ld.param.u64 %l1, [a];
  ld.param.s64 %l2, [extent];
  ld.param.f32 %f1, [factor];
  ld.param.u64 %l5, [workspace];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  cvt.s64.s32 %l3, %r4;
  setp.ge.s64 %out, %l3, %l2;
  @%out bra done;
  shl.b64 %l4, %l3, 2;
  add.s64 %l4, %l4, %l1;
  ld.global.f32 %f2, [%l4];
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%l4], %f2;
  st.shared.f32 [staging+65532], %f2;
  atom.global.add.u32 %r5, [%l5], 1;
done:
  ret;
}
)";

/// The kernel above with another text, as an image that is not cached yet.
namespace {
class Scale {
public:
  explicit Scale(std::string code) : text(std::move(code)), pointer(text.c_str()), image(CodeImage::ofPtx(&pointer)) {
    images[0].ptx = &image;
    configurations[0].images = {images, 1};
    table.configurations = {configurations, 1};
  }
  Scale(const Scale &) = delete;

  Status launch(Argument a, const LaunchSite &site) const {
    Argument items[] = {a, 3.0f};
    return launchKernel(table, {items, 2}, site);
  }

private:
  static void evaluate(const Argument *arguments, SpaceValues &values) {
    values.extents[0] = index::dim(arguments[0].view, 0);
    values.workspaceBytes = 4;
  }
  static constexpr ArgumentInfo arguments[] = {{"A", true, ElementType::F32, 1, 0, {dynamicSize}, {dynamicSize}},
                                               {"factor", false, ElementType::F32, 0, 0, {}, {}}};
  static constexpr VariantInfo variants[] = {{"scale", 16, INT64_MAX, 256, 65536, -1, -1}};
  static constexpr const char *extents[] = {"dim(A, 0)"};
  static constexpr int64_t steps[] = {256};

  std::string text;
  const char *pointer;
  CodeImage image;
  ImageInfo images[1] = {{"sm_80", 80, 0, nullptr, nullptr, 70, 11000, 0, {variants, 1}}};
  ConfigurationInfo configurations[1] = {{"only", "", {extents, 1}, {steps, 1}, true, evaluate, {nullptr, 0}}};
  KernelTable table = {"scale", {arguments, 2}, {nullptr, 0}};
};
} // namespace

class RealDriver : public testing::Test {
protected:
  void SetUp() override {
    Result<Device *> found = Device::gpu(0);
    if (!found)
      // For GPU machines only: not part of check-tilec, so it never counts there, neither as passed nor as skipped.
      GTEST_SKIP() << found.message();
    device = *found;
    values.assign(1000, 0.0f);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i);
    Result<Buffer<float>> made = Buffer<float>::from(*device, values);
    ASSERT_TRUE(made) << made.message();
    buffer = std::move(*made);
  }

  Device *device = nullptr;
  std::vector<float> values;
  Buffer<float> buffer;
};

TEST_F(RealDriver, launchesCountsAndSynchronizes) {
  Scale scale(scaleText);
  ASSERT_TRUE(device->fill(*device->workspace({}, 4), 0, 4).ok());
  Status status = scale.launch(buffer.view(1000), *device);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(device->synchronize().ok());
  Result<std::vector<float>> result = buffer.toHost();
  ASSERT_TRUE(result);
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ((*result)[i], 3.0f * values[i]) << i;
  uint32_t count = 0;
  ASSERT_TRUE(device->copyOut(&count, *device->workspace({}, 4), 4).ok());
  EXPECT_EQ(count, 1000u);
}

TEST_F(RealDriver, threadWithoutAContext) {
  Scale scale(scaleText);
  std::thread([&] {
    Status status = scale.launch(buffer.view(1000), Stream());
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(device->synchronize().ok());
  }).join();
}

TEST_F(RealDriver, compilerErrorsAreQuoted) {
  Scale broken(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry scale() { nonsense.f32 x; }\n");
  Status status = broken.launch(buffer.view(1000), *device);
  EXPECT_EQ(status.code(), StatusCode::DriverError);
  EXPECT_NE(status.message().find("the driver's compiler says: "), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("line 4"), std::string::npos) << status.message();
}

TEST_F(RealDriver, ptxOfTheFuture) {
  Scale future(".version 99.0\n.target sm_80\n.address_size 64\n.visible .entry scale() { ret; }\n");
  Status status = future.launch(buffer.view(1000), *device);
  EXPECT_EQ(status.code(), StatusCode::DriverTooOld) << status.message();
}

TEST_F(RealDriver, eventsMeasure) {
  Scale scale(scaleText);
  Result<Event> begin = device->createEvent(), end = device->createEvent();
  ASSERT_TRUE(begin && end);
  ASSERT_TRUE(device->record(*begin).ok());
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(scale.launch(buffer.view(1000), *device).ok());
  ASSERT_TRUE(device->record(*end).ok());
  Result<float> milliseconds = device->elapsed(*begin, *end);
  ASSERT_TRUE(milliseconds);
  EXPECT_GT(*milliseconds, 0.0f);
  EXPECT_TRUE(device->destroyEvent(*begin).ok());
  EXPECT_TRUE(device->destroyEvent(*end).ok());
}

TEST_F(RealDriver, captureLoadsModulesAndRefusesItsOwnWorkspace) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  ASSERT_NE(library, nullptr);
  auto create = reinterpret_cast<int (*)(void **, unsigned)>(dlsym(library, "cuStreamCreate"));
  auto begin = reinterpret_cast<int (*)(void *, int)>(dlsym(library, "cuStreamBeginCapture_v2"));
  auto end = reinterpret_cast<int (*)(void *, void **)>(dlsym(library, "cuStreamEndCapture"));
  ASSERT_TRUE(Device::current());
  void *stream = nullptr;
  ASSERT_EQ(create(&stream, /*CU_STREAM_NON_BLOCKING*/ 1), 0);
  Result<Buffer<float>> scratch = Buffer<float>::allocate(*device, 64);
  ASSERT_TRUE(scratch);
  ASSERT_TRUE(device->fill(scratch->data(), 0, 256).ok());
  ASSERT_TRUE(device->synchronize().ok());

  ASSERT_EQ(begin(stream, /*CU_STREAM_CAPTURE_MODE_GLOBAL*/ 0), 0);
  Scale scale(std::string(scaleText) + "// not loaded before\n");
  EXPECT_EQ(scale.launch(buffer.view(1000), Stream(stream)).code(), StatusCode::Capturing);
  Workspace workspace = {scratch->data(), 256};
  Status status = scale.launch(buffer.view(1000), {Stream(stream), workspace});
  EXPECT_TRUE(status.ok()) << status.message();
  void *graph = nullptr;
  EXPECT_EQ(end(stream, &graph), 0);
  EXPECT_NE(graph, nullptr);
}

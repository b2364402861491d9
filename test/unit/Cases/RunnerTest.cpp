// The runner on a device of our own making: its memory is the host's, its kernels are functions that do right or wrong.
#include "test/cases/Runner.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace cases;
using tilec::Result;
using tilec::Status;

namespace {
/// What a launch does: X, Y, their extent N, and the row pitches.
struct CopyCall {
  const float *x;
  float *y;
  int64_t rows, columns, pitchX, pitchY;
};

class HostDevice : public tilec::Device {
public:
  explicit HostDevice(std::function<void(CopyCall)> kernel) : kernel(std::move(kernel)) { info.sm = 80; }

  const tilec::DeviceProperties &properties() const override { return info; }
  Result<void *> allocate(size_t bytes) override { return std::malloc(bytes); }
  Status free(void *memory) override {
    std::free(memory);
    return {};
  }
  Status copyIn(void *device, const void *host, size_t bytes, tilec::Stream) override {
    std::memcpy(device, host, bytes);
    return {};
  }
  Status copyOut(void *host, const void *device, size_t bytes, tilec::Stream) override {
    std::memcpy(host, device, bytes);
    return {};
  }
  Status fill(void *device, uint8_t value, size_t bytes, tilec::Stream) override {
    std::memset(device, value, bytes);
    return {};
  }
  Result<tilec::Function> load(const tilec::CodeImage &, const char *, uint32_t) override {
    return tilec::Function{this};
  }
  Status launch(const tilec::LaunchRequest &request) override {
    auto at = [&](size_t i, auto &value) { std::memcpy(&value, request.parameters[i], sizeof value); };
    CopyCall call;
    at(0, call.x);
    at(1, call.rows);
    at(2, call.columns);
    at(3, call.pitchX);
    at(4, call.y);
    at(7, call.pitchY);
    kernel(call);
    return {};
  }
  Status synchronize(tilec::Stream) override { return {}; }
  Result<bool> isCapturing(tilec::Stream) override { return false; }
  Result<tilec::Event> createEvent() override { return tilec::Event(); }
  Status destroyEvent(tilec::Event) override { return {}; }
  Status record(tilec::Event, tilec::Stream) override { return {}; }
  Result<float> elapsed(tilec::Event, tilec::Event) override { return 0.0f; }
  Result<void *> workspace(tilec::Stream, size_t) override { return nullptr; }

private:
  tilec::DeviceProperties info;
  std::function<void(CopyCall)> kernel;
};
} // namespace

//===-- A table as a generated header has it
//------------------------------------------------------------------------===//

static const char *const pieces[] = {"// not code"};
static const tilec::CodeImage code = {1, pieces, 1, nullptr, 11};
static const tilec::VariantInfo variants[] = {{"copy", 0, INT64_MAX, 32, 0, -1, -1}};
static const tilec::ImageInfo images[] = {{"sm_80", 80, 0, &code, nullptr, 70, 0, 0, {variants, 1}}};
static const tilec::ArgumentInfo arguments[] = {
    {"X", true, tilec::ElementType::F32, 2, 0, {tilec::dynamicSize, tilec::dynamicSize}, {tilec::dynamicSize, 1}},
    {"Y", true, tilec::ElementType::F32, 2, 0, {tilec::dynamicSize, tilec::dynamicSize}, {tilec::dynamicSize, 1}}};
static const char *const extents[] = {"1"};
static const int64_t steps[] = {1};
static void evaluate(const tilec::Argument *, tilec::SpaceValues &values) {
  values.extents[0] = 1;
  values.workspaceBytes = 0;
}
static const tilec::ConfigurationInfo configurations[] = {
    {"", "", {extents, 1}, {steps, 1}, false, evaluate, {images, 1}}};
static const tilec::KernelTable table = {"copy", {arguments, 2}, {configurations, 1}};

/// The same for packed elements of four bits.
static const tilec::ArgumentInfo packedArguments[] = {
    {"X", true, tilec::ElementType::F4E2M1FN, 2, 0, {tilec::dynamicSize, tilec::dynamicSize}, {tilec::dynamicSize, 1}},
    {"Y", true, tilec::ElementType::F4E2M1FN, 2, 0, {tilec::dynamicSize, tilec::dynamicSize}, {tilec::dynamicSize, 1}}};
static const tilec::KernelTable packedTable = {"copy", {packedArguments, 2}, {configurations, 1}};

static const char *text = "//! run M=3 N=5\n"
                          "//! in X f32 [M, N] normal 1 gap 2\n"
                          "//! out Y f32 [M, N] gap 3\n"
                          "//! repeat 2\n"
                          "//! expect Y[i, j] = 2 * X[i, j] within exact\n";

/// Runs the case with a kernel; the outcome of its one run.
static Outcome outcomeOf(std::function<void(CopyCall)> kernel, const char *caseText = text,
                         const tilec::KernelTable &table = ::table) {
  HostDevice device(std::move(kernel));
  std::vector<Outcome> outcomes = runCase(device, {"runner/copy", "", caseText, &table});
  EXPECT_EQ(outcomes.size(), 1u);
  return outcomes.front();
}

static void doubled(CopyCall call, int64_t extra = 0) {
  for (int64_t i = 0; i < call.rows; ++i)
    for (int64_t j = 0; j < call.columns + extra; ++j)
      call.y[i * call.pitchY + j] = 2 * call.x[i * call.pitchX + j];
}

TEST(Runner, ARightKernelIsRight) {
  Outcome outcome = outcomeOf([](CopyCall call) { doubled(call); });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Right) << outcome.note;
  EXPECT_EQ(outcome.run, "M=3 N=5");
}

TEST(Runner, negative_a_wrong_element_is_named) {
  Outcome outcome = outcomeOf([](CopyCall call) {
    doubled(call);
    call.y[call.pitchY + 2] += 1;
  });
  EXPECT_EQ(outcome.kind, Outcome::Kind::Wrong);
  EXPECT_NE(outcome.note.find("Y[1, 2] is"), std::string::npos) << outcome.note;
  EXPECT_NE(outcome.note.find("1 of 15 are wrong"), std::string::npos) << outcome.note;
}

TEST(Runner, negative_an_unwritten_element_is_wrong) {
  EXPECT_EQ(outcomeOf([](CopyCall) {}).kind, Outcome::Kind::Wrong);
}

TEST(Runner, negative_a_store_into_a_gap_is_wrong) {
  Outcome outcome = outcomeOf([](CopyCall call) {
    doubled(call);
    call.y[call.columns] = 0;
  });
  EXPECT_NE(outcome.note.find("gap"), std::string::npos) << outcome.note;
}

TEST(Runner, negative_a_store_behind_the_end_is_wrong) {
  Outcome outcome = outcomeOf([](CopyCall call) {
    doubled(call);
    call.y[2 * call.pitchY + call.columns] = 0;
  });
  EXPECT_NE(outcome.note.find("guard bytes"), std::string::npos) << outcome.note;
}

TEST(Runner, negative_other_bits_in_a_later_run_are_wrong) {
  int runs = 0;
  Outcome outcome = outcomeOf(
      [&](CopyCall call) {
        doubled(call);
        if (runs++ == 1)
          call.y[0] *= 1.0000001f;
      },
      text);
  EXPECT_NE(outcome.note.find("other bits in run 2"), std::string::npos) << outcome.note;
}

TEST(Runner, ACaseForALaterTargetIsSkipped) {
  std::string later = std::string("//! arch sm_90a\n") + text;
  EXPECT_EQ(outcomeOf([](CopyCall call) { doubled(call); }, later.c_str()).kind, Outcome::Kind::Skipped);
}

static const char *packedText = "//! run M=3 N=6\n"
                                "//! in X f4E2M1FN [M, N] codes gap 2\n"
                                "//! out Y f4E2M1FN [M, N] gap 4\n"
                                "//! expect Y[i, j] = X[i, j] within bits\n";

/// Copies rows of packed elements, `extra` bytes more than they have.
static void copiedBytes(CopyCall call, int64_t extra = 0) {
  auto *x = reinterpret_cast<const uint8_t *>(call.x);
  auto *y = reinterpret_cast<uint8_t *>(call.y);
  for (int64_t i = 0; i < call.rows; ++i)
    for (int64_t byte = 0; byte < call.columns / 2 + (i + 1 < call.rows ? extra : 0); ++byte)
      y[i * call.pitchY / 2 + byte] = byte < call.columns / 2 ? x[i * call.pitchX / 2 + byte] : 0;
}

TEST(Runner, PackedElements) {
  Outcome outcome = outcomeOf([](CopyCall call) { copiedBytes(call); }, packedText, packedTable);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Right) << outcome.note;
}

TEST(Runner, negative_a_wrong_half_of_a_byte_is_named) {
  Outcome outcome = outcomeOf(
      [](CopyCall call) {
        copiedBytes(call);
        reinterpret_cast<uint8_t *>(call.y)[call.pitchY / 2 + 1] ^= 0x10;
      },
      packedText, packedTable);
  EXPECT_NE(outcome.note.find("Y[1, 3] is"), std::string::npos) << outcome.note;
  EXPECT_NE(outcome.note.find("1 of 18 are wrong"), std::string::npos) << outcome.note;
}

TEST(Runner, negative_a_store_into_a_packed_gap_is_wrong) {
  Outcome outcome = outcomeOf([](CopyCall call) { copiedBytes(call, 1); }, packedText, packedTable);
  EXPECT_NE(outcome.note.find("Y: element 6 in a gap"), std::string::npos) << outcome.note;
}

TEST(Runner, negative_a_zero_of_the_other_sign_has_other_bits) {
  Outcome outcome = outcomeOf(
      [](CopyCall call) {
        copiedBytes(call);
        *reinterpret_cast<uint8_t *>(call.y) ^= 8;
      },
      packedText, packedTable);
  EXPECT_NE(outcome.note.find("Y[0, 0] is"), std::string::npos) << outcome.note;
}

TEST(Runner, TablesAreMadeOfOutputs) {
  const char *withTable = "//! run M=3 N=5\n"
                          "//! in X f32 [M, N] where [i, j] = i - j\n"
                          "//! out Y f32 [M, N]\n"
                          "//! let Z f64 [M] where [i] = sum(j < N: Y[i, j])\n"
                          "//! expect Z[i] = 10 * i - 20 within exact\n";
  Outcome outcome = outcomeOf([](CopyCall call) { doubled(call); }, withTable);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Right) << outcome.note;
  outcome = outcomeOf([](CopyCall) {}, withTable);
  EXPECT_NE(outcome.note.find("Z[0] is"), std::string::npos) << outcome.note;
}

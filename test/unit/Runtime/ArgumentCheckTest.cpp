#include "test/unit/Runtime/SampleTable.h"

#include "gtest/gtest.h"

using namespace tilec;
using sample::Call;

static std::string messageFor(Call call) {
  Status status = checkArguments(sample::table, call.pack());
  EXPECT_TRUE(status.ok() || status.code() == StatusCode::InvalidArgument);
  return status.message();
}

TEST(ArgumentCheck, acceptsGoodArguments) { EXPECT_EQ(messageFor({}), ""); }

TEST(ArgumentCheck, negativeExtent) {
  Call call;
  call.A.extents[0] = -3;
  EXPECT_EQ(messageFor(call), "argument 'A' (view of bf16, rank 2): extent 0 is -3, expected >= 0");
}

TEST(ArgumentCheck, staticExtent) {
  Call call;
  call.C.extents[1] = 9;
  EXPECT_EQ(messageFor(call), "argument 'C' (view of f32, rank 2): extent 1 is 9, expected 8");
}

TEST(ArgumentCheck, strides) {
  Call call;
  call.A.strides[1] = 2;
  EXPECT_EQ(messageFor(call), "argument 'A' (view of bf16, rank 2): stride 1 is 2, expected 1");
  call.A.strides = {-64, 1};
  EXPECT_EQ(messageFor(call), "argument 'A' (view of bf16, rank 2): stride 0 is -64, expected >= 0");
}

TEST(ArgumentCheck, nullPointerUnlessEmpty) {
  Call call;
  call.C.data = nullptr;
  EXPECT_EQ(messageFor(call),
            "argument 'C' (view of f32, rank 2): the pointer is null, expected device memory for 100x8 elements");
  call.C.extents[0] = 0;
  EXPECT_EQ(messageFor(call), "");
}

TEST(ArgumentCheck, alignmentDeclaredOrOfTheElement) {
  Call call;
  call.A.data = reinterpret_cast<bf16 *>(0x10002);
  EXPECT_EQ(messageFor(call), "argument 'A' (view of bf16, rank 2): the pointer is 2 bytes past a multiple of 4, "
                              "expected alignment to 4 bytes");
  call = {};
  call.C.data = reinterpret_cast<float *>(0x20003);
  EXPECT_EQ(messageFor(call), "argument 'C' (view of f32, rank 2): the pointer is 3 bytes past a multiple of 4, "
                              "expected alignment to 4 bytes");
}

TEST(ArgumentCheck, addressesThatDoNotFit) {
  Call call;
  call.A.extents[0] = INT64_MAX;
  EXPECT_EQ(messageFor(call), "argument 'A' (view of bf16, rank 2): extents 9223372036854775807x40 with these strides "
                              "span more than 2^63 bits");
}

TEST(ArgumentCheck, kindsTypesRanksAndCountAtRunTime) {
  Call good;
  auto message = [&](std::vector<Argument> items) {
    return checkArguments(sample::table, {items.data(), items.size()}).message();
  };
  EXPECT_EQ(message({good.A, good.C}), "kernel 'scale': got 2 arguments, expected 3");
  EXPECT_EQ(message({good.A, good.C, good.A}), "argument 'n' (scalar i32): got a view, expected a scalar");
  EXPECT_EQ(message({1.0f, good.C, 1}), "argument 'A' (view of bf16, rank 2): got a scalar, expected a view");
  EXPECT_EQ(message({good.C, good.C, 1}), "argument 'A' (view of bf16, rank 2): got f32, expected bf16");
  EXPECT_EQ(message({good.A, good.C, 1.0f}), "argument 'n' (scalar i32): got f32, expected i32");
  EXPECT_EQ(message({View<bf16, 1>::contiguous(good.A.data, 5), good.C, 1}),
            "argument 'A' (view of bf16, rank 2): got rank 1, expected 2");
}

/// W is a view of `type` that is contiguous along `axis`.
static std::string packedMessage(ElementType type, int axis, std::array<int64_t, 2> extents,
                                 std::array<int64_t, 2> strides) {
  ArgumentInfo info = {"W", true, type, 2, 0, {dynamicSize, dynamicSize}, {dynamicSize, dynamicSize}};
  info.strides[axis] = 1;
  KernelTable table = {"k", {&info, 1}, {nullptr, 0}};
  AnyView view = AnyView::contiguous(reinterpret_cast<void *>(0x10001), type, extents.data(), 2);
  std::copy(strides.begin(), strides.end(), view.strides);
  Argument argument = view;
  return checkArguments(table, {&argument, 1}).message();
}

TEST(ArgumentCheck, rowsOfPackedElementsAreWholeBytes) {
  EXPECT_EQ(packedMessage(ElementType::F4E2M1FN, 1, {7, 6}, {10, 1}), "");
  EXPECT_EQ(packedMessage(ElementType::I4, 0, {6, 7}, {1, 6}), "");
  EXPECT_EQ(packedMessage(ElementType::F6E3M2FN, 1, {7, 12}, {16, 1}), "");
  EXPECT_EQ(packedMessage(ElementType::F4E2M1FN, 1, {7, 0}, {10, 1}), "");
  EXPECT_EQ(
      packedMessage(ElementType::F4E2M1FN, 1, {7, 5}, {10, 1}),
      "argument 'W' (view of f4E2M1FN, rank 2): extent 1 is 5 elements of 4 bits, expected a multiple of 2, which "
      "fill whole bytes");
  EXPECT_EQ(packedMessage(ElementType::I4, 0, {7, 6}, {1, 8}),
            "argument 'W' (view of i4, rank 2): extent 0 is 7 elements of 4 bits, expected a multiple of 2, which fill "
            "whole bytes");
  EXPECT_EQ(packedMessage(ElementType::I4, 1, {7, 6}, {7, 1}),
            "argument 'W' (view of i4, rank 2): stride 0 is 7 elements of 4 bits, expected a multiple of 2, which fill "
            "whole bytes");
  EXPECT_EQ(
      packedMessage(ElementType::F6E2M3FN, 1, {7, 8}, {10, 1}),
      "argument 'W' (view of f6E2M3FN, rank 2): stride 0 is 10 elements of 6 bits, expected a multiple of 4, which "
      "fill whole bytes");
}

TEST(ArgumentCheck, indexIsInt64OnTheHost) {
  static constexpr ArgumentInfo arguments[] = {{"n", false, ElementType::Index, 0, 0, {}, {}}};
  static constexpr KernelTable table = {"k", {arguments, 1}, {nullptr, 0}};
  Argument n = int64_t(5);
  EXPECT_TRUE(checkArguments(table, {&n, 1}).ok());
}

TEST(Argument, integersBecomeIndices) {
  EXPECT_EQ(Argument(int8_t(-5)).index().value, -5);
  EXPECT_EQ(Argument(int16_t(-300)).index().value, -300);
  EXPECT_EQ(Argument(int32_t(-70000)).index().value, -70000);
  EXPECT_EQ(Argument(INT64_MIN).index().value, INT64_MIN);
  EXPECT_EQ(Argument(true).index().value, 1);
}

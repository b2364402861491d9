/// A table as a generated header holds it, small enough to read: C = A * n over a program space of ceildiv(rows, 64) x
/// ceildiv(columns, 32), A is bf16 with a unit inner stride and 16-byte alignment, C is f32 with 8 static columns.
#ifndef TILEC_TEST_UNIT_RUNTIME_SAMPLETABLE_H
#define TILEC_TEST_UNIT_RUNTIME_SAMPLETABLE_H

#include "lib/Runtime/Runtime.h"

namespace sample {

using namespace tilec;

inline constexpr ArgumentInfo arguments[] = {
    {"A", true, ElementType::BF16, 2, 4, {dynamicSize, dynamicSize}, {dynamicSize, 1}},
    {"C", true, ElementType::F32, 2, 0, {dynamicSize, 8}, {dynamicSize, dynamicSize}},
    {"n", false, ElementType::I32, 0, 0, {}, {}},
};

#define SAMPLE_PARAMETERS                                                                                              \
  "(.param .u64 a, .param .s64 a0, .param .s64 a1, .param .s64 s, .param .u64 c, .param .s64 c0, "                     \
  ".param .s64 t0, .param .s64 t1, .param .s32 n, .param .u64 w) {}\n"
inline constexpr const char *ptxPieces[] = {".entry fast" SAMPLE_PARAMETERS, ".entry general" SAMPLE_PARAMETERS};
inline constexpr CodeImage ptx = {1, ptxPieces, 2, nullptr, sizeof(SAMPLE_PARAMETERS) * 2 + 23};
inline constexpr const char *ptx90Pieces[] = {"// 90\n.entry fast" SAMPLE_PARAMETERS
                                              ".entry general" SAMPLE_PARAMETERS};
inline constexpr CodeImage ptx90 = {2, ptx90Pieces, 1, nullptr, sizeof(SAMPLE_PARAMETERS) * 2 + 29};
inline constexpr unsigned char cubinBytes[] =
    "\177ELF .entry fast" SAMPLE_PARAMETERS ".entry general" SAMPLE_PARAMETERS;
inline constexpr CodeImage cubin = {3, nullptr, 0, cubinBytes, sizeof cubinBytes - 1};

inline constexpr VariantInfo variants[] = {
    {"fast", 16, INT32_MAX - (1 << 20), 128, 65536, 100, 0},
    {"general", 0, INT64_MAX, 64, 1024, -1, -1},
};
inline constexpr ImageInfo images[] = {
    {"sm_80", 80, 0, &ptx, &cubin, 70, 11000, 12040, {variants, 2}},
    {"sm_90a", 90, 'a', &ptx90, nullptr, 80, 12000, 0, {variants, 2}},
};

inline void evaluate(const Argument *arguments, SpaceValues &values) {
  using namespace tilec::index;
  values.extents[0] = dim(arguments[0].view, 0);
  values.extents[1] = dim(arguments[0].view, 1);
  values.workspaceBytes = arguments[2].index() * Index(64);
}
inline void evaluateLarge(const Argument *arguments, SpaceValues &values) {
  evaluate(arguments, values);
  values.applies = index::dim(arguments[0].view, 0) >= Index(1000);
}

inline constexpr const char *extents[] = {"dim(A, 0)", "dim(A, 1)"};
inline constexpr int64_t steps[] = {64, 32};
inline constexpr int64_t largeSteps[] = {256, 256};
inline constexpr ConfigurationInfo configurations[] = {
    {"large", "dim(A, 0) >= 1000", {extents, 2}, {largeSteps, 2}, true, evaluateLarge, {images, 2}},
    {"small", "", {extents, 2}, {steps, 2}, true, evaluate, {images, 2}},
};
inline constexpr KernelTable table = {"scale", {arguments, 3}, {configurations, 2}};

/// Good arguments, in memory that nobody touches: A is 100 x 40 with a pitch of 64, C is 100 x 8.
struct Call {
  View<bf16, 2> A = View<bf16, 2>::contiguous(reinterpret_cast<bf16 *>(0x10000), 100, 40).withStrides(64, 1);
  View<float, 2> C = View<float, 2>::contiguous(reinterpret_cast<float *>(0x20000), 100, 8);
  int32_t n = 0;
  std::vector<Argument> items;

  Arguments pack() {
    items = {A, C, n};
    return {items.data(), items.size()};
  }
};

} // namespace sample

#endif // TILEC_TEST_UNIT_RUNTIME_SAMPLETABLE_H

/// The target table: every row is found, and its facts are consistent with each other.
#include "lib/Target/Target.h"
#include "gtest/gtest.h"

using namespace mlir::tile;

TEST(Target, every_row_is_found_by_its_name) {
  EXPECT_EQ(targetNames(), "sm_80, sm_89, sm_90a, sm_100a, sm_120a");
  for (const Target &target : allTargets())
    EXPECT_EQ(lookupTarget(target.name), &target);
  EXPECT_EQ(lookupTarget("sm_75"), nullptr);
  EXPECT_EQ(lookupTarget(""), nullptr);
}

TEST(Target, limits_are_consistent) {
  for (const Target &target : allTargets()) {
    EXPECT_EQ(target.sharedPerBlock + target.sharedReservedPerBlock, target.sharedPerSM) << std::string(target.name);
    EXPECT_GE(target.maxThreadsPerSM, target.maxThreadsPerBlock);
    EXPECT_FALSE(target.hasWgmma && target.hasTcgen05);
    EXPECT_EQ(target.hasF8Cvt, target.ptxVersionF8Mma != 0);
    EXPECT_EQ(target.hasNativeBf16Arith, target.sm >= 90);
  }
  EXPECT_EQ(lookupTarget("sm_80")->sharedPerBlock, 166912u);
  EXPECT_EQ(lookupTarget("sm_89")->sharedPerBlock, 101376u);
  EXPECT_EQ(lookupTarget("sm_90a")->sharedPerBlock, 232448u);
}

TEST(Target, mma_shapes_by_kind) {
  for (const Target &target : allTargets()) {
    const MmaShape *half = target.findMma(ElementKind::F16, ElementKind::F16, ElementKind::F32);
    ASSERT_TRUE(half);
    EXPECT_EQ(half->m * half->n * half->k, 16u * 8 * 16);
    EXPECT_EQ(target.findMma(ElementKind::TF32, ElementKind::TF32, ElementKind::F32)->k, 8u);
    EXPECT_EQ(target.findMma(ElementKind::F64, ElementKind::F64, ElementKind::F64)->m, 8u);
    EXPECT_EQ(target.findMma(ElementKind::F16, ElementKind::BF16, ElementKind::F32), nullptr);
    const MmaShape *f8 = target.findMma(ElementKind::F8E4M3, ElementKind::F8E5M2, ElementKind::F32);
    EXPECT_EQ(f8 != nullptr, target.sm >= 89) << std::string(target.name);
    // A k-step is 32 bytes for every kind but f64.
    for (const MmaShape &shape : target.mmas)
      if (shape.a != ElementKind::F64) {
        EXPECT_EQ(shape.k * bitWidth(shape.a), 256u);
      }
  }
}

TEST(Target, block_scaled_products_by_kind) {
  const ElementKind elements[] = {ElementKind::F8E4M3, ElementKind::F8E5M2, ElementKind::F6E2M3, ElementKind::F6E3M2,
                                  ElementKind::F4E2M1};
  for (const Target &target : allTargets()) {
    EXPECT_EQ(target.blockScaledMmas.empty(), target.sm != 120) << std::string(target.name);
    for (ElementKind a : elements)
      for (ElementKind b : elements) {
        bool isF4 = a == ElementKind::F4E2M1 && b == ElementKind::F4E2M1;
        const BlockScaledMma *mma = target.findBlockScaledMma(a, b, ScaleKind::UE8M0, 32);
        ASSERT_EQ(mma != nullptr, target.sm == 120);
        if (mma) {
          EXPECT_EQ(mma->kind, isF4 ? "mxf4" : "mxf8f6f4");
          EXPECT_EQ(target.findBlockScaledMma(a, b, ScaleKind::UE8M0, 32, /*isPacked=*/false)->kind, "mxf8f6f4");
        }
        EXPECT_EQ(target.findBlockScaledMma(a, b, ScaleKind::UE4M3, 16) != nullptr, isF4 && target.sm == 120);
        EXPECT_EQ(target.findBlockScaledMma(a, b, ScaleKind::UE8M0, 16), nullptr);
      }
    for (const BlockScaledMma &mma : target.blockScaledMmas) {
      // A k-step is 32 bytes here too.
      EXPECT_EQ(mma.k * (mma.isPacked ? 4 : 8), 256u);
      EXPECT_EQ(mma.k % mma.scales, 0u);
    }
  }
  EXPECT_EQ(ptxName(ScaleKind::UE4M3), "ue4m3");
}

TEST(Target, narrow_elements_have_ptx_names) {
  EXPECT_EQ(ptxName(ElementKind::F6E2M3), "e2m3");
  EXPECT_EQ(ptxName(ElementKind::F6E3M2), "e3m2");
  EXPECT_EQ(ptxName(ElementKind::F4E2M1), "e2m1");
  EXPECT_EQ(bitWidth(ElementKind::F6E3M2), 6u);
  EXPECT_EQ(bitWidth(ElementKind::F4E2M1), 4u);
}

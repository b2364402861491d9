// Casts of floats narrower than a byte, and of i4.
// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file | FileCheck %s

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_90a"} {
  // Two codes at once take the exponent's place in two f16, and the product sets the bias right.
  // CHECK-LABEL: llvm.func @f4_to_f16(
  // CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"
  // CHECK: llvm.fmul %{{.*}}, %{{.*}} : vector<2xf16>
  // CHECK: llvm.fmul %{{.*}}, %{{.*}} : vector<2xf16>
  // CHECK-NOT: llvm.fmul
  // CHECK: llvm.return
  tile.kernel @f4_to_f16(%x: f4E2M1FN, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %t = tile.splat %x : !tile.tile<128xf4E2M1FN, #l>
    %c = tile.cast %t : !tile.tile<128xf4E2M1FN, #l> -> !tile.tile<128xf16, #l>
    tile.return
  }

  // A byte with its sign bit flipped is a number under f16's exponent of 2^10.
  // CHECK-LABEL: llvm.func @i4_to_f16(
  // CHECK: llvm.xor
  // CHECK: llvm.mlir.constant(dense<1.032000e+03> : vector<2xf16>)
  // CHECK-COUNT-2: llvm.fsub %{{.*}}, %{{.*}} : vector<2xf16>
  tile.kernel @i4_to_f16(%x: i4, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %t = tile.splat %x : !tile.tile<128xi4, #l>
    %c = tile.cast %t : !tile.tile<128xi4, #l> -> !tile.tile<128xf16, #l>
    tile.return
  }

  // CHECK-LABEL: llvm.func @i32_to_i4_saturate(
  // CHECK: %[[LOW:.*]] = llvm.intr.smin(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
  // CHECK: llvm.intr.smax(%[[LOW]]
  // CHECK: %[[BYTE:.*]] = llvm.trunc %{{.*}} : i32 to i8
  // CHECK: llvm.and %[[BYTE]]
  tile.kernel @i32_to_i4_saturate(%x: i32, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %t = tile.splat %x : !tile.tile<128xi32, #l>
    %c = tile.cast %t saturate : !tile.tile<128xi32, #l> -> !tile.tile<128xi4, #l>
    tile.return
  }
}

// -----

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_120a"} {
  // CHECK-LABEL: llvm.func @by_instructions(
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e2m3x2.rn.satfinite"
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e2m3x2.to.f16x2.rn"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e2m1x2.rn.satfinite"
  // CHECK: llvm.shl
  // CHECK: llvm.lshr
  // CHECK: llvm.call_intrinsic "llvm.nvvm.e2m1x2.to.f16x2.rn"
  tile.kernel @by_instructions(%x: f32, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %t = tile.splat %x : !tile.tile<128xf32, #l>
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xf6E2M3FN, #l>
    %h = tile.cast %c : !tile.tile<128xf6E2M3FN, #l> -> !tile.tile<128xf16, #l>
    %d = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xf4E2M1FN, #l>
    %g = tile.cast %d : !tile.tile<128xf4E2M1FN, #l> -> !tile.tile<128xf16, #l>
    tile.return
  }
}

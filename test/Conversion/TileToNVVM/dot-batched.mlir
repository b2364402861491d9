// A batch lies in registers and is emitted tile by tile; no result of one goes into another.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<registers = [[0, 0, 1], [0, 8, 0], [1, 0, 0], [2, 0, 0]], lanes = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warps = []>
#a = #tile.layout<registers = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [1, 0, 0], [2, 0, 0]], lanes = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warps = []>
#b = #tile.layout<registers = [[0, 1, 0], [0, 8, 0], [1, 0, 0], [2, 0, 0]], lanes = [[0, 2, 0], [0, 4, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4]], warps = []>
#acc2 = #tile.layout<registers = [[0, 0, 1], [0, 8, 0], [1, 0, 0]], lanes = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warps = []>
#a2 = #tile.layout<registers = [[0, 0, 1], [0, 0, 2], [0, 8, 0], [0, 0, 16], [1, 0, 0]], lanes = [[0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warps = []>
#b2 = #tile.layout<registers = [[0, 1, 0], [0, 2, 0], [0, 16, 0], [1, 0, 0]], lanes = [[0, 4, 0], [0, 8, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4]], warps = []>
#s2 = #tile.layout<registers = [[1, 0, 0]], lanes = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warps = []>

module attributes {tile.target = "sm_90a"} {
  // CHECK-LABEL: llvm.func @four(
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
  // CHECK-COUNT-4: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"({{.*}}, %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @four(%s: f16, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<4x16x16xf16, #a>
    %b = tile.splat %s : !tile.tile<4x16x8xf16, #b>
    %c = arith.constant dense<0.0> : !tile.tile<4x16x8xf32, #acc>
    %d = tile.dot %a, %b, %c : !tile.tile<4x16x16xf16, #a>, !tile.tile<4x16x8xf16, #b>, !tile.tile<4x16x8xf32, #acc>
    tile.return
  }

  // CHECK-LABEL: llvm.func @scaled(
  // CHECK-COUNT-4: "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  // CHECK-NOT: nvvm.mma
  // CHECK: llvm.return
  tile.kernel @scaled(%s: f8E4M3FN, %e: f8E8M0FNU, %n: index) programs(%m) in (%n) by [1] plan {warps = 1 : i64} {
    %a = tile.splat %s : !tile.tile<2x16x32xf8E4M3FN, #a2>
    %b = tile.splat %s : !tile.tile<2x32x8xf8E4M3FN, #b2>
    %sb = tile.splat %e : !tile.tile<2x8x1xf8E8M0FNU, #s2>
    %c = arith.constant dense<0.0> : !tile.tile<2x16x8xf32, #acc2>
    %d = tile.dot %a, %b scaled %sb by 32, %c : !tile.tile<2x16x32xf8E4M3FN, #a2>, !tile.tile<2x32x8xf8E4M3FN, #b2> scaled !tile.tile<2x8x1xf8E8M0FNU, #s2>, !tile.tile<2x16x8xf32, #acc2>
    tile.return
  }
}

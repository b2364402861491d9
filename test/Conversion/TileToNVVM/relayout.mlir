// Changes of layout inside a warp: nothing for registers that change places, shuffles between lanes.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#a = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
#b = #tile.layout<registers = [[2], [1]], lanes = [[4], [8], [16], [32], [64]], warps = []>
#c = #tile.layout<registers = [[32], [64]], lanes = [[1], [2], [4], [8], [16]], warps = []>
#d = #tile.layout<registers = [[1], [2]], lanes = [[8], [4], [16], [32], [64]], warps = []>
!v = !tile.view<?xf32>
module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: llvm.func @registers(
  // CHECK-NOT: shfl
  // CHECK: llvm.fneg %[[A:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[C:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[B:.*]] : f32
  // CHECK-NEXT: llvm.fneg %[[D:.*]] : f32
  tile.kernel @registers(%A: !v) programs(%m) over %A by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !v -> !tile.tile<128xf32, #a>
    %u = tile.relayout %t : !tile.tile<128xf32, #a> -> !tile.tile<128xf32, #b>
    %w = arith.negf %u : !tile.tile<128xf32, #b>
    tile.return
  }

  // Lanes that change places: one shuffle for each register, no choice.
  // CHECK-LABEL: llvm.func @lanes(
  // CHECK-COUNT-4: "llvm.nvvm.shfl.sync.idx.i32"
  // CHECK-NOT: shfl
  // CHECK-NOT: llvm.select
  // CHECK: llvm.return
  tile.kernel @lanes(%A: !v) programs(%m) over %A by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !v -> !tile.tile<128xf32, #a>
    %u = tile.relayout %t : !tile.tile<128xf32, #a> -> !tile.tile<128xf32, #d>
    %w = arith.negf %u : !tile.tile<128xf32, #d>
    tile.return
  }

  // Two bits move between registers and lanes: four sources for each of four registers.
  // CHECK-LABEL: llvm.func @both(
  // CHECK-COUNT-16: "llvm.nvvm.shfl.sync.idx.i32"
  // CHECK-NOT: shfl
  // CHECK: llvm.return
  tile.kernel @both(%A: !v) programs(%m) over %A by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !v -> !tile.tile<128xf32, #a>
    %u = tile.relayout %t : !tile.tile<128xf32, #a> -> !tile.tile<128xf32, #c>
    %w = arith.negf %u : !tile.tile<128xf32, #c>
    tile.return
  }
}

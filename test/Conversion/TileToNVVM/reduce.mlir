// Reductions: in registers, by shuffles inside a warp, then through shared memory with one barrier.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#warp = #tile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warps = []>
#warps = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [[32], [64]]>
#odd = #tile.layout<registers = [[32]], lanes = [[1], [2], [4], [8], [16]], warps = []>
module attributes {tile.target = "sm_80"} {
  // The axis takes three lane bits: distances 1, 2 and 4, and no shared memory.
  // CHECK-LABEL: llvm.func @in_a_warp(
  // CHECK-DAG: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
  // CHECK-DAG: %[[D1:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK-DAG: %[[D2:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK-DAG: %[[D4:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK: llvm.fadd
  // CHECK: "llvm.nvvm.shfl.sync.bfly.i32"(%[[ALL]], %{{.*}}, %[[D1]], %{{.*}})
  // CHECK: "llvm.nvvm.shfl.sync.bfly.i32"(%[[ALL]], %{{.*}}, %[[D2]], %{{.*}})
  // CHECK: "llvm.nvvm.shfl.sync.bfly.i32"(%[[ALL]], %{{.*}}, %[[D4]], %{{.*}})
  // CHECK-NOT: shfl
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  tile.kernel @in_a_warp(%n: index, %A: !tile.view<?x?xf32>) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.load %A[%m, %m] : !tile.view<?x?xf32> -> !tile.tile<4x16xf32, #warp>
    %s = tile.reduce %x along 1 : !tile.tile<4x16xf32, #warp> -> !tile.tile<4xf32, #tile.layout<registers = [], lanes = [[0], [0], [0], [1], [2]], warps = []>> combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    tile.return
  }

  // Four warps write at scratch + 4 · warp and read all four.
  // CHECK-LABEL: llvm.func @over_warps(
  // CHECK: %[[SHARED:.*]] = llvm.ptrtoint
  // CHECK: %[[OFFSET:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK-COUNT-5: shfl.sync.bfly
  // CHECK-NOT: shfl.sync.bfly
  // CHECK: %[[SCRATCH:.*]] = llvm.add %[[SHARED]], %[[OFFSET]]
  // CHECK: llvm.store {{.*}} : i32, !llvm.ptr<3>
  // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
  // CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> i32
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  tile.kernel @over_warps(%n: index, %s: i32) programs(%m) in (%n) by [128] plan {warps = 4 : i64} {
    %x = tile.splat %s : !tile.tile<128xi32, #warps>
    %r = tile.reduce %x along 0 {scratch = 64 : i64} : !tile.tile<128xi32, #warps> -> i32 combine(%a: i32, %b: i32) {
      %c = arith.maxsi %a, %b : i32
      tile.yield %c : i32
    }
    tile.return
  }

  // What lies beyond the tile counts as the combiner's neutral element, whatever the pad was.
  // CHECK-LABEL: llvm.func @dead_positions(
  // CHECK: %[[INFINITY:.*]] = llvm.mlir.constant(0x7F800000 : f32)
  // CHECK-COUNT-2: llvm.select {{.*}}, %[[INFINITY]] : i1, f32
  // CHECK: llvm.intr.minimum
  tile.kernel @dead_positions(%n: index, %A: !tile.view<?xf32>) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<48xf32, #odd>
    %r = tile.reduce %x along 0 : !tile.tile<48xf32, #odd> -> f32 combine(%a: f32, %b: f32) {
      %c = arith.minimumf %a, %b : f32
      tile.yield %c : f32
    }
    tile.return
  }

  // Both travel at each distance, and the region sees both.
  // CHECK-LABEL: llvm.func @two_operands(
  // CHECK: llvm.fcmp "ogt"
  // CHECK: llvm.select {{.*}} : i1, f32
  // CHECK: llvm.select {{.*}} : i1, i32
  // CHECK-COUNT-2: shfl.sync.bfly
  // CHECK: llvm.fcmp "ogt"
  // CHECK-COUNT-8: shfl.sync.bfly
  // CHECK-NOT: shfl.sync.bfly
  // CHECK: llvm.return
  tile.kernel @two_operands(%n: index, %s: f32) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    %x = tile.splat %s : !tile.tile<64xf32, #odd>
    %i = tile.iota 0 : !tile.tile<64xi32, #odd>
    %r, %k = tile.reduce %x, %i along 0 : !tile.tile<64xf32, #odd>, !tile.tile<64xi32, #odd> -> f32, i32 combine(%a: f32, %ai: i32, %b: f32, %bi: i32) {
      %g = arith.cmpf ogt, %a, %b : f32
      %c = arith.select %g, %a, %b : f32
      %ci = arith.select %g, %ai, %bi : i32
      tile.yield %c, %ci : f32, i32
    }
    tile.return
  }
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan))' | FileCheck %s
// The plan of kernels without dots: warps by the largest tile, by rows where rows are reduced, and by lines where short
// lines along another axis are.

#mine = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [[32], [0], [0], [0]]>
module attributes {tile.target = "sm_90a"} {
// CHECK: tile.kernel @add{{.*}} plan {group_m = 1 : i64, stages = 1 : i64, warps = 4 : i64
tile.kernel @add(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %A by [1024] {
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<1024xf32>
  %b = arith.addf %a, %a : !tile.tile<1024xf32>
  tile.store %b, %B[%m] : !tile.tile<1024xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK: tile.kernel @tiny{{.*}} warps = 2 : i64
tile.kernel @tiny(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %A by [64] {
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<64xf32>
  tile.store %a, %B[%m] : !tile.tile<64xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK: tile.kernel @square{{.*}} warps = 8 : i64
tile.kernel @square(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>) programs(%m, %n) over %A by [64, 64] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<64x64xf32>
  tile.store %a, %B[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}

// CHECK: tile.kernel @laid_out{{.*}} warps = 16 : i64
tile.kernel @laid_out(%A: !tile.view<?xf32>) programs(%m) over %A by [64] {
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<64xf32, #mine>
  tile.store %a, %A[%m] : !tile.tile<64xf32, #mine>, !tile.view<?xf32>
  tile.return
}

// A warp for each row, and for one long row as many as there are.
// CHECK: tile.kernel @rows{{.*}} warps = 4 : i64
tile.kernel @rows(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [4] {
  %c0 = arith.constant 0 : index
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf32> -> !tile.tile<4x1024xf32>
  %s = tile.reduce %a along 1 : !tile.tile<4x1024xf32> -> !tile.tile<4xf32> combine(%x: f32, %y: f32) {
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%m] : !tile.tile<4xf32>, !tile.view<?xf32>
  tile.return
}
// CHECK: tile.kernel @long_row{{.*}} warps = 16 : i64
tile.kernel @long_row(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [1] {
  %c0 = arith.constant 0 : index
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf32> -> !tile.tile<1x16384xf32>
  %s = tile.reduce %a along 1 : !tile.tile<1x16384xf32> -> !tile.tile<1xf32> combine(%x: f32, %y: f32) {
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%m] : !tile.tile<1xf32>, !tile.view<?xf32>
  tile.return
}

// A thread for two columns of a block of 32 rows: 64 elements each.
// CHECK: tile.kernel @blocks_of_columns{{.*}} warps = 4 : i64
tile.kernel @blocks_of_columns(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [2, 128] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %r = tile.reshape %a : !tile.tile<64x128xf32> -> !tile.tile<2x32x128xf32>
  %s = tile.reduce %r along 1 : !tile.tile<2x32x128xf32> -> !tile.tile<2x128xf32> combine(%x: f32, %y: f32) {
    %z = arith.maximumf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%m, %n] : !tile.tile<2x128xf32>, !tile.view<?x?xf32>
  tile.return
}
// Lines that are too long for a thread: by elements alone.
// CHECK: tile.kernel @negative_long_columns{{.*}} warps = 16 : i64
tile.kernel @negative_long_columns(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%n) over %B by [128] {
  %c0 = arith.constant 0 : index
  %a = tile.load %A[%c0, %n] : !tile.view<?x?xf32> -> !tile.tile<64x128xf32>
  %s = tile.reduce %a along 0 : !tile.tile<64x128xf32> -> !tile.tile<128xf32> combine(%x: f32, %y: f32) {
    %z = arith.maximumf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%n] : !tile.tile<128xf32>, !tile.view<?xf32>
  tile.return
}
// As many warps as there are lines for.
// CHECK: tile.kernel @few_columns{{.*}} warps = 2 : i64
tile.kernel @few_columns(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%n) over %B by [128] {
  %c0 = arith.constant 0 : index
  %a = tile.load %A[%c0, %n] : !tile.view<?x?xf32> -> !tile.tile<32x128xf32>
  %s = tile.reduce %a along 0 : !tile.tile<32x128xf32> -> !tile.tile<128xf32> combine(%x: f32, %y: f32) {
    %z = arith.maximumf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%n] : !tile.tile<128xf32>, !tile.view<?xf32>
  tile.return
}
// Fewer lines than one warp takes.
// CHECK: tile.kernel @negative_few_columns{{.*}} warps = 4 : i64
tile.kernel @negative_few_columns(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%n) over %B by [32] {
  %c0 = arith.constant 0 : index
  %a = tile.load %A[%c0, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32>
  %s = tile.reduce %a along 0 : !tile.tile<32x32xf32> -> !tile.tile<32xf32> combine(%x: f32, %y: f32) {
    %z = arith.maximumf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%n] : !tile.tile<32xf32>, !tile.view<?xf32>
  tile.return
}
}

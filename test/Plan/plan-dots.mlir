// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan))' | FileCheck %s
// The plan of kernels with dots: warps by accumulators, their split by cost, stages by shared memory.

module attributes {tile.target = "sm_80"} {
// 4 warps of 64x64; 32 KiB a stage, two blocks to an SM
// CHECK: tile.kernel @square{{.*}} plan {group_m = 8 : i64, stages = 2 : i64, warps = 4 : i64, warps_m = 2 : i64, warps_n = 2 : i64}
tile.kernel @square(%A: !tile.view<?x?xbf16>, %B: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [128, 128] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = tile.dim %A, 1 : !tile.view<?x?xbf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (!tile.tile<128x128xf32>) {
    %a = tile.load %A[%m, %k] : !tile.view<?x?xbf16> -> !tile.tile<128x64xbf16>
    %b = tile.load %B[%n, %k] : !tile.view<?x?xbf16> -> !tile.tile<128x64xbf16>
    %bt = tile.transpose %b : !tile.tile<128x64xbf16> -> !tile.tile<64x128xbf16>
    %next = tile.dot %a, %bt, %c : !tile.tile<128x64xbf16>, !tile.tile<64x128xbf16>, !tile.tile<128x128xf32>
    scf.yield %next : !tile.tile<128x128xf32>
  }
  tile.store %sum, %C[%m, %n] : !tile.tile<128x128xf32>, !tile.view<?x?xf32>
  tile.return
}

// 8 warps of 64x64, 2 by 4; 48 KiB a stage, all of shared memory
// CHECK: tile.kernel @wide{{.*}} plan {group_m = 8 : i64, stages = 3 : i64, warps = 8 : i64, warps_m = 2 : i64, warps_n = 4 : i64}
tile.kernel @wide(%A: !tile.view<?x?xbf16>, %B: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [128, 256] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = tile.dim %A, 1 : !tile.view<?x?xbf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x256xf32>
  %sum = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (!tile.tile<128x256xf32>) {
    %a = tile.load %A[%m, %k] : !tile.view<?x?xbf16> -> !tile.tile<128x64xbf16>
    %b = tile.load %B[%k, %n] : !tile.view<?x?xbf16> -> !tile.tile<64x256xbf16>
    %next = tile.dot %a, %b, %c : !tile.tile<128x64xbf16>, !tile.tile<64x256xbf16>, !tile.tile<128x256xf32>
    scf.yield %next : !tile.tile<128x256xf32>
  }
  tile.store %sum, %C[%m, %n] : !tile.tile<128x256xf32>, !tile.view<?x?xf32>
  tile.return
}

// 208 = 2 · 104 without padding, but 4 · 56 with it: the split of the columns goes by less padding. No loop, one stage.
// CHECK: tile.kernel @odd_columns{{.*}} plan {group_m = 8 : i64, stages = 1 : i64, warps = 8 : i64, warps_m = 4 : i64, warps_n = 2 : i64}
tile.kernel @odd_columns(%A: !tile.view<?x?xbf16>, %B: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [128, 208] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<128x208xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xbf16> -> !tile.tile<128x64xbf16>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xbf16> -> !tile.tile<64x208xbf16>
  %sum = tile.dot %a, %b, %zero : !tile.tile<128x64xbf16>, !tile.tile<64x208xbf16>, !tile.tile<128x208xf32>
  tile.store %sum, %C[%m, %n] : !tile.tile<128x208xf32>, !tile.view<?x?xf32>
  tile.return
}

// CHECK: tile.kernel @few_rows{{.*}} plan {group_m = 8 : i64, stages = 1 : i64, warps = 4 : i64, warps_m = 1 : i64, warps_n = 4 : i64}
tile.kernel @few_rows(%A: !tile.view<?x?xbf16>, %B: !tile.view<?x?xbf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [16, 128] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x128xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xbf16> -> !tile.tile<16x64xbf16>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xbf16> -> !tile.tile<64x128xbf16>
  %sum = tile.dot %a, %b, %zero : !tile.tile<16x64xbf16>, !tile.tile<64x128xbf16>, !tile.tile<16x128xf32>
  tile.store %sum, %C[%m, %n] : !tile.tile<16x128xf32>, !tile.view<?x?xf32>
  tile.return
}

// The second dot's left operand is the first one's result: whole rows stay in a warp. One coordinate, no groups.
// CHECK: tile.kernel @chained{{.*}} plan {group_m = 1 : i64, stages = 1 : i64, warps = 4 : i64, warps_m = 4 : i64, warps_n = 1 : i64}
tile.kernel @chained(%A: !tile.view<?x?xf16>, %C: !tile.view<?x?xf32>, %N: index) programs(%m) in (%N) by [64] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf16> -> !tile.tile<64x64xf16>
  %s = tile.dot %a, %a, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16>, !tile.tile<64x64xf32>
  %p = tile.cast %s : !tile.tile<64x64xf32> -> !tile.tile<64x64xf16>
  %o = tile.dot %p, %a, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16>, !tile.tile<64x64xf32>
  tile.store %o, %C[%m, %c0] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}

// 128x64 and 128x128 accumulators together: 8 warps of 16 rows
// CHECK: tile.kernel @chained_deep{{.*}} warps = 8 : i64, warps_m = 8 : i64, warps_n = 1 : i64}
tile.kernel @chained_deep(%A: !tile.view<?x?xf16>, %C: !tile.view<?x?xf32>, %N: index) programs(%m) in (%N) by [128] {
  %c0 = arith.constant 0 : index
  %z0 = arith.constant dense<0.0> : !tile.tile<128x64xf32>
  %z1 = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %q = tile.load %A[%m, %c0] : !tile.view<?x?xf16> -> !tile.tile<128x128xf16>
  %k = tile.load %A[%m, %c0] : !tile.view<?x?xf16> -> !tile.tile<128x64xf16>
  %v = tile.load %A[%m, %c0] : !tile.view<?x?xf16> -> !tile.tile<64x128xf16>
  %s = tile.dot %q, %k, %z0 : !tile.tile<128x128xf16>, !tile.tile<128x64xf16>, !tile.tile<128x64xf32>
  %p = tile.cast %s : !tile.tile<128x64xf32> -> !tile.tile<128x64xf16>
  %o = tile.dot %p, %v, %z1 : !tile.tile<128x64xf16>, !tile.tile<64x128xf16>, !tile.tile<128x128xf32>
  tile.store %o, %C[%m, %c0] : !tile.tile<128x128xf32>, !tile.view<?x?xf32>
  tile.return
}

// CHECK: tile.kernel @scheduled{{.*}} plan {group_m = 4 : i64, stages = 5 : i64, warps = 8 : i64, warps_m = 8 : i64, warps_n = 1 : i64}
tile.kernel @scheduled(%A: !tile.view<?x?xf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64]
    schedule {warps_m = 8, warps_n = 1, stages = 5, group_m = 4} {
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf16> -> !tile.tile<64x64xf16>
  %o = tile.dot %a, %a, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16>, !tile.tile<64x64xf32>
  tile.store %o, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}
// A value that is both multiplied and added counts as what is multiplied: its loads are worth stages.
// CHECK: tile.kernel @one_value{{.*}} plan {group_m = 8 : i64, stages = 4 : i64,
tile.kernel @one_value(%A: !tile.view<?x?xf32>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = tile.dim %A, 1 : !tile.view<?x?xf32>
  scf.for %k = %c0 to %K step %c64 {
    %a = tile.load %A[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<64x64xf32>
    %d = tile.dot %a, %a, %a : !tile.tile<64x64xf32>, !tile.tile<64x64xf32>, !tile.tile<64x64xf32>
    tile.store %d, %C[%m, %k] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  }
  tile.return
}
}

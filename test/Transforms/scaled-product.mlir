// A product with scales on its way through layouts, staging, slices and prefetching: the scales are copied with what they
// scale, in the same slot, are read once for all slices and cut in registers.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-plan,tile-assign-layouts,tile-stage,tile-pipeline,tile-slice-dots,tile-prefetch-operands))" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-opt %t.mlir | FileCheck %s

module attributes {tile.target = "sm_90a"} {
// CHECK-LABEL: tile.kernel @mx
// CHECK: scf.for
// CHECK: %[[SLOT:.*]]:4 = tile.channel_slot
// CHECK: tile.slice %[[SA:.*]] at [0, 0] : !tile.tile<64x4xf8E8M0FNU, {{.*}}> -> !tile.tile<64x1xf8E8M0FNU
// CHECK: tile.slice %[[SB:.*]] at [0, 0]
// CHECK: tile.shared_load %[[SLOT]]#0 at [0, 32]
// CHECK: tile.dot %{{.*}} scaled %{{.*}} by 32, %{{.*}} scaled %{{.*}} by 32, %{{.*}} : !tile.tile<64x32xf8E4M3FN, {{.*}}> scaled !tile.tile<64x1xf8E8M0FNU
// CHECK: tile.slice %[[SA]] at [0, 2]
// CHECK: tile.copy_async %SA[%m, %{{.*}}]
// CHECK: %[[NEXT:.*]]:4 = tile.channel_wait
// CHECK: tile.shared_load %[[NEXT]]#0 at [0, 0]
// CHECK: %[[NA:.*]] = tile.shared_load %[[NEXT]]#1 : {{.*}} -> !tile.tile<64x4xf8E8M0FNU
// CHECK: %[[NB:.*]] = tile.shared_load %[[NEXT]]#3 : {{.*}} -> !tile.tile<64x4xf8E8M0FNU
// CHECK: tile.dot
// CHECK: scf.yield {{.*}}%[[NA]], %[[NB]]
tile.kernel @mx(%A: !tile.view<?x?xf8E4M3FN, align 16>, %SA: !tile.view<?x?xf8E8M0FNU, align 16>, %B: !tile.view<?x?xf8E5M2, align 16>, %SB: !tile.view<?x?xf8E8M0FNU, align 16>, %C: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %step = arith.constant 128 : index
  %block = arith.constant 32 : index
  %K = tile.dim %A, 1 : !tile.view<?x?xf8E4M3FN, align 16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %c0 to %K step %step iter_args(%c = %zero) -> (!tile.tile<64x64xf32>) {
    %kb = arith.divui %k, %block : index
    %a = tile.load %A[%m, %k] : !tile.view<?x?xf8E4M3FN, align 16> -> !tile.tile<64x128xf8E4M3FN>
    %sa = tile.load %SA[%m, %kb] : !tile.view<?x?xf8E8M0FNU, align 16> -> !tile.tile<64x4xf8E8M0FNU>
    %b = tile.load %B[%n, %k] : !tile.view<?x?xf8E5M2, align 16> -> !tile.tile<64x128xf8E5M2>
    %sb = tile.load %SB[%n, %kb] : !tile.view<?x?xf8E8M0FNU, align 16> -> !tile.tile<64x4xf8E8M0FNU>
    %bt = tile.transpose %b : !tile.tile<64x128xf8E5M2> -> !tile.tile<128x64xf8E5M2>
    %d = tile.dot %a scaled %sa by 32, %bt scaled %sb by 32, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf8E5M2> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// A slice is at least a block.
// CHECK-LABEL: tile.kernel @groups
// CHECK: tile.dot %{{.*}}, %{{.*}} scaled %{{.*}} by 64, %{{.*}} : !tile.tile<64x64xbf16, {{.*}}>, !tile.tile<64x64xi8, {{.*}}> scaled !tile.tile<64x1xf32
// CHECK: tile.dot %{{.*}}, %{{.*}} scaled %{{.*}} by 64
// CHECK-NOT: tile.dot
tile.kernel @groups(%A: !tile.view<?x?xbf16, align 16>, %B: !tile.view<?x?xi8, align 16>, %SB: !tile.view<?x?xf32, align 16>, %C: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xbf16, align 16> -> !tile.tile<64x128xbf16>
  %b = tile.load %B[%n, %c0] : !tile.view<?x?xi8, align 16> -> !tile.tile<64x128xi8>
  %sb = tile.load %SB[%n, %c0] : !tile.view<?x?xf32, align 16> -> !tile.tile<64x2xf32>
  %bt = tile.transpose %b : !tile.tile<64x128xi8> -> !tile.tile<128x64xi8>
  %d = tile.dot %a, %bt scaled %sb by 64, %zero : !tile.tile<64x128xbf16>, !tile.tile<128x64xi8> scaled !tile.tile<64x2xf32>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// Each matrix of a batch has the layout that it would have alone; the batch lies in registers.
// CHECK-LABEL: tile.kernel @batch
// CHECK: tile.dot %{{.*}} : !tile.tile<2x32x16xbf16, {{.*}}>, !tile.tile<2x16x32xbf16, {{.*}}>, !tile.tile<2x32x32xf32
tile.kernel @batch(%A: !tile.view<?x?x?xbf16, align 16>, %B: !tile.view<?x?x?xbf16, align 16>, %C: !tile.view<?x?x?xf32, align 16>) programs(%g, %m, %n) over %C by [2, 32, 32] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<2x32x32xf32>
  %a = tile.load %A[%g, %m, %c0] : !tile.view<?x?x?xbf16, align 16> -> !tile.tile<2x32x32xbf16>
  %b = tile.load %B[%g, %c0, %n] : !tile.view<?x?x?xbf16, align 16> -> !tile.tile<2x32x32xbf16>
  %d = tile.dot %a, %b, %zero : !tile.tile<2x32x32xbf16>, !tile.tile<2x32x32xbf16>, !tile.tile<2x32x32xf32>
  tile.store %d, %C[%g, %m, %n] : !tile.tile<2x32x32xf32>, !tile.view<?x?x?xf32, align 16>
  tile.return
}
}

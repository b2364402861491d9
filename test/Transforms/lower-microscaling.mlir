// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,canonicalize,cse))' | FileCheck %s
// What is left parses, verifies, and has nothing left to lower.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling))' | tile-opt --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,canonicalize,cse))' | FileCheck %s

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!XV = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
!WV = !tile.mx_view<?x?xf8E4M3FN, block 32 along 0, scale f8E8M0FNU, scales row_major>
!X = !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
!W = !tile.mx<128x64xf8E4M3FN, block 32 along 0, scale f8E8M0FNU>
!C = !tile.tile<64x64xf32>
!F = !tile.view<?x?xf4E2M1FN>
!T = !tile.view<?x?xf8E4M3FN>
!N = !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>
!M = !tile.mx<128x64xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale>
!NV = !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale, scales row_major>
!MV = !tile.mx_view<?x?xf4E2M1FN, block 16 along 0, scale f8E4M3FN, tensor_scale, scales row_major>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0], [16, 0], [32, 0]], lanes = [[0, 16], [0, 32], [0, 64], [1, 0], [2, 0]], warps = [[4, 0]]>

module attributes {tile.target = "sm_90a"} {

// A transposed view is read as it lies and turned; scales of both sides are at rows and blocks.
// CHECK-LABEL: tile.kernel @product_of_microscaled_tiles
tile.kernel @product_of_microscaled_tiles(%A: !E, %SA: !S, %B: !E, %SB: !S, %D: !tile.view<?x?xf32>) programs(%m, %n) over %D by [64, 64] {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %K = tile.dim %A, 1 : !E
  %XA = tile.mx_view %A, %SA : !E, !S -> !XV
  %XB = tile.mx_view %B transposed, %SB : !E, !S -> !WV
  %zero = arith.constant dense<0.0> : !C
  // CHECK: scf.for %[[K:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (!tile.tile<64x64xf32>)
  %r = scf.for %k = %c0 to %K step %c128 iter_args(%acc = %zero) -> (!C) {
    // CHECK: %[[A:.*]] = tile.load %A[%m, %[[K]]] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x128xf8E4M3FN>
    // CHECK: %[[BLOCK:.*]] = arith.shrsi %[[K]], %c5 : index
    // CHECK: %[[SA:.*]] = tile.load %SA[%m, %[[BLOCK]]] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<64x4xf8E8M0FNU>
    %a = tile.mx_load %XA[%m, %k] : !XV -> !X
    // CHECK: %[[B:.*]] = tile.load %B[%n, %[[K]]] : !tile.view<?x?xf8E4M3FN> -> !tile.tile<64x128xf8E4M3FN>
    // CHECK: %[[BT:.*]] = tile.transpose %[[B]]
    // CHECK: %[[SB:.*]] = tile.load %SB[%n, %[[BLOCK]]] : !tile.view<?x?xf8E8M0FNU> -> !tile.tile<64x4xf8E8M0FNU>
    %b = tile.mx_load %XB[%k, %n] : !WV -> !W
    // CHECK: tile.dot %[[A]] scaled %[[SA]] by 32, %[[BT]] scaled %[[SB]] by 32, %[[ACC]] : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
    %d = tile.dot %a, %b, %acc : !X, !W, !C
    scf.yield %d : !C
  }
  tile.store %r, %D[%m, %n] : !C, !tile.view<?x?xf32>
  tile.return
}

// One side without scales.
// CHECK-LABEL: tile.kernel @product_with_bf16
tile.kernel @product_with_bf16(%A: !tile.view<?x?xbf16>, %B: !E, %SB: !S, %D: !tile.view<?x?xf32>) programs(%m, %n) over %D by [64, 64] {
  %c0 = arith.constant 0 : index
  %XB = tile.mx_view %B transposed, %SB : !E, !S -> !WV
  %zero = arith.constant dense<0.0> : !C
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xbf16> -> !tile.tile<64x128xbf16>
  %b = tile.mx_load %XB[%c0, %n] : !WV -> !W
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}} scaled %{{[^ ]*}} by 32, %{{.*}} : !tile.tile<64x128xbf16>, !tile.tile<128x64xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
  %d = tile.dot %a, %b, %zero : !tile.tile<64x128xbf16>, !W, !C
  tile.store %d, %D[%m, %n] : !C, !tile.view<?x?xf32>
  tile.return
}

// Tensor scales multiply the product's own sum.
// CHECK-LABEL: tile.kernel @tensor_scales
tile.kernel @tensor_scales(%A: !F, %SA: !T, %t: f32, %B: !F, %SB: !T, %u: f32, %D: !tile.view<?x?xf32>) programs(%m, %n) over %D by [64, 64] {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : !tile.tile<64x64xf32>
  %c0 = arith.constant 0 : index
  %XA = tile.mx_view %A, %SA tensor %t : !F, !T -> !NV
  %XB = tile.mx_view %B transposed, %SB tensor %u : !F, !T -> !MV
  // CHECK: %[[ACC:.*]] = tile.load %D
  %acc = tile.load %D[%m, %n] : !tile.view<?x?xf32> -> !C
  %a = tile.mx_load %XA[%m, %c0] : !NV -> !N
  %b = tile.mx_load %XB[%c0, %n] : !MV -> !M
  // CHECK: %[[TU:.*]] = arith.mulf %t, %u : f32
  // CHECK: %[[SUM:.*]] = tile.dot %{{[^ ]*}} scaled %{{[^ ]*}} by 16, %{{[^ ]*}} scaled %{{[^ ]*}} by 16, %[[ZERO]] : !tile.tile<64x128xf4E2M1FN>
  // CHECK: %[[SCALE:.*]] = tile.splat %[[TU]] : !tile.tile<64x64xf32>
  // CHECK: math.fma %[[SUM]], %[[SCALE]], %[[ACC]]
  %d = tile.dot %a, %b, %acc : !N, !M, !C
  tile.store %d, %D[%m, %n] : !C, !tile.view<?x?xf32>
  tile.return
}

// Batches: blocks along the middle axis, scales [batch, columns, blocks].
// CHECK-LABEL: tile.kernel @batch_of_integers
tile.kernel @batch_of_integers(%A: !tile.view<?x?x?xf16>, %B: !tile.view<?x?x?xi4>, %S: !tile.view<?x?x?xf16>, %D: !tile.view<?x?x?xf32>) programs(%g, %m, %n) over %D by [2, 16, 8] {
  %c0 = arith.constant 0 : index
  %X = tile.mx_view %B, %S : !tile.view<?x?x?xi4>, !tile.view<?x?x?xf16> -> !tile.mx_view<?x?x?xi4, block 64 along 1, scale f16, scales row_major>
  %a = tile.load %A[%g, %m, %c0] : !tile.view<?x?x?xf16> -> !tile.tile<2x16x128xf16>
  // CHECK: %[[B:.*]] = tile.load %B[%g, %c0, %n] : !tile.view<?x?x?xi4> -> !tile.tile<2x128x8xi4>
  // CHECK: %[[S:.*]] = tile.load %S[%g, %n, %c0] : !tile.view<?x?x?xf16> -> !tile.tile<2x8x2xf16>
  %b = tile.mx_load %X[%g, %c0, %n] : !tile.mx_view<?x?x?xi4, block 64 along 1, scale f16, scales row_major> -> !tile.mx<2x128x8xi4, block 64 along 1, scale f16>
  %zero = arith.constant dense<0.0> : !tile.tile<2x16x8xf32>
  // CHECK: tile.dot %{{[^ ]*}}, %[[B]] scaled %[[S]] by 64, %{{.*}} : !tile.tile<2x16x128xf16>, !tile.tile<2x128x8xi4> scaled !tile.tile<2x8x2xf16>, !tile.tile<2x16x8xf32>
  %d = tile.dot %a, %b, %zero : !tile.tile<2x16x128xf16>, !tile.mx<2x128x8xi4, block 64 along 1, scale f16>, !tile.tile<2x16x8xf32>
  tile.store %d, %D[%g, %m, %n] : !tile.tile<2x16x8xf32>, !tile.view<?x?x?xf32>
  tile.return
}

// Stores: elements turned back, and the scales; the parts of a value that is taken apart and joined again are the same.
// CHECK-LABEL: tile.kernel @stored_transposed
tile.kernel @stored_transposed(%B: !E, %SB: !S) programs(%n, %k) over %B by [64, 128] {
  %X = tile.mx_view %B transposed, %SB : !E, !S -> !WV
  // CHECK: %[[E:.*]] = tile.load %B[%n, %k]
  // CHECK: %[[BLOCK:.*]] = arith.shrsi %k, %c5 : index
  // CHECK: %[[S:.*]] = tile.load %SB[%n, %[[BLOCK]]]
  %x = tile.mx_load %X[%k, %n] : !WV -> !W
  %e, %s = tile.mx_unpack %x : !W -> !tile.tile<128x64xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU>
  %y = tile.mx_pack %e, %s : !tile.tile<128x64xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !W
  // CHECK: tile.store %[[E]], %B[%n, %k] : !tile.tile<64x128xf8E4M3FN>
  // CHECK: tile.store %[[S]], %SB[%n, %[[BLOCK]]]
  tile.mx_store %y, %X[%k, %n] : !W, !WV
  tile.return
}

// Tiles with layouts become open ones where they join a microscaled value, and back.
// CHECK-LABEL: tile.kernel @parts_with_layouts
tile.kernel @parts_with_layouts(%A: !E, %SA: !S) programs(%m, %k) over %A by [64, 128] {
  %X = tile.mx_view %A, %SA : !E, !S -> !XV
  %s = tile.load_scales %X[%m, %k] : !XV -> !tile.tile<64x4xf8E8M0FNU>
  %e = tile.load %A[%m, %k] : !E -> !tile.tile<64x128xf8E4M3FN, #rows>
  // CHECK: %[[OPEN:.*]] = tile.relayout %{{.*}} : !tile.tile<64x128xf8E4M3FN, #{{[a-z]+}}> -> !tile.tile<64x128xf8E4M3FN>
  %x = tile.mx_pack %e, %s : !tile.tile<64x128xf8E4M3FN, #rows>, !tile.tile<64x4xf8E8M0FNU> -> !X
  // CHECK: tile.store %[[OPEN]], %A
  tile.mx_store %x, %X[%m, %k] : !X, !XV
  // CHECK: %[[LAID:.*]] = tile.relayout %[[OPEN]] : !tile.tile<64x128xf8E4M3FN> -> !tile.tile<64x128xf8E4M3FN, #{{[a-z]+}}>
  %f, %t = tile.mx_unpack %x : !X -> !tile.tile<64x128xf8E4M3FN, #rows>, !tile.tile<64x4xf8E8M0FNU>
  // CHECK: tile.store %[[LAID]], %A
  tile.store %f, %A[%m, %k] : !tile.tile<64x128xf8E4M3FN, #rows>, !E
  tile.return
}
}

// The passes after layout assignment, in the order of a compilation: a product with one barrier per iteration.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-stage,tile-pipeline,tile-slice-dots,tile-prefetch-operands,canonicalize,tile-lower-relayouts,tile-allocate-shared,tile-insert-barriers))" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-opt %t.mlir | FileCheck %s

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 32]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#rowsA = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [32, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0], [16, 0]]>
#rowsB = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [32, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0], [16, 0]]>
#colsB = #tile.layout<registers = [[1, 0], [2, 0], [4, 0], [0, 32]], lanes = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 8], [0, 16]]>
#rowsC = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lanes = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = [[4, 0], [8, 0]]>
!view = !tile.view<?x?xbf16, align 16>
!a = !tile.tile<64x32xbf16, #rowsA>
!b = !tile.tile<64x32xbf16, #rowsB>
!bt = !tile.tile<32x64xbf16, #colsB>
!lhs = !tile.tile<64x32xbf16, #lhs>
!rhs = !tile.tile<32x64xbf16, #rhs>
!acc = !tile.tile<64x64xf32, #acc>
!out = !tile.tile<64x64xbf16, #acc>
!rows = !tile.tile<64x64xbf16, #rowsC>

module attributes {tile.target = "sm_80"} {
// Three slots of two 64 x 32 tiles of bf16.
// CHECK: tile.kernel @gemm
// CHECK-SAME: shared_bytes = 24576 : i64
// CHECK: tile.channel_create {offset = 0 : i64} : !tile.channel<3 x
// CHECK: tile.channel_acquire
// CHECK: tile.channel_wait {{.*}} pending 1
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load {{.*}} at [0, 0]
// CHECK-NEXT: tile.shared_load {{.*}} at [0, 0]
// CHECK-NEXT: tile.transpose
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.channel_slot
// CHECK: tile.shared_load {{.*}} at [0, 16]
// CHECK-NEXT: tile.shared_load {{.*}} at [0, 16]
// CHECK-NEXT: tile.transpose
// CHECK-NEXT: tile.dot
// CHECK-NEXT: tile.channel_acquire
// CHECK-NEXT: tile.copy_async %A
// CHECK-NEXT: tile.copy_async %B
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_release
// CHECK-NOT: tile.barrier
// CHECK: tile.channel_wait {{.*}} pending 1
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load {{.*}} at [0, 0]
// CHECK-NEXT: tile.shared_load {{.*}} at [0, 0]
// CHECK-NEXT: tile.transpose
// CHECK-NEXT: tile.dot
// CHECK-NOT: tile.barrier
// CHECK: scf.yield
// CHECK: tile.channel_release
// The ring is done: the result goes out through its bytes.
// CHECK: tile.cast
// CHECK-NEXT: tile.shared_alloc {offset = 0 : i64}
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
tile.kernel @gemm(%A: !view, %B: !view, %C: !view) programs(%m, %n) over %C by [64, 64] plan {stages = 3 : i64} {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 32 : index
  %K = tile.dim %A, 1 : !view
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %K step %bk iter_args(%c = %zero) -> (!acc) {
    %a = tile.load %A[%m, %k] : !view -> !a
    %b = tile.load %B[%n, %k] : !view -> !b
    %bt = tile.transpose %b : !b -> !bt
    %x = tile.relayout %a : !a -> !lhs
    %y = tile.relayout %bt : !bt -> !rhs
    %next = tile.dot %x, %y, %c : !lhs, !rhs, !acc
    scf.yield %next : !acc
  }
  %o = tile.cast %sum : !acc -> !out
  %r = tile.relayout %o : !out -> !rows
  tile.store %r, %C[%m, %n] : !rows, !view
  tile.return
}
}

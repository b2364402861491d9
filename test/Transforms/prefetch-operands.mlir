// RUN: tile-opt %s --tile-prefetch-operands -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// Barriers: one before the loop, one in it, and none that the release after the loop does not need.
// RUN: tile-opt %t.mlir --pass-pipeline="builtin.module(tile.kernel(tile-allocate-shared,tile-insert-barriers))" | FileCheck %s --check-prefix=BARRIER

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 32]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#rhsT = #tile.layout<registers = [[0, 1], [0, 8], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 64>
!view = !tile.view<?x?xbf16, align 16>
!buffer = !tile.shared<64x32xbf16, #s>
!ring = !tile.channel<3 x (!buffer, !buffer)>
!lhs = !tile.tile<64x16xbf16, #lhs>
!rhsT = !tile.tile<64x16xbf16, #rhsT>
!rhs = !tile.tile<16x64xbf16, #rhs>
!acc = !tile.tile<64x64xf32, #acc>

module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @rotated
// BARRIER-LABEL: tile.kernel @rotated
// CHECK: %[[RING:.*]] = tile.channel_create
// CHECK: %[[W0:.*]]:2 = tile.channel_wait %[[RING]][%[[ZERO:c0.*]]] pending 1
// CHECK-NEXT: %[[X0:.*]] = tile.shared_load %[[W0]]#0 at [0, 0]
// CHECK-NEXT: %[[T0:.*]] = tile.shared_load %[[W0]]#1 at [0, 0]
// CHECK-NEXT: %[[Y0:.*]] = tile.transpose %[[T0]]
// CHECK-NEXT: %[[SUM:.*]]:5 = scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}, %[[READ:.*]] = %[[ZERO]], %[[WRITE:.*]] = %{{.*}}, %[[X:.*]] = %[[X0]], %[[Y:.*]] = %[[Y0]])
// CHECK-NEXT: %[[H:.*]]:2 = tile.channel_slot %[[RING]][%[[READ]]]
// CHECK-NEXT: tile.shared_load %[[H]]#0 at [0, 16]
// CHECK-NEXT: tile.shared_load %[[H]]#1 at [0, 16]
// CHECK-NEXT: tile.transpose
// CHECK-NEXT: %[[D0:.*]] = tile.dot %[[X]], %[[Y]], %[[C]]
// CHECK-NEXT: tile.channel_acquire %[[RING]][%[[WRITE]]]
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit %[[RING]][%[[WRITE]]]
// CHECK-NEXT: tile.channel_release %[[RING]][%[[READ]]]
// CHECK-NEXT: arith.addi %[[READ]]
// CHECK-NEXT: arith.cmpi eq
// CHECK-NEXT: %[[NEXT:.*]] = arith.select
// CHECK-NEXT: %[[W1:.*]]:2 = tile.channel_wait %[[RING]][%[[NEXT]]] pending 1
// CHECK-NEXT: %[[X1:.*]] = tile.shared_load %[[W1]]#0 at [0, 0]
// CHECK-NEXT: %[[T1:.*]] = tile.shared_load %[[W1]]#1 at [0, 0]
// CHECK-NEXT: %[[Y1:.*]] = tile.transpose %[[T1]]
// CHECK-NEXT: %[[D1:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[D0]]
// CHECK: scf.yield %[[D1]], %[[NEXT]], %{{.*}}, %[[X1]], %[[Y1]]
// CHECK: }
// CHECK-NEXT: tile.channel_release %[[RING]][%[[SUM]]#1]
// BARRIER-NOT: tile.barrier
// BARRIER: tile.channel_wait
// BARRIER-NEXT: tile.barrier
// BARRIER-NEXT: tile.shared_load
// BARRIER: scf.for
// BARRIER-NOT: tile.barrier
// BARRIER: tile.channel_wait
// BARRIER-NEXT: tile.barrier
// BARRIER-NEXT: tile.shared_load
// BARRIER-NOT: tile.barrier
// BARRIER: tile.return
tile.kernel @rotated(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

// A ring that is filled again later: the release after the loop has the next acquire meet at a barrier.
// CHECK-LABEL: tile.kernel @filled_again
// BARRIER-LABEL: tile.kernel @filled_again
// BARRIER: scf.for
// BARRIER: tile.channel_wait
// BARRIER-NEXT: tile.barrier
// BARRIER: tile.channel_release
// BARRIER-NEXT: tile.barrier
// BARRIER-NEXT: tile.channel_acquire
tile.kernel @filled_again(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  %again:2 = tile.channel_acquire %ring[%c0] : !ring -> !buffer, !buffer
  tile.return
}

// A second read of the slot, by a later product: the wait comes after it.
// CHECK-LABEL: tile.kernel @one_operand
// CHECK: tile.channel_wait
// CHECK-NEXT: %[[P:.*]] = tile.shared_load {{.*}} at [0, 0]
// CHECK-NEXT: scf.for {{.*}} %{{.*}} = %[[P]])
// CHECK: tile.channel_release
// CHECK: tile.channel_wait
// CHECK-NEXT: %[[Q:.*]] = tile.shared_load {{.*}} at [0, 0]
// CHECK-NEXT: tile.dot
// CHECK: scf.yield {{.*}}, %[[Q]]
tile.kernel @one_operand(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %y0 = arith.constant dense<1.0> : !rhs
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}
}

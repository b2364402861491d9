// RUN: tile-opt %s --tile-slice-dots | FileCheck %s

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 32]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#rhsT = #tile.layout<registers = [[0, 1], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
!view = !tile.view<?x?xbf16, align 16>
!bytes = !tile.view<?x?xbf16>
!buffer = !tile.shared<64x64xbf16, #s>
!ring = !tile.channel<3 x (!buffer, !buffer)>
!lhs = !tile.tile<64x64xbf16, #lhs>
!rhsT = !tile.tile<64x64xbf16, #rhsT>
!rhs = !tile.tile<64x64xbf16, #rhs>
!acc = !tile.tile<64x64xf32, #acc>

module attributes {tile.target = "sm_80"} {
// Copies of the next stage go behind the slices, one each; the release behind the last loads.
// CHECK-LABEL: tile.kernel @pipelined
// CHECK: scf.for
// CHECK-NEXT: %[[W:.*]]:2 = tile.channel_wait
// CHECK-NEXT: %[[A0:.*]] = tile.shared_load %[[W]]#0 at [0, 0] : {{.*}} -> !tile.tile<64x16xbf16
// CHECK-NEXT: %[[T0:.*]] = tile.shared_load %[[W]]#1 at [0, 0] : {{.*}} -> !tile.tile<64x16xbf16
// CHECK-NEXT: %[[B0:.*]] = tile.transpose %[[T0]]
// CHECK-NEXT: %[[A1:.*]] = tile.shared_load %[[W]]#0 at [0, 16]
// CHECK-NEXT: %[[T1:.*]] = tile.shared_load %[[W]]#1 at [0, 16]
// CHECK-NEXT: %[[B1:.*]] = tile.transpose %[[T1]]
// CHECK-NEXT: %[[D0:.*]] = tile.dot %[[A0]], %[[B0]], %{{.*}}
// CHECK-NEXT: %[[F:.*]]:2 = tile.channel_acquire %{{.*}}[%[[WRITE:.*]]] :
// CHECK-NEXT: tile.copy_async %A[%m, %{{.*}}] to %[[F]]#0
// CHECK-NEXT: %[[A2:.*]] = tile.shared_load %[[W]]#0 at [0, 32]
// CHECK-NEXT: tile.shared_load %[[W]]#1 at [0, 32]
// CHECK-NEXT: %[[B2:.*]] = tile.transpose
// CHECK-NEXT: %[[D1:.*]] = tile.dot %[[A1]], %[[B1]], %[[D0]]
// CHECK-NEXT: tile.copy_async %B[%n, %{{.*}}] to %[[F]]#1
// CHECK-NEXT: tile.channel_commit %{{.*}}[%[[WRITE]]]
// CHECK-NEXT: %[[A3:.*]] = tile.shared_load %[[W]]#0 at [0, 48]
// CHECK-NEXT: tile.shared_load %[[W]]#1 at [0, 48]
// CHECK-NEXT: %[[B3:.*]] = tile.transpose
// CHECK-NEXT: %[[D2:.*]] = tile.dot %[[A2]], %[[B2]], %[[D1]]
// CHECK-NEXT: tile.channel_release
// CHECK-NEXT: %[[D3:.*]] = tile.dot %[[A3]], %[[B3]], %[[D2]]
// CHECK-NEXT: scf.yield %[[D3]]
tile.kernel @pipelined(%A: !view, %B: !view, %C: !view, %K: index, %read: index, %write: index)
    programs(%m, %n) over %C by [64, 64] {
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %read to %K step %write iter_args(%c = %zero) -> (!acc) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.copy_async %B[%n, %k] to %w#1 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    %x = tile.shared_load %r#0 : !buffer -> !lhs
    %t = tile.shared_load %r#1 : !buffer -> !rhsT
    %y = tile.transpose %t : !rhsT -> !rhs
    tile.channel_release %ring[%read] : !ring
    %d = tile.dot %x, %y, %c : !lhs, !rhs, !acc
    scf.yield %d : !acc
  }
  tile.return
}

// A tile in registers is cut there; loads come down to their product.
// CHECK-LABEL: tile.kernel @one_operand_in_registers
// CHECK: math.exp
// CHECK-NEXT: tile.slice %{{.*}} at [0, 0]
// CHECK-NEXT: tile.shared_load %{{.*}} at [0, 0]
// CHECK-NEXT: tile.transpose
// CHECK-NEXT: tile.slice %{{.*}} at [0, 16]
// CHECK-NEXT: tile.shared_load %{{.*}} at [0, 16]
// CHECK-COUNT-4: tile.dot
// CHECK-NOT: tile.dot
tile.kernel @one_operand_in_registers(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %one = arith.constant dense<1.0> : !lhs
  %t = tile.shared_load %s : !buffer -> !rhsT
  %y = tile.transpose %t : !rhsT -> !rhs
  %x = math.exp %one : !lhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// An offset of the load stays.
// CHECK-LABEL: tile.kernel @part_of_a_buffer
// CHECK: tile.shared_load %{{.*}} at [64, 0] : {{.*}} -> !tile.tile<64x16xbf16
// CHECK: tile.shared_load %{{.*}} at [64, 16]
tile.kernel @part_of_a_buffer(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !tile.shared<128x64xbf16, #s>
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.shared_load %s at [64, 0] : !tile.shared<128x64xbf16, #s> -> !lhs
  %t = tile.shared_load %s : !tile.shared<128x64xbf16, #s> -> !rhsT
  %y = tile.transpose %t : !rhsT -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// The fill waits for what the product reads: copies stay before the wait.
// CHECK-LABEL: tile.kernel @negative_copies_before_the_wait
// CHECK: tile.copy_async
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.shared_load
tile.kernel @negative_copies_before_the_wait(%A: !view, %C: !view, %slot: index) programs(%m, %n) over %C by [64, 64] {
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %w:2 = tile.channel_acquire %ring[%slot] : !ring -> !buffer, !buffer
  tile.copy_async %A[%m, %n] to %w#0 : !view, !buffer
  tile.copy_async %A[%n, %m] to %w#1 : !view, !buffer
  tile.channel_commit %ring[%slot] : !ring
  %r:2 = tile.channel_wait %ring[%slot] pending 0 : !ring -> !buffer, !buffer
  %x = tile.shared_load %r#0 : !buffer -> !lhs
  %t = tile.shared_load %r#1 : !buffer -> !rhsT
  %y = tile.transpose %t : !rhsT -> !rhs
  tile.channel_release %ring[%slot] : !ring
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// Copies to a buffer that is not of the slot stay.
// CHECK-LABEL: tile.kernel @negative_copies_elsewhere
// CHECK: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.shared_load
tile.kernel @negative_copies_elsewhere(%A: !view, %C: !view, %read: index, %write: index) programs(%m, %n) over %C by [64, 64] {
  %ring = tile.channel_create : !ring
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %r:2 = tile.channel_wait %ring[%read] pending 0 : !ring -> !buffer, !buffer
  %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
  tile.copy_async %A[%m, %n] to %s : !view, !buffer
  tile.channel_commit %ring[%write] : !ring
  %x = tile.shared_load %r#0 : !buffer -> !lhs
  %t = tile.shared_load %r#1 : !buffer -> !rhsT
  %y = tile.transpose %t : !rhsT -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// Copies that are ordinary loads need registers: they stay before the product.
// CHECK-LABEL: tile.kernel @negative_ordinary_copies
// CHECK: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.shared_load
tile.kernel @negative_ordinary_copies(%A: !bytes, %C: !view, %read: index, %write: index)
    programs(%m, %n) over %C by [64, 64] {
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %r:2 = tile.channel_wait %ring[%read] pending 0 : !ring -> !buffer, !buffer
  %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
  tile.copy_async %A[%m, %n] to %w#0 : !bytes, !buffer
  tile.channel_commit %ring[%write] : !ring
  %x = tile.shared_load %r#0 : !buffer -> !lhs
  %t = tile.shared_load %r#1 : !buffer -> !rhsT
  %y = tile.transpose %t : !rhsT -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}
}

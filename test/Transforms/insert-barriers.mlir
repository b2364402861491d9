// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s
// A second run finds nothing.
// RUN: tile-opt %s --tile-insert-barriers | tile-opt --tile-insert-barriers | FileCheck %s

#rows = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warps = [[4, 0]]>
#wide = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warps = [[0, 16]]>
#wide_sum = #tile.layout<registers = [[16]], lanes = [[0], [1], [2], [4], [8]], warps = [[0]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// 1024 bytes each.
!buffer = !tile.shared<8x32xf32, #s>
!t = !tile.tile<8x32xf32, #rows>
!ring = !tile.channel<3 x (!buffer)>
!slot = !tile.channel<1 x (!buffer)>
!pair = !tile.channel<1 x (!buffer, !buffer)>
!view = !tile.view<?x?xf32>

// CHECK-LABEL: tile.kernel @read_after_write
// CHECK: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NOT: tile.barrier
tile.kernel @read_after_write(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  %y = tile.shared_load %a : !buffer -> !t
  // Reading twice is no hazard.
  %z = tile.shared_load %a : !buffer -> !t
  tile.return
}

// CHECK-LABEL: tile.kernel @write_after_read
// CHECK: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
tile.kernel @write_after_read(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %b = tile.shared_alloc {offset = 0 : i64} : !buffer
  %y = tile.shared_load %a : !buffer -> !t
  tile.shared_store %x, %b : !t, !buffer
  tile.return
}

// CHECK-LABEL: tile.kernel @write_after_write
// CHECK: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
tile.kernel @write_after_write(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  tile.shared_store %x, %a : !t, !buffer
  tile.return
}

// Half of the bytes in common.
// CHECK-LABEL: tile.kernel @overlapping_bytes
// CHECK: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @overlapping_bytes(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %b = tile.shared_alloc {offset = 512 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  %y = tile.shared_load %b : !buffer -> !t
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_other_bytes
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @negative_other_bytes(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %b = tile.shared_alloc {offset = 1024 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  %y = tile.shared_load %b : !buffer -> !t
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_no_shared_memory
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @negative_no_shared_memory(%A: !view) programs(%m, %n) over %A by [8, 32] {
  %t = tile.load %A[%m, %n] : !view -> !t
  tile.store %t, %A[%m, %n] : !t, !view
  tile.return
}

// One barrier serves both buffers, and one that is there already serves as well.
// CHECK-LABEL: tile.kernel @one_barrier_for_two_buffers
// CHECK: tile.shared_store
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.return
tile.kernel @one_barrier_for_two_buffers(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %b = tile.shared_alloc {offset = 1024 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  tile.shared_store %x, %b : !t, !buffer
  %y = tile.shared_load %a : !buffer -> !t
  %z = tile.shared_load %b : !buffer -> !t
  tile.barrier
  tile.shared_store %x, %a : !t, !buffer
  tile.return
}

// The load meets the store of its own iteration, the store the load of the iteration before.
// CHECK-LABEL: tile.kernel @back_edge
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.kernel @back_edge(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  scf.for %k = %i to %n step %step {
    tile.shared_store %x, %a : !t, !buffer
    %y = tile.shared_load %a : !buffer -> !t
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @before_and_after_a_loop
// CHECK: tile.shared_store
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
tile.kernel @before_and_after_a_loop(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  scf.for %k = %i to %n step %step {
    %y = tile.shared_load %a : !buffer -> !t
  }
  tile.shared_store %x, %a : !t, !buffer
  tile.return
}

// A loop may not run: what was written before it is still unseen after it.
// CHECK-LABEL: tile.kernel @loop_that_may_not_run
// CHECK: tile.shared_store
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @loop_that_may_not_run(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  scf.for %k = %i to %n step %step {
    tile.barrier
  }
  %y = tile.shared_load %a : !buffer -> !t
  tile.return
}

// Only one branch writes; the other has nothing to wait for, but both come together before the load.
// CHECK-LABEL: tile.kernel @branches_are_united
// CHECK: scf.if
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @branches_are_united(%n: index, %p: i1) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  scf.if %p {
    tile.shared_store %x, %a : !t, !buffer
  }
  %y = tile.shared_load %a : !buffer -> !t
  tile.return
}

// A barrier in one branch does not help the other way.
// CHECK-LABEL: tile.kernel @barrier_in_one_branch
// CHECK: tile.shared_store
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @barrier_in_one_branch(%n: index, %p: i1) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  scf.if %p {
    %y = tile.shared_load %a : !buffer -> !t
  }
  %z = tile.shared_load %a : !buffer -> !t
  tile.return
}

// CHECK-LABEL: tile.kernel @barriers_in_both_branches
// CHECK: scf.if
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: } else {
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: }
// CHECK-NEXT: tile.shared_load
tile.kernel @barriers_in_both_branches(%n: index, %p: i1) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  scf.if %p {
    %y = tile.shared_load %a : !buffer -> !t
  } else {
    %y = tile.shared_load %a : !buffer -> !t
  }
  %z = tile.shared_load %a : !buffer -> !t
  tile.return
}

// The test of a while loop runs after its body, and before what follows.
// CHECK-LABEL: tile.kernel @while_loop
// CHECK: scf.while
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK: } do {
// CHECK: arith.addi
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
tile.kernel @while_loop(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %end = scf.while (%k = %i) : (index) -> index {
    %more = arith.cmpi slt, %k, %n : index
    %y = tile.shared_load %a : !buffer -> !t
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %next = arith.addi %k, %step : index
    tile.shared_store %x, %a : !t, !buffer
    scf.yield %next : index
  }
  tile.shared_store %x, %a : !t, !buffer
  tile.return
}

// The pipelined loop: one barrier, which serves the slot that is read and the slot that is filled.
// CHECK-LABEL: tile.kernel @ring
// CHECK: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.channel_release
// CHECK-NEXT: scf.yield
// CHECK: tile.return
tile.kernel @ring(%A: !view, %n: index, %step: index, %s0: index, %s1: index, %s2: index)
    programs(%i) in (%n) by [1] {
  %c = tile.channel_create {offset = 0 : i64} : !ring
  %w0 = tile.channel_acquire %c[%s0] : !ring -> !buffer
  tile.copy_async %A[%i, %i] to %w0 : !view, !buffer
  tile.channel_commit %c[%s0] : !ring
  %w1 = tile.channel_acquire %c[%s1] : !ring -> !buffer
  tile.copy_async %A[%i, %i] to %w1 : !view, !buffer
  tile.channel_commit %c[%s1] : !ring
  %end:2 = scf.for %k = %i to %n step %step iter_args(%read = %s0, %write = %s2) -> (index, index) {
    %r = tile.channel_wait %c[%read] pending 1 : !ring -> !buffer
    %w = tile.channel_acquire %c[%write] : !ring -> !buffer
    tile.copy_async %A[%i, %k] to %w : !view, !buffer
    tile.channel_commit %c[%write] : !ring
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%read] : !ring
    scf.yield %write, %read : index, index
  }
  tile.return
}

// One slot: one barrier between copy and read, one between read and the next copy.
// CHECK-LABEL: tile.kernel @one_slot
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.channel_release
// CHECK-NEXT: }
tile.kernel @one_slot(%A: !view, %n: index, %step: index, %s0: index) programs(%i) in (%n) by [1] {
  %c = tile.channel_create {offset = 0 : i64} : !slot
  scf.for %k = %i to %n step %step {
    %w = tile.channel_acquire %c[%s0] : !slot -> !buffer
    tile.copy_async %A[%i, %k] to %w : !view, !buffer
    tile.channel_commit %c[%s0] : !slot
    %r = tile.channel_wait %c[%s0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%s0] : !slot
  }
  tile.return
}

// Around a persistent loop: the first fill of a program meets the last read of the program before.
// CHECK-LABEL: tile.kernel @persistent
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.channel_acquire
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.channel_release
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @persistent(%A: !view, %n: index, %step: index, %s0: index, %s1: index) programs(%i) in (%n) by [1] {
  %c = tile.channel_create {offset = 0 : i64} : !ring
  scf.for %p = %i to %n step %step {
    %w0 = tile.channel_acquire %c[%s0] : !ring -> !buffer
    tile.copy_async %A[%i, %i] to %w0 : !view, !buffer
    tile.channel_commit %c[%s0] : !ring
    scf.for %k = %i to %n step %step {
      %r = tile.channel_wait %c[%s0] pending 0 : !ring -> !buffer
      %w = tile.channel_acquire %c[%s1] : !ring -> !buffer
      tile.copy_async %A[%i, %k] to %w : !view, !buffer
      tile.channel_commit %c[%s1] : !ring
      %a = tile.shared_load %r : !buffer -> !t
      tile.channel_release %c[%s0] : !ring
    }
  }
  tile.return
}

// A buffer in the bytes of a channel that is done, and a channel in those of a buffer.
// CHECK-LABEL: tile.kernel @channel_and_buffer_share_bytes
// CHECK: tile.channel_release
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.channel_acquire
tile.kernel @channel_and_buffer_share_bytes(%n: index, %s0: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %c = tile.channel_create {offset = 0 : i64} : !ring
  %d = tile.channel_create {offset = 0 : i64} : !slot
  %b = tile.shared_alloc {offset = 0 : i64} : !buffer
  tile.channel_release %c[%s0] : !ring
  tile.shared_store %x, %b : !t, !buffer
  %y = tile.shared_load %b : !buffer -> !t
  %w = tile.channel_acquire %d[%s0] : !slot -> !buffer
  tile.return
}

// Buffers of one slot are apart; stores fill what was acquired; reading needs the barrier.
// CHECK-LABEL: tile.kernel @slot_filled_by_stores
// CHECK: tile.channel_acquire
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @slot_filled_by_stores(%n: index, %s0: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %c = tile.channel_create {offset = 0 : i64} : !pair
  %w:2 = tile.channel_acquire %c[%s0] : !pair -> !buffer, !buffer
  tile.shared_store %x, %w#0 : !t, !buffer
  tile.shared_store %x, %w#1 : !t, !buffer
  tile.shared_store %x, %w#1 : !t, !buffer
  tile.channel_commit %c[%s0] : !pair
  %r:2 = tile.channel_wait %c[%s0] pending 0 : !pair -> !buffer, !buffer
  %y = tile.shared_load %r#0 : !buffer -> !t
  tile.return
}

// A copy into a buffer of no channel lands at the next wait.
// CHECK-LABEL: tile.kernel @copy_into_a_buffer
// CHECK: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.channel_commit
// CHECK-NEXT: tile.channel_wait
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @copy_into_a_buffer(%A: !view, %n: index, %s0: index) programs(%i) in (%n) by [1] {
  %c = tile.channel_create {offset = 4096 : i64} : !slot
  %b = tile.shared_alloc {offset = 0 : i64} : !buffer
  %x = tile.shared_load %b : !buffer -> !t
  tile.copy_async %A[%i, %i] to %b : !view, !buffer
  tile.channel_commit %c[%s0] : !slot
  %r = tile.channel_wait %c[%s0] pending 0 : !slot -> !buffer
  %y = tile.shared_load %b : !buffer -> !t
  tile.return
}

// A reduction writes its scratch, meets at a barrier of its own, which serves everything before it, and reads.
// CHECK-LABEL: tile.kernel @reduction
// CHECK: tile.shared_store
// CHECK-NEXT: tile.reduce
// CHECK: tile.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.shared_load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.reduce
// CHECK: tile.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_store
tile.kernel @reduction(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %w = arith.constant dense<1.0> : !tile.tile<32x32xf32, #wide>
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %b = tile.shared_alloc {offset = 1024 : i64} : !buffer
  tile.shared_store %x, %a : !t, !buffer
  %sum = tile.reduce %w along 1 {scratch = 1024 : i64} : !tile.tile<32x32xf32, #wide> -> !tile.tile<32xf32, #wide_sum> combine(%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  %y = tile.shared_load %a : !buffer -> !t
  %again = tile.reduce %w along 1 {scratch = 1024 : i64} : !tile.tile<32x32xf32, #wide> -> !tile.tile<32xf32, #wide_sum> combine(%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  tile.shared_store %x, %b : !t, !buffer
  tile.return
}

// A buffer that a loop carries may be any.
// CHECK-LABEL: tile.kernel @carried_buffer
// CHECK: tile.shared_store
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load
tile.kernel @carried_buffer(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc {offset = 0 : i64} : !buffer
  %b = tile.shared_alloc {offset = 1024 : i64} : !buffer
  tile.shared_store %x, %b : !t, !buffer
  %last = scf.for %k = %i to %n step %step iter_args(%buffer = %a) -> (!buffer) {
    %y = tile.shared_load %buffer : !buffer -> !t
    scf.yield %buffer : !buffer
  }
  tile.return
}

// RUN: tile-opt %s --tile-pipeline --verify-diagnostics --remarks-filter='.*'

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
!view = !tile.view<?x?xbf16>
!buffer = !tile.shared<32x32xbf16, #s>
!slot = !tile.channel<1 x (!buffer)>
!t = !tile.tile<32x32xbf16, #rows>

tile.kernel @pipelined(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 4 : i64} {
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  // expected-remark @+1 {{[Passed] pipeline | Category:tile-pipeline | Remark="copies run 3 iterations ahead"}}
  scf.for %k = %c0 to %ub step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

tile.kernel @negative_stores(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the loop writes to global memory, which a later copy may read", Remark="copies do not run ahead of their reads", Suggestion="copy at offsets made of the induction variable and invariants, in a loop that stores nothing"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
    tile.store %a, %A[%n, %k] : !t, !view
  }
  tile.return
}

tile.kernel @negative_carried_offset(%A: !view, %ub: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="a copy depends on a value that the loop carries"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %end = scf.for %k = %c0 to %ub step %c32 iter_args(%at = %m) -> (index) {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%at, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
    %next = arith.addi %at, %k : index
    scf.yield %next : index
  }
  tile.return
}

// Dividing by a value that may be zero must not run ahead of the iterations that do it.
tile.kernel @negative_division(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="a copy depends on 'arith.divui', which cannot run ahead"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %off = arith.divui %n, %k : index
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %off] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

tile.kernel @negative_no_loop(%A: !view) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the channel is not used in the body of an scf.for"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
  tile.copy_async %A[%m, %n] to %w : !view, !buffer
  tile.channel_commit %c[%c0] : !slot
  %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
  %a = tile.shared_load %r : !buffer -> !t
  tile.channel_release %c[%c0] : !slot
  tile.return
}

tile.kernel @negative_two_acquires(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the channel is used by more than one acquire, commit, wait and release"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %v = tile.channel_acquire %c[%c0] : !slot -> !buffer
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
  }
  tile.return
}

tile.kernel @negative_unfinished(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the channel lacks an acquire, commit, wait or release"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
  tile.return
}

tile.kernel @negative_several_blocks(%A: !view, %ub: index, %p: i1)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the channel is used in several blocks"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    scf.if %p {
      %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
      %a = tile.shared_load %r : !buffer -> !t
      tile.channel_release %c[%c0] : !slot
    }
  }
  tile.return
}

tile.kernel @negative_order(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the channel is not used in the order acquire, commit, wait, release"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
  }
  tile.return
}

tile.kernel @negative_stored_slot(%A: !view, %ub: index) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the slot is not filled by asynchronous copies alone"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant dense<1.0> : !t
  scf.for %k = %c0 to %ub step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.shared_store %one, %w : !t, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

tile.kernel @negative_read_after_release(%A: !view, %ub: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="the slot is used other than by loads before its release"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    tile.channel_release %c[%c0] : !slot
    %a = tile.shared_load %r : !buffer -> !t
  }
  tile.return
}

tile.kernel @negative_made_in_the_loop(%A: !view, %ub: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    // expected-remark @+1 {{Reason="the channel is made in the loop"}}
    %c = tile.channel_create : !slot
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

tile.kernel @negative_nothing_copied(%A: !view, %ub: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  // expected-remark @+1 {{Reason="nothing is copied into the slot"}}
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %ub step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

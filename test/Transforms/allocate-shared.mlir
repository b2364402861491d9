// RUN: tile-opt %s --tile-allocate-shared | FileCheck %s
// RUN: tile-opt %s --tile-allocate-shared | tile-opt --tile-allocate-shared | FileCheck %s

// A buffer of 32 x 32 f32 takes 4096 bytes, of 16 x 32 f32 2048, of 8 x 32 f32 1024.
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#small = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warps = [[4, 0]]>
#medium = #tile.layout<registers = [[0, 1], [0, 2], [8, 0]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warps = [[4, 0]]>
// The warps lie along columns, so that a sum along columns meets in scratch memory.
#wide = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warps = [[0, 16]]>
#wide_sum = #tile.layout<registers = [[16]], lanes = [[0], [1], [2], [4], [8]], warps = [[0]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
#plain = #tile.swizzle<order = [1, 0], swizzle = 0>
!big = !tile.shared<32x32xf32, #s>
!t = !tile.tile<32x32xf32, #rows>
!little = !tile.shared<8x32xf32, #s>
!u = !tile.tile<8x32xf32, #small>
!middle = !tile.shared<16x32xf32, #s>
!m = !tile.tile<16x32xf32, #medium>
!odd = !tile.shared<8x8xbf16, #plain>

// CHECK-LABEL: tile.kernel @nothing
// CHECK-SAME: shared_bytes = 0 : i64
tile.kernel @nothing(%n: index) programs(%i) in (%n) by [1] {
  tile.return
}

// One after the other: the same bytes.
// CHECK-LABEL: tile.kernel @lives_that_do_not_meet
// CHECK-SAME: shared_bytes = 4096 : i64
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x32xf32
tile.kernel @lives_that_do_not_meet(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  %a = tile.shared_alloc : !big
  %b = tile.shared_alloc : !little
  tile.shared_store %x, %a : !t, !big
  %p = tile.shared_load %a : !big -> !t
  tile.shared_store %y, %b : !u, !little
  %q = tile.shared_load %b : !little -> !u
  tile.return
}

// CHECK-LABEL: tile.kernel @lives_that_meet
// CHECK-SAME: shared_bytes = 5120 : i64
// CHECK: tile.shared_alloc {offset = 4096 : i64} : !tile.shared<8x32xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
tile.kernel @lives_that_meet(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  %b = tile.shared_alloc : !little
  %a = tile.shared_alloc : !big
  tile.shared_store %y, %b : !u, !little
  tile.shared_store %x, %a : !t, !big
  %p = tile.shared_load %a : !big -> !t
  %q = tile.shared_load %b : !little -> !u
  tile.return
}

// %a is read by every iteration, so that nothing in the loop may take its bytes, also after its last use.
// CHECK-LABEL: tile.kernel @loops_extend_lives
// CHECK-SAME: shared_bytes = 5120 : i64
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
// CHECK: tile.shared_alloc {offset = 4096 : i64} : !tile.shared<8x32xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x32xf32
tile.kernel @loops_extend_lives(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  %a = tile.shared_alloc : !big
  tile.shared_store %x, %a : !t, !big
  scf.for %k = %i to %n step %step {
    %p = tile.shared_load %a : !big -> !t
    %b = tile.shared_alloc : !little
    tile.shared_store %y, %b : !u, !little
  }
  %c = tile.shared_alloc : !little
  tile.shared_store %y, %c : !u, !little
  tile.return
}

// Made in the loop, a buffer lives within one iteration.
// CHECK-LABEL: tile.kernel @buffers_of_one_iteration
// CHECK-SAME: shared_bytes = 4096 : i64
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x32xf32
tile.kernel @buffers_of_one_iteration(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  scf.for %k = %i to %n step %step {
    %a = tile.shared_alloc : !big
    tile.shared_store %x, %a : !t, !big
    %p = tile.shared_load %a : !big -> !t
    %b = tile.shared_alloc : !little
    tile.shared_store %y, %b : !u, !little
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @branches_share
// CHECK-SAME: shared_bytes = 4096 : i64
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x32xf32
tile.kernel @branches_share(%n: index, %p: i1) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  scf.if %p {
    %a = tile.shared_alloc : !big
    tile.shared_store %x, %a : !t, !big
  } else {
    %b = tile.shared_alloc : !little
    tile.shared_store %y, %b : !u, !little
  }
  tile.return
}

// When %f comes, %a has left 4096 bytes below %b and %c 2048 below %e: the smaller gap is the better.
// CHECK-LABEL: tile.kernel @best_fit
// CHECK-SAME: shared_bytes = 11264 : i64
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
// CHECK: tile.shared_alloc {offset = 4096 : i64} : !tile.shared<32x32xf32
// CHECK: tile.shared_alloc {offset = 8192 : i64} : !tile.shared<16x32xf32
// CHECK: tile.shared_alloc {offset = 10240 : i64} : !tile.shared<8x32xf32
// CHECK: tile.shared_alloc {offset = 8192 : i64} : !tile.shared<8x32xf32
tile.kernel @best_fit(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  %z = arith.constant dense<1.0> : !m
  %a = tile.shared_alloc : !big
  %b = tile.shared_alloc : !big
  %c = tile.shared_alloc : !middle
  %e = tile.shared_alloc : !little
  %f = tile.shared_alloc : !little
  tile.shared_store %x, %b : !t, !big
  tile.shared_store %y, %e : !u, !little
  tile.shared_store %z, %c : !m, !middle
  tile.shared_store %x, %a : !t, !big
  %r = tile.shared_load %c : !middle -> !m
  tile.shared_store %y, %f : !u, !little
  %p = tile.shared_load %b : !big -> !t
  %q = tile.shared_load %e : !little -> !u
  tile.return
}

// A 128-byte swizzle starts at a multiple of 1024, behind the 128 bytes of a smaller buffer that lives as long.
// CHECK-LABEL: tile.kernel @alignment
// CHECK-SAME: shared_bytes = 1152 : i64
// CHECK: tile.shared_alloc {offset = 1024 : i64} : !tile.shared<8x8xbf16
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<8x32xf32
tile.kernel @alignment(%n: index) programs(%i) in (%n) by [1] {
  %z = arith.constant dense<1.0> : !tile.tile<8x8xbf16, #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warps = [[4, 0]]>>
  %y = arith.constant dense<1.0> : !u
  %o = tile.shared_alloc : !odd
  %b = tile.shared_alloc : !little
  tile.shared_store %z, %o : !tile.tile<8x8xbf16, #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warps = [[4, 0]]>>, !odd
  tile.shared_store %y, %b : !u, !little
  %w = tile.shared_load %b : !little -> !u
  %v = tile.shared_load %o : !odd -> !tile.tile<8x8xbf16, #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warps = [[4, 0]]>>
  tile.return
}

// A ring lives through the loop that uses it; what comes later takes its bytes.
// CHECK-LABEL: tile.kernel @channels
// CHECK-SAME: shared_bytes = 13312 : i64
// CHECK: tile.channel_create {offset = 0 : i64}
// CHECK: tile.shared_alloc {offset = 12288 : i64} : !tile.shared<8x32xf32
// CHECK: tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x32xf32
tile.kernel @channels(%A: !tile.view<?x?xf32>, %n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !u
  %c = tile.channel_create : !tile.channel<3 x (!big)>
  scf.for %k = %i to %n step %step {
    %w = tile.channel_acquire %c[%i] : !tile.channel<3 x (!big)> -> !big
    tile.copy_async %A[%i, %k] to %w : !tile.view<?x?xf32>, !big
    tile.channel_commit %c[%i] : !tile.channel<3 x (!big)>
    %r = tile.channel_wait %c[%i] pending 0 : !tile.channel<3 x (!big)> -> !big
    %p = tile.shared_load %r : !big -> !t
    tile.channel_release %c[%i] : !tile.channel<3 x (!big)>
    %b = tile.shared_alloc : !little
    tile.shared_store %y, %b : !u, !little
  }
  %a = tile.shared_alloc : !big
  tile.shared_store %x, %a : !t, !big
  tile.return
}

// Two warps along the axis, 32 rows of f32 each.
// CHECK-LABEL: tile.kernel @scratch_of_a_reduction
// CHECK-SAME: shared_bytes = 4352 : i64
// CHECK: tile.shared_alloc {offset = 0 : i64}
// CHECK: tile.reduce {{.*}} along 1 {scratch = 4096 : i64}
tile.kernel @scratch_of_a_reduction(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %w = arith.constant dense<1.0> : !tile.tile<32x32xf32, #wide>
  %a = tile.shared_alloc : !big
  tile.shared_store %x, %a : !t, !big
  %sum = tile.reduce %w along 1 : !tile.tile<32x32xf32, #wide> -> !tile.tile<32xf32, #wide_sum> combine(%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  %b = tile.shared_load %a : !big -> !t
  tile.return
}

// Without warps along the axis a reduction needs nothing.
// CHECK-LABEL: tile.kernel @negative_no_scratch
// CHECK-SAME: shared_bytes = 0 : i64
// CHECK-NOT: scratch =
tile.kernel @negative_no_scratch(%n: index) programs(%i) in (%n) by [1] {
  %w = arith.constant dense<1.0> : !tile.tile<32x32xf32, #wide>
  %sum = tile.reduce %w along 0 : !tile.tile<32x32xf32, #wide> -> !tile.tile<32xf32, #tile.layout<registers = [[1], [2], [4]], lanes = [[8], [0], [0], [0], [0]], warps = [[16]]>> combine(%p: f32, %q: f32) {
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  tile.return
}

// A buffer that a loop carries may be any, so it lives throughout.
// CHECK-LABEL: tile.kernel @carried_buffer
// CHECK-SAME: shared_bytes = 8192 : i64
tile.kernel @carried_buffer(%n: index, %step: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !t
  %a = tile.shared_alloc : !big
  %b = tile.shared_alloc : !big
  tile.shared_store %x, %b : !t, !big
  %last = scf.for %k = %i to %n step %step iter_args(%buffer = %a) -> (!big) {
    tile.shared_store %x, %buffer : !t, !big
    scf.yield %buffer : !big
  }
  %y = tile.shared_load %last : !big -> !t
  tile.return
}

// Chains of shape ops, tiles of rank 3, masks, loops that carry tiles: each becomes PTX that assembles.
// RUN: tilec %s -o %t.80.ptx && FileCheck %s --input-file=%t.80.ptx
// RUN: cat %t.80.ptx | %ptxas-check -arch=sm_80
// RUN: tilec %s --arch sm_120a | %ptxas-check -arch=sm_120a

!v = !tile.view<?x?xf32>
!t = !tile.tile<32x64xf32>

// CHECK: .entry reshape_and_transpose(
// CHECK: st.global
tile.kernel @reshape_and_transpose(%A: !v, %B: !v) programs(%m, %n) over %B by [64, 32] {
  %t = tile.load %A[%n, %m] : !v -> !t
  %r = tile.reshape %t : !t -> !tile.tile<4x8x64xf32>
  %u = tile.transpose %r permutation [2, 0, 1] : !tile.tile<4x8x64xf32> -> !tile.tile<64x4x8xf32>
  %w = tile.reshape %u : !tile.tile<64x4x8xf32> -> !tile.tile<64x32xf32>
  tile.store %w, %B[%m, %n] : !tile.tile<64x32xf32>, !v
  tile.return
}

// CHECK: .entry reshape_odd(
// CHECK: st.global
tile.kernel @reshape_odd(%A: !v, %B: !v) programs(%m, %n) over %B by [96, 16] {
  %t = tile.load %A[%m, %n] : !v -> !tile.tile<8x192xf32>
  %r = tile.reshape %t : !tile.tile<8x192xf32> -> !tile.tile<8x96x2xf32>
  %u = tile.transpose %r permutation [1, 0, 2] : !tile.tile<8x96x2xf32> -> !tile.tile<96x8x2xf32>
  %w = tile.reshape %u : !tile.tile<96x8x2xf32> -> !tile.tile<96x16xf32>
  tile.store %w, %B[%m, %n] : !tile.tile<96x16xf32>, !v
  tile.return
}

// CHECK: .entry rank_3(
// CHECK: st.global
tile.kernel @rank_3(%A: !tile.view<?x?x?xf16>, %B: !tile.view<?x?x?xf16>) programs(%b, %m, %n) over %B by [2, 24, 40] {
  %t = tile.load %A[%b, %m, %n] : !tile.view<?x?x?xf16> -> !tile.tile<2x24x40xf16>
  %s = tile.reduce %t along 1 : !tile.tile<2x24x40xf16> -> !tile.tile<2x40xf16> combine(%x: f16, %y: f16) {
    %c = arith.maximumf %x, %y : f16
    tile.yield %c : f16
  }
  %e = tile.expand %s at [1] : !tile.tile<2x40xf16> -> !tile.tile<2x1x40xf16>
  %w = tile.broadcast %e along [1] : !tile.tile<2x1x40xf16> -> !tile.tile<2x24x40xf16>
  %d = arith.subf %t, %w : !tile.tile<2x24x40xf16>
  tile.store %d, %B[%b, %m, %n] : !tile.tile<2x24x40xf16>, !tile.view<?x?x?xf16>
  tile.return
}

// CHECK: .entry triangle(
// CHECK: setp
// CHECK: st.global
tile.kernel @triangle(%A: !v, %B: !v, %low: f32) programs(%m, %n) over %B by [32, 64] {
  %t = tile.load %A[%m, %n] : !v -> !t
  %row = tile.iota 0 : !tile.tile<32x64xi32>
  %column = tile.iota 1 : !tile.tile<32x64xi32>
  %dm = arith.index_cast %m : index to i32
  %dn = arith.index_cast %n : index to i32
  %ms = tile.splat %dm : !tile.tile<32x64xi32>
  %ns = tile.splat %dn : !tile.tile<32x64xi32>
  %r = arith.addi %row, %ms : !tile.tile<32x64xi32>
  %c = arith.addi %column, %ns : !tile.tile<32x64xi32>
  %keep = arith.cmpi sge, %r, %c : !tile.tile<32x64xi32>
  %other = tile.splat %low : !t
  %y = tile.select %keep, %t, %other : !tile.tile<32x64xi1>, !t
  tile.store %y, %B[%m, %n] : !t, !v
  tile.return
}

// Newton's iteration until no element changes: a while loop that carries a tile, with a condition that all threads share.
// CHECK: .entry while_changes(
// CHECK: bar.sync
// CHECK: st.global
tile.kernel @while_changes(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [256] {
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<256xf32>
  %half = arith.constant dense<0.5> : !tile.tile<256xf32>
  %tolerance = arith.constant 1.0e-6 : f32
  %x = scf.while (%old = %a) : (!tile.tile<256xf32>) -> !tile.tile<256xf32> {
    %q = arith.divf %a, %old : !tile.tile<256xf32>
    %s = arith.addf %old, %q : !tile.tile<256xf32>
    %new = arith.mulf %s, %half : !tile.tile<256xf32>
    %d = arith.subf %new, %old : !tile.tile<256xf32>
    %abs = math.absf %d : !tile.tile<256xf32>
    %worst = tile.reduce %abs along 0 : !tile.tile<256xf32> -> f32 combine(%x: f32, %y: f32) {
      %c = arith.maximumf %x, %y : f32
      tile.yield %c : f32
    }
    %more = arith.cmpf ogt, %worst, %tolerance : f32
    scf.condition(%more) %new : !tile.tile<256xf32>
  } do {
  ^bb0(%next: !tile.tile<256xf32>):
    scf.yield %next : !tile.tile<256xf32>
  }
  tile.store %x, %B[%m] : !tile.tile<256xf32>, !tile.view<?xf32>
  tile.return
}

// A branch that yields tiles, and a loop that carries two.
// CHECK: .entry branch_and_loop(
// CHECK: st.global
tile.kernel @branch_and_loop(%A: !v, %B: !v, %flip: i1, %n: index) programs(%m, %k) over %B by [32, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %A[%m, %k] : !v -> !t
  %u = scf.if %flip -> (!t) {
    %neg = arith.negf %t : !t
    scf.yield %neg : !t
  } else {
    scf.yield %t : !t
  }
  %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %y = %u) -> (!t, !t) {
    %s = arith.addf %x, %y : !t
    scf.yield %y, %s : !t, !t
  }
  %r = arith.mulf %p, %q : !t
  tile.store %r, %B[%m, %k] : !t, !v
  tile.return
}

// The product of products: the first result becomes an operand of the second.
// CHECK: .entry chained(
// CHECK: mma.sync
// CHECK: st.global
tile.kernel @chained(%Q: !tile.view<?x?xbf16>, %K: !tile.view<?x?xbf16>, %V: !tile.view<?x?xbf16>, %O: !v) programs(%m, %n) over %O by [64, 64] {
  %c0 = arith.constant 0 : index
  %q = tile.load %Q[%m, %c0] : !tile.view<?x?xbf16> -> !tile.tile<64x64xbf16>
  %k = tile.load %K[%c0, %c0] : !tile.view<?x?xbf16> -> !tile.tile<64x64xbf16>
  %v = tile.load %V[%c0, %n] : !tile.view<?x?xbf16> -> !tile.tile<64x64xbf16>
  %kt = tile.transpose %k : !tile.tile<64x64xbf16> -> !tile.tile<64x64xbf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %s = tile.dot %q, %kt, %zero : !tile.tile<64x64xbf16>, !tile.tile<64x64xbf16>, !tile.tile<64x64xf32>
  %p = tile.cast %s : !tile.tile<64x64xf32> -> !tile.tile<64x64xbf16>
  %o = tile.dot %p, %v, %zero : !tile.tile<64x64xbf16>, !tile.tile<64x64xbf16>, !tile.tile<64x64xf32>
  tile.store %o, %O[%m, %n] : !tile.tile<64x64xf32>, !v
  tile.return
}

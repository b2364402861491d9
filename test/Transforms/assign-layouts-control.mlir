// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-assign-layouts))' | FileCheck %s
// Loops and branches: what they carry has one layout all the way.

!v = !tile.view<?x?xf32, align 16>
!t = !tile.tile<64x64xf32>
#mine = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [0]], warps = [[0], [0]]>
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @loops
// CHECK: scf.for {{.*}} -> (!tile.tile<64x64xf32, [[L:#.*]]>)
// CHECK: scf.for {{.*}} -> (!tile.tile<64x64xf32, [[L]]>)
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @loops(%A: !v) programs(%m, %n) over %A by [64, 64] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !t
  %r = scf.for %i = %c0 to %m step %c64 iter_args(%x = %zero) -> (!t) {
    %s = scf.for %j = %c0 to %n step %c64 iter_args(%y = %x) -> (!t) {
      %a = tile.load %A[%i, %j] : !v -> !t
      %z = arith.addf %y, %a : !t
      scf.yield %z : !t
    }
    scf.yield %s : !t
  }
  tile.store %r, %A[%m, %n] : !t, !v
  tile.return
}

// CHECK-LABEL: tile.kernel @while
// CHECK: scf.while {{.*}} : (!tile.tile<64x64xf32, [[L:#.*]]>) -> !tile.tile<64x64xf32, [[L]]>
// CHECK-NOT: tile.relayout
// CHECK: ^bb0(%{{.*}}: !tile.tile<64x64xf32, [[L]]>)
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @while(%A: !v) programs(%m, %n) over %A by [64, 64] {
  %low = arith.constant 1.0 : f32
  %a = tile.load %A[%m, %n] : !v -> !t
  %r = scf.while (%x = %a) : (!t) -> !t {
    %row = tile.reduce %x along 1 : !t -> !tile.tile<64xf32> combine(%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
    %all = tile.reduce %row along 0 : !tile.tile<64xf32> -> f32 combine(%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
    %more = arith.cmpf ogt, %all, %low : f32
    scf.condition(%more) %x : !t
  } do {
  ^bb0(%x: !t):
    %h = arith.mulf %x, %x : !t
    scf.yield %h : !t
  }
  tile.store %r, %A[%m, %n] : !t, !v
  tile.return
}

// The branch that transposes converts; the other does not.
// CHECK-LABEL: tile.kernel @branches
// CHECK: %[[A:.*]] = tile.load {{.*}} -> !tile.tile<64x64xf32, [[L:#.*]]>
// CHECK: scf.if {{.*}} -> (!tile.tile<64x64xf32, [[L]]>)
// CHECK: tile.transpose {{.*}} -> !tile.tile<64x64xf32, [[L]]>
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[A]]
tile.kernel @branches(%A: !v, %p: i1) programs(%m, %n) over %A by [64, 64] {
  %a = tile.load %A[%m, %n] : !v -> !t
  %r = scf.if %p -> (!t) {
    %b = tile.transpose %a : !t -> !t
    scf.yield %b : !t
  } else {
    scf.yield %a : !t
  }
  tile.store %r, %A[%m, %n] : !t, !v
  tile.return
}

// Carried values with different anchors meet at the yield: the author's layout stays, and one relayout leads to it.
// CHECK-LABEL: tile.kernel @authors_layout
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (!tile.tile<64xf32, [[MINE:#.*]]>)
// CHECK-NEXT: arith.addf %[[X]], %[[X]] : !tile.tile<64xf32, [[MINE]]>
// CHECK-NEXT: scf.yield
// CHECK: tile.relayout
// CHECK-NEXT: tile.store
tile.kernel @authors_layout(%A: !tile.view<?xf32>) programs(%m) over %A by [64] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<64xf32, #mine>
  %r = scf.for %i = %c0 to %m step %c64 iter_args(%x = %a) -> (!tile.tile<64xf32, #mine>) {
    %y = arith.addf %x, %x : !tile.tile<64xf32, #mine>
    scf.yield %y : !tile.tile<64xf32, #mine>
  }
  %o = tile.relayout %r : !tile.tile<64xf32, #mine> -> !tile.tile<64xf32>
  tile.store %o, %A[%m] : !tile.tile<64xf32>, !tile.view<?xf32>
  tile.return
}
}

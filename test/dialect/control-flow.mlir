// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --sccp --cse --loop-invariant-code-motion --canonicalize | tile-opt | FileCheck %s --check-prefix=OPT

// CHECK-LABEL: tile.kernel @loop_carries_tiles
// OPT-LABEL: tile.kernel @loop_carries_tiles
tile.kernel @loop_carries_tiles(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [8] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = tile.dim %A, 1 : !tile.view<?x?xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<8xf32>
  // The constant and the splat leave the loop.
  // OPT: arith.constant dense<2.000000e+00>
  // OPT: scf.for
  // CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!tile.tile<8xf32>)
  %sum = scf.for %k = %c0 to %K step %c64 iter_args(%acc = %zero) -> (!tile.tile<8xf32>) {
    %t = tile.load %A[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<8x64xf32>
    %two = arith.constant 2.0 : f32
    %twos = tile.splat %two : !tile.tile<8x64xf32>
    // OPT: tile.load
    // OPT-NEXT: arith.mulf
    %d = arith.mulf %t, %twos : !tile.tile<8x64xf32>
    %r = tile.reduce %d along 1 : !tile.tile<8x64xf32> -> !tile.tile<8xf32> combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %next = arith.addf %acc, %r : !tile.tile<8xf32>
    scf.yield %next : !tile.tile<8xf32>
  }
  tile.store %sum, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @branch_gives_tiles
// OPT-LABEL: tile.kernel @branch_gives_tiles
tile.kernel @branch_gives_tiles(%B: !tile.view<?xf32>, %p: i1) programs(%m) over %B by [8] {
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<8xf32>
  // CHECK: scf.if %p -> (!tile.tile<8xf32>)
  // A choice between two tiles by a scalar, which the canonicaliser makes of it, is allowed.
  // OPT: arith.select %p, %{{.*}}, %{{.*}} : !tile.tile<8xf32>
  %r = scf.if %p -> (!tile.tile<8xf32>) {
    scf.yield %t : !tile.tile<8xf32>
  } else {
    scf.yield %zero : !tile.tile<8xf32>
  }
  tile.store %r, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @while_carries_tiles
// OPT-LABEL: tile.kernel @while_carries_tiles
tile.kernel @while_carries_tiles(%B: !tile.view<?xf32>, %limit: f32) programs(%m) over %B by [8] {
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  // CHECK: scf.while (%{{.*}} = %{{.*}}) : (!tile.tile<8xf32>) -> !tile.tile<8xf32>
  // OPT: scf.while
  %r = scf.while (%x = %t) : (!tile.tile<8xf32>) -> !tile.tile<8xf32> {
    %max = tile.reduce %x along 0 : !tile.tile<8xf32> -> f32 combine(%a: f32, %b: f32) {
      %c = arith.maximumf %a, %b : f32
      tile.yield %c : f32
    }
    %more = arith.cmpf olt, %max, %limit : f32
    scf.condition(%more) %x : !tile.tile<8xf32>
  } do {
  ^bb0(%x: !tile.tile<8xf32>):
    %y = arith.addf %x, %x : !tile.tile<8xf32>
    scf.yield %y : !tile.tile<8xf32>
  }
  tile.store %r, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// Constants that both branches and every iteration agree on spread through SCCP, also as tiles.
// OPT-LABEL: tile.kernel @constant_tiles_spread
tile.kernel @constant_tiles_spread(%B: !tile.view<?xf32>, %p: i1) programs(%m) over %B by [8] {
  %one = arith.constant dense<1.0> : !tile.tile<8xf32>
  // OPT: %[[C:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<8xf32>
  // OPT-NEXT: tile.store %[[C]]
  %r = scf.if %p -> (!tile.tile<8xf32>) {
    %a = arith.addf %one, %one : !tile.tile<8xf32>
    scf.yield %a : !tile.tile<8xf32>
  } else {
    %b = arith.constant dense<2.0> : !tile.tile<8xf32>
    scf.yield %b : !tile.tile<8xf32>
  }
  tile.store %r, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// Loads may differ in between; equal pure ops are one.
// OPT-LABEL: tile.kernel @equal_ops_are_one
tile.kernel @equal_ops_are_one(%B: !tile.view<?xi32>) programs(%m) over %B by [8] {
  // OPT-COUNT-1: tile.iota
  // OPT-NOT: tile.iota
  %i = tile.iota 0 : !tile.tile<8xi32>
  %j = tile.iota 0 : !tile.tile<8xi32>
  %k = arith.addi %i, %j : !tile.tile<8xi32>
  tile.store %k, %B[%m] : !tile.tile<8xi32>, !tile.view<?xi32>
  tile.return
}

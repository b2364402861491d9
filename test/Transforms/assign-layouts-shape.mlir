// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-assign-layouts))' | FileCheck %s
// Shape ops and reductions rename the coordinates of a layout; only what cannot be renamed is converted.

!v = !tile.view<?x?xf32, align 16>
#skewed = #tile.layout<registers = [[0, 1]], lanes = [[1, 2], [0, 2], [1, 0], [2, 0], [0, 4]], warps = [[4, 0], [0, 0]]>
module attributes {tile.target = "sm_80"} {
// CHECK: [[$LINES:#.*]] = #tile.layout<registers = {{\[\[}}0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 16, 0], [0, 0, 1]]
// CHECK-LABEL: tile.kernel @softmax
// CHECK: %[[X:.*]] = tile.load {{.*}} -> !tile.tile<4x1024xf32, [[L:#.*]]>
// CHECK-NEXT: %[[MAX:.*]] = tile.reduce %[[X]] {{.*}} -> !tile.tile<4xf32, [[S:#.*]]>
// CHECK-NOT: tile.relayout
// CHECK: tile.broadcast {{.*}} : !tile.tile<4xf32, [[S]]> -> !tile.tile<4x1024xf32, [[L]]>
// CHECK-NOT: tile.relayout
// CHECK: tile.store {{.*}} : !tile.tile<4x1024xf32, [[L]]>
tile.kernel @softmax(%X: !v, %Y: !v) programs(%r, %c) over %X by [4, 1024] {
  %x = tile.load %X[%r, %c] : !v -> !tile.tile<4x1024xf32>
  %max = tile.reduce %x along 1 : !tile.tile<4x1024xf32> -> !tile.tile<4xf32> combine(%a: f32, %b: f32) {
    %m = arith.maximumf %a, %b : f32
    tile.yield %m : f32
  }
  %mb = tile.broadcast %max along [1] : !tile.tile<4xf32> -> !tile.tile<4x1024xf32>
  %d = arith.subf %x, %mb : !tile.tile<4x1024xf32>
  %e = math.exp %d : !tile.tile<4x1024xf32>
  %sum = tile.reduce %e along 1 : !tile.tile<4x1024xf32> -> !tile.tile<4xf32> combine(%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  %sb = tile.broadcast %sum along [1] : !tile.tile<4xf32> -> !tile.tile<4x1024xf32>
  %o = arith.divf %e, %sb : !tile.tile<4x1024xf32>
  tile.store %o, %Y[%r, %c] : !tile.tile<4x1024xf32>, !v
  tile.return
}

// Three dimensions, extents of one, and coordinates made in the layout that they are used in.
// CHECK-LABEL: tile.kernel @three_dimensions
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @three_dimensions(%A: !tile.view<?x?x?xf32, align 16>, %w: !tile.view<?xf32>) programs(%i, %m, %n) over %A by [2, 24, 208] {
  %a = tile.load %A[%i, %m, %n] : !tile.view<?x?x?xf32, align 16> -> !tile.tile<2x24x208xf32>
  %t = tile.transpose %a permutation [1, 0, 2] : !tile.tile<2x24x208xf32> -> !tile.tile<24x2x208xf32>
  %s = tile.load %w[%n] : !tile.view<?xf32> -> !tile.tile<208xf32>
  %e = tile.expand %s at [0, 1] : !tile.tile<208xf32> -> !tile.tile<1x1x208xf32>
  %b = tile.broadcast %e along [0, 1] : !tile.tile<1x1x208xf32> -> !tile.tile<24x2x208xf32>
  %x = arith.mulf %t, %b : !tile.tile<24x2x208xf32>
  %j = tile.iota 2 : !tile.tile<24x2x208xi32>
  %jf = tile.cast %j : !tile.tile<24x2x208xi32> -> !tile.tile<24x2x208xf32>
  %y = arith.addf %x, %jf : !tile.tile<24x2x208xf32>
  %u = tile.transpose %y permutation [1, 0, 2] : !tile.tile<24x2x208xf32> -> !tile.tile<2x24x208xf32>
  tile.store %u, %A[%i, %m, %n] : !tile.tile<2x24x208xf32>, !tile.view<?x?x?xf32, align 16>
  tile.return
}

// CHECK-LABEL: tile.kernel @reshape_there_and_back
// CHECK: tile.reshape
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @reshape_there_and_back(%A: !v) programs(%m, %n) over %A by [96, 64] {
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<96x64xf32>
  %r = tile.reshape %a : !tile.tile<96x64xf32> -> !tile.tile<96x8x8xf32>
  %t = math.exp %r : !tile.tile<96x8x8xf32>
  %b = tile.reshape %t : !tile.tile<96x8x8xf32> -> !tile.tile<96x64xf32>
  tile.store %b, %A[%m, %n] : !tile.tile<96x64xf32>, !v
  tile.return
}

// 176 columns of bf16 are padded for coalescing, but a reshape and a combiner without a neutral element want them exact.
// CHECK-LABEL: tile.kernel @exact
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @exact(%A: !tile.view<?x?xbf16, align 16>, %B: !tile.view<?xbf16>) programs(%m, %n) over %A by [16, 176] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xbf16, align 16> -> !tile.tile<16x176xbf16>
  %s = tile.reduce %a along 1 : !tile.tile<16x176xbf16> -> !tile.tile<16xbf16> combine(%x: bf16, %y: bf16) {
    %p = arith.mulf %x, %y : bf16
    %q = arith.addf %x, %y : bf16
    %r = arith.addf %p, %q : bf16
    tile.yield %r : bf16
  }
  tile.store %s, %B[%m] : !tile.tile<16xbf16>, !tile.view<?xbf16>
  tile.return
}

// A layout whose bases move along both dimensions cannot be reduced: the author's is converted.
// CHECK-LABEL: tile.kernel @not_separable
// CHECK: %[[A:.*]] = tile.load
// CHECK-NEXT: %[[R:.*]] = tile.relayout %[[A]]
// CHECK: tile.reduce %[[R]]
tile.kernel @not_separable(%A: !v, %B: !tile.view<?xf32>) programs(%m, %n) over %A by [8, 8] {
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<8x8xf32, #skewed>
  %o = tile.relayout %a : !tile.tile<8x8xf32, #skewed> -> !tile.tile<8x8xf32>
  %s = tile.reduce %o along 1 : !tile.tile<8x8xf32> -> !tile.tile<8xf32> combine(%x: f32, %y: f32) {
    %p = arith.addf %x, %y : f32
    tile.yield %p : f32
  }
  tile.store %s, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// Short lines along columns: each thread has whole ones, two side by side.
// CHECK-LABEL: tile.kernel @blocks_of_columns
// CHECK: tile.reduce {{.*}} : !tile.tile<2x32x128xf32, [[$LINES]]> -> !tile.tile<2x128xf32, #
tile.kernel @blocks_of_columns(%A: !v, %B: !tile.view<?x?xf32>) programs(%m, %n) over %A by [64, 128] {
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<64x128xf32>
  %r = tile.reshape %a : !tile.tile<64x128xf32> -> !tile.tile<2x32x128xf32>
  %s = tile.reduce %r along 1 : !tile.tile<2x32x128xf32> -> !tile.tile<2x128xf32> combine(%x: f32, %y: f32) {
    %z = arith.maximumf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %B[%m, %n] : !tile.tile<2x128xf32>, !tile.view<?x?xf32>
  tile.return
}

// To a scalar.
// CHECK-LABEL: tile.kernel @total
// CHECK-NOT: tile.relayout
// CHECK: tile.reduce {{.*}} -> f32
// CHECK: tile.splat {{.*}} : !tile.tile<8xf32, #
tile.kernel @total(%A: !tile.view<?xf32>) programs(%m) over %A by [1024] {
  %a = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<1024xf32>
  %s = tile.reduce %a along 0 : !tile.tile<1024xf32> -> f32 combine(%x: f32, %y: f32) {
    %p = arith.addf %x, %y : f32
    tile.yield %p : f32
  }
  %t = tile.splat %s : !tile.tile<8xf32>
  tile.store %t, %A[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// A constant is made once for each layout that it is used in.
// CHECK-LABEL: tile.kernel @constants
// CHECK-DAG: arith.constant dense<[1.{{.*}}, 2.{{.*}}, 3.{{.*}}, 4.{{.*}}]> : !tile.tile<4xf32, [[L:#.*]]>
// CHECK-DAG: arith.constant dense<1.{{.*}}> : !tile.tile<64x64xf32, [[ROWS:#.*]]>
// CHECK-DAG: arith.constant dense<1.{{.*}}> : !tile.tile<64x64xf32, [[COLUMNS:#.*]]>
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @constants(%A: !v, %B: !tile.view<?x?xf32, strides [1, ?], align 16>, %C: !tile.view<?xf32>) programs(%m, %n) over %A by [64, 64] {
  %few = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : !tile.tile<4xf32>
  %one = arith.constant dense<1.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<64x64xf32>
  %b = tile.load %B[%m, %n] : !tile.view<?x?xf32, strides [1, ?], align 16> -> !tile.tile<64x64xf32>
  %x = arith.addf %a, %one : !tile.tile<64x64xf32>
  %y = arith.addf %b, %one : !tile.tile<64x64xf32>
  tile.store %x, %A[%m, %n] : !tile.tile<64x64xf32>, !v
  tile.store %y, %B[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, strides [1, ?], align 16>
  tile.store %few, %C[%m] : !tile.tile<4xf32>, !tile.view<?xf32>
  tile.return
}
}

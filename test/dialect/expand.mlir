// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @expand_in_front_behind_and_twice
tile.kernel @expand_in_front_behind_and_twice(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // CHECK: tile.expand %{{.*}} at [0] : !tile.tile<64xf32> -> !tile.tile<1x64xf32>
  %e = tile.expand %row at [0] : !tile.tile<64xf32> -> !tile.tile<1x64xf32>
  // CHECK: tile.expand %{{.*}} at [1] : !tile.tile<64xf32> -> !tile.tile<64x1xf32>
  %f = tile.expand %row at [1] : !tile.tile<64xf32> -> !tile.tile<64x1xf32>
  // CHECK: tile.expand %{{.*}} at [0, 2] : !tile.tile<64xf32> -> !tile.tile<1x64x1xf32>
  %g = tile.expand %row at [0, 2] : !tile.tile<64xf32> -> !tile.tile<1x64x1xf32>
  tile.return
}

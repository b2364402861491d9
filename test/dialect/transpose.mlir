// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @transpose_last_two_axes_or_by_permutation
tile.kernel @transpose_last_two_axes_or_by_permutation(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  %y = tile.splat %s : !tile.tile<2x4x8xf32>
  // CHECK: tile.transpose %{{.*}} : !tile.tile<32x64xf32> -> !tile.tile<64x32xf32>
  %t = tile.transpose %x : !tile.tile<32x64xf32> -> !tile.tile<64x32xf32>
  // CHECK: tile.transpose %{{.*}} permutation [2, 0, 1] : !tile.tile<2x4x8xf32> -> !tile.tile<8x2x4xf32>
  %u = tile.transpose %y permutation [2, 0, 1] : !tile.tile<2x4x8xf32> -> !tile.tile<8x2x4xf32>
  // CHECK: tile.transpose %{{.*}} : !tile.tile<2x4x8xf32> -> !tile.tile<2x8x4xf32>
  %v = tile.transpose %y : !tile.tile<2x4x8xf32> -> !tile.tile<2x8x4xf32>
  tile.return
}

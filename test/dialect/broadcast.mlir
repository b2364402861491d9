// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @broadcast_adds_or_repeats_axes
tile.kernel @broadcast_adds_or_repeats_axes(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %row = tile.splat %x : !tile.tile<64xf32>
  // CHECK: tile.broadcast %{{.*}} along [0] : !tile.tile<64xf32> -> !tile.tile<32x64xf32>
  %b = tile.broadcast %row along [0] : !tile.tile<64xf32> -> !tile.tile<32x64xf32>
  // CHECK: tile.broadcast %{{.*}} along [0, 2] : !tile.tile<64xf32> -> !tile.tile<8x64x2xf32>
  %c = tile.broadcast %row along [0, 2] : !tile.tile<64xf32> -> !tile.tile<8x64x2xf32>
  %column = tile.splat %x : !tile.tile<32x1xf32>
  // CHECK: tile.broadcast %{{.*}} along [1] : !tile.tile<32x1xf32> -> !tile.tile<32x64xf32>
  %d = tile.broadcast %column along [1] : !tile.tile<32x1xf32> -> !tile.tile<32x64xf32>
  tile.return
}

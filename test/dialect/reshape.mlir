// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @reshape_to_more_and_fewer_axes
tile.kernel @reshape_to_more_and_fewer_axes(%A: !tile.view<?xf32>, %x: f32) programs(%m) over %A by [8] {
  %s = tile.splat %x : !tile.tile<32x64xf32>
  // CHECK: tile.reshape %{{.*}} : !tile.tile<32x64xf32> -> !tile.tile<4x8x64xf32>
  %r = tile.reshape %s : !tile.tile<32x64xf32> -> !tile.tile<4x8x64xf32>
  // CHECK: tile.reshape %{{.*}} : !tile.tile<4x8x64xf32> -> !tile.tile<2048xf32>
  %t = tile.reshape %r : !tile.tile<4x8x64xf32> -> !tile.tile<2048xf32>
  tile.return
}

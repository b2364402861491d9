// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @select_by_tile_and_by_scalar
tile.kernel @select_by_tile_and_by_scalar(%A: !tile.view<?xf32>, %value: f32, %p: i1) programs(%m) over %A by [8] {
  %x = tile.splat %value : !tile.tile<32x64xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  %keep = arith.cmpf ogt, %x, %zero : !tile.tile<32x64xf32>
  // CHECK: tile.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<32x64xi1>, !tile.tile<32x64xf32>
  %s = tile.select %keep, %x, %zero : !tile.tile<32x64xi1>, !tile.tile<32x64xf32>
  // CHECK: tile.select %p, %{{.*}}, %{{.*}} : i1, !tile.tile<32x64xf32>
  %q = tile.select %p, %x, %zero : i1, !tile.tile<32x64xf32>
  tile.return
}

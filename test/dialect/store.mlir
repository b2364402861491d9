// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @store_a_tile
tile.kernel @store_a_tile(%B: !tile.view<?x?xf32>, %s: f32) programs(%m, %n) over %B by [32, 64] {
  %t = tile.splat %s : !tile.tile<32x64xf32>
  // CHECK: tile.store %{{.*}}, %B[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  tile.store %t, %B[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  tile.return
}

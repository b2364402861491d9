// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @iota_along_each_axis
tile.kernel @iota_along_each_axis(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // CHECK: tile.iota 0 : !tile.tile<32x64xi32>
  %row = tile.iota 0 : !tile.tile<32x64xi32>
  // CHECK: tile.iota 1 : !tile.tile<32x64xi32>
  %column = tile.iota 1 : !tile.tile<32x64xi32>
  // CHECK: tile.iota 0 : !tile.tile<1xi64>
  %one = tile.iota 0 : !tile.tile<1xi64>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @dim_of_each_axis
tile.kernel @dim_of_each_axis(%A: !tile.view<?x?xbf16>, %B: !tile.view<16x?xf32>) programs(%m, %n) over %A by [8, 8] {
  // CHECK: tile.dim %A, 1 : !tile.view<?x?xbf16>
  %K = tile.dim %A, 1 : !tile.view<?x?xbf16>
  // CHECK: tile.dim %B, 0 : !tile.view<16x?xf32>
  %M = tile.dim %B, 0 : !tile.view<16x?xf32>
  tile.return
}

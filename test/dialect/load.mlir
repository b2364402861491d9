// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @load_with_and_without_pad
tile.kernel @load_with_and_without_pad(%A: !tile.view<?x?xf32>, %low: f32) programs(%m, %n) over %A by [32, 64] {
  // CHECK: tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  %t = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  // CHECK: tile.load %A[%m, %n] pad %low : f32 : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  %p = tile.load %A[%m, %n] pad %low : f32 : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  tile.return
}

#rows = #tile.layout<registers = [[0, 1], [0, 2]], lanes = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warps = [[4, 0]]>
// CHECK-LABEL: tile.kernel @load_in_a_layout
tile.kernel @load_in_a_layout(%A: !tile.view<?x?xf32, strides [?, 1], align 16>) programs(%m, %n) over %A by [8, 32] {
  // CHECK: tile.load %A[%m, %n] : !tile.view<?x?xf32, align 16> -> !tile.tile<8x32xf32, #layout>
  %t = tile.load %A[%m, %n] : !tile.view<?x?xf32, align 16> -> !tile.tile<8x32xf32, #rows>
  tile.return
}

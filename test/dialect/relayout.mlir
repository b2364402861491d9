// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = [[4, 0], [8, 0]]>
// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<registers = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0]], lanes = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = {{\[\[}}4, 0], [8, 0]]>
// CHECK-LABEL: tile.kernel @relayout_to_and_from_open
tile.kernel @relayout_to_and_from_open(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // CHECK: tile.relayout %{{.*}} : !tile.tile<32x64xf32> -> !tile.tile<32x64xf32, #[[ROWS]]>
  %y = tile.relayout %x : !tile.tile<32x64xf32> -> !tile.tile<32x64xf32, #rows>
  // CHECK: tile.relayout %{{.*}} : !tile.tile<32x64xf32, #[[ROWS]]> -> !tile.tile<32x64xf32>
  %z = tile.relayout %y : !tile.tile<32x64xf32, #rows> -> !tile.tile<32x64xf32>
  tile.return
}

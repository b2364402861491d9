// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<registers = {{\[\[}}0, 1]], lanes = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
// CHECK-DAG: #[[WIDE:.*]] = #tile.layout<registers = [], lanes = {{\[\[}}1], [2], [4], [0], [0]], warps = [], digits = [0 by 13 in register]>
// CHECK-DAG: #[[THREE:.*]] = #tile.layout<registers = [], lanes = {{\[\[}}1], [2], [4], [8], [16]], warps = {{\[\[}}32], [0]], digits = [0 by 3 in warp]>
// CHECK-DAG: #[[SPARE:.*]] = #tile.layout<registers = [], lanes = {{\[\[}}1], [2], [4], [8], [16]], warps = [], digits = [-1 by 3 in warp]>
#rows = #tile.layout<registers = [[0, 1]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#wide = #tile.layout<registers = [], lanes = [[1], [2], [4], [0], [0]], warps = [], digits = [0 by 13 in register]>
#three = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [[32], [0]], digits = [0 by 3 in warp]>
#spare = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [], digits = [-1 by 3 in warp]>
// CHECK: tile.kernel @layouts_of_tiles
tile.kernel @layouts_of_tiles(%x: f32) programs(%i) in {
  %n = arith.constant 1 : index
  tile.extents %n
} by [1] {
  // CHECK: tile.splat %x : !tile.tile<8x8xf32, #[[ROWS]]>
  %a = tile.splat %x : !tile.tile<8x8xf32, #rows>
  // CHECK: tile.splat %x : !tile.tile<104xf32, #[[WIDE]]>
  %b = tile.splat %x : !tile.tile<104xf32, #wide>
  // Twelve warps hold 192 elements: one warp bit replicates.
  // CHECK: tile.splat %x : !tile.tile<192xf32, #[[THREE]]>
  %c = tile.splat %x : !tile.tile<192xf32, #three>
  // CHECK: tile.splat %x : !tile.tile<32xf32, #[[SPARE]]>
  %d = tile.splat %x : !tile.tile<32xf32, #spare>
  tile.return
}

#line = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
#grid = #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warps = []>
#turned = #tile.layout<registers = [], lanes = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], warps = []>
#flat = #tile.layout<registers = [], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warps = []>
#column = #tile.layout<registers = [], lanes = [[0], [0], [0], [1], [2]], warps = []>
#spread = #tile.layout<registers = [[1, 0]], lanes = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warps = []>
// Shape ops move no element, so the result's layout follows from the source's.
// CHECK: tile.kernel @layouts_through_shape_ops
tile.kernel @layouts_through_shape_ops(%x: f32) programs(%i) in {
  %n = arith.constant 1 : index
  tile.extents %n
} by [1] {
  %a = tile.splat %x : !tile.tile<32xf32, #line>
  // CHECK: tile.reshape
  %b = tile.reshape %a : !tile.tile<32xf32, #line> -> !tile.tile<4x8xf32, #grid>
  // CHECK: tile.transpose
  %c = tile.transpose %b : !tile.tile<4x8xf32, #grid> -> !tile.tile<8x4xf32, #turned>
  // CHECK: tile.expand
  %d = tile.expand %a at [0] : !tile.tile<32xf32, #line> -> !tile.tile<1x32xf32, #flat>
  // CHECK: tile.broadcast
  %e = tile.broadcast %a along [0] : !tile.tile<32xf32, #line> -> !tile.tile<2x32xf32, #spread>
  // CHECK: tile.cast
  %f = tile.cast %b : !tile.tile<4x8xf32, #grid> -> !tile.tile<4x8xf16, #grid>
  // CHECK: tile.reduce
  %g = tile.reduce %b along 1 : !tile.tile<4x8xf32, #grid> -> !tile.tile<4xf32, #column> combine(%l: f32, %r: f32) {
    %sum = arith.addf %l, %r : f32
    tile.yield %sum : f32
  }
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#two = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
// CHECK-LABEL: tile.kernel @slice_of_registers
tile.kernel @slice_of_registers(%n: index) programs(%i) in (%n) by [1] {
  %x = arith.constant dense<1.0> : !tile.tile<16x32xbf16, #two>
  // CHECK: tile.slice %{{.*}} at [0, 16] : !tile.tile<16x32xbf16, #{{.*}}> -> !tile.tile<16x16xbf16, #{{.*}}>
  %h = tile.slice %x at [0, 16] : !tile.tile<16x32xbf16, #two> -> !tile.tile<16x16xbf16, #one>
  tile.return
}

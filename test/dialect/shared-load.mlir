// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = [[4, 0], [8, 0]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<registers = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0]], lanes = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = {{\[\[}}4, 0], [8, 0]]>
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-LABEL: tile.kernel @shared_load_a_buffer
tile.kernel @shared_load_a_buffer(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // CHECK: tile.shared_load %{{.*}} : !tile.shared<32x64xbf16, #[[S]]> -> !tile.tile<32x64xbf16, #[[ROWS]]>
  %t = tile.shared_load %s : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x64xbf16, #rows>
  tile.return
}

#half = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
// CHECK-LABEL: tile.kernel @shared_load_at_offsets
tile.kernel @shared_load_at_offsets(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // CHECK: tile.shared_load %{{.*}} at [0, 32] : !tile.shared<32x64xbf16, #[[S]]> -> !tile.tile<32x32xbf16, #{{.*}}>
  %u = tile.shared_load %s at [0, 32] : !tile.shared<32x64xbf16, #s> -> !tile.tile<32x32xbf16, #half>
  tile.return
}

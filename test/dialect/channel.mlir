// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 64>
#s = #tile.swizzle<order = [1, 0], swizzle = 64>
!ring = !tile.channel<3 x (!tile.shared<128x32xbf16, #s>, !tile.shared<64x32xbf16, #s>)>
// CHECK: tile.kernel @channels(
// CHECK-SAME: a = !tile.channel<3 x (!tile.shared<128x32xbf16, #[[S]]>, !tile.shared<64x32xbf16, #[[S]]>)>
// CHECK-SAME: b = !tile.channel<64 x ()>
tile.kernel @channels(%n: index) programs(%i) in (%n) by [1] attributes {a = !ring, b = !tile.channel<64 x ()>} {
  tile.return
}

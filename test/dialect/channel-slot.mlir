// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-LABEL: tile.kernel @channel_slot_of_a_held_slot
tile.kernel @channel_slot_of_a_held_slot(%write: index, %read: index) programs(%i) in (%write) by [1] {
  %ring = tile.channel_create : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)>
  // CHECK: tile.channel_slot %{{.*}}[%read] : !tile.channel<3 x (!tile.shared<32x64xbf16, #[[S]]>)> -> !tile.shared<32x64xbf16, #[[S]]>
  %h = tile.channel_slot %ring[%read] : !tile.channel<3 x (!tile.shared<32x64xbf16, #s>)> -> !tile.shared<32x64xbf16, #s>
  tile.return
}

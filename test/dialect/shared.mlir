// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-DAG: #[[A:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: #[[B:.*]] = #tile.swizzle<order = [0, 1], pad = 16>
// CHECK-DAG: #[[C:.*]] = #tile.swizzle<order = [0], swizzle = 0>
#N = 8 : index
!s = !tile.shared<128x64xbf16, #tile.swizzle<order = [1, 0], swizzle = 128>>

// CHECK-LABEL: tile.kernel @shared_buffers(
// CHECK-SAME: a = !tile.shared<128x64xbf16, #[[A]]>
// CHECK-SAME: b = !tile.shared<96x8xf64, #[[B]]>
// CHECK-SAME: c = !tile.shared<128x64xbf16, #[[A]]>
// CHECK-SAME: d = !tile.shared<8xf32, #[[C]]>
tile.kernel @shared_buffers(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !tile.shared<128x64xbf16, #tile.swizzle<order = [1, 0], swizzle = 128>>,
  b = !tile.shared<96x8xf64, #tile.swizzle<order = [0, 1], pad = 16>>,
  c = !s,
  d = !tile.shared<[#N] x f32, #tile.swizzle<order = [0], swizzle = 0>>
} {
  tile.return
}

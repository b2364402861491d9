// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-LABEL: tile.kernel @shared_alloc_with_and_without_offset
tile.kernel @shared_alloc_with_and_without_offset(%n: index) programs(%i) in (%n) by [1] {
  // CHECK: tile.shared_alloc : !tile.shared<32x64xbf16, #[[S]]>
  %s = tile.shared_alloc : !tile.shared<32x64xbf16, #s>
  // CHECK: tile.shared_alloc {offset = 4096 : i64} : !tile.shared<32x64xbf16, #[[S]]>
  %t = tile.shared_alloc {offset = 4096 : i64} : !tile.shared<32x64xbf16, #s>
  tile.return
}

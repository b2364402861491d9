// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-DAG: = #tile.swizzle<order = [1, 0], swizzle = 128>
// CHECK-DAG: = #tile.swizzle<order = [0, 1], pad = 16>
// CHECK-DAG: = #tile.swizzle<order = [0, 2, 1], swizzle = 32>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
#p = #tile.swizzle<order = [0, 1], pad = 16>
#t = #tile.swizzle<order = [0, 2, 1], swizzle = 32>
tile.kernel @swizzles(%n: index) programs(%i) in (%n) by [1] {
  %a = tile.shared_alloc : !tile.shared<8x64xf16, #s>
  %b = tile.shared_alloc : !tile.shared<8x64xf16, #p>
  %c = tile.shared_alloc : !tile.shared<16x2x2xf16, #t>
  tile.return
}

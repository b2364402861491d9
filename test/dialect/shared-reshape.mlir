// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#rows = #tile.swizzle<order = [1, 0], swizzle = 0>
#line = #tile.swizzle<order = [0], swizzle = 0>
// CHECK-LABEL: tile.kernel @shared_reshape_rows_to_a_line
tile.kernel @shared_reshape_rows_to_a_line(%n: index) programs(%i) in (%n) by [1] {
  %s = tile.shared_alloc : !tile.shared<8x96xf32, #rows>
  // CHECK: tile.shared_reshape %{{.*}} : !tile.shared<8x96xf32, #{{.*}}> -> !tile.shared<768xf32, #{{.*}}>
  %f = tile.shared_reshape %s : !tile.shared<8x96xf32, #rows> -> !tile.shared<768xf32, #line>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @extents_of_a_computed_space
tile.kernel @extents_of_a_computed_space(%n: index) programs(%i, %j) in {
  %c2 = arith.constant 2 : index
  %rows = arith.muli %n, %c2 : index
  %columns = arith.addi %n, %c2 : index
  // CHECK: tile.extents %{{.*}}, %{{.*}}
  tile.extents %rows, %columns
} by [1, 1] {
  tile.return
}

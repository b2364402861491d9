// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @return_ends_the_program
tile.kernel @return_ends_the_program(%n: index) programs(%i) in (%n) by [1] {
  // CHECK-NEXT: tile.return
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: tile.kernel @barrier_stays
tile.kernel @barrier_stays(%n: index) programs(%i) in (%n) by [1] {
  // CHECK: tile.barrier
  tile.barrier
  tile.return
}

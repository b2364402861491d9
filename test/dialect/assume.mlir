// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @assume_divisible_and_range
tile.kernel @assume_divisible_and_range(%m: index) programs(%i) in (%m) by [1] {
  // CHECK: tile.assume %m divisible 8 range [0, 65536]
  %n = tile.assume %m divisible 8 range [0, 65536]
  // CHECK: tile.assume %{{.*}} divisible 64
  %p = tile.assume %n divisible 64
  // CHECK: tile.assume %{{.*}} range [-1, -1]
  %q = tile.assume %p range [-1, -1]
  tile.return
}

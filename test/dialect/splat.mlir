// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @splat_of_every_kind
tile.kernel @splat_of_every_kind(%A: !tile.view<?xf32>, %s: f32, %n: i64, %p: i1, %q: f8E4M3FN) programs(%m) over %A by [8] {
  // CHECK: tile.splat %s : !tile.tile<32x64xf32>
  %t = tile.splat %s : !tile.tile<32x64xf32>
  // CHECK: tile.splat %n : !tile.tile<1xi64>
  %u = tile.splat %n : !tile.tile<1xi64>
  // CHECK: tile.splat %p : !tile.tile<8x2x4xi1>
  %v = tile.splat %p : !tile.tile<8x2x4xi1>
  // CHECK: tile.splat %q : !tile.tile<208xf8E4M3FN>
  %w = tile.splat %q : !tile.tile<208xf8E4M3FN>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @yield_ends_a_combine_region
tile.kernel @yield_ends_a_combine_region(%A: !tile.view<?xi32>) programs(%m) over %A by [8] {
  %x = tile.load %A[%m] : !tile.view<?xi32> -> !tile.tile<8xi32>
  %sum = tile.reduce %x along 0 : !tile.tile<8xi32> -> i32 combine(%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    // CHECK: tile.yield %{{.*}} : i32
    tile.yield %c : i32
  }
  tile.return
}

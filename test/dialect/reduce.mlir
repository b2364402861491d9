// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @reduce_one_operand
tile.kernel @reduce_one_operand(%A: !tile.view<?xf32>, %s: f32) programs(%m) over %A by [8] {
  %x = tile.splat %s : !tile.tile<32x64xf32>
  // CHECK: tile.reduce %{{.*}} along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%{{.*}}: f32, %{{.*}}: f32) {
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: tile.yield %{{.*}} : f32
  // CHECK-NEXT: }
  %sum = tile.reduce %x along 1 : !tile.tile<32x64xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // CHECK: tile.reduce %{{.*}} along 0 : !tile.tile<32xf32> -> f32 combine
  %all = tile.reduce %sum along 0 : !tile.tile<32xf32> -> f32 combine(%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    tile.yield %c : f32
  }
  tile.return
}

// The largest element of every row and where it is: value and column are reduced together.
// CHECK-LABEL: tile.kernel @reduce_several_operands
tile.kernel @reduce_several_operands(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [32, 64] {
  %x = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  %i = tile.iota 1 : !tile.tile<32x64xi32>
  // CHECK: %{{.*}}:2 = tile.reduce %{{.*}}, %{{.*}} along 1 : !tile.tile<32x64xf32>, !tile.tile<32x64xi32> -> !tile.tile<32xf32>, !tile.tile<32xi32> combine(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32) {
  %max:2 = tile.reduce %x, %i along 1 : !tile.tile<32x64xf32>, !tile.tile<32x64xi32> -> !tile.tile<32xf32>, !tile.tile<32xi32> combine(%v: f32, %j: i32, %w: f32, %k: i32) {
    %gt = arith.cmpf ogt, %v, %w : f32
    %eq = arith.cmpf oeq, %v, %w : f32
    %first = arith.cmpi slt, %j, %k : i32
    %tie = arith.andi %eq, %first : i1
    %left = arith.ori %gt, %tie : i1
    %value = arith.select %left, %v, %w : f32
    %column = arith.select %left, %j, %k : i32
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %value, %column : f32, i32
  }
  tile.return
}

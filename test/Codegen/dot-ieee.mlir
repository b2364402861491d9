// RUN: tilec %s -o - | FileCheck %s
// RUN: tilec %s --arch sm_90a -o - | FileCheck %s

// f32 operands as they are: no matrix instruction, no rounding to tf32, one fused multiply-add for each product.
// CHECK-LABEL: .visible .entry dot_ieee(
// CHECK-NOT: mma.sync
// CHECK-NOT: tf32
// CHECK-COUNT-128: fma.rn.f32
// CHECK-LABEL: .visible .entry dot_ieee__general(
tile.kernel @dot_ieee(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>, %C: !tile.view<?x?xf32>)
    programs(%m, %n) over %C by [32, 32] schedule {warps = 4} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %K = tile.dim %A, 1 : !tile.view<?x?xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %sum = scf.for %k = %c0 to %K step %c16 iter_args(%c = %zero) -> (!tile.tile<32x32xf32>) {
    %a = tile.load %A[%m, %k] : !tile.view<?x?xf32> -> !tile.tile<32x16xf32>
    %b = tile.load %B[%k, %n] : !tile.view<?x?xf32> -> !tile.tile<16x32xf32>
    %d = tile.dot %a, %b, %c : !tile.tile<32x16xf32>, !tile.tile<16x32xf32>, !tile.tile<32x32xf32>
    scf.yield %d : !tile.tile<32x32xf32>
  }
  tile.store %sum, %C[%m, %n] : !tile.tile<32x32xf32>, !tile.view<?x?xf32>
  tile.return
}

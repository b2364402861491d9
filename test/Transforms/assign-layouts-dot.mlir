// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan,tile-assign-layouts))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan,tile-assign-layouts,tile-assign-layouts))' | FileCheck %s
// Dots: operands by the matrix instruction, accumulators without a relayout in the loop, epilogues in their layout.

// 64x64 over 2 x 2 warps of 32x32, instructions of 16x8x16
// CHECK-DAG: [[ACC:#.*]] = #tile.layout<registers = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = {{\[\[}}32, 0], [0, 32]]>
// CHECK-DAG: [[LHS:#.*]] = #tile.layout<registers = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = {{\[\[}}32, 0], [0, 0]]>
// CHECK-DAG: [[RHS:#.*]] = #tile.layout<registers = {{\[\[}}1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lanes = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = {{\[\[}}0, 0], [0, 32]]>
// One bias value for each column that the accumulator has in a thread
// CHECK-DAG: [[BIAS:#.*]] = #tile.layout<registers = {{\[\[}}1], [8], [16]], lanes = {{\[\[}}2], [4], [0], [0], [0]], warps = {{\[\[}}0], [32]]>
// Eight bf16 for each thread and access
// CHECK-DAG: [[ROWS:#.*]] = #tile.layout<registers = {{\[\[}}0, 1], [0, 2], [0, 4], [32, 0]], lanes = {{\[\[}}0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = {{\[\[}}8, 0], [16, 0]]>
// CHECK-DAG: [[OUT:#.*]] = #tile.layout<registers = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lanes = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warps = {{\[\[}}4, 0], [8, 0]]>

!v = !tile.view<?x?xbf16, align 16>
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @epilogue
tile.kernel @epilogue(%A: !v, %B: !v, %bias: !tile.view<?xbf16>, %R: !v, %C: !v) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %K = tile.dim %A, 1 : !v
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : !tile.tile<64x64xf32, [[ACC]]>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %[[ZERO]]) -> (!tile.tile<64x64xf32, [[ACC]]>)
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (!tile.tile<64x64xf32>) {
    // CHECK-NEXT: %[[A:.*]] = tile.load {{.*}} -> !tile.tile<64x32xbf16, [[ROWS]]>
    // CHECK-NEXT: %[[FRAGA:.*]] = tile.relayout %[[A]] : {{.*}} -> !tile.tile<64x32xbf16, [[LHS]]>
    %a = tile.load %A[%m, %k] : !v -> !tile.tile<64x32xbf16>
    // CHECK-NEXT: %[[B:.*]] = tile.load {{.*}} -> !tile.tile<64x32xbf16, [[ROWS]]>
    %b = tile.load %B[%n, %k] : !v -> !tile.tile<64x32xbf16>
    // CHECK-NEXT: %[[BT:.*]] = tile.transpose %[[B]]
    // CHECK-NEXT: %[[FRAGB:.*]] = tile.relayout %[[BT]] : {{.*}} -> !tile.tile<32x64xbf16, [[RHS]]>
    %bt = tile.transpose %b : !tile.tile<64x32xbf16> -> !tile.tile<32x64xbf16>
    // CHECK-NEXT: %[[D:.*]] = tile.dot %[[FRAGA]], %[[FRAGB]], %[[C]]
    %next = tile.dot %a, %bt, %c : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
    // CHECK-NEXT: scf.yield %[[D]]
    scf.yield %next : !tile.tile<64x64xf32>
  }
  // CHECK-NOT: tile.relayout
  // CHECK: tile.load %bias{{.*}} -> !tile.tile<64xbf16, [[BIAS]]>
  %r = tile.load %bias[%n] : !tile.view<?xbf16> -> !tile.tile<64xbf16>
  %rf = tile.cast %r : !tile.tile<64xbf16> -> !tile.tile<64xf32>
  %rb = tile.broadcast %rf along [0] : !tile.tile<64xf32> -> !tile.tile<64x64xf32>
  %y = arith.addf %sum, %rb : !tile.tile<64x64xf32>
  %z = arith.maximumf %y, %zero : !tile.tile<64x64xf32>
  // The residual is loaded as the accumulator lies: two neighbours are one word.
  // CHECK: tile.load %R{{.*}} -> !tile.tile<64x64xbf16, [[ACC]]>
  // CHECK-NOT: tile.relayout
  %res = tile.load %R[%m, %n] : !v -> !tile.tile<64x64xbf16>
  %resf = tile.cast %res : !tile.tile<64x64xbf16> -> !tile.tile<64x64xf32>
  %w = arith.addf %z, %resf : !tile.tile<64x64xf32>
  // CHECK: %[[O:.*]] = tile.cast {{.*}} -> !tile.tile<64x64xbf16, [[ACC]]>
  // CHECK-NEXT: %[[S:.*]] = tile.relayout %[[O]] : {{.*}} -> !tile.tile<64x64xbf16, [[OUT]]>
  // CHECK-NEXT: tile.store %[[S]]
  %o = tile.cast %w : !tile.tile<64x64xf32> -> !tile.tile<64x64xbf16>
  tile.store %o, %C[%m, %n] : !tile.tile<64x64xbf16>, !v
  tile.return
}

// Two f32 in each of four lanes are a whole sector: stored as they are.
// CHECK-LABEL: tile.kernel @f32_result
// CHECK: tile.dot
// CHECK-NOT: tile.relayout
tile.kernel @f32_result(%A: !v, %C: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %C by [64, 64] {
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %n] : !v -> !tile.tile<64x64xbf16>
  %d = tile.dot %a, %a, %zero : !tile.tile<64x64xbf16>, !tile.tile<64x64xbf16>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// Elementwise ops on an operand happen where it was loaded; one relayout follows.
// CHECK-LABEL: tile.kernel @scaled_operand
// CHECK: %[[F8:.*]] = tile.load {{.*}} -> !tile.tile<64x64xf16, [[L:#.*]]>
// CHECK-NEXT: %[[B:.*]] = tile.relayout %[[F8]]
// CHECK-NEXT: %[[X:.*]] = arith.mulf %[[F8]], %[[F8]] : !tile.tile<64x64xf16, [[L]]>
// CHECK-NEXT: %[[A:.*]] = tile.relayout %[[X]]
// CHECK-NEXT: tile.dot %[[A]], %[[B]]
// CHECK-NOT: tile.relayout
tile.kernel @scaled_operand(%A: !tile.view<?x?xf16, align 16>, %C: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %C by [64, 64] {
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf16, align 16> -> !tile.tile<64x64xf16>
  %x = arith.mulf %a, %a : !tile.tile<64x64xf16>
  %d = tile.dot %x, %a, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16>, !tile.tile<64x64xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// An operand of constants and coordinates is made in place; with whole rows to a warp, an accumulator's layout is that of
// the next dot's left operand.
// CHECK-LABEL: tile.kernel @chained
// CHECK: tile.iota
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @chained(%C: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %C by [64, 64] {
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %one = arith.constant dense<1.0> : !tile.tile<64x64xf16>
  %i = tile.iota 1 : !tile.tile<64x64xi32>
  %x = tile.cast %i : !tile.tile<64x64xi32> -> !tile.tile<64x64xf16>
  %s = tile.dot %one, %x, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16>, !tile.tile<64x64xf32>
  %p = tile.cast %s : !tile.tile<64x64xf32> -> !tile.tile<64x64xf16>
  %o = tile.dot %p, %x, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16>, !tile.tile<64x64xf32>
  tile.store %o, %C[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// Small and odd extents; dead positions are the instruction's.
// CHECK-LABEL: tile.kernel @small
// CHECK: tile.dot {{.*}} : !tile.tile<4x8xf16, {{.*}}>, !tile.tile<8x96xf16, {{.*}}>, !tile.tile<4x96xf32, {{.*}}>
tile.kernel @small(%A: !tile.view<?x?xf16>, %B: !tile.view<?x?xf16>, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [4, 96] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<4x96xf32>
  %a = tile.load %A[%m, %c0] : !tile.view<?x?xf16> -> !tile.tile<4x8xf16>
  %b = tile.load %B[%c0, %n] : !tile.view<?x?xf16> -> !tile.tile<8x96xf16>
  %d = tile.dot %a, %b, %zero : !tile.tile<4x8xf16>, !tile.tile<8x96xf16>, !tile.tile<4x96xf32>
  tile.store %d, %C[%m, %n] : !tile.tile<4x96xf32>, !tile.view<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @kinds
// CHECK-COUNT-3: tile.dot
tile.kernel @kinds(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf64>, %C: !tile.view<?x?xi8>, %D: !tile.view<?x?xi32>) programs(%m, %n) over %D by [32, 32] {
  %z32 = arith.constant dense<0.0> : !tile.tile<32x32xf32>
  %z64 = arith.constant dense<0.0> : !tile.tile<32x32xf64>
  %zi = arith.constant dense<0> : !tile.tile<32x32xi32>
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32>
  %b = tile.load %B[%m, %n] : !tile.view<?x?xf64> -> !tile.tile<32x32xf64>
  %c = tile.load %C[%m, %n] : !tile.view<?x?xi8> -> !tile.tile<32x32xi8>
  %x = tile.dot %a, %a, %z32 precision tf32 : !tile.tile<32x32xf32>, !tile.tile<32x32xf32>, !tile.tile<32x32xf32>
  %y = tile.dot %b, %b, %z64 : !tile.tile<32x32xf64>, !tile.tile<32x32xf64>, !tile.tile<32x32xf64>
  %z = tile.dot %c, %c, %zi : !tile.tile<32x32xi8>, !tile.tile<32x32xi8>, !tile.tile<32x32xi32>
  tile.store %x, %A[%m, %n] : !tile.tile<32x32xf32>, !tile.view<?x?xf32>
  tile.store %y, %B[%m, %n] : !tile.tile<32x32xf64>, !tile.view<?x?xf64>
  tile.store %z, %D[%m, %n] : !tile.tile<32x32xi32>, !tile.view<?x?xi32>
  tile.return
}
}

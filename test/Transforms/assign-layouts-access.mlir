// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-assign-layouts))' | FileCheck %s
// Loads and stores: vectors as wide as alignment and offsets allow, the contiguous dimension first.

// CHECK-DAG: [[WIDE:#.*]] = #tile.layout<registers = {{\[\[}}1], [2], [4]], lanes = {{\[\[}}8], [16], [32], [64], [128]], warps = {{\[\[}}256], [512]]>
// CHECK-DAG: [[TWO:#.*]] = #tile.layout<registers = {{\[\[}}1], [256], [512]], lanes = {{\[\[}}2], [4], [8], [16], [32]], warps = {{\[\[}}64], [128]]>
// CHECK-DAG: [[ONE:#.*]] = #tile.layout<registers = {{\[\[}}128], [256], [512]], lanes = {{\[\[}}1], [2], [4], [8], [16]], warps = {{\[\[}}32], [64]]>

!v = !tile.view<?xbf16, align 16>
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @vectors
tile.kernel @vectors(%A: !v, %B: !tile.view<?xbf16, align 4>, %C: !tile.view<?xbf16>, %n: index) programs(%m) over %A by [1024] {
  // CHECK: tile.load %A[%m] {{.*}} -> !tile.tile<1024xbf16, [[WIDE]]>
  %a = tile.load %A[%m] : !v -> !tile.tile<1024xbf16>
  tile.store %a, %A[%m] : !tile.tile<1024xbf16>, !v
  // CHECK: tile.load %B[%m] {{.*}} -> !tile.tile<1024xbf16, [[TWO]]>
  %b = tile.load %B[%m] : !tile.view<?xbf16, align 4> -> !tile.tile<1024xbf16>
  tile.store %b, %A[%m] : !tile.tile<1024xbf16>, !v
  // CHECK: tile.load %C[%m] {{.*}} -> !tile.tile<1024xbf16, [[ONE]]>
  %c = tile.load %C[%m] : !tile.view<?xbf16> -> !tile.tile<1024xbf16>
  tile.store %c, %C[%m] : !tile.tile<1024xbf16>, !tile.view<?xbf16>
  // An offset that is known to be even: pairs.
  // CHECK: tile.load %A[{{.*}} -> !tile.tile<1024xbf16, [[TWO]]>
  %even = tile.assume %n divisible 2
  %offset = arith.addi %m, %even : index
  %d = tile.load %A[%offset] : !v -> !tile.tile<1024xbf16>
  tile.store %d, %A[%offset] : !tile.tile<1024xbf16>, !v
  // CHECK: tile.load %A[%n] {{.*}} -> !tile.tile<1024xbf16, [[ONE]]>
  %e = tile.load %A[%n] : !v -> !tile.tile<1024xbf16>
  tile.store %e, %A[%n] : !tile.tile<1024xbf16>, !v
  // CHECK-NOT: tile.relayout
  tile.return
}

// The row-major load and the transposed store are both coalesced; one relayout lies between.
// CHECK-LABEL: tile.kernel @transposition
// CHECK: %[[A:.*]] = tile.load {{.*}} -> !tile.tile<64x64xf32, [[L:#.*]]>
// CHECK-NEXT: %[[T:.*]] = tile.transpose %[[A]]
// CHECK-NEXT: %[[R:.*]] = tile.relayout %[[T]] : {{.*}} -> !tile.tile<64x64xf32, [[L]]>
// CHECK-NEXT: tile.store %[[R]]
tile.kernel @transposition(%A: !tile.view<?x?xf32, align 16>, %B: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %A by [64, 64] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32, align 16> -> !tile.tile<64x64xf32>
  %t = tile.transpose %a : !tile.tile<64x64xf32> -> !tile.tile<64x64xf32>
  tile.store %t, %B[%n, %m] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// Column-major on both sides: nothing to convert.
// CHECK-LABEL: tile.kernel @column_major
// CHECK-NOT: tile.relayout
// CHECK: tile.return
tile.kernel @column_major(%A: !tile.view<?x?xf32, strides [1, ?], align 16>, %B: !tile.view<?x?xf32, align 16>) programs(%m, %n) over %A by [64, 64] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32, strides [1, ?], align 16> -> !tile.tile<64x64xf32>
  %t = tile.transpose %a : !tile.tile<64x64xf32> -> !tile.tile<64x64xf32>
  tile.store %t, %B[%n, %m] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}

// The sum of a row-major and a column-major tile: one of them is converted, right after its load.
// CHECK-LABEL: tile.kernel @mixed_orders
// CHECK: %[[A:.*]] = tile.load %A
// CHECK-NEXT: %[[B:.*]] = tile.load %B
// CHECK-NEXT: %[[R:.*]] = tile.relayout %[[B]]
// CHECK-NEXT: arith.addf %[[A]], %[[R]]
// CHECK-NEXT: arith.mulf %[[A]], %[[R]]
// CHECK-NOT: tile.relayout
tile.kernel @mixed_orders(%A: !tile.view<?x?xf32, align 16>, %B: !tile.view<?x?xf32, strides [1, ?], align 16>) programs(%m, %n) over %A by [64, 64] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32, align 16> -> !tile.tile<64x64xf32>
  %b = tile.load %B[%m, %n] : !tile.view<?x?xf32, strides [1, ?], align 16> -> !tile.tile<64x64xf32>
  %s = arith.addf %a, %b : !tile.tile<64x64xf32>
  %p = arith.mulf %a, %b : !tile.tile<64x64xf32>
  tile.store %s, %A[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.store %p, %A[%n, %m] : !tile.tile<64x64xf32>, !tile.view<?x?xf32, align 16>
  tile.return
}
}

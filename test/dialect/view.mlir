// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

#N = 100 : index
!v = !tile.view<?x?xbf16>
!w = !tile.view<?x128xf32, strides [?, 1], align 16>
!packed = !tile.view<?x?xf4E2M1FN>

// CHECK-LABEL: tile.kernel @view_with_and_without_clauses(
// CHECK-SAME: a = !tile.view<?x?xbf16>
// CHECK-SAME: b = !tile.view<?x128xf32, align 16>
// CHECK-SAME: c = !tile.view<?x?xf32, strides [1, ?]>
// CHECK-SAME: d = !tile.view<4x8xf32, strides [8, 1]>
// CHECK-SAME: e = !tile.view<?x?xf32, strides [0, 1], align 4>
// CHECK-SAME: f = !tile.view<?xi1>
// CHECK-SAME: g = !tile.view<?x?x?x?x?xf8E5M2, align 4096>
// CHECK-SAME: h = !tile.view<200x?xf64>
// CHECK-SAME: i = !tile.view<7x3xf32>
// CHECK-SAME: j = !tile.view<?xf32, align 8>
// CHECK-SAME: k = !tile.view<?x?xbf16>
// CHECK-SAME: l = !tile.view<?x128xf32, align 16>
// CHECK-SAME: m = !tile.view<?x?xf4E2M1FN>
// CHECK-SAME: n = !tile.view<?x12xf6E2M3FN, align 1>
// CHECK-SAME: o = !tile.view<64x32xi4, strides [1, 64], align 32>
// CHECK-SAME: p = !tile.view<?x?xf6E3M2FN, strides [1, 0]>
tile.kernel @view_with_and_without_clauses(%n: index) programs(%i) in (%n) by [1] attributes {
  a = !tile.view<?x?xbf16>,
  b = !tile.view<?x128xf32, strides [?, 1], align 16>,
  c = !tile.view<?x?xf32, strides [1, ?]>,
  d = !tile.view<4x8xf32, strides [8, 1]>,
  e = !tile.view<?x?xf32, strides [0, 1], align 4>,
  f = !tile.view<?xi1>,
  g = !tile.view<?x?x?x?x?xf8E5M2, align 4096>,
  h = !tile.view<[#N * 2, ?] x f64>,
  i = !tile.view<7x3xf32>,
  j = !tile.view<?xf32, align 8, strides [1]>,
  k = !v,
  l = !w,
  m = !packed,
  n = !tile.view<?x12xf6E2M3FN, align 1>,
  o = !tile.view<64x32xi4, strides [1, 64], align 32>,
  p = !tile.view<?x?xf6E3M2FN, strides [1, 0]>
} {
  tile.return
}

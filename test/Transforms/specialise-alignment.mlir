// RUN: tile-opt %s --tile-specialise-alignment | FileCheck %s
// RUN: tile-opt %s --tile-specialise-alignment --tile-specialise-alignment | FileCheck %s

!v = !tile.view<?x?xf32>
!t = !tile.tile<32x64xf32>

// CHECK: tile.kernel @copy(%A: !tile.view<?x?xf32, align 16>, %B: !tile.view<?x?xf32, align 16>)
// CHECK-SAME: programs(%m, %n) over %B by [32, 64]
// CHECK-SAME: attributes {max_index = 2146435071 : i64}
// CHECK: tile.load %A[%m, %n] : !tile.view<?x?xf32, align 16>
// CHECK: tile.kernel @copy__general(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>)
// CHECK-NOT: max_index
// CHECK: tile.load %A[%m, %n] : !tile.view<?x?xf32> ->
tile.kernel @copy(%A: !v, %B: !v) programs(%m, %n) over %B by [32, 64] {
  %t = tile.load %A[%m, %n] : !v -> !t
  tile.store %t, %B[%m, %n] : !t, !v
  tile.return
}

// A static stride bounds what can be promised: 6 · 4 bytes are a multiple of 8, not of 16.
// CHECK: tile.kernel @static_stride(%A: !tile.view<?x6xf32, strides [6, 1], align 8>, %B: !tile.view<?x6xf32, strides [8, 1], align 32>)
// CHECK: tile.kernel @static_stride__general(%A: !tile.view<?x6xf32, strides [6, 1]>, %B: !tile.view<?x6xf32, strides [8, 1], align 32>)
tile.kernel @static_stride(%A: !tile.view<?x6xf32, strides [6, 1]>, %B: !tile.view<?x6xf32, strides [8, 1], align 32>)
    programs(%m, %n) over %A by [32, 8] {
  %t = tile.load %A[%m, %n] : !tile.view<?x6xf32, strides [6, 1]> -> !tile.tile<32x8xf32>
  tile.return
}

// CHECK: tile.kernel @negative_selected(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>, %C: !tile.view<?x?xf32, align 16>, %first: i1)
tile.kernel @negative_selected(%A: !v, %B: !v, %C: !v, %first: i1) programs(%m, %n) over %C by [32, 64] {
  %from = scf.if %first -> !v {
    scf.yield %A : !v
  } else {
    scf.yield %B : !v
  }
  %t = tile.load %from[%m, %n] : !v -> !t
  tile.store %t, %C[%m, %n] : !t, !v
  tile.return
}

// CHECK: tile.kernel @scalars_only(%n: index) programs(%i) in (%n) by [1] attributes {max_index = 2146435071 : i64}
// CHECK: tile.kernel @scalars_only__general(%n: index) programs(%i) in (%n) by [1] {
// CHECK-NOT: tile.kernel
tile.kernel @scalars_only(%n: index) programs(%i) in (%n) by [1] {
  tile.return
}

// The bytes of a packed view are as aligned as the view. A stride of 40 elements of four bits is 20 bytes.
// CHECK: tile.kernel @packed(%A: !tile.view<?x?xf4E2M1FN, align 16>, %B: !tile.view<?x64xi4, strides [40, 1], align 4>)
// CHECK: tile.packed_view %A : !tile.view<?x?xf4E2M1FN, align 16> -> !tile.view<?x?xi8, align 16>
// CHECK: tile.load %{{.*}} : !tile.view<?x?xi8, align 16>
// CHECK: tile.kernel @packed__general(%A: !tile.view<?x?xf4E2M1FN>,
// CHECK: tile.packed_view %A : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
tile.kernel @packed(%A: !tile.view<?x?xf4E2M1FN>, %B: !tile.view<?x64xi4, strides [40, 1]>) programs(%m, %n) over %A by [32, 64] {
  %p = tile.packed_view %A : !tile.view<?x?xf4E2M1FN> -> !tile.view<?x?xi8>
  %t = tile.load %p[%m, %n] : !tile.view<?x?xi8> -> !tile.tile<32x64xi8>
  tile.store %t, %p[%m, %n] : !tile.tile<32x64xi8>, !tile.view<?x?xi8>
  %b = tile.load %B[%m, %n] : !tile.view<?x64xi4, strides [40, 1]> -> !tile.tile<32x64xi4>
  tile.return
}

// A row of four bytes needs no more than an alignment to four, so that launches with few scales take the fast variant too.
// CHECK: tile.kernel @narrow_rows(%A: !tile.view<?x?xi8, align 4>, %B: !tile.view<?x?xi8, strides [1, ?], align 16>)
tile.kernel @narrow_rows(%A: !tile.view<?x?xi8>, %B: !tile.view<?x?xi8, strides [1, ?]>) programs(%m, %n) over %A by [32, 4] {
  %t = tile.load %A[%m, %n] : !tile.view<?x?xi8> -> !tile.tile<32x4xi8>
  tile.store %t, %B[%m, %n] : !tile.tile<32x4xi8>, !tile.view<?x?xi8, strides [1, ?]>
  tile.return
}

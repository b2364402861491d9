// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @copy(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [32, 64] {
tile.kernel @copy(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [32, 64] {
  // CHECK-NEXT: tile.load %A[%m, %n]
  %t = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  // CHECK-NEXT: tile.store %{{.*}}, %B[%m, %n]
  tile.store %t, %B[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  // CHECK-NEXT: tile.return
  tile.return
}

// CHECK-LABEL: tile.kernel @space_of_index_arguments(%rows: index, %columns: index) programs(%m, %n) in (%rows, %columns) by [32, 1] {
tile.kernel @space_of_index_arguments(%rows: index, %columns: index) programs(%m, %n) in (%rows, %columns) by [32, 1] {
  tile.return
}

// CHECK-LABEL: tile.kernel @space_of_one_argument_twice(%n: index) programs(%i, %j) in (%n, %n) by [8, 8] {
tile.kernel @space_of_one_argument_twice(%n: index) programs(%i, %j) in (%n, %n) by [8, 8] {
  tile.return
}

// CHECK-LABEL: tile.kernel @space_region(%A: !tile.view<?x?xf32>, %batch: i32) programs(%b, %m) in {
tile.kernel @space_region(%A: !tile.view<?x?xf32>, %batch: i32) programs(%b, %m) in {
  // CHECK-NEXT: %[[B:.*]] = arith.index_cast %batch : i32 to index
  // CHECK-NEXT: %[[D:.*]] = tile.dim %A, 0
  // CHECK-NEXT: %[[C:.*]] = arith.constant 2 : index
  // CHECK-NEXT: %[[H:.*]] = arith.ceildivui %[[D]], %[[C]] : index
  // CHECK-NEXT: tile.extents %[[B]], %[[H]]
  // CHECK-NEXT: } by [1, 64] {
  %n = arith.index_cast %batch : i32 to index
  %rows = tile.dim %A, 0 : !tile.view<?x?xf32>
  %c2 = arith.constant 2 : index
  %half = arith.ceildivui %rows, %c2 : index
  tile.extents %n, %half
} by [1, 64] {
  tile.return
}

// Dims in another order than the view's are no short form.
// CHECK-LABEL: tile.kernel @space_of_transposed_view(%A: !tile.view<?x?xf32>) programs(%n, %m) in {
tile.kernel @space_of_transposed_view(%A: !tile.view<?x?xf32>) programs(%n, %m) in {
  %rows = tile.dim %A, 1 : !tile.view<?x?xf32>
  %columns = tile.dim %A, 0 : !tile.view<?x?xf32>
  tile.extents %rows, %columns
} by [8, 8] {
  tile.return
}

#BM = 128 : index
#BN = 64 : index
#WIDE = true
// CHECK-LABEL: tile.kernel @every_clause(
// CHECK-SAME: by [128, 32] tune {BM = 128 : index in [64, 128, 256], BN = 64 : index in [64 : index, 128 : index], WIDE = true in [true, false], other = "a" in ["a", "b"]}
// CHECK-SAME: schedule {order = "rows", stages = 3 : i64} plan {persistent, warps = 4 : i64} attributes {note = "kept"} {
tile.kernel @every_clause(%A: !tile.view<?x?xf32>) programs(%m, %n) over %A by [#BM, (#BN * 2) ceildiv 4]
    tune {#BM in [64, 128, 256], #BN in [64 : index, 128 : index], #WIDE in [true, false], other = "a" in ["a", "b"]}
    schedule {stages = 3, order = "rows"} plan {warps = 4, persistent} attributes {note = "kept"} {
  tile.return
}

// CHECK-LABEL: tile.kernel @arguments_of_every_kind(
// CHECK-SAME: %v: !tile.view<?xbf16>, %x: !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>,
// CHECK-SAME: %i: index, %j: i1, %k: i64, %f: f16, %g: f64, %h: f8E5M2) programs(%p) over %v by [8] {
tile.kernel @arguments_of_every_kind(%v: !tile.view<?xbf16>, %x: !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>,
    %i: index, %j: i1, %k: i64, %f: f16, %g: f64, %h: f8E5M2) programs(%p) over %v by [8] {
  tile.return
}

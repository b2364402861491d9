// RUN: tile-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @splat_of_a_constant
tile.kernel @splat_of_a_constant(%B: !tile.view<?xf32>) programs(%m) over %B by [8] {
  // CHECK: %[[C:.*]] = arith.constant dense<1.500000e+00> : !tile.tile<8xf32>
  // CHECK-NEXT: tile.store %[[C]]
  %c = arith.constant 1.5 : f32
  %t = tile.splat %c : !tile.tile<8xf32>
  tile.store %t, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @no_fold_splat_of_an_argument
tile.kernel @no_fold_splat_of_an_argument(%B: !tile.view<?xf32>, %s: f32) programs(%m) over %B by [8] {
  // CHECK: tile.splat %s
  %t = tile.splat %s : !tile.tile<8xf32>
  tile.store %t, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @reshape_to_the_same_shape
tile.kernel @reshape_to_the_same_shape(%B: !tile.view<?xf32>) programs(%m) over %B by [8] {
  // CHECK-NEXT: %[[T:.*]] = tile.load
  // CHECK-NEXT: tile.store %[[T]]
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  %r = tile.reshape %t : !tile.tile<8xf32> -> !tile.tile<8xf32>
  tile.store %r, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @reshape_of_a_constant
tile.kernel @reshape_of_a_constant(%B: !tile.view<?xi32>) programs(%m) over %B by [8] {
  // CHECK: arith.constant dense<[1, 2, 3, 4]> : !tile.tile<4xi32>
  // CHECK-NOT: tile.reshape
  %c = arith.constant dense<[[1, 2], [3, 4]]> : !tile.tile<2x2xi32>
  %r = tile.reshape %c : !tile.tile<2x2xi32> -> !tile.tile<4xi32>
  tile.store %r, %B[%m] : !tile.tile<4xi32>, !tile.view<?xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @no_fold_reshape
tile.kernel @no_fold_reshape(%B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [2, 8] {
  // CHECK: tile.reshape
  %t = tile.load %B[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<2x8xf32>
  %r = tile.reshape %t : !tile.tile<2x8xf32> -> !tile.tile<8x2xf32>
  tile.store %r, %B[%m, %n] : !tile.tile<8x2xf32>, !tile.view<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @transpose_there_and_back
tile.kernel @transpose_there_and_back(%B: !tile.view<?x?x?xf32>) programs(%l, %m, %n) over %B by [2, 4, 8] {
  // CHECK-NEXT: %[[T:.*]] = tile.load
  // CHECK-NEXT: tile.store %[[T]]
  %t = tile.load %B[%l, %m, %n] : !tile.view<?x?x?xf32> -> !tile.tile<2x4x8xf32>
  %u = tile.transpose %t permutation [2, 0, 1] : !tile.tile<2x4x8xf32> -> !tile.tile<8x2x4xf32>
  %v = tile.transpose %u permutation [1, 2, 0] : !tile.tile<8x2x4xf32> -> !tile.tile<2x4x8xf32>
  tile.store %v, %B[%l, %m, %n] : !tile.tile<2x4x8xf32>, !tile.view<?x?x?xf32>
  tile.return
}

// The shape comes back, the axes do not.
// CHECK-LABEL: tile.kernel @no_fold_transpose_of_a_cube
tile.kernel @no_fold_transpose_of_a_cube(%B: !tile.view<?x?x?xf32>) programs(%l, %m, %n) over %B by [8, 8, 8] {
  // CHECK-COUNT-2: tile.transpose
  %t = tile.load %B[%l, %m, %n] : !tile.view<?x?x?xf32> -> !tile.tile<8x8x8xf32>
  %u = tile.transpose %t permutation [2, 0, 1] : !tile.tile<8x8x8xf32> -> !tile.tile<8x8x8xf32>
  %v = tile.transpose %u permutation [2, 0, 1] : !tile.tile<8x8x8xf32> -> !tile.tile<8x8x8xf32>
  tile.store %v, %B[%l, %m, %n] : !tile.tile<8x8x8xf32>, !tile.view<?x?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @transpose_of_a_splat
tile.kernel @transpose_of_a_splat(%B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [8, 4] {
  // CHECK: arith.constant dense<1.000000e+00> : !tile.tile<8x4xf32>
  // CHECK-NOT: tile.transpose
  %c = arith.constant dense<1.0> : !tile.tile<4x8xf32>
  %t = tile.transpose %c : !tile.tile<4x8xf32> -> !tile.tile<8x4xf32>
  tile.store %t, %B[%m, %n] : !tile.tile<8x4xf32>, !tile.view<?x?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @no_fold_transpose_of_a_dense_constant
tile.kernel @no_fold_transpose_of_a_dense_constant(%B: !tile.view<?x?xi32>) programs(%m, %n) over %B by [8, 8] {
  // CHECK: tile.transpose
  %c = arith.constant dense<[[1, 2], [3, 4]]> : !tile.tile<2x2xi32>
  %t = tile.transpose %c : !tile.tile<2x2xi32> -> !tile.tile<2x2xi32>
  tile.store %t, %B[%m, %n] : !tile.tile<2x2xi32>, !tile.view<?x?xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @select_of_equal_values_and_by_constants
tile.kernel @select_of_equal_values_and_by_constants(%B: !tile.view<?xf32>, %p: i1) programs(%m) over %B by [8] {
  // CHECK-NEXT: %[[T:.*]] = tile.load
  // CHECK-NEXT: %[[U:.*]] = tile.load
  // CHECK-NEXT: tile.store %[[T]]
  // CHECK-NEXT: tile.store %[[U]]
  // CHECK-NEXT: tile.store %[[U]]
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  %u = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  %a = tile.select %p, %t, %t : i1, !tile.tile<8xf32>
  tile.store %a, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  %false = arith.constant false
  %b = tile.select %false, %t, %u : i1, !tile.tile<8xf32>
  tile.store %b, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  %all = arith.constant dense<true> : !tile.tile<8xi1>
  %c = tile.select %all, %u, %t : !tile.tile<8xi1>, !tile.tile<8xf32>
  tile.store %c, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @no_fold_select_by_a_mixed_constant
tile.kernel @no_fold_select_by_a_mixed_constant(%B: !tile.view<?xf32>) programs(%m) over %B by [2] {
  // CHECK: tile.select
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<2xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<2xf32>
  %some = arith.constant dense<[true, false]> : !tile.tile<2xi1>
  %c = tile.select %some, %t, %zero : !tile.tile<2xi1>, !tile.tile<2xf32>
  tile.store %c, %B[%m] : !tile.tile<2xf32>, !tile.view<?xf32>
  tile.return
}

// 1 + 2^-8 lies between two bf16 numbers, and the even one is 1.
// CHECK-LABEL: tile.kernel @cast_of_a_constant_rounds_to_nearest_even
tile.kernel @cast_of_a_constant_rounds_to_nearest_even(%B: !tile.view<?xbf16>) programs(%m) over %B by [8] {
  // CHECK: arith.constant dense<1.000000e+00> : !tile.tile<8xbf16>
  // CHECK-NOT: tile.cast
  %c = arith.constant dense<1.00390625> : !tile.tile<8xf32>
  %h = tile.cast %c : !tile.tile<8xf32> -> !tile.tile<8xbf16>
  tile.store %h, %B[%m] : !tile.tile<8xbf16>, !tile.view<?xbf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @cast_to_its_own_type
tile.kernel @cast_to_its_own_type(%B: !tile.view<?xf32>) programs(%m) over %B by [8] {
  // CHECK-NOT: tile.cast
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  %h = tile.cast %t : !tile.tile<8xf32> -> !tile.tile<8xf32>
  tile.store %h, %B[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @no_fold_cast_that_overflows
tile.kernel @no_fold_cast_that_overflows(%B: !tile.view<?xf16>) programs(%m) over %B by [8] {
  // CHECK: tile.cast
  %c = arith.constant dense<1.0e+30> : !tile.tile<8xf32>
  %h = tile.cast %c : !tile.tile<8xf32> -> !tile.tile<8xf16>
  tile.store %h, %B[%m] : !tile.tile<8xf16>, !tile.view<?xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @no_fold_cast_to_f8
tile.kernel @no_fold_cast_to_f8(%B: !tile.view<?xf8E4M3FN>) programs(%m) over %B by [8] {
  // CHECK: tile.cast
  %c = arith.constant dense<1.0> : !tile.tile<8xf32>
  %h = tile.cast %c : !tile.tile<8xf32> -> !tile.tile<8xf8E4M3FN>
  tile.store %h, %B[%m] : !tile.tile<8xf8E4M3FN>, !tile.view<?xf8E4M3FN>
  tile.return
}

// CHECK-LABEL: tile.kernel @dim_that_the_type_says
tile.kernel @dim_that_the_type_says(%A: !tile.view<?x128xf32>, %B: !tile.view<?xi64>) programs(%m) over %B by [8] {
  // CHECK: tile.dim %A, 0
  // CHECK-NOT: tile.dim %A, 1
  %rows = tile.dim %A, 0 : !tile.view<?x128xf32>
  %columns = tile.dim %A, 1 : !tile.view<?x128xf32>
  %n = arith.addi %rows, %columns : index
  %i = arith.index_cast %n : index to i64
  %t = tile.splat %i : !tile.tile<8xi64>
  tile.store %t, %B[%m] : !tile.tile<8xi64>, !tile.view<?xi64>
  tile.return
}

// The space of a view of fixed size becomes constants, and reads back.
// CHECK-LABEL: tile.kernel @space_over_a_static_view(%B: !tile.view<64x?xf32>) programs(%m, %n) in {
tile.kernel @space_over_a_static_view(%B: !tile.view<64x?xf32>) programs(%m, %n) over %B by [8, 8] {
  // CHECK-DAG: arith.constant 64 : index
  // CHECK-DAG: tile.dim %B, 1
  // CHECK: tile.extents
  // CHECK-NEXT: } by [8, 8] {
  tile.return
}

#a = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = []>
// CHECK-LABEL: tile.kernel @relayout_to_its_own_layout_and_of_a_splat
tile.kernel @relayout_to_its_own_layout_and_of_a_splat(%B: !tile.view<?xf32>) programs(%m) over %B by [8] {
  // CHECK-NOT: tile.relayout
  %t = tile.load %B[%m] : !tile.view<?xf32> -> !tile.tile<32xf32, #a>
  %u = tile.relayout %t : !tile.tile<32xf32, #a> -> !tile.tile<32xf32, #a>
  tile.store %u, %B[%m] : !tile.tile<32xf32, #a>, !tile.view<?xf32>
  %c = arith.constant dense<1.0> : !tile.tile<32xf32>
  %d = tile.relayout %c : !tile.tile<32xf32> -> !tile.tile<32xf32, #a>
  tile.store %d, %B[%m] : !tile.tile<32xf32, #a>, !tile.view<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @bitcast_there_and_back
tile.kernel @bitcast_there_and_back(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  // CHECK-NEXT: %[[T:.*]] = tile.load %A
  // CHECK-NEXT: tile.store %[[T]], %A
  %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  %i = tile.bitcast %t : !tile.tile<8xf32> -> !tile.tile<8xi32>
  %f = tile.bitcast %i : !tile.tile<8xi32> -> !tile.tile<8xf32>
  tile.store %f, %A[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}

// Bits that the narrow type does not have are dropped on the way.
// CHECK-LABEL: tile.kernel @no_fold_bitcast_of_bytes_to_codes
tile.kernel @no_fold_bitcast_of_bytes_to_codes(%B: !tile.view<?xi8>) programs(%m) over %B by [8] {
  // CHECK-COUNT-2: tile.bitcast
  %t = tile.load %B[%m] : !tile.view<?xi8> -> !tile.tile<8xi8>
  %c = tile.bitcast %t : !tile.tile<8xi8> -> !tile.tile<8xf4E2M1FN>
  %b = tile.bitcast %c : !tile.tile<8xf4E2M1FN> -> !tile.tile<8xi8>
  tile.store %b, %B[%m] : !tile.tile<8xi8>, !tile.view<?xi8>
  tile.return
}

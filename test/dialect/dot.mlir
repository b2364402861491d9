// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @dot_bf16_and_tf32
tile.kernel @dot_bf16_and_tf32(%A: !tile.view<?x?xbf16>, %B: !tile.view<?x?xf32>) programs(%m) in {
  %K = tile.dim %A, 1 : !tile.view<?x?xbf16>
  tile.extents %K
} by [64] {
  %a = tile.load %A[%m, %m] : !tile.view<?x?xbf16> -> !tile.tile<64x32xbf16>
  %b = tile.load %A[%m, %m] : !tile.view<?x?xbf16> -> !tile.tile<32x64xbf16>
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
  %d = tile.dot %a, %b, %c : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !tile.tile<64x64xf32>
  %x = tile.load %B[%m, %m] : !tile.view<?x?xf32> -> !tile.tile<64x32xf32>
  %y = tile.load %B[%m, %m] : !tile.view<?x?xf32> -> !tile.tile<32x64xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 : !tile.tile<64x32xf32>, !tile.tile<32x64xf32>, !tile.tile<64x64xf32>
  %e = tile.dot %x, %y, %c precision tf32 : !tile.tile<64x32xf32>, !tile.tile<32x64xf32>, !tile.tile<64x64xf32>
  // The default precision is not printed.
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : !tile.tile<64x32xf32>
  %f = tile.dot %x, %y, %c precision ieee : !tile.tile<64x32xf32>, !tile.tile<32x64xf32>, !tile.tile<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @dot_other_types
tile.kernel @dot_other_types(%A: !tile.view<?xf16>, %h: f16, %p: f8E4M3FN, %q: f8E5M2, %d: f64, %i: i8) programs(%m) over %A by [64] {
  %f = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  // CHECK: tile.dot {{.*}} : !tile.tile<16x16xf16>, !tile.tile<16x8xf16>, !tile.tile<16x8xf32>
  %h0 = tile.splat %h : !tile.tile<16x16xf16>
  %h1 = tile.splat %h : !tile.tile<16x8xf16>
  %0 = tile.dot %h0, %h1, %f : !tile.tile<16x16xf16>, !tile.tile<16x8xf16>, !tile.tile<16x8xf32>
  // CHECK: tile.dot {{.*}} : !tile.tile<16x32xf8E4M3FN>, !tile.tile<32x8xf8E5M2>, !tile.tile<16x8xf32>
  %p0 = tile.splat %p : !tile.tile<16x32xf8E4M3FN>
  %q1 = tile.splat %q : !tile.tile<32x8xf8E5M2>
  %1 = tile.dot %p0, %q1, %f : !tile.tile<16x32xf8E4M3FN>, !tile.tile<32x8xf8E5M2>, !tile.tile<16x8xf32>
  // CHECK: tile.dot {{.*}} : !tile.tile<8x4xf64>, !tile.tile<4x8xf64>, !tile.tile<8x8xf64>
  %d0 = tile.splat %d : !tile.tile<8x4xf64>
  %d1 = tile.splat %d : !tile.tile<4x8xf64>
  %d2 = tile.splat %d : !tile.tile<8x8xf64>
  %2 = tile.dot %d0, %d1, %d2 : !tile.tile<8x4xf64>, !tile.tile<4x8xf64>, !tile.tile<8x8xf64>
  // CHECK: tile.dot {{.*}} : !tile.tile<16x32xi8>, !tile.tile<32x8xi8>, !tile.tile<16x8xi32>
  %i0 = tile.splat %i : !tile.tile<16x32xi8>
  %i1 = tile.splat %i : !tile.tile<32x8xi8>
  %i2 = arith.constant dense<0> : !tile.tile<16x8xi32>
  %3 = tile.dot %i0, %i1, %i2 : !tile.tile<16x32xi8>, !tile.tile<32x8xi8>, !tile.tile<16x8xi32>
  tile.return
}

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

// CHECK-LABEL: tile.kernel @dot_microscaled
tile.kernel @dot_microscaled(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %qv: f4E2M1FN, %sv: f8E8M0FNU, %h: bf16, %iv: i8, %tv: f8E4M3FN) programs(%m) over %V by [64] {
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %u = tile.splat %pv : !tile.tile<64x128xf8E4M3FN>
  %su = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  %v = tile.splat %qv : !tile.tile<128x64xf4E2M1FN>
  %sv2 = tile.splat %sv : !tile.tile<64x4xf8E8M0FNU>
  %p = tile.mx_pack %u, %su : !tile.tile<64x128xf8E4M3FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
  %q = tile.mx_pack %v, %sv2 : !tile.tile<128x64xf4E2M1FN>, !tile.tile<64x4xf8E8M0FNU> -> !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>, !tile.tile<64x64xf32>
  %f = tile.dot %p, %q, %c : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>, !tile.tile<64x64xf32>
  %w = tile.splat %h : !tile.tile<64x128xbf16>
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : !tile.tile<64x128xbf16>, !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>, !tile.tile<64x64xf32>
  %e = tile.dot %w, %q, %c : !tile.tile<64x128xbf16>, !tile.mx<128x64xf4E2M1FN, block 32 along 0, scale f8E8M0FNU>, !tile.tile<64x64xf32>
  // CHECK: tile.dot %{{[^ ]*}} scaled %{{[^ ]*}} by 32, %{{[^ ]*}}, %{{[^ ]*}} : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf8E5M2>, !tile.tile<64x64xf32>
  %x5 = tile.cast %v : !tile.tile<128x64xf4E2M1FN> -> !tile.tile<128x64xf8E5M2>
  %i = tile.dot %u scaled %su by 32, %x5, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf8E5M2>, !tile.tile<64x64xf32>
  // CHECK: tile.dot %{{[^ ]*}}, %{{[^ ]*}} scaled %{{[^ ]*}} by 64, %{{[^ ]*}} : !tile.tile<64x128xbf16>, !tile.tile<128x64xi8> scaled !tile.tile<64x2xbf16>, !tile.tile<64x64xf32>
  %i8 = tile.splat %iv : !tile.tile<128x64xi8>
  %g8 = tile.splat %h : !tile.tile<64x2xbf16>
  %j = tile.dot %w, %i8 scaled %g8 by 64, %c : !tile.tile<64x128xbf16>, !tile.tile<128x64xi8> scaled !tile.tile<64x2xbf16>, !tile.tile<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @dot_of_scaled_parts
tile.kernel @dot_of_scaled_parts(%V: !tile.view<?xf32>, %pv: f8E4M3FN, %qv: f4E2M1FN, %ev: f8E8M0FNU, %iv: i8) programs(%m) over %V by [64] {
  %c = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %u = tile.splat %pv : !tile.tile<64x128xf8E4M3FN>
  %su = tile.splat %ev : !tile.tile<64x4xf8E8M0FNU>
  %v = tile.splat %qv : !tile.tile<128x64xf4E2M1FN>
  %sv = tile.splat %ev : !tile.tile<64x4xf8E8M0FNU>
  // CHECK: tile.dot %{{[^ ]*}} scaled %{{[^ ]*}} by 32, %{{[^ ]*}} scaled %{{[^ ]*}} by 32, %{{[^ ]*}} : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf4E2M1FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
  %g = tile.dot %u scaled %su by 32, %v scaled %sv by 32, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<128x64xf4E2M1FN> scaled !tile.tile<64x4xf8E8M0FNU>, !tile.tile<64x64xf32>
  %a = tile.splat %iv : !tile.tile<64x64xi8>
  %s = tile.splat %pv : !tile.tile<64x8xf8E4M3FN>
  // CHECK: tile.dot %{{[^ ]*}} scaled %{{[^ ]*}} by 16, %{{[^ ]*}} scaled %{{[^ ]*}} by 16, %{{[^ ]*}} packed : !tile.tile<64x64xi8> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<64x64xi8> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<64x64xf32>
  %p = tile.dot %a scaled %s by 16, %a scaled %s by 16, %c packed : !tile.tile<64x64xi8> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<64x64xi8> scaled !tile.tile<64x8xf8E4M3FN>, !tile.tile<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @dot_of_a_batch
tile.kernel @dot_of_a_batch(%V: !tile.view<?xf32>, %h: f16, %pv: f8E4M3FN, %ev: f8E8M0FNU) programs(%m) over %V by [64] {
  %c = arith.constant dense<0.0> : !tile.tile<2x16x8xf32>
  %a = tile.splat %h : !tile.tile<2x16x32xf16>
  %b = tile.splat %h : !tile.tile<2x32x8xf16>
  // CHECK: tile.dot {{.*}} : !tile.tile<2x16x32xf16>, !tile.tile<2x32x8xf16>, !tile.tile<2x16x8xf32>
  %d = tile.dot %a, %b, %c : !tile.tile<2x16x32xf16>, !tile.tile<2x32x8xf16>, !tile.tile<2x16x8xf32>
  %p = tile.splat %pv : !tile.tile<2x16x32xf8E4M3FN>
  %s = tile.splat %ev : !tile.tile<2x16x1xf8E8M0FNU>
  // CHECK: tile.dot {{.*}} : !tile.tile<2x16x32xf8E4M3FN> scaled !tile.tile<2x16x1xf8E8M0FNU>, !tile.tile<2x32x8xf16>, !tile.tile<2x16x8xf32>
  %e = tile.dot %p scaled %s by 32, %b, %c : !tile.tile<2x16x32xf8E4M3FN> scaled !tile.tile<2x16x1xf8E8M0FNU>, !tile.tile<2x32x8xf16>, !tile.tile<2x16x8xf32>
  tile.return
}

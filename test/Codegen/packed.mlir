// Arithmetic on 16-bit floats, two at a time; sm_80 has no bf16 sums and products but fma.
// RUN: tilec %s --arch sm_80 -o %t.80.ptx && FileCheck %s --check-prefixes=CHECK,OLD --input-file=%t.80.ptx
// RUN: tilec %s --arch sm_90a -o %t.90.ptx && FileCheck %s --check-prefixes=CHECK,NEW --input-file=%t.90.ptx
// RUN: cat %t.80.ptx | %ptxas-check -arch=sm_80
// RUN: cat %t.90.ptx | %ptxas-check -arch=sm_90a

// CHECK: .entry half(
// CHECK-NOT: cvt.f32
// CHECK-DAG: add.rn.f16x2
// CHECK-DAG: mul.rn.f16x2
// CHECK-DAG: fma.rn.f16x2
// CHECK-DAG: max.NaN.f16x2
// CHECK-NOT: cvt.f32
// CHECK: ret;
tile.kernel @half(%A: !tile.view<?xf16>, %B: !tile.view<?xf16>) programs(%m) over %B by [1024] {
  %a = tile.load %A[%m] : !tile.view<?xf16> -> !tile.tile<1024xf16>
  %b = tile.load %B[%m] : !tile.view<?xf16> -> !tile.tile<1024xf16>
  %c = arith.addf %a, %b : !tile.tile<1024xf16>
  %d = arith.mulf %c, %b : !tile.tile<1024xf16>
  %e = math.fma %c, %b, %d : !tile.tile<1024xf16>
  %f = arith.maximumf %e, %b : !tile.tile<1024xf16>
  tile.store %f, %B[%m] : !tile.tile<1024xf16>, !tile.view<?xf16>
  tile.return
}

// CHECK: .entry brain(
// CHECK-NOT: cvt.f32
// OLD-NOT: {{(add|mul).*bf16x2}}
// NEW-DAG: add.rn.bf16x2
// NEW-DAG: mul.rn.bf16x2
// CHECK-DAG: fma.rn.bf16x2
// CHECK-DAG: max.NaN.bf16x2
// CHECK-NOT: cvt.f32
// CHECK: ret;
tile.kernel @brain(%A: !tile.view<?xbf16>, %B: !tile.view<?xbf16>) programs(%m) over %B by [1024] {
  %a = tile.load %A[%m] : !tile.view<?xbf16> -> !tile.tile<1024xbf16>
  %b = tile.load %B[%m] : !tile.view<?xbf16> -> !tile.tile<1024xbf16>
  %c = arith.addf %a, %b : !tile.tile<1024xbf16>
  %d = arith.mulf %c, %b : !tile.tile<1024xbf16>
  %e = math.fma %c, %b, %d : !tile.tile<1024xbf16>
  %f = arith.maximumf %e, %b : !tile.tile<1024xbf16>
  tile.store %f, %B[%m] : !tile.tile<1024xbf16>, !tile.view<?xbf16>
  tile.return
}

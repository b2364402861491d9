// exp needs no libdevice: a power of two by ex2.approx, accurate by default, short with `afn`.
// RUN: env TILEC_LIBDEVICE=/no/such/file tilec %s -o %t.ptx && FileCheck %s --input-file=%t.ptx --implicit-check-not=call
// RUN: cat %t.ptx | %ptxas-check -arch=sm_80

// CHECK: .entry accurate(
// CHECK: ex2.approx.ftz.f32
// CHECK: ret;
tile.kernel @accurate(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [128] {
  %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32>
  %e = math.exp %t : !tile.tile<128xf32>
  tile.store %e, %B[%m] : !tile.tile<128xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK: .entry approximate(
// CHECK: mul{{.*}}.f32 {{.*}}, 0f3FB8AA3B;
// CHECK-NEXT: ex2.approx
// CHECK: ret;
tile.kernel @approximate(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [128] {
  %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32>
  %e = math.exp %t fastmath<afn> : !tile.tile<128xf32>
  tile.store %e, %B[%m] : !tile.tile<128xf32>, !tile.view<?xf32>
  tile.return
}

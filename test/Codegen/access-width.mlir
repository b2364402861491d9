// Accesses of 16 bytes in the fast variant, with single elements for the block at a ragged end only; single elements in the
// general variant; declared alignment serves both.
// RUN: tilec %s -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: cat %t.ptx | %ptxas-check -arch=sm_80

// CHECK: .entry copy(
// CHECK: @[[RAGGED:%p[0-9]+]] bra [[BORDER:.*]];
// CHECK-COUNT-2: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK: [[BORDER]]:
// CHECK-COUNT-8: ld.global.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-2: st.global.v4.b32
// CHECK-COUNT-8: st.global.b32
// CHECK-NOT: st.global
// CHECK: .entry copy__general(
// CHECK-NOT: ld.global.v
// CHECK-COUNT-8: ld.global.b32
// CHECK-NOT: st.global.v
// CHECK: ret;
tile.kernel @copy(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %B by [1024] schedule {warps = 4 : i64} {
  %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<1024xf32>
  tile.store %t, %B[%m] : !tile.tile<1024xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK: .entry aligned__general(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
tile.kernel @aligned(%A: !tile.view<1024xf32, align 16>, %B: !tile.view<1024xf32, align 16>) programs(%m) over %B by [1024] {
  %t = tile.load %A[%m] : !tile.view<1024xf32, align 16> -> !tile.tile<1024xf32>
  tile.store %t, %B[%m] : !tile.tile<1024xf32>, !tile.view<1024xf32, align 16>
  tile.return
}

// Rows of 3 elements start anywhere: no wide access in either variant.
// CHECK: .entry odd_rows(
// CHECK-NOT: .global.v
// CHECK: ret;
tile.kernel @odd_rows(%A: !tile.view<?x3xf32>, %B: !tile.view<?x3xf32>) programs(%m, %n) over %B by [32, 4] {
  %t = tile.load %A[%m, %n] : !tile.view<?x3xf32> -> !tile.tile<32x4xf32>
  tile.store %t, %B[%m, %n] : !tile.tile<32x4xf32>, !tile.view<?x3xf32>
  tile.return
}

// A row read against its memory order: coalesced along the columns of the view, however the tile is transposed.
// CHECK: .entry transposed(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
tile.kernel @transposed(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>) programs(%m, %n) over %B by [64, 64] {
  %t = tile.load %A[%n, %m] : !tile.view<?x?xf32> -> !tile.tile<64x64xf32>
  %u = tile.transpose %t : !tile.tile<64x64xf32> -> !tile.tile<64x64xf32>
  tile.store %u, %B[%m, %n] : !tile.tile<64x64xf32>, !tile.view<?x?xf32>
  tile.return
}

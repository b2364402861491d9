// Rows that lie in one warp are summed by shuffles alone; where warps share a row they meet in shared memory once.
// RUN: tilec %s -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: cat %t.ptx | %ptxas-check -arch=sm_80

// CHECK: .entry rows(
// CHECK-NOT: bar.sync
// CHECK: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
// CHECK-NOT: bar.sync
// CHECK: ret;
tile.kernel @rows(%X: !tile.view<?x?xf32>, %Y: !tile.view<?xf32>) programs(%m) over %Y by [32] {
  %c0 = arith.constant 0 : index
  %x = tile.load %X[%m, %c0] : !tile.view<?x?xf32> -> !tile.tile<32x128xf32>
  %s = tile.reduce %x along 1 : !tile.tile<32x128xf32> -> !tile.tile<32xf32> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %s, %Y[%m] : !tile.tile<32xf32>, !tile.view<?xf32>
  tile.return
}

// CHECK: .entry one_row(
// CHECK-COUNT-5: shfl.sync.bfly
// CHECK-NOT: shfl
// CHECK: st.shared
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: bar.sync
// CHECK: ld.shared
// CHECK-NOT: bar.sync
// CHECK: ret;
tile.kernel @one_row(%X: !tile.view<?x?xf32>, %Y: !tile.view<?xf32>) programs(%m) over %Y by [1] {
  %c0 = arith.constant 0 : index
  %x = tile.load %X[%m, %c0] : !tile.view<?x?xf32> -> !tile.tile<1x4096xf32>
  %s = tile.reduce %x along 1 : !tile.tile<1x4096xf32> -> !tile.tile<1xf32> combine(%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %s, %Y[%m] : !tile.tile<1xf32>, !tile.view<?xf32>
  tile.return
}

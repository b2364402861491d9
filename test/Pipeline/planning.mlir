// From text to planned IR: what each pass contributes is there, once.
// RUN: tile-opt %s --tile-planning | FileCheck %s

!v = !tile.view<?x?xbf16>
!acc = !tile.tile<64x64xf32>

module attributes {tile.target = "sm_80"} {
  // CHECK-LABEL: tile.kernel @matmul(
  // CHECK-SAME: align 16
  // CHECK-SAME: plan {group_m = 8 : i64, stages = 4 : i64, warps = 4 : i64, warps_m = 2 : i64, warps_n = 2 : i64}
  // CHECK-SAME: max_index = 2146435071 : i64
  // CHECK-SAME: shared_bytes = 32768 : i64
  // CHECK: tile.channel_create {offset = 0 : i64} : !tile.channel<4 x
  // CHECK-COUNT-3: tile.channel_commit
  // CHECK: tile.channel_wait {{.*}} pending 2
  // CHECK-NEXT: tile.barrier
  // CHECK-COUNT-2: tile.shared_load {{.*}} at
  // CHECK: scf.for
  // CHECK-NEXT: tile.channel_slot
  // CHECK-NOT: tile.barrier
  // CHECK-COUNT-2: tile.shared_load {{.*}} at
  // CHECK: tile.dot
  // CHECK: tile.channel_acquire
  // CHECK-COUNT-2: tile.copy_async
  // CHECK: tile.channel_commit
  // CHECK: tile.channel_release
  // CHECK: tile.channel_wait {{.*}} pending 2
  // CHECK: tile.barrier
  // CHECK-COUNT-2: tile.shared_load {{.*}} at
  // CHECK-NOT: tile.barrier
  // CHECK: tile.dot
  // CHECK-NOT: tile.relayout
  // CHECK: scf.yield
  // CHECK-NOT: tile.barrier
  // CHECK: tile.store
  // CHECK: tile.return
  // CHECK-LABEL: tile.kernel @matmul__general(
  // CHECK-NOT: align
  // CHECK: tile.return
  tile.kernel @matmul(%A: !v, %B: !v, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 64] {
    %c0 = arith.constant 0 : index
    %bk = arith.constant 32 : index
    %K = tile.dim %A, 1 : !v
    %zero = arith.constant dense<0.0> : !acc
    %sum = scf.for %k = %c0 to %K step %bk iter_args(%part = %zero) -> (!acc) {
      %a = tile.load %A[%m, %k] : !v -> !tile.tile<64x32xbf16>
      %b = tile.load %B[%n, %k] : !v -> !tile.tile<64x32xbf16>
      %bt = tile.transpose %b : !tile.tile<64x32xbf16> -> !tile.tile<32x64xbf16>
      %next = tile.dot %a, %bt, %part : !tile.tile<64x32xbf16>, !tile.tile<32x64xbf16>, !acc
      scf.yield %next : !acc
    }
    tile.store %sum, %C[%m, %n] : !acc, !tile.view<?x?xf32>
    tile.return
  }

  // One layout from the load to the store; rows stay inside warps, so nothing is shared.
  // CHECK-LABEL: tile.kernel @row_sums(
  // CHECK-NOT: shared_bytes = {{[1-9]}}
  // CHECK-NOT: tile.relayout
  // CHECK-NOT: tile.barrier
  // CHECK: tile.reduce
  // CHECK-NOT: tile.relayout
  // CHECK-NOT: tile.barrier
  // CHECK: tile.return
  tile.kernel @row_sums(%X: !tile.view<?x?xf32>, %Y: !tile.view<?x?xf32>) programs(%m, %n) over %Y by [8, 256] {
    %x = tile.load %X[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<8x256xf32>
    %s = tile.reduce %x along 1 : !tile.tile<8x256xf32> -> !tile.tile<8xf32> combine(%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %sums = tile.broadcast %s along [1] : !tile.tile<8xf32> -> !tile.tile<8x256xf32>
    %y = arith.divf %x, %sums : !tile.tile<8x256xf32>
    tile.store %y, %Y[%m, %n] : !tile.tile<8x256xf32>, !tile.view<?x?xf32>
    tile.return
  }
}

// Channels by cp.async: a slot is an offset, commit and wait are groups, acquire and release emit nothing.
// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
!v = !tile.view<?x?xbf16, align 16>
!s = !tile.shared<16x32xbf16, #s>
!ring = !tile.channel<3 x (!tile.shared<16x32xbf16, #s>)>
module attributes {tile.target = "sm_80"} {
  // Slot s starts at 256 + 1024 s. Where the condition is false nothing is copied; outside the view zeros are.
  // CHECK-LABEL: llvm.func @ring(
  // CHECK-SAME: %[[MORE:[^ ]*]]: i1)
  // CHECK: llvm.mlir.constant(256 : i32)
  // CHECK: llvm.mlir.constant(1024 : i32)
  // CHECK: %[[BYTES:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i32
  // CHECK: "@$3 cp.async.cg.shared.global.L2::128B [$0], [$1], 16, $2;", "r,l,r,b" %{{.*}}, %{{.*}}, %[[BYTES]], %[[MORE]]
  // CHECK: "@$3 cp.async.cg.shared.global.L2::128B [$0+512], [$1], 16, $2;", "r,l,r,b"
  // CHECK-NOT: cp.async.cg
  // CHECK: "cp.async.commit_group;", "~{memory}"
  // CHECK: "cp.async.wait_group 2;", "~{memory}"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
  // CHECK-NOT: barrier
  // CHECK: llvm.return
  tile.kernel @ring(%A: !v, %slot: index, %more: i1) programs(%m, %n) over %A by [16, 32] plan {warps = 1 : i64} attributes {max_index = 2146435071 : i64} {
    %ring = tile.channel_create {offset = 256 : i64} : !ring
    %w = tile.channel_acquire %ring[%slot] : !ring -> !s
    tile.copy_async %A[%m, %n] to %w if %more : !v, !s
    tile.channel_commit %ring[%slot] : !ring
    %r = tile.channel_wait %ring[%slot] pending 2 : !ring -> !s
    tile.barrier
    tile.channel_release %ring[%slot] : !ring
    tile.return
  }

  // Narrower alignment, narrower pieces.
  // CHECK-LABEL: llvm.func @four_bytes(
  // CHECK-NOT: cp.async.cg
  // CHECK-COUNT-8: "cp.async.ca.shared.global {{.*}}, 4, $2;", "r,l,r"
  // CHECK-NOT: cp.async
  // CHECK: llvm.return
  tile.kernel @four_bytes(%A: !tile.view<?x?xbf16, align 4>) programs(%m, %n) over %A by [16, 32] plan {warps = 1 : i64} {
    %s = tile.shared_alloc {offset = 0 : i64} : !s
    tile.copy_async %A[%m, %n] to %s : !tile.view<?x?xbf16, align 4>, !s
    tile.return
  }

  // Below four bytes by way of a register.
  // CHECK-LABEL: llvm.func @single_elements(
  // CHECK-NOT: cp.async
  // CHECK-COUNT-16: "{ .reg .b16 x; mov.b16 x, 0; @$2 ld.global.b16 x, {{.*}}; st.shared.b16 {{.*}}, x; }", "r,l,b"
  // CHECK-NOT: ld.global
  // CHECK: llvm.return
  tile.kernel @single_elements(%A: !tile.view<?x?xbf16>) programs(%m, %n) over %A by [16, 32] plan {warps = 1 : i64} {
    %s = tile.shared_alloc {offset = 0 : i64} : !s
    tile.copy_async %A[%m, %n] to %s : !tile.view<?x?xbf16>, !s
    tile.return
  }

  // A slot that is held is an address, and nothing to wait for.
  // CHECK-LABEL: llvm.func @held(
  // CHECK: llvm.mul
  // CHECK-NOT: cp.async
  // CHECK: llvm.return
  tile.kernel @held(%A: !v, %slot: index) programs(%m, %n) over %A by [16, 32] plan {warps = 1 : i64} {
    %ring = tile.channel_create {offset = 256 : i64} : !ring
    %h = tile.channel_slot %ring[%slot] : !ring -> !s
    tile.return
  }
}

// RUN: tilec %s --emit=planned | FileCheck %s
// RUN: tilec %s -o - | FileCheck %s --check-prefix=PTX

// A reshape that regroups the factor 3 of 96: no layout holds both shapes, so the elements go through a plain buffer.
// CHECK-LABEL: tile.kernel @reshape_of_odd
// CHECK: %[[LOADED:.*]] = tile.load
// CHECK: %[[BUFFER:.*]] = tile.shared_alloc {{.*}} : !tile.shared<8x96xf32,
// CHECK: tile.shared_store %{{.*}}, %[[BUFFER]]
// CHECK: %[[LINE:.*]] = tile.shared_reshape %[[BUFFER]] : !tile.shared<8x96xf32, #{{.*}}> -> !tile.shared<768xf32,
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.shared_load %[[LINE]]
// CHECK-NOT: tile.reshape
// CHECK: tile.store
// PTX-LABEL: .visible .entry reshape_of_odd(
// PTX: st.shared
// PTX: bar.sync
// PTX: ld.shared
tile.kernel @reshape_of_odd(%A: !tile.view<?x?xf32>, %B: !tile.view<?xf32>) programs(%m, %n) over %A by [8, 96] {
  %a = tile.load %A[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<8x96xf32>
  %r = tile.reshape %a : !tile.tile<8x96xf32> -> !tile.tile<768xf32>
  tile.store %r, %B[%m] : !tile.tile<768xf32>, !tile.view<?xf32>
  tile.return
}

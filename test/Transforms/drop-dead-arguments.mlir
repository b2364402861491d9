// RUN: tile-opt %s --tile-drop-dead-arguments | FileCheck %s

!v = !tile.view<?x?xf32>
!row = !tile.view<?xbf16>
!t = !tile.tile<32x64xf32>

// CHECK-LABEL: tile.kernel @drops_what_nothing_uses(%A: !tile.view<?x?xf32>, %B: !tile.view<?x?xf32>)
// CHECK-SAME: programs(%m, %n) over %B by [32, 64]
// CHECK-SAME: dropped_arguments = {{\[\[}}"bias", !tile.view<?xbf16>], ["scale", f32]]
tile.kernel @drops_what_nothing_uses(%bias: !row, %A: !v, %scale: f32, %B: !v) programs(%m, %n) over %B by [32, 64] {
  // CHECK: %[[T:[a-z0-9_]+]] = tile.load %A[%m, %n]
  // CHECK: tile.store %[[T]], %B[%m, %n]
  %t = tile.load %A[%m, %n] : !v -> !t
  tile.store %t, %B[%m, %n] : !t, !v
  tile.return
}

// What an earlier run dropped stays listed.
// CHECK-LABEL: tile.kernel @drops_more(%B: !tile.view<?x?xf32>)
// CHECK-SAME: dropped_arguments = {{\[\[}}"bias", !tile.view<?xbf16>], ["scale", f32]]
tile.kernel @drops_more(%scale: f32, %B: !v) programs(%m, %n) over %B by [32, 64]
    attributes {dropped_arguments = [["bias", !row]]} {
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_used_by_the_space_only(%A: !tile.view<?x?xf32>, %n: index)
// CHECK-NOT: dropped_arguments
tile.kernel @negative_used_by_the_space_only(%A: !v, %n: index) programs(%i, %j) in {
  %rows = tile.dim %A, 0 : !v
  tile.extents %rows, %n
} by [8, 8] {
  // CHECK: tile.return
  tile.return
}

// Coordinates stay though nothing uses them.
// CHECK-LABEL: tile.kernel @negative_coordinate(%n: index) programs(%i) in (%n) by [1]
tile.kernel @negative_coordinate(%n: index) programs(%i) in (%n) by [1] {
  tile.return
}

// Grouped program order: one division per level, and none of them by a run-time group where the schedule asks for rows.
// RUN: tilec %s -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: cat %t.ptx | %ptxas-check -arch=sm_80

!v = !tile.view<?x?xf32>
!t = !tile.tile<32x32xf32>

// CHECK: .entry grouped(
// CHECK: mov.u32 {{.*}}, %ctaid.x;
// CHECK: min.u32 {{.*}}, 8;
// CHECK: ret;
tile.kernel @grouped(%A: !v, %B: !v) programs(%m, %n) over %B by [32, 32] schedule {group_m = 8 : i64} {
  %t = tile.load %A[%m, %n] : !v -> !t
  tile.store %t, %B[%m, %n] : !t, !v
  tile.return
}

// CHECK: .entry row_major(
// CHECK-COUNT-1: div.u32
// CHECK-NOT: {{div|rem|min}}.u32
// CHECK: ret;
tile.kernel @row_major(%A: !v, %B: !v) programs(%m, %n) over %B by [32, 32] schedule {group_m = 1 : i64} {
  %t = tile.load %A[%m, %n] : !v -> !t
  tile.store %t, %B[%m, %n] : !t, !v
  tile.return
}

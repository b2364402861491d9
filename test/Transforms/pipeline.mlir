// RUN: tile-opt %s --tile-pipeline | FileCheck %s
// A ring is not made twice.
// RUN: tile-opt %s --tile-pipeline | tile-opt --tile-pipeline | FileCheck %s

#s = #tile.swizzle<order = [1, 0], swizzle = 64>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
!view = !tile.view<?x?xbf16>
!buffer = !tile.shared<32x32xbf16, #s>
!slot = !tile.channel<1 x (!buffer)>
!pair = !tile.channel<1 x (!buffer, !buffer)>
!t = !tile.tile<32x32xbf16, #rows>

// CHECK-LABEL: tile.kernel @ring_of_three
// CHECK: %[[RING:[a-z0-9_]+]] = tile.channel_create : !tile.channel<3 x (!tile.shared<32x32xbf16, #{{.*}}>, !tile.shared<32x32xbf16, #{{.*}}>)>
// CHECK-NOT: tile.channel_create
// The prologue: two fills, each only where its iteration exists. Both commits are unconditional.
// CHECK: %[[S0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK: %[[E0:[a-z0-9_]+]] = arith.cmpi slt, %lb, %ub : index
// CHECK-NEXT: %[[W0:[a-z0-9_]+]]:2 = tile.channel_acquire %[[RING]][%[[S0]]]
// CHECK-NEXT: tile.copy_async %A[%m, %lb] to %[[W0]]#0 if %[[E0]]
// CHECK-NEXT: tile.copy_async %B[%n, %lb] to %[[W0]]#1 if %[[E0]]
// CHECK-NEXT: tile.channel_commit %[[RING]][%[[S0]]]
// CHECK: %[[K1:[a-z0-9_]+]] = arith.addi %lb, %step : index
// CHECK: %[[S1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK: %[[E1:[a-z0-9_]+]] = arith.cmpi slt, %[[K1]], %ub : index
// CHECK-NEXT: %[[W1:[a-z0-9_]+]]:2 = tile.channel_acquire %[[RING]][%[[S1]]]
// CHECK-NEXT: tile.copy_async %A[%m, %[[K1]]] to %[[W1]]#0 if %[[E1]]
// CHECK-NEXT: tile.copy_async %B[%n, %[[K1]]] to %[[W1]]#1 if %[[E1]]
// CHECK-NEXT: tile.channel_commit %[[RING]][%[[S1]]]
// (S - 1) · step is computed once.
// CHECK: %[[C2:[a-z0-9_]+]] = arith.constant 2 : index
// CHECK: %[[AHEAD:[a-z0-9_]+]] = arith.muli %step, %[[C2]] : index
// CHECK: %[[ZERO:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK: %[[ONE:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK: %[[LAST:[a-z0-9_]+]] = arith.constant 2 : index
// CHECK: %[[STAGES:[a-z0-9_]+]] = arith.constant 3 : index
// CHECK: scf.for %[[K:[a-z0-9_]+]] = %lb to %ub step %step iter_args(%[[READ:[a-z0-9_]+]] = %[[ZERO]], %[[WRITE:[a-z0-9_]+]] = %[[LAST]]) -> (index, index) {
// CHECK-NEXT: %[[R:[a-z0-9_]+]]:2 = tile.channel_wait %[[RING]][%[[READ]]] pending 1
// CHECK-NEXT: %[[KA:[a-z0-9_]+]] = arith.addi %[[K]], %[[AHEAD]] : index
// CHECK-NEXT: %[[EA:[a-z0-9_]+]] = arith.cmpi slt, %[[KA]], %ub : index
// CHECK-NEXT: %[[W:[a-z0-9_]+]]:2 = tile.channel_acquire %[[RING]][%[[WRITE]]]
// CHECK-NEXT: tile.copy_async %A[%m, %[[KA]]] to %[[W]]#0 if %[[EA]]
// CHECK-NEXT: tile.copy_async %B[%n, %[[KA]]] to %[[W]]#1 if %[[EA]]
// CHECK-NEXT: tile.channel_commit %[[RING]][%[[WRITE]]]
// CHECK: tile.shared_load %[[R]]#0
// CHECK-NEXT: tile.shared_load %[[R]]#1
// CHECK-NEXT: tile.channel_release %[[RING]][%[[READ]]]
// CHECK-NEXT: %[[R1:[a-z0-9_]+]] = arith.addi %[[READ]], %[[ONE]]
// CHECK-NEXT: %[[RE:[a-z0-9_]+]] = arith.cmpi eq, %[[R1]], %[[STAGES]]
// CHECK-NEXT: %[[RN:[a-z0-9_]+]] = arith.select %[[RE]], %[[ZERO]], %[[R1]]
// CHECK-NEXT: %[[W1N:[a-z0-9_]+]] = arith.addi %[[WRITE]], %[[ONE]]
// CHECK-NEXT: %[[WE:[a-z0-9_]+]] = arith.cmpi eq, %[[W1N]], %[[STAGES]]
// CHECK-NEXT: %[[WN:[a-z0-9_]+]] = arith.select %[[WE]], %[[ZERO]], %[[W1N]]
// CHECK-NEXT: scf.yield %[[RN]], %[[WN]]
tile.kernel @ring_of_three(%A: !view, %B: !view, %lb: index, %ub: index, %step: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 3 : i64} {
  %c = tile.channel_create : !pair
  scf.for %k = %lb to %ub step %step {
    %0 = arith.constant 0 : index
    %w:2 = tile.channel_acquire %c[%0] : !pair -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.copy_async %B[%n, %k] to %w#1 : !view, !buffer
    tile.channel_commit %c[%0] : !pair
    %r:2 = tile.channel_wait %c[%0] pending 0 : !pair -> !buffer, !buffer
    %a = tile.shared_load %r#0 : !buffer -> !t
    %b = tile.shared_load %r#1 : !buffer -> !t
    tile.channel_release %c[%0] : !pair
  }
  tile.return
}

// Two stages: one fill ahead, nothing pending. Known bounds decide the prologue's conditions; arithmetic on the
// induction variable is cloned, what does not depend on it leaves the loop.
// CHECK-LABEL: tile.kernel @ring_of_two_with_arithmetic
// CHECK: %[[INVARIANT:[a-z0-9_]+]] = arith.addi %m, %n
// CHECK: tile.channel_acquire
// CHECK-NEXT: %[[OFF0:[a-z0-9_]+]] = arith.muli %c0, %c32 : index
// CHECK-NEXT: tile.copy_async %A[%[[INVARIANT]], %[[OFF0]]] to %{{[a-z0-9_]+}} : !tile.view
// CHECK: scf.for %[[K:[a-z0-9_]+]] =
// CHECK: tile.channel_wait %{{.*}} pending 0
// CHECK: %[[KA:[a-z0-9_]+]] = arith.addi %[[K]]
// CHECK: %[[EA:[a-z0-9_]+]] = arith.cmpi slt, %[[KA]]
// CHECK: %[[OFFA:[a-z0-9_]+]] = arith.muli %[[KA]], %
// CHECK: tile.copy_async %A[%[[INVARIANT]], %[[OFFA]]] to %{{[a-z0-9_]+}} if %[[EA]]
// CHECK-NOT: arith.muli
// CHECK: scf.yield
tile.kernel @ring_of_two_with_arithmetic(%A: !view) programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %row = arith.addi %m, %n : index
    %off = arith.muli %k, %c32 : index
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%row, %off] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

// More stages than iterations: fills that no iteration reads copy nothing, but commit.
// CHECK-LABEL: tile.kernel @one_iteration
// CHECK: tile.channel_acquire
// CHECK-NEXT: tile.copy_async %A[%m, %{{.*}}] to %{{[a-z0-9_]+}} : !tile.view
// CHECK-NEXT: tile.channel_commit
// CHECK: tile.channel_acquire
// CHECK-NEXT: tile.channel_commit
// CHECK: tile.channel_acquire
// CHECK-NEXT: tile.channel_commit
// CHECK: scf.for
// CHECK-NEXT: tile.channel_wait %{{.*}} pending 2
tile.kernel @one_iteration(%A: !view) programs(%m, %n) over %A by [32, 32] plan {stages = 4 : i64} {
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c32 step %c32 {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

// The loop carries its own values; a copy's own condition stays; the loop's type is i32 and its comparison unsigned.
// CHECK-LABEL: tile.kernel @carried_values_and_conditions
// CHECK: arith.cmpi ult, %lb, %ub : i32
// CHECK: %[[BOTH:[a-z0-9_]+]] = arith.andi %more, %
// CHECK: tile.copy_async {{.*}} if %[[BOTH]]
// CHECK: %[[OUT:[a-z0-9_]+]]:3 = scf.for unsigned %[[K:[a-z0-9_]+]] = %lb to %ub step %step iter_args(%[[ACC:[a-z0-9_]+]] = %{{[a-z0-9_]+}}, %{{.*}} : i32 {
// CHECK: tile.copy_async {{.*}} if %
// CHECK: %[[NEXT:[a-z0-9_]+]] = arith.addf %[[ACC]]
// CHECK: scf.yield %[[NEXT]], %{{.*}}, %{{.*}} :
// CHECK: tile.store %[[OUT]]#0
tile.kernel @carried_values_and_conditions(%A: !view, %lb: i32, %ub: i32, %step: i32, %more: i1)
    programs(%m, %n) over %A by [32, 32] plan {stages = 3 : i64} {
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !t
  %sum = scf.for unsigned %k = %lb to %ub step %step iter_args(%acc = %zero) -> (!t) : i32 {
    %off = arith.index_cast %k : i32 to index
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %off] to %w if %more : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
    %next = arith.addf %acc, %a : !t
    scf.yield %next : !t
  }
  tile.store %sum, %A[%m, %n] : !t, !view
  tile.return
}

// Only the loop that holds the channel changes.
// CHECK-LABEL: tile.kernel @inner_loop
// CHECK: scf.for %{{[a-z0-9_]+}} = %lb to %ub step %step {
// CHECK: tile.channel_acquire
// CHECK: scf.for %{{.*}} iter_args
// CHECK: tile.channel_wait
tile.kernel @inner_loop(%A: !view, %lb: index, %ub: index, %step: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  scf.for %i = %lb to %ub step %step {
    scf.for %k = %lb to %ub step %step {
      %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
      tile.copy_async %A[%i, %k] to %w : !view, !buffer
      tile.channel_commit %c[%c0] : !slot
      %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
      %a = tile.shared_load %r : !buffer -> !t
      tile.channel_release %c[%c0] : !slot
    }
  }
  tile.return
}

// Two channels of a loop advance together: one ring, one wait. Arithmetic that both use is cloned for each.
// CHECK-LABEL: tile.kernel @channels_of_one_loop
// CHECK: %[[RING:[a-z0-9_]+]] = tile.channel_create : !tile.channel<2 x (!tile.shared<32x32xbf16, #{{.*}}>, !tile.shared<32x32xbf16, #{{.*}}>)>
// CHECK-NOT: tile.channel_create
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.addi %m, %n
// CHECK-NEXT: %[[TWICE:[a-z0-9_]+]] = arith.addi %[[ROW]], %[[ROW]]
// CHECK: tile.channel_acquire %[[RING]]
// CHECK: tile.copy_async %A[%[[TWICE]], %
// CHECK: tile.copy_async %B[%[[ROW]], %
// CHECK: tile.channel_commit %[[RING]]
// CHECK: scf.for
// CHECK-NEXT: %[[R:[a-z0-9_]+]]:2 = tile.channel_wait %[[RING]]
// CHECK: %[[W:[a-z0-9_]+]]:2 = tile.channel_acquire %[[RING]]
// CHECK: tile.copy_async %A[%[[TWICE]], %{{.*}}] to %[[W]]#0
// CHECK: tile.copy_async %B[%[[ROW]], %{{.*}}] to %[[W]]#1
// CHECK-NEXT: tile.channel_commit %[[RING]]
// CHECK-NEXT: tile.shared_load %[[R]]#0
// CHECK-NEXT: tile.shared_load %[[R]]#1
// CHECK-NEXT: tile.channel_release %[[RING]]
// CHECK-NOT: arith.muli
// CHECK: scf.yield
tile.kernel @channels_of_one_loop(%A: !view, %B: !view, %lb: index, %ub: index, %step: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 2 : i64} {
  %c = tile.channel_create : !slot
  %d = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  scf.for %k = %lb to %ub step %step {
    %row = arith.addi %m, %n : index
    %twice = arith.addi %row, %row : index
    %off = arith.muli %k, %step : index
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%twice, %off] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
    %v = tile.channel_acquire %d[%c0] : !slot -> !buffer
    tile.copy_async %B[%row, %off] to %v : !view, !buffer
    tile.channel_commit %d[%c0] : !slot
    %s = tile.channel_wait %d[%c0] pending 0 : !slot -> !buffer
    %b = tile.shared_load %s : !buffer -> !t
    tile.channel_release %d[%c0] : !slot
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_one_stage
// CHECK: tile.channel_create : !tile.channel<1 x
// CHECK: scf.for %{{[a-z0-9_]+}} = %lb to %ub step %step {
tile.kernel @negative_one_stage(%A: !view, %lb: index, %ub: index, %step: index)
    programs(%m, %n) over %A by [32, 32] plan {stages = 1 : i64} {
  %c = tile.channel_create : !slot
  %c0 = arith.constant 0 : index
  scf.for %k = %lb to %ub step %step {
    %w = tile.channel_acquire %c[%c0] : !slot -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %c[%c0] : !slot
    %r = tile.channel_wait %c[%c0] pending 0 : !slot -> !buffer
    %a = tile.shared_load %r : !buffer -> !t
    tile.channel_release %c[%c0] : !slot
  }
  tile.return
}

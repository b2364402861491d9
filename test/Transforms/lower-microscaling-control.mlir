// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling,cse))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling))' | FileCheck %s --check-prefix=NONE
// NONE-NOT: {{!tile.mx|tile.mx_}}

!E = !tile.view<?x?xf4E2M1FN>
!S = !tile.view<?x?xf8E4M3FN>
!V = !tile.mx_view<?x?xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale, scales row_major>
!X = !tile.mx<64x128xf4E2M1FN, block 16, scale f8E4M3FN, tensor_scale>

// Values and views between other carried values; every part has its place.
// CHECK-LABEL: tile.kernel @carried_by_for
tile.kernel @carried_by_for(%A: !E, %SA: !S, %t: f32) programs(%m, %n) over %A by [64, 128] {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %K = tile.dim %A, 1 : !E
  %v = tile.mx_view %A, %SA tensor %t : !E, !S -> !V
  // CHECK: %[[E:.*]] = tile.load %A
  // CHECK: %[[S:.*]] = tile.load %SA
  %x = tile.mx_load %v[%m, %n] : !V -> !X
  // CHECK: %[[R:.*]]:8 = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[I:.*]] = %m, %[[XE:.*]] = %[[E]], %[[XS:.*]] = %[[S]], %[[XT:.*]] = %t, %[[VE:.*]] = %A, %[[VS:.*]] = %SA, %[[VT:.*]] = %t, %[[J:.*]] = %n) -> (index, !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN>, f32, !tile.view<?x?xf4E2M1FN>, !tile.view<?x?xf8E4M3FN>, f32, index)
  %i, %y, %w, %j = scf.for %k = %c0 to %K step %c128 iter_args(%pi = %m, %px = %x, %pv = %v, %pj = %n) -> (index, !X, !V, index) {
    // CHECK: tile.store %[[XE]], %[[VE]][%[[I]], %[[K]]]
    tile.mx_store %px, %pv[%pi, %k] : !X, !V
    // CHECK: %[[NE:.*]] = tile.load %[[VE]][%[[J]], %[[K]]]
    // CHECK: %[[NS:.*]] = tile.load %[[VS]]
    %nx = tile.mx_load %pv[%pj, %k] : !V -> !X
    %ni = arith.addi %pi, %c128 : index
    // CHECK: scf.yield %{{.*}}, %[[NE]], %[[NS]], %[[VT]], %[[VE]], %[[VS]], %[[VT]], %[[J]]
    scf.yield %ni, %nx, %pv, %pj : index, !X, !V, index
  }
  // CHECK: tile.store %[[R]]#1, %[[R]]#4[%[[R]]#0, %[[R]]#7]
  tile.mx_store %y, %w[%i, %j] : !X, !V
  tile.return
}

// CHECK-LABEL: tile.kernel @carried_by_while
tile.kernel @carried_by_while(%A: !E, %SA: !S, %t: f32) programs(%m, %n) over %A by [64, 128] {
  %c128 = arith.constant 128 : index
  %K = tile.dim %A, 1 : !E
  %v = tile.mx_view %A, %SA tensor %t : !E, !S -> !V
  %x = tile.mx_load %v[%m, %n] : !V -> !X
  // CHECK: %[[R:.*]]:4 = scf.while (%[[E:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[T:.*]] = %t, %[[P:.*]] = %n) : (!tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN>, f32, index) -> (index, !tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN>, f32)
  %j, %y = scf.while (%px = %x, %p = %n) : (!X, index) -> (index, !X) {
    %less = arith.cmpi slt, %p, %K : index
    // CHECK: scf.condition(%{{.*}}) %[[P]], %[[E]], %[[S]], %[[T]]
    scf.condition(%less) %p, %px : index, !X
  } do {
  // CHECK: ^bb0(%[[Q:.*]]: index, %[[AE:.*]]: !tile.tile<64x128xf4E2M1FN>, %[[AS:.*]]: !tile.tile<64x8xf8E4M3FN>, %[[AT:.*]]: f32):
  ^bb0(%q: index, %ax: !X):
    %next = arith.addi %q, %c128 : index
    // CHECK: tile.store %[[AE]], %A
    tile.mx_store %ax, %v[%m, %q] : !X, !V
    // CHECK: scf.yield %[[AE]], %[[AS]], %[[AT]], %{{.*}}
    scf.yield %ax, %next : !X, index
  }
  // CHECK: tile.store %[[R]]#1, %A[%m, %[[R]]#0]
  tile.mx_store %y, %v[%m, %j] : !X, !V
  tile.return
}

// CHECK-LABEL: tile.kernel @chosen
tile.kernel @chosen(%A: !E, %SA: !S, %t: f32, %c: i1) programs(%m, %n) over %A by [64, 128] {
  %v = tile.mx_view %A, %SA tensor %t : !E, !S -> !V
  %x = tile.mx_load %v[%m, %n] : !V -> !X
  // CHECK: %[[R:.*]]:4 = scf.if %c -> (!tile.tile<64x128xf4E2M1FN>, !tile.tile<64x8xf8E4M3FN>, f32, index)
  %y, %i = scf.if %c -> (!X, index) {
    // CHECK: %[[E:.*]] = tile.load %A[%n, %m]
    %z = tile.mx_load %v[%n, %m] : !V -> !X
    // CHECK: scf.yield %[[E]], %{{.*}}, %t, %m
    scf.yield %z, %m : !X, index
  } else {
    scf.yield %x, %n : !X, index
  }
  // CHECK: %[[SE:.*]] = arith.select %c, %[[R]]#0, %{{.*}} : !tile.tile<64x128xf4E2M1FN>
  // CHECK: arith.select %c, %[[R]]#1, %{{.*}} : !tile.tile<64x8xf8E4M3FN>
  %w = arith.select %c, %y, %x : !X
  scf.if %c {
    // CHECK: tile.store %[[SE]], %A[%[[R]]#3, %n]
    tile.mx_store %w, %v[%i, %n] : !X, !V
  }
  tile.return
}

// A view made in a loop, a choice before a condition, and values that pass through loops unchanged.
// CHECK-LABEL: tile.kernel @nested
tile.kernel @nested(%A: !E, %SA: !S, %t: f32, %c: i1) programs(%m, %n) over %A by [64, 128] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<1.0> : !tile.tile<64x128xf32>
  %q = tile.quantize %z tensor %t : !tile.tile<64x128xf32> -> !X
  // CHECK: %[[R:.*]]:6 = scf.for %{{.*}} iter_args(%[[XE:.*]] = %{{.*}}, %[[XS:.*]] = %{{.*}}, %[[XT:.*]] = %t, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %t)
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %q, %y = %q) -> (!X, !X) {
    %v = tile.mx_view %A, %SA tensor %t : !E, !S -> !V
    // CHECK: %[[W:.*]]:4 = scf.while
    %w:2 = scf.while (%a = %x, %k = %i) : (!X, index) -> (!X, index) {
      %less = arith.cmpi slt, %k, %c4 : index
      // CHECK: %[[B:.*]]:3 = scf.if
      %b = scf.if %less -> (!X) {
        %l = tile.mx_load %v[%m, %n] : !V -> !X
        scf.yield %l : !X
      } else {
        scf.yield %y : !X
      }
      // CHECK: scf.condition(%{{.*}}) %[[B]]#0, %[[B]]#1, %[[B]]#2, %{{.*}}
      scf.condition(%less) %b, %k : !X, index
    } do {
    ^bb0(%a: !X, %k: index):
      %next = arith.addi %k, %c1 : index
      scf.if %c {
        tile.mx_store %a, %v[%m, %n] : !X, !V
      }
      scf.yield %a, %next : !X, index
    }
    // CHECK: scf.yield %[[W]]#0, %[[W]]#1, %[[W]]#2, %[[XE]], %[[XS]], %[[XT]]
    scf.yield %w#0, %x : !X, !X
  }
  %v = tile.mx_view %A, %SA tensor %t : !E, !S -> !V
  // CHECK: tile.store %[[R]]#3, %A[%m, %n]
  tile.mx_store %r#1, %v[%m, %n] : !X, !V
  tile.return
}

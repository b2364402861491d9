// RUN: tile-opt %s --tile-stage | FileCheck %s
// RUN: tile-opt %s --tile-stage | tile-opt --tile-stage | FileCheck %s

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0]]>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>
#cols = #tile.layout<registers = [[1, 0], [2, 0], [4, 0], [0, 16]], lanes = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 8]]>

!view = !tile.view<?x?xbf16>
!by_columns = !tile.view<?x?xbf16, strides [1, ?]>
!rows = !tile.tile<32x32xbf16, #rows>
!cols = !tile.tile<32x32xbf16, #cols>
!lhs = !tile.tile<32x32xbf16, #lhs>
!rhs = !tile.tile<32x32xbf16, #rhs>
!acc = !tile.tile<32x32xf32, #acc>

// CHECK-DAG: #[[LHS:.*]] = #tile.layout<registers = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16]], lanes = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = {{\[\[}}16, 0]]>
// CHECK-DAG: #[[RHS:.*]] = #tile.layout<registers = {{\[\[}}1, 0], [8, 0], [16, 0], [0, 8], [0, 16]]
// CHECK-DAG: #[[RHS_T:.*]] = #tile.layout<registers = {{\[\[}}0, 1], [0, 8], [0, 16], [8, 0], [16, 0]]
// CHECK-DAG: #[[S:.*]] = #tile.swizzle<order = [1, 0], swizzle = 64>
// CHECK-DAG: #[[T:.*]] = #tile.swizzle<order = [0, 1], swizzle = 64>

// Both operands share one channel, whose create stands at the top. The transpose becomes a relabelling of the read.
// CHECK-LABEL: tile.kernel @loads_of_a_loop_share_a_channel
// CHECK-NEXT: %[[RING:[a-z0-9_]+]] = tile.channel_create : !tile.channel<1 x (!tile.shared<32x32xbf16, #[[S]]>, !tile.shared<32x32xbf16, #[[S]]>)>
// CHECK: scf.for %[[K:[a-z0-9_]+]] =
// CHECK-NEXT: %[[SLOT:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[W:[a-z0-9_]+]]:2 = tile.channel_acquire %[[RING]][%[[SLOT]]]
// CHECK-NEXT: tile.copy_async %A[%m, %[[K]]] to %[[W]]#0
// CHECK-NEXT: tile.copy_async %B[%n, %[[K]]] to %[[W]]#1
// CHECK-NEXT: tile.channel_commit %[[RING]][%[[SLOT]]]
// CHECK-NEXT: %[[R:[a-z0-9_]+]]:2 = tile.channel_wait %[[RING]][%[[SLOT]]] pending 0
// CHECK-NEXT: %[[X:[a-z0-9_]+]] = tile.shared_load %[[R]]#0 : !tile.shared<32x32xbf16, #[[S]]> -> !tile.tile<32x32xbf16, #[[LHS]]>
// CHECK-NEXT: %[[Y:[a-z0-9_]+]] = tile.shared_load %[[R]]#1 : !tile.shared<32x32xbf16, #[[S]]> -> !tile.tile<32x32xbf16, #[[RHS_T]]>
// CHECK-NEXT: %[[YT:[a-z0-9_]+]] = tile.transpose %[[Y]] : {{.*}} -> !tile.tile<32x32xbf16, #[[RHS]]>
// CHECK-NEXT: tile.channel_release %[[RING]][%[[SLOT]]]
// CHECK-NEXT: tile.dot %[[X]], %[[YT]]
// CHECK-NEXT: scf.yield
tile.kernel @loads_of_a_loop_share_a_channel(%A: !view, %B: !view, %C: !view) programs(%m, %n) over %C by [32, 32] {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %K = tile.dim %A, 1 : !view
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (!acc) {
    %a = tile.load %A[%m, %k] : !view -> !rows
    %b = tile.load %B[%n, %k] : !view -> !rows
    %bt = tile.transpose %b : !rows -> !cols
    %x = tile.relayout %a : !rows -> !lhs
    %y = tile.relayout %bt : !cols -> !rhs
    %next = tile.dot %x, %y, %c : !lhs, !rhs, !acc
    scf.yield %next : !acc
  }
  tile.return
}

// The dimension that is contiguous in memory is contiguous in the buffer; a zero pad is what the copy does anyway.
// CHECK-LABEL: tile.kernel @order_follows_the_view
// CHECK-NEXT: tile.channel_create : !tile.channel<1 x (!tile.shared<32x32xbf16, #[[T]]>, !tile.shared<32x32xbf16, #[[S]]>)>
// CHECK: tile.copy_async %A[%m, %k] to
// CHECK-NEXT: tile.copy_async %B[%k, %n] to
tile.kernel @order_follows_the_view(%A: !by_columns, %B: !view, %C: !view, %k: index)
    programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %pad = arith.constant 0.0 : bf16
  %a = tile.load %A[%m, %k] pad %pad : bf16 : !by_columns -> !rows
  %b = tile.load %B[%k, %n] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %y = tile.relayout %b : !rows -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// One tile as both operands is copied once and read twice.
// CHECK-LABEL: tile.kernel @one_load_feeds_both_operands
// CHECK-NEXT: tile.channel_create : !tile.channel<1 x (!tile.shared<32x32xbf16, #[[S]]>)>
// CHECK: tile.copy_async
// CHECK-NOT: tile.copy_async
// CHECK: %[[R:[a-z0-9_]+]] = tile.channel_wait
// CHECK-NEXT: tile.shared_load %[[R]]
// CHECK-NEXT: tile.shared_load %[[R]]
// CHECK-NEXT: tile.transpose
// CHECK-NEXT: tile.channel_release
tile.kernel @one_load_feeds_both_operands(%A: !view, %C: !view, %k: index) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %a = tile.load %A[%m, %k] : !view -> !rows
  %at = tile.transpose %a : !rows -> !cols
  %x = tile.relayout %a : !rows -> !lhs
  %y = tile.relayout %at : !cols -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// Offsets that are pure arithmetic move up to the first load; ones that come from a product cannot, and start a channel.
// CHECK-LABEL: tile.kernel @late_offsets
// CHECK-NEXT: %[[FIRST:[a-z0-9_]+]] = tile.channel_create : !tile.channel<1 x (!tile.shared<32x32xbf16, #[[S]]>, !tile.shared<32x32xbf16, #[[S]]>)>
// CHECK-NEXT: %[[SECOND:[a-z0-9_]+]] = tile.channel_create : !tile.channel<1 x (!tile.shared<32x32xbf16, #[[S]]>)>
// CHECK: %[[LATER:[a-z0-9_]+]] = arith.addi %k
// CHECK: tile.channel_acquire %[[FIRST]]
// CHECK-NEXT: tile.copy_async %A[%m, %k]
// CHECK-NEXT: tile.copy_async %A[%n, %[[LATER]]]
// CHECK: tile.dot
// CHECK: tile.store
// CHECK: tile.channel_acquire %[[SECOND]]
// CHECK-NEXT: tile.copy_async %C[%m, %k]
// CHECK: tile.dot
tile.kernel @late_offsets(%A: !view, %C: !view, %k: index) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %c32 = arith.constant 32 : index
  %a = tile.load %A[%m, %k] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %later = arith.addi %k, %c32 : index
  %b = tile.load %A[%n, %later] : !view -> !rows
  %bt = tile.transpose %b : !rows -> !cols
  %y = tile.relayout %bt : !cols -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  %o = tile.cast %d : !acc -> !tile.tile<32x32xbf16, #acc>
  tile.store %o, %C[%m, %n] : !tile.tile<32x32xbf16, #acc>, !view
  %c = tile.load %C[%m, %k] : !view -> !rows
  %z = tile.relayout %c : !rows -> !rhs
  %e = tile.dot %x, %z, %d : !lhs, !rhs, !acc
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_arithmetic_between
// CHECK-NOT: tile.channel
// CHECK: tile.load
// CHECK: tile.relayout
tile.kernel @negative_arithmetic_between(%A: !view, %C: !view, %y: index) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %other = arith.constant dense<1.0> : !rhs
  %a = tile.load %A[%m, %n] : !view -> !rows
  %twice = arith.addf %a, %a : !rows
  %x = tile.relayout %twice : !rows -> !lhs
  %d = tile.dot %x, %other, %zero : !lhs, !rhs, !acc
  tile.return
}

// CHECK-LABEL: tile.kernel @negative_used_elsewhere
// CHECK-NOT: tile.channel
// CHECK: tile.return
tile.kernel @negative_used_elsewhere(%A: !view, %C: !view) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %other = arith.constant dense<1.0> : !rhs
  %a = tile.load %A[%m, %n] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %d = tile.dot %x, %other, %zero : !lhs, !rhs, !acc
  tile.store %a, %C[%m, %n] : !rows, !view
  tile.return
}

// The copy pads with zero bits; minus zero has others.
// CHECK-LABEL: tile.kernel @negative_pads
// CHECK-NOT: tile.channel
// CHECK: tile.return
tile.kernel @negative_pads(%A: !view, %C: !view, %one: bf16) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %minus = arith.constant -0.0 : bf16
  %a = tile.load %A[%m, %n] pad %one : bf16 : !view -> !rows
  %b = tile.load %A[%n, %m] pad %minus : bf16 : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %y = tile.relayout %b : !rows -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// A third operand is an accumulator, not something that ldmatrix loads.
// CHECK-LABEL: tile.kernel @negative_accumulator
// CHECK-NOT: tile.channel
// CHECK: tile.return
tile.kernel @negative_accumulator(%A: !view, %D: !tile.view<?x?xf32>) programs(%m, %n) over %D by [32, 32] {
  %x = arith.constant dense<1.0> : !lhs
  %y = arith.constant dense<1.0> : !rhs
  %c = tile.load %D[%m, %n] : !tile.view<?x?xf32> -> !tile.tile<32x32xf32, #rows>
  %acc = tile.relayout %c : !tile.tile<32x32xf32, #rows> -> !acc
  %d = tile.dot %x, %y, %acc : !lhs, !rhs, !acc
  tile.return
}

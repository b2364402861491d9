// RUN: tile-opt %s --tile-prefetch-operands --verify-diagnostics --remarks-filter='.*'

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 32]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#rhsT = #tile.layout<registers = [[0, 1], [0, 8], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 64>
!bytes = !tile.view<?x?xbf16>
!view = !tile.view<?x?xbf16, align 16>
!buffer = !tile.shared<64x32xbf16, #s>
!ring = !tile.channel<3 x (!buffer, !buffer)>
!lhs = !tile.tile<64x16xbf16, #lhs>
!rhsT = !tile.tile<64x16xbf16, #rhsT>
!rhs = !tile.tile<16x64xbf16, #rhs>
!acc = !tile.tile<64x64xf32, #acc>
#wide = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#wideB = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#s1 = #tile.swizzle<order = [1, 0], swizzle = 128>
!wide = !tile.tile<64x128xbf16, #wide>
!wideB = !tile.tile<128x64xbf16, #wideB>
!long = !tile.shared<64x128xbf16, #s1>
!longB = !tile.shared<128x64xbf16, #s1>

module attributes {tile.target = "sm_80"} {
tile.kernel @rotated(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{[Passed] prefetch | Category:tile-prefetch-operands | Remark="first operands are read an iteration ahead, in 16 registers"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_ordinary_copies(%A: !bytes, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the view's alignment rules out asynchronous copies", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !bytes, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_slot_not_carried(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the slot is not carried by the loop", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%c0] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%c0] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_waits_twice(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the channel is waited for more than once in an iteration", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    %q:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_not_released(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the slot is not released in the loop", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_releases_another_slot(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the slot is not released once in an iteration", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%write] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_one_product(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="no other product follows the last read of the slot", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_released_late(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="no other product follows the last read of the slot", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    tile.channel_release %ring[%read] : !ring
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_first_product_reads_something_else(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  %x0 = arith.constant dense<1.0> : !lhs
  %y0 = arith.constant dense<1.0> : !rhs
  // expected-remark @+1 {{Reason="the first product does not read the slot", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_copies_at_the_end(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the wait cannot pass 'tile.channel_acquire'", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_copies_at_the_head(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the wait cannot pass 'tile.channel_acquire'", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_slot_from_memory(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !ring
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the next slot is known too late", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !ring -> !buffer, !buffer
    %x0 = tile.shared_load %r#0 at [0, 0] : !buffer -> !lhs
    %t0 = tile.shared_load %r#1 at [0, 0] : !buffer -> !rhsT
    %y0 = tile.transpose %t0 : !rhsT -> !rhs
    %x1 = tile.shared_load %r#0 at [0, 16] : !buffer -> !lhs
    %t1 = tile.shared_load %r#1 at [0, 16] : !buffer -> !rhsT
    %y1 = tile.transpose %t1 : !rhsT -> !rhs
    %d0 = tile.dot %x0, %y0, %c : !lhs, !rhs, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !ring -> !buffer, !buffer
    tile.copy_async %A[%m, %k] to %w#0 : !view, !buffer
    tile.channel_commit %ring[%write] : !ring
    tile.channel_release %ring[%read] : !ring
    %d1 = tile.dot %x1, %y1, %d0 : !lhs, !rhs, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = scf.if %rw -> (index) {
      scf.yield %c0 : index
    } else {
      scf.yield %r1 : index
    }
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}

tile.kernel @negative_too_many_registers(%A: !view, %B: !view, %C: !view, %K: index, %step: index) programs(%m, %n) over %C by [64, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ring = tile.channel_create : !tile.channel<3 x (!long, !longB)>
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{Reason="the loop would carry 128 registers per thread, more than 64", Remark="each iteration waits for its first operands", Suggestion="let the loop have a product whose K is several instructions long, of operands from memory"}}
  %sum:3 = scf.for %k = %c0 to %K step %step iter_args(%c = %zero, %read = %c0, %write = %c2) -> (!acc, index, index) {
    %r:2 = tile.channel_wait %ring[%read] pending 1 : !tile.channel<3 x (!long, !longB)> -> !long, !longB
    %x0 = tile.shared_load %r#0 : !long -> !wide
    %y0 = tile.shared_load %r#1 : !longB -> !wideB
    %x1 = tile.shared_load %r#0 : !long -> !wide
    %y1 = tile.shared_load %r#1 : !longB -> !wideB
    %d0 = tile.dot %x0, %y0, %c : !wide, !wideB, !acc
    %w:2 = tile.channel_acquire %ring[%write] : !tile.channel<3 x (!long, !longB)> -> !long, !longB
    tile.copy_async %A[%m, %k] to %w#0 : !view, !long
    tile.channel_commit %ring[%write] : !tile.channel<3 x (!long, !longB)>
    tile.channel_release %ring[%read] : !tile.channel<3 x (!long, !longB)>
    %d1 = tile.dot %x1, %y1, %d0 : !wide, !wideB, !acc
    %r1 = arith.addi %read, %c1 : index
    %rw = arith.cmpi eq, %r1, %c3 : index
    %rn = arith.select %rw, %c0, %r1 : index
    %w1 = arith.addi %write, %c1 : index
    %ww = arith.cmpi eq, %w1, %c3 : index
    %wn = arith.select %ww, %c0, %w1 : index
    scf.yield %d1, %rn, %wn : !acc, index, index
  }
  tile.return
}
}

// RUN: tile-opt %s --tile-stage --split-input-file --verify-diagnostics --remarks-filter='.*'

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0]]>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [16, 0]], lanes = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warps = [[8, 0]]>

!view = !tile.view<?x?xbf16>
!rows = !tile.tile<32x32xbf16, #rows>
!lhs = !tile.tile<32x32xbf16, #lhs>
!rhs = !tile.tile<32x32xbf16, #rhs>
!acc = !tile.tile<32x32xf32, #acc>

tile.kernel @staged(%A: !view, %C: !view) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  // expected-remark @+1 {{[Passed] stage | Category:tile-stage | Remark="staged through a shared buffer of 2048 bytes"}}
  %a = tile.load %A[%m, %n] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %y = tile.relayout %a : !rows -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_computed(%A: !view, %C: !view) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %other = arith.constant dense<1.0> : !rhs
  %a = tile.load %A[%m, %n] : !view -> !rows
  %twice = arith.addf %a, %a : !rows
  %x = tile.relayout %twice : !rows -> !lhs
  // expected-remark @+1 {{Reason="the operand is computed by 'arith.addf'", Remark="operand is not staged through shared memory by an asynchronous copy", Suggestion="load the operand as the product takes it, or compute it in a kernel before"}}
  %d = tile.dot %x, %other, %zero : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_carried(%A: !view, %C: !view, %k: index) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %other = arith.constant dense<1.0> : !rhs
  %first = arith.constant dense<1.0> : !rows
  %last = scf.for %i = %m to %n step %k iter_args(%a = %first) -> (!rows) {
    %x = tile.relayout %a : !rows -> !lhs
    // expected-remark @+1 {{Reason="the operand is carried by a loop"}}
    %d = tile.dot %x, %other, %zero : !lhs, !rhs, !acc
    %next = tile.load %A[%m, %i] : !view -> !rows
    scf.yield %next : !rows
  }
  tile.return
}

tile.kernel @negative_pad(%A: !view, %C: !view, %one: bf16) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %other = arith.constant dense<1.0> : !rhs
  %a = tile.load %A[%m, %n] pad %one : bf16 : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  // expected-remark @+1 {{Reason="an asynchronous copy pads with zero only", Remark="operand is not staged through shared memory by an asynchronous copy", Suggestion="leave the load's pad out"}}
  %d = tile.dot %x, %other, %zero : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_used_elsewhere(%A: !view, %C: !view) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %other = arith.constant dense<1.0> : !rhs
  %a = tile.load %A[%m, %n] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  // expected-remark @+1 {{Reason="the loaded tile is used by more than products", Remark="operand is not staged through shared memory by an asynchronous copy", Suggestion="stage it by hand with a channel"}}
  %d = tile.dot %x, %other, %zero : !lhs, !rhs, !acc
  tile.store %a, %C[%m, %n] : !rows, !view
  tile.return
}

// -----

// Bytes: K runs across rows of memory, and ldmatrix transposes 16-bit elements only.
#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#lhs = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [2, 0], [16, 0], [0, 8], [0, 16]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0]]>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4], [0, 8]], lanes = [[0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], warps = [[16, 0]]>

!view = !tile.view<?x?xi8>
!rows = !tile.tile<32x32xi8, #rows>
!lhs = !tile.tile<32x32xi8, #lhs>
!rhs = !tile.tile<32x32xi8, #rhs>
!acc = !tile.tile<32x32xi32, #acc>

tile.kernel @bytes_across(%A: !view, %B: !view, %C: !view, %k: index) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0> : !acc
  // expected-remark @+1 {{staged through a shared buffer of 1024 bytes}}
  %a = tile.load %A[%m, %k] : !view -> !rows
  // expected-remark @+2 {{Reason="ldmatrix transposes 16-bit elements only", Remark="operand is read from shared memory without ldmatrix", Suggestion="store the operand with K as its innermost dimension"}}
  // expected-remark @+1 {{staged through a shared buffer of 1024 bytes}}
  %b = tile.load %B[%k, %n] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %y = tile.relayout %b : !rows -> !rhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// -----

#acc = #tile.layout<registers = [[0, 1], [0, 8], [0, 16], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#lhs = #tile.layout<registers = [[0, 4], [0, 8], [0, 16], [8, 0]], lanes = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warps = [[16, 0]]>
#rhs = #tile.layout<registers = [[4, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lanes = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0]]>
#rows = #tile.layout<registers = [[0, 1], [4, 0], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]], warps = [[2, 0]]>

!view = !tile.view<?x?xf64>
!rows = !tile.tile<32x32xf64, #rows>
!lhs = !tile.tile<32x32xf64, #lhs>
!rhs = !tile.tile<32x32xf64, #rhs>
!acc = !tile.tile<32x32xf64, #acc>

tile.kernel @doubles(%A: !view, %C: !view, %k: index) programs(%m, %n) over %C by [32, 32] {
  %zero = arith.constant dense<0.0> : !acc
  %y = arith.constant dense<1.0> : !rhs
  // expected-remark @+2 {{Reason="ldmatrix has no 64-bit elements"}}
  // expected-remark @+1 {{staged through a shared buffer of 8192 bytes}}
  %a = tile.load %A[%m, %k] : !view -> !rows
  %x = tile.relayout %a : !rows -> !lhs
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

// -----

// Eight columns of 4-bit elements, packed along them, are half of what a copy moves.
#acc = #tile.layout<registers = [[0, 1], [8, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = []>
#lhs = #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = []>
#rhs = #tile.layout<registers = [[1, 0], [2, 0], [16, 0]], lanes = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warps = []>
#scales = #tile.layout<registers = [], lanes = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warps = []>
#rows = #tile.layout<registers = [[0, 1], [0, 2], [0, 4]], lanes = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warps = []>

!view = !tile.view<?x?xf4E2M1FN>
!rows = !tile.tile<32x8xf4E2M1FN, #rows>
!lhs = !tile.tile<16x32xf8E4M3FN, #lhs>
!rhs = !tile.tile<32x8xf4E2M1FN, #rhs>
!scales = !tile.tile<8x1xf8E8M0FNU, #scales>
!acc = !tile.tile<16x8xf32, #acc>

tile.kernel @negative_packed_rows_of_8(%B: !view, %x: f8E4M3FN, %s: f8E8M0FNU, %k: index) programs(%m, %n) over %B by [16, 8] {
  %zero = arith.constant dense<0.0> : !acc
  %a = tile.splat %x : !lhs
  %scales = tile.splat %s : !scales
  %b = tile.load %B[%k, %n] : !view -> !rows
  %y = tile.relayout %b : !rows -> !rhs
  // expected-remark @+1 {{Reason="packed elements are copied in units of 16", Remark="operand is not staged through shared memory by an asynchronous copy", Suggestion="use a tile with a multiple of 16 along the packed axis"}}
  %d = tile.dot %a, %y scaled %scales by 32, %zero : !lhs, !rhs scaled !scales, !acc
  tile.return
}

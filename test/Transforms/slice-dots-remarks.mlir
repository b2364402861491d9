// RUN: tile-opt %s --tile-slice-dots --verify-diagnostics --remarks-filter='.*'

#acc = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 32]]>
#lhs = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#rhsT = #tile.layout<registers = [[0, 1], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]]>
#rhs = #tile.layout<registers = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#s = #tile.swizzle<order = [1, 0], swizzle = 128>
!view = !tile.view<?x?xbf16>
!buffer = !tile.shared<64x64xbf16, #s>
!ring = !tile.channel<3 x (!buffer, !buffer)>
!lhs = !tile.tile<64x64xbf16, #lhs>
!rhsT = !tile.tile<64x64xbf16, #rhsT>
!rhs = !tile.tile<64x64xbf16, #rhs>
!acc = !tile.tile<64x64xf32, #acc>
#one = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]]>
#oneT = #tile.layout<registers = [[0, 1], [0, 8], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]]>
#oneB = #tile.layout<registers = [[1, 0], [8, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]]>
#odd = #tile.layout<registers = [[0, 1], [8, 0], [0, 8], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[32, 0], [0, 0]], digits = [1 by 3 in register]>
#oddT = #tile.layout<registers = [[0, 1], [0, 8], [8, 0], [16, 0]], lanes = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warps = [[0, 0], [32, 0]], digits = [1 by 3 in register]>
#oddB = #tile.layout<registers = [[1, 0], [8, 0], [0, 8], [0, 16]], lanes = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warps = [[0, 0], [0, 32]], digits = [0 by 3 in register]>

module attributes {tile.target = "sm_80"} {
tile.kernel @sliced(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.shared_load %s : !buffer -> !lhs
  %t = tile.shared_load %s : !buffer -> !rhsT
  %y = tile.transpose %t : !rhsT -> !rhs
  // expected-remark @+1 {{[Passed] slice | Category:tile-slice-dots | Remark="product runs in 4 slices of 16 along K"}}
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_no_loads(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %zero = arith.constant dense<0.0> : !acc
  %x = arith.constant dense<1.0> : !lhs
  %y = arith.constant dense<1.0> : !rhs
  // expected-remark @+1 {{Reason="no operand is read from shared memory beside the product, and for it alone", Remark="operands are read before the product, not along with it", Suggestion="load the operands for this product alone, with K a power of two"}}
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_used_twice(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.shared_load %s : !buffer -> !lhs
  %y = arith.constant dense<1.0> : !rhs
  // expected-remark @+1 {{Reason="no operand is read from shared memory beside the product, and for it alone", Remark="operands are read before the product, not along with it", Suggestion="load the operands for this product alone, with K a power of two"}}
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  // expected-remark @+1 {{Reason="no operand is read from shared memory beside the product, and for it alone", Remark="operands are read before the product, not along with it", Suggestion="load the operands for this product alone, with K a power of two"}}
  %e = tile.dot %x, %y, %d : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_store_between(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.shared_load %s : !buffer -> !lhs
  %y = arith.constant dense<1.0> : !rhs
  %other = arith.constant dense<1.0> : !rhsT
  tile.shared_store %other, %s : !rhsT, !buffer
  // expected-remark @+1 {{Reason="'tile.shared_store' stands between an operand and the product", Remark="operands are read before the product, not along with it", Suggestion="load the operands for this product alone, with K a power of two"}}
  %d = tile.dot %x, %y, %zero : !lhs, !rhs, !acc
  tile.return
}

tile.kernel @negative_one_instruction(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.shared_load %s : !buffer -> !tile.tile<64x16xbf16, #one>
  %t = tile.shared_load %s : !buffer -> !tile.tile<64x16xbf16, #oneT>
  %y = tile.transpose %t : !tile.tile<64x16xbf16, #oneT> -> !tile.tile<16x64xbf16, #oneB>
  // expected-remark @+1 {{Reason="K is that of one instruction, or one block", Remark="operands are read before the product, not along with it", Suggestion="load the operands for this product alone, with K a power of two"}}
  %d = tile.dot %x, %y, %zero : !tile.tile<64x16xbf16, #one>, !tile.tile<16x64xbf16, #oneB>, !acc
  tile.return
}

tile.kernel @negative_odd_k(%C: !view) programs(%m, %n) over %C by [64, 64] {
  %s = tile.shared_alloc : !buffer
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.shared_load %s : !buffer -> !tile.tile<64x48xbf16, #odd>
  %t = tile.shared_load %s : !buffer -> !tile.tile<64x48xbf16, #oddT>
  %y = tile.transpose %t : !tile.tile<64x48xbf16, #oddT> -> !tile.tile<48x64xbf16, #oddB>
  // expected-remark @+1 {{Reason="K is no power of two", Remark="operands are read before the product, not along with it", Suggestion="load the operands for this product alone, with K a power of two"}}
  %d = tile.dot %x, %y, %zero : !tile.tile<64x48xbf16, #odd>, !tile.tile<48x64xbf16, #oddB>, !acc
  tile.return
}
}
